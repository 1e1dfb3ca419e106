"""A recorded session over HTTP: every request, every answer byte by byte, and live streams.

Chance and clock are fixed, so the same requests to another service get the same answers, unless a card lies elsewhere.
"""

import asyncio
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias, TypeVar

import httpx
import msgspec
import pytest

from domain.fairness.chance import Dealer
from domain.game import state
from service.clock import now
from service.games import games as games_module
from service.identity import players, tokens
from service.process.histogram import Histogram
from service.server.connection import NewProtocol
from service.server.streaming import COMMENT, CONNECTION
from tests.openapi.chance import no_chance
from tests.support.clients import Service
from tests.support.frames import HANDSHAKE, TEXT, frame

Json = dict[str, Any]
C = TypeVar("C")

MORNING = int(time.time())
"""The fixed time. It is close to now, because tokens must be valid."""


class Viewer(NamedTuple):
    """A client: the seat that it sees (None: as a bystander), its name and token."""

    name: str
    seat: int | None
    token: str = ""


class Asked(NamedTuple):
    """A request; `what` names its kind."""

    what: str
    viewer: Viewer
    method: str
    path: str
    headers: dict[str, str]
    body: bytes | None


class Heard(NamedTuple):
    """Bytes that a viewer received."""

    what: str
    viewer: Viewer
    text: bytes


Work: TypeAlias = Mapping[str, int]


class Turn(NamedTuple):
    """A request, the version of the game after it, and everything received: the answer and messages of streams."""

    asked: Asked
    version: int
    heard: tuple[Heard, ...]
    work: Work
    """The number of calls of each function; empty unless work is counted."""


class Exchange(NamedTuple):
    """The number of a shuffle in each step of the dealer, and two positions whose cards are exchanged in it."""

    shuffle: int
    one: int
    other: int


# --- fixed chance and time -----------------------------------------------------------------------------------------


@contextmanager
def fixed(exchange: Exchange | None) -> Iterator[None]:
    """Fix chance and clock; time passes only from event to event. Exchange two cards if told to."""
    numbers = count()
    clock = SimpleNamespace(time=lambda: MORNING)

    def tick() -> str:
        return f"{now()[:10]}T08:{next(numbers) // 60 % 60:02}:00.{next(numbers):06}Z"

    with no_chance(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "time", clock)
        patch.setattr(games_module, "now", tick)
        patch.setattr(players, "now", tick)
        # Durations are real, and services query their database in the background. Requests are counted all the same.
        patch.setattr(Histogram, "buckets", lambda _: [("+Inf", 0.0)])
        patch.setattr(Histogram, "total", property(lambda _: 0.0, lambda *_: None))
        patch.setattr(Histogram, "observe", lambda *_: None)
        if exchange is not None:
            patch.setattr(state, "Dealer", dealer(exchange))
        yield


def dealer(exchange: Exchange) -> type[Dealer]:
    """A dealer that exchanges two cards."""

    class Exchanging(Dealer):
        def __init__(self, secret: bytes, game_id: str, entropies: Sequence[str], event: str, number: int) -> None:
            super().__init__(secret, game_id, entropies, event, number)
            self.shuffles = count()

        def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
            cards = list(super().shuffled(items))
            if next(self.shuffles) == exchange.shuffle and len(set(cards)) > 1:
                i, j = exchange.one % len(cards), exchange.other % len(cards)
                while cards[i] == cards[j]:  # an exchange of equal cards would change nothing
                    j = (j + 1) % len(cards)
                cards[i], cards[j] = cards[j], cards[i]
            return tuple(cards)

    return Exchanging


# --- requests and streams ------------------------------------------------------------------------------------------


FOLLOW = "FOLLOW"
"""The method of requests for a live stream."""
ENDED = 2**31
"""Above every version."""
CHANNEL, SAY = "CHANNEL", "SAY"
"""The methods of opening a play channel, which follows the game with that name, and of requests in it."""


