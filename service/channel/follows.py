"""The subscriptions of a channel: games and the lobby.

A follow keeps its position in the log and buffers nothing. It sends what is new when it is notified and the client
keeps up, and goes on when the client has read.
"""

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeVar

from msgspec import UNSET

from domain.codec import encode
from domain.game.log import Stored
from domain.ruleset import Seat
from projections.lobby import Search
from service.api.access import GameAccess, StreamPerspective, variant
from service.api.charges import pace
from service.api.event_items import ItemReader
from service.api.lobby_feed import LobbyChange
from service.api.problems import malformed_request, problem_error
from service.api.resources import SeatAssignment, seat_assignments
from service.channel import messages
from service.channel.calls import Call
from service.channel.channels import Client, events_frame
from service.games.cached_game import CachedGame
from service.games.errors import ViewsMissing
from service.live.subscriptions import LOBBY_SUBJECT
from service.server.streaming import BATCH_SIZE
from service.server.web_socket import text_frame

T = TypeVar("T")

LOBBY, TURNS = "\0lobby", "\0turns"
"""The names of follows besides those of games. No request can name them: NUL is refused in all strings."""

CROWD = 2
"""Streams of a game above which the frames of one follow are kept for the others."""


class Subscribed:
    """A follow that counts as a stream from its construction until `stop`. Raises as `Subscriptions.add` does."""

    __slots__ = ("_arguments", "_channel", "_name", "_notified", "_peers", "_reading", "stopped")

    def __init__(self, channel: Client, name: str, subject: str) -> None:
        self._channel = channel
        self._name = name
        self._notified = False
        self._reading = False
        """Whether something is read that is sent afterwards, or the follow is not answered yet."""
        self._arguments = subject, self, channel.player_id, channel.address
        self.stopped = False
        self._peers = channel.channels.runtime.subscriptions.add(*self._arguments)
        """All subscribers of the subject at any time."""

    def wake(self) -> None:
        if not self._notified:
            self._notified = True
            self._channel.channels.wake(self)

    notify = wake

    def give_way(self) -> None:
        self._channel.give_way()

    def await_answer(self) -> None:
        """The answer to the move that is made now delivers the news: until then notifications schedule nothing."""
        self._notified = True

    def miss_answer(self) -> None:
        """There is no such answer."""
        self._notified = False
        self.wake()

    def deliver_if_notified(self) -> None:
        if self._notified:
            self.deliver()

    def deliver(self) -> None:
        """Called once after any number of notifications."""
        self._notified = False
        if not self.stopped and not self._channel.is_barred:
            try:
                self._send_news()
            except Exception as error:
                self._fail(error)

    def stop(self) -> None:
        if not self.stopped:
            self.stopped = True
            self._channel.channels.runtime.subscriptions.remove(*self._arguments)

    def seated(self) -> tuple[CachedGame, GameAccess] | None:
        """The game, if it is running and the channel's player has a seat in it, and their access, which stays as it is
        until the game is over."""
        return None

    def refresh(self) -> None:
        """Catch up with appends whose outcome was unknown."""

    def _send_news(self) -> None:
        raise NotImplementedError

    def _read(self, reading: Coroutine[Any, Any, T], then: Callable[[T], None]) -> None:
        """Pass on what the coroutine returns, unless the follow has stopped by then. Meanwhile nothing is sent."""
        self._reading = True
        Call(reading, partial(self._on_read, then))

    def _on_read(self, then: Callable[[Any], None], found: Any, error: Exception | None) -> None:
        self._reading = False
        if self.stopped:
            return
        try:
            if error is not None:
                raise error
            then(found)
        except Exception as failure:
            self._fail(failure)

    def _fail(self, error: Exception) -> None:
        """Stop, and tell the client why."""
        try:
            self._end(error)
        except Exception as failure:
            self._channel.socket.fail(failure)

    def _end(self, error: Exception | None) -> None:
        """Stop. `error` None: there is no more to send."""
        self._channel.forget(self._name)
        problem = UNSET if error is None else problem_error(error).problem
        self._channel.socket.send(text_frame(encode(self._last(problem))))

    def _last(self, problem: Any) -> Any:
        raise NotImplementedError


