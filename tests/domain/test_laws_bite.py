"""Each law catches a ruleset with a planted fault: a law that cannot fail proves nothing.

A fault replaces one function in the record of one ruleset.
"""

import dataclasses
from collections.abc import Callable
from functools import cache
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import game as aggregate
from domain.codec import canonical
from domain.fairness import chain
from domain.game import consequences, log
from domain.ruleset import Tally
from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo.rules import (
    Dealt,
    Draw,
    Drawn,
    Flip,
    Options,
    Restocked,
    RoundScored,
    State,
    Swap,
    Swapped,
    Taken,
    Toss,
    Tossed,
    TurnBegan,
    Won,
)
from stammtisch.testing import laws
from stammtisch.testing.playing import Play, Rules, Table

pytestmark = pytest.mark.slow

Law = Callable[[Rules, Table], None]

TABLE = Table(seats=3, options=Options(target_points=1), seed=0, moves=150, strangers=(Flip(3), Draw(), Toss()))
SEEDS = range(8)
TOP_OF_THE_STOCK = (0, -1, 5)  # exchanged with a face-down card of seat 0
DEEP_IN_THE_STOCK = (0, -3, 5)


def of_play(law: Callable[[Play], None]) -> Law:
    def check(rules: Rules, table: Table) -> None:
        law(Play(rules, table))

    check.__name__ = law.__name__
    return check


def first_moves_only(law: Law) -> Law:
    """A limit, so that an endless game is found quickly."""

    def check(rules: Rules, table: Table) -> None:
        enough, laws.ENOUGH = laws.ENOUGH, 500
        try:
            law(rules, table)
        finally:
            laws.ENOUGH = enough

    return check


def caught(law: Law, rules: Rules, table: Table) -> bool:
    for seed in SEEDS:
        try:
            law(rules, table._replace(seed=seed))
        except AssertionError:
            return True
    return False


# --- faults -------------------------------------------------------------------------------------------------------

rolls = count()


def evolve_counts_calls(state: State, event: Any) -> State:
    """The state depends on something other than the events."""
    after = SKYJO.evolve(state, event)
    return replace(after, round=next(rolls)) if isinstance(event, Dealt) else after


DICE = Random(1)
"""Not seeded anew for each play, so it is no part of the play, but every run of the tests throws the same."""


def decide_throws_dice(state: State, seat: int, move: Any) -> list[Any]:
    """Randomness that does not come from the dealer."""
    events = SKYJO.decide(state, seat, move)
    return [Drawn(seat, DICE.choice(state.draw))] if isinstance(events[0], Drawn) else events


def evolve_peeks(state: State, event: Any) -> State:
    """A consequence of hidden cards, computed in `evolve`, where a view cannot compute it."""
    after = SKYJO.evolve(state, event)
    if isinstance(event, Dealt):
        return replace(after, starter=max(range(3), key=lambda seat: sum(card or 0 for card in event.layouts[seat])))
    return after


def evolve_invents_a_face(state: State, event: Any) -> State:
    """A view shows something that looks like a card instead of a hidden card."""
    after = SKYJO.evolve(state, event)
    return replace(after, held=0) if isinstance(event, Drawn) and event.card is None else after


def legal_peeks_at_the_stock(state: State, seat: int) -> list[Any]:
    """Legal moves depend on a hidden card."""
    moves = SKYJO.legal(state, seat)
    return [move for move in moves if not (isinstance(move, Draw) and state.draw and (state.draw[-1] or 0) > 3)]


def to_act_peeks(state: State) -> tuple[int, ...]:
    """Whose turn it is depends on a hidden card."""
    return () if state.phase == "place" and state.held is None else tuple(SKYJO.to_act(state))


def to_act_forgets_a_seat(state: State) -> tuple[int, ...]:
    return tuple(SKYJO.to_act(state))[:1]


def redact_changes_a_face(event: Any, viewer: Any) -> Any:
    return replace(event, out=event.card) if isinstance(event, Swapped) and viewer != 0 else SKYJO.redact(event, viewer)


def redact_drops_a_card(event: Any, viewer: Any) -> Any:
    shown: Any = SKYJO.redact(event, viewer)
    return replace(shown, draw=shown.draw[1:]) if isinstance(shown, Dealt) else shown


