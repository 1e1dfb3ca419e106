"""Files of records: one record, or one per line (NDJSON), optionally compressed. `-` is stdin or stdout."""

import gzip
import io
import os
import shutil
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, NamedTuple, cast

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from domain.fairness.record import Unreadable
from domain.fairness.verification import Check
from service.cli.terminal import one_line
from service.settings import InvalidSettings

STDIO = "-"
"""The name of standard input or output."""

GZIP_MAGIC, ZSTD_MAGIC = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

MAX_TEXT = 64 * 2**20
"""The largest text of a record, in bytes. Those of the longest games have a third of that."""
ZSTD_LEVEL = 12
"""Records take 15 bytes for each event, at 30 MB/s; level 3: 21 at 430 MB/s, level 19: 13 at 1.6 MB/s."""
ZSTD_WINDOW_LOG = 27
"""The largest window of a stream that is read: 128 MiB, as by the program `zstd`."""


class RecordText(NamedTuple):
    """The text of a record, or the error that prevented reading it."""

    place: str
    """The name of the file, with the number of the line if the file has several records."""
    text: bytes | Unreadable
    bytes_read: int = 0
    """How far the file was read for it, compressed bytes included. 0 for a stream."""


# --- reading ------------------------------------------------------------------------------------------------------


def read_file(file: str) -> Iterator[RecordText]:
    """The records of a file. A single record may be spread over several lines."""
    try:
        with _input(file) as (_, text):
            first = next(_lines(text), b"")
            # The first line of a single record that is spread over several lines is incomplete.
            if (rest := text.peek(1)) and first.rstrip().endswith(b"}"):
                yield RecordText(f"{file}:1", first)
                for number, line in enumerate(_lines(text), 2):
                    if line.strip():
                        yield RecordText(f"{file}:{number}", line)
                return
            content = first + (text.read(MAX_TEXT) if rest else b"")
            if text.read(1):
                raise OSError(_TOO_LARGE)
    except _ERRORS as error:
        yield RecordText(file, _unreadable(error))
        return
    yield RecordText(file, content)


def stream_files(files: Sequence[str]) -> Iterator[RecordText]:
    """The records of files of any size, one per line."""
    for name in files:
        number, before = 0, 0
        try:
            with _input(name) as (raw, text):
                for number, line in enumerate(_lines(text), 1):
                    position = raw.tell() if raw.seekable() else 0
                    if line.strip():
                        yield RecordText(f"{name}:{number}", line, position - before)
                    before = position
        except _ERRORS as error:
            yield RecordText(f"{name}:{number + 1}" if number else name, _unreadable(error))


_ERRORS = OSError, EOFError, zlib.error, zstd.ZstdError
_TOO_LARGE = f"A record has more than {MAX_TEXT // 2**20} MiB."


def _unreadable(error: Exception) -> Unreadable:
    return Unreadable(str(getattr(error, "strerror", None) or error))


@contextmanager
def _input(name: str) -> Iterator[tuple[IO[bytes], io.BufferedReader]]:
    """The file as stored, and its decompressed content."""
    with ExitStack() as stack:
        stored = sys.stdin.buffer if name == STDIO else stack.enter_context(Path(name).open("rb"))
        raw = stored if isinstance(stored, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", stored))
        begin = raw.peek(len(ZSTD_MAGIC))
        if begin.startswith(GZIP_MAGIC):
            yield raw, cast("io.BufferedReader", stack.enter_context(gzip.GzipFile(fileobj=raw)))
        elif begin.startswith(ZSTD_MAGIC):
            text = zstd.ZstdFile(raw, options={zstd.DecompressionParameter.window_log_max: ZSTD_WINDOW_LOG})
            yield raw, cast("io.BufferedReader", stack.enter_context(text))
        else:
            yield raw, raw


def _lines(text: IO[bytes]) -> Iterator[bytes]:
    """The lines. Raises OSError for one that is too long, for example of a file that decompresses without end."""
    while line := text.readline(MAX_TEXT + 1):
        if len(line) > MAX_TEXT:
            raise OSError(_TOO_LARGE)
        yield line


def size(name: str) -> int:
    """The size of a regular file in bytes; 0 for anything else."""
    return Path(name).stat().st_size if name != STDIO and Path(name).is_file() else 0


# --- writing ------------------------------------------------------------------------------------------------------


@contextmanager
def open_output(name: str) -> Iterator[IO[bytes]]:
    """Open a file for writing, compressed if its name ends in `.gz` or `.zst`. Raises `InvalidSettings`.

    A regular file is replaced atomically when it is complete; symbolic links are followed. Devices, pipes, other
    special files, and everything below /dev and /proc are written to directly.
    """
    if name == STDIO:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        if _is_special(name):
            with Path(name).open("wb") as raw, _compressed(name, raw) as out:
                yield out
            return
        target = Path(name).resolve()
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with part.open("xb") as raw:
                with _compressed(name, raw) as out:
                    yield out
                raw.flush()
                os.fsync(raw.fileno())
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise InvalidSettings(f"{one_line(name)} cannot be written: {error.strerror or error}") from None


def _is_special(name: str) -> bool:
    """Whether the name is an existing file that is not regular, or below /dev or /proc."""
    path = Path(name)
    return name.startswith(("/dev/", "/proc/")) or (path.exists() and not path.is_file())


@contextmanager
def _compressed(name: str, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    if name.endswith(".zst"):
        with zstd.ZstdFile(raw, "wb", level=ZSTD_LEVEL) as packed:
            yield cast("IO[bytes]", packed)
    elif name.endswith(".gz"):
        # Without a name and a time in the header, the same games give the same file.
        with gzip.GzipFile("", "wb", 6, raw, mtime=0) as text:
            yield cast("IO[bytes]", text)
    else:
        yield raw


def wrong_checks(checks: Sequence[Check]) -> str:
    """The checks that failed, and where."""
    wrong = [check for check in checks if check.ok is False]
    places = ["" if check.version is None else f"version {check.version}: " for check in wrong]
    return "; ".join(f"{check.name}: {place}{check.detail}" for check, place in zip(wrong, places, strict=True))
