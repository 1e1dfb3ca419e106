"""What the log needs of a recorder beside the library's interface."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from eventsourcing.persistence import ApplicationRecorder, IntegrityError, Notification

from service.log.group_commit import GroupCommit
from service.log.mapper import StoredRow
from service.log.writer import OnCommit, Writer

LAST_VERSION = 2**63 - 1
"""No version is higher."""

Span: TypeAlias = tuple[str, int, int]
"""A stream, the version after which to read, and the last version to read."""

States: TypeAlias = list[tuple[str, bytes]]
"""Topics and states of events."""


class Reach(NamedTuple):
    """How far the log can be followed from a position on."""

    rows: int
    """Rows between that position and `upto`."""
    upto: int
    final: int
    """No row is added at or below this position any more. It never falls."""
    latest: int
    """The position of the last row that is committed. Readers reach it when the transactions before it have ended."""


class LogRecorder(ApplicationRecorder):
    """A recorder of the library with what `GameLog` asks for. All methods block, and raise any exception."""

    promoted = False
    """Whether the database is another one than before: appends may be lost. Appends fail until it is reset."""

    on_promotion: Callable[[], object]
    """Called in any thread when `promoted` is set."""

    def check(self) -> None:
        """Raises `OSError` if the database file is missing or is not the file that was opened."""

    def check_free_space(self) -> None:
        """Raises `OSError` if the disk of the database file is full."""

    def probe(self) -> None:
        """Write something that no reader sees. Raises an exception if appends cannot be committed."""

    def start_writer(self, on_commit: OnCommit) -> Writer:
        """A writer that commits appends and reports their outcomes to `on_commit`. Called in the event loop."""
        return Writer(GroupCommit(lambda rows: self.insert_events(rows), IntegrityError), on_commit)

    def select_states(self, spans: Sequence[Span]) -> list[States]:
        """The topics and states of each span, in the order of versions."""
        raise NotImplementedError

    def select_tagged(self, after: int, limit: int, upto: int, tags: Sequence[str]) -> Sequence[Notification]:
        """At most `limit` events after position `after` up to position `upto` whose topics end with one of the tags."""
        raise NotImplementedError

    def select_sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        """The bytes of the states of each stream up to a version."""
        raise NotImplementedError

    def select_last(self, streams: Sequence[str]) -> list[bytes | None]:
        """The state of the last event of each stream; None if there is no such stream."""
        raise NotImplementedError

    def select_versions(self, streams: Sequence[str]) -> list[int]:
        """The last version of each stream; 0 if there is no such stream."""
        raise NotImplementedError

    def select_reach(self, after: int, limit: int) -> Reach:
        """How far the log can be followed from position `after` on, for `limit` rows or a few less."""
        last = self.max_notification_id() or 0
        upto = max(after, min(last, after + limit))
        return Reach(upto - after, upto, last, last)

    def replace_rows(self, rows: Sequence[StoredRow], spans: Sequence[Span]) -> int:
        """Give existing rows other topics and states, and delete all rows of these spans, in one transaction. Returns
        the number of deleted rows."""
        raise NotImplementedError

    def select_time(self) -> int | None:
        """The time of the database's clock, in microseconds from 1970; None if it is the clock of this machine."""
        return None

    def close(self) -> None:
        """Close what the library does not close."""
