"""A game in memory: its state, the end of its log, its views and its choice versions."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain import game
from domain.codec import encode
from domain.fairness import chain
from domain.game import LIFECYCLE, Game, Joined, Rules, timekeeping, undo
from domain.game.clock import SECOND, earliest, full, microseconds
from domain.game.log import RequestKey, Stored, note_movers
from domain.game.undo import Made
from domain.ruleset import Seat, Viewer
from domain.stand_in import is_stand_in
from projections.header import GameHeader, choosing, header
from projections.views import Views
from service.games.errors import ViewsMissing

MIN_TAIL_LENGTH = 32
"""Entries at the end of the log that stay in memory at least, for views and readers that are slightly behind."""


BASE_BYTES = 13_000
"""Of a game in memory without entries."""
SAMPLED = 4
"""One of this many entries at the end of the log is measured."""
FACTOR = 2.1
"""Bytes in memory for each byte of an entry's JSON: 1.7 to 2.1, by ruleset."""
VIEW_BYTES = 10_000
"""Of a view and the response to its reader, without the deck: 9,000 at most."""

READY = 600
"""Seconds that the players of a sealed game have to ready when all seats are taken; or the bank of the game's clock, if
that is longer."""


PATIENCE = 10 * SECOND
"""For how long the choice of a bot that searches is left to the process that made the latest append."""
LOOK = 20 * SECOND
"""When such a game is looked at again, in case that process was killed; later if nobody has moved for longer."""
RARELY = 3600 * SECOND


