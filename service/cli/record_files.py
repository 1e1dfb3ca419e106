"""Files of records: one record, or one per line (NDJSON), optionally compressed with gzip. `-` is stdin or stdout."""

import gzip
import os
import shutil
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, cast

from domain.fairness.record import Unreadable
from service.cli.terminal import one_line
from service.settings import InvalidSettings

STDIO = "-"
"""The name of standard input or output."""

GZIP_MAGIC = b"\x1f\x8b"


class RecordText(NamedTuple):
    """The text of a record, or the error that prevented reading it."""

    place: str
    """The name of the file, with the number of the line if the file has several records."""
    text: bytes | Unreadable
    bytes_read: int = 0
    """How far the file was read for it, compressed bytes included. 0 for a stream."""


# --- reading ------------------------------------------------------------------------------------------------------


def read_file(file: str) -> Iterator[RecordText]:
    """The records of a small file. A single record may be spread over several lines."""
    try:
        content = sys.stdin.buffer.read() if file == STDIO else Path(file).read_bytes()
        if content.startswith(GZIP_MAGIC):
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        yield RecordText(file, _unreadable(error))
        return
    lines = content.splitlines()
    # The first line of a single record that is spread over several lines is incomplete.
    if len(lines) > 1 and lines[0].rstrip().endswith(b"}"):
        yield from (RecordText(f"{file}:{number}", line) for number, line in enumerate(lines, 1) if line.strip())
    else:
        yield RecordText(file, content)


def stream_files(files: Sequence[str]) -> Iterator[RecordText]:
    """The records of files of any size, one per line. Files are decompressed if their names end in `.gz`."""
    for name in files:
        number, before = 0, 0
        try:
            with _input(name) as (raw, lines):
                for number, line in enumerate(lines, 1):
                    position = raw.tell() if raw.seekable() else 0
                    if line.strip():
                        yield RecordText(f"{name}:{number}", line, position - before)
                    before = position
        except (OSError, EOFError, zlib.error) as error:
            yield RecordText(f"{name}:{number + 1}" if number else name, _unreadable(error))


def _unreadable(error: Exception) -> Unreadable:
    return Unreadable(str(getattr(error, "strerror", None) or error))


@contextmanager
def _input(name: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The file as stored, and its decompressed content."""
    if name == STDIO:
        yield sys.stdin.buffer, sys.stdin.buffer
        return
    with Path(name).open("rb") as raw:
        if not name.endswith(".gz"):
            yield raw, raw
            return
        with gzip.open(raw) as text:
            yield raw, cast("IO[bytes]", text)


def size(name: str) -> int:
    """The size of a regular file in bytes; 0 for anything else."""
    return Path(name).stat().st_size if name != STDIO and Path(name).is_file() else 0


# --- writing ------------------------------------------------------------------------------------------------------


@contextmanager
def open_output(name: str) -> Iterator[IO[bytes]]:
    """Open a file for writing, compressed if its name ends in `.gz`. Raises `InvalidSettings`.

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
    if not name.endswith(".gz"):
        yield raw
        return
    # Without a name and a time in the header, the same games give the same file.
    with gzip.GzipFile("", "wb", 6, raw, mtime=0) as text:
        yield cast("IO[bytes]", text)