def redact_replaces_the_event(event: Any, viewer: Any) -> Any:
    return TurnBegan(event.seat) if isinstance(event, Drawn) and event.seat != viewer else event


def redact_favours_bystanders(event: Any, viewer: Any) -> Any:
    return event if viewer is None else SKYJO.redact(event, viewer)


def redact_hides_more_the_second_time(event: Any, viewer: Any) -> Any:
    shown: Any = SKYJO.redact(event, viewer)
    if isinstance(event, Dealt) and viewer is not None and event.draw[0] is None:
        return replace(shown, layouts=shown.layouts[:1])
    return shown


def redact_copies(event: Any, viewer: Any) -> Any:
    return replace(event) if isinstance(event, TurnBegan) else SKYJO.redact(event, viewer)


def redact_forgets_the_stock(event: Any, viewer: Any) -> Any:
    shown: Any = SKYJO.redact(event, viewer)
    return replace(shown, draw=event.draw) if isinstance(event, Dealt | Restocked) else shown


def redact_shows_the_drawn_card_to_all(event: Any, viewer: Any) -> Any:
    return event if isinstance(event, Drawn) else SKYJO.redact(event, viewer)


def redact_shows_the_drawn_card_to_all_seats(event: Any, viewer: Any) -> Any:
    return event if isinstance(event, Drawn) and viewer is not None else SKYJO.redact(event, viewer)


def redact_shows_the_drawn_card_to_the_next_seat(event: Any, viewer: Any) -> Any:
    if isinstance(event, Drawn) and viewer == (event.seat + 1) % 3:
        return event
    return SKYJO.redact(event, viewer)


def decide_writes_a_list(state: State, seat: int, move: Any) -> list[Any]:
    """A list in a field of type tuple is decoded from JSON as a tuple."""
    events = SKYJO.decide(state, seat, move)
    return [replace(e, points=list(e.points)) if isinstance(e, RoundScored) else e for e in events]


def decide_stumbles(state: State, seat: int, move: Any) -> list[Any]:
    if isinstance(move, Swap) and state.phase != "place":
        raise KeyError(move.slot)
    return SKYJO.decide(state, seat, move)


def decide_explains(state: State, seat: int, move: Any) -> list[Any]:
    if move not in SKYJO.legal(state, seat):
        raise laws.Illegal(f"the top card is {state.draw[-1:]}")
    return SKYJO.decide(state, seat, move)


def legal_omits_a_move(state: State, seat: int) -> list[Any]:
    return [move for move in SKYJO.legal(state, seat) if not isinstance(move, Toss)]


def legal_invents_a_move(state: State, seat: int) -> list[Any]:
    moves = list(SKYJO.legal(state, seat))
    return [*moves, Toss()] if state.phase == "turn" and seat == state.turn else moves


def legal_repeats_a_move(state: State, seat: int) -> list[Any]:
    return 2 * list(SKYJO.legal(state, seat))


def evolve_loses_a_card(state: State, event: Any) -> State:
    after = SKYJO.evolve(state, event)
    return replace(after, discard=state.discard) if isinstance(event, Tossed) else after


def evolve_doubles_a_card(state: State, event: Any) -> State:
    after = SKYJO.evolve(state, event)
    return replace(after, discard=state.discard) if isinstance(event, Taken) else after


def deal_forgets_a_card(state: State, chance: Any) -> list[Any]:
    events: list[Any] = SKYJO.deal(state, chance)
    return [replace(e, draw=e.draw[1:]) if isinstance(e, Dealt) else e for e in events]


def decide_betrays_the_stock(state: State, seat: int, move: Any) -> list[Any]:
    """The turn continues after a toss only if the next hidden card is low."""
    events = SKYJO.decide(state, seat, move)
    if isinstance(events[0], Tossed) and state.draw and state.draw[-1] > 3:
        return [*events, TurnBegan((seat + 1) % 3)]
    return events


def decide_never_counts_points(state: State, seat: int, move: Any) -> list[Any]:
    """The game never ends."""
    return [event for event in SKYJO.decide(state, seat, move) if not isinstance(event, Won)]


