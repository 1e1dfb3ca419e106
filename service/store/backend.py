"""What the event store needs from a database. `sqlite`, `postgres` and `library` implement it."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from service.store.errors import Unavailable
from service.store.rows import RowMapper
from service.store.writer import OnCommit, Writer

T = TypeVar("T")

LAST_VERSION = 2**63 - 1
"""No version is higher."""


class Recorder(Protocol):
    """The methods of the library's recorders that all backends share. They block."""

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Any]: ...

    def max_notification_id(self) -> int | None: ...

    def select_events(self, originator_id: str, *, lte: int | None = None) -> Sequence[Any]: ...


class Backend(Protocol):
    """An open event log in one kind of database. Built and used in a running event loop."""

    mapper: RowMapper

    @property
    def recorder(self) -> Recorder: ...

    def check(self) -> None:
        """Raises `OSError` if the database file is missing or is not the file that was opened."""

    def check_free_space(self) -> None:
        """Raises `OSError` if the disk of the database file is full."""

    def probe(self) -> None:
        """Write something that no reader sees. Raises any exception if appends cannot be committed. Blocks."""

    def start_writer(self, on_commit: OnCommit) -> Writer:
        """A writer that commits appends and reports their outcomes to `on_commit`."""

    def read(self, stream: str, after: int, upto: int | None) -> Awaitable[list[Any]]:
        """The values of the stream from version `after + 1` up to version `upto`. Raises `Unavailable`."""

    def load(self, stream: str, build: Callable[[list[Any]], T]) -> Awaitable[T]:
        """What `build` returns for all values of the stream. It runs in the thread that reads, unless that thread
        serves several reads at once. Raises `Unavailable`."""

    def sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        """The stored bytes of streams, each up to a version. Raises any exception. Blocks."""

    def last(self, streams: Sequence[str]) -> list[bytes | None]:
        """The state of the last event of each stream; None if there is no such stream. Raises any exception. Blocks."""

    def time(self) -> int | None:
        """The time of the database's clock, in microseconds from 1970; None if it is the clock of this machine. Raises
        any exception. Blocks."""

    async def close(self) -> None: ...


def query(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a recorder, or a method of a backend that blocks. Any failure raises `Unavailable`: the library lets some
    exceptions of the drivers through."""
    try:
        return call(*args, **kwargs)
    except Exception as error:
        raise Unavailable(str(error)) from error
