"""The notation of tables, moves and outcomes in `docs/rules/skyjo.md`. What it does not understand it refuses.

Layouts are written row by row, `/` between rows; `5` face up, `(5)` face down, `.` cleared. `draw` lists the next card
first, so it is read backwards here, where a pile's last card is its top.
"""

import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo.rules import COLUMNS, ROWS, SLOTS, Draw, Flip, Layout, Options, Slot, State, Swap, Take, Toss
from stammtisch.testing.spec import Given, given

MOVES: dict[str, Any] = {"draw": Draw, "take": Take, "toss": Toss, "flip": Flip, "swap": Swap}
UNWRITTEN = (Slot(1, up=False),) * SLOTS  # a seat that does not matter has face-down cards
DECK = next(iter(SKYJO.decks.values()))


def number(word: str) -> int:
    if not re.fullmatch(r"0|-?[1-9]\d*", word):
        raise ValueError(f"no number: {word!r}")
    return int(word)


def numbers(words: list[str]) -> tuple[int, ...]:
    """`none`, or at least one number."""
    if not words:
        raise ValueError("neither numbers nor `none`")
    return () if words == ["none"] else tuple(map(number, words))


def slot(word: str, card: Callable[[str], Any]) -> Slot[Any] | None:
    if word == ".":
        return None
    if word.startswith("(") and word.endswith(")"):
        return Slot(card(word[1:-1]), up=False)
    return Slot(card(word), up=True)


def layout(text: str, card: Callable[[str], Any] = number) -> tuple[Slot[Any] | None, ...]:
    """The slots column by column (SK-10), from the rows that are written."""
    rows = [[slot(word, card) for word in row.split()] for row in text.split("/")]
    if [len(row) for row in rows] != [COLUMNS] * ROWS:
        raise ValueError(f"no layout of {ROWS} rows and {COLUMNS} columns: {text!r}")
    return tuple(rows[place % ROWS][place // ROWS] for place in range(SLOTS))


def move(text: str) -> Any:
    """`draw`, `swap 2`."""
    name, *arguments = text.split()
    if name not in MOVES or len(arguments) != len(MOVES[name].__struct_fields__):
        raise ValueError(f"no move: {text!r}")
    return MOVES[name](*map(number, arguments))


def moves(text: str) -> list[Any]:
    return [] if text == "none" else [move(part) for part in text.split(",")]


def one(words: list[str]) -> int:
    (word,) = words
    return number(word)


FIELDS: dict[str, Callable[[list[str]], Any]] = {
    "turn": one, "finisher": one, "starter": one, "discard": numbers, "totals": numbers,
    "draw": lambda words: numbers(words)[::-1],
}  # fmt: skip
"""Of the state, as tables and outcomes write them."""


def table(text: str) -> State:
    """`0: 5 (1) 2 2 / ... | turn 0 | draw 5 8 | discard 9`. Two seats unless more are written; phase `turn`."""
    layouts: dict[int, Layout] = {}
    fields: dict[str, Any] = {"phase": "turn", "discard": (0,), "draw": (0,)}
    for part in text.split(" | "):
        name, *words = part.split()
        if name in FIELDS:
            fields[name] = FIELDS[name](words)
        elif part == "phase setup":
            fields["phase"] = "setup"
        elif part == "option double_only_positive=false":
            fields["options"] = Options(double_only_positive=False)
        elif re.fullmatch(r"\d:", name) and int(name[0]) not in layouts:
            layouts[int(name[0])] = layout(part.removeprefix(name))
        else:
            raise ValueError(f"not understood: {part!r}")
    seats = max([1, *layouts]) + 1
    start = SKYJO.initial(seats, fields.pop("options", Options()), DECK)
    return replace(start, layouts=tuple(layouts.get(seat, UNWRITTEN) for seat in range(seats)), **fields)


def last_turn(state: State) -> Given:
    """The end of the last turn of the final lap: that seat lays a card onto an open one like it, so nothing changes."""
    assert state.finisher is not None
    seat = (state.finisher - 1) % len(state.layouts)
    place, held = next((i, slot.card) for i, slot in enumerate(state.layouts[seat]) if slot and slot.up)
    placing = replace(state, phase="place", turn=seat, held=held, held_from="discard")
    return given(SKYJO, placing).when(seat, Swap(place))


def begin(text: str) -> Given:
    return given(SKYJO, table(text))


def play(game: Given, text: str) -> Given:
    """Make the moves, `reveal` for the last turn of the final lap; the dealer restocks where a draw needs it, but does
    not deal another round."""
    for part in text.split("; "):
        assert game.events is not None, f"refused before {part}"
        if part == "reveal":
            game = last_turn(game.state)
            continue
        seat, _, rest = part.partition(" ")
        game = game.when(number(seat), move(rest))
        if game.state.phase == "restock":
            game = game.restocked()
    return game


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
            assert getattr(state, name) == FIELDS[name](words)
        case ["points", *values]:
            assert state.rounds[-1:] == (numbers(values),)
        case ["winners", *seats]:
            assert state.winners == numbers(seats)
        case ["phase", "deal" | "over" as phase]:
            assert state.phase == phase
        case ["legal", seat, *_] if re.fullmatch(r"\d:", seat):
            game.legal(int(seat[0]), *moves(part.partition(": ")[2]))
        case ["illegal", seat, *_]:
            game.when(number(seat), move(part.removeprefix(f"illegal {seat} "))).illegal()
        case [seat, *_] if re.fullmatch(r"\d:", seat):
            assert state.layouts[int(seat[0])] == layout(part.removeprefix(seat))
        case _:
            raise ValueError(f"not understood: {part!r}")
