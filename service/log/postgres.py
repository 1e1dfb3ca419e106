"""The event log in PostgreSQL: the library's persistence module, with a faster recorder.

Appends take no lock, so processes commit at the same time. A position is `base + (transaction id << BITS) + row`, and
readers that follow the log stop below the oldest transaction that still runs: everything there is final, because later
transactions have higher ids. So readers miss nothing, and one integer remains a cursor. The library locks the table
instead. The tables are the library's, without its sequence; its database functions are never used.

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
from psycopg.sql import SQL, Identifier

from domain.codec import encode
from service.log.connection import SILENCE_TIMEOUT, CircuitBreaker, PostgresConnection
from service.log.errors import Unavailable
from service.log.mapper import StoredRow
from service.log.recorder import LAST_VERSION, LogRecorder, Reach, Span, States

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
"""The number of the advisory lock; any that nothing else in the database uses."""

BASE = "stammtisch_base"
"""A function that returns a constant, which is added to all positions. Transaction ids begin again in a server that was
restored from a dump; then `migrate` raises it, so that positions go on rising."""

BITS = 14
"""Positions stay below 2**53, which JSON numbers can hold, for 2**39 transactions: 17 years at 1,000 per second."""

MOST = 2**BITS - 1
"""Rows with the same transaction id. A longer append takes further ids."""

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


def _position(transaction_id: str) -> str:
    """An SQL expression for the position before the first row of a transaction."""
    return f"{{schema}}.{BASE}() + (({transaction_id})::text::bigint << {BITS})"


class Recorder(LogRecorder, postgres.PostgresApplicationRecorder):
    """The library's recorder, with one round trip for a batch, leaner reads, and short time-outs."""

    def __init__(self, datastore: postgres.PostgresDatastore, *, events_table_name: str = TABLE) -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self._circuit_breaker = CircuitBreaker()
        self._timeline = ""

        def statement(text: str) -> bytes:
            schema, table = Identifier(datastore.schema), Identifier(datastore.schema, events_table_name)
            final = SQL(_position("pg_snapshot_xmin(pg_current_snapshot())")).format(schema=schema)
            return SQL(text).format(table=table, schema=schema, final=final).as_bytes()

        of_row = f"coalesce((%b::bigint[])[1 + (row - 1) / {MOST}]::text::xid8, pg_current_xact_id())"
        # A row without its predecessor gets no position. NOT NULL fails then, so the append does, as a conflict.
        # The ids are those of an append that is too long for one.
        self._insert = statement(
            "INSERT INTO {table} (originator_id, originator_version, topic, state, notification_id) "
            "SELECT stream, version, topic, state, CASE WHEN before = 0 OR EXISTS ("
            "    SELECT FROM {table} WHERE originator_id = stream AND originator_version = before"
            f") THEN {_position(of_row)} + 1 + (row - 1) %% {MOST} END "
            "FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::bytea[], %b::bigint[]) WITH ORDINALITY "
            "AS given (stream, version, topic, state, before, row) ORDER BY row RETURNING notification_id"
        )
        self._further_id = statement(
            "INSERT INTO {table} VALUES ('', 0, '', '', 0) "
            "RETURNING pg_current_xact_id()::text::bigint, xmin::text::bigint"
        )
        # LATERAL with OFFSET 0 makes the planner look up each stream by the primary key. psycopg would take longer to
        # encode arrays than for all the rest of the call.
        self._states = statement(
            "SELECT number, topic, state FROM json_array_elements(%b::text::json) WITH ORDINALITY "
            "AS wanted (span, number), LATERAL ("
            "    SELECT * FROM {table} WHERE originator_id = span ->> 0 "
            "    AND originator_version > (span ->> 1)::bigint AND originator_version <= (span ->> 2)::bigint OFFSET 0"
            ") AS found ORDER BY number, originator_version"
        )
        self._notifications = statement(
            "SELECT notification_id, originator_id, originator_version, topic, state FROM {table} "
            "WHERE notification_id > %b AND notification_id <= %b AND notification_id < {final} "
            "AND (%b OR topic = ANY(%b::text[])) ORDER BY notification_id LIMIT %b"
        )
        self._reach = statement(
            "SELECT count(*), max(position), {final} - 1, (SELECT max(notification_id) FROM {table}) FROM ("
            "    SELECT notification_id AS position FROM {table} "
            "    WHERE notification_id > %b AND notification_id < {final} ORDER BY notification_id LIMIT %b"
            ") AS found"
        )
        self._tagged = statement(
            "SELECT notification_id, originator_id, originator_version, topic, state FROM {table} "
            "WHERE notification_id > %b AND notification_id <= %b AND notification_id < {final} "
            "AND reverse(split_part(reverse(topic), '.', 1)) = ANY(%b::text[]) ORDER BY notification_id LIMIT %b"
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
        self._versions = statement(
            "SELECT coalesce((SELECT max(originator_version) FROM {table} WHERE originator_id = stream), 0) "
            "FROM unnest(%b::text[]) WITH ORDINALITY AS wanted (stream, number) ORDER BY number"
        )
        self._last = statement("SELECT max(notification_id) FROM {table} WHERE notification_id < {final}")
        self._replace = statement(
            "UPDATE {table} SET topic = given.topic, state = given.state "
            "FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::bytea[]) AS given (stream, version, topic, state) "
            "WHERE originator_id = stream AND originator_version = version AND {table}.topic <> given.topic"
        )
        self._delete = statement(
            "DELETE FROM {table} USING unnest(%b::text[], %b::bigint[], %b::bigint[]) AS given (stream, after, upto) "
            "WHERE originator_id = stream AND originator_version > after AND originator_version <= upto"
        )

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int]:
        """Append. If the connection is lost after the commit, the retry raises `IntegrityError`."""
        if not stored_events:
            return ()
        # Two batches that conflict twice would wait for each other, if their streams were not in the same order.
        order = sorted(range(len(stored_events)), key=lambda number: str(stored_events[number].originator_id))
        rows, given = [], dict[str, int]()
        for event in map(stored_events.__getitem__, order):
            stream, version = str(event.originator_id), event.originator_version
            # The predecessor that must be stored already; 0 if there is none, or if it is among these rows.
            before = 0 if version <= 1 or given.get(stream) == version - 1 else version - 1
            rows.append((stream, version, event.topic, event.state, before))
            given[stream] = version
        columns = [*map(list, zip(*rows, strict=True))]
        found = dict(zip(order, self._with_retry(lambda connection: self._append(connection, columns)), strict=True))
        return [found[number] for number in range(len(order))]

    def _append(self, connection: psycopg.Connection[Any], columns: Sequence[Sequence[Any]]) -> Sequence[int]:
        if self.promoted:
            raise OperationalError("another server was promoted; remembered games are compared with its log")
        if len(columns[0]) > MOST:
            return self._append_long(connection, columns)
        with connection.pipeline(), connection.cursor(binary=True, row_factory=tuple_row) as inserted:
            connection.execute(b"BEGIN")
            inserted.execute(self._insert, [None, *columns], prepare=True)
            connection.execute(b"COMMIT")
            return [position for (position,) in inserted.fetchall()]

    def _append_long(self, connection: psycopg.Connection[Any], columns: Sequence[Sequence[Any]]) -> Sequence[int]:
        """Append rows under several transaction ids: those of subtransactions that are rolled back, which nothing else
        gets. Rows of other appends may lie between these. No reader sees any before the transaction ends."""
        with connection.transaction(), connection.cursor(binary=True, row_factory=tuple_row) as cursor:
            ids: list[int] = []
            while len(ids) * MOST < len(columns[0]):
                with connection.transaction(force_rollback=True):
                    ((own, further),) = cursor.execute(self._further_id).fetchall()
                ids.append(own + (further - own) % 2**32 if ids else own)  # `xmin` has 32 bits
            return [position for (position,) in cursor.execute(self._insert, [ids, *columns]).fetchall()]

    def probe(self) -> None:
        """Insert a row and roll it back to a savepoint: a real write that no reader sees. Fails if appends fail."""

        def write(connection: psycopg.Connection[Any]) -> None:
            with connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                cursor.execute(b"BEGIN")
                cursor.execute(b"SAVEPOINT probe")
                cursor.execute(self._insert, [None, ["probe"], [0], ["probe"], [b""], [0]])
                cursor.execute(b"ROLLBACK TO probe")
                cursor.execute(b"COMMIT")

        self._with_retry(write)

    def select_states(self, spans: Sequence[Span]) -> list[States]:
        found: list[States] = [[] for _ in spans]
        for number, topic, state in self._fetch(self._states, encode(spans).decode()):
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

    def select_versions(self, streams: Sequence[str]) -> list[int]:
        return [version for (version,) in self._fetch(self._versions, list(streams))]

    def replace_rows(self, rows: Sequence[StoredRow], spans: Sequence[Span]) -> int:
        replaced, deleted = [*map(list, zip(*rows, strict=True))], [*map(list, zip(*spans, strict=True))]

        def change(connection: psycopg.Connection[Any]) -> int:
            if self.promoted:
                raise OperationalError("another server was promoted")
            with connection.transaction(), connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                cursor.execute(self._replace, replaced)
                return cursor.execute(self._delete, deleted).rowcount

        return self._with_retry(change)

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
        return self._notified(self._fetch(self._notifications, after, upto, not topics, list(topics), limit))

    def select_tagged(self, after: int, limit: int, upto: int, tags: Sequence[str]) -> Sequence[Notification]:
        return self._notified(self._fetch(self._tagged, after, upto, list(tags), limit))

    def _notified(self, rows: Sequence[tuple[Any, ...]]) -> list[Notification]:
        return [
            Notification(id=position, originator_id=stream, originator_version=version, topic=topic, state=state)
            for position, stream, version, topic, state in rows
        ]

    def select_reach(self, after: int, limit: int) -> Reach:
        ((rows, upto, final, latest),) = self._fetch(self._reach, after, limit)
        return Reach(rows, after if upto is None else upto, final, latest or 0)

    def max_notification_id(self) -> int | None:
        """The last position that readers reach."""
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


