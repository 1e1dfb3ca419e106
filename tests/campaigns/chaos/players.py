"""Players who repeat requests until they are answered, and check what streams and reads show them."""

import asyncio
import json
import socket
import struct
import time
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from itertools import count, cycle
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from domain.fairness import record, verification
from tests.campaigns.chaos.deployment import Deployment
from tests.support.channels import SUBPROTOCOL, game_name
from tests.support.clients import Json, any_of, fewest
from tests.support.crowd import Crowd, verify
from tests.support.frames import TEXT, frame
from tests.support.listening import SSE, Listener

PACE = 0.02
"""Seconds between two moves of a game."""

MAX_STALENESS = 3.0
"""Seconds after which every process must show an acknowledged move. Without Redis no stale read is allowed."""

DAY = 86_400
"""Seconds. Faults set clocks ahead by no more."""

AFTER_THE_HEAD, IN_THE_BODY, BEFORE_THE_ANSWER, IN_THE_ANSWER = PHASES = (
    "after the head", "in the body", "before the answer", "in the answer"
)  # fmt: skip


NO_ANSWER = ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError
"""What a client of a channel sees of a fault."""


class ChannelMessage(msgspec.Struct):
    type: str
    items: list[msgspec.Raw] = []
    problem: Any = None


class Page(msgspec.Struct):
    items: list[msgspec.Raw]
    next: str | None