class Session:
    """All requests to one service, and everything that the viewers receive."""

    def __init__(self, house: Service, worked: Callable[[], Work] = dict) -> None:
        """`worked` returns the work since its last call."""
        self.http = house.http
        self._worked = worked
        self._worked()  # work before the session does not count
        self.turns: list[Turn] = []
        self.version = 0
        self._streams: list[Stream | Channel] = []
        self._channels: dict[Viewer, Channel] = {}

    async def ask(
        self, what: str, viewer: Viewer, method: str, path: str, body: Any = None, **headers: str
    ) -> httpx.Response:
        """`body`: bytes, or anything else as JSON. Underscores in names of headers stand for hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if body is None or isinstance(body, bytes) else msgspec.json.encode(body)
        if content is not None:
            named["Content-Type"] = "application/json"
        return await self._send(Asked(what, viewer, method, path, named, content))

    async def again(self, request: Asked) -> None:
        """Repeat a request of another session."""
        if request.method == FOLLOW:
            await self.follow(request.viewer, request.path)
        elif request.method == CHANNEL:
            await self.open_channel(request.viewer, request.path)
        elif request.method == SAY:
            await self._say(request)
        else:
            await self._send(request)

    async def _send(self, request: Asked) -> httpx.Response:
        # Not compressed: the size of a compressed answer depends on the salted hashes in it, which look like chance.
        headers = {"Accept-Encoding": "identity", **request.headers, **_authorized(request.viewer)}
        answer = await self.http.request(request.method, request.path, headers=headers, content=request.body)
        heard = [Heard(request.what, request.viewer, _whole(answer))]
        if (version := _brought(request, answer)) > self.version:
            self.version = version
            heard += [await self._hear(stream) for stream in self._streams]
        self.turns.append(Turn(request, self.version, tuple(heard), self._worked()))
        return answer

    async def follow(self, viewer: Viewer, path: str) -> None:
        """Open a live stream until the end of the session."""
        stream = Stream(viewer, self.http, path)
        self._streams.append(stream)
        asked = Asked("a live stream", viewer, FOLLOW, path, {}, None)
        self.turns.append(Turn(asked, self.version, (await self._hear(stream),), self._worked()))

    async def open_channel(self, viewer: Viewer, game: str) -> None:
        """Open a channel until the end of the session. It follows the game."""
        channel = self._channels[viewer] = Channel(viewer, self.http)
        self._streams.append(channel)
        if viewer.token:
            channel.say({"type": "authenticate", "id": 0, "token": viewer.token})
        channel.say({"type": "follow", "id": 1, "game": game, "patch": True})
        asked = Asked("a channel", viewer, CHANNEL, game, {}, None)
        self.turns.append(Turn(asked, self.version, (await self._hear(channel),), self._worked()))

    async def say(self, what: str, viewer: Viewer, request: Json) -> None:
        """Send a request over the viewer's channel."""
        await self._say(Asked(what, viewer, SAY, "", {}, msgspec.json.encode(request)))

    async def _say(self, request: Asked) -> None:
        assert request.body is not None
        channel = self._channels[request.viewer]
        answer, text = await channel.ask(msgspec.json.decode(request.body))
        heard = [Heard(request.what, request.viewer, text)]
        if answer["type"] in ("moved", "joined", "left") and answer["version"] > self.version:
            self.version = answer["version"]
            heard += [await self._hear(stream) for stream in self._streams]
        elif answer["type"] == "following":
            heard.append(await self._hear(channel))
        self.turns.append(Turn(request, self.version, tuple(heard), self._worked()))

    async def _hear(self, stream: "Stream | Channel") -> Heard:
        return Heard(stream.what, stream.viewer, await stream.upto(self.version))

    async def close(self) -> None:
        for stream in self._streams:
            await stream.close()


NO_BODY: Json = {"type": "http.request", "body": b"", "more_body": False}


class Stream:
    """A live stream, read from the ASGI application without buffering."""

    what = "a live stream"

    def __init__(self, viewer: Viewer, http: httpx.AsyncClient, path: str) -> None:
        self.viewer = viewer
        self._text, self._read = b"", 0
        self._requested = self._over = False
        self._news = asyncio.Event()
        self._gone = asyncio.Event()
        place, _, query = path.partition("?")
        headers = {"accept": "text/event-stream", **_authorized(viewer)}
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": place, "raw_path": place.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1), "server": ("test", 80), "extensions": {}, "state": {},
        }  # fmt: skip
        app: Any = http._transport.app  # type: ignore[attr-defined]
        self._task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> Json:
        if not self._requested:
            self._requested = True
            return NO_BODY
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Json) -> None:
        if message["type"] == "http.response.start":
            headers = b"".join(b"%b: %b\n" % (name, value) for name, value in message["headers"])
            self._text += b"%d\n%b\n" % (message["status"], headers)
        else:
            body = message.get("body", b"")
            self._text += b"" if body == COMMENT else body  # keep-alive comments depend on real time
            self._over = not message.get("more_body", False)
        self._news.set()

    async def upto(self, version: int) -> bytes:
        """The text since the last call, once the stream has reached that version or its end."""
        async with asyncio.timeout(60):
            while not (self._over or re.search(rb"^id: %d\nevent:" % version, self._text, re.MULTILINE)):
                self._news.clear()
                await self._news.wait()
        new, self._read = self._text[self._read :], len(self._text)
        return new

    async def close(self) -> None:
        self._gone.set()
        await self._task


