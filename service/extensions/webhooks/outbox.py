"""The outbox: which events webhooks have to deliver, and the deliveries until some time after they were delivered.

What is due follows from the log: from the tag of an event, and from the seats that have a choice after each append.
Nothing else enters, no rules and no hidden card. A delivery and the position of the log up to which the outbox is
complete are written in one transaction. The id of a delivery is a hash of what it is about, so deliveries that are
derived again, after the position was lost, have the same ids.

The rows are not a projection that `rebuild` may empty: what was delivered is not in the log.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from domain.cards import put
from domain.codec import canonical
from domain.game import SeatTerms
from domain.game.clock import SECOND, microseconds
from domain.messages import Value
from domain.player import is_site
from domain.ruleset import Seat
from projections.database import claiming, reading
from projections.projection import Projection
from projections.schema import checkpoints
from service.tables.notices import NoticeType

PENDING = "status = 'pending'"
"""The condition of partial indexes. SQLite uses them only for a query with the same condition, word for word."""

INVITED = "type = 'game.invited'"
SETTLED = "status <> 'pending'"
PENDING_PING = f"{PENDING} AND type = 'webhook.ping'"

deliveries = Table(
    "deliveries",
    MetaData(),  # of its own: not everything in it follows from the log
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("hook", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("game", Text),
    Column("version", Integer),
    Column("seat", Integer),
    Column("player", Text),
    Column("body", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("next", BigInteger, nullable=False),
    Column("claimed", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("attempted", BigInteger),
    Column("response", Integer),
    Column("opener", Text),
    # Partial indexes: nearly all rows are delivered ones.
    Index("deliveries_due", "hook", "next", sqlite_where=text(PENDING), postgresql_where=text(PENDING)),
    Index(
        "deliveries_invited", "hook", "player", "created", sqlite_where=text(INVITED), postgresql_where=text(INVITED)
    ),
    Index("deliveries_pings", "next", sqlite_where=text(PENDING_PING), postgresql_where=text(PENDING_PING)),
    Index("deliveries_of_seat", "game", "seat", sqlite_where=text(PENDING), postgresql_where=text(PENDING)),
    Index("deliveries_of_hook", "hook", "created", "id"),
    Index("deliveries_by_status", "status", "created", sqlite_where=text(SETTLED), postgresql_where=text(SETTLED)),
    Index("deliveries_of_owner", "owner", "status", "created"),
    sqlite_with_rowid=False,
)
"""The outbox: deliveries to webhooks. Times are microseconds from 1970.

* `owner`: the owner of the webhook `hook`. Its rows count for the owner.
* `body`: the request's body, byte for byte.
* `created`: the time of the event; `next`: when the next attempt is due; `attempted`: when the last one ended.
* `claimed`: until then, a process is making an attempt.
* `status`: `pending`, `delivered` or `dead`.
* `response`: the HTTP status that the last attempt received, if any.
* `opener`: the player who keeps the seat, of an invitation.
"""

GameEvent: TypeAlias = Literal["game.invited", "game.begun", "game.your_turn", "game.gone", "game.vote", "game.over"]
WebhookEvent: TypeAlias = Literal[GameEvent, NoticeType]
"""What a webhook can subscribe to: events of games, and notices."""

EVENTS: tuple[WebhookEvent, ...] = get_args(WebhookEvent)
PING = "webhook.ping"

ADDRESSED: frozenset[str] = frozenset(("game.your_turn", "game.invited"))
"""Events that concern one player only: others have nothing to do."""

NOTICES: Mapping[str, GameEvent] = {
    "begun": "game.begun", "gone": "game.gone", "voted": "game.vote", "ended": "game.over", "aborted": "game.over",
}  # fmt: skip
"""The events of games that are notices by themselves, by tag. A notice has the event's seat and its player."""

SEATING = frozenset(("opened", "joined", "left", "declined"))
"""The tags of the events that change who sits where."""

DeliveryStatus: TypeAlias = Literal["pending", "delivered", "dead"]


# --- following a game ---------------------------------------------------------------------------------------------


class Event(Value):
    """An event that every game has, as far as it matters here."""

    seat: Seat | None = None
    player: str | None = None
    seats: int = 0
    hotseat: bool = False
    places: tuple[SeatTerms, ...] = ()
    clock: Raw | UnsetType = UNSET
    opener: str | None = None