class Players(Crowd):
    """They play one game after another and cut their own connections on demand."""

    def __init__(self, deployment: Deployment, http: httpx.AsyncClient) -> None:
        super().__init__(deployment, http)
        self._allows_stale_reads = deployment.allows_stale_reads
        self.cuts: deque[str] = deque()
        """The phases in which to cut the connections of the next moves."""
        self.breaks = 0
        """The number of streams to close next."""
        self.resumed = 0
        self.refused = set[str]()
        """The keys of moves that were chosen from a stale read and refused."""
        self.alone = 0
        """Moves of a hotseat player, made for the seat that they were shown."""
        self.latest = 0.0
        """The longest stale read, in seconds."""
        self.channelled: dict[str, list[bytes]] = defaultdict(list)
        """The events that seat 0 received from play channels, for each game."""
        self.over_channels = self.channels = 0
        """Moves that were answered over a channel, and channels that were opened."""
        self.streamed: dict[str, list[bytes]] = defaultdict(list)
        """The events that seat 0 received from the stream of each game."""
        self.departures = 0
        """Players who left a running game and came back."""
        self.agreements: dict[str, Counter[str]] = {}
        """The paths of the games that players agreed to abort, and how often each event happened there that no move
        caused."""
        self.rematches: dict[str, str] = {}
        """The paths of games and of their rematches."""
        self.cancelled: list[str] = []
        """The paths of the games that were opened and cancelled."""
        self.deserted: list[str] = []
        """The paths of the games against bots that all players have left."""
        self.timed: dict[str, str] = {}
        """The paths of the games with a clock in which nobody moves, and the token of a player."""
        self.expired = 0
        """Those of them in which all players have run out of time."""
        self.names: dict[str, str | None] = {}
        """The last acknowledged name of each player who changed it; None for former players."""
        self.forgotten: list[str] = []
        """The tokens of former players."""
        self.hosts: list[str] = []
        """The tokens of players who are told by webhook of each game that they cancel."""
        self.announced = defaultdict[str, list[str]](list)
        """The paths of those games, by token."""
        self._new_names = count(1)
        self.tokens: dict[str, str] = {}
        """The token of seat 0 of each game."""

    # --- requests ---

    async def send(
        self, method: str, path: str, body: Any = None, *, token: str = "", key: str = "", cut: bool = True
    ) -> httpx.Response:
        phase = self.cuts.popleft() if cut and self.cuts and key and "/moves" in path else ""
        if phase:
            await self._cut(phase, method, path, body, token, key)
        response = await super().send(method, path, body, token=token, key=key)
        assert response.status_code < 500, f"{method} {path}: {response.status_code} {response.text}"
        return response

    async def _cut(self, phase: str, method: str, path: str, body: Any, token: str, key: str) -> None:
        """Send the request and close the connection in that phase."""
        address = urlsplit(self._house.url)
        text = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {token}\r\n"
            f"Idempotency-Key: {key}\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
        ).encode()
        sent = {AFTER_THE_HEAD: b"", IN_THE_BODY: text[: len(text) // 2]}.get(phase, text)
        try:
            reader, writer = await asyncio.open_connection(address.hostname, address.port)
            writer.write(head + sent)
            await writer.drain()
            if phase == IN_THE_ANSWER:
                await asyncio.wait_for(reader.read(self.dice.randrange(1, 200)), 5)
            else:
                await asyncio.sleep(self.dice.choice((0, 0.001, 0.01)))
            _hang_up(writer, at_once=self.dice.random() < 0.5)
        except (OSError, TimeoutError):
            pass  # another fault was faster

    # --- playing ---

    async def play_on(self, ruleset: str, ending: asyncio.Event) -> None:
        """Play games one after another; finish the last one."""
        seated = await self.players(fewest(ruleset))
        game = ""
        while not ending.is_set():
            await self.cancel_a_game(ruleset, seated[0]["token"])
            for host in self.hosts:
                self.announced[host].append(await self.cancel_a_game(ruleset, host))
            await self._rename(seated)
            await self._forget_a_player(ruleset)
            if game and self.dice.random() < 0.5:
                game, seated = await self._play_again(game, seated)
            else:
                game = await self.table(ruleset, seated)
            self.tokens[game] = seated[0]["token"]
            hotseat = await self.table(ruleset, seated[:1], seats=len(seated), hotseat=True)
            self.tokens[hotseat] = seated[0]["token"]
            await self._play_against_bots(ruleset, seated)
            await self._let_time_run_out(ruleset, seated)
            await self._agree(ruleset, seated)
            async with asyncio.TaskGroup() as tasks:
                for each in (game, hotseat):
                    tasks.create_task(self._follow(each))
                    tasks.create_task(self._follow_over_channels(each))
                tasks.create_task(self._play_in_turn(game, seated))
                tasks.create_task(self._play_all_seats(hotseat, seated[0]["token"]))

    async def _rename(self, seated: list[Json]) -> None:
        for player in seated:
            name = f"Name {next(self._new_names)}"
            await self.ask("PATCH", "/v1/players/me", {"name": name}, token=player["token"])
            self.names[player["id"]] = name

    async def _forget_a_player(self, ruleset: str) -> None:
        """Register a guest who opens a game, and forget the guest while it waits."""
        (guest,) = await self.players(1)
        await self.ask("POST", f"/v1/games/{ruleset}", {"seats": fewest(ruleset)}, token=guest["token"], keyed=True)
        response = await self.send("DELETE", "/v1/players/me", token=guest["token"])
        assert response.status_code == 204, response.text
        self.names[guest["id"]] = None
        self.forgotten.append(guest["token"])

    async def own_webhook(self, url: str) -> str:
        """Register a player who is told when their games are over. Their token, as soon as the address has answered."""
        (guest,) = await self.players(1)
        asked = {"url": url, "types": ["game.over"]}
        hook = await self.ask("POST", "/v1/webhooks", asked, token=guest["token"])
        while hook["status"] != "live":
            await asyncio.sleep(0.05)
            hook = await self.ask("GET", f"/v1/webhooks/{hook['id']}", token=guest["token"])
        self.hosts.append(guest["token"])
        return str(guest["token"])

    async def cancel_a_game(self, ruleset: str, token: str) -> str:
        """Open a game and cancel it. Its path."""
        opening = {"seats": fewest(ruleset)}
        opened = await self.ask("POST", f"/v1/games/{ruleset}", opening, token=token, keyed=True)
        place = opened["links"]["self"]
        cancelled = await self.ask("DELETE", place, token=token, keyed=True)
        assert (cancelled["status"], cancelled["cause"]) == ("aborted", "cancelled")
        self.cancelled.append(place)
        return str(place)

    async def _play_against_bots(self, ruleset: str, seated: list[Json]) -> None:
        """Two players and a bot. One of them leaves twice and comes back once, then the other one leaves as well."""
        seats = ["me", *["open"] * (len(seated) - 1), "careful/1"]
        opened = await self.ask("POST", f"/v1/games/{ruleset}", {"seats": seats}, token=seated[0]["token"], keyed=True)
        game = opened["links"]["self"]
        for player in seated[1:]:
            await self.ask("POST", f"{game}/seats", {}, token=player["token"], keyed=True)
        for _ in range(2):
            for player in seated:
                seen = await self.ask("GET", game, token=player["token"])
                if seen["legal_moves"]:
                    await self._move(game, any_of(seen["legal_moves"], self.dice), player["token"])
            await self._leave(game, 0, seated[0])
            back = await self.ask("POST", f"{game}/seats", {"seat": 0}, token=seated[0]["token"], keyed=True)
            assert back["seats"][0].get("gone") is None
            self.departures += 1
        for seat, player in enumerate(seated):
            await self._leave(game, seat, player)
        self.deserted.append(game)

    async def _let_time_run_out(self, ruleset: str, seated: list[Json]) -> None:
        """Open a game with a clock in which nobody ever moves."""
        opening = {"seats": len(seated), "clock": {"bank": 5}, "absent": "abort"}
        opened = await self.ask("POST", f"/v1/games/{ruleset}", opening, token=seated[0]["token"], keyed=True)
        game = opened["links"]["self"]
        for player in seated[1:]:
            await self.ask("POST", f"{game}/seats", {}, token=player["token"], keyed=True)
        self.timed[game] = seated[0]["token"]

    async def _leave(self, game: str, seat: int, player: Json) -> None:
        left = await self.ask("DELETE", f"{game}/seats/{seat}?running=true", token=player["token"], keyed=True)
        assert left["seats"][seat]["gone"]

    async def _agree(self, ruleset: str, seated: list[Json]) -> None:
        """Play a little, give time, take back moves by agreement, and agree to abort the game."""
        terms = {"seats": len(seated), "clock": {"bank": 30 * DAY}, "undo": "agreed"}
        opened = await self.ask("POST", f"/v1/games/{ruleset}", terms, token=seated[0]["token"], keyed=True)
        game = opened["links"]["self"]
        for player in seated[1:]:
            await self.ask("POST", f"{game}/seats", {}, token=player["token"], keyed=True)
        happened = self.agreements[game] = Counter()
        for number in range(3):
            giver, seat = seated[number % len(seated)]["token"], (number + 1) % len(seated)
            await self.ask("POST", f"{game}/time", {"seat": seat, "seconds": 9}, token=giver, keyed=True)
            for asks, player in enumerate(seated):
                seen = await self.ask("GET", game, token=player["token"])
                if seen["legal_moves"] and await self._move(
                    game, any_of(seen["legal_moves"], self.dice), player["token"]
                ):
                    others = [other for other in seated if other is not player]
                    await self._vote(game, "undo", [player, *others], no=number == 1 and asks == 0)
        await self._vote(game, "abort", seated)
        happened.update(granted=3, aborted=1)

    async def _vote(self, game: str, on: str, players: list[Json], *, no: bool = False) -> None:
        """The first player asks, the others agree, all at once; or the last one does not, after them."""

        async def said(player: Json, *, yes: bool = True) -> None:
            await self.ask("POST", f"{game}/votes", {"on": on, "yes": yes}, token=player["token"], keyed=True)

        await said(players[0])
        await asyncio.gather(*map(said, players[1:-1] if no else players[1:]))
        if no:
            await said(players[-1], yes=False)
        self.agreements[game].update(voted=len(players), taken_back=on == "undo" and not no)

    async def _play_again(self, game: str, seated: list[Json]) -> tuple[str, list[Json]]:
        """The rematch, which all players open at once, and the players in the order of its seats."""
        asked = (self.ask("POST", f"{game}/rematch", {}, token=player["token"], keyed=True) for player in seated)
        answers = await asyncio.gather(*asked)
        (again,) = {answer["links"]["self"] for answer in answers}
        self.rematches[game], self.moves[again] = again, []
        return again, [*seated[1:], seated[0]]

    async def _play_in_turn(self, game: str, seated: list[Json]) -> None:
        reached, since, turns = 0, time.monotonic(), cycle(range(len(seated)))
        seat = next(turns)
        while True:
            asked = time.monotonic()
            seen = await self.ask("GET", game, token=seated[seat]["token"])
            if seen["version"] < reached:
                self._note_stale_read(asked - since)
            elif seen["status"] == "finished":
                return
            if not seen["legal_moves"]:
                seat = self.dice.choice(seen["to_act"]) if seen["to_act"] else next(turns)
                continue
            chosen, fresh = any_of(seen["legal_moves"], self.dice), seen["version"] >= reached
            moved = await self._move(game, chosen, seated[seat]["token"], fresh=fresh)
            if moved is not None:
                self.moves[game].append((seat, moved))
                reached, since = moved["version"], time.monotonic()
                if self.dice.random() < 0.3 and await self._take_back(game, reached, seated[seat]["token"]):
                    reached, since = reached + 1, time.monotonic()
                await asyncio.sleep(PACE)
            else:
                assert seen["version"] < reached, "a legal move was refused"

    async def _take_back(self, game: str, version: int, token: str) -> bool:
        """Take back the move that ended with this version, if it revealed nothing."""
        seen = await self.ask("GET", game, token=token)
        if seen["version"] != version or seen["undo"] is None:
            return False
        assert seen["undo"] == version
        key, back = f"key-{next(self._keys)}", None
        if self.dice.random() < 0.4:
            request = {"type": "take_back", "id": key, "game": game_name(game), "version": version, "key": key}
            back = await self._answer_over_a_channel(request, token)
        if back is None:
            response = await self.send("DELETE", f"{game}/moves/{version}", token=token, key=key)
            assert response.status_code == 200, response.text
            back = response.json()
            self.replays += "Idempotency-Replayed" in response.headers
        assert back["version"] == version + 1
        self.answers[key] = back
        self.taken_back[game].append(version)
        return True

    async def _play_all_seats(self, game: str, token: str) -> None:
        """Moves that name no seat: one that is made on the version that was shown is for the seat that was `you`."""
        reached = 0
        while True:
            seen = await self.ask("GET", game, token=token)
            if seen["status"] == "finished":
                return
            chosen, fresh = any_of(seen["legal_moves"], self.dice), seen["version"] >= reached
            moved = await self._move(game, chosen, token, fresh=fresh)
            if moved is None:
                assert seen["version"] < reached, "a legal move was refused"
            else:
                first, reached = moved["events"][0], moved["version"]
                if first["version"] == seen["version"] + 1:
                    assert first["by"] == seen["you"], f"made for seat {first['by']}, shown for {seen['you']}"
                    self.alone += 1
                else:
                    assert self._allows_stale_reads, "the game had gone on, though nobody else plays"
                self.moves[game].append((first["by"], moved))
                await asyncio.sleep(PACE)

    async def _move(self, game: str, chosen: Json, token: str, *, fresh: bool = False) -> Json | None:
        """The answer; None if the move is illegal because it was chosen from a stale read.

        Only moves that were chosen from a fresh read are cut off. A part of another one could wait in a stalled process
        until the move is legal, and be carried out after it was refused.
        """
        key = f"key-{next(self._keys)}"
        request = {"type": "move", "id": key, "game": game_name(game), "move": chosen, "key": key}
        if fresh and self.dice.random() < 0.4 and (moved := await self._answer_over_a_channel(request, token)):
            self.answers[key] = moved
            self.over_channels += 1
            return moved
        response = await self.send("POST", f"{game}/moves", chosen, token=token, key=key, cut=fresh)
        if response.status_code == 409:
            assert response.json()["type"].endswith("illegal-move"), response.text
            self.refused.add(key)
            return None
        assert response.status_code == 200, response.text
        answer: Json = response.json()
        self.answers[key] = answer
        self.replays += "Idempotency-Replayed" in response.headers
        return answer

    def _note_stale_read(self, seconds: float) -> None:
        assert self._allows_stale_reads, f"an acknowledged move was not shown {seconds:.3f} s later"
        assert seconds < MAX_STALENESS, f"an acknowledged move was not shown {seconds:.1f} s later"
        self.latest = max(self.latest, seconds)

    # --- streams ---

    async def _follow(self, game: str) -> None:
        """Follow the stream of seat 0, resume it until the server ends it."""
        headers, resume_at = {**SSE, "Authorization": f"Bearer {self.tokens[game]}"}, b"0"
        while True:
            listener: Listener | None = None
            try:
                asked = {**headers, "Last-Event-ID": resume_at.decode()}
                async with self._http.stream("GET", f"{self._house.url}{game}/events", headers=asked) as answer:
                    if answer.status_code == 204:
                        return
                    if answer.status_code == 200:
                        self.resumed += resume_at != b"0"
                        listener = Listener(answer)
                        await self._listen(listener, self.streamed[game])
                    else:
                        assert answer.status_code == 503, await answer.aread()
                        self.busy += 1
            except httpx.TransportError:
                pass
            if listener is not None:
                resume_at = listener.resume_at or resume_at
            await asyncio.sleep(0.05)

    async def _listen(self, stream: Listener, received: list[bytes]) -> None:
        async for message in stream:
            received.append(message.data)
            if self.breaks:
                self.breaks -= 1
                return

    # --- play channels ---

    @asynccontextmanager
    async def _channel(self, token: str) -> AsyncIterator[ClientConnection]:
        url = f"ws://{urlsplit(self._house.url).netloc}/v1/channel"
        headers = {"Authorization": f"Bearer {token}"}
        async with connect(
            url, subprotocols=[SUBPROTOCOL], additional_headers=headers, compression=None, proxy=None, close_timeout=1
        ) as channel:
            self.channels += 1
            yield channel

    async def _answer_over_a_channel(self, request: Json, token: str) -> Json | None:
        """The answer, or None if there is none: the channel breaks, or a fault cuts it. Then the request is repeated
        over REST."""
        phase = self.cuts.popleft() if self.cuts else ""
        text = msgspec.json.encode(request)
        try:
            async with self._channel(token) as channel:
                if phase in (AFTER_THE_HEAD, IN_THE_BODY):
                    sent = frame(TEXT, text)
                    channel.transport.write(sent[: 1 if phase == AFTER_THE_HEAD else len(sent) // 2])
                else:
                    await channel.send(text.decode())
                if phase == IN_THE_ANSWER:
                    await asyncio.sleep(self.dice.choice((0, 0.001, 0.01)))
                if phase:
                    channel.transport.abort()
                    return None
                answer = msgspec.json.decode(await asyncio.wait_for(channel.recv(), 20))
        except NO_ANSWER:
            return None
        if answer["type"] in ("moved", "taken_back"):
            self.replays += answer["replayed"]
            return dict(answer)
        assert answer["problem"]["type"] in ("illegal-move", "unavailable"), answer
        return None

    async def _follow_over_channels(self, game: str) -> None:
        """Follow the game as seat 0 until it ends, over one channel after another."""
        received = self.channelled[game]
        while True:
            try:
                async with self._channel(self.tokens[game]) as channel:
                    request = {"type": "follow", "id": 1, "game": game_name(game), "after": len(received)}
                    await channel.send(msgspec.json.encode(request).decode())
                    async for text in channel:
                        message = msgspec.json.decode(text, type=ChannelMessage)
                        received += map(bytes, message.items)
                        if message.type == "end" and message.problem is None:
                            return
                        if message.type in ("end", "problem"):
                            assert message.problem["status"] == 503, text
                            break
                        if self.breaks and self.dice.random() < 0.5:
                            self.breaks -= 1
                            channel.transport.abort()
            except NO_ANSWER:
                pass
            await asyncio.sleep(0.05)

    # --- checks ---

    async def check_names(self) -> None:
        """Every player has the last acknowledged name, and the tokens of former players are dead."""
        for player, name in self.names.items():
            assert (await self.ask("GET", f"/v1/players/{player}"))["name"] == name
        for token in self.forgotten:
            assert (await self.send("GET", "/v1/players/me", token=token)).status_code == 401

    async def check_cancelled(self, game: str) -> None:
        """The game was cancelled once, and its record verifies."""
        events = await self.events(game, "all")
        assert [each["event"]["type"] for each in events] == ["opened", "joined", "aborted", "revealed"]
        kept = (await self.send("GET", f"{game}/record")).content
        assert [check for check in verification.verify(record.decode(kept)) if not check.ok] == []

    async def check_deserted(self, game: str) -> None:
        """Each departure and return is there once, and the bots chose from what they saw."""
        events = await self.events(game, "all")
        tags = [each["event"]["type"] for each in events]
        assert tags[-2:] == ["aborted", "revealed"]
        assert (tags.count("gone"), tags.count("rejoined")) == (2 + tags.count("joined"), 2)
        kept = (await self.send("GET", f"{game}/record")).content
        checks = verification.verify(record.decode(kept))
        assert [check for check in checks if not check.ok] == []
        assert "bots" in {check.name for check in checks}

    async def check_agreed(self, game: str) -> None:
        """What the players gave, voted and agreed on happened once, and the record verifies."""
        events = await self.events(game, "all")
        tags = Counter(each["event"]["type"] for each in events)
        assert {tag: tags[tag] for tag in self.agreements[game]} == self.agreements[game]
        assert events[-2]["event"] == {"type": "aborted", "cause": "agreed"}
        kept = (await self.send("GET", f"{game}/record")).content
        assert [check for check in verification.verify(record.decode(kept)) if check.ok is False] == []

    async def check_rematch(self, game: str, again: str) -> None:
        """The game has one rematch, which was opened once and begun once."""
        assert (await self.ask("GET", f"{game}/rematch"))["links"]["self"] == again
        events = await self.events(again, "all")
        tags = Counter(each["event"]["type"] for each in events)
        assert (tags["opened"], tags["joined"], tags["begun"]) == (1, events[0]["event"]["seats"], 1)
        assert f"/{events[0]['event']['rematch_of']}" in game

    async def check_expired(self, game: str) -> None:
        """The first player who ran out of time was removed once, and not early.

        A process whose clock was ahead may have begun the game in the future. Then its time has not run out yet.
        """
        for _ in range(300):
            seen = await self.ask("GET", game, token=self.timed[game])
            if seen["status"] == "aborted":
                break
            ends = [dial["runs_out"] for dial in seen["clock"]["seats"] if dial["runs_out"]]
            if datetime.fromisoformat(min(ends)).timestamp() > time.time():
                return
            await asyncio.sleep(0.1)
        events = await self.events(game, "all")
        assert [each["event"]["type"] for each in events[-3:]] == ["gone", "aborted", "revealed"]
        kept = (await self.send("GET", f"{game}/record")).content
        checks = {check.name: check.ok for check in verification.verify(record.decode(kept))}
        assert False not in checks.values()
        assert checks["clock"] is True
        self.expired += 1

    async def check(self, game: str) -> None:
        """The finished game is complete, its record verifies, and its stream equals the pages."""
        await verify(self, game)
        kept = (await self.send("GET", f"{game}/record")).content
        assert [check for check in verification.verify(record.decode(kept)) if not check.ok] == []
        pages: list[bytes] = []
        page = Page([], f"{game}/events?as=0&limit=500")
        while page.next is not None:
            page = msgspec.json.decode((await self.send("GET", page.next)).content, type=Page)
            pages += map(bytes, page.items)
        assert self.streamed[game] == pages, f"the stream of {game} differs from the pages"
        assert self.channelled[game] == pages, f"the channels of {game} differ from the pages"


def _hang_up(writer: asyncio.StreamWriter, *, at_once: bool) -> None:
    """`at_once`: with a TCP reset, which discards unsent data."""
    if at_once:
        connection: socket.socket = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.close()


@asynccontextmanager
async def players(deployment: Deployment) -> AsyncIterator[Players]:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=16)
    async with httpx.AsyncClient(timeout=20, limits=limits) as http:
        yield Players(deployment, http)
