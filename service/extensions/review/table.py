"""Reviews that are finished, and the queue of those to make. All processes share both.

One review is made at a time. A process claims it with a lease, which it renews; a review whose lease runs out is made
by another process. Networks (/48 of IPv6, /24 of IPv4) take turns: each review has a turn when it is queued, after the
one that is made and after all others of its network, and the smallest is next. So one network with much work delays
another one by one review besides the one that is made. A review that is made and that nobody has asked for lately ends
when others wait.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, structs
from sqlalchemy import Connection, Engine, Row, and_, delete, func, insert, select, update

from domain.game.clock import SECOND
from domain.review import Mean
from domain.ruleset import Seat
from projections.database import claiming, reading
from projections.lobby import LobbyGame
from projections.projection import Projection
from projections.schema import games, members
from service.extensions.review.schema import review_jobs, review_means, reviews
from service.live.network import wide_network
from service.live.shares import NoPlace, Shares

REVIEWS = Projection(
    name="reviews", version=2, tables=(reviews, review_jobs, review_means), apply=lambda _connection, _events: None
)
"""The tables. After an upgrade to another version they are empty, and reviews are made again."""

QUEUE_LOCK = 0x526576696577
"""The lock of the queue on a server: an arbitrary number that no other application in the database locks."""

MAX_KEPT = 256 * 2**20
"""Bytes of finished reviews. Those that nobody has read for longest are deleted."""
MAX_JOBS = 64
"""Reviews that wait or are made. When they are all taken, the network with most of them gives way to one with fewer."""
MAX_FAILED = 64
"""Reviews that have failed and are not tried again for some time."""
WAITING_OF_CALLER, WAITING_OF_NETWORK = 2, 16
"""Reviews that wait at most. Players of a site may share a network."""
FORGOTTEN = 60 * SECOND
"""A review that waits is dropped if nobody has asked for it for this time."""
LEASE = 60 * SECOND
"""How long a process has claimed a review, unless it renews that."""
TOUCHED = 15 * SECOND
"""How old the time of the last request may become before a request writes it: polling reads, and seldom writes."""
AGAIN = (0, 3600 * SECOND)
"""After how long a review is tried again that has failed once, and more often."""
PACES = 5
"""The latest reviews by whose pace the time of the next one is estimated."""


class Key(NamedTuple):
    """What a review follows from."""

    head: str
    plan: str
    format: str


def key_of(row: Row[Any]) -> Key:
    return Key(row.head, row.plan, row.format)


class Job(NamedTuple):
    """A review to make."""

    key: Key
    ruleset: str
    game: str
    events: int
    started: int = 0
    """When it was claimed."""


class Status(NamedTuple):
    """A review that is not finished, and those before it in the queue, which begin with the one that is made."""

    job: Row[Any]
    ahead: Sequence[Row[Any]]


class TooMany(Exception):
    """The queue takes no more reviews of this caller (`everybody`: of anybody) until those `ahead` are made."""

    def __init__(self, ahead: Sequence[Row[Any]], *, everybody: bool) -> None:
        super().__init__()
        self.ahead, self.everybody = ahead, everybody


class Failed(Exception):
    """The review has failed. It is tried again with the first request after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds


_JOBS = review_jobs.c
_LIGHT: Any = select(
    *[column for column in _JOBS if column is not _JOBS.first], _JOBS.first.is_not(None).label("has_first")
)
"""Without the documents."""


def _is(table: Any, key: Key) -> Any:
    columns = table.c
    return and_(columns.head == key.head, columns.plan == key.plan, columns.format == key.format)


