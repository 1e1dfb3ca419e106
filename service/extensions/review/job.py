"""The process that makes a review. It gets the record on standard input, and nothing else.

It writes lines of JSON: progress, the first document and the final one, each when it is known. Its time and memory are
limited, and it gives way to the process that serves. When that has ended, its next line ends it, too.
"""

import asyncio
import resource
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Literal, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from domain.messages import Value
from service.process import interpreter, packages
from service.process.priority import give_way, keep_to_one_core

COMMAND: Sequence[str] = ("-m", f"{interpreter.ROOT}service", "review", "-", "--stream")
"""The arguments of the interpreter."""

MAX_LINE = 16 * 2**20
"""The largest document, in bytes."""
MAX_MEMORY = 2**30
"""Bytes."""
MAX_PROCESSOR_TIME = 1800
"""Seconds: more than the longest game takes that is reviewed, also on a slow machine."""
MAX_TIME = 1800.0
"""Seconds after which it is given up. On a busy machine it may get little of the processor, and others wait."""
SILENT = 50.0
"""Seconds without a line after which it is given up: less than the lease of the queue."""
MAX_ERROR = 4096
"""Bytes of standard error that are kept."""


class JobFailed(Exception):
    """The process has ended without the last document. The message says why, for the operator."""


class Progress(Value):
    """The progress of the work. `all` changes with the phase."""

    phase: Literal["waiting", "first", "refine", "accounts"]
    """`waiting`; then all choices are weighed, those that stand out are measured again, and so are those that the
    accounts need."""
    done: int = 0
    """The choices that this phase is done with."""
    all: int = 0
    """The choices of this phase; 0 while it is not known."""


class Document(NamedTuple):
    """The review, as far as it is."""

    state: Literal["first", "final"]
    text: bytes


class _Line(Value):
    phase: Literal["first", "refine", "accounts"] | UnsetType = UNSET
    done: int = 0
    all: int = 0
    state: Literal["first", "final"] | UnsetType = UNSET


_line = msgspec.json.Decoder(_Line)


@asynccontextmanager
async def _started(command: Sequence[str]) -> AsyncIterator[asyncio.subprocess.Process]:
    """The process. It does not outlive the context. Of the settings it has the names of packages with rules."""
    ours = interpreter.environment()
    environment = {
        name: value for name, value in ours.items() if not name.startswith("STAMMTISCH_") or name == packages.SETTING
    }
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *interpreter.command(command), stdin=pipe, stdout=pipe, stderr=pipe, env=environment, limit=MAX_LINE,
        start_new_session=True,
    )  # fmt: skip
    try:
        with suppress(ProcessLookupError):
            give_way(process.pid)
            keep_to_one_core(process.pid)
            if hasattr(resource, "prlimit"):  # Linux
                resource.prlimit(process.pid, resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (MAX_PROCESSOR_TIME, MAX_PROCESSOR_TIME))
        yield process
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()  # `wait` would wait for output that nobody reads


async def steps(
    record: bytes, options: Sequence[str], command: Sequence[str] | None = None
) -> AsyncGenerator[Progress | Document, None]:
    """What the process writes about this record, as it comes; at last the final document. Raises `JobFailed`."""
    async with _started([*(COMMAND if command is None else command), *options]) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        errors = asyncio.create_task(_tail(process.stderr))
        try:
            with suppress(ConnectionError):  # the process ended early; its status says why
                process.stdin.write(record)
                await process.stdin.drain()
                process.stdin.close()
            until = monotonic() + MAX_TIME
            while text := await _line_of(process.stdout, until):
                step = step_of(text)
                yield step
                if isinstance(step, Document) and step.state == "final":
                    return
            status = await process.wait()
            said = (await errors).decode("utf-8", "replace").strip()
            raise JobFailed(f"status {status}" if status >= 0 else f"signal {-status}", said)
        except TimeoutError:
            raise JobFailed(
                f"it takes more than {MAX_TIME:.0f} seconds"
                if monotonic() >= until
                else f"it has said nothing for {SILENT:.0f} seconds"
            ) from None
        except (ValueError, msgspec.MsgspecError) as error:
            raise JobFailed(f"its output is not as agreed: {error}") from None
        finally:
            errors.cancel()


async def _line_of(stream: asyncio.StreamReader, until: float) -> bytes:
    """Raises `TimeoutError`. In Python 3.11 `wait_for` loses a cancellation that comes together with the line."""
    async with asyncio.timeout(min(SILENT, until - monotonic())):
        return await stream.readline()


async def _tail(stream: asyncio.StreamReader) -> bytes:
    found = b""
    while piece := await stream.read(MAX_ERROR):
        found = (found + piece)[-MAX_ERROR:]
    return found


def step_of(text: bytes) -> Progress | Document:
    """What a line says. Raises `MsgspecError`."""
    line = _line.decode(text)
    if line.state is not UNSET:
        return Document(line.state, text.removesuffix(b"\n"))
    if line.phase is UNSET:
        raise msgspec.ValidationError("a line is neither progress nor a document")
    return Progress(line.phase, line.done, line.all)
