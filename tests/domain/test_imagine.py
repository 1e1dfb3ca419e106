"""Imagined worlds: the laws over every ruleset, planted faults. In test_worlds.py small games are counted."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.fairness.chance import Chance
from domain.imagining import Covered, NothingImagined, Shuffles
from domain.ruleset import InvalidSetup, Seat
from domain.rulesets import RULESETS, VERSIONS
from stammtisch.testing.checking import every_option
from stammtisch.testing.imagined import (
    Append,
    Imagine,
    Lots,
    Rules,
    appends,
    conserved,
    fair,
    inverse,
    possible,
    seen_by,
)

pytestmark = pytest.mark.slow

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def games(rules: Rules, many: int, most: int = 250) -> Iterator[tuple[Any, list[Append], Random]]:
    """Games of random and careful bots, with every number of seats and every option, cut off somewhere."""
    options = [*every_option(rules)]
    for seed in range(many):
        seats, dice = rules.seats[seed % len(rules.seats)], Random(seed)
        try:
            initial = rules.initial(seats, options[seed // 2 % len(options)], next(iter(rules.decks.values())))
        except InvalidSetup:
            continue
        bots = [dice.choice([*rules.bots]) for _ in range(seats)]
        yield initial, [*appends(rules, initial, seed, bots, dice.randrange(most))], dice


def obeys_the_laws(rules: Rules, imagine: Imagine, many: int) -> None:
    for initial, played, dice in games(rules, many):
        for cut in (len(played), dice.randrange(len(played)) + 1):
            events = [event for append in played[:cut] for event in append.events]
            seat = dice.randrange(len(rules.standing(initial)))
            seen = seen_by(rules, events, seat)
            imagined = imagine(initial, seen, seat, Lots(cut))
            inverse(rules, imagined, seen, seat)
            conserved(rules, initial, imagined)
            possible(rules, initial, imagined, played[:cut])
            assert imagine(initial, seen, seat, Lots(cut)) == imagined, "the same dice, another world"


@every_ruleset
def test_imagined_worlds_obey_the_laws(rules: Rules, everything: bool):
    """Laws 1 to 3 and 5: what is seen and the dice determine the world."""
    obeys_the_laws(rules, rules.imagine, 400 if everything else 5)


@every_ruleset
def test_every_first_deal_is_equally_likely(rules: Rules):
    """Law 4."""
    seats = rules.seats[0]
    fair(rules, rules.imagine, rules.initial(seats, rules.options(), next(iter(rules.decks.values()))), seats, 200)


# --- several shuffles -------------------------------------------------------------------------------------------------


def test_shuffles_that_contradict_are_noticed():
    shuffles = Shuffles[int]()
    one, _ = shuffles.shuffle([1, 2])
    one.face = 3
    with pytest.raises(NothingImagined):
        shuffles.settle(Lots(0))


def test_a_removed_card_comes_back_through_a_second_shuffle():
    """Its face is the one that the second shuffle shows."""
    for seed in range(20):
        shuffles = Shuffles[int]()
        first = shuffles.shuffle([1, 2, 3])
        again = shuffles.shuffle([first[0], 9])
        again[1].face = 2
        shuffles.settle(Lots(seed))
        assert [first[0].face, again[0].face] == [2, 9]
        assert sorted(card.face for card in first if card.face is not None) == [1, 2, 3]


def test_a_second_restock_is_imagined_again_until_it_fits_the_first():
    """A hidden card can go through two shuffles. Some choices for the later one leave nothing for the earlier one."""
    rules = RULESETS["skyjo_action"]
    initial = rules.initial(8, rules.options(target_points=1, short_rows=True), next(iter(rules.decks.values())))
    events = [event for append in appends(rules, initial, 21, ["random/1"] * 8, 400) for event in append.events]
    assert sum(type(event).__name__ == "Restocked" for event in events) == 2
    seen = seen_by(rules, events, 0)
    for world in range(6):  # without another attempt, two of them are not found
        imagined = rules.imagine(initial, seen, 0, Lots(world))
        inverse(rules, imagined, seen, 0)
        conserved(rules, initial, imagined)


# --- the laws bite ----------------------------------------------------------------------------------------------------


def truth_of(rules: Rules) -> Imagine:
    """Peeks: the real history of the first deal, whatever the dice say."""

    def imagine(initial: Any, seen: Sequence[Any], seat: Seat, _: Chance) -> list[Any]:
        return rules.imagine(initial, seen, seat, Lots(7))

    return imagine


def duplicating(rules: Rules) -> Imagine:
    """The first hidden card of the first deal is there twice."""

    def imagine(initial: Any, seen: Sequence[Any], seat: Seat, chance: Chance) -> list[Any]:
        history = rules.imagine(initial, seen, seat, chance)
        for place, event in enumerate(history):
            if "hands" in event.__struct_fields__ and "aside" in event.__struct_fields__:
                other = (seat + 1) % len(event.hands)
                first, _, *rest = event.hands[other]
                hands = [*event.hands]
                hands[other] = (first, first, *rest)
                history[place] = replace(event, hands=tuple(hands))
        return history

    return imagine


def forgetful(rules: Rules) -> Imagine:
    """A card scouted into a hand is not followed: the deal is imagined as if it were still unseen."""

    def imagine(initial: Any, seen: Sequence[Any], seat: Seat, chance: Chance) -> list[Any]:
        cut = next((i for i, event in enumerate(seen) if type(event).__name__ == "Scouted"), len(seen))
        return [*rules.imagine(initial, seen[:cut], seat, chance), *seen[cut:]]

    return imagine


def unseeing(rules: Rules) -> Imagine:
    """What the other seats did is imagined for another seat."""

    def imagine(initial: Any, seen: Sequence[Any], seat: Seat, chance: Chance) -> list[Any]:
        del seat
        return (
            [*seen] if not seen else rules.imagine(initial, [rules.redact(event, None) for event in seen], 99, chance)
        )

    return imagine


@pytest.mark.parametrize("fault", [duplicating, forgetful, unseeing])
def test_a_planted_fault_is_caught(fault: Any):
    rules = RULESETS["scout"]
    with pytest.raises((AssertionError, TypeError, ValueError)):
        obeys_the_laws(rules, fault(rules), 8)


@every_ruleset
def test_a_world_that_is_always_the_same_is_caught(rules: Rules):
    seats = rules.seats[0]
    initial = rules.initial(seats, rules.options(), next(iter(rules.decks.values())))
    with pytest.raises(AssertionError):
        fair(rules, truth_of(rules), initial, seats, 20)


def test_covered_cards_are_compared_by_identity():
    """Two hidden cards are never the same card, whatever their faces."""
    one, other = Covered[int](0), Covered[int](0)
    one.face = other.face = 1
    assert one != other
