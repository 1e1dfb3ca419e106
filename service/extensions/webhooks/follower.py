"""Follows the log, and takes notices, and writes to the outbox what webhooks have to deliver.

The position in the log is that of the outbox, so a process that is killed loses and repeats nothing. If it is lost, the
follower starts with what was appended in the last days. Several processes may follow: of those that read the same rows
one writes.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, get_args

import msgspec
from msgspec.structs import replace
from sqlalchemy import Engine

from domain.codec import encode
from domain.game import timekeeping
from domain.game.clock import SECOND, microseconds
from domain.game.timekeeping import Times
from domain.player import is_site
from service.clock import text_of, wall_clock
from service.extensions.webhooks import outbox
from service.extensions.webhooks import rows as table
from service.extensions.webhooks.outbox import Delivery, Ended, Followed, Line, Notice, delivery_id, follow, line
from service.extensions.webhooks.rows import Hook, WebhookStatus
from service.log import elsewhere
from service.log.errors import Unavailable
from service.log.game_log import GameLog, Notification, StoredEvent
from service.tables import notices
from service.tables.mutable import Mutable

log = logging.getLogger(__name__)

BATCH_SIZE = 2000
"""Rows that one query returns, unless one append is longer."""
MAX_BATCH_SIZE = 200_000
ARCHIVED = "archived"
"""Instead of the tag of an event: one of the two rows of an archived game."""
HEAD = 500
"""Rows that one query returns of a game that is not in memory, until it has begun."""
MAX_GAMES = 50_000
"""Games in memory at most. Others are read from the log when they go on."""
REPLAYED = 3 * 86_400 * SECOND
"""Microseconds before now from which events are delivered if the position is lost."""


archived = msgspec.json.Decoder(elsewhere.Archived)


class Hooks:
    """All webhooks in memory, as of the last `refresh`."""

    def __init__(self, mutable: Mutable) -> None:
        self.mutable = mutable
        self._version: table.Version | None = None
        self.by_id: dict[str, Hook] = {}
        self._of_player: dict[str, list[Hook]] = {}
        self._of_site: list[Hook] = []

    async def refresh(self) -> None:
        """Read the webhooks if they have changed. Raises `Unavailable`."""
        version = await self.mutable.query(table.version)
        if version != self._version:
            self.replace(await self.mutable.query(table.every))
            self._version = version

    def replace(self, hooks: Iterable[Hook]) -> None:
        self.by_id = {hook.id: hook for hook in hooks}
        self._of_player, self._of_site = {}, []
        for hook in self.by_id.values():
            if hook.status == "live":
                own = self._of_site if is_site(hook.owner) else self._of_player.setdefault(hook.owner, [])
                own.append(hook)

    @property
    def any_live(self) -> bool:
        return bool(self._of_player or self._of_site)

    def counts(self) -> dict[WebhookStatus, int]:
        statuses = [hook.status for hook in self.by_id.values()]
        return {status: statuses.count(status) for status in get_args(WebhookStatus)}

    def of(self, people: Collection[str]) -> list[Hook]:
        """The live webhooks of these players, and of each site that one of them is of."""
        found = [hook for player in people if player in self._of_player for hook in self._of_player[player]]
        return found + [hook for hook in self._of_site if any(player.startswith(hook.owner) for player in people)]

    def told(self, notice: notices.Notice) -> list[Hook]:
        """The live webhooks of the owner of a notice, and of their site, that subscribe to it."""
        return [each for each in self.of([notice.owner]) if subscribes(each, notice.type, microseconds(notice.at))]


def subscribes(hook: Hook, type: str, at: int) -> bool:
    return type in hook.types and hook.live is not None and at >= hook.live


def concerns(hook: Hook, game: Followed, notice: Notice) -> bool:
    """Whether a webhook of people of the game subscribes to the notice. Of a game in which a seat is only kept for
    somebody, they hear that."""
    if not subscribes(hook, notice.type, notice.at):
        return False
    concerned = [notice.player] if notice.type in outbox.ADDRESSED else game.players
    players = [player for player in concerned if player is not None]
    return any(player.startswith(hook.owner) for player in players) if is_site(hook.owner) else hook.owner in players


class Follower:
    """Reads the log in batches. `url` is in front of the paths of games."""

    def __init__(self, store: GameLog, engine: Engine, hooks: Hooks, url: str) -> None:
        self._store = store
        self._engine = engine
        self._hooks = hooks
        self._url = url.rstrip("/")
        self._games: OrderedDict[str, Followed] = OrderedDict()
        self._clocks: OrderedDict[str, tuple[int, Times | None]] = OrderedDict()
        """The clocks of games, each with the version that it is of."""
        self._reported = set[str]()
        """The games of which a row could not be read."""
        self.position = 0
        """Up to here the log was read."""
        self.rows = 0
        """Rows read in this process."""
        self.stopping = False
        """Ends `catch_up` after the current batch."""

    async def start(self) -> None:
        """Raises `Unavailable`, and the error of the outbox's database."""
        self.position = await asyncio.to_thread(outbox.position, self._engine)
        last = await self._store.position()
        if self.position == 0 or self.position > last:  # a new outbox, or one of another log
            before = await self._first_since(wall_clock() - REPLAYED, last)
            await asyncio.to_thread(outbox.record, self._engine, self.position, before, (), ())
            self.position = await asyncio.to_thread(outbox.position, self._engine)

    async def catch_up(self) -> None:
        """Read everything that the log contains now. Raises `Unavailable`."""
        await self._hooks.refresh()
        limit = BATCH_SIZE
        while not self.stopping:
            lines = await self._store.scan(self._line, self.position, limit)
            complete = _complete(lines) if len(lines) == limit else lines
            if complete:
                await self._take(complete)
            if len(lines) < limit:
                return
            # An append can be longer than a batch: a branch of a long game.
            limit = BATCH_SIZE if complete else min(4 * limit, MAX_BATCH_SIZE)
            await self._hooks.refresh()

    async def _take(self, lines: Sequence[Line]) -> None:
        """Write what is due because of these rows. Raises `Unavailable`."""
        added, ended = await self._due(lines) if self._hooks.any_live else ([], [])
        upto, free = lines[-1].position, set[str]()
        if invited := [each.game for each in added if each.type == "game.invited" and each.game]:
            free = await self._hooks.mutable.query(notices.of_organisers, invited)
        if await asyncio.to_thread(outbox.record, self._engine, self.position, upto, added, ended, free):
            self.position = upto
        else:
            self.position = await asyncio.to_thread(outbox.position, self._engine)
        self.rows += len(lines)

    async def take_notices(self) -> None:
        """Write what is due because of the notices that wait. It can be repeated: deliveries have the same ids. Raises
        `Unavailable`."""
        mutable = self._hooks.mutable
        while waiting := await mutable.query(notices.oldest, BATCH_SIZE):
            await self._hooks.refresh()
            added = [_announced(hook, each, self._url) for each in waiting for hook in self._hooks.told(each)]
            if added:
                await asyncio.to_thread(outbox.add_all, self._engine, added)
            await mutable.change(notices.drop, [each.id for each in waiting])

    async def _due(self, lines: Sequence[Line]) -> tuple[list[Delivery], list[Ended]]:
        added, ended = list[Delivery](), list[Ended]()
        for append in _appends(lines):
            if append[0].tag == ARCHIVED:
                continue
            try:
                game = await self._before(append[0])
                step = follow(game, append)
            except Unavailable:
                raise
            except Exception as error:  # affects this game only: a newer release may have written it
                self._report(append[0].game, error)
                continue
            self._keep(step.game)
            if (step.notices or step.ended) and (hooks := self._hooks.of(step.game.people)):
                ended += [Ended(step.game.id, seat, step.at) for seat in step.ended]
                for notice in step.notices:
                    if concerned := [hook for hook in hooks if concerns(hook, step.game, notice)]:
                        body = await self._body(step.game, notice)
                        added += [_delivery(hook, step.game, notice, body) for hook in concerned]
        return added, ended

    async def _before(self, first: Line) -> Followed | None:
        """The game before this row, from memory or from the log."""
        if first.version == 1:
            return None
        known = self._games.get(first.game)
        if known is not None and known.version == first.version - 1:
            return known
        # Who sits where is settled when the game begins, and who has a choice is in the last row.
        found, after, upto, limit = None, 0, first.version - 1, HEAD
        while after < upto and not (found is not None and found.begun):
            rows = _complete(await self._store.scan_stream(first.game, after, upto, limit, _line))
            for append in _appends(rows):
                found = follow(found, append).game
            if not rows and limit > upto:
                raise LookupError("its earlier rows have been archived")
            after = rows[-1].version if rows else after
            limit = HEAD if rows else 4 * limit  # the append that opens a branch contains what it copies
        if found is not None and after < upto:
            (last,) = await self._store.scan_stream(first.game, upto - 1, upto, 1, _line)
            found = replace(found, version=upto, acting=last.acting)
        return found

    def _keep(self, game: Followed) -> None:
        self._games[game.id] = game
        self._games.move_to_end(game.id)
        if len(self._games) > MAX_GAMES:
            self._games.popitem(last=False)

    async def _body(self, game: Followed, notice: Notice) -> bytes:
        data: dict[str, Any] = {
            "game": {
                "id": game.id, "ruleset": game.ruleset, "url": f"{self._url}/v1/games/{game.ruleset}/{game.id}"
            },
            "version": notice.version,
        }  # fmt: skip
        if notice.seat is not None:
            data |= {"seat": notice.seat, "player": notice.player}
        if notice.type == "game.your_turn" and game.clocked and notice.seat is not None:
            times = await self._times(game.id, notice.version)
            runs_out = None if times is None else times.runs_out(notice.seat)
            if runs_out is not None:
                data["runs_out"] = text_of(runs_out)
        return encode({"type": notice.type, "timestamp": text_of(notice.at), "data": data})

    async def _times(self, game: str, version: int) -> Times | None:
        """The clock of the game at this version. Only what was appended since the last call for the game is read."""
        after, times = self._clocks.pop(game, (0, None))
        if after > version:
            after, times = 0, None
        if after < version:
            times = timekeeping.fold(await self._store.read(game, after, version), times)
        self._clocks[game] = version, times
        if len(self._clocks) > MAX_GAMES:
            self._clocks.popitem(last=False)
        return times

    async def _first_since(self, since: int, last: int) -> int:
        """The highest position before everything that was appended since then."""
        low, high = 0, last
        while low < high:
            middle = (low + high) // 2
            found = await self._store.scan(self._line, middle, 1)
            if found and microseconds(found[0].at) < since:
                low = found[0].position
            else:
                high = middle
        return low

    def _line(self, row: Notification) -> Line:
        if row.topic in (elsewhere.FIRST, elsewhere.LAST):  # over for longer than events are delivered late
            at = archived.decode(row.state).at
            return Line(row.id, str(row.originator_id), row.originator_version, ARCHIVED, "", at, 0, (), True, None)
        try:
            return _line(row, row.id)
        except msgspec.MsgspecError as error:
            game = str(row.originator_id)
            self._report(game, error)
            return Line(row.id, game, row.originator_version, "", "", text_of(0), 0, (), True, None)

    def _report(self, game: str, error: Exception) -> None:
        if game not in self._reported:
            self._reported.add(game)
            log.warning("webhooks leave out events of %s, which cannot be read: %s", game, error)