def decide_gets_stuck(state: State, seat: int, move: Any) -> list[Any]:
    """No seat is to act, and the game is not over."""
    return [event for event in SKYJO.decide(state, seat, move) if not isinstance(event, TurnBegan)]


def deal_begins_with_something_else(state: State, chance: Any) -> list[Any]:
    events = SKYJO.deal(state, chance)
    return [TurnBegan(0), *events] if events else []


def deal_deals_twice(state: State, chance: Any) -> list[Any]:
    return [event for event in SKYJO.deal(state, chance) for _ in range(1 + isinstance(event, Dealt))]


def deal_interrupts_a_move(state: State, chance: Any) -> list[Any]:
    """While a seat holds a card."""
    return [Restocked(state.draw)] if state.phase == "place" else SKYJO.deal(state, chance)


def decide_deals(state: State, seat: int, move: Any) -> list[Any]:
    """Randomness outside of dealer steps."""
    events = SKYJO.decide(state, seat, move)
    if isinstance(events[0], Drawn):
        draw = tuple(Random(0).sample(state.draw, len(state.draw)))
        return [Restocked(draw), Drawn(seat, draw[-1])]
    return events


def legal_offers_what_is_refused(state: State, seat: int) -> list[Any]:
    moves = SKYJO.legal(state, seat)
    return [*moves, Flip(99)] if moves else []


def tally_peeks(state: State) -> Tally:
    return Tally(tuple(sum(slot.card or 0 for slot in layout if slot is not None) for layout in state.layouts))


def result_without_winners(state: State) -> Any:
    result = SKYJO.result(state)
    return None if result is None else replace(result, winners=())


def result_with_everybody_a_winner(state: State) -> Any:
    result = SKYJO.result(state)
    return None if result is None else replace(result, winners=tuple(range(len(result.scores))))


ONE_PLAY: dict[str, Law] = {law.__name__: of_play(law) for law in laws.OF_ONE_PLAY}

FAULTS: dict[str, tuple[Callable[..., Any], ...]] = {
    "playing": (legal_offers_what_is_refused,),
    "replay": (evolve_counts_calls, decide_throws_dice),
    "shadow": (evolve_peeks, evolve_invents_a_face, redact_drops_a_card),
    "legality": (legal_peeks_at_the_stock, to_act_peeks, to_act_forgets_a_seat),
    "redaction": (
        redact_changes_a_face, redact_drops_a_card, redact_replaces_the_event, redact_favours_bystanders,
        redact_hides_more_the_second_time, redact_copies,
    ),
    "secrecy": (redact_forgets_the_stock, redact_shows_the_drawn_card_to_all),
    "wire": (decide_writes_a_list,),
    "completeness": (
        decide_stumbles, decide_explains, legal_omits_a_move, legal_invents_a_move, legal_repeats_a_move,
    ),
    "conservation": (evolve_loses_a_card, evolve_doubles_a_card, deal_forgets_a_card),
    "tally": (tally_peeks,),
    "dealing": (deal_begins_with_something_else, deal_deals_twice, deal_interrupts_a_move, decide_deals),
}  # fmt: skip


def planted(fault: Callable[..., Any]) -> Rules:
    """The name of a fault starts with the name of the function that it replaces."""
    name = next(field.name for field in dataclasses.fields(SKYJO) if fault.__name__.startswith(field.name + "_"))
    return dataclasses.replace(SKYJO, **{name: fault})


@pytest.mark.parametrize("law", FAULTS)
def test_the_law_catches_its_faults(law: str):
    assert [fault.__name__ for fault in FAULTS[law] if not caught(ONE_PLAY[law], planted(fault), TABLE)] == []


def test_a_deal_that_does_not_follow_from_the_secret_is_found(monkeypatch: pytest.MonkeyPatch):
    """Each dealer step has its own stream of words."""
    several_rounds = TABLE._replace(seats=2, options=Options())
    assert not caught(ONE_PLAY["fairness"], SKYJO, several_rounds)
    always_the_first = aggregate.chance
    monkeypatch.setattr(consequences, "chance", lambda game, kind, _: always_the_first(game, kind, 0))
    assert caught(ONE_PLAY["fairness"], SKYJO, several_rounds)