class Line(Value):
    """A row of the log. `event` is None if it belongs to the rules."""

    position: int
    game: str
    version: int
    tag: str
    ruleset: str
    at: str
    more: int
    acting: tuple[Seat, ...]
    imported: bool
    event: Event | None


class _Row(Value):
    at: str
    more: int
    event: Raw
    acting: tuple[Seat, ...] = ()
    imported: bool = False


_row = msgspec.json.Decoder(_Row)
_event = msgspec.json.Decoder(Event)


def line(position: int, stream: str, version: int, topic: str, state: bytes) -> Line:
    """The row of the log with this JSON. Raises `msgspec.MsgspecError`."""
    row = _row.decode(state)
    rules, _, tag = topic.rpartition(".")
    event = _event.decode(row.event) if tag in SEATING or tag in NOTICES else None
    return Line(
        position, stream, version, tag, rules.partition("/")[0], row.at, row.more, row.acting, row.imported, event
    )


class Notice(NamedTuple):
    """A message to subscribers: an event of a game, about a seat and its player or about all."""

    type: GameEvent
    version: int
    at: int
    seat: Seat | None
    player: str | None


class Followed(Value):
    """A game as far as notices need it. `silent`: it has one player, or was imported, and gives no notices."""

    id: str
    ruleset: str
    version: int = 0
    silent: bool = False
    clocked: bool = False
    players: tuple[str | None, ...] = ()
    invited: tuple[str | None, ...] = ()
    acting: tuple[Seat, ...] = ()
    begun: bool = False
    opener: str | None = None

    @property
    def people(self) -> frozenset[str]:
        return frozenset([player for player in self.players + self.invited if player is not None])


class Step(NamedTuple):
    """A game after an append, the notices of the append, and the seats whose choice has ended, with its time."""

    game: Followed
    notices: Sequence[Notice]
    ended: Sequence[Seat]
    at: int


def follow(game: Followed | None, append: Sequence[Line]) -> Step:
    last = append[-1]
    game = game or Followed(last.game, last.ruleset)
    at = microseconds(last.at)
    notices: list[Notice] = []
    for each in append:
        if (event := each.event) is None:
            continue
        if each.tag in SEATING:
            game = _seated(game, each, event)
        if each.tag == "begun":
            game = replace(game, begun=True)
        if (kind := NOTICES.get(each.tag)) is not None:
            notices.append(_notice(kind, last, at, game.players, event.seat))
    if append[0].tag == "opened":
        notices += [_notice("game.invited", last, at, game.invited, seat) for seat in _seats(game.invited)]
    before, acting = game.acting, last.acting
    notices += [_notice("game.your_turn", last, at, game.players, seat) for seat in acting if seat not in before]
    game = replace(game, version=last.version, acting=acting)
    return Step(game, () if game.silent else notices, [seat for seat in before if seat not in acting], at)


def _notice(kind: GameEvent, last: Line, at: int, players: Sequence[str | None], seat: Seat | None) -> Notice:
    return Notice(kind, last.version, at, seat, None if seat is None else players[seat])


def _seats(players: Sequence[str | None]) -> list[Seat]:
    return [seat for seat, player in enumerate(players) if player is not None]


def _seated(game: Followed, each: Line, event: Event) -> Followed:
    if each.tag == "opened":
        nobody: tuple[str | None, ...] = (None,) * event.seats
        kept = [None if place.player is UNSET else place.player for place in event.places]
        return replace(
            game, silent=event.hotseat or each.imported, clocked=event.clock is not UNSET, players=nobody,
            invited=tuple(kept) or nobody, opener=event.opener,
        )  # fmt: skip
    assert event.seat is not None
    players = put(game.players, event.seat, event.player)  # `left` and `declined` have no player
    invited = tuple([None if player == event.player else player for player in game.invited])
    if each.tag == "declined":
        invited = put(game.invited, event.seat, None)
    return replace(game, players=players, invited=invited)


# --- deliveries ---------------------------------------------------------------------------------------------------


class Delivery(Value):
    """A row of the outbox."""

    id: str
    owner: str
    hook: str
    type: str
    game: str | None
    version: int | None
    seat: Seat | None
    player: str | None
    body: str
    created: int
    next: int
    claimed: int = 0
    attempts: int = 0
    status: DeliveryStatus = "pending"
    attempted: int | None = None
    response: int | None = None
    opener: str | None = None


class Ended(NamedTuple):
    """A choice has ended: deliveries about it that were not due by then are not sent."""

    game: str
    seat: Seat
    at: int


