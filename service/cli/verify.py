"""The command `verify`: verifies records offline and replays their moves by the rules."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from domain.fairness.record import Record, Unreadable, decode
from domain.fairness.verification import Check, flawless, verify
from service.cli.exit_status import ExitStatus
from service.cli.record_files import read_file
from service.terminal import one_line, printable

MARKS = {True: "ok", False: "WRONG", None: "?"}


def run(arguments: Namespace) -> ExitStatus:
    """Verify all records of the files and print the results. Returns the highest status of all records. A record that
    cannot be read is rejected, as by `import`."""
    status, as_json = ExitStatus.OK, arguments.json
    for file in arguments.files:
        for place, text, _ in read_file(file):
            try:
                if isinstance(text, Unreadable):
                    raise text
                record = decode(text)
            except Unreadable as error:
                sys.stderr.write(one_line(f"{place}: {error}") + "\n")
                if as_json:
                    sys.stdout.write(as_json_line(place, None, (), str(error)))
                status = ExitStatus.REJECTED
                continue
            checks = verify(record, head=arguments.head)
            status = max(status, ExitStatus.OK if flawless(checks) else ExitStatus.REJECTED)
            sys.stdout.write(as_json_line(place, record, checks) if as_json else as_text(place, record, checks))
    return status


def as_text(place: str, record: Record[Any, Any, Any, Any], checks: Sequence[Check]) -> str:
    verdict = "right" if all(check.ok for check in checks) else "nothing is wrong, but not all can be checked yet"
    lines = [f"{place}: {record.id}, {len(record.events)} events: {verdict if flawless(checks) else 'WRONG'}"]
    for check in checks:
        where = "" if check.version is None else f"version {check.version}: "
        lines.append(f"  {MARKS[check.ok]:6}{check.name:12}{where}{check.detail}")
    # Records are untrusted: escape everything that a terminal could interpret.
    return "".join(printable(line).encode("ascii", "backslashreplace").decode() + "\n" for line in lines)


def as_json_line(
    place: str, record: Record[Any, Any, Any, Any] | None, checks: Sequence[Check], error: str | None = None
) -> str:
    """`error` says why the record cannot be read; it has no checks then."""
    ok, game_id = error is None and flawless(checks), record.id if record else None
    found = {"place": place, "id": game_id, "ok": ok, "checks": checks, "error": error}
    # ASCII, and so without the control characters that JSON allows in strings.
    return json.dumps(to_builtins(found)).replace("\x7f", "\\u007f") + "\n"
