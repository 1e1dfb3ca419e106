"""The notation of tables, moves and outcomes in `docs/rules/scopinion.md`. What it does not understand it refuses.

Cards are ids, zones list them from bottom to top, `-` is an empty zone or an empty place of the display. Hand, deck,
discard, vault and showcase are those of the seat whose turn it is at first, also after its turn.
"""

import re
from typing import Any

from msgspec.structs import replace

from domain.cards import put
from domain.rulesets.scopinion import SCOPINION
from domain.rulesets.scopinion.table import (
    DISPLAY,
    Buy,
    DrawOne,
    DrawTwo,
    EndTurn,
    KeepDrawn,
    Options,
    PikOff,
    Secure,
    State,
    Take,
    Trash,
    Triple,
)
from stammtisch.testing.spec import Given, given

DECK = SCOPINION.decks["reconstruction-1"]
OWN = {"hand": "hands", "deck": "decks", "discard": "discards", "vault": "vaults", "showcase": "showcases"}
"""Zones of the seat."""
COMMON = ("stage", "supply", "targets", "graveyard")
FLAGS = ("bought", "mix", "top_open")
NUMBERS = ("starter", "turn", "final")

TABLE = {
    "deck": "r6-1 r7-1",
    "display": "c9-1 c9-4 c9-5",
    "supply": "c8-3 c8-4 c8-5",
    "targets": "t28-1 t27-1 t26-1 t25-1 t24-1 t20-1",
    "starter": "0",
    "turn": "0",
}
"""What is not written."""


def number(word: str) -> int:
    if not re.fullmatch(r"0|[1-9]\d*", word):
        raise ValueError(f"no number: {word!r}")
    return int(word)


def card(word: str) -> str:
    if word not in DECK.printed:
        raise ValueError(f"no card: {word!r}")
    return word


def cards(text: str, apart: str = " ") -> tuple[str, ...]:
    return () if text == "-" else tuple(map(card, text.split(apart)))


def display(text: str) -> tuple[str | None, ...]:
    places = text.split(" ")
    if len(places) != DISPLAY:
        raise ValueError(f"not three places: {text!r}")
    return tuple(None if place == "-" else card(place) for place in places)


def parts(text: str) -> dict[str, str]:
    """`name=value · name=value`, or `-` for nothing."""
    found = [] if text == "-" else [re.fullmatch(r"([a-z_]+)=(\S.*)", part) for part in text.split(" · ")]
    names = [part[1] for part in found if part]
    if len(set(names)) < len(found):
        raise ValueError(f"not understood, or a name twice: {text!r}")
    return {part[1]: part[2] for part in found if part}


READ = dict.fromkeys(NUMBERS, number) | dict.fromkeys(COMMON, cards) | {"display": display}
"""Fields of the state, as tables and outcomes write them."""


def table(text: str) -> State:
    """Two seats, seat 0 to move, base mode, nothing in hand, unless it is written."""
    written = {**TABLE, **parts(text)}
    seats, mode = number(written.pop("n", "2")), written.pop("mode", "base")
    handicap = (number(written.pop("handicap")),) if "handicap" in written else ()
    if mode not in ("base", "expert"):
        raise ValueError(f"no mode: {mode!r}")
    state = SCOPINION.initial(seats, Options(mode=mode, handicap=handicap), DECK)
    seat = number(written["turn"])
    fields: dict[str, Any] = {"phase": "turn"}
    for name, value in written.items():
        if name in READ:
            fields[name] = READ[name](value)
        elif name in OWN:
            fields[OWN[name]] = put(getattr(state, OWN[name]), seat, cards(value))
        else:
            raise ValueError(f"not understood: {name}={value}")
    lying = [DECK.printed[each] for each in fields["display"] if each is not None]
    fields["top_open"] = fields["targets"] != ()
    return replace(state, **fields, pik_off=lying != [] and all(each.spades for each in lying))


def hold(words: list[str]) -> EndTurn:
    match words:
        case ["reshuffle"]:
            return EndTurn(reshuffle=True)
        case ["hold", held, *rest] if rest in ([], ["reshuffle"]):
            return EndTurn(card(held), reshuffle=rest != [])
        case []:
            return EndTurn()
    raise ValueError(f"no end of a turn: {words}")


