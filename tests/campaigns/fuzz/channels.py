"""Random messages over play channels: valid requests in any order, malformed ones, and broken frames.

Some requests are sent in fragments, many at once, or just before the connection is cut. Everything received is checked
at once, or collected and compared with REST at the end.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

from service.games.games import MAX_MISSED
from tests.campaigns.fuzz import NOWHERE, ODD
from tests.support.channels import game_name
from tests.support.clients import Caller, Json, Service, any_of, fewest, play_to_the_end
from tests.support.frames import CLOSE, CONT, PING, PONG, TEXT, RawSocket, Received, closing, frame, raw_web_socket

KINDS: dict[str, tuple[str, ...]] = {
    "authenticate": ("token",),
    "follow": ("game", "after", "as", "invite", "patch"),
    "unfollow": ("game",),
    "follow_lobby": ("ruleset", "status", "player", "open", "after"),
    "unfollow_lobby": (),
    "follow_turns": (),
    "unfollow_turns": (),
    "move": ("game", "move", "key", "version", "as", "invite"),
    "join": ("game", "seat", "entropy", "key", "invite"),
    "leave": ("game", "seat", "running", "key", "invite"),
    "give_time": ("game", "seat", "seconds", "key", "invite"),
    "take_back": ("game", "version", "key", "invite"),
    "vote": ("game", "on", "yes", "asked_by", "key", "invite"),
    "rematch": ("game", "entropy", "key", "invite"),
    "legal_moves": ("game", "as", "invite"),
}
"""The requests, with their fields besides `type` and `id`."""

REQUIRED = {"token", "game", "move", "seconds", "on", "yes"}
REQUIRED_BY = {"leave": {"seat"}, "give_time": {"seat"}, "take_back": {"version"}}

WEIGHTS = {"move": 8, "follow": 4, "take_back": 4, "vote": 4}
"""How often a kind is sent, in relation to the others."""

CLOSED = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 4401}
"""The codes with which the service may close a channel. 1011 would be an error of its own."""

ANSWERS = {
    "authenticated", "following", "unfollowed", "following_lobby", "unfollowed_lobby", "following_turns",
    "unfollowed_turns", "moved", "joined", "left", "time_given", "taken_back", "voted", "rematch", "legal_moves",
    "problem",
}  # fmt: skip

CHANGES = {"moved", "joined", "left", "time_given", "taken_back", "voted"}
"""The answers to commands that append to the log of the game."""

ROUND = 300
"""Steps after which games that are over are replaced by new ones."""


FIRST = 10**10
"""The ids of requests whose answers are checked are higher; those of malformed ones are not."""


class Game:
    """A game, its players by seat, and who may see it."""

    def __init__(self, path: str, players: Sequence[Caller], *, private: bool, hotseat: bool) -> None:
        self.path, self.name = path, game_name(path)
        self.players, self.private, self.hotseat = players, private, hotseat


class Client:
    """A caller with at most one open channel."""

    def __init__(self, fuzz: "Fuzz", who: Caller) -> None:
        self.fuzz, self.who = fuzz, who
        self.legal: dict[str, Json] = {}
        """The latest `state` by game."""
        self._open: RawSocket | None = None
        self._context: Any = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, Json] = {}

    async def connect(self) -> None:
        self._context = raw_web_socket(self.who)
        self._open = await self._context.__aenter__()
        self._waiting = {}
        self._reading = asyncio.create_task(self._read(self._open))

    async def _read(self, socket: RawSocket) -> None:
        opcode = TEXT
        while opcode != CLOSE and (received := await socket.receive(60)) is not None:
            opcode = received.opcode
            self._take(received)

    def _take(self, received: Received) -> None:
        if received.opcode == CLOSE:
            code = received.close_code if received.data else 1000
            assert code in CLOSED, received
            self.fuzz.closed[code] += 1
        elif received.opcode == TEXT:
            message = msgspec.json.decode(received.data)
            request = None
            if message["type"] in ANSWERS and isinstance(message["id"], int) and message["id"] > FIRST:
                request = self._waiting.pop(message["id"], None)
                assert request is not None, f"answered twice, or never asked: {message}"
            self.fuzz.check(self, request, message)
        else:
            assert received.opcode in (PING, PONG)

    async def send(self, *parts: bytes, requests: Sequence[Json] = ()) -> None:
        """Send these frames, over a new channel if there is none. The answers to `requests` in them are checked."""
        if self._open is None or self._reading is None or self._reading.done():
            await self.close()
            await self.connect()
        assert self._open is not None
        self._waiting |= {each["id"]: each for each in requests}
        with suppress(ConnectionError):
            await self._open.send(*parts)

    async def close(self, *last: bytes) -> None:
        """Send this, then cut the connection."""
        if self._open is None:
            return
        if last:
            await self.send(*last)
        self._open.writer.close()
        self._open = None
        if self._reading is not None:
            with suppress(asyncio.CancelledError):
                await self._reading
        await self._context.__aexit__(None, None, None)

    async def break_off(self, broken: bytes) -> None:
        """Send a broken frame. The service closes the channel, unless it waits for the rest of the frame."""
        await self.send(broken)
        assert self._reading is not None
        await asyncio.wait([self._reading], timeout=0.3)
        await self.close()

    async def settle(self) -> None:
        """Returns when all requests are answered or the channel is closed."""
        async with asyncio.timeout(60):
            while self._waiting and self._reading is not None and not self._reading.done():  # noqa: ASYNC110
                await asyncio.sleep(0.002)
        if self._reading is not None and self._reading.done():
            self._reading.result()  # raises what a check has found


def encoded(request: Json) -> bytes:
    return msgspec.json.encode(request)


class Fuzz:
    """Several players at several games, and what they have received."""

    def __init__(self, service: Service, seed: int) -> None:
        self._service = service
        self._dice = Random(seed)
        self._number = FIRST
        self._keyed: dict[str, list[Json]] = {}
        """The commands with a key that were sent, by caller."""
        self.closed: Counter[int] = Counter()
        """Channels that the service closed, by code."""
        self.answers: Counter[str] = Counter()
        """Answers by type; of problems, the type of the problem."""
        self.items: dict[tuple[str, str, str], dict[int, Json]] = {}
        """What was received: by game, caller and requested perspective, items by version."""
        self.moved: dict[tuple[str, str, str], list[Json]] = {}
        """Answers to commands with a key, by caller, game and key."""
        self.made: Counter[tuple[str, int]] = Counter()
        """Commands that were carried out and not replayed, by game and version of their last event."""
        self.games: list[Game] = []
        self._open: list[Game] = []
        """Those that requests are about."""
        self._steps = 0

    async def begin(self) -> None:
        self.players = await self._service.guests("Ann", "Bob", "Eve")
        self._clients = [Client(self, who) for who in [*self.players, *self.players[:2], self._service.stranger]]

    async def _open_games(self) -> None:
        """Replace the games that are over."""
        ann, bob, _ = self.players
        over = [(await game.players[0].look(game.path))["status"] in ("finished", "aborted") for game in self._open]
        opened = []
        for number, ruleset in enumerate(("skyjo", "scout", "skyjo_action", "scandaroon", "skyjo", "skyjo")):
            if over and not over[number]:
                opened.append(self._open[number])
                continue
            private, hotseat, players = number == 1, number == 3, [ann, bob]
            if hotseat or number == 4:
                players = [ann]
                path = await ann.open(ruleset, fewest(ruleset) if hotseat else 3, hotseat=hotseat)
            elif number == 5:
                path = await self._service.table(ruleset, players, options={"target_points": 1})
                await play_to_the_end(players, path)
            else:
                terms = {"undo": "agreed", "clock": {"bank": 86_400}} if number else {}
                path = await self._service.table(ruleset, players, private=private, **terms)
            opened.append(Game(path, players, private=private, hotseat=hotseat))
            self.games.append(opened[-1])
        self._open = opened

    async def step(self) -> None:
        """One random act of one client."""
        if self._steps % ROUND == 0:
            await self._open_games()
        self._steps += 1
        dice, client = self._dice, self._dice.choice(self._clients)
        act = dice.random()
        if act < 0.55:
            request = self._request(client)
            await client.send(frame(TEXT, encoded(request)), requests=[request])
        elif act < 0.65:  # many at once, in one segment
            requests = [self._request(client) for _ in range(dice.randint(2, 12))]
            await client.send(b"".join(frame(TEXT, encoded(each)) for each in requests), requests=requests)
        elif act < 0.73:  # in fragments, with a ping between them
            request = self._request(client)
            text = encoded(request)
            cut = dice.randrange(len(text))
            head, tail = frame(TEXT, text[:cut], fin=False), frame(CONT, text[cut:])
            parts = [head + frame(PING, b"p") + tail] if dice.random() < 0.5 else [head, tail]
            await client.send(*parts, requests=[request])
        elif act < 0.90:
            await client.send(frame(TEXT, self._garbage(client)))
        elif act < 0.94:
            await client.break_off(self._broken_frame())
        elif act < 0.97:  # its answer is lost; the key is sent again later
            await client.close(frame(TEXT, encoded(self._request(client))))
        else:
            await client.close(closing(dice.choice((1000, 1001, 3000, None))))
        if dice.random() < 0.3:
            await client.settle()

    async def end(self) -> None:
        """Close everything and compare what was received with REST."""
        for client in self._clients:
            await client.settle()
            await client.close()
        await self._check_items()
        await self._check_changes()

    # --- what is sent ---

    def _request(self, client: Client) -> Json:
        """A request that is well formed, though perhaps not allowed."""
        self._number += 1
        keyed = self._keyed.setdefault(client.who.id, [])
        if keyed and self._dice.random() < 0.15:  # perhaps its answer was lost
            return self._dice.choice(keyed) | {"id": self._number}
        (kind,) = self._dice.choices([*KINDS], [WEIGHTS.get(kind, 1) for kind in KINDS])
        game = self._open[-1] if kind == "rematch" and self._dice.random() < 0.8 else self._dice.choice(self._open)
        undoable = [each for each in self._open if client.legal.get(each.name, {}).get("undo")]
        if kind == "take_back" and undoable and self._dice.random() < 0.7:
            game = self._dice.choice(undoable)
        fields = {name: self._field(name, client, game) for name in KINDS[kind]}
        required = REQUIRED | REQUIRED_BY.get(kind, set())
        chosen = {name: value for name, value in fields.items() if name in required or self._dice.random() < 0.4}
        if kind == "take_back" and self._dice.random() < 0.7:
            chosen["version"] = client.legal.get(game.name, {}).get("undo") or chosen["version"]
        if kind == "move" and self._dice.random() < 0.8:  # as a client plays
            chosen = {name: value for name, value in chosen.items() if name in ("game", "move", "key", "as")}
            if not game.hotseat:
                chosen.pop("as", None)
        request = {"type": kind, "id": self._number, **chosen}
        if "key" in request:
            keyed.append(request)
        return request

    def _field(self, name: str, client: Client, game: Game) -> Any:
        dice = self._dice
        match name:
            case "token":
                return client.who.token or "x"
            case "game":
                return game.name if dice.random() < 0.97 else f"skyjo/{NOWHERE}"
            case "move":
                state = client.legal.get(game.name)
                moves = state["legal_moves"] if state else []
                return any_of(moves, dice) if moves else {"type": "flip", "slot": dice.randrange(12)}
            case "after" | "version":
                version = client.legal.get(game.name, {}).get("version", 0)
                return dice.choice((0, 1, 7, version, version + 1, 10**6, 10**15 - 1))
            case "as":
                return dice.choice((0, 1, "bystander", "all"))
            case "seat" | "asked_by":
                return dice.randrange(3)
            case "key":
                return f"{client.who.id[:8]}-{dice.randrange(400)}"
            case "patch" | "open":
                return dice.random() < 0.5
            case "running":
                return dice.random() < 0.2
            case "seconds":
                return dice.choice((1, 600, 10**6))
            case "on":
                return "undo" if dice.random() < 0.9 else "abort"
            case "yes":
                return dice.random() < 0.7
            case "ruleset":
                return "skyjo"
            case "status":
                return "running"
            case "player":
                return dice.choice(self.players).id
        return "x"

    def _garbage(self, client: Client) -> bytes:
        """The text of a message that is malformed, or at least odd."""
        dice, request = self._dice, self._request(client)
        request["id"] = dice.choice((f"odd {request['id']}", None, 2**60, [1], 1.5, "x" * 100))
        how = dice.random()
        if how < 0.3:
            return encoded(request)
        if how < 0.6:
            name = dice.choice([*request, "odd"])
            odd = dice.choice(ODD)
            return encoded(request | {name: odd if not isinstance(odd, str) else odd.encode(errors="replace").decode()})
        text = bytearray(encoded(request))
        if how < 0.8:
            for _ in range(dice.randint(1, 4)):
                text[dice.randrange(len(text))] = dice.choice(b'{}[]",:0x \\')
        elif how < 0.9:
            del text[dice.randrange(len(text)) :]
        else:
            text = bytearray(dice.choice((b"[" * 5000, b"", b"null", b"{}", b'{"type":"move"}', b'{"id":1}' * 2)))
        return bytes(text)

    def _broken_frame(self) -> bytes:
        dice = self._dice
        return dice.choice((
            frame(TEXT, b"x", mask=None), frame(TEXT, b"x", rsv=dice.randint(1, 7)), frame(dice.choice((3, 7, 11))),
            frame(CONT, b"x"), frame(2, b"x"), frame(TEXT, b"\xff\xfe"), frame(PING, b"x" * 126),
            frame(TEXT, length_bytes=8, length=2**40), frame(PING, b"x", fin=False), closing(1005), dice.randbytes(20),
        ))  # fmt: skip

    # --- what is received ---

    def check(self, client: Client, request: Json | None, message: Json) -> None:
        kind = message["type"]
        if kind in ANSWERS:
            self.answers[message["problem"]["type"] if kind == "problem" else kind] += 1
        if kind in ("problem", "end", "end_lobby", "end_turns"):
            problem = message.get("problem", {"status": 200})
            assert problem["status"] < 500, message
            assert len(problem.get("missed", ())) <= MAX_MISSED, "a refusal that grows with the log"
        game = next((each for each in self.games if each.name == message.get("game")), None)
        if game is not None and game.private and client.who not in game.players:
            assert kind == "unfollowed", f"a private game shows itself: {message}"
        match kind:
            case "state":
                client.legal[message["game"]] = message
                assert message["you"] is not None or not message["legal_moves"], message
            case "following":
                assert message["version"] >= (request or {}).get("after", 0), "versions that do not exist are skipped"
            case "events":
                for item in message["items"]:
                    self._note(client, message["game"], item)
            case _ if kind in CHANGES:
                self._note_change(client, request or {}, message)

    def _note(self, client: Client, game: str, item: Json) -> None:
        """Collect an item; the same version must always look alike, apart from perspectives that clients choose."""
        shown = msgspec.json.encode({name: value for name, value in item.items() if name != "patch"}).decode()
        self.items.setdefault((game, client.who.id, shown), {})[item["version"]] = item

    def _note_change(self, client: Client, request: Json, message: Json) -> None:
        if not message["replayed"]:
            self.made[message["game"], message["version"]] += 1
        if "key" in request:
            answers = self.moved.setdefault((client.who.id, message["game"], request["key"]), [])
            answers.append(message)
            assert len({(each["type"], each["version"], each["head"]) for each in answers}) == 1, "one key, two effects"
            assert [each["replayed"] for each in answers].count(False) <= 1, "one key, two effects"

    # --- at the end ---

    async def _check_items(self) -> None:
        """Each item is one that REST shows this caller."""
        shown: dict[tuple[str, str], set[tuple[int, str]]] = {}
        for game, who_id, text in self.items:
            (version,) = self.items[game, who_id, text]
            shown.setdefault((game, who_id), set()).add((version, text))
        for (game, who_id), received in shown.items():
            who = next((each for each in self.players if each.id == who_id), self._service.stranger)
            allowed = set[tuple[int, str]]()
            for viewpoint in ("", "0", "1", "2", "bystander", "all"):
                query = {"as": viewpoint} if viewpoint else {}
                answer = await who.get(f"/v1/games/{game}/events", limit=1, **query)
                if answer.status_code == 200:
                    every = await who.events(f"/v1/games/{game}", **query)
                    allowed |= {(each["version"], msgspec.json.encode(each).decode()) for each in every}
            assert received <= allowed, f"{game} showed {who_id} more than REST does: {received - allowed}"

    async def _check_changes(self) -> None:
        """Each command that was answered as carried out is in the log once."""
        for game in self.games:
            who = game.players[0]
            events = await who.events(game.path, as_="bystander")
            ends = {each["version"] for each in events if each["more"] == 0}
            made = {version: times for (name, version), times in self.made.items() if name == game.name}
            assert set(made.values()) <= {1}, "two commands were answered with one version"
            assert set(made) <= ends
            again = await who.get(f"{game.path}/rematch")
            if again.status_code == 200:
                tags = [each["event"]["type"] for each in await who.events(again.json()["links"]["self"])]
                assert tags.count("opened") == 1
                assert tags.count("joined") <= len(game.players)
