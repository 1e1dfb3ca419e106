"""The live stream of a pairing, over SSE and in the play channel."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256

from domain.codec import encode
from service.core import Core
from service.extensions.pairings.pairings import Pairings
from service.extensions.pairings.resources import PairedTable, PairingChange, PairingResource
from service.extensions.pairings.rows import Pairing
from service.extensions.pairings.views import FRESH, Views
from service.log.errors import Unavailable
from service.server import streaming
from service.tasks import background

INTERVAL = 1.0
"""Seconds between two looks at a pairing that is followed in this process."""


def subject(id: str) -> str:
    """What followers of the pairing subscribe to."""
    return f"pairing:{id}"


class Watches:
    """Looks at the pairings that are followed in this process, each once for all its followers, and notifies them when
    something has changed. What each of them sees is computed only then."""

    def __init__(self, core: Core, pairings: Pairings, views: Views) -> None:
        self._core, self._pairings, self._views = core, pairings, views
        self._watching: dict[str, tuple[list[object], asyncio.Task[None]]] = {}

    @contextmanager
    def watch(self, id: str) -> Iterator[None]:
        """The pairing is looked at while the context is open."""
        if id not in self._watching:
            self._watching[id] = [], background(f"pairing {id}", lambda: self._look_at(id))
        follower, (followers, task) = object(), self._watching[id]
        followers.append(follower)
        try:
            yield
        finally:
            followers.remove(follower)
            if not followers:
                del self._watching[id]
                task.cancel()

    async def _look_at(self, id: str) -> None:
        known: object = None
        while True:
            with suppress(Unavailable):
                of = await self._pairings.find(id)
                field = await self._views.field(of, _age(of))
                if (seen := (of.state, of.settled, field._replace(read=0))) != known:
                    known = seen
                    self._core.subscriptions.notify(subject(id))
            await asyncio.sleep(INTERVAL)

    async def seen(self, id: str, viewer: str | None, *, first: bool) -> tuple[Pairing, PairingResource]:
        """The pairing now, for this viewer. Raises `Unavailable`."""
        found = await self._pairings.find(id)
        return found, await self._views.shown(found, viewer, age=0 if first else _age(found))


def _age(of: Pairing) -> float:
    return INTERVAL if of.day is None else FRESH


class Sent:
    """What a follower has of a pairing. `number`: the id of the last change."""

    def __init__(self, number: int | None = None) -> None:
        self.number = number
        self._tables: dict[int, PairedTable] = {}

    def news(self, seen: PairingResource) -> tuple[int, PairingChange] | None:
        """The next change and its id, unless the follower has everything; from now on they have it."""
        number = _number_of(seen)
        changed = number != self.number
        tables = tuple([each for each in seen.tables if self._tables.get(each.number) != each])
        self.number, self._tables = number, {each.number: each for each in seen.tables}
        return (number, PairingChange(seen.state, seen.deal, tables)) if changed else None


def _number_of(seen: PairingResource) -> int:
    """A number of what the stream has told, as the id of its events: the same in every process."""
    return int.from_bytes(sha256(encode((seen.state, seen.deal, seen.tables))).digest()[:6], "big")


async def changes(
    watches: Watches, core: Core, id: str, viewer: str | None, generation: int, place: str, known: int | None
) -> AsyncGenerator[bytes, None]:
    """`known`: the id of the last event that the client has."""
    sent = Sent(known)
    first = notified = True
    with core.subscriptions.subscribe(subject(id), viewer, place) as subscription, watches.watch(id):
        yield streaming.OPENING
        while not core.players.is_barred(viewer, generation):
            if notified:
                found, seen = await watches.seen(id, viewer, first=first)
                first = False
                if (news := sent.news(seen)) is not None:
                    number, change = news
                    core.subscriptions.delivered += 1
                    yield streaming.message(number, "change", encode(change))
                if found.settled:
                    return
            notified = await subscription.wait(streaming.KEEP_ALIVE)
            if not notified:
                yield streaming.COMMENT
