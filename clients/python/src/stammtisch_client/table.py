"""A table: a game that is played, watched or waited for."""

import asyncio
import hmac
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, suppress
from typing import Any, Generic, Literal

import msgspec

from . import models
from .backoff import Backoff
from .channel import Channel, ChannelUnavailable, Follow
from .errors import NoAnswer, Problem, Unsealed
from .patches import patched
from .problems import CannotReady, SeatTaken
from .record import Record, seal
from .rest import Rest, segment
from .ruleset import G, I, Json, M, Ruleset, V

Viewpoint = int | Literal["bystander", "all"]
Question = Literal["abort", "undo"]
Undo = Literal["free", "agreed", "none"]
OVER = ("finished", "aborted")


class Made(msgspec.Struct, frozen=True):
    """A move that was made. `replayed`: an earlier attempt had made it."""

    version: int
    head: str
    replayed: bool


class Hint(msgspec.Struct, Generic[M], frozen=True, kw_only=True):
    """The moves that nothing speaks against, the best first."""

    seat: int
    version: int
    """The version of the table that it is about."""
    moves: list[M]
    against: M | None = None
    """The move that the first one is compared with; None: the figures are missing."""
    ahead: float
    """By how many points the first one is better than `against`. It may be chance: see `error`."""
    error: float
    """The standard error of `ahead`."""
    worlds: int
    """In how many worlds `ahead` was measured."""


class State(Generic[V, M, I]):
    """A table after an event, as the caller sees it."""

    def __init__(self, table: "AsyncTable[Any, V, M, I]", state: Json, view: Json | None, items: list[Json]) -> None:
        self._table = table
        self._state = state
        self._view = view
        self._items = items

    @property
    def version(self) -> int:
        """The number of events so far."""
        return int(self._state["version"])

    @property
    def status(self) -> models.Status:
        """`waiting`, `running`, `finished` or `aborted`."""
        found: models.Status = self._state["status"]
        return found

    @property
    def seat(self) -> int | None:
        """The caller's seat; None for a bystander."""
        seat: int | None = self._state["you"]
        return seat

    @property
    def to_act(self) -> list[int]:
        """The seats that have a choice."""
        return list(self._state["to_act"])

    @property
    def decision(self) -> int | None:
        """The version since which the caller's choice exists; None without a choice."""
        decision: int | None = self._state["decision"]
        return decision

    @property
    def view(self) -> V:
        """The table as the caller sees it. None before the game begins."""
        nothing: Any = None
        found: V = nothing if self._view is None else self._table.ruleset.as_view(self._view)
        return found

    @property
    def legal_moves(self) -> list[M]:
        """All legal moves of the caller."""
        return self._table.ruleset.as_moves(self._state["legal_moves"])

    @property
    def events(self) -> list[I]:
        """What has happened since the state before."""
        return [self._table.ruleset.as_item(item) for item in self._items]

    @property
    def result(self) -> models.Result | None:
        """The result; None until the game is finished."""
        return msgspec.convert(self._state["result"], models.Result | None)

    @property
    def raw(self) -> Json:
        """View, legal moves and events as the service sent them."""
        return {"view": self._view, "legal_moves": self._state["legal_moves"], "events": self._items}


class AsyncTurn(State[V, M, I]):
    """A choice of the caller's."""

    async def play(self, move: M) -> Made:
        """Make a move, exactly once.

        The request is repeated until it is answered. Its key follows from the game and the decision, so that a program
        that crashes here cannot make two moves when it runs again. Raises `IllegalMove`, `StaleDecision` if the choice
        has changed, `IdempotencyKeyReused` if an attempt before a crash has made another move.
        """
        key = f"turn-{self.seat}-{self.decision}"
        return await self._table.play(move, version=self.version, key=key)


