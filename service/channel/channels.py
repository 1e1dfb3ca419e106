"""What the channels of a process share: the use cases, encoded messages, and the delivery of new events."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Raw

from domain.codec import encode
from domain.game import Rules
from domain.game.log import Stored
from projections.lobby import Announced
from service.api.access import GameAccess, StreamPerspective, variant
from service.api.contract import Contract
from service.api.event_items import Chunk
from service.api.game_resource import situation
from service.api.lobby_feed import LobbyFeed
from service.api.problems import NotFound, ProblemError
from service.channel import messages
from service.channel.company import Company
from service.core import Core
from service.games.cached_game import CachedGame
from service.identity.players import Roster
from service.server.rate_limit import RateLimitResult, RateLimits
from service.server.streaming import KEEP_ALIVE, ChunkCache
from service.server.web_socket import WebSocket, text_frame

BATCH = 100
"""Follows that are served before other connections get their turn."""


class Follow(Protocol):
    """A subscription of a channel."""

    def notify(self) -> None:
        """There may be something to send."""

    def deliver_if_notified(self) -> None:
        """Send what is new, as far as the client keeps up, unless that has happened meanwhile. Raises nothing."""

    def refresh(self) -> None:
        """Catch up with appends whose outcome was unknown."""


class Client(Protocol):
    """A channel as its follows know it."""

    channels: "Channels"
    socket: WebSocket
    address: str

    @property
    def player_id(self) -> str | None:
        """None for a caller without a token."""

    @property
    def is_barred(self) -> bool:
        """Whether the token of the caller is no longer valid."""

    def follows(self) -> Iterable[Follow]:
        """Everything that the channel follows."""

    def take(self, name: str, make: Callable[[], Any]) -> Any:
        """Follow what `make` returns, a `Subscribed`, instead of what has this name. Returns it. Raises a
        `ProblemError` at the limit of follows, and as `make`."""

    def forget(self, name: str) -> None:
        """End the follow with this name, if there is one."""

    async def find(self, name: str, invite: str | None) -> tuple[str, CachedGame, GameAccess]:
        """The caller, who must be signed in, the game, and their access to it. Raises a `ProblemError`."""

    async def charge(self, cost: int, *, opens: bool = False) -> RateLimitResult | None:
        """As `Payer.charge`."""

    def give_way(self) -> None:
        """Close: a stream of a smaller network has got the place."""


Handler: TypeAlias = Callable[[Any, Any], Awaitable[Any]]
"""(channel, request): the answer. It runs without a task: see `in_task`."""


def _lobby_frame(change: Announced, item: bytes) -> bytes:
    return text_frame(encode(messages.Lobby(change.position, change.event, Raw(item))))  # type: ignore[arg-type]


class Channels:
    """All channels of this process. `limits` None: no rate limits."""

    def __init__(
        self, runtime: Core, rulesets: Mapping[str, Rules], limits: RateLimits | None,
        handlers: Mapping[type[Any], Handler], company: Company,
    ) -> None:  # fmt: skip
        self.runtime = runtime
        self.limits = limits
        self.handlers = handlers
        self.company = company
        self.request = Contract((), messages.requests())
        self.max_follows = runtime.settings.limits.max_follows
        self.lobby = LobbyFeed(runtime, _lobby_frame)
        self._rulesets = rulesets
        self._moves = {name: Contract((), rules.move) for name, rules in rulesets.items()}
        self.chunks: ChunkCache[Chunk] = ChunkCache()
        self._notified: list[Follow] = []
        self._due = deque[Follow]()
        """Follows whose append is answered, or will be before they are reached."""
        self._open: set[Client] = set()
        self._timer: asyncio.TimerHandle | None = None
        self.requests = 0
        runtime.metrics.gauges["open_channels"] = "Open play channels.", lambda: len(self._open)
        runtime.metrics.counters["channel_requests"] = "Requests in play channels.", lambda: self.requests

    def add(self, channel: Client) -> None:
        self._open.add(channel)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(KEEP_ALIVE, self._refresh)

    def remove(self, channel: Client) -> None:
        self._open.discard(channel)

    def _refresh(self) -> None:
        """Let all follows catch up with appends whose outcome was unknown."""
        self._timer = asyncio.get_running_loop().call_later(KEEP_ALIVE, self._refresh) if self._open else None
        for channel in self._open:
            for follow in channel.follows():
                follow.refresh()

    # --- requests ---

    def locate(self, name: str) -> tuple[Rules, Contract, str]:
        """The ruleset, the type of its moves, and the id of the game with this name. Raises `ProblemError`."""
        ruleset, _, game_id = name.partition("/")
        rules = self._rulesets.get(ruleset)
        if rules is None or not game_id:
            raise ProblemError(NotFound(detail="This game does not exist."))
        return rules, self._moves[ruleset], game_id

    def moves(self, cached: CachedGame) -> Contract:
        return self._moves[cached.rules.name]

    # --- delivery ---

    def wake(self, follow: Follow) -> None:
        """Let the follow deliver after the answer of the append that it was notified of is written.

        What takes time here depends on cards that the mover may not see: the legal moves of others.
        """
        if not self._notified:
            asyncio.get_running_loop().call_soon(self._deliver_soon)
        self._notified.append(follow)

    def _deliver_soon(self) -> None:
        """Let the notified follows deliver after the callbacks that are waiting now: they write the answers."""
        if not self._due:
            asyncio.get_running_loop().call_soon(self._deliver)
        self._due += self._notified
        self._notified.clear()

    def _deliver(self) -> None:
        for _ in range(min(BATCH, len(self._due))):
            self._due.popleft().deliver_if_notified()
        if self._due:
            asyncio.get_running_loop().call_soon(self._deliver)

    def state_frame(
        self, cached: CachedGame, stream: StreamPerspective, roster: Roster | None, *, crowded: bool
    ) -> bytes:  # fmt: skip
        """The frame of the message `state`: what the caller of the stream can do now, and with a roster the seats. If
        the game is `crowded`, it is kept for all with this perspective and these permissions. Raises `ViewsMissing`."""
        key = ""
        if crowded:
            viewer = stream.access.viewer(stream.current)
            key = f"state {viewer}" if roster is None else f"state+ {variant(viewer, roster.revision)}"
            if (kept := cached.responses.get(key)) is not None:
                return bytes(kept)
        frame = text_frame(encode(situation(cached, stream, roster, messages.State, game=cached.name)))
        if crowded:
            cached.responses[key] = frame
        return frame


def events_frame(cached: CachedGame, _: Sequence[Stored[Any, Any]], items: Sequence[bytes]) -> bytes:
    # As `messages.Events` is encoded, in half the time. Names of games need no escapes.
    return text_frame(b'{"type":"events","game":"%b","items":[%b]}' % (cached.name.encode(), b",".join(items)))