def a_move_is_shown_to_the_next_seat(patch: pytest.MonkeyPatch) -> None:
    redacted = log.redacted

    def shown(rules: Rules, entry: Any, viewer: Any) -> Any:
        found = redacted(rules, entry, viewer)
        return replace(found, move=entry.move) if entry.by is not None and viewer == (entry.by + 1) % 3 else found

    patch.setattr(log, "redacted", shown)


def a_move_is_hidden_from_its_seat(patch: pytest.MonkeyPatch) -> None:
    redacted = log.redacted
    patch.setattr(log, "redacted", lambda *of: replace(redacted(*of), move=UNSET))


def the_public_hash_covers_the_move(patch: pytest.MonkeyPatch) -> None:
    hashed = log.hashed

    def covers(rules: Any, around: chain.Around, version: int, at: bytes, event: Any, move: Any) -> Any:
        _, full = hashed(rules, around, version, at, event, move)
        shown = canonical(aggregate.redact(rules, event, None))
        return chain.joined(around, version, at, shown, None if move is UNSET else canonical(move)), full

    patch.setattr(log, "hashed", covers)


@pytest.mark.parametrize(
    "fault",
    [a_move_is_shown_to_the_next_seat, a_move_is_hidden_from_its_seat, the_public_hash_covers_the_move],
    ids=lambda fault: fault.__name__,
)
def test_a_move_that_the_wrong_seats_learn_is_found(
    fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
):
    fault(monkeypatch)
    assert caught(ONE_PLAY["moves"], SKYJO, TABLE)


@cache
def faultless() -> list[Play]:
    return [Play(SKYJO, TABLE._replace(seed=seed)) for seed in SEEDS]


@pytest.mark.parametrize("law", laws.OF_ONE_PLAY, ids=lambda law: law.__name__)
def test_the_law_is_kept_without_a_fault(law: Callable[[Play], None]):
    for play in faultless():
        law(play)


def test_every_law_has_caught_a_fault():
    """The faults against fairness and moves are the aggregate's and the log's, above."""
    assert set(FAULTS) == set(ONE_PLAY) - {"fairness", "moves"}


# --- two worlds ---------------------------------------------------------------------------------------------------

LEAKS = [
    (redact_forgets_the_stock, DEEP_IN_THE_STOCK),
    (redact_shows_the_drawn_card_to_all, TOP_OF_THE_STOCK),
    (redact_shows_the_drawn_card_to_all_seats, TOP_OF_THE_STOCK),
    (legal_peeks_at_the_stock, TOP_OF_THE_STOCK),
    (decide_betrays_the_stock, DEEP_IN_THE_STOCK),
]


@pytest.mark.parametrize(("leak", "exchange"), LEAKS, ids=[f"{leak.__name__}{where}" for leak, where in LEAKS])
def test_two_worlds_show_the_leak(leak: Callable[..., Any], exchange: tuple[int, int, int]):
    """Law 8."""
    assert caught(laws.two_worlds, planted(leak), TABLE._replace(exchange=exchange))
    assert not caught(laws.two_worlds, SKYJO, TABLE._replace(exchange=exchange))


def test_two_worlds_take_one_wrong_seat_for_an_owner():
    """The reason for an example of every secret event: neither law 8 nor the laws of one play find this leak."""
    leak = planted(redact_shows_the_drawn_card_to_the_next_seat)
    assert not caught(laws.two_worlds, leak, TABLE._replace(exchange=TOP_OF_THE_STOCK))
    for seed in SEEDS:
        play = Play(leak, TABLE._replace(seed=seed))
        for law in laws.OF_ONE_PLAY:
            law(play)


# --- termination --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", [decide_never_counts_points, decide_gets_stuck, result_without_winners, result_with_everybody_a_winner]
)
def test_a_game_that_does_not_end_well_is_noticed(fault: Callable[..., Any]):
    """Law 9."""
    assert caught(first_moves_only(laws.termination), planted(fault), TABLE)
    assert not caught(first_moves_only(laws.termination), SKYJO, TABLE)
