"""Films: a finished game as one document that a program without rules can show, from every perspective.

A film is the game's record, the description of its ruleset, and for every perspective how each event changed the view.
The steps are those of `GET .../events?with=patch,tally`, so applying them in order gives the views of the game.
"""

import asyncio
import resource
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, UnsetType

from domain import game
from domain.codec import encode
from domain.fairness.record import Record
from domain.game import Game, Revealed, Rules
from domain.messages import Value
from domain.registry import VERSIONS
from domain.ruleset import Tally, Viewer
from projections import patches
from projections.patches import Patch
from service.api.description import Captions, Ruleset, described
from service.live.fair_queue import FairQueue
from service.process import interpreter

O = TypeVar("O")
D = TypeVar("D")
E = TypeVar("E")
M = TypeVar("M")

FORMAT: Literal["stammtisch-film/1"] = "stammtisch-film/1"

Perspective: TypeAlias = Viewer | Literal["all"]
"""Whose views a reel shows: a seat, None for a bystander, or `all` with every card open."""


class Step(Value, Generic[E]):
    """An event of the record, as it looks from a perspective."""

    patch: Patch
    """JSON Patch (RFC 6902) from the view before the event to the one after."""
    event: E | UnsetType = UNSET
    """The event as the perspective sees it. Absent if that is the whole event, as in the record."""
    tally: Tally | UnsetType | None = UNSET
    """The points that the cards count after the event. Absent if it has not changed."""


class Film(Value, Generic[O, D, E, M], kw_only=True):
    """A finished game with its views from every perspective, for programs that know no rules.

    Only the record is proven by its hashes. The rest follows from the record by the rules.
    """

    format: Literal["stammtisch-film/1"] = FORMAT
    record: Record[O, D, E, M]  # type: ignore[type-var]
    """The record that the film was made of."""
    ruleset: Ruleset
    """The ruleset as `GET /v1/rulesets/NAME` describes it, so that the film needs no service."""
    captions: Captions
    """The effects of the cards of the deck."""
    perspectives: Annotated[
        dict[str, tuple[Step[E], ...]],
        Meta(
            description="By perspective (`all`, `bystander`, and the number of each seat), one step for each event of "
            "the record. Before the first step the view is null."
        ),
    ]


class NotFilmable(Exception):
    """The record is of a game that is not over, or is redacted: it does not contain all cards."""


def film_type(rules: Rules) -> Any:
    return Film[rules.options, rules.deck.data_type, game.event_type(rules), rules.move]  # type: ignore[name-defined, misc]


def film_of(whole: Record[Any, Any, Any, Any]) -> Film[Any, Any, Any, Any]:
    """The film of a valid record. Raises `NotFilmable`."""
    if whole.secret is None or not isinstance(whole.events[-1].event, Revealed):
        raise NotFilmable("The record must be complete: of a game that is over, downloaded after its end.")
    rules = VERSIONS[whole.rules]
    return Film(
        record=whole,
        ruleset=described(rules),
        captions=Captions(**rules.captions(rules.deck(whole.deck))),
        perspectives={
            "all": steps(rules, whole, "all"),
            "bystander": steps(rules, whole, None),
            **{str(each.seat): steps(rules, whole, each.seat) for each in whole.seats},
        },
    )


def steps(rules: Rules, whole: Record[Any, Any, Any, Any], perspective: Perspective) -> tuple[Step[Any], ...]:
    found = list[Step[Any]]()
    seen, counted = Game(whole.id), None
    for entry in whole.events:
        shown = entry.event if perspective == "all" else game.redact(rules, entry.event, perspective)
        seen, patch = patches.step(rules, seen, shown)
        count = None if seen.state is None else rules.tally(seen.state)
        event = UNSET if shown is entry.event else shown
        found.append(Step(patch, event, UNSET if found and count == counted else count))
        counted = count
    return tuple(found)


# --- films of records that somebody sends -------------------------------------------------------------------------

TIMEOUT = 10.0
"""Seconds for verifying a record that was sent and making its film."""
MAX_WAITING = 2
"""Records of a sender that wait at most."""
MAX_FILM = 32 * 2**20
"""The largest film that is made of a record that was sent, in bytes."""
MAX_MESSAGE = 64 * 1024
"""The largest message about what is wrong, in bytes."""
MAX_MEMORY = 2**30
"""The memory of the process that makes it, in bytes."""
COMMAND: Sequence[str] = ("-m", f"{interpreter.ROOT}service", "film", "-")
"""The arguments of the interpreter: what makes a film of the record on standard input."""

REJECTED = 1
"""Its exit status if a check of the record failed or the record is not complete; standard error says why."""


class InvalidRecord(Exception):
    """A check of the record failed. The message says which."""


class Busy(Exception):
    """The film was not ready in time, or is larger than the service allows."""


class Projector:
    """Makes films of records from outside: one at a time, each in a process of its own, which verifies it first.

    Nothing is kept. The process has no settings, and its time and memory are limited: a record is untrusted input.
    """

    def __init__(self, timeout: float = TIMEOUT) -> None:
        self._timeout = timeout
        self._queue = FairQueue(MAX_WAITING)

    async def film(self, text: bytes, sender: str = "") -> bytes:
        """The film of the record with this text, as JSON. Senders take turns. Raises `InvalidRecord`, `Busy` and
        `QueueFull`."""
        try:
            async with self._queue.turn(sender), asyncio.timeout(self._timeout):
                status, film, error = await _run(text)
        except TimeoutError:
            raise Busy(f"The film was not ready within {self._timeout:g} seconds.") from None
        if status == REJECTED:
            raise InvalidRecord(error.decode("utf-8", "replace").strip())
        if status != 0:
            raise Busy("The film could not be made within the limits of the service.")
        return film.removesuffix(b"\n")


async def _run(text: bytes) -> tuple[int, bytes, bytes]:
    """The exit status and the output of the process with this input. It does not outlive the call."""
    ours = interpreter.environment()
    environment = {name: value for name, value in ours.items() if not name.startswith("STAMMTISCH_")}
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *interpreter.command(COMMAND), stdin=pipe, stdout=pipe, stderr=pipe, env=environment
    )
    try:
        if hasattr(resource, "prlimit"):  # Linux
            resource.prlimit(process.pid, resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        _, film, error = await asyncio.gather(
            _write(process.stdin, text),
            _read(process.stdout, MAX_FILM, process.kill),
            _read(process.stderr, MAX_MESSAGE, process.kill),
        )
        return await process.wait(), film, error
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()  # `wait` would wait for output that nobody reads


async def _write(stream: asyncio.StreamWriter, text: bytes) -> None:
    with suppress(ConnectionError):  # the process ended early; its status says why
        stream.write(text)
        await stream.drain()
        stream.close()


async def _read(stream: asyncio.StreamReader, most: int, stop: Callable[[], None]) -> bytes:
    """Everything in the stream. Calls `stop` if that is more than is allowed."""
    found = bytearray()
    while piece := await stream.read(2**16):
        if len(found) <= most:
            found += piece
            if len(found) > most:
                stop()
    return bytes(found)


def encoded_film(whole: Record[Any, Any, Any, Any]) -> bytes:
    """The film of a valid record as JSON. Raises `NotFilmable`."""
    return encode(film_of(whole))
