"""Writers commit appends while the event loop goes on: in a thread, or in a process of their own.

Both take appends in order, commit all waiting appends together and report the outcomes in the event loop. A thread has
to acquire the GIL from the event loop several times for each batch, and the event loop has to acquire it back: a move
takes a sixth longer.
"""

import asyncio
from asyncio.subprocess import DEVNULL
from collections import deque
from collections.abc import Callable, Sequence
from socket import socketpair
from typing import Any, Protocol, TypeAlias

import msgspec
from msgspec import Struct

from service.log.batch_worker import BatchWorker
from service.log.errors import Conflict, Unavailable
from service.log.group_commit import GroupCommit, Outcome
from service.log.writer_process import FrameDecoder, framed
from service.process import interpreter

SMALL_BATCH = 12
"""Appends in one commit. A larger one is not waited for: more appends would hardly lower the cost of each."""


class Append(Struct, frozen=True):
    """Rows to record, all or none, what takes the outcome, in the event loop, and the time from which it waits."""

    rows: Sequence[Any]
    done: Callable[[Outcome], None]
    started: float = 0.0


OnCommit: TypeAlias = Callable[[Sequence[Append], Sequence[Outcome]], None]
"""Takes appends and their outcomes, in the event loop. It passes each append its outcome."""


class Writer(Protocol):
    """Commits appends and reports their outcomes in the same order."""

    def put(self, append: Append) -> None: ...

    async def close(self) -> None:
        """Returns when every append is answered."""


async def all_answered(writer: Writer) -> None:
    """Returns when all appends up to now are answered."""
    answered = asyncio.Event()
    writer.put(Append([], lambda _: answered.set()))
    await answered.wait()


class WriterThread:
    def __init__(self, commit: GroupCommit, on_commit: OnCommit) -> None:
        self._commit = commit
        self._on_commit = on_commit
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Append] = []
        self._unanswered = 0
        """How many appends the thread has."""
        self._last_batch = 1
        """How many appends the last commit had."""
        self._batches = BatchWorker("store-writer", self._write)

    def put(self, append: Append) -> None:
        if not self._waiting:
            # With all appends of this iteration of the event loop. Otherwise the thread would wake up at the first one
            # and compete for the GIL with the requests behind it.
            self._loop.call_soon(self._gather)
        self._waiting.append(append)

    def _gather(self) -> None:
        if self._unanswered == 0 and len(self._waiting) < self._last_batch <= SMALL_BATCH:
            # Wait for the requests that the event loop finds next: probably as many come as last time, and a commit of
            # one append costs nearly as much as one of eight.
            self._loop.call_soon(self._send)
        else:
            self._send()

    def _send(self) -> None:
        if self._waiting:
            appends, self._waiting = self._waiting, []
            self._unanswered += len(appends)
            self._batches.put(appends)

    async def close(self) -> None:
        """Returns when every append is answered."""
        self._send()
        await self._batches.close()

    def _write(self, appends: Sequence[Append]) -> None:
        outcomes = self._commit([append.rows for append in appends])
        self._loop.call_soon_threadsafe(self._answer, appends, outcomes)

    def _answer(self, appends: Sequence[Append], outcomes: Sequence[Outcome]) -> None:
        self._last_batch = len(appends)
        self._unanswered -= self._last_batch
        self._on_commit(appends, outcomes)


class WriterProcess(asyncio.Protocol):
    """Commits in the process `service.log.writer_process`. It starts with the first append and after each loss."""

    def __init__(self, uri: str, lock_timeout: float, check: Callable[[], None], on_commit: OnCommit) -> None:
        """Writes to the SQLite database at `uri` and waits `lock_timeout` seconds for its lock. `check` raises
        `OSError` if another file has taken its place."""
        self._arguments = uri, str(lock_timeout)
        self._check = check
        self._on_commit = on_commit
        self._loop = asyncio.get_running_loop()
        self._decode = msgspec.msgpack.Decoder(list[tuple[str, str] | None]).decode
        self._waiting: list[Append] = []
        self._sent: deque[Append] = deque()
        self._starting: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._transport: asyncio.WriteTransport | None = None

    def put(self, append: Append) -> None:
        if not self._waiting:
            self._loop.call_soon(self._send)  # with all appends of this iteration of the event loop
        self._waiting.append(append)

    async def close(self) -> None:
        """Returns when every append is answered and the process has ended."""
        if self._waiting or self._sent:
            await all_answered(self)
        if self._transport is not None:
            self._transport.close()
        if self._process is not None:
            await self._process.wait()

    def _send(self) -> None:
        if not self._waiting:
            return
        if self._transport is None:
            if self._starting is None:
                self._starting = self._loop.create_task(self._start())
            return
        appends, self._waiting = self._waiting, []
        try:
            message = framed(msgspec.msgpack.encode([append.rows for append in appends]))
        except Exception as error:
            self._fail(appends, f"the append cannot be sent to the writer: {error}")
        else:
            self._sent += appends
            self._transport.write(message)

    def _fail(self, appends: Sequence[Append], reason: str) -> None:
        self._on_commit(appends, [Unavailable(reason)] * len(appends))

    async def _start(self) -> None:
        try:
            await self._connect()
        except Exception as error:
            self._starting = None
            appends, self._waiting = self._waiting, []
            self._fail(appends, f"the writer cannot be started: {error}")

    async def _connect(self) -> None:
        self._check()
        ours, theirs = socketpair()
        try:
            with theirs:
                self._process = await asyncio.create_subprocess_exec(
                    *interpreter.command(["-m", f"{interpreter.ROOT}service.log.writer_process", *self._arguments]),
                    stdin=theirs.fileno(), stdout=DEVNULL, env=interpreter.environment(),
                    start_new_session=True,  # Ctrl-C reaches this process only
                    pass_fds=interpreter.held(),  # such as the lock of the database
                )  # fmt: skip
            await self._loop.create_unix_connection(lambda: self, sock=ours)
        except BaseException:
            ours.close()
            raise

    # --- callbacks of asyncio.Protocol ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._starting = None
        self._transport, self._frames = transport, FrameDecoder()  # type: ignore[assignment]
        self._send()

    def data_received(self, data: bytes) -> None:
        for message in self._frames.feed(data):
            outcomes = list(map(decode_outcome, self._decode(message)))
            self._on_commit([self._sent.popleft() for _ in outcomes], outcomes)

    def connection_lost(self, _: Exception | None) -> None:
        self._transport = None
        lost, self._sent = self._sent, deque()
        self._fail(lost, "the writer has ended")


def decode_outcome(encoded: tuple[str, str] | None) -> Outcome:
    """The inverse of `writer_process.encode_outcome`."""
    if encoded is None:
        return None
    kind, text = encoded
    return Conflict(text) if kind == Conflict.__name__ else Unavailable(text)
