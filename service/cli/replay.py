"""The command `replay`: shows a recorded game step by step in the terminal, from any perspective.

It is generic for all rulesets. Events are sentences of the ruleset's labels. A state is formatted by its types: a zone
of cards is a row, `▒` is the back of a card, `·` an empty slot.
"""

import os
import re
import sys
import time
from argparse import Namespace
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from itertools import groupby
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET
from msgspec import inspect as kinds
from rich.console import Console
from rich.text import Text

from domain import game
from domain.fairness.record import Record, Unreadable, decode
from domain.game import LIFECYCLE, Game, Opened, Rules
from domain.registry import VERSIONS
from domain.ruleset import Viewer
from domain.sentences import sentence
from service.cli.exit_status import ExitStatus
from service.cli.record_files import read_file
from service.cli.terminal import printable

BACK, EMPTY, NOTHING = "▒", "·", "-"

Perspective: TypeAlias = Viewer | Literal["all"]
"""Whose view is shown. `all` shows everything in the record."""


@cache
def labels(language: str) -> Mapping[str, str]:
    """The labels that belong to no ruleset."""
    text = files(__package__).joinpath("replay_labels.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, str]])[language]


class InvalidReplay(Exception):
    """The record or the arguments do not allow a replay. The message says why."""


def run(arguments: Namespace) -> ExitStatus:
    """Show the game, interactively in a terminal unless there is a `speed` (steps per second)."""
    at, speed = arguments.at, arguments.speed
    try:
        recorded = RecordedGame(load(arguments.file, arguments.game), perspective(arguments.seat), arguments.language)
        if at is not None and not 1 <= at <= recorded.last:
            raise InvalidReplay(f"The game has the versions 1 to {recorded.last}.")
    except (Unreadable, InvalidReplay) as error:
        sys.stderr.write("\n".join(map(printable, f"{arguments.file}: {error}".split("\n"))) + "\n")
        return ExitStatus.UNUSABLE
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    with suppress(KeyboardInterrupt, BrokenPipeError):
        if terminal and speed is None and find_spec("termios"):
            show_interactively(recorded, at or 1)
        elif at is not None and speed is None:
            show(recorded, at, [])
        else:
            show_all(recorded, at or 1, speed)
    return ExitStatus.OK


def perspective(text: str) -> Perspective:
    """The perspective that `--seat` names. Raises `InvalidReplay`."""
    if text in ("all", "bystander"):
        return None if text == "bystander" else "all"
    if not text.isdecimal():
        raise InvalidReplay(f"--seat must be a number, `bystander` or `all`, not {text!r}.")
    return int(text)


def load(file: str, game_id: str | None) -> Record[Any, Any, Any, Any]:
    """The record with this id, or the only one in the file. Raises `Unreadable`, `InvalidReplay`."""
    found = []
    for _, text, _ in read_file(file):
        if isinstance(text, Unreadable):
            raise text
        if game_id is None or game_id.encode() in text:
            found.append(decode(text))
    found = [record for record in found if game_id in (None, record.id)]
    if len(found) != 1:
        ids = "".join(f"\n  {record.id}" for record in found)
        raise InvalidReplay(f"The file has {len(found)} matching games; choose one with --game.{ids}")
    return found[0]


# --- what is shown ------------------------------------------------------------------------------------------------


class RecordedGame:
    """A recorded game from one perspective, with the state after each of its events."""

    def __init__(self, record: Record[Any, Any, Any, Any], viewer: Perspective, language: str) -> None:
        """Raises `InvalidReplay`."""
        self.rules = rules = VERSIONS[record.rules]
        self.record, self.viewer = record, viewer
        self.language = language
        self.labels = labels(language)
        if isinstance(viewer, int) and viewer >= len(record.seats):
            raise InvalidReplay(f"The game has the seats 0 to {len(record.seats) - 1}.")
        try:
            self.games = list(games_after_events(rules, record, viewer))
        except Exception as error:  # an invalid record can make the rules raise anything; `verify` names the fault
            raise InvalidReplay(f"The record is invalid; verify it first: {type(error).__name__} {error}") from None

    @property
    def last(self) -> int:
        return len(self.games)

    def title(self, version: int) -> str:
        labels, entry = self.labels, self.record.events[version - 1]
        if self.viewer == "all":
            viewer = labels["all"]
        else:
            viewer = labels["bystander"] if self.viewer is None else f"{labels['seat']} {self.viewer}"
        return f"{self.record.rules}   {version} {labels['of']} {self.last}   {labels['seen_by']} {viewer}   {entry.at}"

    def name(self, seen: Game, seat: int) -> str:
        """The number of a seat with the name of its player, or the id of a player without a name."""
        player = seen.players[seat]
        return f"{seat} {NOTHING if player is None else self.record.names.get(player, player)}"

    def event(self, version: int) -> str:
        """The event as a sentence, and its fields."""
        entry, seen = self.record.events[version - 1], self.games[version - 1]
        event = entry.event if self.viewer == "all" else game.redact(self.rules, entry.event, self.viewer)
        if type(event) in LIFECYCLE:
            by = "" if entry.by is None else f" ({self.labels['by']} {self.name(seen, entry.by)})"
            said = f"{self.labels[event.__struct_config__.tag]}{by}"
        else:
            names = [self.name(seen, seat) for seat in range(len(seen.players))]
            said = sentence(self.rules.labels[self.language], event, names)
        return said + ("" if isinstance(event, Opened) else f"   {fields(event)}".rstrip())

    def move(self, version: int) -> str:
        """The move that caused the event and its fields; empty if none did, or if it is hidden from the perspective."""
        entry = self.record.events[version - 1]
        if entry.move is UNSET or self.viewer not in ("all", entry.by):
            return ""
        label = self.rules.labels[self.language].moves[entry.move.__struct_config__.tag]
        return f"{label}   {fields(entry.move)}".rstrip()

    def lines(self, version: int) -> list[str]:
        seen = self.games[version - 1]
        if seen.state is None:
            terms = game.agreed(seen)
            seats = [f"{self.labels['seat']} {self.name(seen, seat)}" for seat in range(terms.seats)]
            return [*seats, *format_state(_type(self.rules.options), terms.options)]
        acting = ", ".join(self.name(seen, seat) for seat in game.to_act(self.rules, seen)) or NOTHING
        shown = [*format_state(_type(self.rules.state), seen.state), f"{self.labels['to_act']}: {acting}"]
        if move := self.move(version):
            shown.append(f"{self.labels['chosen']}: {move}")
        return shown if seen.result is None else [*shown, f"{self.labels['result']}: {fields(seen.result)}"]


def games_after_events(rules: Rules, record: Record[Any, Any, Any, Any], viewer: Perspective) -> Iterator[Game]:
    seen = Game(record.id)
    for entry in record.events:
        event = entry.event if viewer == "all" else game.redact(rules, entry.event, viewer)
        seen = game.evolve(rules, seen, event)
        yield seen


def _type(cls: Any) -> Any:
    return _type_info(cls)


@cache
def _type_info(cls: Hashable) -> Any:
    return kinds.type_info(cls)


# --- values as text -----------------------------------------------------------------------------------------------


def format_state(kind: Any, value: Any) -> Iterator[str]:
    """A state as one line per field; a field with a zone for each seat is one line per seat."""
    for field in kind.fields:
        part = getattr(value, field.name)
        match inner(field.type):
            case kinds.CustomType() | kinds.StructType() if field.name in ("deck", "options"):
                continue  # constant during the game, and shown at its beginning
            case kinds.VarTupleType(item_type=item) if nested(item):
                for number, row in enumerate(part or ()):
                    yield f"{field.name} {number}: {cell(item, row, in_row=True)}"
            case kinds.VarTupleType():
                yield f"{field.name}: {cell(field.type, part)}"
            case _:
                yield f"{field.name}: {cell(field.type, part)}"


def fields(value: Any) -> str:
    return ", ".join(
        f"{field.name} {cell(field.type, part)}"
        for field in _type(type(value)).fields
        if (part := getattr(value, field.name)) is not UNSET
    )


def inner(kind: Any) -> Any:
    """The type without metadata and without None."""
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
    return isinstance(inner(kind), kinds.VarTupleType)


def cell(kind: Any, value: Any, *, in_row: bool = False) -> str:
    """A value as part of a line. In a row, None is a card's back or an empty slot."""
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
    """The values of the fields, with names if there are several. A true flag is its name, a false one is omitted."""
    values, flags = [], []
    for part in parts:
        field = getattr(value, part.name)
        if isinstance(field, bool):
            flags += [part.name] * field
        elif field is not UNSET:
            values.append((part.name, cell(part.type, field, in_row=True)))
    if len(values) == 1:
        return " ".join([values[0][1], *flags])
    return "(" + " ".join([*(f"{label} {text}" for label, text in values), *flags]) + ")"


def row(cells: Iterable[str]) -> str:
    """Cells side by side. More than three equal neighbours are counted instead."""
    groups = [(text, len([*same])) for text, same in groupby(cells)]
    texts = (f"{text}x{number}" if number > 3 else "  ".join([text] * number) for text, number in groups)
    return "[" + "  ".join(texts) + "]"


# --- the terminal -------------------------------------------------------------------------------------------------


def show(recorded: RecordedGame, version: int, before: Sequence[str]) -> None:
    """Print a version. Lines that are not in `before`, the lines of the previous version, are highlighted."""
    console = Console(highlight=False, emoji=False, soft_wrap=not sys.stdout.isatty())
    console.print(Text(printable(recorded.title(version)), "dim"))
    console.print(Text(printable(recorded.event(version)), "bold"))
    for line in recorded.lines(version):
        console.print(Text("  " + printable(line), "" if not before or line in before else "yellow"))
    console.print()


def show_all(recorded: RecordedGame, version: int, speed: float | None) -> None:
    """Print all versions from `version` on, `speed` per second, or without a pause."""
    show(recorded, version, [])
    for following in range(version + 1, recorded.last + 1):
        if speed is not None:
            time.sleep(1 / speed)
        show(recorded, following, recorded.lines(following - 1))


def show_interactively(recorded: RecordedGame, version: int) -> None:
    before: list[str] = []
    console = Console(highlight=False)

    def show_version(to: int) -> int:
        console.clear()
        show(recorded, to, before)
        console.print(Text(recorded.labels["keys"], "dim"))
        before[:] = recorded.lines(to)
        return to

    with key_presses() as keys:
        show_version(version)
        for key in keys:
            match key:
                case " " | "n" | "\r" | "\n" | "\x1b[C" | "\x1bOC":
                    version = show_version(min(version + 1, recorded.last))
                case "p" | "b" | "\x7f" | "\x1b[D" | "\x1bOD":
                    version = show_version(max(version - 1, 1))
                case "g" | "\x1b[H" | "\x1bOH" | "\x1b[1~":
                    version = show_version(1)
                case "G" | "\x1b[F" | "\x1bOF" | "\x1b[4~":
                    version = show_version(recorded.last)
                case "q":
                    return


KEY = re.compile(r"\x1b(?:\[[0-9;]*.|O.)|.", re.DOTALL)
"""One character, or the escape sequence of a special key."""


@contextmanager
def key_presses() -> Iterator[Iterator[str]]:
    """The keys as they are pressed, until the input ends. Restores the terminal's mode."""
    import termios  # does not exist on every system; `replay` checks
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
