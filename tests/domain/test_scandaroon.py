"""The rulebook of Scandaroon as sentences: those of `sentences/scandaroon.txt`, and what needs more than a table and
moves. Ids are those of `docs/rules/scandaroon.md`."""

import dataclasses
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.cards import put
from domain.fairness.chance import Dealer
from domain.rulesets.scandaroon import SCANDAROON
from domain.rulesets.scandaroon import table as structs
from domain.rulesets.scandaroon.deck import SYMBOLS
from domain.rulesets.scandaroon.play import victory_points
from domain.rulesets.scandaroon.table import (
    HandsDealt,
    Options,
    Pass,
    Play,
    Played,
    Prepared,
    Reshuffled,
    RoundScored,
    Shifted,
    State,
    Stone,
    StonePlayed,
    Swapped,
    TableCleared,
    TrumpChanged,
    TrumpFlipped,
    TrumpRevealed,
    TurnBegan,
    Use,
    Used,
)
from domain.rulesets.scandaroon.values import current_values, pile_totals, scores
from stammtisch.testing import laws, playing
from stammtisch.testing.playing import Table
from stammtisch.testing.spec import Given, InOrder, given
from tests.domain.scandaroon_notation import DECK, PRINTED, PROPERTIES, at, begin, deck_of, move, outcome, play
from tests.kit.random_play import random_play
from tests.kit.worked import Notation, Vector, each_sentence

ALL = (None, 0, 1, 2)
"""A bystander and the seats of a table of three."""


def start(seats: int = 3, **options: Any) -> Given:
    return given(SCANDAROON, SCANDAROON.initial(seats, Options(**options), DECK))


@each_sentence("scandaroon", "; ")
def test_the_rules_hold(case: Vector):
    Notation(begin, play, outcome, vars(structs), blindfolded, "; ", ", ").check(case)


def blindfolded(state: State, viewer: int | None) -> State:
    """The table as somebody sees it who has just come."""
    hands = tuple(hand if seat == viewer else (None,) * len(hand) for seat, hand in enumerate(state.hands))
    return replace(state, hands=hands, draw=(None,) * len(state.draw))


# --- the deck -----------------------------------------------------------------------------------------------------


def test_the_shipped_deck_is_what_the_rules_tell_of_the_printed_one():
    """SD-2, SD-5, SD-13."""
    faces = DECK.data.cards
    assert len(faces) == 51
    assert [face.id for face in faces if not face.symbols] == ["N5"]
    assert sum(len(face.symbols) == 2 for face in faces) == 6
    assert {face.base for face in faces} == set(range(8))
    assert [face.id for face in faces if face.end] == ["S6", "S7", "M6", "M7", "T6", "T7", "X6", "X7"]
    assert [face.id for face in faces if face.play_anywhere] == ["S0", "M0", "T0", "X0"]
    assert sum(face.effect is not None for face in faces) == sum(face.ability is not None for face in faces) == 15
    assert sum(face.base for face in faces) == 168
    assert Counter(symbol for face in faces for symbol in face.symbols) == dict.fromkeys(SYMBOLS, 14)
    kinds = Counter(face.ability.__struct_config__.tag for face in faces if face.ability is not None)
    assert kinds == {"remove": 3, "boost": 3, "set_trump": 4, "draw": 2, "move": 1, "swap": 1, "return": 1}


def test_the_shipped_deck_says_that_it_is_a_reconstruction():
    """SD-1, SD-15: the default, by its name and in its provenance."""
    assert list(SCANDAROON.decks) == ["reconstruction-1"]
    assert DECK.data.provenance.startswith("A reconstruction, not the printed cards")


def test_a_card_is_written_as_in_the_rules_document():
    """SD-6."""
    assert msgspec.to_builtins(DECK.faces["S2b"]) == {
        "id": "S2b", "base": 2, "symbols": ("scimitar",), "ability": None, "end": False, "play_anywhere": False,
        "effect": ({"direction": "left", "reach": 1, "amount": 2},),
    }  # fmt: skip


