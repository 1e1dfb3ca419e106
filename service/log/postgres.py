"""The event log in PostgreSQL: the library's persistence module, with a faster recorder.

Every append takes an advisory lock first. So positions appear in the order of the commits, and readers that follow the
log miss none. The library locks the table instead, which VACUUM and ANALYZE wait for, and appends for them. The tables
are the library's. Its database functions append without any lock; they are never used.

An asynchronous standby that is promoted has lost the last appends. Two checks keep games whole then: a row whose
predecessor is missing is refused, and the first connection to another timeline has all remembered games compared with
the log before anything more is appended.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import psycopg
from eventsourcing import postgres
from eventsourcing.persistence import InterfaceError, Notification, OperationalError, PersistenceError, StoredEvent
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Composable, Identifier

from service.log.connection import SILENCE_TIMEOUT, CircuitBreaker, PostgresConnection
from service.log.errors import Unavailable
from service.log.recorder import LAST_VERSION, LogRecorder, Span, States

T = TypeVar("T")

POSTGRES_TIMEOUT = 2
"""Seconds to wait for a connection, and again for a lock. An append may take both."""

SESSION: dict[str, Any] = {
    "connect_timeout": POSTGRES_TIMEOUT,
    # Closes a connection that the network has lost, wherever that was.
    "tcp_user_timeout": 1000 * 2 * POSTGRES_TIMEOUT,
    "keepalives_idle": 10,
    # The server times out before the client, so the connection stays usable.
    "options": f"-c lock_timeout={POSTGRES_TIMEOUT}s -c statement_timeout={SILENCE_TIMEOUT - 1:g}s -c jit=off",
    "application_name": "stammtisch",
}
"""Parameters of all connections; the URL overrides them."""

TABLE = "stammtisch_events"

MIGRATION = 0x4D696772617465
APPEND = 0x417070656E64
"""The numbers of the advisory locks; any that nothing else in the database uses."""


LOCK = b"SELECT pg_advisory_xact_lock(%d)" % APPEND
TIMELINE = b"SELECT pg_walfile_name(pg_current_wal_lsn())"
"""The name of the current segment of the log, which begins with the timeline: eight digits. The control file lags."""


def environment(url: str, connections: int) -> dict[str, str]:
    """The configuration of the library. The tables must exist: `migrate`."""
    # The library requires the parts of the URL. `Factory` uses the whole URL, because it may have parameters that the
    # library does not support.
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


class Recorder(LogRecorder, postgres.PostgresApplicationRecorder):
    """The library's recorder, with one round trip for a batch, leaner reads, and short time-outs."""

    def __init__(self, datastore: postgres.PostgresDatastore, *, events_table_name: str = TABLE) -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self._circuit_breaker = CircuitBreaker()
        self._timeline = ""

        def statement(text: str) -> bytes:
            table: Composable = Identifier(datastore.schema, events_table_name)
            return SQL(text).format(table=table).as_bytes()

        sequence = f"{datastore.schema}.{events_table_name}_notification_id_seq"
        # A row without its predecessor gets no position. NOT NULL fails then, so the append does, as a conflict.
        self._insert = statement(
            "INSERT INTO {table} (originator_id, originator_version, topic, state, notification_id) "
            "SELECT stream, version, topic, state, CASE WHEN before = 0 OR EXISTS ("
            "    SELECT FROM {table} WHERE originator_id = stream AND originator_version = before"
            f") THEN nextval('{sequence}') END "
            "FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::bytea[], %b::bigint[]) "
            "AS given (stream, version, topic, state, before) RETURNING notification_id"
        )
        # LATERAL with OFFSET 0 makes the planner look up each stream by the primary key.
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
        self._last_states = statement(
            "SELECT number, state FROM unnest(%b::text[]) WITH ORDINALITY AS wanted (stream, number), LATERAL ("
            "    SELECT state FROM {table} WHERE originator_id = stream ORDER BY originator_version DESC LIMIT 1"
            ") AS found ORDER BY number"
        )
        self._last = statement("SELECT max(notification_id) FROM {table}")

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        """Append. If the connection is lost after the commit, the retry raises `IntegrityError`."""
        if not stored_events:
            return ()
        rows, given = [], dict[str, int]()
        for event in stored_events:
            stream, version = str(event.originator_id), event.originator_version
            # The predecessor that must be stored already; 0 if there is none, or if it is among these rows.
            before = 0 if version <= 1 or given.get(stream) == version - 1 else version - 1
            rows.append((stream, version, event.topic, event.state, before))
            given[stream] = version
        columns = [*map(list, zip(*rows, strict=True))]
        return self._with_retry(lambda connection: self._append(connection, columns))

    def _append(self, connection: psycopg.Connection[Any], columns: Sequence[Any]) -> Sequence[int]:
        if self.promoted:
            raise OperationalError("another server was promoted; remembered games are compared with its log")
        with connection.pipeline(), connection.cursor(binary=True, row_factory=tuple_row) as inserted:
            connection.execute(b"BEGIN")
            connection.execute(LOCK)
            inserted.execute(self._insert, columns, prepare=True)
            connection.execute(b"COMMIT")
            return [position for (position,) in inserted.fetchall()]

    def probe(self) -> None:
        """Insert a row and roll it back to a savepoint: a real write that no reader sees. Fails if appends fail."""

        def write(connection: psycopg.Connection[Any]) -> None:
            with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                cursor.execute(b"BEGIN")
                cursor.execute(b"SAVEPOINT probe")
                cursor.execute(self._insert, [["probe"], [0], ["probe"], [b""], [0]])
                cursor.execute(b"ROLLBACK TO probe")
                cursor.execute(b"COMMIT")

        self._with_retry(write)

    def select_states(self, spans: Sequence[Span]) -> list[States]:
        found: list[States] = [[] for _ in spans]
        columns = [*map(list, zip(*spans, strict=True))]
        for number, topic, state in self._fetch(self._states, *columns):
            found[number - 1].append((topic, state))
        return found

    def select_sizes(self, parts: Sequence[tuple[str, int]]) -> list[int]:
        streams, versions = map(list, zip(*parts, strict=True))
        return [size for (size,) in self._fetch(self._sizes, streams, versions)]

    def select_last(self, streams: Sequence[str]) -> list[bytes | None]:
        found: list[bytes | None] = [None] * len(streams)
        for number, state in self._fetch(self._last_states, list(streams)):
            found[number - 1] = state
        return found

    def select_time(self) -> int:
        ((time,),) = self._fetch(b"SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
        return int(time)

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
        upto = LAST_VERSION if stop is None else stop
        rows = self._fetch(self._notifications, after, upto, not topics, list(topics), limit)
        return [
            Notification(id=position, originator_id=stream, originator_version=version, topic=topic, state=state)
            for position, stream, version, topic, state in rows
        ]

    def max_notification_id(self) -> int | None:
        last: int | None = self._fetch(self._last)[0][0]
        return last

    def _fetch(self, statement: bytes, *parameters: Any) -> list[tuple[Any, ...]]:
        def fetch(connection: psycopg.Connection[Any]) -> list[tuple[Any, ...]]:
            with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                return cursor.execute(statement, parameters, prepare=True).fetchall()

        return self._with_retry(fetch)

    def _with_retry(self, work: Callable[[psycopg.Connection[Any]], T]) -> T:
        """A lost connection shows only when it is used. Then check all connections of the pool, and try once more.

        The library would retry for a long time; callers need an early error.
        """
        try:
            return self._once(work)
        except _Broken:
            self.datastore.pool.check()
            return self._once(work)

    def _once(self, work: Callable[[psycopg.Connection[Any]], T]) -> T:
        """Raises `_Broken` if the connection was lost."""
        self._circuit_breaker.check()
        used: psycopg.Connection[Any] | None = None
        try:
            with self.datastore.get_connection() as used:
                self._check_timeline(used)
                return work(used)
        except (InterfaceError, OperationalError) as error:
            if used is None:
                self._circuit_breaker.open()
            elif isinstance(used, PostgresConnection) and used.timed_out:
                self._circuit_breaker.open()
                self.datastore.pool.drain()  # the other connections are silent, too
            elif used.closed:
                raise _Broken(str(error)) from error
            raise

    def _check_timeline(self, connection: psycopg.Connection[Any]) -> None:
        """Notice the first use of a connection to another timeline than before: a standby was promoted."""
        if not isinstance(connection, PostgresConnection) or connection.timeline:
            return
        with connection.cursor(row_factory=tuple_row) as cursor:
            ((segment,),) = cursor.execute(TIMELINE).fetchall()
        connection.timeline = segment[:8]
        if self._timeline and self._timeline != connection.timeline:
            self.promoted = True
            self.on_promotion()
        self._timeline = connection.timeline


class _Broken(OperationalError):
    """The connection was lost before it was used, or while it was."""


class Factory(postgres.PostgresFactory):
    """The library's persistence module for PostgreSQL. POSTGRES_URL may have any parameter of libpq."""

    application_recorder_class = Recorder

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        pool = self.datastore.pool
        assert isinstance(pool.kwargs, dict)
        pool.connection_class = PostgresConnection
        pool.kwargs = {"row_factory": pool.kwargs["row_factory"], **_session(self.env.get("POSTGRES_URL") or "")}
        # The pool would retry at growing intervals while the server is down. With this it fails early, and retries for
        # the next request.
        pool.reconnect_timeout = POSTGRES_TIMEOUT


# --- migration ----------------------------------------------------------------------------------------------------


def is_migrated(url: str) -> bool:
    """Whether the table of the log exists. Raises `Unavailable`."""
    try:
        with PostgresConnection.connect(**_session(url)) as connection:
            row = connection.execute("SELECT to_regclass(%s)", (f"public.{TABLE}",)).fetchone()
            return row is not None and row[0] is not None
    except psycopg.Error as error:
        raise Unavailable(str(error)) from error


def migrate(url: str, then: Callable[[], None]) -> None:
    """Create the tables of the log if they are missing, and call `then` for other tables. Processes take turns: each
    waits for the others. Raises `Unavailable`."""
    try:
        with psycopg.connect(**_session(url)) as connection:  # not our class: waiting for the lock may take long
            connection.autocommit = True
            connection.execute("SET lock_timeout = 0; SET statement_timeout = 0")
            connection.execute("SELECT pg_advisory_lock(%s)", (MIGRATION,))
            factory = Factory({**environment(url, 1), "CREATE_TABLE": "y", "ORIGINATOR_ID_TYPE": "text"})
            try:
                Recorder(factory.datastore).create_table()
            finally:
                factory.close()
            then()
    except (psycopg.Error, PersistenceError) as error:
        raise Unavailable(str(error)) from error
