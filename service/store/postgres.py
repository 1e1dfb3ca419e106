"""The log in PostgreSQL: a persistence module of the eventsourcing library, its own one made faster.

Everybody who appends takes the library's table lock first, so positions appear in the order of the commits and nobody
who follows the log misses one. The tables are the library's; its functions in the database, which do without the lock,
are never used.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import psycopg
from eventsourcing import postgres
from eventsourcing.persistence import InterfaceError, Notification, OperationalError, PersistenceError, StoredEvent
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Composable, Identifier

from projections.database import SILENCE_TIMEOUT, CircuitBreaker, PostgresConnection

T = TypeVar("T")

Error = psycopg.Error

Part: TypeAlias = tuple[str, int, int]
"""Of a stream: what is behind this version, up to that one."""

POSTGRES_TIMEOUT = 2
"""Seconds of waiting for a connection, and for a lock; an append may take both."""

SESSION: dict[str, Any] = {
    "connect_timeout": POSTGRES_TIMEOUT,
    # A connection over which nothing comes any more is given up, wherever the network has lost it.
    "tcp_user_timeout": 1000 * 2 * POSTGRES_TIMEOUT,
    "keepalives_idle": 10,
    # The server is the first to give up what takes it long: so its connection can be used again.
    "options": f"-c lock_timeout={POSTGRES_TIMEOUT}s -c statement_timeout={SILENCE_TIMEOUT - 1:g}s -c jit=off",
    "application_name": "stammtisch",
}
"""What connections have that the URL says nothing else about."""

TABLE = "stammtisch_events"

MIGRATION = 0x4D696772617465  # whatever number nobody else in the database locks
LAST = 2**63 - 1


def environment(url: str, connections: int) -> dict[str, str]:
    """The event store's configuration. The tables must be there: `migrate`."""
    # The library asks for the parts of the URL; ours says all of it, also what the library knows no name for.
    parts = dict.fromkeys(("POSTGRES_DBNAME", "POSTGRES_HOST", "POSTGRES_USER", "POSTGRES_PASSWORD"), "")
    return parts | {
        "PERSISTENCE_MODULE": f"{__name__}:Factory",
        "POSTGRES_URL": url,
        "POSTGRES_POOL_SIZE": str(connections),
        "POSTGRES_MAX_OVERFLOW": "0",
        "POSTGRES_SCHEMA": "public",
        "POSTGRES_CONNECT_TIMEOUT": str(POSTGRES_TIMEOUT),
        "POSTGRES_ENABLE_DB_FUNCTIONS": "n",
        "CREATE_TABLE": "n",
    }


def _session(url: str) -> dict[str, Any]:
    return {**SESSION, **conninfo_to_dict(url)}


