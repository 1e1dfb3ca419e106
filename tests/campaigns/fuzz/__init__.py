"""Random malformed requests, derived from the OpenAPI document and from recorded sessions.

The service must answer each without a server error, must work afterwards and must not leak memory. Requests go straight
to the ASGI application, because client libraries refuse to send them.
"""

import json
import string
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec

from openapi import build

Json = dict[str, Any]

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 10**9, 2**63, -(10**30), 0.5, 1e300, "", "0", "null", "all",
    "bystander", "patch", "tally", "patch,tally", "me", "x" * 300,
    "\0", "\u202e", "\ud800", "🃏", "../..", "%00", "{}", [], [[]], [0, 1], {}, {"type": "nope"}, {"": None},
)  # fmt: skip

BIG = (2**31 - 1, 2**31, 2**53, 10**15 - 1, 10**15, 2**63 - 1, 2**63, 2**64, 10**30)
"""Integers at the limits of databases, of C, and of doubles: sent where an integer belongs."""
COUNTED = frozenset(("after", "at", "limit"))
"""Parameters that are integers."""

NOWHERE = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"
"""The id of no game."""

WAITING = {"hotseat": False, "sit": False}
"""The terms of a game that waits for players and can be cancelled."""

HEADERS = (
    "Authorization", "Content-Type", "Accept", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer",
    "Last-Event-ID", "Invite", "Content-Length", "Origin", "Cookie", "Range", "X-Forwarded-For", "Expect", "X",
)  # fmt: skip
VALUES = (
    "", "*", '"1.0"', '"99999999999.all"', "text/event-stream", "application/x-ndjson", "application/json;q=0",
    ",,;q=2", "return=minimal", "Bearer", "Bearer x", "Basic eDp5", "0", "-1", "9" * 40, "9" * 15, "key", "\xff",
    "a" * 3000, "bytes=0-1",
)  # fmt: skip


class Request(NamedTuple):
    """A request in the form of ASGI."""

    method: str
    path: str
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Answer(NamedTuple):
    status: int
    headers: dict[bytes, bytes]
    body: bytes


async def answered(app: Any, asked: Request) -> Answer:
    """The answer of the application; of a stream the beginning, because the client disconnects."""
    messages = [{"type": "http.request", "body": asked.body, "more_body": False}]
    status, headers, body = 0, {}, b""

    async def receive() -> Any:
        return messages.pop() if messages else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        nonlocal status, headers, body
        if message["type"] == "http.response.start":
            status, headers = message["status"], dict(message["headers"])
        else:
            body += message["body"]

    await app(
        {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "root_path": "",
            "server": ("test", 80), "client": ("127.0.0.1", 1), "state": {}, "method": asked.method, "path": asked.path,
            "raw_path": quote(asked.path, errors="replace").encode(), "query_string": asked.query,
            "headers": asked.headers,
        },
        receive, send,
    )  # fmt: skip
    return Answer(status, headers, body)