def delivery_id(*content: Any) -> str:
    """The id of the delivery with this content: 160 bits, the same in every process."""
    return f"msg_{sha256(canonical(content)).hexdigest()[:40]}"


OUTBOX = Projection(name="outbox", version=4, tables=(deliveries,), apply=lambda _connection, _events: None)
"""The table and its position in the log. `record` writes both. After an upgrade to another version the table is empty:
what happened in the last three days is sent again with the same ids; pending pings and the history are lost."""

_POSITION = select(checkpoints.c.position).where(checkpoints.c.projection == OUTBOX.name)
_ADVANCE = update(checkpoints).where(checkpoints.c.projection == OUTBOX.name).values(position=bindparam("upto"))
_END = delete(deliveries).where(
    text(PENDING), deliveries.c.game == bindparam("game"), deliveries.c.seat == bindparam("seat"),
    deliveries.c.type == "game.your_turn", deliveries.c.attempts == 0, deliveries.c.next > bindparam("at"),
)  # fmt: skip


def position(engine: Engine) -> int:
    """The position of the log up to which the outbox is complete; 0 if it is new."""
    with reading(engine) as connection:
        found: int | None = connection.execute(_POSITION).scalar()
        return found or 0


def record(
    engine: Engine, after: int, upto: int, added: Sequence[Delivery], ended: Sequence[Ended],
    unbounded: Collection[str] = (),
) -> bool:  # fmt: skip
    """Add what is due because of the log from position `after + 1` up to `upto`, in one transaction. Invitations to
    the games `unbounded` do not count for their opener.

    False if another process has done it.
    """
    with claiming(engine) as connection:
        if connection.execute(_POSITION.with_for_update()).scalar() != after:
            return False
        if ended:
            connection.execute(_END, [choice._asdict() for choice in ended])
        added = _bound_invitations(connection, added, unbounded)
        _add_bounded(connection, added)
        connection.execute(_ADVANCE, {"upto": upto})
    return True


def add_all(engine: Engine, added: Sequence[Delivery]) -> None:
    """Add deliveries that are not of the log, unless they are there."""
    with claiming(engine) as connection:
        _add_bounded(connection, added)


def _add_bounded(connection: Connection, added: Sequence[Delivery]) -> None:
    add(connection, added)
    for owner in {each.owner for each in added}:
        _bound_pending(connection, owner)


MAX_OF_PLAYER = 1_000
MAX_OF_SITE = 100_000
"""Pending deliveries of an owner, and as many delivered and dead ones each."""


def _most(owner: str) -> int:
    return MAX_OF_SITE if is_site(owner) else MAX_OF_PLAYER


MAX_INVITED = 50
MAX_INVITED_BY = 5
"""Invitations of a player that a webhook receives in a day: all of them, and those by one opener."""
DAY = 86_400 * SECOND


def _bound_invitations(connection: Connection, added: Sequence[Delivery], unbounded: Collection[str]) -> list[Delivery]:
    """These deliveries without the invitations beyond the limits: anybody can keep seats for a player."""
    kept = []
    told: dict[tuple[str, str | None], Counter[str | None]] = {}
    for each in added:
        if each.type == "game.invited":
            key = each.hook, each.player
            if key not in told:
                about = deliveries.c.hook == each.hook, deliveries.c.player == each.player
                query = select(deliveries.c.opener).where(text(INVITED), *about)
                recent = query.where(deliveries.c.created > each.created - DAY).limit(MAX_INVITED)
                told[key] = Counter(connection.execute(recent).scalars())
            opener = None if each.game in unbounded else each.opener
            if told[key].total() >= MAX_INVITED or (opener is not None and told[key][opener] >= MAX_INVITED_BY):
                continue
            told[key][opener] += 1
            each = replace(each, opener=opener)
        kept.append(each)
    return kept


def _bound_pending(connection: Connection, owner: str) -> None:
    """The owner's oldest pending deliveries beyond the limit are dead: they can be sent again by hand."""
    pending = deliveries.c.owner == owner, deliveries.c.status == "pending"
    count = connection.execute(select(func.count()).where(*pending)).scalar_one()
    if (excess := count - _most(owner)) > 0:
        oldest = _oldest(owner, "pending", excess)
        connection.execute(update(deliveries).where(deliveries.c.id.in_(oldest)).values(status="dead", claimed=0))


