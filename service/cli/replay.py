"""The command `replay`: a recorded game in the terminal, step by step, as any seat or a bystander saw it, or all of it.

It knows no ruleset. What happened is called as the ruleset's labels call it; a view is written as its type says: a zone
of cards is a row, a card's back is `▒`, an empty place `·`.
"""

import os
import re
import sys
import time
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from itertools import groupby
from typing import Any, Literal, TypeAlias

from msgspec import inspect as kinds
from rich.console import Console
from rich.text import Text

from domain import game
from domain.fairness.record import Record, Unreadable, decode
from domain.game import Game, Opened, Rules
from domain.ruleset import Viewer
from domain.rulesets import VERSIONS
from service.cli.verify import texts
from service.terminal import harmless

BACK, EMPTY, NOTHING = "▒", "·", "-"

Perspective: TypeAlias = Viewer | Literal["all"]
"""Whose eyes; `all`: everything that is in the record."""

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "opened": "The table is opened", "joined": "Somebody sits down", "left": "Somebody stands up",
        "begun": "The game begins", "ended": "The game is over", "aborted": "The game is aborted",
        "revealed": "The secret is revealed", "by": "by", "of": "of", "to_act": "to act", "result": "result",
        "seen_by": "seen by", "seat": "seat", "bystander": "a bystander", "all": "everybody together",
        "keys": "next: space or right   back: left   first, last: home, end   quit: q",
    },
    "de": {
        "opened": "Der Tisch wird eröffnet", "joined": "Jemand setzt sich", "left": "Jemand steht auf",
        "begun": "Das Spiel beginnt", "ended": "Das Spiel ist aus", "aborted": "Das Spiel wird abgebrochen",
        "revealed": "Das Geheimnis wird gelüftet", "by": "durch", "of": "von", "to_act": "am Zug", "result": "Ergebnis",
        "seen_by": "gesehen von", "seat": "Platz", "bystander": "Umstehenden", "all": "allen zusammen",
        "keys": "weiter: Leertaste oder rechts   zurück: links   Anfang, Ende: Pos1, Ende   Schluss: q",
    },
}  # fmt: skip
"""The words that belong to no ruleset, by language."""


class InvalidReplay(Exception):
    """This cannot be replayed so. The message says why."""


def replay(file: str, *, which: str | None, seat: str, at: int | None, speed: float | None, language: str) -> int:
    """Show the game; the exit status. In a terminal it obeys keys, unless there is a speed (steps a second)."""
    try:
        film = Film(chosen(file, which), perspective(seat), language)
        film.check(at)
    except (Unreadable, InvalidReplay) as error:
        sys.stderr.write("\n".join(map(harmless, f"{file}: {error}".split("\n"))) + "\n")
        return 2
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    with suppress(KeyboardInterrupt, BrokenPipeError):
        if terminal and speed is None and find_spec("termios"):
            by_keys(film, at or 1)
        elif at is not None and speed is None:
            show(film, at, [])
        else:
            by_itself(film, at or 1, speed)
    return 0


def perspective(wish: str) -> Perspective:
    if wish in ("all", "bystander"):
        return None if wish == "bystander" else "all"
    if not wish.isdecimal():
        raise InvalidReplay(f"--seat must be a number, `bystander` or `all`, not {wish!r}.")
    return int(wish)


def chosen(file: str, which: str | None) -> Record[Any, Any, Any]:
    """The record of that game, or the only one that is in the file. Raises `Unreadable`, `InvalidReplay`."""
    found = []
    for _, text in texts(file):
        if isinstance(text, Exception):
            raise Unreadable(str(text))
        if which is None or which.encode() in text:
            found.append(decode(text))
    found = [record for record in found if which in (None, record.id)]
    if len(found) != 1:
        ids = "".join(f"\n  {record.id}" for record in found)
        raise InvalidReplay(f"There are {len(found)} such games in it; choose one with --game.{ids}")
    return found[0]


# --- what is shown ------------------------------------------------------------------------------------------------


