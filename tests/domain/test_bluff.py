"""The chapter about games with bluff: its code imagines every history that fits as often as it should."""

from collections import Counter
from itertools import permutations
from typing import Any, cast

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.cards import put
from domain.imagining import Contradiction, NothingImagined, drawn_again
from domain.messages import Event, Open, Value
from domain.ruleset import Seat
from stammtisch.testing.imagined import Lots
from tests.docs.pages import DOCS, blocks, section
from tests.kit.enumerated import deviation

CARDS = ("ambassador", "ambassador", "banker", "banker", "captain", "captain")


class Dealt(Event):
    hands: tuple[tuple[str | None, ...], ...]
    pile: tuple[str | None, ...]


class Exchanged(Event):
    """The hand was mixed with the pile."""

    seat: Seat
    hand: tuple[str | None, ...]
    pile: tuple[str | None, ...]


class Shown(Value):
    place: int
    card: str


class Challenged(Open):
    seat: Seat
    claimed: str
    shown: Any = UNSET
    """UNSET: the seat had no such card."""


class State(Value):
    cards: tuple[str, ...] = CARDS
    hands: tuple[tuple[Any, ...], ...] = ()
    pile: tuple[Any, ...] = ()


def evolve(state: State, event: Event) -> State:
    match event:
        case Dealt(hands, pile):
            return replace(state, hands=hands, pile=pile)
        case Exchanged(seat, hand, pile):
            return replace(state, hands=put(state.hands, seat, hand), pile=pile)
    return state


OWN = ("ambassador", "banker")
HIDDEN = (None, None)
SEEN = (
    Dealt((OWN, HIDDEN), HIDDEN),
    Challenged(1, "captain"),
    Exchanged(1, HIDDEN, HIDDEN),
    Challenged(1, "ambassador", Shown(0, "ambassador")),
    Challenged(1, "banker"),
)


def of_page() -> dict[str, Any]:
    """What the chapter defines, for the events above."""
    (code,) = blocks(section((DOCS / "adding-a-ruleset.md").read_text(), "Games with bluff"), "python")
    found: dict[str, Any] = {
        "Dealt": Dealt, "Exchanged": Exchanged, "Challenged": Challenged, "Shown": Shown, "evolve": evolve,
    }  # fmt: skip
    exec(code, found)
    return found


def hidden(history: Any) -> tuple[Any, ...]:
    dealt, _, exchanged, *_ = history
    return dealt.hands[1], dealt.pile, exchanged.hand, exchanged.pile


def every_history() -> Counter[Any]:
    """All orders of the deck and of the exchange that agree with what seat 0 has seen."""
    found: Counter[Any] = Counter()
    for order in permutations(range(6)):
        faces = [CARDS[number] for number in order]
        hand, pile = tuple(faces[2:4]), tuple(faces[4:])
        if tuple(faces[:2]) != OWN or "captain" in hand:
            continue
        for mixed in permutations((*hand, *pile)):
            if mixed[0] == "ambassador" and "banker" not in mixed[:2]:
                found[hand, pile, mixed[:2], mixed[2:]] += 1
    return found


@pytest.mark.checked
@pytest.mark.slow
def test_every_history_of_a_game_with_bluff_is_imagined_as_often_as_it_should() -> None:
    imagine, counted = of_page()["imagine"], every_history()
    shares = {history: many / counted.total() for history, many in counted.items()}
    worlds = [hidden(imagine(State(), SEEN, 0, Lots(seed))) for seed in range(2000)]
    assert deviation(shares, worlds).ratio < 1
    without = [
        hidden(of_page()["followed"](State(), SEEN, of_page()["follow"], evolve, Lots(seed), 1)) for seed in range(99)
    ]
    assert any(world not in shares for world in without), "the evidence matters"


def test_an_imagined_history_looks_as_what_was_seen() -> None:
    imagine = of_page()["imagine"]
    for seed in range(20):
        dealt, *_, exchanged, _, _ = imagine(State(), SEEN, 0, Lots(seed))
        assert dealt.hands[0] == OWN
        assert sorted([*OWN, *dealt.hands[1], *dealt.pile]) == sorted(CARDS)
        assert sorted([*exchanged.hand, *exchanged.pile]) == sorted([*dealt.hands[1], *dealt.pile])


def test_evidence_that_nothing_agrees_with_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.imagining.TRIES", 50)
    nobody = (*SEEN[:1], *(Challenged(1, card) for card in dict.fromkeys(CARDS)))
    with pytest.raises(NothingImagined):
        of_page()["imagine"](State(), nobody, 0, Lots(1))
    left = [Contradiction(), Contradiction(), "drawn"]

    def draw() -> str:
        if isinstance(found := left.pop(0), Exception):
            raise found
        return cast("str", found)

    assert drawn_again(draw) == "drawn"