def move(text: str) -> Any:
    """`buy c4-1 pay g4-1+g5-1`, `end hold g6-1 reshuffle`."""
    match text.split(" "):
        case ["buy", wanted, "pay", paid, *to] if to in ([], ["stage"], ["showcase"]):
            return Buy(card(wanted), cards(paid, "+"), *to)
        case ["triple", wanted, by, other, *to] if to in ([], ["stage"], ["showcase"]):
            return Triple(card(wanted), card(by), card(other), *to)
        case ["take", wanted, by]:
            return Take(card(wanted), card(by))
        case ["draw_one", by]:
            return DrawOne(card(by))
        case ["keep" | "reject" as kept]:
            return KeepDrawn(kept == "keep")
        case ["draw_two", by]:
            return DrawTwo(card(by))
        case ["trash", gone, by]:
            return Trash(card(gone), card(by))
        case ["secure", target]:
            return Secure(card(target))
        case ["pik_off", gone]:
            return PikOff(card(gone))
        case ["end", *rest]:
            return hold(rest)
    raise ValueError(f"no move: {text!r}")


def play(start: Given, text: str) -> Given:
    """`move; move`, each of the seat whose turn it is, with all the dealing that it entails; `-` for none."""
    game = start
    for part in [] if text == "-" else text.split(" ; "):
        game = game.when(game.state.turn, move(part)).restocked()
    return game


def payments(state: State, wanted: str) -> set[tuple[str, ...]]:
    """With what the card may be paid."""
    listed = SCOPINION.legal(state, state.turn)
    return {each.pay for each in listed if isinstance(each, Buy) and each.card == wanted}


def outcome(game: Given, seat: int, text: str) -> None:
    """Check everything that is written after `=>`; hand, deck, ... are those of the seat."""
    if text == "illegal":
        game.illegal()
        return
    assert game.events is not None, "the move was refused"
    for part in text.split(" · "):
        word, _, rest = part.partition(" ")
        listed = SCOPINION.legal(game.state, game.state.turn)
        if word in ("can", "cannot"):
            made = move(rest)
            assert (made in listed) == (game.when(game.state.turn, made).events is not None) == (word == "can"), part
        elif word == "only":
            game.legal(game.state.turn, *map(move, rest.split(", ")))
        elif word == "lists":
            tag, _, rest = rest.partition(": ")
            assert {each for each in listed if each.__struct_config__.tag == kind(tag)} == set(
                map(move, rest.split(", "))
            )
        elif word == "buys":
            assert {each.card for each in listed if isinstance(each, Buy)} == set(map(card, rest.split(" ")))
        else:
            check(game.state, seat, part)


def check(state: State, seat: int, part: str) -> None:
    if found := re.fullmatch(r"pays (\S+) = \{(.*)\}", part):
        wanted = {cards(pay, "+") for pay in found[2].split(", ")} if found[2] else set()
        assert payments(state, card(found[1])) == wanted
    elif found := re.fullmatch(r"(no|has) ([a-z_]+)", part):
        kinds = {type(each).__struct_config__.tag for each in SCOPINION.legal(state, seat)}
        assert (kind(found[2]) in kinds) == (found[1] == "has")
    else:
        ((name, value),) = parts(part).items()
        compare(state, seat, name, value)


def kind(tag: str) -> str:
    if tag not in {each.__struct_config__.tag for each in SCOPINION.move.__args__}:
        raise ValueError(f"no kind of move: {tag!r}")
    return tag


def compare(state: State, seat: int, name: str, value: str) -> None:
    if name in OWN:
        assert getattr(state, OWN[name])[seat] == cards(value)
    elif value == "-" and name in NUMBERS:
        assert getattr(state, name) is None
    elif name in READ:
        assert getattr(state, name) == READ[name](value)
    elif name in FLAGS and value in ("0", "1"):
        assert getattr(state, name) == (value == "1")
    elif name == "drawn":
        assert state.drawn == card(value)
    elif name == "phase" and value in ("turn", "keep", "over"):
        assert state.phase == value
    else:
        raise ValueError(f"not understood: {name}={value}")


def at(text: str) -> Given:
    return given(SCOPINION, table(text))