def test_another_deck_gives_the_symbols_other_outcomes():
    """SD-11: which symbol makes the stone do what stands in the deck."""
    other = dict(zip(SYMBOLS, ("exchange", "protect", "steal", "score_pile"), strict=True))
    game = at("h0: X5")
    game = game._replace(state=replace(game.state, deck=deck_of(PRINTED, stone=other)))
    game = game.when(0, move("stone hand X5 as cross_tile"))
    game.then(StonePlayed(0, "cross_tile", "score_pile", "X5"), TurnBegan(1))
    outcome(game, "piletotals 4 0 0; stone0 pile")


# --- seats and options --------------------------------------------------------------------------------------------


def test_everybody_has_a_stone():
    """SD-14, SD-5."""
    assert start(4).state.stones == ("ready",) * 4


# --- the deal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4])
def test_the_first_round_is_prepared_in_one_step(seats: int):
    """SD-28, SD-60, SD-72: the starter by lot, the trump cards, the cards; five cards one by one clockwise."""
    chance = InOrder(2)
    game = start(seats).dealt(chance)
    assert chance.asked == [seats, SYMBOLS, DECK.cards]
    top = DECK.cards[::-1]
    hands = tuple(top[(seat - 2) % seats : 5 * seats : seats] for seat in range(seats))
    game.then(Prepared(2, "cross_tile", SYMBOLS[:3], DECK.cards), HandsDealt(hands), TurnBegan(2))
    state = game.state
    assert (state.hands, state.draw, state.discard) == (hands, DECK.cards[: -5 * seats], ())
    assert (state.round, state.phase, state.turn, state.trump, state.trump_at_start) == (
        1, "turn", 2, "cross_tile", "cross_tile",
    )  # fmt: skip


def test_the_dealer_acts_in_deal_and_before_the_third_round_and_never_else():
    """SD-29, SD-61."""
    game = play(at("round=2; r0: S7; h0: S1; draw: M1; disc: T1"), "all pass")
    due = {}
    for phase in ("deal", "turn", "settle", "reshuffle", "over"):
        events = game._replace(state=replace(game.state, phase=phase)).dealt(InOrder()).events
        due[phase] = [type(event) for event in events or ()]
    assert {phase: events[0] for phase, events in due.items() if events} == {"deal": Prepared, "reshuffle": Reshuffled}


# --- abilities and stones -----------------------------------------------------------------------------------------

TABLE = "trump=none; passed: 2; r0: N5 S2b+1 M4a; r1: X5 T4a!2 ST2 M6; r2: T7"
"""Seat 0 has an ability; currently its row counts 7, 3 and 4, the other 5, 4, 2 and 6."""

