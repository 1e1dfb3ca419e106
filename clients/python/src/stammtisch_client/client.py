"""The asynchronous client."""

import asyncio
import os
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar, overload

import httpx
import msgspec
from msgspec import UNSET, UnsetType

from . import models
from .channel import Channel, ChannelUnavailable, Follow
from .rest import Rest, segment
from .ruleset import G, I, Json, M, O, Ruleset, V, untyped
from .table import AsyncTable, Undo, Viewpoint, terms

T = TypeVar("T")

PATIENCE = 300.0
"""Seconds for which a request is repeated, by default."""
POLL = 5.0
"""Seconds between two questions whether it is the caller's turn, where there is no play channel."""


class AsyncClient:
    """A client of the service at `url`, for one player. Raises `InvalidUrl`.

    * `token`: a guest's token, or one that a site has issued; without it the client can register or watch.
    * `patience`: the seconds for which requests are repeated; None for ever. Until the service has answered for the
      first time, they are at most 10. The log `stammtisch_client` has a warning after the second attempt.
    * `channel`: False to use event streams instead of the play channel.
    * `http`: an own `httpx.AsyncClient`, for example with proxies or certificates. It is closed with the client.
    * `seed`: 16 secret random bytes or more, from which the entropies of sealed games follow. A program that runs again
      needs the same ones to open what it has sealed. By default they are drawn anew.
    """

    def __init__(
        self, url: str, token: str | None = None, *, patience: float | None = PATIENCE, channel: bool = True,
        http: httpx.AsyncClient | None = None, seed: bytes | None = None,
    ) -> None:  # fmt: skip
        self._rest = Rest(url, token, patience, http, seed or os.urandom(16))
        self._channel = Channel(self._rest.url, lambda: self._rest.headers({}), self._rest.contact, enabled=channel)

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._channel.close()
        await self._rest.close()

    @property
    def token(self) -> str | None:
        """The token of the player. Keep a guest's: it cannot be issued again."""
        return self._rest.token

    # --- players ---

    async def register(self, name: str, *, bot: bool = False) -> models.Identity:
        """Register as a guest. The client then acts for this player. Programs that play say `bot=True`."""
        identity = await self._as(models.Identity, self._rest.post("/v1/players", {"name": name, "bot": bot}))
        self._rest.token = identity.token
        await self._channel.reconnect()
        return identity

    async def me(self) -> models.Profile:
        """The caller's profile."""
        return await self._as(models.Profile, self._rest.get("/v1/players/me"))

    async def rename(
        self, name: str | UnsetType = UNSET, face: models.Face | UnsetType | None = UNSET
    ) -> models.Player:
        """Change the name of a guest, the face of a player (None: none), or both."""
        changes = {key: value for key, value in (("name", name), ("face", face)) if value is not UNSET}
        answer = await self._rest.send("PATCH", "/v1/players/me", body=changes)
        return msgspec.json.decode(answer.content, type=models.Player)

    async def player(self, id: str) -> models.Profile:
        """The public profile of a player."""
        return await self._as(models.Profile, self._rest.get(f"/v1/players/{segment(id)}"))

    # --- lists ---

    async def rulesets(self) -> list[models.RulesetListed]:
        """The rulesets with their numbers of players."""
        page = await self._as(models.RulesetListedPage, self._rest.get("/v1/rulesets"))
        return page.items

    async def ruleset(self, name: str) -> Json:
        """Everything about a ruleset as JSON: labels in English and German, and the schemas of its values."""
        found: Json = await self._rest.get(f"/v1/rulesets/{segment(name)}")
        return found

    async def rules(self, name: str, deck: str | None = None) -> models.Explained:
        """The rules as texts, with the cards of a deck, by default the ruleset's first."""
        deck = deck or str((await self.ruleset(name))["decks"][0]["name"])
        return await self._as(
            models.Explained, self._rest.get(f"/v1/rulesets/{segment(name)}/decks/{segment(deck)}/rules")
        )

    async def games(
        self, *, ruleset: str | None = None, status: models.Status | None = None, player: str | None = None,
        open: bool = False, bots: bool = True, acting: bool = False, invited: bool = False,
    ) -> AsyncGenerator[models.LobbyGame, None]:  # fmt: skip
        """The games of the lobby, newest first. `open`: with a free seat. `bots=False`: without bots. `acting`: those
        in which the caller must act. `invited`: those that keep a seat for the caller."""
        query = {
            "ruleset": ruleset, "status": status, "player": player, "open": "true" if open else None,
            "bots": None if bots else "false", "acting": "me" if acting else None,
            "invited": "me" if invited else None, "limit": 100,
        }  # fmt: skip
        page = await self._as(models.LobbyGamePage, self._rest.get("/v1/games", **query))
        while True:
            for item in page.items:
                yield item
            if page.next is None:
                return
            page = await self._as(models.LobbyGamePage, self._rest.get(page.next))

    async def standings(self, ruleset: str, *, bots: bool = True) -> AsyncGenerator[models.Standing, None]:
        """The players of a ruleset, best first."""
        path = f"/v1/standings/{segment(ruleset)}"
        query = {"bots": None if bots else "false", "limit": 100}
        page = await self._as(models.StandingPage, self._rest.get(path, **query))
        while True:
            for item in page.items:
                yield item
            if page.next is None:
                return
            page = await self._as(models.StandingPage, self._rest.get(page.next))

    # --- tables ---

    @overload
    async def open(
        self, ruleset: Ruleset[G, V, M, I, O], seats: int | Sequence[str | Json], *,
        options: O | Mapping[str, Any] | None = None, deck: str | None = None, private: bool | None = None,
        hotseat: bool | None = None, sit: bool | None = None, clock: Mapping[str, int] | None = None,
        absent: str | None = None, undo: Undo | None = None, entropy: str | None = None, sealed: bool | None = None,
        hints: bool | None = None, puzzles: bool | None = None, key: str | None = None,
    ) -> AsyncTable[G, V, M, I]: ...  # fmt: skip

    @overload
    async def open(
        self, ruleset: str, seats: int | Sequence[str | Json], *, options: Mapping[str, Any] | None = None,
        deck: str | None = None, private: bool | None = None, hotseat: bool | None = None, sit: bool | None = None,
        clock: Mapping[str, int] | None = None, absent: str | None = None, undo: Undo | None = None,
        entropy: str | None = None, sealed: bool | None = None, hints: bool | None = None,
        puzzles: bool | None = None, key: str | None = None,
    ) -> AsyncTable[models.Game, Json, Json, models.EventItem]: ...  # fmt: skip

    async def open(
        self, ruleset: Ruleset[Any, Any, Any, Any, Any] | str, seats: int | Sequence[str | Json], *,
        options: Any = None, deck: str | None = None, private: bool | None = None, hotseat: bool | None = None,
        sit: bool | None = None, clock: Mapping[str, int] | None = None, absent: str | None = None,
        undo: Undo | None = None, entropy: str | None = None, sealed: bool | None = None, hints: bool | None = None,
        puzzles: bool | None = None, key: str | None = None,
    ) -> AsyncTable[Any, Any, Any, Any]:  # fmt: skip
        """Open a game, once. `seats`: their number, or for each `"me"`, `"open"`, the name of a bot or
        `{"player": id}`. `clock`: `bank`, `increment`, `delay`, `reserve` in seconds. `absent`: the bot that goes on
        for a player who leaves, or `abort`. `undo`: which moves can be taken back. `sealed`: nobody sees an entropy
        before all are fixed; the caller then takes their seat with `sit`. `hints`: the only player, against bots, can
        ask for hints. `puzzles`: positions may become puzzles, without names. `key`: the idempotency key, by default a
        new one; with the same key the same game is returned."""
        kind = untyped(ruleset) if isinstance(ruleset, str) else ruleset
        body = terms(
            {
                "seats": seats, "options": options, "deck": deck, "private": private, "hotseat": hotseat, "sit": sit,
                "clock": clock, "absent": absent, "undo": undo, "entropy": entropy,
                "sealed": sealed, "hints": hints, "puzzles": puzzles,
            }
        )  # fmt: skip
        game = await self._rest.post(f"/v1/games/{segment(kind.name)}", body, key=key or str(uuid.uuid4()))
        return AsyncTable(self._rest, self._channel, kind, game["id"], game.get("invite"))

    @overload
    def table(
        self, ruleset: Ruleset[G, V, M, I, O], id: str, *, invite: str | None = None, as_: Viewpoint | None = None
    ) -> AsyncTable[G, V, M, I]: ...

    @overload
    def table(
        self, ruleset: str, id: str, *, invite: str | None = None, as_: Viewpoint | None = None
    ) -> AsyncTable[models.Game, Json, Json, models.EventItem]: ...

    def table(
        self, ruleset: Ruleset[Any, Any, Any, Any, Any] | str, id: str, *, invite: str | None = None,
        as_: Viewpoint | None = None,
    ) -> AsyncTable[Any, Any, Any, Any]:  # fmt: skip
        """The game with this id. Nothing is requested. `sit` takes a seat."""
        kind = untyped(ruleset) if isinstance(ruleset, str) else ruleset
        return AsyncTable(self._rest, self._channel, kind, id, invite, as_)

    async def tables_to_play(self) -> AsyncGenerator[AsyncTable[models.Game, Json, Json, models.EventItem], None]:
        """Tables at which the caller must act: those of now, then each as it becomes the caller's turn. Never ends."""
        while True:
            follow = Follow("turns", lambda _: {"type": "follow_turns"})
            try:
                self._channel.follow(follow)
                while True:
                    message = await follow.next()
                    listed = message.get("games") or ([message] if message.get("yours") else [])
                    for each in listed:
                        yield self._named(each["game"])
            except ChannelUnavailable:
                async for game in self.games(acting=True):
                    yield self.table(game.ruleset, game.id)
                await asyncio.sleep(POLL)
            finally:
                self._channel.unfollow(follow)

    def _named(self, name: str) -> AsyncTable[models.Game, Json, Json, models.EventItem]:
        ruleset, _, game = name.partition("/")
        return self.table(ruleset, game)

    @staticmethod
    async def _as(kind: type[T], answer: Any) -> T:
        return msgspec.convert(await answer, kind)