@contextmanager
def _queue(engine: Engine) -> Iterator[Connection]:
    """A transaction that changes the queue. Others wait until it ends."""
    with claiming(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({QUEUE_LOCK})")
        yield connection


def finished(engine: Engine, key: Key, now: int) -> bytes | None:
    """The finished review, compressed."""
    with reading(engine) as connection:
        found = connection.execute(select(reviews.c.body, reviews.c.used).where(_is(reviews, key))).one_or_none()
    if found is None:
        return None
    if found.used < now - 60 * SECOND:
        with claiming(engine) as connection:
            connection.execute(update(reviews).where(_is(reviews, key)).values(used=now))
    body: bytes = found.body
    return body


def status(engine: Engine, key: Key, now: int) -> Status | None:
    """None if nobody has asked for it, or if it has failed and can be tried again."""
    with reading(engine) as connection:
        rows = connection.execute(_LIGHT).all()
    for row in rows:
        if key_of(row) == key and row.status != "failed":
            if row.asked < now - TOUCHED:
                with claiming(engine) as connection:
                    connection.execute(update(review_jobs).where(_is(review_jobs, key)).values(asked=now))
            return Status(row, _ahead(rows, row))
    return None


def touch(engine: Engine, games: Sequence[str], plan: str, format_: str, now: int) -> int:
    """Ask again for the reviews of these games that wait or are made. Their number."""
    with claiming(engine) as connection:
        chosen = and_(_JOBS.game.in_(games), _JOBS.plan == plan, _JOBS.format == format_, _JOBS.status != "failed")
        return connection.execute(update(review_jobs).where(chosen).values(asked=now)).rowcount


def hopeless(engine: Engine, plan: str, format_: str, now: int) -> set[str]:
    """The games whose reviews have failed and are not tried again yet."""
    with reading(engine) as connection:
        chosen = and_(_JOBS.plan == plan, _JOBS.format == format_, _JOBS.status == "failed", _JOBS.again > now)
        return {*connection.execute(select(_JOBS.game).where(chosen)).scalars()}


def first(engine: Engine, key: Key) -> bytes | None:
    """The first answer, compressed."""
    with reading(engine) as connection:
        found: bytes | None = connection.execute(select(_JOBS.first).where(_is(review_jobs, key))).scalar_one_or_none()
    return found


def _order(row: Row[Any]) -> tuple[bool, int, int, str]:
    return row.status != "running", row.turn, row.queued, row.head


def _ahead(rows: Sequence[Row[Any]], of: Row[Any] | None = None) -> list[Row[Any]]:
    active = [row for row in rows if row.status != "failed"]
    return sorted([row for row in active if of is None or _order(row) < _order(of)], key=_order)


def ask(engine: Engine, job: Job, caller: str, network: str, now: int) -> Status | None:
    """Queue the review, unless it is there already. None if it is finished. Raises `TooMany` and `Failed`."""
    with _queue(engine) as connection:
        # It may have been finished after the caller looked for it.
        if connection.execute(select(reviews.c.head).where(_is(reviews, job.key))).first() is not None:
            return None
        rows = _tidy(connection, now)
        failures = 0
        for row in rows:
            if key_of(row) != job.key:
                continue
            if row.status != "failed":
                return Status(row, _ahead(rows, row))
            if row.asked == 0 or row.again > now:  # the next request starts it again, and learns of the failure first
                broken = row
                break
            failures = row.failures
            connection.execute(delete(review_jobs).where(_is(review_jobs, job.key)))
        else:
            for evicted in _admit(rows, caller, network):
                connection.execute(delete(review_jobs).where(_is(review_jobs, evicted)))
                rows = [row for row in rows if key_of(row) != evicted]
            connection.execute(_new(job, rows, caller, network, failures, now))
            rows = connection.execute(_LIGHT).all()
            (row,) = [row for row in rows if key_of(row) == job.key]
            return Status(row, _ahead(rows, row))
        if broken.asked == 0:
            connection.execute(update(review_jobs).where(_is(review_jobs, job.key)).values(asked=now))
    raise Failed(max(0, broken.again - now) / SECOND)


def _new(job: Job, rows: Sequence[Row[Any]], caller: str, network: str, failures: int, now: int) -> Any:
    active = _ahead(rows)
    current = [row.turn for row in active if row.status == "running"] or [row.turn for row in active[:1]]
    theirs = [row.turn for row in active if wide_network(row.network) == wide_network(network)]
    turn = max(current + theirs, default=0) + 1
    return insert(review_jobs).values(
        **job.key._asdict(), ruleset=job.ruleset, game=job.game, events=job.events, caller=caller, network=network,
        status="waiting", turn=turn, queued=now, asked=now, claimed=0, started=0, phase="waiting", done=0, total=0,
        first=None, failures=failures, again=0,
    )  # fmt: skip


def _admit(rows: Sequence[Row[Any]], caller: str, network: str) -> list[Key]:
    """The reviews that give way to one of this network: if the queue is full, the latest of the network with most.
    Raises `TooMany`."""
    active = _ahead(rows)
    waiting = [row for row in active if row.status == "waiting"]
    for theirs, most in (
        ([row for row in waiting if row.caller == caller], WAITING_OF_CALLER),
        ([row for row in waiting if row.network == network], WAITING_OF_NETWORK),
    ):
        if len(theirs) >= most:
            raise TooMany(active[: active.index(theirs[0])], everybody=False)
    if len(active) < MAX_JOBS:
        return []
    shares = Shares[Key](len(waiting))
    for row in sorted(waiting, key=lambda row: row.turn):
        shares.add(row.network, key_of(row))
    try:
        return [shares.giving_way(network)]
    except NoPlace:
        raise TooMany(active[:1], everybody=True) from None


def _tidy(connection: Connection, now: int) -> Sequence[Row[Any]]:
    """Drop what nobody asks for any more. What remains."""
    connection.execute(delete(review_jobs).where(_JOBS.status == "waiting", _JOBS.asked < now - FORGOTTEN))
    rows = connection.execute(_LIGHT).all()
    failed = sorted([row for row in rows if row.status == "failed"], key=lambda row: row.queued)
    for row in failed[: max(0, len(failed) - MAX_FAILED)]:
        connection.execute(delete(review_jobs).where(_is(review_jobs, key_of(row))))
    return [row for row in rows if row.status != "failed" or row in failed[-MAX_FAILED:]]


def claim(engine: Engine, now: int) -> Job | None:
    """The review whose turn it is; None if one is made already, or none waits."""
    with _queue(engine) as connection:
        rows = _tidy(connection, now)
        for row in rows:
            if row.status == "running" and now < row.claimed <= now + 2 * LEASE:
                return None
            if row.status == "running":  # its process has ended; longer leases are of a clock that has been set back
                _has_failed(connection, key_of(row), now)
        rows = connection.execute(_LIGHT.where(_JOBS.status == "waiting")).all()
        if not rows:
            return None
        row = min(rows, key=_order)
        key = key_of(row)
        connection.execute(
            update(review_jobs).where(_is(review_jobs, key)).values(status="running", claimed=now + LEASE, started=now)
        )
        return Job(key, row.ruleset, row.game, row.events, now)


def waits(engine: Engine) -> bool:
    """Whether a review waits or is made."""
    with reading(engine) as connection:
        query = select(func.count()).select_from(review_jobs).where(_JOBS.status != "failed")
        return bool(connection.execute(query).scalar_one())


def advance(engine: Engine, key: Key, now: int, phase: str, done: int, total: int, first: bytes | None = None) -> bool:
    """Write the progress of a review that is made, and renew the lease. Whether the work should go on: somebody has
    asked for it lately, or no review waits that somebody has."""
    values = {"claimed": now + LEASE, "phase": phase, "done": done, "total": total}
    values |= {} if first is None else {"first": first}
    lately = _JOBS.asked >= now - FORGOTTEN
    with claiming(engine) as connection:
        connection.execute(update(review_jobs).where(_is(review_jobs, key)).values(values))
        wanted = connection.execute(select(_JOBS.head).where(_is(review_jobs, key), lately)).first()
        others = select(_JOBS.head).where(_JOBS.status == "waiting", lately).limit(1)
        return wanted is not None or connection.execute(others).first() is None


def drop(engine: Engine, key: Key) -> None:
    """Make the review no more."""
    with claiming(engine) as connection:
        connection.execute(delete(review_jobs).where(_is(review_jobs, key)))


def release(engine: Engine, job: Job, now: int) -> None:
    """Leave a claimed review to another process, unless another one has it already."""
    still = and_(_is(review_jobs, job.key), _JOBS.status == "running", _JOBS.started == job.started)
    with claiming(engine) as connection:
        values = {"status": "waiting", "claimed": 0, "started": 0, "phase": "waiting", "done": 0, "asked": now}
        connection.execute(update(review_jobs).where(still).values(values))


def fail(engine: Engine, key: Key, now: int) -> None:
    with _queue(engine) as connection:
        _has_failed(connection, key, now)


def _has_failed(connection: Connection, key: Key, now: int) -> None:
    failures = connection.execute(select(_JOBS.failures).where(_is(review_jobs, key))).scalar_one_or_none()
    if failures is not None:
        again = now + AGAIN[min(failures, len(AGAIN) - 1)]
        values = {"status": "failed", "failures": failures + 1, "again": again, "asked": 0, "first": None}
        connection.execute(update(review_jobs).where(_is(review_jobs, key)).values(values))


def keep(engine: Engine, job: Job, body: bytes, means: Sequence[Mean] | None, now: int, pace: int) -> None:
    """Keep the finished review, and the means of its seats if it is of their plan; delete others if there are too many
    bytes."""
    with _queue(engine) as connection:
        if means is not None:
            _keep_means(connection, job.game, job.key.format, means)
        connection.execute(delete(review_jobs).where(_is(review_jobs, job.key)))
        connection.execute(delete(reviews).where(_is(reviews, job.key)))
        connection.execute(
            insert(reviews).values(
                **job.key._asdict(), ruleset=job.ruleset, body=body, size=len(body), used=now, pace=pace
            )
        )
        excess = (connection.execute(select(func.sum(reviews.c.size))).scalar_one() or 0) - MAX_KEPT
        if excess <= 0:
            return
        columns = reviews.c.head, reviews.c.plan, reviews.c.format, reviews.c.size
        for *oldest, size in connection.execute(select(*columns).order_by(reviews.c.used)).all():
            connection.execute(delete(reviews).where(_is(reviews, Key(*oldest))))
            if (excess := excess - size) <= 0:
                return


def pace(engine: Engine, ruleset: str, plan: str) -> int | None:
    """The slowest of the latest reviews of such games, in microseconds for each event; None if there are none."""
    with reading(engine) as connection:
        query = select(reviews.c.pace).where(reviews.c.ruleset == ruleset, reviews.c.plan == plan)
        found = connection.execute(query.order_by(reviews.c.used.desc()).limit(PACES)).scalars().all()
    return max(found, default=None)


# --- means of players ---------------------------------------------------------------------------------------------


class Seated(NamedTuple):
    """A finished game of a player and their seat in it. `mean`: what its quick review says of their choices, if there
    is one and they had any. A game that is too long counts as reviewed."""

    game: str
    seat: Seat
    reviewed: bool
    mean: Mean | None


def keep_means(engine: Engine, game: str, format_: str, means: Sequence[Mean]) -> None:
    with claiming(engine) as connection:
        _keep_means(connection, game, format_, means)


def _keep_means(connection: Connection, game: str, format_: str, means: Sequence[Mean]) -> None:
    connection.execute(delete(review_means).where(review_means.c.game == game, review_means.c.format == format_))
    kept = means or [Mean(seat=0, choices=0, loss=0, own=0)]  # none can be told, and that is known
    rows = [{"game": game, "format": format_, **structs.asdict(each)} for each in kept]
    connection.execute(insert(review_means), rows)


def seated(engine: Engine, player: str, ruleset: str, format_: str, most: int) -> list[Seated]:
    """The player's latest finished games of a ruleset, the newest first. Games of one person at all seats are left
    out, and so are games whose cards other tables still play, and imported ones, which anybody can forge who knows a
    game's secret."""
    query = (
        select(games.c.id, games.c.listed)
        .join(members, members.c.number == games.c.number)
        .where(
            members.c.player == player, members.c.seated, games.c.ruleset == ruleset, games.c.status == "finished"
        )
        .order_by(games.c.number.desc())
        .limit(most)
    )  # fmt: skip
    with reading(engine) as connection:
        found = connection.execute(query).all()
    sat = {}
    for game, text in found:
        listed = msgspec.json.decode(text, type=LobbyGame)
        seats = [each.seat for each in listed.seats if each.player is not None and each.player.id == player]
        if seats and not listed.hotseat and listed.imported is UNSET and listed.deal is UNSET:
            sat[game] = seats[0]
    kept = select(review_means).where(review_means.c.game.in_(list(sat)), review_means.c.format == format_)
    with reading(engine) as connection:
        rows = connection.execute(kept).all()
    means = {(row.game, row.seat): Mean(row.seat, row.choices, row.loss, row.own) for row in rows if row.choices}
    reviewed = {row.game for row in rows}
    return [Seated(game, seat, game in reviewed, means.get((game, seat))) for game, seat in sat.items()]
