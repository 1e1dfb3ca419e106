"""The command `verify`: verifies records offline and replays their moves by the rules."""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from agents.review.hints import given
from domain.codec import encode
from domain.fairness.common_deal import same_deal
from domain.fairness.record import Record, Uncheckable, Unreadable, decode
from domain.fairness.verification import Check, flawless, verify
from domain.review import Hint
from service.cli.exit_status import ExitStatus
from service.cli.record_files import read_file
from service.cli.terminal import one_line, printable

MARKS = {True: "ok", False: "WRONG", None: "?"}
VERDICTS = {
    ExitStatus.OK: "right",
    ExitStatus.UNCHECKED: "nothing is wrong, but not all can be checked",
    ExitStatus.REJECTED: "WRONG",
}
"""By how bad they are."""


def run(arguments: Namespace) -> ExitStatus:
    return verify_files(
        arguments.files, head=arguments.head, as_json=arguments.json, same=arguments.same_deal, hints=arguments.hints
    )


def verify_files(
    files: Sequence[str], *, head: str | None = None, as_json: bool = False, same: bool = False, hints: bool = False
) -> ExitStatus:
    """Verify all records of the files and print the results. Returns the worst status of all records.

    `head` is a head that every record must contain. `same`: all records must be of one deal. `hints`: print the hints,
    too, if the record is complete and nothing is wrong. A record that cannot be read is rejected, as by `import`,
    unless it is of a protocol or rules that are not known here.
    """
    worst, deals = ExitStatus.OK, list[Record[Any, Any, Any, Any]]()
    for file in files:
        for place, text, _ in read_file(file):
            try:
                if isinstance(text, Unreadable):
                    raise text
                record = decode(text)
            except Unreadable as error:
                status = ExitStatus.UNCHECKED if isinstance(error, Uncheckable) else ExitStatus.REJECTED
                verdict = "Cannot be checked: " if isinstance(error, Uncheckable) else ""
                sys.stderr.write(one_line(f"{place}: {verdict}{error}") + "\n")
                if as_json:
                    sys.stdout.write(as_json_line(place, None, (), status, str(error)))
            else:
                checks = verify(record, head=head)
                if same:
                    deals.append(record)
                    checks += (same_deal(deals),) if len(deals) > 1 and flawless(checks) else ()
                status = status_of(checks)
                again = made_again(record, checks) if hints else ()
                line = as_json_line if as_json else as_text
                sys.stdout.write(line(place, record, checks, status, hints=again))
            worst = max(worst, status, key=list(VERDICTS).index)
    return worst


def made_again(record: Record[Any, Any, Any, Any], checks: Sequence[Check]) -> tuple[Hint[Any], ...]:
    """The hints that players got. None of a record that is wrong or redacted."""
    return tuple(given(record)) if record.secret is not None and flawless(checks) else ()


def status_of(checks: Sequence[Check]) -> ExitStatus:
    if not flawless(checks):
        return ExitStatus.REJECTED
    return ExitStatus.OK if all(check.ok for check in checks) else ExitStatus.UNCHECKED


def as_text(
    place: str, record: Record[Any, Any, Any, Any], checks: Sequence[Check], status: ExitStatus,
    hints: Sequence[Hint[Any]] = (),
) -> str:  # fmt: skip
    """One line for the record, and one for each check and hint."""
    lines = [f"{place}: {record.id}, {len(record.events)} events: {VERDICTS[status]}"]
    for check in checks:
        where = "" if check.version is None else f"version {check.version}: "
        lines.append(f"  {MARKS[check.ok]:6}{check.name:12}{where}{check.detail}")
    lines += [f"  hint  seat {each.seat}: {encode(each).decode()}" for each in hints]
    # Records are untrusted: escape everything that a terminal could interpret.
    return "".join(printable(line).encode("ascii", "backslashreplace").decode() + "\n" for line in lines)


def as_json_line(
    place: str, record: Record[Any, Any, Any, Any] | None, checks: Sequence[Check], status: ExitStatus,
    error: str | None = None, hints: Sequence[Hint[Any]] = (),
) -> str:  # fmt: skip
    """`error` says why the record cannot be read; it has no checks then."""
    game_id = record.id if record else None
    found: dict[str, Any] = {"place": place, "id": game_id, "status": status, "checks": checks, "error": error}
    found |= {"hints": hints} if hints else {}
    # ASCII, and so without the control characters that JSON allows in strings.
    return json.dumps(to_builtins(found)).replace("\x7f", "\\u007f") + "\n"