class AsyncTable(Generic[G, V, M, I]):
    """A game of a ruleset. `invite`: the code of a private game. `as_`: another viewpoint than the own seat, where that
    is allowed: any seat in hotseat games."""

    def __init__(
        self, rest: Rest, channel: Channel, ruleset: Ruleset[G, V, M, I, Any], id: str, invite: str | None = None,
        as_: Viewpoint | None = None,
    ) -> None:  # fmt: skip
        self.ruleset = ruleset
        self.id = id
        self.invite = invite
        self._as = as_
        self._rest = rest
        self._channel = channel
        self._path = f"/v1/games/{segment(ruleset.name)}/{segment(id)}"

    @property
    def name(self) -> str:
        """Ruleset and id: `RULESET/ID`."""
        return f"{self.ruleset.name}/{self.id}"

    # --- the game ---

    async def look(self) -> Json:
        """The game as JSON, as the caller sees it."""
        found: Json = await self._rest.get(self._path, as_=self._as, invite=self.invite)
        return found

    async def game(self) -> G:
        """The game as the caller sees it."""
        return self.ruleset.as_game(await self.look())

    async def at(self, version: int, seat: Viewpoint | None = None) -> G:
        """The game as it was at an earlier version, from 1 on. `seat`: as which seat to look, by default that of the
        table. Raises `Forbidden` for the seat of another player while the game runs, `NotFound` for a version that the
        game has not reached."""
        as_ = self._as if seat is None else seat
        return self.ruleset.as_game(await self._rest.get(self._path, at=version, as_=as_, invite=self.invite))

    async def sit(self, seat: int | None = None, *, entropy: str = "") -> G:
        """Take a seat: the given one, else one that is kept for the caller, else the first free one. The last free seat
        begins the game. Entropy is the caller's contribution to the shuffles. In a sealed game only its seal is sent;
        by default the entropy follows from the client's `seed`."""
        game = await self.look()
        if not game.get("sealed") or game["status"] != "waiting":
            return self.ruleset.as_game(await self._post("seats", {"seat": seat, "entropy": entropy}))
        for left in reversed(range(len(game["seats"]))):
            place = await self._place(game) if seat is None else seat
            body = {"seat": place, "seal": seal(self.id, place, entropy or self._entropy(place))}
            try:
                return self.ruleset.as_game(await self._post("seats", body))
            except SeatTaken:
                if seat is not None or not left:
                    raise
            game = await self.look()  # somebody else was faster
        raise AssertionError("the last attempt returns or raises")

    async def _place(self, game: Json) -> int:
        """The seat that the service would choose."""
        free = [each for each in game["seats"] if each["player"] is None and "bot" not in each]
        kept = [each for each in free if "reserved" in each]
        if kept:
            me = (await self._rest.get("/v1/players/me"))["id"]
            kept = [each for each in kept if each["reserved"]["id"] == me]
        found = kept or [each for each in free if "reserved" not in each] or game["seats"]
        return int(found[0]["seat"])

    async def ready(self, *, entropy: str = "") -> None:
        """Open the sealed entropy, once all seats are taken. `turns` and `changes` do that by themselves.

        Raises `Unsealed` unless the log has a seal of every player, and is the one of which this client knows a head.
        """
        game = await self.look()
        seat, record = game["you"], await self.record()
        entropy = entropy or self._entropy(seat)
        version, head = self._rest.heads.get(self.id, (0, None))
        items = record.fields["events"]
        wrong = record.verify(head).verdict == "wrong" or (head is not None and items[version - 1]["head"] != head)
        seals: dict[int, str | None] = {each["seat"]: None for each in game["seats"] if "bot" not in each}
        for event in (item["event"] for item in items):
            if event["type"] in ("joined", "left"):
                seals[event["seat"]] = event.get("seal")
        if wrong or None in seals.values() or seals.get(seat) != seal(self.id, seat, entropy):
            raise Unsealed("The entropy stays closed: the log does not have the right seal of each player.")
        self._rest.heads.setdefault(self.id, (len(items), record.fields["head"]))
        await self._post("ready", {"entropy": entropy})

    async def _ready_if_due(self, game: Json) -> None:
        """Ready, if all seats of a sealed game are taken and the caller is not ready."""
        seat, seats = game["you"], game["seats"]
        waits = game["status"] == "waiting" and game.get("sealed") and seat is not None
        if waits and "ready" not in seats[seat] and all(each["player"] or "bot" in each for each in seats):
            with suppress(CannotReady):  # another program of this player was faster, or somebody has left
                await self.ready()

    def _entropy(self, seat: int) -> str:
        """What this client contributes to the shuffles of a sealed game."""
        return hmac.new(self._rest.seed, f"{self.id} {seat}".encode(), "sha256").hexdigest()[:32]

    async def leave(self, seat: int | None = None, *, running: bool = False) -> None:
        """Leave the seat, by default the caller's. `running`: also a game that runs, in which a bot goes on."""
        if seat is None:
            seat = (await self.look())["you"]
        query = {"running": "true" if running else None, "invite": self.invite}
        await self._rest.send("DELETE", f"{self._path}/seats/{seat}", query=query, headers=_keyed(None))

    async def give_time(self, seat: int, seconds: int) -> None:
        """Give another seat time, in a game with a clock."""
        await self._post("time", {"seat": seat, "seconds": seconds})

    async def take_back(self, version: int) -> None:
        """Take back the caller's move that ended with this version, or ask the others. The game's `undo` is the version
        of a move that can be taken back without asking."""
        query = {"invite": self.invite}
        await self._rest.send("DELETE", f"{self._path}/moves/{version}", query=query, headers=_keyed(None))

    async def vote(self, on: Question, *, yes: bool) -> None:
        """Ask all players to `abort` the game or to `undo` the caller's move, or answer the open question."""
        await self._post("votes", {"on": on, "yes": yes})

    async def rematch(self, *, entropy: str = "") -> str:
        """Sit down in the game that repeats this finished one. Returns its id: `client.table(ruleset, id)`."""
        return str((await self._post("rematch", {"entropy": entropy}))["id"])

    async def hint(self) -> Hint[M]:
        """A hint about the caller's choice, in a game against bots that was opened with `hints`. The log records that
        the caller has asked. A choice has one hint. Raises `NoHint` without a choice, or if the game has no hints."""
        kind: Any = Hint[self.ruleset.move]  # type: ignore[name-defined]
        found: Hint[M] = msgspec.convert(await self._post("hints", None), kind)
        return found

    async def cancel(self) -> None:
        """Abort the caller's game before it begins."""
        await self._rest.send("DELETE", self._path, query={"invite": self.invite}, headers=_keyed(None))

    async def record(self) -> Record:
        """The portable record: complete when the game is over."""
        return Record(await self._rest.read(f"{self._path}/record", invite=self.invite))

    async def review(self, plan: str = "quick") -> Json | None:
        """The review of a finished game as JSON; None while the service computes it."""
        query = {"plan": plan, "invite": self.invite}
        answer = await self._rest.send("GET", f"{self._path}/review", query=query)
        found: Json | None = None if answer.status_code == 202 else msgspec.json.decode(answer.content)
        return found

    async def audit(self) -> models.Audit:
        """The service's own verification."""
        return msgspec.convert(await self._rest.get(f"{self._path}/audit", invite=self.invite), models.Audit)

    async def _post(self, part: str, body: Any) -> Json:
        query = {"invite": self.invite}
        answer = await self._rest.send("POST", f"{self._path}/{part}", body=body, query=query, headers=_keyed(None))
        found: Json = msgspec.json.decode(answer.content)
        return found

    # --- moves ---

    async def play(self, move: M, *, version: int | None = None, key: str | None = None) -> Made:
        """Make a move, exactly once. `version`: of the game that it was decided on; without it the move is judged on
        the game as it is. `key`: the idempotency key, by default a new one."""
        key = key or str(uuid.uuid4())
        backoff = Backoff(self._rest.contact)
        while True:
            try:
                if self._channel.is_open:
                    return await self._play_on_channel(move, version, key)
                return await self._play_on_rest(move, version, key)
            except (NoAnswer, Problem) as failure:
                await backoff.after(failure)

    async def _play_on_channel(self, move: M, version: int | None, key: str) -> Made:
        answer = await self._channel.request(
            "move", game=self.name, move=move, key=key, version=version, as_=self._as, invite=self.invite
        )
        return Made(answer["version"], answer["head"], answer["replayed"])

    async def _play_on_rest(self, move: M, version: int | None, key: str) -> Made:
        headers = _keyed(key) | {"Prefer": "return=minimal"}
        if version is not None:
            headers["If-Match"] = f'"{version}.0"'
        query = {"as": self._as, "invite": self.invite}
        answer = await self._rest.attempt("POST", f"{self._path}/moves", body=move, query=query, headers=headers)
        made = msgspec.json.decode(answer.content)
        return Made(made["version"], made["head"], answer.headers.get("Idempotency-Replayed") == "true")

    # --- live ---

    async def turns(self) -> AsyncGenerator[AsyncTurn[V, M, I], None]:
        """The caller's choices, each once, until the game is over. A game that has not begun is waited for."""
        offered: tuple[int | None, int] | None = None
        seen: list[Json] = []
        async with aclosing(self._states()) as states:
            async for state, view, items in states:
                seen += items
                if state["decision"] is None or not state["legal_moves"]:
                    continue
                if (choice := (state["you"], state["decision"])) != offered:
                    offered = choice
                    yield AsyncTurn(self, state, view, seen)
                    seen = []

    async def changes(self) -> AsyncGenerator[State[V, M, I], None]:
        """The table now, and after each change, until the game is over."""
        async with aclosing(self._states()) as states:
            async for state, view, items in states:
                yield State(self, state, view, items)

    async def history(self, after: int = 0) -> list[Json]:
        """The events after a version, up to now, as JSON as the caller may see them."""
        query = {"after": after or None, "as": self._as, "invite": self.invite}
        headers = {"Accept": "application/x-ndjson"}
        answer = await self._rest.send("GET", f"{self._path}/events", query=query, headers=headers)
        found: list[Json] = msgspec.json.Decoder().decode_lines(answer.content)
        return found

    async def events(self, after: int = 0) -> AsyncGenerator[I, None]:
        """All events after a version, then each as it happens, until the game is over."""
        async with aclosing(self._messages(after, None)) as messages:
            async for message in messages:
                for item in message["items"] if message["type"] == "events" else ():
                    yield self.ruleset.as_item(item)

    async def _states(self) -> AsyncGenerator[tuple[Json, Json | None, list[Json]], None]:
        """The states with view and events since the one before."""
        state = await self.look()
        await self._ready_if_due(state)
        view, version, items = state["view"], state["version"], list[Json]()
        yield state, view, items
        if state["status"] in OVER:
            return
        seat = self._as if isinstance(self._as, int) else state["you"]
        async with aclosing(self._messages(version, seat)) as messages:
            async for message in messages:
                if message["type"] == "events":
                    for item in message["items"]:
                        view = patched(view, item["patch"])
                    items = items + message["items"]
                    version = message["items"][-1]["version"]
                    if any(item["event"]["type"] == "joined" for item in message["items"]):
                        await self._ready_if_due(await self.look())
                elif message["type"] == "state" and message["version"] == version:
                    yield message, view, items
                    items = []

    async def _messages(self, after: int, seat: int | None) -> AsyncGenerator[Json, None]:
        """`events` and `state` until the game is over: from the channel, or else from an event stream."""
        follow = Follow(self.name, self._follow_request, after)
        try:
            self._channel.follow(follow)
            while True:
                message = await follow.next()
                yield message
                if message["type"] == "end":
                    return
        except ChannelUnavailable:
            pass
        finally:
            self._channel.unfollow(follow)
        async with aclosing(self._streamed(follow.version, seat)) as messages:
            async for message in messages:
                yield message

    def _follow_request(self, after: int) -> Json:
        return {
            "type": "follow", "game": self.name, "after": after, "as_": self._as, "invite": self.invite, "patch": True,
        }  # fmt: skip

    async def _streamed(self, version: int, seat: int | None) -> AsyncGenerator[Json, None]:
        """The same messages, from event streams and the game itself."""
        backoff = Backoff(self._rest.contact)
        query = {"with": "patch", "as": self._as, "invite": self.invite}
        while True:
            try:
                async with self._rest.lines(f"{self._path}/events", query, version) as lines:
                    async for item in _items(lines):
                        backoff.reset()
                        version = item["version"]
                        yield {"type": "events", "items": [item]}
                        if item["more"] == 0 and (seat is None or seat in item.get("acting", ())):
                            yield {"type": "state", **await self.look()}
                state = await self.look()
                if state["version"] == version:
                    yield {"type": "state", **state}
                    if state["status"] in OVER:
                        return
                await asyncio.sleep(0.1)  # the stream ended before the game: the process shuts down
            except (NoAnswer, Problem) as failure:
                await backoff.after(failure)


def _keyed(key: str | None) -> dict[str, str | None]:
    return {"Idempotency-Key": key or str(uuid.uuid4())}


async def _items(lines: AsyncIterator[str]) -> AsyncIterator[Json]:
    """The data of the events of a stream."""
    async for line in lines:
        if line.startswith("data:"):
            yield msgspec.json.decode(line.removeprefix("data:"))


def terms(given: Mapping[str, Any]) -> Json:
    """The terms of a new game without those that are not given."""
    return {name: value for name, value in given.items() if value is not None}