class Recorder(postgres.PostgresApplicationRecorder):
    """The library's recorder, but with one round trip for a whole batch, leaner in reading, and quick to give up."""

    def __init__(self, datastore: postgres.PostgresDatastore, *, events_table_name: str = TABLE) -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self._line = CircuitBreaker()

        def statement(text: str) -> bytes:
            table: Composable = Identifier(datastore.schema, events_table_name)
            return SQL(text).format(table=table).as_bytes()

        self._lock = statement("LOCK TABLE {table} IN EXCLUSIVE MODE")
        self._insert = statement(
            "INSERT INTO {table} (originator_id, originator_version, topic, state) "
            "SELECT * FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::bytea[]) RETURNING notification_id"
        )
        # Each stream is looked up by itself, by the primary key, whatever the planner thinks of the table.
        self._states = statement(
            "SELECT number, topic, state FROM unnest(%b::text[], %b::bigint[], %b::bigint[]) WITH ORDINALITY "
            "AS wanted (stream, after, upto, number), LATERAL ("
            "    SELECT * FROM {table} WHERE originator_id = stream "
            "    AND originator_version > after AND originator_version <= upto OFFSET 0"
            ") AS found ORDER BY number, originator_version"
        )
        self._notifications = statement(
            "SELECT notification_id, originator_id, originator_version, topic, state FROM {table} "
            "WHERE notification_id > %b AND notification_id <= %b AND (%b OR topic = ANY(%b::text[])) "
            "ORDER BY notification_id LIMIT %b"
        )
        self._sizes = statement(
            "SELECT coalesce(size, 0)::bigint FROM unnest(%b::text[], %b::bigint[]) WITH ORDINALITY "
            "AS wanted (stream, upto, number), LATERAL ("
            "    SELECT sum(octet_length(state)) AS size FROM {table} "
            "    WHERE originator_id = stream AND originator_version <= upto"
            ") AS found ORDER BY number"
        )
        self._last = statement("SELECT max(notification_id) FROM {table}")

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        """Append. When the connection is lost it may have happened all the same: then the second try conflicts."""
        if not stored_events:
            return ()
        rows = ((str(e.originator_id), e.originator_version, e.topic, e.state) for e in stored_events)
        columns = [*map(list, zip(*rows, strict=True))]
        return self._tried(lambda connection: self._append(connection, columns))

    def _append(self, connection: psycopg.Connection[Any], columns: Sequence[Any]) -> Sequence[int]:
        with connection.pipeline(), connection.cursor(binary=True, row_factory=tuple_row) as inserted:
            connection.execute(b"BEGIN")
            connection.execute(self._lock)
            inserted.execute(self._insert, columns, prepare=True)
            connection.execute(b"COMMIT")
            return [position for (position,) in inserted.fetchall()]

    def probe(self) -> None:
        """Commit a row that is taken back: a real write that nobody sees. Raises where an append would fail."""

        def write(connection: psycopg.Connection[Any]) -> None:
            with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                cursor.execute(b"BEGIN")
                cursor.execute(b"SAVEPOINT probe")
                cursor.execute(self._insert, [["probe"], [0], ["probe"], [b""]])
                cursor.execute(b"ROLLBACK TO probe")
                cursor.execute(b"COMMIT")

        self._tried(write)

    def select_states(self, wanted: Sequence[Part]) -> list[list[tuple[str, bytes]]]:
        """Topics and states of all these parts of streams, in one question."""
        found: list[list[tuple[str, bytes]]] = [[] for _ in wanted]
        columns = [*map(list, zip(*wanted, strict=True))]
        for number, topic, state in self._fetched(self._states, *columns):
            found[number - 1].append((topic, state))
        return found

    def select_sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        """How many bytes the states of each stream take up to that version."""
        streams, versions = map(list, zip(*parts, strict=True))
        return [size for (size,) in self._fetched(self._sizes, streams, versions)]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        after = 0 if start is None else start - inclusive_of_start
        upto = LAST if stop is None else stop
        rows = self._fetched(self._notifications, after, upto, not topics, list(topics), limit)
        return [
            Notification(id=position, originator_id=stream, originator_version=version, topic=topic, state=state)
            for position, stream, version, topic, state in rows
        ]

    def max_notification_id(self) -> int | None:
        last: int | None = self._fetched(self._last)[0][0]
        return last

    def _fetched(self, statement: bytes, *asked: Any) -> list[tuple[Any, ...]]:
        def fetch(connection: psycopg.Connection[Any]) -> list[tuple[Any, ...]]:
            with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                return cursor.execute(statement, asked, prepare=True).fetchall()

        return self._tried(fetch)

    def _tried(self, work: Callable[[psycopg.Connection[Any]], T]) -> T:
        """That the server has gone away shows when a connection is used: then all are looked at, and one is used again.

        The library would go on trying for long; whoever asks had rather know soon.
        """
        try:
            return self._once(work)
        except _Broken:
            self.datastore.pool.check()
            return self._once(work)

    def _once(self, work: Callable[[psycopg.Connection[Any]], T]) -> T:
        """Raises `_Broken` if the connection turned out to be of no use."""
        self._line.check()
        used: psycopg.Connection[Any] | None = None
        try:
            with self.datastore.get_connection() as used:
                return work(used)
        except (InterfaceError, OperationalError) as error:
            if used is None:
                self._line.open()
            elif isinstance(used, PostgresConnection) and used.timed_out:
                self._line.open()
                self.datastore.pool.drain()  # the others would be silent, too
            elif used.closed:
                raise _Broken(str(error)) from error
            raise


class _Broken(OperationalError):
    """The connection was lost before it was used, or while it was."""


class Factory(postgres.PostgresFactory):
    """Configured by POSTGRES_URL, which may say whatever libpq understands."""

    application_recorder_class = Recorder

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        pool = self.datastore.pool
        assert isinstance(pool.kwargs, dict)
        pool.connection_class = PostgresConnection
        pool.kwargs = {"row_factory": pool.kwargs["row_factory"], **_session(self.env.get("POSTGRES_URL") or "")}
        # The pool would try ever more rarely to reach a server that is away. Like this it gives up soon, and tries anew
        # for whoever asks next.
        pool.reconnect_timeout = POSTGRES_TIMEOUT


# --- migration ----------------------------------------------------------------------------------------------------


def is_migrated(url: str) -> bool:
    """Whether the log's table is there."""
    with PostgresConnection.connect(**_session(url)) as connection:
        row = connection.execute("SELECT to_regclass(%s)", (f"public.{TABLE}",)).fetchone()
        return row is not None and row[0] is not None


def migrate(url: str, then: Callable[[], None]) -> None:
    """Make the log's tables where they are missing, and `then` the others. Of several processes one does, the others
    wait for it."""
    with psycopg.connect(**_session(url)) as connection:  # whoever waits for another one waits
        connection.autocommit = True
        connection.execute("SET lock_timeout = 0; SET statement_timeout = 0")
        connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATION,))
        factory = Factory({**environment(url, 1), "CREATE_TABLE": "y", "ORIGINATOR_ID_TYPE": "text"})
        try:
            Recorder(factory.datastore).create_table()
        except PersistenceError as error:
            raise Error(str(error)) from error
        finally:
            factory.close()
        then()
