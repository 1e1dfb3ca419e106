"""The notation of tables, moves and outcomes in `docs/rules/skyjo_action.md`. What it does not understand it refuses.

Layouts are written as in Skyjo, `*` is a star. `draw` and `pile` (of action cards) list the next card first, `discard`
and `adiscard` the top card last; `row` are the open action cards, `-` a gap; `hand p:` lists action cards in the order
in which they came, `~` before a fresh one.
"""

import re
from collections.abc import Callable
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from domain.rulesets.skyjo_action import SKYJO_ACTION
from domain.rulesets.skyjo_action.table import (
    ACTIONS,
    STAR,
    ActionCard,
    Card,
    Layout,
    Line,
    Options,
    Pending,
    State,
    Swap,
)
from domain.rulesets.skyjo_grid import SLOTS, Slot
from stammtisch.testing.spec import Given, given
from tests.domain import skyjo_notation
from tests.domain.skyjo_notation import number

DECK = SKYJO_ACTION.decks["skyjo_action"]
UNWRITTEN = (Slot(1, up=False),) * SLOTS  # a seat that does not matter has face-down cards
SEAT = r"[0-7]"
KINDS = ("choose", "place", "flip", "pick", "look", "steal", "replay", "keep", "slot", "drop", "lines", "star")
"""Decisions."""


def card(word: str) -> Card:
    return STAR if word == "*" else number(word)


def cards(words: list[str]) -> tuple[Card, ...]:
    return () if words == ["none"] else tuple(map(card, some(words)))


def some(words: list[str]) -> list[str]:
    if not words:
        raise ValueError("neither cards nor `none`")
    return words


def layout(text: str) -> Layout:
    return skyjo_notation.layout(text, card)


def action(word: str) -> Any:
    if word not in ACTIONS:
        raise ValueError(f"no action card: {word!r}")
    return word


def actions(words: list[str]) -> tuple[Any, ...]:
    return () if words == ["none"] else tuple(map(action, some(words)))


def row(words: list[str]) -> tuple[Any, ...]:
    if len(words) != 4:
        raise ValueError(f"not four places: {words}")
    return tuple(None if word == "-" else action(word) for word in words)


def hand(text: str) -> tuple[ActionCard, ...]:
    words = some(text.split())
    if words == ["none"]:
        return ()
    return tuple(ActionCard(action(word.removeprefix("~")), fresh=word.startswith("~")) for word in words)


def options(text: str) -> dict[str, Any]:
    """`star_action=must`."""
    name, _, value = text.partition("=")
    fields = msgspec.convert({name: {"true": True, "false": False}.get(value, value)}, Options)
    return {name: getattr(fields, name)}


# --- moves --------------------------------------------------------------------------------------------------------

MOVES = {cls.__struct_config__.tag: cls for cls in get_args(SKYJO_ACTION.move)}


def move(text: str) -> Any:
    """`draw`, `swap 2`, `take_action pile`, `pick 1:4`, `look 1:c2`, `steal 1 defence`."""
    name, *words = text.replace(":", " ").split()
    if name not in MOVES or len(words) != len(MOVES[name].__struct_fields__):
        raise ValueError(f"no move: {text!r}")
    return MOVES[name](*map(argument, words))


def argument(word: str) -> Any:
    return word if word in (*ACTIONS, *get_args(Line), "pile") else number(word)


def moves(text: str) -> list[Any]:
    return [] if text == "none" else [move(part) for part in text.split(",")]


# --- tables -------------------------------------------------------------------------------------------------------


FIELDS: dict[str, tuple[str, Callable[[list[str]], Any]]] = {
    **{name: (name, skyjo_notation.one) for name in ("turn", "finisher", "starter")},
    "draw": ("draw", lambda words: cards(words)[::-1]),
    "discard": ("discard", cards),
    "totals": ("totals", skyjo_notation.numbers),
    "bonus": ("star_bonus", skyjo_notation.numbers),
    "row": ("open", row),
    "pile": ("action_pile", lambda words: actions(words)[::-1]),
    "adiscard": ("action_discard", actions),
}
"""Of the state, as tables and outcomes write them."""


