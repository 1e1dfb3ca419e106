"""A play channel: the requests, follows and identity of one web socket."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import UNSET, Raw

from domain.codec import encode
from domain.game.log import redacted
from projections.lobby import Search
from service.api.access import GameAccess, StreamPerspective, find_game, move_of
from service.api.charges import RateExceeded, charge, charge_followers, check, cost_of_items
from service.api.contract import LISTING
from service.api.decoding import parsed
from service.api.game_resource import legal_moves_of
from service.api.problems import Forbidden, ProblemError, TooManyRequests, malformed_request, problem_error
from service.channel import messages
from service.channel.calls import Call, in_task
from service.channel.channels import Channels
from service.channel.follows import LOBBY, TURNS, GameFollow, LobbyFollow, Subscribed
from service.channel.turns import TurnsFollow
from service.games.cached_game import CachedGame
from service.games.games import Change
from service.identity.tokens import Unauthenticated
from service.paying import PAYING
from service.server.rate_limit import REFUSAL_DELAY, RateLimitResult
from service.server.streaming import BATCH_SIZE
from service.server.web_socket import GOING_AWAY, TIMED_OUT, TRY_AGAIN_LATER, UNAUTHENTICATED, WebSocket, text_frame

COSTS: Mapping[type[Any], int] = {
    **{request: operation.cost for request, operation in messages.COMMANDS.items()},
    messages.FollowLobby: LISTING,
    messages.FollowTurns: LISTING,
}
"""For how many requests a message counts that counts for several."""

FIRST_MESSAGE_TIMEOUT = 10.0
"""Seconds after the upgrade in which the first message has to arrive."""
MAX_OUTSTANDING = 64
"""Requests of a channel that may wait for their answers. Meanwhile no further request is read."""


class Envelope(msgspec.Struct):
    """What a message that is no valid request may nevertheless contain."""

    id: messages.RequestId | None = None


_ENVELOPE = msgspec.json.Decoder(Envelope)


class Channel:
    """Listens to a web socket.

    `caller`, the `generation` of the token and `expires_at` (seconds since 1970) come from the token of the upgrade;
    None: it had none. `address` is the client's, as limits count it.
    """

    def __init__(
        self, channels: Channels, socket: WebSocket, caller: str | None, generation: int, expires_at: int | None,
        address: str,
    ) -> None:  # fmt: skip
        self.channels = channels
        self.socket = socket
        self.address = address
        self._caller = caller
        self._generation = generation
        self._players = channels.runtime.players
        self._admitted = -1
        """`Players.changes` when the caller was last found not to be barred."""
        self._expires_at = expires_at
        self._deadline: float | None = asyncio.get_running_loop().time() + FIRST_MESSAGE_TIMEOUT
        """When the first message must have arrived; None when it has."""
        self._outstanding = 0
        self._authenticating = False
        self._stopping = False
        self._close_reason = ""
        """Set if the channel closes after the next answer, because nobody is signed in."""
        self._follows: dict[str, Subscribed] = {}
        """What the channel follows, by name."""
        self._beginning: dict[str, messages.Follow | messages.FollowLobby] = {}
        """The latest request to follow something, until it is answered or overtaken."""
        channels.add(self)
        channels.runtime.subscriptions.count(self, caller, address)
        self._counted: tuple[str | None] | None = (caller,)
        """The player whose stream the channel is, None without a token; None when it is closed."""

    @property
    def player_id(self) -> str | None:
        """None for a caller without a token."""
        return self._caller

    @property
    def is_barred(self) -> bool:
        """Whether the token of the caller is no longer valid: they were forgotten, banned, or have signed out."""
        players = self._players
        if self._admitted != players.changes:
            if players.is_barred(self._caller, self._generation):
                return True
            self._admitted = players.changes
        return False

    # --- called by the web socket ---

    def received(self, text: bytes) -> None:
        self._outstanding += 1
        PAYING.set(self)
        is_first, self._deadline = self._deadline is not None, None
        try:
            request = parsed(self.channels.request, text)
        except ProblemError as error:
            Call(self._refuse(_id_of(text), error), self._answered)
        else:
            Call(self._answer(request, is_first), self._answered)
        if self._outstanding >= MAX_OUTSTANDING:
            self._hold_or_go_on()

    def writable(self) -> None:
        for follow in self.follows():
            follow.wake()

    def check(self, now: float) -> None:
        if self._deadline is not None and now > self._deadline:
            self.socket.close(TIMED_OUT, "no first message")
        elif self._expires_at is not None and time.time() >= self._expires_at:
            self.socket.close(UNAUTHENTICATED, "the token has expired")
        elif self.is_barred:
            self.socket.close(UNAUTHENTICATED, "the player was forgotten, is banned, or has signed out")

    def shutdown(self) -> None:
        self._stopping = True
        self._hold_or_go_on()
        self._close_if_due()

    def give_way(self) -> None:
        self.socket.close(TRY_AGAIN_LATER, "the process has reached its limit of streams")

    def closed(self) -> None:
        self.channels.remove(self)
        if self._counted is not None:
            self.channels.runtime.subscriptions.discount(self, *self._counted, self.address)
            self._counted = None
        self._beginning.clear()
        for name in tuple(self._follows):
            self.forget(name)

    def follows(self) -> tuple[Subscribed, ...]:
        return tuple(self._follows.values())

    def forget(self, name: str) -> None:
        """End the follow with this name, if there is one."""
        follow = self._follows.pop(name, None)
        if follow is not None:
            follow.stop()

    # --- requests ---

    async def _answer(self, request: Any, is_first: bool) -> Any:
        """The answer to a request. Raises nothing."""
        try:
            if self._admitted != self._players.changes:
                self._check_caller()
            if isinstance(request, messages.Authenticate):
                return await self._authenticate(request, is_first)
            if (counted := self._hit(COSTS.get(type(request), 1))) is not None:
                check(counted if isinstance(counted, RateLimitResult) else await counted)
            return await self.channels.handlers[type(request)](self, request)
        except RateExceeded as error:
            await asyncio.sleep(REFUSAL_DELAY)
            return refusal(request.id, error)
        except Exception as error:
            return refusal(request.id, error)

    async def _refuse(self, request_id: str | int | None, error: Exception) -> Any:
        """The answer to a message that is no valid request, which costs as much as a request."""
        try:
            await self._count()
        except RateExceeded as limit:
            await asyncio.sleep(REFUSAL_DELAY)
            return refusal(request_id, limit)
        return refusal(request_id, error)

    def _check_caller(self) -> None:
        if self.is_barred:
            self._players.check(self._caller, self._generation)

    def _answered(self, answer: Any, error: Exception | None) -> None:
        try:
            self._outstanding -= 1
            self.socket.send(text_frame(encode(answer if error is None else refusal(None, error))))
            if isinstance(answer, messages.Moved) and (follow := self._follows.get(answer.game)) is not None:
                follow.deliver()  # written together with the answer
            if self.socket.held:
                self._hold_or_go_on()
            if self._close_reason or self._stopping:
                self._close_if_due()
        except Exception as failure:
            self.socket.fail(failure)

    def _hold_or_go_on(self) -> None:
        self.socket.hold(self._authenticating or self._stopping or self._outstanding >= MAX_OUTSTANDING)

    def _close_if_due(self) -> None:
        if self._close_reason:
            self.socket.close(UNAUTHENTICATED, self._close_reason)
        elif self._stopping and not self._outstanding:
            self.socket.close(GOING_AWAY, "the service stops")

    async def _count(self) -> None:
        """Count a request. Raises a `ProblemError` if the caller exceeds a rate limit."""
        if (counted := self._hit()) is not None:
            check(counted if isinstance(counted, RateLimitResult) else await counted)

    def _hit(self, cost: int = 1) -> RateLimitResult | Awaitable[RateLimitResult] | None:
        """As `RateLimits.hit`; None without limits."""
        self.channels.requests += 1
        limits = self.channels.limits
        return None if limits is None else limits.hit(self._caller, self.address, cost=cost)

    async def charge(self, cost: int, *, opens: bool = False) -> RateLimitResult | None:
        """As `Payer.charge`."""
        limits = self.channels.limits
        if limits is None:
            return None
        counted = limits.hit(self._caller, self.address, opens=opens, cost=cost)
        return counted if isinstance(counted, RateLimitResult) else await counted

    def _signed_in(self) -> str:
        if self._caller is None:
            raise Unauthenticated("No token was sent.")
        return self._caller

    # --- identity ---

    async def _authenticate(self, request: messages.Authenticate, is_first: bool) -> messages.Authenticated:
        """The requests after this one are those of the player, so they wait."""
        self._authenticating = True
        self._hold_or_go_on()
        try:
            await self._count()
            tokens, players = self.channels.runtime.tokens, self._players
            bearer, expires_at = tokens.read(request.token), tokens.expires_at(request.token)
            await players.admit(bearer)
            if self.player_id != bearer.id and not (is_first and self._caller is None):
                raise ProblemError(Forbidden(detail="The player of a channel does not change. Open another channel."))
            named = await players.named([bearer.id])
            if self._counted == (None,):
                self.channels.runtime.subscriptions.hand_over(self.address, bearer.id)
                self._counted = (bearer.id,)
        except Unauthenticated:
            if is_first and self._caller is None:
                self._close_reason = "the token is not valid"
            raise
        finally:
            self._authenticating = False
        self._caller, self._generation, self._expires_at = bearer.id, bearer.generation, expires_at
        self._admitted = -1
        until = datetime.fromtimestamp(expires_at, UTC).isoformat().replace("+00:00", "Z")
        return messages.Authenticated(request.id, named[bearer.id], until)

    # --- games ---

    async def _follow(self, request: messages.Follow) -> messages.Following | messages.Unfollowed:
        name, channels = request.game, self.channels
        self._check_follows(name)
        rules, _, game_id = channels.locate(name)
        games = channels.runtime.games
        self._beginning[name] = request
        try:
            if request.presence and self._caller is not None:
                await self._players.blocked_by(self._caller)
            cached, access = await find_game(games, rules, game_id, self._caller, request.invite)
            perspective = StreamPerspective(access, _as(request.as_))
            if not await games.reaches(cached, request.after):
                version = cached.game.version
                raise malformed_request("$.after", f"is later than the last event, which is {version}")
            missed = min(cached.game.version - request.after, BATCH_SIZE)
            await charge(self, cost_of_items(missed, extended=request.patch or request.tally))
            if self._beginning.get(name) is request:
                follow = await self._begin_follow(request, cached, perspective)
        finally:
            overtaken = self._beginning.get(name) is not request  # by an `unfollow`, another `follow`, or a close
            if not overtaken:
                del self._beginning[name]
        if overtaken:
            return messages.Unfollowed(request.id, name)
        follow.start()
        return messages.Following(request.id, name, cached.game.version)

    def _check_follows(self, name: str) -> None:
        most = self.channels.max_follows
        if len({name, *self._follows, *self._beginning} - {LOBBY, TURNS}) > most:
            raise ProblemError(TooManyRequests(detail=f"This channel follows {most} games; end one of them first."))

    def take(self, name: str, make: Callable[[], Subscribed]) -> Subscribed:
        self._check_follows(name)
        self.forget(name)
        self._follows[name] = follow = make()
        return follow

    async def _begin_follow(
        self, request: messages.Follow, cached: CachedGame, perspective: StreamPerspective
    ) -> GameFollow:
        """Replace the follow of this game. The new one does not send yet."""
        name = request.game
        self.forget(name)
        self._follows[name] = follow = GameFollow(
            self,
            name,
            cached,
            perspective,
            request.after,
            patched=request.patch,
            tallied=request.tally,
            with_presence=request.presence,
        )
        try:
            await self.channels.runtime.games.find(cached.rules, cached.game.id)  # appended before the subscription
        except Exception:
            if self._follows.get(name) is follow:
                self.forget(name)
            raise
        return follow

    async def _unfollow(self, request: messages.Unfollow) -> messages.Unfollowed:
        self._beginning.pop(request.game, None)
        self.forget(request.game)
        return messages.Unfollowed(request.id, request.game)

    async def _move(self, request: messages.MakeMove[Raw]) -> messages.Moved[Any]:
        player, runtime = self._signed_in(), self.channels.runtime
        follow = self._follows.get(request.game)
        seated = None if follow is None else follow.seated()
        cached, access = await self._enter_to_move(request, player) if seated is None else seated
        chosen = parsed(self.channels.moves(cached), bytes(request.move), "$.move")
        command, key = move_of(cached, access, chosen, _as(request.as_), request.key, request.version)
        if follow is not None:
            follow.await_answer()
        try:
            await charge_followers(self, runtime.subscriptions.followers(cached.game.id))
            return self._moved(request, cached, await runtime.commands.execute(cached, player, command, key))
        except BaseException:
            if follow is not None:
                follow.miss_answer()
            raise

    async def _enter_to_move(self, request: messages.MakeMove[Raw], player: str) -> tuple[CachedGame, GameAccess]:
        """A game that is not followed and the player's access to it, possibly behind the log: `execute` checks the
        log."""
        games = self.channels.runtime.games
        rules, _, game_id = self.channels.locate(request.game)
        cached = games.running(rules, game_id) or await games.find(rules, game_id)
        return cached, GameAccess(cached.header, player, request.invite)

    def _moved(self, request: messages.MakeMove[Raw], cached: CachedGame, change: Change) -> messages.Moved[Any]:
        first, last = change.entries[0], change.entries[-1]
        events: Any = UNSET
        if request.game not in self._follows:
            events = [redacted(cached.rules, entry, first.by) for entry in change.entries]
        return messages.Moved(request.id, request.game, last.version, last.head, change.replayed, events)

    async def find(self, name: str, invite: str | None) -> tuple[str, CachedGame, GameAccess]:
        player = self._signed_in()
        rules, _, game_id = self.channels.locate(name)
        return player, *await find_game(self.channels.runtime.games, rules, game_id, player, invite)

    async def _act(self, request: Any) -> Any:
        operation = messages.COMMANDS[type(request)]
        player, cached, _ = await self.find(request.game, request.invite)
        kind: Any = operation.command
        command = kind(**{name: getattr(request, name) for name in kind.__struct_fields__})
        key, runtime = operation.key(player, request.key, command, cached.game.id), self.channels.runtime
        change: Change | None
        if operation.makes_game:
            await charge(self, 1, opens=True)
            cached, change = await in_task(runtime.commands.make(cached, player, command, key, self._players.forgotten))
        else:
            await charge_followers(self, runtime.subscriptions.followers(cached.game.id))
            change = await in_task(runtime.commands.execute(cached, player, command, key, self.address))
        end = (cached.game.version, cached.header.head, False) if change is None else _end_of(change)
        return messages.ANSWERS[operation.id](request.id, cached.name, *end)

    async def _legal_moves(self, request: messages.ListLegalMoves) -> messages.LegalMoves[Any]:
        _, cached, access = await self.find(request.game, request.invite)
        found = legal_moves_of(cached, access.acting_seat(_as(request.as_)))
        return messages.LegalMoves(
            request.id, request.game, found.version, found.seat, found.decision, found.legal_moves
        )

    # --- the lobby ---

    async def _follow_lobby(self, request: messages.FollowLobby) -> messages.FollowingLobby | messages.UnfollowedLobby:
        self._beginning[LOBBY] = request
        latest = await self.channels.runtime.store.position()
        position = latest if request.after is None else request.after
        if position > latest:
            raise malformed_request("$.after", f"is later than the last event, which is {latest}")
        await self.channels.lobby.after(position)  # an expired position must fail before the answer
        if self._caller is not None:
            await self._players.blocked_by(self._caller)
        if self._beginning.get(LOBBY) is not request:
            return messages.UnfollowedLobby(request.id)
        self.forget(LOBBY)
        search = Search(request.ruleset, request.status, request.player, request.open_, request.bots)
        self._follows[LOBBY] = follow = LobbyFollow(self, search, position)
        follow.notify()
        return messages.FollowingLobby(request.id, position)

    async def _unfollow_lobby(self, request: messages.UnfollowLobby) -> messages.UnfollowedLobby:
        self._beginning.pop(LOBBY, None)
        self.forget(LOBBY)
        return messages.UnfollowedLobby(request.id)

    # --- turns ---

    async def _follow_turns(self, request: messages.FollowTurns) -> messages.FollowingTurns | messages.UnfollowedTurns:
        player = self._signed_in()
        self.forget(TURNS)
        self._follows[TURNS] = follow = TurnsFollow(self, player)
        try:
            found = await follow.begin()
        except Exception:
            if self._follows.get(TURNS) is follow:
                self.forget(TURNS)
            raise
        if self._follows.get(TURNS) is not follow:  # overtaken by another request, or a close
            return messages.UnfollowedTurns(request.id)
        follow.start()
        return messages.FollowingTurns(request.id, found)

    async def _unfollow_turns(self, request: messages.UnfollowTurns) -> messages.UnfollowedTurns:
        self.forget(TURNS)
        return messages.UnfollowedTurns(request.id)


HANDLERS: Mapping[type[Any], Callable[[Channel, Any], Awaitable[Any]]] = {
    messages.Follow: Channel._follow,
    messages.Unfollow: Channel._unfollow,
    messages.FollowLobby: Channel._follow_lobby,
    messages.UnfollowLobby: Channel._unfollow_lobby,
    messages.FollowTurns: Channel._follow_turns,
    messages.UnfollowTurns: Channel._unfollow_turns,
    messages.MakeMove: Channel._move,
    **dict.fromkeys(messages.COMMANDS, Channel._act),
    messages.ListLegalMoves: Channel._legal_moves,
}
"""Of the core, by type of request."""


def refusal(request_id: str | int | None, error: Exception) -> messages.Refused[Any]:
    """The answer to a request that failed. Logs errors that nothing expects."""
    found = problem_error(error)
    retry_after = found.headers.get("Retry-After")
    return messages.Refused(request_id, found.problem, UNSET if retry_after is None else int(retry_after))


def _id_of(text: bytes) -> str | int | None:
    """The id in a message that is no valid request, or None."""
    try:
        return _ENVELOPE.decode(text).id
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None


def _as(viewpoint: int | str | None) -> str | None:
    """The perspective as REST writes it."""
    return None if viewpoint is None else str(viewpoint)


def _end_of(change: Change) -> tuple[int, str, bool]:
    """Version and head after the change, and whether it was made before."""
    return change.entries[-1].version, change.entries[-1].head, change.replayed