FILTERS = [
    ({}, "0.1 0.2 1.0 1.2 1.3"),
    ({"rows": "own"}, "0.1 0.2"), ({"rows": "other"}, "1.0 1.2 1.3"), ({"rows": "any"}, "0.1 0.2 1.0 1.2 1.3"),
    ({"place": "last"}, "0.2 1.3"), ({"place": "first"}, "1.0"), ({"place": "last", "end": False}, "0.2"),
    ({"symbols": ["scimitar"]}, "0.1 1.2"), ({"symbols": ["turban", "crescent"]}, "0.2 1.2 1.3"),
    ({"end": True}, "1.3"), ({"end": False}, "0.1 0.2 1.0 1.2"),
    ({"max": 2}, "0.1 1.2"), ({"min": 5}, "1.0 1.3"), ({"min": 4, "max": 5}, "0.2 1.0"),
    ({"compare": "current", "max": 2}, "1.2"), ({"compare": "current", "min": 3, "max": 4}, "0.1 0.2"),
    ({"max": "self_base"}, "0.1 0.2 1.0 1.2"), ({"max": "self_current"}, "0.1 0.2 1.0 1.2 1.3"),
    ({"min": "self_base"}, "1.0 1.3"), ({"min": "self_current"}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("filter_", "admitted"), FILTERS, ids=str)
def test_a_filter_admits_cards_of_live_rows_that_are_unprotected_and_not_the_ability_card(filter_: Any, admitted: str):
    """SD-9, SD-39, SD-40, SD-4, SD-56, SD-91: and besides what it says; the effect of S2b counts for `self_current`."""
    game = at(TABLE, N5=PROPERTIES["ability"]("remove", target=filter_))
    assert (Use(0) in SCANDAROON.legal(game.state, 0)) == (admitted != "")
    if admitted:
        outcome(play(game, "0 use 0"), f"targets {admitted}")


def test_a_card_is_discarded_for_the_stone_and_one_of_its_symbols_is_chosen():
    """SD-48, SD-49."""
    game = at("h0: MX3 N5 S1; r0: ST2; r1: T5; draw: S2a")
    listed = {(m.card, m.position, m.symbol) for m in SCANDAROON.legal(game.state, 0) if isinstance(m, Stone)}
    unset = msgspec.UNSET
    assert listed == {
        ("MX3", unset, "crescent"), ("MX3", unset, "cross_tile"),
        *(("N5", unset, symbol) for symbol in SYMBOLS), (unset, 0, "turban"),
    }  # fmt: skip
    for wrong in (
        Stone("crescent"), Stone("crescent", card="MX3", position=0), Stone("turban", card="MX3", position=0),
        Stone("turban", card="MX3"), Stone("crescent", card="M5"), Stone("scimitar", position=1),
    ):  # fmt: skip
        game.when(0, wrong).illegal()


def test_there_are_four_rounds_and_one_reshuffle():
    """SD-19, SD-71, SD-68, SD-104."""
    game, phases = start().dealt(InOrder()), []
    for _ in range(4):
        game = play(game, "all pass")
        phases.append((game.state.round, game.state.phase))
        if game.state.phase == "reshuffle":
            game = game.dealt(InOrder())
    assert phases == [(2, "turn"), (3, "reshuffle"), (4, "turn"), (4, "over")]
    assert SCANDAROON.to_act(game.state) == ()


# --- who sees what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ALL)
def test_of_the_first_deal_everybody_sees_the_revealed_trump_and_no_card_of_the_pile(viewer: int | None):
    """SD-59, SD-20."""
    shown = start().dealt(InOrder()).shown(viewer)[0]
    assert shown == Prepared(0, "cross_tile", (None,) * 3, (None,) * 51)


@pytest.mark.parametrize("viewer", ALL)
def test_dealt_cards_are_seen_by_who_gets_them_only(viewer: int | None):
    """SD-59, SD-28."""
    event, shown = start().dealt(InOrder()).events[1], start().dealt(InOrder()).shown(viewer)[1]
    for seat, cards in enumerate(event.cards):
        assert shown.cards[seat] == (cards if seat == viewer else (None,) * 5)


# --- over random play ---------------------------------------------------------------------------------------------

TABLES = [(3, Options()), (4, Options()), (3, Options(None, "none", False)), (4, Options(tied_last_bonus="none"))]


@cache
def every_play() -> list[list[tuple[State, Any]]]:
    """Every event of some random games, each with the state before it; at last the end. Passing is rare, so that
    rounds get long."""
    played = []
    for seats, options in TABLES:
        for seed in range(3):
            steps = [*random_play(SCANDAROON, SCANDAROON.initial(seats, options, DECK), seed, 10**6, rare=Pass)]
            played.append([*((before, event) for before, event, _ in steps), (steps[-1][2], None)])
    return played


def every_state() -> Iterator[State]:
    for played in every_play():
        yield from (state for state, _ in played)


def test_exactly_one_seat_has_moves_and_passing_is_one_unless_something_is_pending():
    """SD-94, SD-95, SD-33."""
    for state in every_state():
        moves = [SCANDAROON.legal(state, seat) for seat in range(len(state.hands))]
        if state.phase == "turn":
            assert [seat for seat, listed in enumerate(moves) if listed] == [state.turn]
            listed = moves[state.turn or 0]
            assert (Pass() in listed) == (state.pending is None)
            assert len(listed) < 200
            assert len(listed) == len(set(listed))
        else:
            assert not any(moves)


def test_an_ability_or_a_stone_is_offered_exactly_when_it_can_be_completed():
    """SD-38, SD-54, SD-33, SD-95: looking at what there would be to choose."""
    for state in every_state():
        if state.phase != "turn" or state.pending is not None:
            continue
        seat, listed = state.turn or 0, SCANDAROON.legal(state, state.turn)
        for position, slot in enumerate(state.rows[seat]):
            if slot is not None and slot.protected_by is None and state.deck.faces[slot.card].ability is not None:
                assert (Use(position) in listed) == completed(state, Used(seat, position), seat)
        for stone in stones(state, seat):
            outcome_ = state.deck.stone[stone.symbol]
            card = stone.card if stone.card else state.rows[seat][stone.position].card
            event = StonePlayed(seat, stone.symbol, outcome_, card, stone.position)
            possible = outcome_ == "score_pile" or bool(SCANDAROON.legal(SCANDAROON.evolve(state, event), seat))
            if outcome_ == "exchange":
                possible = possible and bool(state.draw)
            assert (stone in listed) == (possible and state.stones[seat] == "ready"), stone


def completed(state: State, event: Used, seat: int) -> bool:
    """Something would come of it."""
    after = SCANDAROON.evolve(state, event)
    if after.phase == "turn":
        choices = SCANDAROON.legal(after, seat)
        return bool(choices)
    slot = state.rows[seat][event.position]
    assert slot is not None
    kind = state.deck.faces[slot.card].ability.__struct_config__.tag
    if kind == "draw":
        return bool(state.draw)
    reach = None if slot.card == "M2a" else 1
    lying = [position for position, each in enumerate(state.rows[seat]) if each is not None]
    own = lying.index(event.position)
    near = [*lying[:own][::-1][:reach], *lying[own + 1 :][:reach]]
    return any(state.rows[seat][position].protected_by is None for position in near)


def stones(state: State, seat: int) -> Iterator[Stone]:
    """Every well-formed discard for the stone."""
    for card in state.hands[seat]:
        assert card is not None
        yield from (Stone(symbol, card=card) for symbol in state.deck.faces[card].symbols or SYMBOLS)
    for position, slot in enumerate(state.rows[seat]):
        if slot is not None and slot.protected_by is None:
            symbols = state.deck.faces[slot.card].symbols or SYMBOLS
            yield from (Stone(symbol, position=position) for symbol in symbols)


def test_every_finished_turn_brings_the_round_nearer_to_its_end():
    """SD-96: cards in play and to come, then cards in hands, then seats that have not passed."""
    for played in every_play():
        turns = [state for state, event in played if isinstance(event, TurnBegan)]
        for before, after in pairwise(turns):
            if before.round == after.round and before.turn is not None and after.turn is not None:
                assert left(after) < left(before)


def left(state: State) -> tuple[int, int, int]:
    hands = sum(map(len, state.hands))
    lying = sum(slot is not None for row in state.rows for slot in row)
    return len(state.draw) + hands + lying, hands, state.passed.count(False)


def test_a_view_is_the_state_without_what_its_viewer_has_not_seen():
    """SD-97, SD-20: after every event; rows, piles, stones and the own hand are as they are."""
    for played in every_play()[::2]:
        first = played[0][0]
        views = dict.fromkeys((None, *range(len(first.hands))), first)
        for state, event in played:
            for viewer, view in views.items():
                hidden = {
                    "hands": view.hands,
                    "draw": view.draw,
                    "trump_cards": view.trump_cards,
                    "pending": view.pending,
                }
                assert replace(state, **hidden) == view
                assert not any(view.draw)
                for seat, (hand, seen) in enumerate(zip(state.hands, view.hands, strict=True)):
                    assert seen == hand if seat == viewer else not Counter(filter(None, seen)) - Counter(hand)
                    assert len(seen) == len(hand)
                assert viewer != state.turn or view.pending == state.pending
                if event is not None:
                    views[viewer] = SCANDAROON.evolve(view, SCANDAROON.redact(event, viewer))


def test_what_holds_from_event_to_event():
    """Slots keep their numbers for a round, and only a move shifts cards that it did not choose (SD-98, SD-21). What
    lies in the row of a seat that has passed stays there (SD-99, SD-56), a protected card in its row with its boost
    (SD-100). Each stone discards a card (SD-101). The piles grow and shrink where the rules say (SD-104), the trump
    changes by an ability or with a round only (SD-107). Points once got are never lost but those for the piles and the
    record (SD-105, SD-64). The scores of a round are those of its end (SD-62, SD-26)."""
    for (before, event), (after, _) in chain.from_iterable(map(pairwise, every_play())):
        rows = [*zip(before.rows, after.rows, strict=True)]
        if not isinstance(event, TableCleared):
            for old, new in rows:
                assert len(new) >= len(old)
                if not isinstance(event, Shifted | Swapped):
                    stays = zip(old, new, strict=False)
                    assert all(b is None or (a is not None and a.card == b.card) for a, b in stays)
        if not isinstance(event, RoundScored | TableCleared):
            assert all(new[: len(old)] == old for (old, new), passed in zip(rows, before.passed, strict=True) if passed)
        if isinstance(event, StonePlayed):
            assert after.discard[-1] == event.card
            assert after.stones[event.seat] != "ready"
        elif before.phase != "deal":
            ready = [stone == "ready" for stone in before.stones]
            assert [stone == "ready" for stone in after.stones] == ready
        assert len(after.draw) <= len(before.draw) or isinstance(event, Prepared | Reshuffled)
        assert len(after.discard) >= len(before.discard) or isinstance(event, Reshuffled)
        trumps = Prepared | TrumpChanged | TrumpRevealed | TrumpFlipped
        assert after.trump == before.trump or isinstance(event, trumps)
        assert all(b >= a for a, b in zip(before.rank_points, after.rank_points, strict=True))
        assert set(before.no_trump) <= set(after.no_trump)
        if not isinstance(event, RoundScored):
            for old, new in rows:
                assert {slot for slot in old if slot and slot.protected_by is not None} <= set(new)
            continue
        assert before.record is None or event.record.score >= before.record.score
        assert len(set(event.scores)) < len(event.scores) or sum(event.points) == 6
        assert event.scores == scores(before)
        leaders = {seat for seat, score in enumerate(event.scores) if score == max(event.scores)}
        assert {spot.row for spot in event.taken} >= {seat for seat in leaders if any(before.rows[seat])}
        totals = pile_totals(after)
        assert all(totals[seat] == max(totals) for seat in event.pile_first)


def test_what_holds_of_a_whole_game():
    """Each stone is used once (SD-101). No card lies behind an end card unless one was swapped or moved, with this
    deck, in which abilities take no card out of the midst but by these (SD-102, SD-35). With the floor no score is
    below zero (SD-103, SD-16). The trumps of the four rounds differ (SD-106, SD-73). A game ends after four rounds with
    a winner and at most nineteen points (SD-108, SD-96, SD-68)."""
    for played in every_play():
        used = Counter(event.seat for _, event in played if isinstance(event, StonePlayed))
        assert max(used.values(), default=0) <= 1
        shifted, at_start = False, {}
        for state, event in played:
            for row in state.rows if not shifted else ():
                cards = [slot.card for slot in row if slot is not None]
                assert not any(state.deck.faces[card].end for card in cards[:-1])
            shifted = (shifted or isinstance(event, Shifted | Swapped)) and not isinstance(event, TableCleared)
            if state.options.value_floor == 0:
                assert min(map(min, filter(None, current_values(state))), default=0) >= 0
                assert min(scores(state)) >= 0
            if state.phase == "turn":
                at_start[state.round] = state.trump_at_start
        assert len(set(at_start.values())) == len(at_start) == 4
        end = played[-1][0]
        assert (end.phase, len(end.rounds), end.totals) == ("over", 4, victory_points(end))
        assert 0 <= min(end.totals) <= max(end.totals) <= 19
        assert end.winners


# --- how many games there are -------------------------------------------------------------------------------------


PERFT: list[tuple[int, int, dict[str, Any], tuple[int, ...]]] = [
    (3, 0, {}, (11, 110, 940, 6576)),
    (3, 0, {"foreign_empty_row": False}, (9, 85, 723, 4988)),
    (3, 3, {}, (11, 59, 424, 2922)),
    (4, 2, {}, (10, 80, 576, 4342)),
]


@pytest.mark.parametrize(("seats", "laid", "options", "counts"), PERFT, ids=str)
def test_there_are_as_many_sequences_of_moves_as_ever(
    seats: int, laid: int, options: dict[str, Any], counts: tuple[int, ...]
):
    """Frozen: from a fixed deal, after that many cards of each seat."""
    state = start(seats, **options).dealt(Dealer(b"perft", "scandaroon", (), "prepared", 0)).state
    for _ in range(laid * seats):
        plays = [each for each in SCANDAROON.legal(state, state.turn) if isinstance(each, Play)]
        state = SCANDAROON.fold(state, SCANDAROON.decide(state, state.turn, plays[0]))
    assert tuple(given(SCANDAROON, state).sequences(depth) for depth in (1, 2, 3, 4)) == counts


# --- the laws bite ------------------------------------------------------------------------------------------------


def redact_shows_the_trump_cards(event: Any, viewer: Any) -> Any:
    """Those that are not revealed yet."""
    shown: Any = SCANDAROON.redact(event, viewer)
    return replace(shown, trump_cards=event.trump_cards) if isinstance(event, Prepared) else shown


def redact_shows_every_hand(event: Any, viewer: Any) -> Any:
    return event if isinstance(event, HandsDealt) else SCANDAROON.redact(event, viewer)


def evolve_remembers_a_card_that_was_laid(state: State, event: Any) -> State:
    """Of a hand that is known in part a back is taken away, instead of the card that everybody saw go."""
    after = SCANDAROON.evolve(state, event)
    if isinstance(event, Played) and None in (hand := state.hands[event.seat]) and event.card in hand:
        place = hand.index(None)
        return replace(after, hands=put(state.hands, event.seat, hand[:place] + hand[place + 1 :]))
    return after


def legal_peeks_at_the_pile(state: State, seat: int) -> list[Any]:
    """Nobody would exchange cards for an end card."""
    return [
        each
        for each in SCANDAROON.legal(state, seat)
        if not (isinstance(each, Stone) and state.draw and state.draw[-1] in ("S7", "M7", "T7", "X7"))
    ]


FAULTY = [
    ("secrecy", redact_shows_the_trump_cards),
    ("secrecy", redact_shows_every_hand),
    ("shadow", evolve_remembers_a_card_that_was_laid),
    ("legality", legal_peeks_at_the_pile),
]


@pytest.mark.parametrize(("law", "fault"), FAULTY, ids=[fault.__name__ for _, fault in FAULTY])
def test_the_laws_catch_faults_with_secrets_that_only_this_game_has(law: str, fault: Any):
    """SD-59: trump cards under the revealed one, hands that are known in part, a pile that nobody may peek at."""
    tables = [Table(3, Options(), seed) for seed in range(12)]
    faulty = dataclasses.replace(SCANDAROON, **{fault.__name__.split("_")[0]: fault})
    assert all(kept(law, SCANDAROON, table) for table in tables)
    assert not all(kept(law, faulty, table) for table in tables)


def kept(law: str, rules: playing.Rules, table: Table) -> bool:
    try:
        getattr(laws, law)(playing.Play(rules, table))
    except AssertionError:
        return False
    return True
