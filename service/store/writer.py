"""Who commits the appends while the event loop goes on: a thread, or a process of its own.

Both take appends in order, commit all that wait together and answer in the event loop. In a thread each batch has to
win the interpreter's lock from the event loop several times, and the event loop has to win it back: a move takes a
sixth longer.
"""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL
from collections import deque
from collections.abc import Callable, Sequence
from socket import socketpair
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec

from service.store.batch_worker import BatchWorker
from service.store.file_lock import held
from service.store.framing import FrameDecoder, framed
from service.store.group_commit import Conflict, GroupCommit, Outcome, Unavailable


class Append(NamedTuple):
    """Rows that are to be recorded, all or none, and whom that is told."""

    rows: Sequence[Any]
    done: asyncio.Future[None]


Answer: TypeAlias = Callable[[Sequence[Append], Sequence[Outcome]], None]
"""Tells how these appends have ended; called in the event loop."""


class Writer(Protocol):
    """Commits what it is given, and answers in the same order."""

    def put(self, append: Append) -> None: ...

    async def close(self) -> None:
        """Ends when everything is answered."""


async def caught_up(writer: Writer) -> None:
    """Until everything is answered that the writer has been given."""
    behind: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    writer.put(Append([], behind))
    await asyncio.wait([behind])
    behind.exception()  # asyncio would complain of one that nobody has asked for


class WriterThread:
    """A thread of this process."""

    def __init__(self, commit: GroupCommit, answer: Answer) -> None:
        self._commit = commit
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._batches = BatchWorker("store-writer", self._write)

    def put(self, append: Append) -> None:
        self._batches.put(append)

    async def close(self) -> None:
        """Ends when everything is answered."""
        await self._batches.close()

    def _write(self, appends: Sequence[Append]) -> None:
        outcomes = self._commit([append.rows for append in appends])
        self._loop.call_soon_threadsafe(self._answer, appends, outcomes)


class WriterProcess(asyncio.Protocol):
    """Writes in a process of its own, `store.writer_process`, started with the first append and after each loss."""

    def __init__(self, uri: str, seconds: float, check: Callable[[], None], answer: Answer) -> None:
        """For the database at `uri`, waiting so many seconds for a lock. `check` raises `OSError` where another file is
        in its place."""
        self._arguments = uri, str(seconds)
        self._check = check
        self._answer = answer
        self._loop = asyncio.get_running_loop()
        self._decode = msgspec.msgpack.Decoder(list[tuple[str, str] | None]).decode
        self._waiting: list[Append] = []
        self._sent: deque[Append] = deque()
        self._beginning: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._transport: asyncio.WriteTransport | None = None

    def put(self, append: Append) -> None:
        if not self._waiting:
            self._loop.call_soon(self._send)  # with all that comes in the same turn of the event loop
        self._waiting.append(append)

    async def close(self) -> None:
        """Ends when everything is answered."""
        if self._waiting or self._sent:
            await caught_up(self)
        if self._transport is not None:
            self._transport.close()
        if self._process is not None:
            await self._process.wait()

    def _send(self) -> None:
        if not self._waiting:
            return
        if self._transport is None:
            if self._beginning is None:
                self._beginning = self._loop.create_task(self._begin())
            return
        appends, self._waiting = self._waiting, []
        try:
            message = framed(msgspec.msgpack.encode([append.rows for append in appends]))
        except Exception as error:
            self._fail(appends, f"it cannot be sent: {error}")
        else:
            self._sent += appends
            self._transport.write(message)

    def _fail(self, appends: Sequence[Append], why: str) -> None:
        self._answer(appends, [Unavailable(why)] * len(appends))

    async def _begin(self) -> None:
        try:
            await self._connect()
        except Exception as error:
            self._beginning = None
            appends, self._waiting = self._waiting, []
            self._fail(appends, f"the writer cannot be started: {error}")

    async def _connect(self) -> None:
        self._check()
        ours, theirs = socketpair()
        try:
            with theirs:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-P", "-m", "service.store.writer_process", *self._arguments,
                    stdin=theirs.fileno(), stdout=DEVNULL,
                    # It imports what we do, from where we do, whatever lies in the working directory.
                    env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                    start_new_session=True,  # Ctrl-C is for us
                    pass_fds=held(),  # no other service begins before it has ended
                )  # fmt: skip
            await self._loop.create_unix_connection(lambda: self, sock=ours)
        except BaseException:
            ours.close()
            raise

    # --- what asyncio tells ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._beginning = None
        self._transport, self._frames = transport, FrameDecoder()  # type: ignore[assignment]
        self._send()

    def data_received(self, data: bytes) -> None:
        for message in self._frames.of(data):
            outcomes = [_outcome(told) for told in self._decode(message)]
            self._answer([self._sent.popleft() for _ in outcomes], outcomes)

    def connection_lost(self, _: Exception | None) -> None:
        self._transport = None
        lost, self._sent = self._sent, deque()
        self._fail(lost, "the writer is gone")


def _outcome(told: tuple[str, str] | None) -> Outcome:
    """As it was before `writer_process.told`."""
    if told is None:
        return None
    kind, text = told
    return Conflict(text) if kind == Conflict.__name__ else Unavailable(text)
