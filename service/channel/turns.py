"""My turns: tells a player which games wait for them, as `GET /v1/games?acting=me` does.

Nothing is written for it and no game is loaded. The follow is notified of appends to the player's games, and of seats
that the player takes. It then looks who must act: in memory, or in the last event of the log.
"""

from typing import Any

from msgspec import UNSET, UnsetType

from domain.codec import encode
from projections.lobby import LobbyGame, seated, seats_of
from service.api.turns import deadline
from service.channel import messages
from service.channel.calls import in_task
from service.channel.channels import Client
from service.channel.follows import TURNS, Subscribed
from service.clock import text_of
from service.live.subscriptions import player_subject
from service.server.web_socket import text_frame


class WatchedGame:
    """A game at which the player sits. `timed`: it has a clock. `waits`: for players, who can still change."""

    __slots__ = ("_follow", "id", "name", "ruleset", "seats", "timed", "waits")

    def __init__(self, follow: "TurnsFollow", listed: LobbyGame) -> None:
        self._follow = follow
        self.id, self.ruleset = listed.id, listed.ruleset
        self.name = f"{listed.ruleset}/{listed.id}"
        self.update(listed)

    def update(self, listed: LobbyGame) -> None:
        self.seats = frozenset(seats_of(listed, self._follow.player))
        self.waits = listed.status == "waiting"
        self.timed = listed.clock is not UNSET

    def notify(self) -> None:
        self._follow.has_news(self)


class TurnsFollow(Subscribed):
    """The followed turns of a player."""

    __slots__ = ("_acting", "_listed", "_news", "_watched", "player")

    def __init__(self, channel: Client, player: str) -> None:
        self.player = player
        self._watched: dict[str, WatchedGame] = {}
        """The unfinished games at which the player sits, by id."""
        self._acting = dict[str, str | UnsetType]()
        """The games in which the player must act, as the client knows them: by id, when their time runs out."""
        self._news = set[str]()
        """The ids of games in which something has happened since they were looked at."""
        self._listed = False
        """Whether the player has taken no seat and no game has begun since the games were listed."""
        super().__init__(channel, TURNS, player_subject(player))
        self._reading = True

    async def begin(self) -> list[messages.TurnGame]:
        """The games in which the player must act, newest first. Afterwards `start` begins to send changes."""
        changed = await self._look()
        return [messages.TurnGame(each.game, each.to_act, each.changed_at, each.runs_out) for each in changed]

    def start(self) -> None:
        self._reading = False
        self.wake()

    # --- notifications ---

    def notify(self) -> None:
        """The player has taken a seat."""
        self._listed = False
        self.wake()

    def has_news(self, watched: WatchedGame) -> None:
        if watched.waits:  # the game may have begun, with other players at its seats
            self._listed = False
        else:
            self._news.add(watched.id)
        self.wake()

    def refresh(self) -> None:
        """Look at games with an append whose outcome was unknown."""
        games = self._channel.channels.runtime.games
        for watched in self._watched.values():
            if games.is_outdated(watched.id):
                watched.notify()

    # --- sending ---

    def _send_news(self) -> None:
        if (self._news or not self._listed) and not self._reading and self._channel.socket.writable:
            self._read(self._look(), self._send)

    def _send(self, changed: list[messages.Turn]) -> None:
        for message in changed:
            self._channel.socket.send(text_frame(encode(message)))
        self._channel.channels.runtime.subscriptions.delivered += len(changed)
        if self._news or not self._listed:
            self.wake()

    async def _look(self) -> list[messages.Turn]:
        """The games that have entered or left the games in which the player must act, or in which the end of the
        player's time has changed. Raises `Unavailable`."""
        if not self._listed:
            await self._list()
        news, self._news = self._news & self._watched.keys(), set()
        turns = await self._channel.channels.runtime.games.turns([*news], notified=True)
        changed = []
        for watched in [each for each in self._watched.values() if each.id in turns]:
            turn = turns[watched.id]
            if watched.seats.isdisjoint(turn.acting):
                if self._acting.pop(watched.id, None) is not None:
                    changed.append(messages.Turn(watched.name, False, turn.acting, turn.at))
            elif (runs_out := await self._runs_out(watched)) != self._acting.get(watched.id):
                self._acting[watched.id] = runs_out
                changed.append(messages.Turn(watched.name, True, turn.acting, turn.at, runs_out))
        return changed

    async def _runs_out(self, watched: WatchedGame) -> str | UnsetType:
        if not watched.timed:
            return UNSET
        end = await deadline(self._channel.channels.runtime, watched.id, watched.seats)
        return UNSET if end is None else text_of(end)

    async def _list(self) -> None:
        """Watch the games at which the player sits now; those that are running are news."""
        self._listed = True
        runtime = self._channel.channels.runtime
        await in_task(runtime.projection_runner.caught_up())
        found = {each.id: each for each in await runtime.ask(seated, self.player)}
        if self.stopped:
            return
        before, self._watched = self._watched, {}
        for game_id, listed in found.items():
            watched = before.pop(game_id) if game_id in before else self._watch(listed)
            watched.update(listed)
            self._watched[game_id] = watched
            if not watched.waits:
                self._news.add(game_id)
        for game_id, watched in before.items():
            if game_id in self._acting:  # it is over, which the client does not know yet
                self._watched[game_id] = watched
                self._news.add(game_id)
            else:
                runtime.subscriptions.unwatch(game_id, watched)

    def _watch(self, listed: LobbyGame) -> WatchedGame:
        watched = WatchedGame(self, listed)
        self._channel.channels.runtime.subscriptions.watch(watched.id, watched)
        return watched

    def stop(self) -> None:
        if not self.stopped:
            for game_id, watched in self._watched.items():
                self._channel.channels.runtime.subscriptions.unwatch(game_id, watched)
            self._watched = {}
        super().stop()

    def _last(self, problem: Any) -> Any:
        return messages.EndTurns(problem)