class Film:
    """A recorded game as somebody saw it develop."""

    def __init__(self, record: Record[Any, Any, Any], viewer: Perspective, language: str) -> None:
        """Raises `InvalidReplay`."""
        self.rules = rules = VERSIONS[record.rules]
        self.record, self.viewer = record, viewer
        self.words = WORDS[language]
        self.events = rules.labels[language].events
        if isinstance(viewer, int) and viewer >= len(record.seats):
            raise InvalidReplay(f"The game has the seats 0 to {len(record.seats) - 1}.")
        try:
            self.games = list(developed(rules, record, viewer))
        except Exception as error:  # whatever rules make of what they have never written; `verify` says what it is
            raise InvalidReplay(f"The record does not make sense, verify it: {type(error).__name__} {error}") from None

    @property
    def last(self) -> int:
        return len(self.games)

    def check(self, at: int | None) -> None:
        """Raises `InvalidReplay` if there is no such version."""
        if at is not None and not 1 <= at <= self.last:
            raise InvalidReplay(f"The game has the versions 1 to {self.last}.")

    def title(self, version: int) -> str:
        words, entry = self.words, self.record.events[version - 1]
        if self.viewer == "all":
            eyes = words["all"]
        else:
            eyes = words["bystander"] if self.viewer is None else f"{words['seat']} {self.viewer}"
        return f"{self.record.rules}   {version} {words['of']} {self.last}   {words['seen_by']} {eyes}   {entry.at}"

    def event(self, version: int) -> str:
        """What happened, and through whom."""
        entry, seen = self.record.events[version - 1], self.games[version - 1]
        event = entry.event if self.viewer == "all" else game.redact(self.rules, entry.event, self.viewer)
        tag = str(event.__struct_config__.tag)
        label = self.events.get(tag) or self.words.get(tag, tag)
        by = "" if entry.by is None else f" ({self.words['by']} {name(seen, entry.by)})"
        return f"{label}{by}" + ("" if isinstance(event, Opened) else f"   {fields(event)}".rstrip())

    def lines(self, version: int) -> list[str]:
        """The table after the event."""
        seen = self.games[version - 1]
        if seen.state is None:
            terms = game.agreed(seen)
            seats = [f"{self.words['seat']} {name(seen, seat)}" for seat in range(terms.seats)]
            return [*seats, *written(_type(self.rules.options), terms.options)]
        acting = ", ".join(name(seen, seat) for seat in game.to_act(self.rules, seen)) or NOTHING
        shown = [*written(_type(self.rules.state), seen.state), f"{self.words['to_act']}: {acting}"]
        return shown if seen.result is None else [*shown, f"{self.words['result']}: {fields(seen.result)}"]


def developed(rules: Rules, record: Record[Any, Any, Any], viewer: Perspective) -> Iterator[Game]:
    """The game after each of its events."""
    seen = Game(record.id)
    for entry in record.events:
        event = entry.event if viewer == "all" else game.redact(rules, entry.event, viewer)
        seen = game.evolve(rules, seen, event)
        yield seen


def name(seen: Game, seat: int) -> str:
    """A seat with who sits there."""
    player = seen.players[seat]
    return f"{seat} {player.name}" if player else f"{seat} {NOTHING}"


def _type(cls: Any) -> Any:
    return _type_info(cls)


@cache
def _type_info(cls: Hashable) -> Any:
    return kinds.type_info(cls)


# --- values as text -----------------------------------------------------------------------------------------------


def written(kind: Any, value: Any) -> Iterator[str]:
    """A state, a line for each of its fields, several where there are zones in it for each seat."""
    for field in kind.fields:
        part = getattr(value, field.name)
        match inner(field.type):
            case kinds.CustomType() | kinds.StructType() if field.name in ("deck", "options"):
                continue  # agreed upon once, and shown at the beginning
            case kinds.VarTupleType(item_type=item) if nested(item):
                for number, row in enumerate(part or ()):
                    yield f"{field.name} {number}: {cell(item, row, in_row=True)}"
            case kinds.VarTupleType():
                yield f"{field.name}: {cell(field.type, part)}"
            case _:
                yield f"{field.name}: {cell(field.type, part)}"


def fields(value: Any) -> str:
    """A small value in one line."""
    return ", ".join(
        f"{field.name} {cell(field.type, getattr(value, field.name))}" for field in _type(type(value)).fields
    )


def inner(kind: Any) -> Any:
    """The type without what is said about it, and without None."""
    while True:
        match kind:
            case kinds.Metadata(type=kind):
                continue
            case kinds.UnionType(types=types):
                some = [each for each in types if not isinstance(each, kinds.NoneType)]
                if len(some) == 1:
                    kind = some[0]
                    continue
        return kind


