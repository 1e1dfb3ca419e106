"""The notation of tables, moves and outcomes in `docs/rules/scout.md`. What it does not understand it refuses.

A card is `up/down`, `h0=1/5 2/6` the hand of seat 0 from left to right, `h1=x4` four cards that do not matter,
`active=2: 7/8 7/9` the active set and its owner, `-` none.
"""

import re
from typing import Any

from msgspec.structs import replace

from domain.rulesets.scout import SCOUT
from domain.rulesets.scout.rules import Card, Keep, Options, Scout, Show, State, Turn, for_two
from stammtisch.testing.spec import Given, given

DECK = next(iter(SCOUT.decks.values()))
UNWRITTEN: Card = (1, 2)


def number(word: str) -> int:
    if not re.fullmatch(r"0|-?[1-9]\d*", word):
        raise ValueError(f"no number: {word!r}")
    return int(word)


def numbers(text: str) -> tuple[int, ...]:
    """`1,0,2`, or `-` for none."""
    return () if text == "-" else tuple(map(number, text.split(",")))


def flags(text: str) -> tuple[bool, ...]:
    """`1,0`."""
    if not re.fullmatch(r"[01](,[01])*", text):
        raise ValueError(f"neither 0 nor 1: {text!r}")
    return tuple(word == "1" for word in text.split(","))


def cards(text: str) -> tuple[Card, ...]:
    """`1/5 2/6`, `x4`, or `-` for none."""
    if found := re.fullmatch(r"x([1-9]\d*)", text):
        return (UNWRITTEN,) * int(found[1])
    return () if text == "-" else tuple(map(card, text.split(" ")))


def card(text: str) -> Card:
    if not re.fullmatch(r"\d+/\d+", text):
        raise ValueError(f"no card: {text!r}")
    up, down = text.split("/")
    return number(up), number(down)


def active(text: str) -> tuple[int, tuple[Card, ...]]:
    """The owner and the cards: `2: 7/8 7/9`, `3: -`."""
    if not re.match(r"\d: ", text):
        raise ValueError(f"no active set: {text!r}")
    return int(text[0]), cards(text[3:])


def move(text: str) -> Any:
    """`keep`, `turn`, `show 0 2`, `scout left 0 flip +show`."""
    match text.split(" "):
        case ["keep"]:
            return Keep()
        case ["turn"]:
            return Turn()
        case ["show", start, count]:
            return Show(number(start), number(count))
        case ["scout", "left" | "right" as end, position, *rest] if rest in (
            [],
            ["flip"],
            ["+show"],
            ["flip", "+show"],
        ):
            return Scout(end, "flip" in rest, number(position), "+show" in rest)
    raise ValueError(f"no move: {text!r}")


def parts(text: str) -> list[tuple[str, str]]:
    """`name=value | name=value`."""
    found = [re.fullmatch(r"([a-z]+\d?)=(\S.*)", part) for part in text.split(" | ")]
    if None in found:
        raise ValueError(f"not understood: {text!r}")
    return [(part[1], part[2]) for part in found if part]


FIELDS = (
    dict.fromkeys(("turn", "starter", "round", "scouts"), number)
    | dict.fromkeys(("chips", "collected", "totals"), numbers)
    | {"combo": flags}
)
"""Of the state, as tables and outcomes write them."""


def table(text: str) -> State:
    """Unless it is written: three seats, turn 0, starter 0, phase `turn`, a hand of three cards that do not matter."""
    fields: dict[str, Any] = {"phase": "turn", "turn": 0, "starter": 0}
    options: dict[str, Any] = {}
    hands: dict[int, tuple[Card, ...]] = {}
    seats = 3
    for name, value in parts(text):
        match name, value:
            case "n", "2" | "3" | "4" | "5":
                seats = int(value)
            case "two", "official" | "seed":
                options["two_player"] = value
            case "ss", "any" | "scouted_card":
                options["scout_and_show"] = value
            case "phase", "orient":
                fields["phase"] = value
            case _ if name in FIELDS:
                fields[name] = FIELDS[name](value)
            case "active", _:
                fields["owner"], fields["active"] = active(value)
            case _ if re.fullmatch(r"h\d", name):
                hands[int(name[1])] = cards(value)
            case _:
                raise ValueError(f"not understood: {name}={value}")
    start = SCOUT.initial(seats, Options(**options), DECK)
    if len(parts(text)) != len(dict(parts(text))) or any(seat >= seats for seat in hands):
        raise ValueError(f"a name twice, or a hand too many: {text!r}")
    if any(len(fields.get(name, start.hands)) != seats for name in ("chips", "collected", "totals", "combo")):
        raise ValueError(f"not one value for each seat: {text!r}")
    two = for_two(start)
    start = replace(start, chips=(3 if two else 0,) * seats, combo=(not two,) * seats)
    return replace(start, hands=tuple(hands.get(seat, (UNWRITTEN,) * 3) for seat in range(seats)), **fields)


def play(start: Given, text: str) -> Given:
    """`0 keep; 1 turn`: every seat with its move. The dealer does nothing."""
    game = start
    for part in text.split("; "):
        seat, _, rest = part.partition(" ")
        game = game.when(number(seat), move(rest))
    return game


def outcome(game: Given, text: str) -> None:
    """Check everything that is written after `=>`."""
    if text == "illegal":
        game.illegal()
        return
    assert game.events is not None, "the move was refused"
    for part in text.split(" | "):
        word, _, rest = part.partition(" ")
        if part == "only show":
            listed = SCOUT.legal(game.state, game.state.turn)
            assert {type(move) for move in listed} == {Show}
        elif word == "only" and rest[:1].isdecimal():
            seat, _, listed = rest.partition(" ")
            game.legal(number(seat), *map(move, listed.split(", ") if listed else ()))
        elif word in ("can", "cannot"):
            seat, _, made = rest.partition(" ")
            legal = move(made) in SCOUT.legal(game.state, number(seat))
            assert legal == (game.when(number(seat), move(made)).events is not None) == (word == "can"), part
        elif word == "combos":
            combos = [each for each in SCOUT.legal(game.state, 0) if isinstance(each, Scout) and each.show]
            assert {f"{each.position}{'r' * (each.end == 'right')}{'f' * each.flip}" for each in combos} == {
                *rest.split()
            }
        else:
            check(game.state, *parts(part)[0])


def check(state: State, name: str, value: str) -> None:
    match name, value:
        case "phase", "orient" | "turn" | "combo" | "deal" | "over":
            assert state.phase == value
        case _ if name in FIELDS:
            assert getattr(state, name) == FIELDS[name](value)
        case "winners", _:
            assert state.winners == numbers(value)
        case "active", _:
            assert (state.owner, state.active) == active(value)
        case "cause", "empty_hand" | "unbeaten" | "stuck":
            assert last_round(state).cause == value
        case (("exempt" | "points"), _):
            assert getattr(last_round(state), name) == numbers(value)
        case _ if re.fullmatch(r"h\d", name):
            assert state.hands[int(name[1])] == cards(value)
        case _:
            raise ValueError(f"not understood: {name}={value}")


def last_round(state: State) -> Any:
    assert state.rounds, "no round has ended"
    return state.rounds[-1]


def at(text: str) -> Given:
    return given(SCOUT, table(text))