class CachedGame:
    """A game as this process knows it. The log remains the source of truth.

    A *choice version* is the version at which a seat's current choice arose. It lets a client say which choice it
    decided on, whatever happens meanwhile at other seats. The API calls it `decision`.
    """

    __slots__ = (
        "__weakref__", "_acting", "_away", "_choice_versions", "_entry_bytes", "_first_bytes", "_header",
        "_judged", "_seen_before", "commands", "counted", "created_at", "game", "invite", "lock", "made",
        "moved", "name", "outdated", "read_only", "recount", "responses", "rewinds", "rules", "tail", "times", "views",
    )  # fmt: skip

    def __init__(self, rules: Rules, game_id: str) -> None:
        self.rules = rules
        self.game = Game(game_id)
        self.name = f"{rules.name}/{game_id}"
        """The name of the game in messages of the channel."""
        self.read_only = is_stand_in(rules)
        """Whether the rules are missing."""
        self.tail: list[Stored[Any, Any]] = []
        """The last entries of the log, without a gap."""
        self.views = Views(rules, game_id)
        self.commands: dict[tuple[str, str], tuple[str, int, int]] = {}
        """By player and idempotency key: the hash of the request, and the first and last version of its append."""
        self.created_at = ""
        """When the game was opened: RFC 3339 in UTC."""
        self.invite = ""
        """The invite of a private game. It is set before the game is visible to any request."""
        self.lock = asyncio.Lock()
        """Serializes the requests that change the game, and reads from the log."""
        self.outdated = False
        """Whether the log may hold entries that are missing here: the outcome of an append is unknown."""
        self.rewinds = 0
        """How often events that were known here turned out to be lost. Those who follow the game begin again."""
        self.responses: dict[str, Any] = {}
        """The responses to reads of the current version, by ETag."""
        self.times: timekeeping.Times | None = None
        """What the seats have left of their time; None without a clock."""
        self.made: list[Made] = []
        """The latest moves that stand; empty if nothing can be taken back in this game."""
        self.moved = set[Seat]()
        """The seats whose players have made a move."""
        self._away = set[Seat]()
        """The seats that bots play while their players are gone."""
        self._judged = 0, False
        """The version that ended the latest move, and whether the move revealed nothing."""
        self._seen_before: dict[Viewer, tuple[int, Any]] = {}
        """By viewer: the last version of an append, and the ruleset's state after it as they saw it. It was the state
        before the latest move that was judged."""
        self._acting: tuple[Seat, ...] = ()
        self._choice_versions: dict[Seat, int] = {}
        self._header: GameHeader | None = None
        self._first_bytes = self._entry_bytes = 0.0
        """Bytes of the first entry, which has the deck, and of another one on average, as JSON."""
        self.counted = 0
        """The bytes that count for the game."""
        self.recount = 0
        """The version from which they are counted again."""

    @classmethod
    def of(cls, rules: Rules, game_id: str, log: Sequence[Stored[Any, Any]]) -> "CachedGame":
        """The game that results from its whole log."""
        cached = cls(rules, game_id)
        past, cached._choice_versions = latest_choices(log)
        if past:  # folding all of it in one go takes half the time
            cached._apply_without_choices(log[:past])
        cached.apply(log[past:])
        cached.times = timekeeping.fold(log)
        if cached.game.tables is not None:
            cached.made = undo.latest_moves(log, cached.game)
        # Now that the whole log is here. Bots choose from their views.
        for viewer in cached.seats_of_bots() if cached.tail[0].version == 1 else cached._soon_viewing():
            cached.views.of(viewer, log)
        return cached

    def _soon_viewing(self, acted: Sequence[Seat] = ()) -> Collection[Viewer]:
        """Those whose views a move and its undo need: without the whole log it would be read again. `acted`: the seats
        that had a choice before the latest append."""
        found: set[Viewer] = {*self.seats_of_bots(), *self._acting, *acted}
        if self.game.tables is not None and self.game.state is not None and not self._seen_before:
            found.add(None)
        return found

    def rewind(self, log: Sequence[Stored[Any, Any]]) -> None:
        """Become the game that results from this whole log."""
        other = CachedGame.of(self.rules, self.game.id, log)
        for name in self.__slots__:
            if name not in ("__weakref__", "invite", "lock", "rewinds"):
                setattr(self, name, getattr(other, name))
        self.rewinds += 1

    def _apply_without_choices(self, entries: Sequence[Stored[Any, Any]]) -> None:
        """Apply the first entries of the log, without keeping track of choice versions."""
        self.game = game.fold(self.rules, self.game, [entry.event for entry in entries])
        self.created_at = entries[0].at
        self.tail = list(entries[-2 * MIN_TAIL_LENGTH :])
        self._acting = acting_after(entries)
        note_movers(self.moved, self._away, entries)
        for entry in entries:
            if entry.command is not None:
                self._record_command(entry, entry.command)

    @property
    def header(self) -> GameHeader:
        if self._header is None:
            self._header = header(self.game, self.tail[-1].head, self._acting, self.invite)
        return self._header

    @property
    def head(self) -> bytes:
        """The hash that the next entry links to."""
        return bytes.fromhex(self.tail[-1].head) if self.tail else chain.root(self.game.id)

    def apply(self, entries: Sequence[Stored[Any, Any]]) -> None:
        """Apply the next entries of the log: whole appends."""
        begin = 0
        for end, entry in enumerate(entries, 1):
            if not entry.more:
                appended = entries[begin:end]
                self.advance(game.fold(self.rules, self.game, [each.event for each in appended]), appended)
                begin = end

    def advance(self, after: Game, entries: Sequence[Stored[Any, Any]]) -> None:
        """Apply the entries of one append. `after` is the game after them."""
        first = entries[0]
        if not self.tail:
            self.created_at = first.at
        if first.command is not None:
            self._record_command(first, first.command)
        before, self.game, acted = self.game, after, self._acting
        if self.times is not None or not before.version:
            self.times = timekeeping.advance(self.times, entries)
        if after.tables is not None:
            undo.note(self.made, entries)
        note_movers(self.moved, self._away, entries)
        self.responses.clear()
        self._update_choice_versions(before, entries)
        self.tail += entries
        if self._header is not None and before.status == after.status == "running":  # the players stay the same
            self._header = replace(self._header, version=after.version, head=entries[-1].head, acting=self._acting)
        else:
            self._header = None
        if len(self.tail) > 2 * MIN_TAIL_LENGTH:
            self.views.catch_up(self.tail)
            for viewer in self._soon_viewing(acted) if self.tail[0].version == 1 else self.seats_of_bots():
                self.view(viewer)
            del self.tail[:-MIN_TAIL_LENGTH]
            self._measure()

    @property
    def size(self) -> int:
        """An estimate of the bytes in memory, rather too high than too low; the work does not depend on the game."""
        if not self._first_bytes:
            self._measure()
        views = len(self.views)
        entries = self._first_bytes * (1 + views) + self._entry_bytes * len(self.tail)
        return int(BASE_BYTES + FACTOR * entries + VIEW_BYTES * views) + 300 * len(self.commands)

    def _measure(self) -> None:
        """Measure the entries in memory. The deck is in the state as well."""
        self._first_bytes = self._first_bytes or float(len(encode(game.agreed(self.game))))
        some = self.tail[-MIN_TAIL_LENGTH::SAMPLED] or self.tail
        self._entry_bytes = sum([len(encode(entry)) for entry in some if entry.version > 1]) / len(some)

    def _record_command(self, first: Stored[Any, Any], command: RequestKey) -> None:
        self.commands[command.player, command.key] = command.body, first.version, first.version + first.more

    def has_recorded(self, command: RequestKey | None) -> bool:
        """Whether the log has an append with the key of this command: maybe of another request."""
        return command is not None and (command.player, command.key) in self.commands

    def _update_choice_versions(self, before: Game, entries: Sequence[Stored[Any, Any]]) -> None:
        """A seat's choice changes when it appears, disappears, gets other legal moves, or when the seat moves. Moves
        of other seats alone do not change it."""
        after, rules = self.game, self.rules
        acted, self._acting = self._acting, acting_after(entries)
        movers = [entry.by for entry in entries if type(entry.event) not in LIFECYCLE]
        for seat in {*acted, *self._acting}:
            stays = seat not in movers and seat in acted and seat in self._acting
            if not (stays and game.legal(rules, before, seat) == game.legal(rules, after, seat)):
                self._choice_versions[seat] = after.version

    def overdue(self, at: str) -> tuple[Seat, ...]:
        """The seats whose players have run out of time by then, in order."""
        return () if self.times is None else self.times.overdue(microseconds(at))

    @property
    def ready_by(self) -> int | None:
        """When the game expires because its players are not all ready, in microseconds from 1970; None unless it is
        sealed and waits for that."""
        if self.game.status != "waiting" or self.game.free or not self.game.unready:
            return None
        full_since = next(
            (entry.at for entry in reversed(self.tail) if isinstance(entry.event, Joined)), self.created_at
        )
        clock = game.agreed(self.game).clock
        return microseconds(full_since) + max(READY, 0 if clock is UNSET else clock.bank) * SECOND

    def next_deadline(self, at: int | None = None) -> int | None:
        """A time before which no player runs out of time, no sealed game expires, and the process that chooses for bots
        need not be replaced, whatever happens after `at`, and after the latest append by default; None if that cannot
        happen. In microseconds from 1970."""
        times, since = self.times, max(at or 0, microseconds(self.tail[-1].at))
        if self.game.status == "waiting" and self.game.seals:
            ready_by = self.ready_by
            if ready_by is None:
                return since + READY * SECOND
            return ready_by if times is None else min(ready_by, since + earliest(times.clock, [full(times.clock)], 0))
        if self.waits_for_search():
            return since + PATIENCE
        if self.game.status == "running" and any(bot in self.rules.searches for bot in self.game.bots):
            return since + min(max(LOOK, since - microseconds(self.tail[-1].at)), RARELY)
        if times is None or not times.acting:
            return None
        return earliest(times.clock, times.dials, times.at if at is None else max(at, times.at), self.game.gone)

    def undo(self, seat: Seat | None) -> int | UnsetType | None:
        """The last version of the seat's move that it can take back without asking; None if there is none, and absent
        if nothing can be taken back in this game. Raises `ViewsMissing`."""
        return undo.free_undo(self.game, self, seat)

    def revealed_nothing(self) -> bool:
        """Whether the latest move, which can be taken back, revealed nothing. Raises `ViewsMissing`."""
        latest = self.made[-1]
        if self._judged[0] != latest.last:
            seats = len(self.game.players)
            self._judged = latest.last, undo.revealed_nothing(self.rules, latest, seats, self._before)
        return self._judged[1]

    def _before(self, viewer: Viewer) -> Any:
        """The ruleset's state before the latest move, as the viewer saw it."""
        made, rules, state = self.made, self.rules, None
        before = self.tail[: max(0, made[-1].to + 1 - self.tail[0].version)]
        if viewer is not None and before and before[0].version - 1 <= self.views.behind(viewer) <= before[-1].version:
            return self.views.of(viewer, before).state  # on the way to the current view, which the response needs
        if (known := self._seen_before.get(viewer)) is not None:
            state = undo.seen_before(rules, made, *known, viewer)
        elif sum([len(each.events) for each in made]) == self.game.played:
            state = undo.folded(rules, made[:-1], game.initial(rules, self.game), viewer)
        if state is None:
            view = self.view(viewer)
            if view is None:
                raise ViewsMissing
            state = game.gone_back(rules, view, made[-1].to).state
        if len(made) > 1:
            self._seen_before[viewer] = made[-2].last, state
        return state

    def choice_version(self, seat: Seat | None) -> int | None:
        """The version at which the seat's current choice arose; None if it has none."""
        return self._choice_versions.get(seat) if seat is not None and seat in self._acting else None

    def choice_changed(self, seat: Seat, version: int) -> bool:
        return self._choice_versions.get(seat, 0) > version

    def choosing(self, player: str) -> Seat | None:
        """The seat that the player's move is for if the request names none."""
        return choosing(self.header.seats_of(player), self._acting)

    def to_act(self) -> tuple[Seat, ...]:
        return self._acting

    def waits_for_search(self) -> bool:
        """Whether a bot that searches has a choice."""
        return game.searching(self.rules, self.game, self._acting) is not None

    def seats_of_bots(self) -> tuple[Seat, ...]:
        """The seats that bots play now. Their views are kept up to date, because bots choose from them."""
        return tuple([seat for seat, bot in enumerate(self.game.bots) if bot])

    def view(self, viewer: Viewer) -> Game | None:
        """The current game as the viewer sees it; None if the tail does not reach back to the viewer's last view."""
        return self.views.of(viewer, self.tail) if self.tail[0].version <= self.views.behind(viewer) + 1 else None