def nested(kind: Any) -> bool:
    """Whether a value of the type is a row of its own."""
    return isinstance(inner(kind), kinds.VarTupleType)


def cell(kind: Any, value: Any, *, in_row: bool = False) -> str:
    """A value as a part of a line."""
    kind = inner(kind)
    match kind, value:
        case _, None:
            return NOTHING if not in_row else EMPTY if isinstance(kind, kinds.StructType) else BACK
        case kinds.VarTupleType(item_type=item), _:
            return row(cell(item, each, in_row=True) for each in value)
        case _, tuple() | list():
            return "/".join(map(str, value))
        case kinds.StructType(fields=parts), _:
            return struct(parts, value)
        case _, bool():
            return "yes" if value else "no"
        case _, dict():
            return " ".join(f"{key}:{each}" for key, each in value.items())
        case _ if hasattr(value, "__struct_fields__"):
            return struct(_type(type(value)).fields, value)
    return str(value)


def struct(parts: Iterable[Any], value: Any) -> str:
    """The values of its fields, with names where there are several; of what is true the name, of the rest nothing."""
    said, true = [], []
    for part in parts:
        field = getattr(value, part.name)
        if isinstance(field, bool):
            true += [part.name] * field
        else:
            said.append((part.name, cell(part.type, field, in_row=True)))
    if len(said) == 1:
        return " ".join([said[0][1], *true])
    return "(" + " ".join([*(f"{label} {text}" for label, text in said), *true]) + ")"


def row(cells: Iterable[str]) -> str:
    """Cells side by side; many of the same are counted."""
    groups = [(text, len([*same])) for text, same in groupby(cells)]
    texts = (f"{text}x{many}" if many > 3 else "  ".join([text] * many) for text, many in groups)
    return "[" + "  ".join(texts) + "]"


# --- the terminal -------------------------------------------------------------------------------------------------


def show(film: Film, version: int, before: Sequence[str]) -> None:
    """Print a step; what has changed since `before` stands out where colours are shown."""
    console = Console(highlight=False, emoji=False, soft_wrap=not sys.stdout.isatty())
    console.print(Text(harmless(film.title(version)), "dim"))
    console.print(Text(harmless(film.event(version)), "bold"))
    for line in film.lines(version):
        console.print(Text("  " + harmless(line), "" if not before or line in before else "yellow"))
    console.print()


def by_itself(film: Film, version: int, speed: float | None) -> None:
    """Every step from that version on, `speed` of them a second, or all at once."""
    show(film, version, [])
    for following in range(version + 1, film.last + 1):
        if speed is not None:
            time.sleep(1 / speed)
        show(film, following, film.lines(following - 1))


def by_keys(film: Film, version: int) -> None:
    """Step forward and back as the keys say."""
    before: list[str] = []
    console = Console(highlight=False)

    def turn(to: int) -> int:
        console.clear()
        show(film, to, before)
        console.print(Text(film.words["keys"], "dim"))
        before[:] = film.lines(to)
        return to

    with pressed() as keys:
        turn(version)
        for key in keys:
            match key:
                case " " | "n" | "\r" | "\n" | "\x1b[C" | "\x1bOC":
                    version = turn(min(version + 1, film.last))
                case "p" | "b" | "\x7f" | "\x1b[D" | "\x1bOD":
                    version = turn(max(version - 1, 1))
                case "g" | "\x1b[H" | "\x1bOH" | "\x1b[1~":
                    version = turn(1)
                case "G" | "\x1b[F" | "\x1bOF" | "\x1b[4~":
                    version = turn(film.last)
                case "q":
                    return


KEY = re.compile(r"\x1b(?:\[[0-9;]*.|O.)|.", re.DOTALL)
"""One character, or what a terminal sends for an arrow."""


@contextmanager
def pressed() -> Iterator[Iterator[str]]:
    """The keys as they are pressed, until the input ends."""
    import termios  # not on every system, see `replay`
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)

    def keys() -> Iterator[str]:
        while sent := os.read(terminal, 1024):
            yield from KEY.findall(sent.decode("utf-8", "replace"))

    try:
        tty.setcbreak(terminal)
        yield keys()
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