def add(connection: Connection, added: Sequence[Delivery]) -> None:
    if added:
        dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
        statement = dialect.insert(deliveries).on_conflict_do_nothing()
        connection.execute(statement, [msgspec.structs.asdict(each) for each in added])


def add_one(engine: Engine, added: Delivery) -> None:
    _change(engine, insert(deliveries).values(msgspec.structs.asdict(added)))


def _change(engine: Engine, statement: Any, rows: Any = None) -> None:
    with claiming(engine) as connection:
        connection.execute(statement, rows)


class Due(NamedTuple):
    """A webhook to which something is due. `ping`: the id of a ping, which goes before everything else."""

    hook: str
    ping: str | None = None


MAX_PINGS = 1_000
"""Pings in one answer of `due`."""


def due(engine: Engine, now: int) -> list[Due]:
    """The hooks to which something is due, each once, and those with a ping that no process has claimed, first.

    The cost grows with the hooks to which anything is pending, and not with the deliveries: however many one owner has,
    they are behind the first one of its hook.
    """
    with reading(engine) as connection:
        pings = connection.execute(_PINGS, {"now": now, "most": MAX_PINGS}).all()
        hooks = connection.execute(_HOOKS, {"now": now}).scalars()
        return [Due(hook, ping) for hook, ping in pings] + [Due(hook) for hook in hooks]


# The conditions as text: SQLite would not use a partial index if its value were a parameter.
_PINGS = text(f"""
    SELECT hook, id FROM deliveries WHERE {PENDING_PING} AND next <= :now AND claimed <= :now ORDER BY next LIMIT :most
""")
# A loose index scan: each step looks up the next hook in the index.
_HOOKS = text(f"""
    WITH RECURSIVE hooks (hook) AS (
        SELECT min(hook) FROM deliveries WHERE {PENDING}
        UNION ALL
        SELECT (SELECT min(hook) FROM deliveries WHERE {PENDING} AND hook > hooks.hook)
        FROM hooks WHERE hook IS NOT NULL
    )
    SELECT hook FROM hooks WHERE hook IS NOT NULL
    AND (SELECT min(next) FROM deliveries WHERE {PENDING} AND hook = hooks.hook) <= :now
""")


def claim(engine: Engine, wanted: Mapping[str, int], pings: Collection[str], now: int, until: int) -> list[Delivery]:
    """Claim these pings, and of each hook at most this number of due deliveries: the longest due that no process has
    claimed. Returns them."""
    given = {"now": now, "until": until}
    with claiming(engine) as connection:
        claimed = [*connection.execute(_CLAIM_PINGS, {"ids": list(pings), **given})] if pings else []
        for hook, most in wanted.items():
            claimed += connection.execute(_CLAIM, {"to": hook, "most": most, **given})
    return [Delivery(*row) for row in claimed]


_FREE = select(deliveries.c.id).where(text(PENDING), deliveries.c.claimed <= bindparam("now"))
_FREE = _FREE.with_for_update(skip_locked=True)
_DUE_TO = _FREE.where(deliveries.c.hook == bindparam("to"), deliveries.c.next <= bindparam("now"))
_CLAIMING = update(deliveries).values(claimed=bindparam("until")).returning(deliveries)
_CLAIM = _CLAIMING.where(deliveries.c.id.in_(_DUE_TO.order_by(deliveries.c.next).limit(bindparam("most"))))
_CLAIM_PINGS = _CLAIMING.where(deliveries.c.id.in_(_FREE.where(deliveries.c.id.in_(bindparam("ids", expanding=True)))))


class Outcome(NamedTuple):
    """What an attempt changes in the row of a delivery."""

    key: str
    status: DeliveryStatus
    attempts: int
    attempted: int
    next: int
    response: int | None


_SETTLED: dict[str, Any] = {name: bindparam(f"new_{name}") for name in Outcome._fields[1:]}
_SETTLE = update(deliveries).where(deliveries.c.id == bindparam("new_key")).values(**_SETTLED, claimed=0)


def postpone(engine: Engine, id: str, until: int) -> None:
    """End the claim of a delivery to which no attempt was made, and make it due at that time."""
    _change(engine, update(deliveries).where(deliveries.c.id == id).values(next=until, claimed=0))


def settle(engine: Engine, outcomes: Sequence[Outcome]) -> None:
    rows = [{f"new_{name}": value for name, value in each._asdict().items()} for each in outcomes]
    _change(engine, _SETTLE, rows)