def table(text: str) -> State:
    """`0: 5 (1) 2 * / ... | turn 0 | draw 5 8 | hand 0: ~defence`: the beginning of the only move of a turn.

    Two seats unless more are written.
    """
    layouts: dict[int, Layout] = {}
    hands: dict[int, Any] = {}
    chosen: dict[str, Any] = {}
    least = 2
    fields: dict[str, Any] = {"phase": "turn", "moves": 1, "discard": (0,), "draw": (0,)}
    for part in text.split(" | "):
        match part.split():
            case [name, *words] if name in FIELDS:
                field, read = FIELDS[name]
                fields[field] = read(words)
            case ["seats", seats]:
                least = number(seats)
            case ["phase", "setup" as phase]:
                fields |= {"phase": phase, "moves": 0}
            case ["hand", seat, *_] if re.fullmatch(f"{SEAT}:", seat) and int(seat[0]) not in hands:
                hands[int(seat[0])] = hand(part.partition(":")[2])
            case ["option", option]:
                chosen |= options(option)
            case [seat, *_] if re.fullmatch(f"{SEAT}:", seat) and int(seat[0]) not in layouts:
                layouts[int(seat[0])] = layout(part.removeprefix(seat))
            case _:
                raise ValueError(f"not understood: {part!r}")
    seats = range(max(least, *(seat + 1 for seat in (*layouts, *hands)), 2))
    start = SKYJO_ACTION.initial(len(seats), Options(**chosen), DECK)
    given_to = {"layouts": tuple(layouts.get(seat, UNWRITTEN) for seat in seats)}
    given_to["hands"] = tuple(hands.get(seat, ()) for seat in seats)
    if "turn" in fields and fields["phase"] == "turn":
        given_to["pending"] = Pending(fields["turn"], "choose")
    return replace(start, **given_to | {"action_pile": ("look_line",), "open": ("look_line",) * 4} | fields)


def begin(text: str) -> Given:
    return given(SKYJO_ACTION, table(text))


def dealt(game: Given) -> Given:
    """The dealer has restocked what had to be restocked, but has not dealt another round. Until then no move is legal
    (SA-20)."""
    if game.state.owed is None:
        return game
    assert not any(SKYJO_ACTION.legal(game.state, seat) for seat in range(len(game.state.hands)))
    return game.restocked()


def play(game: Given, text: str) -> Given:
    """The game after `0 draw; 0 swap 2`; `reveal` is the last turn of the final lap."""
    for part in text.split("; "):
        if part == "reveal":
            game = last_turn(game.state)
            continue
        seat, _, rest = part.partition(" ")
        game = game.when(number(seat), move(rest))
        assert game.events is not None, f"refused: {part}"
        game = dealt(game)
    return game


def last_turn(state: State) -> Given:
    """The end of the last turn of the final lap: that seat lays a card onto an open one like it, so nothing changes."""
    assert state.finisher is not None
    seat = (state.finisher - 1) % len(state.layouts)
    place, held = next((i, slot.card) for i, slot in enumerate(state.layouts[seat]) if slot and slot.up)
    assert held != STAR
    placing = replace(
        state, phase="turn", turn=seat, moves=1, pending=Pending(seat, "place"), held=held, held_from="discard"
    )
    return given(SKYJO_ACTION, placing).when(seat, Swap(place))


# --- outcomes -----------------------------------------------------------------------------------------------------


def outcome(game: Given, text: str) -> None:
    """Check everything that is written after `=>`."""
    for part in text.split(" | "):
        check(game, part)


def check(game: Given, part: str) -> None:
    state: State = game.state
    match part.split():
        case ["finisher", "none"]:
            assert state.finisher is None
        case [name, *words] if name in FIELDS:
            field, read = FIELDS[name]
            assert getattr(state, field) == read(words)
        case ["hand", seat, *_] if re.fullmatch(f"{SEAT}:", seat):
            assert state.hands[int(seat[0])] == hand(part.partition(":")[2])
        case ["points", *words]:
            assert state.rounds[-1:] == (skyjo_notation.numbers(words),)
        case ["winners", *seats]:
            assert state.winners == skyjo_notation.numbers(seats)
        case ["moves", value]:
            assert state.moves == number(value)
        case ["phase", "deal" | "over" as phase]:
            assert state.phase == phase
        case ["decide", seat, kind] if kind in KINDS:
            assert SKYJO_ACTION.to_act(state) == (number(seat),)
            assert [bool(SKYJO_ACTION.legal(state, each)) for each in range(len(state.hands))].count(True) == 1
            assert (state.pending and state.pending.kind, state.stars) == (kind, ()) or (kind == "star" and state.stars)
        case ["legal", seat, *_] if re.fullmatch(f"{SEAT}:", seat):
            game.legal(int(seat[0]), *moves(part.partition(": ")[2]))
        case ["allowed", seat, *_]:
            assert move(part.removeprefix(f"allowed {seat} ")) in SKYJO_ACTION.legal(state, number(seat))
        case ["illegal", seat, *_]:
            game.when(number(seat), move(part.removeprefix(f"illegal {seat} "))).illegal()
        case [seat, *_] if re.fullmatch(f"{SEAT}:", seat):
            assert state.layouts[int(seat[0])] == layout(part.removeprefix(seat))
        case _:
            raise ValueError(f"not understood: {part!r}")
