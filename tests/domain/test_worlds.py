"""Imagined worlds are as likely as they should be: small games, in which all worlds can be counted."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import permutations
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from domain import imagining
from domain.imagining import Covered, Eras, Shuffles
from domain.rulesets import RULESETS
from domain.rulesets.scandaroon import table as scandaroon_table
from domain.rulesets.scandaroon.deck import SYMBOLS
from domain.rulesets.scopinion.table import PrintedCard
from domain.rulesets.scout import rules as scout_rules
from stammtisch.testing.imagined import Append, Lots, Rules, appends, inverse, possible, seen_by
from tests.kit.enumerated import Dealt, Deviation, Hidden, Partly, TooMany, concealed, deviation, every_world

pytestmark = pytest.mark.slow


class Small(NamedTuple):
    """A game with a small deck, and perhaps with small hands."""

    ruleset: str
    seats: int
    deck: Mapping[str, Any]
    """What is different in the deck."""
    dealt: Dealt = lambda _: True
    """What is dealt at random; the rest comes as in the deck file."""
    options: Mapping[str, Any] = {}
    hands: Sequence[tuple[Any, str, Any]] = ()
    """Numbers of cards in a hand."""
    apart: Sequence[str] = ()
    """Fields of events that are not compared, for they are not dealt at random."""
    open_moves: bool = False
    """Everybody sees which moves are made."""
    longest: int = 60
    """Moves after which there are too many worlds to count them."""

    @contextmanager
    def opened(self) -> Iterator[tuple[Rules, Any]]:
        """Its rules and the initial state."""
        rules = RULESETS[self.ruleset]
        data = replace(next(iter(rules.decks.values())).data, name="small", **self.deck)
        deck = rules.deck(data)
        patches: list[Any] = [
            patch.dict(where, {name: value}) if isinstance(where, dict) else patch.object(where, name, value)
            for where, name, value in self.hands
        ]
        for each in patches:
            each.start()
        try:
            yield rules.with_deck(deck), rules.initial(self.seats, rules.options(**self.options), deck)
        finally:
            for each in patches:
                each.stop()

    def played(self, rules: Rules, initial: Any, seed: int, moves: int) -> list[Append]:
        bots = ["random/1"] * self.seats
        return [*appends(rules, initial, seed, bots, moves, Partly(seed, self.dealt))]


def scandaroon(cards: str, seats: int = 3, hand: int = 1, **options: Any) -> Small:
    faces = next(iter(RULESETS["scandaroon"].decks.values())).data.cards
    deck = {"cards": tuple([face for face in faces if face.id in cards.split()])}
    return Small("scandaroon", seats, deck, lambda cards: not isinstance(cards, int) and cards != SYMBOLS,
                 options, hands=[(scandaroon_table, "HAND", hand)], apart=["trump_cards"])  # fmt: skip


def scopinion(start: int, targets: int, mode: str = "base") -> Small:
    """Cheap targets are what the supply has most of."""
    old = next(iter(RULESETS["scopinion"].decks.values())).data.cards
    cards = [
        PrintedCard(f"{colour[0]}{value}-{number}", "start", value, colour)
        for colour in ("green", "blue")
        for number, value in enumerate((4, 1, 2, 4, 0, 3)[:start])
    ]
    for number in range(20):
        kind = "target" if number % 6 < targets else "central"
        group = "A" if kind == "target" else None
        value = number % 3 + 1
        cards.append(PrintedCard(f"{kind[0]}{value}-{number}", kind, value, group=group))
    cards += [card for card in old if card.group in ("B", "C")]
    middle = {card.id for card in cards if card.kind != "start" and card.group in (None, "A")}
    below = {card.id for card in cards if card.group == "B"}
    whole = (middle, below)
    return Small(
        "scopinion", 2, {"cards": tuple(cards)}, lambda cards: not isinstance(cards, int) and set(cards) not in whole,
        {"mode": mode}, apart=["supply", "targets", "removed", "removed_targets"],
    )  # fmt: skip


def scout(seats: int, hand: int) -> Small:
    """Six cards; only the first round can be counted. In the game for two, two cards lie aside."""
    numbers = [(1, 2), (2, 4), (3, 5), (1, 3), (2, 3), (4, 5), (1, 4), (3, 4), (2, 5), (1, 5)][:6]
    printed = tuple([scout_rules.PrintedCard(each, (seats,)) for each in sorted(numbers)])
    hands = [(scout_rules.HAND, seats, hand), (scout_rules, "HAND_FOR_TWO", 2)]
    return Small("scout", seats, {"cards": printed}, lambda asked: asked in (1, 2) or not isinstance(asked, int),
                 hands=hands, longest=8)  # fmt: skip


SMALL: dict[str, Small] = {
    "skyjo": Small("skyjo", 2, {"numbers": {"0": 25, "3": 2, "7": 1}}, open_moves=True),
    "skyjo_action": Small(
        "skyjo_action",
        2,
        {"numbers": {"0": 26, "3": 2}, "stars": 0, "actions": {"remove_one_each": 6, "look_line": 1}},
        open_moves=True,
    ),
    "scandaroon": scandaroon("S2b S3a S5 M2b T2b T3a X1 X2b", tied_last_bonus="none"),
    "scopinion": scopinion(4, 3),
    "scopinion_start_set_of_two": scopinion(2, 3),
    "scout": scout(3, 2),
    "scout_for_two": scout(2, 3),
}


# --- the law: by the seeds of games, the number of moves and the viewer -----------------------------------------------

Position = tuple[int, int, int]

POSITIONS: dict[str, Sequence[Position]] = {
    "skyjo": [(1, 14, 1), (2, 24, 0)],
    "skyjo_action": [(288, 60, 1), (140, 30, 0)],
    "scandaroon": [(299, 18, 2), (1, 14, 1), (418, 16, 2)],
    "scopinion": [(14, 8, 0), (0, 16, 1), (32, 8, 1), (10, 12, 0)],
    "scopinion_start_set_of_two": [(3, 10, 0), (3, 10, 1)],  # the deck is empty after the first hands
    "scout": [(0, 4, 2), (1, 4, 0)],
    "scout_for_two": [(30, 6, 0), (8, 5, 0)],
}
"""Among them: cards that left a hand after a second shuffle, cards removed unseen, three shuffles, secured targets."""
WORLDS = 1000


@cache
def counted(name: str, position: Position) -> tuple[list[Any], dict[Hidden, float]]:
    """What the seat has seen of the game, and all worlds with their shares."""
    small, (seed, moves, seat) = SMALL[name], position
    with small.opened() as (rules, initial):
        played = small.played(rules, initial, seed, moves)
        shares = every_world(rules, initial, played, seat, small.dealt, small.apart, small.open_moves)
        return seen_by(rules, [event for append in played for event in append.events], seat), shares


def found(name: str, position: Position, worlds: int = WORLDS, chance: Callable[[int], Any] = Lots) -> Deviation:
    """How far the worlds are from what they should be."""
    small, (seen, shares), seat = SMALL[name], counted(name, position), position[2]
    with small.opened() as (rules, initial):
        imagined = [rules.imagine(initial, seen, seat, chance(world)) for world in range(worlds)]
    return deviation(shares, [tuple(concealed(tuple(history), tuple(seen), small.apart)) for history in imagined])


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "scout" else pytest.mark.checked) for name in SMALL]
)
def test_every_world_is_as_likely_as_its_shuffles(name: str, everything: bool):
    """Law 4, in the middle of games."""
    for position in POSITIONS[name] if everything else POSITIONS[name][:1]:
        worst = found(name, position)
        assert worst.compared > 1, "nothing is hidden"
        assert worst.ratio < 1, f"{name}, position {position}: {worst}"


@pytest.mark.by_default()
@pytest.mark.parametrize("name", SMALL)
def test_every_world_is_as_likely_as_its_shuffles_wherever_dice_lead(name: str):
    """Law 4, in positions with few enough worlds to count them."""
    small, dice, tried = SMALL[name], Random(7), 0
    while tried < 30:
        position = dice.randrange(10_000), dice.randrange(1, small.longest), dice.randrange(small.seats)
        try:
            worst = found(name, position, 500)
        except TooMany:
            continue
        tried += worst.compared > 1
        assert worst.ratio < 1, f"{name}, position {position}: {worst}"


# --- cards that go through several shuffles unseen --------------------------------------------------------------------

Input = int | tuple[int, int]
"""A face, or a place of an earlier shuffle by its number."""


class Pile(NamedTuple):
    """One of several shuffles."""

    went_in: list[Input]
    seen: dict[int, int]
    """Faces by place."""


def piles(dice: Random, many: int) -> list[Pile]:
    """So many shuffles; cards that were not seen go into the next ones, with some that were."""
    found: list[Pile] = []
    came_out: list[list[int]] = []
    loose: list[Input] = [dice.randrange(3) for _ in range(6 - many // 2)]
    for number in range(many):
        went_in = dice.sample(loose, min(len(loose), 6 - many // 2))
        loose = [card for card in loose if card not in went_in]
        order = dice.sample([card if isinstance(card, int) else came_out[card[0]][card[1]] for card in went_in],
                            len(went_in))  # fmt: skip
        seen = {place: face for place, face in enumerate(order) if dice.random() < 0.4}
        found.append(Pile(went_in, seen))
        came_out.append(order)
        loose += [seen.get(place, (number, place)) for place in range(len(order))]
        loose += [dice.randrange(3)] * (not seen)
    return found


def ways_of(shuffled: Sequence[Pile]) -> dict[Hidden, float]:
    """All orders of all shuffles in which the same faces are seen: those of the other places, with their shares."""
    ways: list[list[list[int]]] = [[]]
    for went_in, seen in shuffled:
        more = []
        for before in ways:
            cards = [card if isinstance(card, int) else before[card[0]][card[1]] for card in went_in]
            more += [
                [*before, [*order]]
                for order in permutations(cards)
                if all(order[place] == face for place, face in seen.items())
            ]
        ways = more
    counted = Counter(
        [
            tuple([face for pile, order in zip(shuffled, way, strict=True)
                   for place, face in enumerate(order) if place not in pile.seen])
            for way in ways
        ]
    )  # fmt: skip
    return {hidden: count / counted.total() for hidden, count in counted.items()}


def settled(shuffled: Sequence[Pile], chance: Lots) -> Hidden:
    shuffles = Shuffles[int]()
    places: list[tuple[Covered[int], ...]] = []
    for went_in, seen in shuffled:
        places.append(
            shuffles.shuffle([
                card if isinstance(card, int) else places[card[0]][card[1]] for card in went_in
            ])
        )  # fmt: skip
        for place, face in seen.items():
            places[-1][place].face = face
    shuffles.settle(chance)
    return tuple([card.face for pile, order in zip(shuffled, places, strict=True)
                  for place, card in enumerate(order) if place not in pile.seen])  # fmt: skip


CHAINS = [
    [Pile([1, 1, 2, 3], {}), Pile([(0, 1), (0, 2), 1], {0: 1})],
    [Pile([1, 1, 2, 3], {}), Pile([(0, 1), (0, 2), 1], {0: 1}), Pile([(1, 1), (1, 2), 1], {0: 1})],
    [Pile([1, 1, 1, 2, 3], {}), Pile([(0, 1), (0, 2), 1], {0: 1}), Pile([(1, 1), (0, 3), 1], {0: 1, 1: 1})],
    [Pile([1, 1, 2, 2, 3], {0: 1}), Pile([(0, 1), (0, 2), 1], {0: 1, 1: 2}), Pile([(1, 2), (0, 3), 1], {0: 1})],
]
"""In them a card that was seen can have come by several ways."""


def deviating(shuffled: Sequence[Pile], worlds: int) -> float:
    return deviation(ways_of(shuffled), [settled(shuffled, Lots(world)) for world in range(worlds)]).ratio


@pytest.mark.parametrize("chain", [0, *[pytest.param(chain, marks=pytest.mark.checked) for chain in (1, 2, 3)]])
def test_cards_that_go_on_unseen_are_as_likely_as_they_should_be(chain: int):
    assert deviating(CHAINS[chain], 4000) < 1


@pytest.mark.parametrize("many", [1, 2, 3])
def test_any_shuffles_are_as_likely_as_they_should_be(many: int, everything: bool):
    for seed in range(200 if everything else 4 - many):
        assert deviating(piles(Random(seed), many), 800) < 1, f"seed {seed}"


# --- the laws bite ----------------------------------------------------------------------------------------------------


class Lazy(Lots):
    """Leaves the cards as they are, one time in five."""

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        return super().shuffled(items) if self.below(5) else tuple(items)


@pytest.mark.checked
@pytest.mark.parametrize("name", RULESETS)
def test_cards_that_are_not_shuffled_are_caught(name: str):
    assert found(name, POSITIONS[name][0], chance=lambda world: Lazy(Lots(world).below(10**9))).ratio > 1


@pytest.mark.checked
def test_places_that_are_not_weighed_are_caught(monkeypatch: pytest.MonkeyPatch):
    """As if every shuffle that a card can have come out of were equally likely."""
    monkeypatch.setattr(Eras, "ways", lambda *_: 1)
    assert found("scandaroon", POSITIONS["scandaroon"][0]).ratio > 1


@pytest.mark.checked
def test_the_same_place_for_all_cards_is_caught(monkeypatch: pytest.MonkeyPatch):
    """As if a card always left the first place that it can have left."""
    module = sys.modules["domain.rulesets.scopinion.imagine"]
    monkeypatch.setattr(module, "alike", lambda hand: [(hand.index(kind), 1) for kind in dict.fromkeys(hand)])
    assert found("scopinion", POSITIONS["scopinion"][0]).ratio > 1


@pytest.mark.checked
def test_cards_that_are_not_followed_are_caught(monkeypatch: pytest.MonkeyPatch):
    """As if no card that was seen had gone on unseen, if that is possible."""
    real = imagining.splits_of
    monkeypatch.setattr(imagining, "splits_of", lambda *split: [min(real(*split), key=lambda way: sum(way[0]))])
    assert all(deviating(chain, 2000) > 1 for chain in CHAINS)


@pytest.mark.checked
def test_ways_that_are_not_weighed_are_caught(monkeypatch: pytest.MonkeyPatch):
    """As if a card that was seen had come as often by each of the ways."""
    real = imagining.splits_of
    monkeypatch.setattr(imagining, "splits_of", lambda *split: [(more, 1) for more, _ in real(*split)])
    assert any(deviating(chain, 4000) > 1 for chain in CHAINS)


@pytest.mark.parametrize("seats", [3, 4])
def test_worlds_are_imagined_with_the_fewest_cards(seats: int):
    """In Scandaroon all cards are reshuffled then, and hardly any choice of an earlier hand fits."""
    rules = RULESETS["scandaroon"]
    faces = next(iter(rules.decks.values())).data.cards[: 6 * seats]
    initial = rules.initial(
        seats, rules.options(), rules.deck(replace(rules.decks["reconstruction-1"].data, cards=faces))
    )
    for seed in range(10):
        events = [event for append in appends(rules, initial, seed, ["careful/1"] * seats) for event in append.events]
        seen = seen_by(rules, events, seed % seats)
        inverse(rules, rules.imagine(initial, seen, seed % seats, Lots(seed)), seen, seed % seats)


@pytest.mark.parametrize(
    ("name", "position"),
    [("scout", (343, 8, 1)), ("scout_for_two", (409, 16, 1)), ("scout_for_two", (637, 16, 0))],
    ids=["owes_a_show", "was_stuck", "is_not_stuck"],
)
def test_an_imagined_hand_can_show_what_the_rules_demand_of_it(name: str, position: Position):
    small, (seed, moves, seat) = SMALL[name], position
    with small.opened() as (rules, initial):
        played = small.played(rules, initial, seed, moves)
        seen = seen_by(rules, [event for append in played for event in append.events], seat)
        for world in range(20):
            possible(rules, initial, rules.imagine(initial, seen, seat, Lots(world)), played)