class GameFollow(Subscribed):
    """A followed game."""

    __slots__ = (
        "_at_table", "_cached", "_company", "_perspective", "_plain", "_position", "_reader", "_rewinds", "_seats",
        "_stated", "_viewer", "_with_company",
    )  # fmt: skip

    def __init__(
        self, channel: Client, name: str, cached: CachedGame, perspective: StreamPerspective, position: int,
        *, patched: bool, tallied: bool, with_presence: bool,
    ) -> None:  # fmt: skip
        super().__init__(channel, name, cached.game.id)
        self._cached = cached
        self._perspective = perspective
        self._position = position
        self._rewinds = cached.rewinds
        games = channel.channels.runtime.games
        self._reader = ItemReader(
            games, cached, perspective.current, patched=patched, tallied=tallied, reader=channel.address
        )
        self._reading = True
        self._stated = -1
        """The version of the latest `state`."""
        self._seats: tuple[SeatAssignment, ...] | None = None
        """The seats in the latest `state` that has them."""
        self._with_company = with_presence
        self._company: Any = None
        """The latest message that says who follows."""
        self._at_table: tuple[Seat, ...] | None = None
        """The seats with which the follow counts as present; None before it begins and after its end."""
        self._plain = not (patched or tallied)
        self._viewer = ""
        """Follows with the same one get the same frames, if they are at the same version; empty while that may change
        and for items with extras, which depend on the view of the follow."""

    def seated(self) -> tuple[CachedGame, GameAccess] | None:
        perspective = self._perspective
        if self._cached.game.status == "running" and perspective.is_fixed and perspective.access.own:
            return self._cached, perspective.access
        return None

    def start(self) -> None:
        """Begin to send, after the answer to the request."""
        self._reading = False
        self._count()
        self.notify()

    def stop(self) -> None:
        if not self.stopped and self._at_table is not None:
            self._channel.channels.company.unfollow(self._cached.game.id, self)
            self._at_table = None
        super().stop()

    def _count(self) -> None:
        """Count the follow with the caller's seats: the caller may have taken or left one."""
        own = self._perspective.access.own
        if own != self._at_table and not self.stopped:
            self._at_table = own
            self._channel.channels.company.follow(self._cached.game.id, self, own)

    def hear(self, seat: Seat, message: Callable[[str], Any]) -> None:
        """Send what a player says at once, or not at all: only to a client that keeps up and has not blocked the
        speaker."""
        channel = self._channel
        if not self._with_company or self.stopped or channel.is_barred or not channel.socket.writable:
            return
        speaker = self._cached.game.players[seat] if seat < len(self._cached.game.players) else None
        if not channel.channels.runtime.players.has_blocked(channel.player_id, speaker):
            channel.socket.send(text_frame(encode(message(self._name))))

    def _send_news(self) -> None:
        if self._reading or not self._channel.socket.writable:
            return
        if self._cached.rewinds != self._rewinds:
            version = self._cached.game.version
            self._end(malformed_request("$.after", f"names a lost event; the last event is {version}"))
            return
        crowded = len(self._peers) > CROWD
        if not (crowded and self._send_shared()):
            self._send_game(crowded=crowded)
        if self._with_company and not self.stopped and not self._reading and self._channel.socket.writable:
            self._send_presence()

    def _send_game(self, *, crowded: bool) -> None:
        """Send events and the state after them."""
        cached, begin, frames = self._cached, self._position, b""
        while self._position < cached.game.version:
            behind = self._position + 1 - cached.tail[0].version
            if behind < 0 or not self._reader.begun:
                self._read(self._next_entries(), self._on_entries)
                return
            frames += self._send_events(cached.tail[behind : behind + BATCH_SIZE], crowded=crowded)
            if not self._channel.socket.writable:
                return
        state = self._send_state(crowded=crowded)
        if cached.game.revealed and not self._reading:
            self._end(None)
        elif crowded and frames and state and self._viewer:
            cached.responses[self._shared(begin)] = frames + state

    def _send_presence(self) -> None:
        company = self._channel.channels.company.report(self._name, self._cached.game.id)
        if company is not None and company != self._company:
            self._company = company
            self._channel.socket.send(text_frame(encode(company)))

    def _send_shared(self) -> bool:
        """Send what another follow at the same position with the same perspective and permissions has sent, if it has
        sent events and a state without seats."""
        if not self._viewer or self._stated != self._position:
            return False
        frames = self._cached.responses.get(self._shared(self._position))
        if frames is None:
            return False
        self._sent(frames, self._cached.game.version)
        self._stated = self._position
        return True

    def _shared(self, position: int) -> str:
        """The key of the frames that follow this position."""
        return f"news {position} {self._viewer}"

    def _renew(self) -> None:
        """Apply the current permissions of the caller. They stay the same from the beginning of the game on.

        Raises `NoSuchGame` or `ProblemError` if the caller may no longer see the game.
        """
        if not self._perspective.is_fixed:
            self._reader.perspective = self._perspective.renew(self._cached)
            self._count()

    def _send_events(self, entries: Sequence[Stored[Any, Any]], *, crowded: bool) -> bytes:
        """Raises as `_renew`."""
        self._renew()
        frame = self._reader.chunk(entries, self._channel.channels.chunks if crowded else None, events_frame)
        self._sent(frame, entries[-1].version)
        return frame

    def _sent(self, frames: bytes, version: int) -> None:
        """Send the events up to this version."""
        self._channel.socket.send(frames)
        self._channel.channels.runtime.subscriptions.delivered += version - self._position
        self._position = version

    def _send_state(self, *, crowded: bool) -> bytes:
        """The frame that is sent, unless it contains seats: then it is empty."""
        cached, channels, now = self._cached, self._channel.channels, self._cached.game
        roster = channels.runtime.players.roster_in_memory(now.people)
        if roster is None:
            self._read(channels.runtime.players.roster(now.people), self._go_on)
            return b""
        seats = seat_assignments(roster, now)
        if now.version == self._stated and seats is self._seats:
            return b""
        self._renew()
        perspective = self._perspective
        news = None if seats == self._seats else roster
        frame = b""
        if news is not None or now.version != self._stated:
            try:
                frame = channels.state_frame(cached, perspective, news, crowded=crowded)
            except ViewsMissing:
                self._read(channels.runtime.games.read_views(cached), self._go_on)
                return b""
            self._channel.socket.send(frame)
        if self._plain and perspective.is_fixed and (seats is not self._seats or not self._viewer):
            # The revision changes with the names, of which those who know older ones have to be told.
            self._viewer = variant(perspective.access.viewer(perspective.current), roster.revision)
        self._stated, self._seats = now.version, seats
        return b"" if news is not None else frame

    def _go_on(self, _: object) -> None:
        self.notify()

    async def _next_entries(self) -> Sequence[Stored[Any, Any]]:
        """From the log, with the view before them. A client that is far behind waits for its rate limit."""
        if (behind := self._cached.game.version - self._position) >= BATCH_SIZE:
            await pace(self._channel, self._reader.cost(min(behind, BATCH_SIZE)))
        await self._reader.begin(self._position)
        games = self._channel.channels.runtime.games
        return await games.log(self._cached, self._position, self._position + BATCH_SIZE)

    def _on_entries(self, entries: Sequence[Stored[Any, Any]]) -> None:
        self._send_events(entries, crowded=len(self._peers) > CROWD)
        self.notify()

    def refresh(self) -> None:
        if self._cached.outdated:
            games = self._channel.channels.runtime.games
            Call(games.find(self._cached.rules, self._cached.game.id), lambda _, error: None)  # noqa: ARG005

    def _last(self, problem: Any) -> Any:
        return messages.End(self._name, problem)


class LobbyFollow(Subscribed):
    """The followed lobby."""

    __slots__ = ("_again", "_position", "_search")

    def __init__(self, channel: Client, search: Search, position: int) -> None:
        super().__init__(channel, LOBBY, LOBBY_SUBJECT)
        self._search = search
        self._position = position
        self._again = False
        """Whether there was a notification while changes were read."""

    def _send_news(self) -> None:
        if self._reading:
            self._again = True
        elif self._channel.socket.writable:
            self._again = False
            self._read(self._channel.channels.lobby.after(self._position, self), self._send)

    def _send(self, news: Sequence[LobbyChange]) -> None:
        """Send those of the changes that match the filters."""
        for frame in self._channel.channels.lobby.shown(news, self._search, self._channel.player_id):
            self._channel.socket.send(frame)
        self._position = news[-1].position if news else self._position
        if self._again or len(news) == BATCH_SIZE:
            self.notify()

    def _last(self, problem: Any) -> Any:
        return messages.EndLobby(problem)