def _next() -> str:
    """An SQL expression for the position that no row has reached, unless the log is that of another server."""
    return _position("pg_snapshot_xmax(pg_current_snapshot())").format(schema="public")


def is_migrated(url: str) -> bool:
    """Whether the table of the log exists. Raises `Unavailable`."""
    return _state(url)[0]


def check(url: str) -> str | None:
    """Why the log cannot be used before `migrate`; None if it can. Raises `Unavailable`."""
    exists, current = _state(url)
    if not exists:
        return "it has no tables yet"
    return None if current else "its log is of another release, or was restored from a dump"


def _state(url: str) -> tuple[bool, bool]:
    """Whether the log exists, and whether its next positions are above all others. Raises `Unavailable`."""
    try:
        with PostgresConnection.connect(**_session(url)) as connection:
            found = connection.execute(
                f"SELECT to_regclass('public.{TABLE}') IS NOT NULL, to_regproc('public.{BASE}') IS NOT NULL"
            ).fetchone()
            assert found is not None
            return (True, _is_current(connection)) if all(found) else (found[0], False)
    except psycopg.Error as error:
        raise Unavailable(str(error)) from error


def _is_current(connection: psycopg.Connection[Any]) -> bool:
    row = connection.execute(f"SELECT coalesce(max(notification_id) < {_next()}, true) FROM public.{TABLE}").fetchone()
    return row is not None and bool(row[0])


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
            _set_base(connection)
            then()
    except (psycopg.Error, PersistenceError) as error:
        raise Unavailable(str(error)) from error


def _set_base(connection: psycopg.Connection[Any]) -> None:
    """Let the positions of the next appends lie above all others. The sequence goes: with it another release, or the
    library, would append behind the readers."""
    connection.execute(f"DROP SEQUENCE IF EXISTS public.{TABLE}_notification_id_seq CASCADE")
    create = f"FUNCTION public.{BASE}() RETURNS bigint STABLE LANGUAGE sql AS 'SELECT {{}}::bigint'"
    if connection.execute(f"SELECT to_regproc('public.{BASE}')").fetchone() == (None,):
        connection.execute("CREATE " + create.format(0))
    if not _is_current(connection):
        raised = (
            f"SELECT (max(notification_id) >> {BITS}) + 1 << {BITS}, {_next()} - public.{BASE}() FROM public.{TABLE}"
        )
        ((above, reached),) = connection.execute(raised).fetchall()
        connection.execute("CREATE OR REPLACE " + create.format(above - reached))