def acting_after(entries: Sequence[Stored[Any, Any]]) -> tuple[Seat, ...]:
    """The seats that have a choice after these entries, which end an append."""
    acting = entries[-1].acting
    return () if acting is UNSET else acting


def latest_choices(log: Sequence[Stored[Any, Any]]) -> tuple[int, dict[Seat, int]]:
    """The choice versions as far as the entries alone tell them, and from where on in the log states must tell the
    rest: its end if they need not.

    A seat whose choice appears, disappears or is made has another choice then. One that keeps a choice while others
    move can have other legal moves.
    """
    found: dict[Seat, int] = {}
    kept: set[Seat] = set()
    seats, end, past = log[0].event.seats, len(log), len(log)
    acting = acting_after(log)
    while end and len(found) < seats:
        begin = end - 1
        while begin and log[begin - 1].more:
            begin -= 1
        acted = acting_after(log[begin - 1 : begin]) if begin else ()
        movers = [entry.by for entry in log[begin:end] if type(entry.event) not in LIFECYCLE]
        for seat in {*acted, *acting} - found.keys():
            if seat in acted and seat in acting and seat not in movers:
                kept.add(seat)
            else:
                found[seat] = end
                if seat in kept:
                    past = min(past, end)
        end, acting = begin, acted
    if past < len(log):
        found = {seat: version for seat, version in found.items() if version <= past}
    return past, found