class Channel(asyncio.Transport):
    """A play channel. It is the connection that the ASGI application upgrades, and what the web socket writes to."""

    what = "a channel"

    def __init__(self, viewer: Viewer, http: httpx.AsyncClient) -> None:
        super().__init__()
        self.viewer = viewer
        self._text, self._read = b"", 0
        self._frames = b""
        self._answers: dict[int, Json] = {}
        self._stated = -1
        """The version of the latest state of the follow."""
        self._news = asyncio.Event()
        self._opened = asyncio.Event()
        self._number = 1
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": "/v1/channel", "raw_path": b"/v1/channel", "query_string": b"", "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in HANDSHAKE.items()],
            "client": ("127.0.0.1", 1), "server": ("test", 80), "extensions": {CONNECTION: self}, "state": {},
        }  # fmt: skip
        app: Any = http._transport.app  # type: ignore[attr-defined]
        self._task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> Json:
        return NO_BODY

    async def _send(self, message: Json) -> None:
        if message["type"] == "http.response.start":
            headers = b"".join(b"%b: %b\n" % (name, value) for name, value in message["headers"])
            self._text += b"%d\n%b\n" % (message["status"], headers)

    # --- what the application upgrades ---

    def begin_upgrade(self) -> None:
        pass

    def upgrade(self, new_protocol: NewProtocol) -> None:
        self._protocol = new_protocol(self, set(), 60.0)
        self._opened.set()

    # --- what the web socket writes to ---

    def write(self, data: Any) -> None:
        self._frames += data
        while len(self._frames) >= 2:
            size, head = self._frames[1], 2
            if size > 125:
                head = 4 if size == 126 else 10
                size = int.from_bytes(self._frames[2:head], "big")
            if len(self._frames) < head + size:
                return
            text, self._frames = self._frames[head : head + size], self._frames[head + size :]
            self._take(msgspec.json.decode(text))
            self._text += text + b"\n"
        self._news.set()

    def _take(self, message: Json) -> None:
        match message["type"]:
            case "following":
                self._stated = -1
            case "state":
                self._stated = message["version"]
            case "end":
                self._stated = ENDED
        if "id" in message:
            self._answers[message["id"]] = message

    def is_closing(self) -> bool:
        return False

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    # --- for the session ---

    def say(self, request: Json) -> None:
        text = frame(TEXT, msgspec.json.encode(request))
        if self._opened.is_set():
            self._protocol.data_received(text)
        else:
            self._task.add_done_callback(lambda _: self._protocol.data_received(text))

    async def ask(self, request: Json) -> tuple[Json, bytes]:
        """The answer, and everything that was received since the last call."""
        self._number += 1
        self.say({**request, "id": self._number})
        async with asyncio.timeout(60):
            while self._number not in self._answers:
                self._news.clear()
                await self._news.wait()
        return self._answers[self._number], self._new()

    async def upto(self, version: int) -> bytes:
        """The text since the last call, once the state of that version, or the end of the game, has arrived."""
        async with asyncio.timeout(60):
            while self._stated < version:
                self._news.clear()
                await self._news.wait()
        return self._new()

    def _new(self) -> bytes:
        new, self._read = self._text[self._read :], len(self._text)
        return new

    async def close(self) -> None:
        self._protocol.connection_lost(None)
        await self._task


def _authorized(viewer: Viewer) -> dict[str, str]:
    return {"Authorization": f"Bearer {viewer.token}"} if viewer.token else {}


def _brought(request: Asked, answer: httpx.Response) -> int:
    """The version of the game after the request; 0 if the request does not change a game."""
    changes = request.method in ("POST", "DELETE") and answer.is_success and b'"version":' in answer.content
    return int(answer.json()["version"]) if changes else 0


def _whole(answer: httpx.Response) -> bytes:
    """Status, headers and body as bytes."""
    headers = b"".join(b"%b: %b\n" % header for header in answer.headers.raw)
    return b"%d\n%b\n%b" % (answer.status_code, headers, answer.content)


# --- what may differ ----------------------------------------------------------------------------------------------


class Names:
    """Names for salted hashes, by the order in which somebody has heard them. Whatever else differs, stays.

    `secret` is the hash of an event with its hidden cards, salted by the game's secret, and `head` follows from it. The
    ETag of an audit is the hash of a body that contains `head`.
    """

    HASHES = re.compile(rb'"(?:secret|head)":"([0-9a-f]{64})"|^etag: "([0-9a-f]{32})"$', re.MULTILINE)

    def __init__(self) -> None:
        self._names: dict[bytes, bytes] = {}

    def put(self, text: bytes) -> bytes:
        """The text with names of the same length in place of the hashes."""
        return self.HASHES.sub(self._named, text)

    def _named(self, found: re.Match[bytes]) -> bytes:
        value = found[1] or found[2]
        name = self._names.setdefault(value, b"%064d" % len(self._names))
        return found[0].replace(value, name[-len(value) :])