def retry(engine: Engine, hook: str, id: str, now: int) -> Delivery | None:
    """Make a dead delivery pending and due, and count its attempts anew; others stay as they are. None if the hook has
    no such delivery."""
    chosen = deliveries.c.hook == hook, deliveries.c.id == id
    with claiming(engine) as connection:
        connection.execute(
            update(deliveries).where(*chosen, deliveries.c.status == "dead")
            .values(status="pending", attempts=0, next=now, claimed=0)
        )  # fmt: skip
        row = connection.execute(select(deliveries).where(*chosen)).first()
    return None if row is None else Delivery(*row)


def bury(engine: Engine, hook: str) -> None:
    """All pending deliveries of a hook are dead: it was disabled."""
    _change(engine, update(deliveries).where(text(PENDING), deliveries.c.hook == hook).values(status="dead", claimed=0))


def drop(engine: Engine, hooks: Collection[str]) -> None:
    _change(engine, delete(deliveries).where(deliveries.c.hook.in_(hooks)))


def drop_of(engine: Engine, owner: str) -> None:
    _change(engine, delete(deliveries).where(deliveries.c.owner == owner))


def clean(engine: Engine, delivered_before: int, dead_before: int) -> None:
    """Delete deliveries that were delivered, or died, longer ago, and an owner's oldest ones beyond the limit."""
    for status, before in (("delivered", delivered_before), ("dead", dead_before)):
        old = text(SETTLED), deliveries.c.status == status, deliveries.c.created < before
        _change(engine, delete(deliveries).where(*old))
    counted = select(deliveries.c.owner, deliveries.c.status, func.count()).where(deliveries.c.status != "pending")
    with reading(engine) as connection:
        counts = connection.execute(counted.group_by(deliveries.c.owner, deliveries.c.status)).all()
    for owner, status, count in counts:
        if (excess := count - _most(owner)) > 0:
            _change(engine, delete(deliveries).where(deliveries.c.id.in_(_oldest(owner, status, excess))))


def _oldest(owner: str, status: str, count: int) -> Any:
    chosen = deliveries.c.owner == owner, deliveries.c.status == status
    return select(deliveries.c.id).where(*chosen).order_by(deliveries.c.created).limit(count)


# --- queries ------------------------------------------------------------------------------------------------------


class Progress(NamedTuple):
    """How far a delivery has come: its status, and whether a process has ever claimed it."""

    status: DeliveryStatus
    claimed: bool


def progress(engine: Engine, ids: Collection[str]) -> dict[str, Progress]:
    query = select(deliveries.c.id, deliveries.c.status, deliveries.c.claimed).where(deliveries.c.id.in_(ids))
    with reading(engine) as connection:
        return {key: Progress(status, claimed > 0) for key, status, claimed in connection.execute(query)}


def pending_ping(engine: Engine, hook: str) -> Delivery | None:
    query = select(deliveries).where(deliveries.c.hook == hook, deliveries.c.type == PING)
    with reading(engine) as connection:
        row = connection.execute(query.where(deliveries.c.status == "pending", deliveries.c.claimed == 0)).first()
    return None if row is None else Delivery(*row)


def listed(
    engine: Engine, hook: str, status: DeliveryStatus | None, before: tuple[int, str] | None, limit: int
) -> list[Delivery]:
    """Deliveries of the hook, latest event first, from the one after `before` on: its time and id."""
    query = select(deliveries).where(deliveries.c.hook == hook)
    if status is not None:
        query = query.where(deliveries.c.status == status)
    if before is not None:
        query = query.where(tuple_(deliveries.c.created, deliveries.c.id) < tuple_(*before))
    query = query.order_by(deliveries.c.created.desc(), deliveries.c.id.desc()).limit(limit)
    with reading(engine) as connection:
        return [Delivery(*row) for row in connection.execute(query)]


class Backlog(NamedTuple):
    """How many deliveries are pending and dead, and since when the longest due one is due."""

    pending: int
    dead: int
    oldest: int | None


def backlog(engine: Engine, now: int) -> Backlog:
    with reading(engine) as connection:
        pending, oldest = connection.execute(
            select(func.count(), func.min(deliveries.c.next)).where(text(PENDING))
        ).one()
        dead = connection.execute(select(func.count()).where(text(SETTLED), deliveries.c.status == "dead")).scalar_one()
    return Backlog(pending, dead, oldest if oldest is not None and oldest <= now else None)
