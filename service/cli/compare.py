"""The command `compare`: which recorded games would have gone differently under changed rules."""

import asyncio
import heapq
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from math import sqrt
from pathlib import Path
from typing import Any

from agents import modules
from agents.comparing import OUTCOMES, Change, Compared, compared
from domain.codec import encode
from domain.deck import InvalidDeck, read
from domain.fairness.record import Record, Unreadable, decode
from domain.registry import VERSIONS
from domain.ruleset import Ruleset
from service import settings
from service.cli.database import open_store
from service.cli.exit_status import ExitStatus
from service.cli.export import games_that_are_over, record_of
from service.cli.options import Refused, options_of
from service.cli.progress import progress_bar
from service.cli.record_files import stream_files
from service.cli.terminal import one_line, printable
from service.cli.transfer import RecordRejected

EXAMPLES = 5
"""How many ids are listed for each outcome."""
Z = 1.96


def run(arguments: Namespace) -> ExitStatus:
    if arguments.old not in VERSIONS:
        raise Refused(f"There are no rules {arguments.old!r}: {', '.join(VERSIONS)}.")
    if bool(arguments.files) == bool(arguments.database):
        raise Refused("The games come from files or from `--database`.")
    if arguments.sample is not None and arguments.sample < 1:
        raise Refused("A sample has at least one game.")
    comparison = Comparison(arguments.old, change_of(arguments), arguments.sample)
    for place, text in texts(arguments):
        comparison.add(place, text)
    found = comparison.found()
    if arguments.json:
        sys.stdout.write("".join([encode(each).decode() + "\n" for each in found]))
    else:
        sys.stdout.write("".join([printable(line) + "\n" for line in lines(comparison, found, arguments.sample)]))
    return ExitStatus.REJECTED if comparison.unreadable else ExitStatus.OK


def change_of(arguments: Namespace) -> Change:
    """Raises `Refused`."""
    rules = VERSIONS.get(arguments.new) or imported(arguments.new)
    options = options_of(rules, arguments.option)
    if arguments.deck is None:
        return Change(rules, options)
    try:
        return Change(rules, options, read(rules.deck, rules.name, Path(arguments.deck).read_bytes()).data)
    except OSError as error:
        raise Refused(f"{arguments.deck}: {error}") from None
    except InvalidDeck as error:
        raise Refused(error) from None


def imported(name: str) -> Ruleset[Any, Any, Any]:
    """Rules that are tried out, by the name of a module and of the record in it. Raises `Refused`."""
    if ":" not in name:
        raise Refused(f"There are no rules {name!r}: {', '.join(VERSIONS)}, or MODULE:RECORD.")
    try:
        rules = modules.imported(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise Refused(f"{name}: {error}") from None
    if not isinstance(rules, Ruleset):
        raise Refused(f"{name} is no `Ruleset`.")
    return rules


def texts(arguments: Namespace) -> Iterator[tuple[str, bytes | Unreadable]]:
    if arguments.files:
        yield from ((each.place, each.text) for each in stream_files(arguments.files))
    else:
        yield from asyncio.run(exported(arguments.database))


async def exported(database: str) -> list[tuple[str, bytes | Unreadable]]:
    """The records of the games that are over. Only reads."""
    given = settings.read(database=database)
    found: list[tuple[str, bytes | Unreadable]] = []
    async with open_store(given) as store:
        games = await games_that_are_over(store)
        with progress_bar("reading", len(games)) as advance:
            for game_id in games:
                try:
                    found.append((game_id, await record_of(store, game_id)))
                except RecordRejected as error:
                    found.append((game_id, Unreadable(str(error))))
                advance(1)
    return found


class Comparison:
    """What has been found so far. Nothing is kept of games outside a sample."""

    def __init__(self, old: str, change: Change, sample: int | None) -> None:
        self.old, self.change, self.sample = old, change, sample
        self.others = self.unreadable = self.unfinished = 0
        self.groups: dict[str, str] = {}
        """By game: rules, seats and options."""
        self._drawn: list[tuple[int, str, bytes]] = []
        self._found: list[Compared] = []

    def add(self, place: str, text: bytes | Unreadable) -> None:
        """A game of the old rules is compared, at once or once the sample is complete."""
        try:
            if isinstance(text, Unreadable):
                raise text
            record = decode(text)
        except Unreadable as error:
            sys.stderr.write(one_line(f"{place}: {error}") + "\n")
            self.unreadable += 1
            return
        if record.rules != self.old:
            self.others += 1
        elif self.sample is None:
            self._compare(record)
        else:
            # The lots of a game follow from its id, so the sample does not depend on the order of the games.
            lot = -int.from_bytes(sha256(record.id.encode()).digest()[:8], "big")
            add = heapq.heappush if len(self._drawn) < self.sample else heapq.heappushpop
            add(self._drawn, (lot, record.id, text if isinstance(text, bytes) else b""))

    def found(self) -> list[Compared]:
        for _, _, text in sorted(self._drawn, reverse=True):
            self._compare(decode(text))
        self._drawn.clear()
        return self._found

    def _compare(self, record: Record[Any, Any, Any, Any]) -> None:
        if (each := compared(record, self.change)) is None:
            self.unfinished += 1
            return
        self.groups[each.id] = f"{record.rules}, {len(record.seats)} seats, {encode(record.options).decode()}"
        self._found.append(each)


def lines(comparison: Comparison, found: Sequence[Compared], sample: int | None) -> Iterator[str]:
    total, counts, rules = len(found), Counter([each.outcome for each in found]), comparison.change.rules.rules
    left_out = f"{comparison.others:,} of other rules, {comparison.unfinished:,} without a result"
    yield f"{total:,} games of {comparison.old} under {rules}; {left_out}, {comparison.unreadable:,} unreadable"
    for outcome in OUTCOMES:
        if many := counts[outcome]:
            share = f"{many / total:7.2%}" + (f"  {between(many, total)}" if sample is not None else "")
            yield f"{outcome:8}{many:9,}  {share}"
    for outcome in OUTCOMES[1:]:
        yield from examples([each for each in found if each.outcome == outcome], comparison)


def examples(found: Sequence[Compared], comparison: Comparison) -> Iterator[str]:
    """The most frequent first differences, the kinds of games, and the first ids."""
    if not found:
        return
    yield ""
    yield f"{found[0].outcome}:"
    if found[0].outcome != "result":
        kinds = Counter([f"{each.before or '-'} -> {each.after or '-'}" for each in found])
        yield from (f"  {many:,} x {kind}" for kind, many in kinds.most_common(EXAMPLES))
    groups = Counter([comparison.groups[each.id] for each in found])
    yield from (f"  {many:,} x {group}" for group, many in groups.most_common(EXAMPLES))
    for each in found[:EXAMPLES]:
        yield f"  {each.id}: stammtisch replay FILE --game {each.id} --at {each.version or 1}"


def between(many: int, total: int) -> str:
    """The 95 % interval of a share, by Wilson."""
    share = many / total
    centre = share + Z * Z / (2 * total)
    spread = Z * sqrt(share * (1 - share) / total + Z * Z / (4 * total * total))
    low, high = ((centre + sign * spread) / (1 + Z * Z / total) for sign in (-1, 1))
    return f"{max(low, 0):.2%} to {min(high, 1):.2%}"
