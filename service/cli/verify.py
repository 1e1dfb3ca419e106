"""The command `verify`: what a record claims is checked here, with nothing but the record and the rules.

A file holds one record, or one on each line, compressed or not. Everything is checked, the rules are carried out again.
"""

import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from domain.fairness.record import Record, Unreadable, decode
from domain.fairness.verification import Check, flawless, verify
from service.terminal import harmless, one_line

GZIP = b"\x1f\x8b"
RIGHT, WRONG, UNREADABLE = 0, 1, 2
"""Exit statuses; the gravest of all records counts."""

MARKS = {True: "ok", False: "WRONG", None: "?"}


def verify_files(files: Sequence[str], *, head: str | None = None, as_json: bool = False) -> int:
    """Checks the records in the files (`-`: the standard input) and says so; the exit status."""
    status = RIGHT
    for file in files:
        for place, text in texts(file):
            try:
                if isinstance(text, Exception):
                    raise Unreadable(str(text))
                record = decode(text)
            except Unreadable as error:
                sys.stderr.write(one_line(f"{place}: {error}") + "\n")
                status = UNREADABLE
                continue
            checks = verify(record, head=head)
            status = max(status, RIGHT if flawless(checks) else WRONG)
            sys.stdout.write(in_json(place, record, checks) if as_json else in_words(place, record, checks))
    return status


def texts(file: str) -> Iterator[tuple[str, bytes | Exception]]:
    """Every record's text, and where it stands; why there is none if it cannot be read."""
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        if content.startswith(GZIP):
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        yield file, error
        return
    lines = content.splitlines()
    # One record that is written on many lines begins with a line that is not yet the whole of it.
    if len(lines) > 1 and lines[0].rstrip().endswith(b"}"):
        yield from ((f"{file}:{number}", line) for number, line in enumerate(lines, 1) if line.strip())
    else:
        yield file, content


def in_words(place: str, record: Record[Any, Any, Any], checks: Sequence[Check]) -> str:
    """One line about the record, and one for each check."""
    verdict = "right" if all(check.ok for check in checks) else "nothing is wrong, but not all can be checked yet"
    lines = [f"{place}: {record.id}, {len(record.events)} events: {verdict if flawless(checks) else 'WRONG'}"]
    for check in checks:
        where = "" if check.version is None else f"version {check.version}: "
        lines.append(f"  {MARKS[check.ok]:6}{check.name:12}{where}{check.detail}")
    # Files, ids and names come from anywhere: a terminal must not obey them, and may not be able to write them.
    return "".join(harmless(line).encode("ascii", "backslashreplace").decode() + "\n" for line in lines)


def in_json(place: str, record: Record[Any, Any, Any], checks: Sequence[Check]) -> str:
    found = {"place": place, "id": record.id, "ok": flawless(checks), "checks": checks}
    # ASCII, and so without the control characters that JSON allows in strings.
    return json.dumps(to_builtins(found)).replace("\x7f", "\\u007f") + "\n"
