"""The notation of tables, moves and outcomes in `docs/rules/scandaroon.md`. What it does not understand it refuses.

`r0: S2b+1 - T4a!1` is the row of seat 0: a boost of 1, an empty slot, the action stone of seat 1. `draw:` and `trumps:`
list the top card first, `disc:` the top card last. Moves stand between commas, checks in the midst of them in brackets.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.deck import read
from domain.rulesets.scandaroon import SCANDAROON
from domain.rulesets.scandaroon.deck import SYMBOLS, ScandaroonDeck
from domain.rulesets.scandaroon.play import victory_points
from domain.rulesets.scandaroon.table import (
    Exchange,
    HighScore,
    Options,
    Pass,
    Place,
    Play,
    Row,
    SetTrump,
    Slot,
    State,
    Stone,
    Stop,
    Target,
    Use,
)
from domain.rulesets.scandaroon.values import current_values, final_values, occupied, pile_totals, scores
from stammtisch.testing.spec import Given, InOrder, given

DECK = SCANDAROON.decks["reconstruction-1"]


def additional(id_: str, base: int, **more: Any) -> dict[str, Any]:
    """A card that is a plain scimitar unless more is said."""
    plain = {"symbols": ["scimitar"], "effect": None, "ability": None, "end": False, "play_anywhere": False}
    return {"id": id_, "base": base, **plain, **more}


def effect(direction: str, reach: Any, amount: int) -> list[dict[str, Any]]:
    return [{"direction": direction, "reach": reach, "amount": amount}]


OTHER = {"rows": "other"}
ADDITIONAL = [
    additional("Z1", 1, effect=effect("left", "all", 1)),
    additional("Z2", 2, effect=effect("table", "all", -1)),
    additional("Z3", 3, end=True, play_anywhere=True),
    additional("Z4", 2, effect=effect("both", 1, 1), ability={"kind": "draw", "count": 1, "may_play": False}),
    additional("Z5", 1, effect=[*effect("both", "all", 2)]),
    additional("Z6", 1, symbols=["turban"], ability={"kind": "move", "target": {}, "to": "row_end"}),
    additional("Z7", 2, ability={"kind": "remove", "target": {**OTHER, "compare": "current", "max": 4}}),
    additional("Z8", 1, play_anywhere=True, ability={"kind": "remove", "target": {"max": 3}}),
    additional("Z9", 1, ability={"kind": "remove", "target": {**OTHER, "max": 3}, "count": 2}),
    additional("Z10", 1, symbols=["cross_tile"], ability={"kind": "return", "target": OTHER, "to": "owner"}),
    additional("Z11", 2, symbols=["crescent"], effect=effect("elsewhere", "all", -1)),
    additional("Z12", 1, symbols=["crescent"], ability={"kind": "boost", "amount": -2, "target": OTHER}),
]
ADDITIONAL[4]["effect"][0]["symbols"] = ["turban"]


def deck_of(cards: list[dict[str, Any]], **more: Any) -> ScandaroonDeck:
    """The shipped deck with other cards, or other fields."""
    data = msgspec.to_builtins(DECK.data) | {"name": "own", "cards": cards} | more
    made = read(ScandaroonDeck, "scandaroon", msgspec.json.encode(data))
    assert isinstance(made, ScandaroonDeck)
    return made


PRINTED: list[dict[str, Any]] = msgspec.to_builtins(DECK.data.cards)
LARGER = deck_of([*PRINTED, *ADDITIONAL])


# --- words --------------------------------------------------------------------------------------------------------


def number(word: str) -> int:
    if not re.fullmatch(r"0|-?[1-9]\d*", word):
        raise ValueError(f"no number: {word!r}")
    return int(word)


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(number, text.replace(",", " ").split()))


def card(word: str) -> str:
    if word not in LARGER.faces:
        raise ValueError(f"no card: {word!r}")
    return word


def cards(text: str) -> tuple[str, ...]:
    return () if text == "empty" else tuple(map(card, text.split()))


def row(text: str) -> Row:
    return tuple(None if word == "-" else slot(word) for word in text.split())


def slot(word: str) -> Slot:
    """`M5`, `M5+2`, `M5-2`, `M5!1`."""
    if not (found := re.fullmatch(r"(\w+)([+-][1-9])?(!\d)?", word)):
        raise ValueError(f"no card in a row: {word!r}")
    name, boost, stone = found.groups()
    return Slot(card(name), int(boost or 0), int(stone[1]) if stone else None)


def symbol(word: str) -> Any:
    if word not in SYMBOLS:
        raise ValueError(f"no symbol: {word!r}")
    return word


def trump(word: str) -> Any:
    return word if word == "none" else symbol(word)


def move(text: str) -> Any:
    """`play X0>1`, `target 1.0`, `stone row 1 as turban`."""
    match text.replace(">", " ").replace(".", " ").split(" "):
        case ["play", name, seat]:
            return Play(card(name), number(seat))
        case ["use", position]:
            return Use(number(position))
        case ["target", seat, position]:
            return Target(number(seat), number(position))
        case ["place", "row", seat]:
            return Place(row=number(seat))
        case ["place", position]:
            return Place(position=number(position))
        case ["set_trump", value]:
            return SetTrump(trump(value))
        case ["stone", "hand", name, "as", value]:
            return Stone(symbol(value), card=card(name))
        case ["stone", "row", position, "as", value]:
            return Stone(symbol(value), position=number(position))
        case ["exchange", name]:
            return Exchange(card(name))
        case ["stop"]:
            return Stop()
        case ["pass"]:
            return Pass()
    raise ValueError(f"no move: {text!r}")


# --- tables -------------------------------------------------------------------------------------------------------


FIELDS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "starter": ("starter", number),
    "turn": ("turn", number),
    "round": ("round", number),
    "trump": ("trump", trump),
    "trumps": ("trump_cards", lambda text: tuple(map(symbol, text.split()))[::-1]),
    "draw": ("draw", lambda text: cards(text)[::-1]),
    "disc": ("discard", cards),
    "rank": ("rank_points", numbers),
    "nt": ("no_trump", numbers),
    "first": ("pile_first", numbers),
    "second": ("pile_second", numbers),
    "winners": ("winners", numbers),
}
"""Of the state, as tables and outcomes write them."""


def table(text: str) -> State:
    """Three seats, round 1, starter 0, turn 0, trump scimitar, all else empty, unless it is written."""
    fields: dict[str, Any] = {"phase": "turn", "starter": 0, "turn": 0}
    fields |= {"trump": "scimitar", "trump_at_start": "scimitar", "trump_cards": SYMBOLS[::-1]}
    zones: dict[str, dict[int, Any]] = {"hands": {}, "rows": {}, "score_piles": {}, "stones": {}}
    options: dict[str, Any] = {}
    passed: tuple[int, ...] = ()
    seats, names = 3, []
    for part in text.split("; "):
        if not (found := re.fullmatch(r"([a-z_]+\d?|record \d+)(?:: |=)(\S.*)", part)):
            raise ValueError(f"not understood: {part!r}")
        name, value = found.groups()
        names.append(name)
        match name, value:
            case "n", "3" | "4":
                seats = int(value)
            case _ if name in FIELDS and name not in ("turn", "first", "second", "winners"):
                field, read_as = FIELDS[name]
                fields[field] = read_as(value)
            case "began", _:
                fields["trump_at_start"] = trump(value)
            case "passed", _:
                passed = numbers(value)
            case "stones", "ready" | "gone":
                zones["stones"] = dict.fromkeys(range(4), value)
            case "value_floor" | "tied_last_bonus" | "foreign_empty_row", _:
                options[name] = {"null": None, "false": False, "true": True}.get(value, value)
            case _ if name.startswith("record "):
                fields["record"] = HighScore(number(name[7:]), numbers(value))
            case _ if re.fullmatch(r"[rh]\d|(pile|stone)\d", name):
                kind, read_as = SEATED[name[:-1]]
                zones[kind][int(name[-1])] = read_as(value)
            case _:
                raise ValueError(f"not understood: {part!r}")
    seated = [seat for by_seat in zones.values() for seat in by_seat] if "stones" not in names else []
    if len(names) != len(set(names)) or any(seat >= seats for seat in (*seated, *passed)):
        raise ValueError(f"a name twice, or a seat too many: {text!r}")
    start = SCANDAROON.initial(seats, msgspec.convert(options, Options), LARGER)
    for lying in [each for seat_row in zones["rows"].values() for each in seat_row if each is not None]:
        if lying.protected_by is not None:
            zones["stones"][lying.protected_by] = "card"
    for name, by_seat in zones.items():
        fields[name] = tuple(by_seat.get(seat, empty) for seat, empty in enumerate(getattr(start, name)))
    return replace(start, passed=tuple(seat in passed for seat in range(seats)), **fields)


def stone_place(word: str) -> str:
    if word not in ("ready", "pile", "card", "gone"):
        raise ValueError(f"no place of a stone: {word!r}")
    return word


SEATED = {"r": ("rows", row), "h": ("hands", cards), "pile": ("score_piles", cards), "stone": ("stones", stone_place)}


def at(text: str, **cards: dict[str, Any]) -> Given:
    """The table, where the cards that are named have other faces: `N5={"ability": ...}`."""
    state = table(text)
    if cards:
        printed = msgspec.to_builtins(LARGER.data.cards)
        changed = [face | cards.get(face["id"], {}) for face in printed]
        state = replace(state, deck=deck_of(changed))
    return given(SCANDAROON, state)


def begin(text: str) -> Given:
    """The table; parts such as `N5~ability("draw", count=1)` give cards other properties."""
    parts = [part for part in text.split("; ") if part]
    faces = dict(part.split("~", 1) for part in parts if "~" in part)
    laid = [part for part in parts if "~" not in part]
    return at("; ".join(laid or ["n=3"]), **{name: eval(made, PROPERTIES) for name, made in faces.items()})


PROPERTIES = {
    "ability": lambda kind, **more: {"ability": {"kind": kind, **more}},
    "effect": lambda direction, reach, amount, **more: {
        "effect": [{"direction": direction, "reach": reach, "amount": amount, **more}]
    },
}


# --- what is done -------------------------------------------------------------------------------------------------


class Ordered:
    """The dealer who lays the cards as it was said, bottom first."""

    def __init__(self, order: Sequence[str]) -> None:
        self.order = tuple(order)

    def below(self, n: int) -> int:
        raise AssertionError(f"one of {n} is drawn by lot")

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        assert sorted(items) == sorted(self.order), items
        return self.order


def steps(text: str) -> Iterator[tuple[str, str]]:
    """The moves, each with the checks that stand behind it."""
    at_ = 0
    while at_ < len(text):
        found = re.compile(r"([^,\[\]]+?)(?: \[([^]]+)\])?(?:, |$)").match(text, at_)
        if not found:
            raise ValueError(f"not understood: {text[at_:]!r}")
        yield found[1], found[2] or ""
        at_ = found.end()


def play(game: Given, text: str) -> Given:
    """`0 use 0, 0 target 1.1 [r0 -], all pass, reshuffle S1 M1`; `-` for nothing."""
    for made, checks in () if text == "-" else steps(text):
        game = step(game, made)
        if checks:
            outcome(game, checks)
    return game


def step(game: Given, text: str) -> Given:
    if text == "all pass":
        now = game.state.round
        while game.state.phase == "turn" and game.state.round == now:
            game = game.when(game.state.turn, Pass())
        return game
    if text == "deal":
        return game.dealt(InOrder())
    if text.startswith("reshuffle"):
        return game.dealt(Ordered(cards(text.removeprefix("reshuffle"))[::-1]))
    seat, _, rest = text.partition(" ")
    return game.when(number(seat), move(rest))


# --- what comes of it ---------------------------------------------------------------------------------------------


def outcome(game: Given, text: str) -> None:
    """Check everything that is written, clause by clause."""
    assert game.events is not None, "the move was refused"
    for clause in text.split("; "):
        name, _, value = clause.partition(" ")
        if name.startswith("only"):
            game.legal(number(name[4:]), *map(move, value.split(", ") if value or name == "only0" else ()))
        elif name == "targets":
            listed = SCANDAROON.legal(game.state, game.state.turn)
            assert [f"{each.row}.{each.position}" for each in listed if isinstance(each, Target)] == value.split()
        elif name.startswith("legal"):
            seat = number(name[5:])
            listed = SCANDAROON.legal(game.state, seat)
            for each in value.split(", "):
                made, expected = move(each[2:]), {"+ ": True, "- ": False}[each[:2]]
                assert (made in listed) == (game.when(seat, made).events is not None) == expected, each
        else:
            check(game.state, name, value)


def check(state: State, name: str, value: str) -> None:
    match name:
        case _ if name in FIELDS:
            field, read_as = FIELDS[name]
            assert getattr(state, field) == read_as(value)
        case "phase":
            if value not in ("turn", "reshuffle", "over"):
                raise ValueError(f"not understood: {name} {value}")
            assert state.phase == value
        case "hands":
            assert tuple(map(len, state.hands)) == numbers(value)
        case "record":
            score, _, seats = value.partition(": ")
            assert state.record == HighScore(number(score), numbers(seats))
        case "sp" | "scores":
            assert (state.rounds[-1].points if name == "sp" else state.rounds[-1].scores) == numbers(value)
        case "totals":
            assert (victory_points(state) if state.totals is None else state.totals) == numbers(value)
        case "score":
            assert scores(state) == numbers(value)
        case "piletotals":
            assert tuple(pile_totals(state)) == numbers(value)
        case _ if re.fullmatch(r"(current|final)\d", name):
            seat, values = int(name[-1]), (current_values if name.startswith("current") else final_values)(state)
            assert tuple(values[seat][position] for position in occupied(state.rows[seat])) == numbers(value)
        case _ if re.fullmatch(r"[rh]\d|(pile|stone)\d", name):
            kind, read_as = SEATED[name[:-1]]
            assert getattr(state, kind)[int(name[-1])] == read_as(value)
        case _:
            raise ValueError(f"not understood: {name} {value}")