class Fuzz:
    """Sends malformed requests and counts the statuses."""

    def __init__(self, app: Any, seed: int) -> None:
        self._app = app
        self._dice = Random(seed)
        self._operations = list(operations())
        self._recorded = list(recorded())
        self._names: dict[str, list[str]] = {"token": [], "player": [], "game": []}
        self._games: defaultdict[str, list[str]] = defaultdict(list)
        """The ids of games, by ruleset."""
        self._versions: dict[str, int] = {}
        """The latest version of each game that a response to a command has shown."""
        self._long: Json | None = None
        """A game with a long round, and the token of its player. No request may cost what its log has grown to."""
        self._private: list[str] = []
        """Games of a guest whose token is never sent."""
        self.answers: Counter[int] = Counter()
        self.done: Counter[str] = Counter()
        """By the last word of their path, the commands for a game that were carried out."""
        self.compared: Counter[int] = Counter()
        """By status, the answers about private games that were those about no game."""

    async def play_a_long_round(self, events: int) -> None:
        """Open a game that `begin` keeps, and play a round of it that goes on as long as its players like."""
        host = (await self._sent("POST", "/v1/players", {"name": "Host"}))["token"]
        game = await self._sent("POST", "/v1/games/skyjo", {"seats": 2, "hotseat": True}, host)
        place, seen = f"/v1/games/skyjo/{game['id']}/moves", game
        while seen["version"] < events:
            first = seen["legal_moves"][0]
            chosen = {"type": "take"} if first["type"] == "draw" else first
            seen = (await self._sent("POST", place, chosen, host, 200))["game"]
        self._long = {"token": host, "game": seen}

    async def begin(self, guests: int = 3) -> None:
        """Register players, and open games for each ruleset: a hotseat game, one to cancel, and one of several players.
        Earlier players and games are not sent any more, because most of those games are over."""
        for known in (*self._names.values(), self._private):
            known.clear()
        self._games.clear()
        self._versions.clear()
        for number in range(guests):
            guest = await self._sent("POST", "/v1/players", {"name": f"Guest {number}"})
            self._names["token"].append(guest["token"])
            self._names["player"].append(guest["id"])
        host = (await self._sent("POST", "/v1/players", {"name": "Host"}))["token"]
        for request in self._recorded:
            if "hotseat" in (request.get("body") or {}):
                game = await self._sent("POST", request["path"], request["body"], self._names["token"][-1])
                waits = await self._sent(
                    "POST", request["path"], {**request["body"], **WAITING}, self._names["token"][-1]
                )
                self._know(game, waits)
                for terms in ({"hotseat": True}, WAITING):
                    hidden = await self._sent(
                        "POST", request["path"], {**request["body"], **terms, "private": True}, host
                    )
                    self._private.append(hidden["id"])
        await self._open_tables()
        await self._finish_a_game()
        if self._long is not None:
            self._names["token"].append(self._long["token"])
            self._know(self._long["game"])
            self._versions[self._long["game"]["id"]] = self._long["game"]["version"]

    async def _open_tables(self) -> None:
        """Open for each ruleset a game in which two guests or more play, with a clock, and undo by agreement."""
        for request in self._recorded:
            if "hotseat" in (request.get("body") or {}):
                seats = request["body"]["seats"]
                body = {"seats": seats, "clock": {"bank": 86_400}, "undo": "agreed"}
                game = await self._sent("POST", request["path"], body, self._names["token"][0])
                for token in self._names["token"][1:seats]:
                    await self._sent("POST", f"{request['path']}/{game['id']}/seats", {}, token, 200)
                self._know(game)

    async def _finish_a_game(self) -> None:
        """Play a game of two guests to its end, so that it can be repeated."""
        path = "/v1/games/skyjo"
        ann, bob = self._names["token"][:2]
        game = await self._sent("POST", path, {"seats": 2, "options": {"target_points": 1}}, ann)
        place = f"{path}/{game['id']}"
        seen = await self._sent("POST", f"{place}/seats", {}, bob, 200)
        while seen["to_act"]:
            token = (ann, bob)[seen["to_act"][0]]
            legal = (await self._sent("GET", f"{place}/moves", None, token, 200))["legal_moves"]
            seen = (await self._sent("POST", f"{place}/moves", self._dice.choice(legal), token, 200))["game"]
        self._know(game)

    def _know(self, *games: Json) -> None:
        for game in games:
            self._names["game"].append(game["id"])
            self._games[game["ruleset"]].append(game["id"])

    async def _sent(self, method: str, path: str, body: Any, token: str = "", status: int = 201) -> Json:
        headers = [(b"content-type", b"application/json"), (b"authorization", f"Bearer {token}".encode())]
        answer = await answered(
            self._app, Request(method, path, b"", headers[: 1 + bool(token)], json.dumps(body).encode())
        )
        assert answer.status == status, answer
        made: Json = json.loads(answer.body)
        return made

    async def ask(self) -> None:
        """Send one more request. Raises AssertionError for a server error or a malformed problem."""
        asked = await self._command() if self._chance(0.4) else self._request()
        game = next((each for each in self._names["game"] if each in asked.path), None)
        if game is not None and self._chance(0.2):
            await self._compare(asked, game)
            return
        answer = await answered(self._app, asked)
        self.answers[answer.status] += 1
        if answer.status == 0 and (b"accept", b"text/event-stream") in asked.headers:
            return  # this client disconnects at once, also before a stream has begun
        assert 200 <= answer.status < 500, (asked, answer)
        if game is not None and answer.status in (200, 201) and asked.method in ("POST", "DELETE"):
            self._note(game, asked, msgspec.json.decode(answer.body))
        if answer.status >= 400 and asked.method != "HEAD":
            assert answer.headers[b"content-type"] == b"application/problem+json", (asked, answer)
            assert msgspec.json.decode(answer.body)["status"] == answer.status, (asked, answer)
        if answer.status == 204 and asked.method in ("DELETE", "POST") and asked.path.startswith("/v1/players"):
            await self._replace(asked)

    def _note(self, game: str, asked: Request, body: Json) -> None:
        """Note a command that was carried out, for the game or for one that follows it."""
        if body.get("id", game) == game:
            self._versions[game] = body["version"]
        self.done[" ".join([asked.method, *asked.path.partition(game)[2].split("/")[1:2]])] += 1

    async def _replace(self, forgotten: Request) -> None:
        """Register another guest for the one who was forgotten or signed out, whose token is worth nothing now."""
        sent = next(value for name, value in forgotten.headers if name == b"authorization")
        token = sent.decode().removeprefix("Bearer ")
        guest = await self._sent("POST", "/v1/players", {"name": "Guest again"})
        self._names["token"] = [guest["token"] if each == token else each for each in self._names["token"]]

    async def _compare(self, asked: Request, game: str) -> None:
        """The request about a private game, and about no game. Raises AssertionError unless both answers are one.

        Now and then with a token that nobody should believe.
        """
        if self._chance(0.3):
            bad = b"authorization", self._dice.choice((b"Bearer x", b"Bearer x.y.z", b"Basic eDp5", b"Bearer "))
            asked = asked._replace(headers=[*(each for each in asked.headers if each[0] != bad[0]), bad])
        hidden = self._dice.choice(self._private)
        found = [
            await answered(self._app, asked._replace(path=asked.path.replace(game, place)))
            for place in (hidden, NOWHERE)
        ]
        assert found[0] == found[1], (asked, found)
        assert 200 <= found[0].status < 500, (asked, found)
        self.compared[found[0].status] += 1

    async def _command(self) -> Request:
        """A command for a game as a client would send it now; half of the time something is wrong with it."""
        ruleset = self._dice.choice(sorted(self._games))
        place = f"/v1/games/{ruleset}/{self._dice.choice(self._games[ruleset])}"
        seen: Json = {}
        for token in self._dice.sample(self._names["token"], len(self._names["token"])):
            authorized = (b"authorization", f"Bearer {token}".encode()), (b"content-type", b"application/json")
            answer = await answered(self._app, Request("GET", place, b"", [*authorized], b""))
            seen = msgspec.json.decode(answer.body) if answer.status == 200 else {}
            if seen.get("you") is not None and self._chance(0.9):
                break
        method, rest, body = self._dice.choice(self._plausible(seen))
        if self._chance(0.5):
            one = {"method": method, "path": f"{place}/{rest}", "body": body, "query": ["running"]}
            return self._request(one)
        text = b"" if body is None else json.dumps(body).encode()
        query = b"running=true" if rest.startswith("seats/") else b""
        key = b"idempotency-key", self._dice.choice((b"a", b"%d" % self._dice.randrange(10**6)))
        return Request(method, f"{place}/{rest}", query, [*authorized, key], text)

    def _plausible(self, seen: Json) -> list[tuple[str, str, Any]]:
        """Commands for a game that looks like this, sometimes for another status: method, rest of the path, body."""
        dice, status = self._dice, seen.get("status")
        if self._chance(0.1):
            status = dice.choice(("waiting", "running", "finished"))
        seat, moves = seen.get("you") or 0, seen.get("legal_moves")
        if status == "finished":
            return [("POST", "rematch", {}), ("GET", "rematch", None)]
        if status != "running":
            return [("POST", "seats", {})]
        found = [
            ("DELETE", f"moves/{seen.get('undo') or seen.get('version', 1)}", None),
            ("POST", "votes", {"on": seen.get("vote", {}).get("on", "undo"), "yes": self._chance(0.7)}),
            ("POST", "votes", {"on": "abort" if self._chance(0.1) else "undo", "yes": True}),
            ("POST", "time", {"seat": dice.randrange(2), "seconds": dice.choice((1, 600))}),
            ("POST", "seats", {}),
            ("DELETE" if self._chance(0.3) else "GET", f"seats/{seat}", None),
        ]
        return found + [("POST", "moves", dice.choice(moves)) for _ in found if moves]

    def _request(self, one: Json | None = None) -> Request:
        """This request, or any one, with something wrong."""
        one = one or self._dice.choice(self._dice.choice((self._operations, self._recorded)))
        method, path, body = one["method"], self._filled(one["path"]), one.get("body")
        parameters = {
            name: self._number(path) if name in COUNTED and self._chance(0.5) else self._value()
            for name in one.get("query", ())
            if self._chance(0.3)
        }
        headers = {name.lower(): self._filled(value) for name, value in one.get("headers", {}).items()}
        if self._chance(0.8):
            headers["authorization"] = f"Bearer {self._dice.choice(self._names['token'])}"
        if body is not None or method in ("POST", "PATCH"):
            headers.setdefault("content-type", "application/json")
        while self._chance(0.4):
            headers[self._dice.choice(HEADERS).lower()] = self._dice.choice(VALUES)
        while self._chance(0.4):
            body = self._twisted(body)
        text = b"" if body is None else json.dumps(body).encode()
        while self._chance(0.15):
            text = self._torn(text)
        if self._chance(0.1):
            path = self._torn(path.encode(errors="replace")).decode(errors="replace")
        if self._chance(0.05):
            method = self._dice.choice(("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "NOPE"))
        query = "&".join(
            f"{quote(name)}={quote(text_of(value), errors='replace')}" for name, value in parameters.items()
        )
        sent = self._torn(query.encode()) if self._chance(0.1) else query.encode()
        raw = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
        return Request(method, path if path.startswith("/") else f"/{path}", sent, raw, text)

    def _chance(self, share: float) -> bool:
        return self._dice.random() < share

    def _filled(self, template: str) -> str:
        """The template with `{...}` filled in, mostly with existing ids."""
        for part in string.Formatter().parse(template):
            if part[1]:
                known = self._known(part[1].removesuffix("_id").rstrip(" 0123456789"), template)
                name = self._dice.choice(known) if known and self._chance(0.9) else text_of(self._value())
                template = template.replace(f"{{{part[1]}}}", name, 1)
        return template

    def _known(self, kind: str, template: str) -> list[str]:
        """Names of this kind: of games, mostly those of the ruleset in the path."""
        if kind == "game" and self._chance(0.9):
            return self._games.get(template.split("/")[3], [])
        if kind == "version":
            return [str(self._versions.get(game, 1)) for game in self._names["game"] if game in template]
        return self._names.get(kind, [])

    def _value(self) -> Any:
        return self._dice.choice(ODD)

    def _number(self, path: str = "") -> int:
        """A big integer, or one about as high as the version of the game in the path."""
        version = next((self._versions[game] for game in self._versions if game in path), 0)
        return self._dice.choice((*BIG, *range(max(version - 2, 0), version + 3)))

    def _twisted(self, body: Any) -> Any:
        """The body with a field added, removed or replaced."""
        if isinstance(body, int) and self._chance(0.5):
            return self._number()
        if not isinstance(body, dict) or not body or self._chance(0.1):
            return self._value()
        name = self._dice.choice(list(body))
        match self._dice.randrange(4):
            case 0:
                return {key: value for key, value in body.items() if key != name}
            case 1:
                return body | {text_of(self._value()): self._value()}
            case 2:
                return body | {name: self._twisted(body[name])}
        return body | {name: self._value()}

    def _torn(self, text: bytes) -> bytes:
        """The text with bytes removed, repeated, replaced or inserted."""
        at, length = self._dice.randrange(len(text) + 1), self._dice.randrange(8)
        match self._dice.randrange(4):
            case 0:
                return text[:at] + text[at + length :]
            case 1:
                return text[:at] + text[at : at + length] * 2 + text[at + length :]
            case 2:
                return text[:at] + self._dice.randbytes(length) + text[at + length :]
        return (
            text[:at]
            + self._dice.choice((b"[" * 500, b'"', b"\\u0000", b"\xff", b"{", b"&", b"=", b"%", b"9" * 50))
            + text[at:]
        )


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def operations() -> Iterator[Json]:
    """All operations of the document, with the names of their query parameters."""
    for path, methods in json.loads(build.FILE.read_bytes())["paths"].items():
        for method, operation in methods.items():
            query = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
            yield {"method": method.upper(), "path": path, "query": query}


def recorded() -> Iterator[Json]:
    """All requests of the transcripts."""
    for file in sorted(Path(build.FILE.parent, "examples").glob("*.http.json")):
        for exchange in json.loads(file.read_bytes())["exchanges"]:
            yield exchange["request"]


def memory() -> int:
    """Resident memory of this process in bytes, on Linux."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
