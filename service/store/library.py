"""The event log in any database for which the `eventsourcing` library has a persistence module.

The other backends are variants of this one. Only this module, `sqlite` and `postgres` import the library.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from eventsourcing.persistence import ApplicationRecorder, InfrastructureFactory, IntegrityError
from eventsourcing.utils import Environment

from service.store.backend import query
from service.store.errors import Unavailable
from service.store.group_commit import GroupCommit
from service.store.rows import RowMapper
from service.store.writer import OnCommit, Writer, WriterThread

T = TypeVar("T")

NAME = "stammtisch"
"""The library derives names of tables from it."""


class LibraryBackend:
    """Reads in threads of the event loop's executor and writes in a thread of its own.

    `env` configures the library, for example PERSISTENCE_MODULE; variables of the process's environment complete it.
    Raises `Unavailable`.
    """

    recorder: ApplicationRecorder

    def __init__(self, env: Mapping[str, str], mapper: RowMapper) -> None:
        env = {**os.environ, "ORIGINATOR_ID_TYPE": "text", **env}
        self.mapper = mapper
        self._loop = asyncio.get_running_loop()
        try:
            self._factory = InfrastructureFactory.construct(Environment(NAME, env))
            self.recorder = self._factory.application_recorder()
        except Exception as error:
            raise Unavailable(str(error)) from error

    def check(self) -> None:
        """Only a file can be replaced unnoticed."""

    def check_free_space(self) -> None:
        """Only a file is on a disk of this machine."""

    def probe(self) -> None:
        """The library has no write that no reader sees."""

    def start_writer(self, on_commit: OnCommit) -> Writer:
        return WriterThread(GroupCommit(self._insert, IntegrityError), on_commit)

    def read(self, stream: str, after: int, upto: int | None) -> Awaitable[list[Any]]:
        return self._loop.run_in_executor(None, self._read, stream, after, upto)

    def load(self, stream: str, build: Callable[[list[Any]], T]) -> Awaitable[T]:
        return self._loop.run_in_executor(None, self._load, stream, build)

    def sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        found = (self.recorder.select_events(stream, lte=upto) for stream, upto in parts)
        return [sum(len(event.state) for event in events) for events in found]

    def last(self, streams: Sequence[str]) -> list[bytes | None]:
        found = (self.recorder.select_events(stream, desc=True, limit=1) for stream in streams)
        return [events[0].state if events else None for events in found]

    def time(self) -> int | None:
        """The library does not ask for the time."""
        return None

    async def close(self) -> None:
        self._factory.close()

    def _insert(self, rows: Sequence[Any]) -> None:
        self.recorder.insert_events(rows)

    def _read(self, stream: str, after: int, upto: int | None) -> list[Any]:
        events = query(self.recorder.select_events, stream, gt=after, lte=upto)
        return self.mapper.values([(event.topic, event.state) for event in events])

    def _load(self, stream: str, build: Callable[[list[Any]], T]) -> T:
        return build(self._read(stream, 0, None))