def _delivery(hook: Hook, game: Followed, notice: Notice, body: bytes) -> Delivery:
    waits = hook.after * SECOND if notice.type == "game.your_turn" else 0
    return Delivery(
        id=delivery_id(hook.id, game.id, notice.version, notice.type, notice.player), owner=hook.owner, hook=hook.id,
        type=notice.type, game=game.id, version=notice.version, seat=notice.seat, player=notice.player,
        body=body.decode(), created=notice.at, next=notice.at + waits,
        opener=game.opener if notice.type == "game.invited" else None,
    )  # fmt: skip


def _announced(hook: Hook, notice: notices.Notice, url: str) -> Delivery:
    kind, at = notice.type.partition(".")[0], microseconds(notice.at)
    subject = {"id": notice.subject, "url": f"{url}{notice.path}"}
    told = {"type": notice.type, "timestamp": notice.at, "data": {kind: subject, **msgspec.json.decode(notice.data)}}
    return Delivery(
        id=delivery_id(hook.id, notice.type, notice.subject, notice.data), owner=hook.owner, hook=hook.id,
        type=notice.type, game=None, version=None, seat=None, player=None, body=encode(told).decode(), created=at,
        next=at,
    )  # fmt: skip


def _appends(lines: Sequence[Line]) -> list[list[Line]]:
    """The rows by append, in the order in which the appends end. Rows of an append that does not end are left out."""
    open_: dict[str, list[Line]] = {}
    found = []
    for each in lines:
        rows = open_.setdefault(each.game, [])
        rows.append(each)
        if not each.more:
            found.append(open_.pop(each.game))
    return found


def _complete(lines: Sequence[Line]) -> Sequence[Line]:
    """The rows up to the last one behind which every append has ended. The rows of a very long append may lie between
    those of others."""
    open_, end = set[str](), 0
    for number, each in enumerate(lines, 1):
        if each.more:
            open_.add(each.game)
        else:
            open_.discard(each.game)
        end = end if open_ else number
    return lines[:end]


def _line(row: StoredEvent, position: int = 0) -> Line:
    return line(position, str(row.originator_id), row.originator_version, row.topic, row.state)
