"""A game over HTTP, recorded: every request as it was sent, every answer as it came, byte by byte, and live streams.

Nothing in it is left to chance or to the clock, so the same requests, sent again to another house, are answered the
same, unless a card lies elsewhere.
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

from domain import game as aggregate
from domain.fairness.chance import Dealer
from service.clock import now
from service.games import games
from service.http import edge
from service.http.streaming import COMMENT
from service.identity import guests, tokens
from tests.openapi.chance import no_chance
from tests.support.clients import Service

Json = dict[str, Any]
C = TypeVar("C")

MORNING = int(time.time())
"""When everything happens. Tokens must be valid now, so it cannot be any time."""


class Viewer(NamedTuple):
    """Who asks: through which seat he looks (None: a bystander's eyes), and what proves who he is."""

    name: str
    seat: int | None
    token: str = ""


class Asked(NamedTuple):
    """A request as it is sent; `what` says what it is about."""

    what: str
    viewer: Viewer
    method: str
    path: str
    headers: dict[str, str]
    body: bytes | None


class Heard(NamedTuple):
    """What somebody has got to see."""

    what: str
    viewer: Viewer
    text: bytes


Work: TypeAlias = Mapping[str, int]


class Turn(NamedTuple):
    """A request, the version of the game after it, and what was heard: the answer, and news in the streams."""

    asked: Asked
    version: int
    heard: tuple[Heard, ...]
    work: Work
    """What was called meanwhile, and how often; empty unless somebody counts."""


class Exchange(NamedTuple):
    """In which shuffle of each of the dealer's steps the cards at which two places change places."""

    shuffle: int
    one: int
    other: int


# --- nothing is left to chance ------------------------------------------------------------------------------------


@contextmanager
def fixed(exchange: Exchange | None) -> Iterator[None]:
    """Within it nothing is drawn and no time passes, but from event to event. Two cards may lie exchanged."""
    numbers = count()
    clock = SimpleNamespace(time=lambda: MORNING)

    def tick() -> str:
        return f"{now()[:10]}T08:{next(numbers) // 60 % 60:02}:00.{next(numbers):06}Z"

    with no_chance(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "time", clock)
        patch.setattr(games, "now", tick)
        patch.setattr(guests, "now", tick)
        patch.setattr(edge, "perf_counter", lambda: 0.0)
        if exchange is not None:
            patch.setattr(aggregate, "Dealer", dealer(exchange))
        yield


def dealer(exchange: Exchange) -> type[Dealer]:
    """Deals as any other, but for two cards."""

    class Exchanging(Dealer):
        def __init__(self, secret: bytes, game_id: str, entropies: Sequence[str], step: int) -> None:
            super().__init__(secret, game_id, entropies, step)
            self.shuffles = count()

        def shuffled(self, items: Sequence[C]) -> tuple[C, ...]:
            cards = list(super().shuffled(items))
            if next(self.shuffles) == exchange.shuffle and len(set(cards)) > 1:
                i, j = exchange.one % len(cards), exchange.other % len(cards)
                while cards[i] == cards[j]:  # exchanging equal cards would show nothing
                    j = (j + 1) % len(cards)
                cards[i], cards[j] = cards[j], cards[i]
            return tuple(cards)

    return Exchanging


# --- asking and listening -----------------------------------------------------------------------------------------


FOLLOW = "FOLLOW"
"""The method of requests for a live stream."""


class Session:
    """Everybody's requests to one house, and what everybody hears."""

    def __init__(self, house: Service, worked: Callable[[], Work] = dict) -> None:
        """`worked` gives the work that was done since it was asked the last time."""
        self.http = house.http
        self._worked = worked
        self._worked()  # what was done to get ready does not count
        self.turns: list[Turn] = []
        self.version = 0
        self._streams: list[Stream] = []

    async def ask(
        self, what: str, viewer: Viewer, method: str, path: str, body: Any = None, **headers: str
    ) -> httpx.Response:
        """`body`: bytes as they are, or anything as JSON. Underlines in names of headers stand for hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if body is None or isinstance(body, bytes) else msgspec.json.encode(body)
        if content is not None:
            named["Content-Type"] = "application/json"
        return await self._send(Asked(what, viewer, method, path, named, content))

    async def again(self, request: Asked) -> None:
        """The same request as in another session."""
        if request.method == FOLLOW:
            await self.follow(request.viewer, request.path)
        else:
            await self._send(request)

    async def _send(self, request: Asked) -> httpx.Response:
        headers = {**request.headers, **_authorized(request.viewer)}
        answer = await self.http.request(request.method, request.path, headers=headers, content=request.body)
        heard = [Heard(request.what, request.viewer, _whole(answer))]
        if (version := _brought(request, answer)) > self.version:
            self.version = version
            heard += [await self._hear(stream) for stream in self._streams]
        self.turns.append(Turn(request, self.version, tuple(heard), self._worked()))
        return answer

    async def follow(self, viewer: Viewer, path: str) -> None:
        """Open a live stream, and hear it to the end of the session."""
        stream = Stream(viewer, self.http, path)
        self._streams.append(stream)
        asked = Asked("a live stream", viewer, FOLLOW, path, {}, None)
        self.turns.append(Turn(asked, self.version, (await self._hear(stream),), self._worked()))

    async def _hear(self, stream: "Stream") -> Heard:
        return Heard("a live stream", stream.viewer, await stream.upto(self.version))

    async def close(self) -> None:
        for stream in self._streams:
            await stream.close()


class Stream:
    """A live stream, straight from the application: what it sends is there at once, piece by piece."""

    def __init__(self, viewer: Viewer, http: httpx.AsyncClient, path: str) -> None:
        self.viewer = viewer
        self._text, self._read = b"", 0
        self._over = False
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
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Json) -> None:
        if message["type"] == "http.response.start":
            headers = b"".join(b"%b: %b\n" % (name, value) for name, value in message["headers"])
            self._text += b"%d\n%b\n" % (message["status"], headers)
        else:
            body = message.get("body", b"")
            self._text += b"" if body == COMMENT else body  # it tells that nothing has come for so many seconds
            self._over = not message.get("more_body", False)
        self._news.set()

    async def upto(self, version: int) -> bytes:
        """What it has brought since the last time, when it has come to that version or to its end."""
        async with asyncio.timeout(10):
            while not (self._over or re.search(rb"^id: %d\nevent:" % version, self._text, re.MULTILINE)):
                self._news.clear()
                await self._news.wait()
        new, self._read = self._text[self._read :], len(self._text)
        return new

    async def close(self) -> None:
        self._gone.set()
        await self._task


def _authorized(viewer: Viewer) -> dict[str, str]:
    return {"Authorization": f"Bearer {viewer.token}"} if viewer.token else {}


def _brought(request: Asked, answer: httpx.Response) -> int:
    """The version to which the request has brought the game; 0 if it is none that does."""
    changes = request.method in ("POST", "DELETE") and answer.is_success and b'"version":' in answer.content
    return int(answer.json()["version"]) if changes else 0


def _whole(answer: httpx.Response) -> bytes:
    """Status, headers and body."""
    headers = b"".join(b"%b: %b\n" % header for header in answer.headers.raw)
    return b"%d\n%b\n%b" % (answer.status_code, headers, answer.content)


# --- what may differ ----------------------------------------------------------------------------------------------


class Names:
    """Names for salted hashes, by the order in which somebody has heard them. Whatever else differs, stays.

    `secret` is the hash of an event with its hidden cards, salted by the game's secret, and `head` follows from it.
    """

    HASHES = re.compile(rb'"(secret|head)":"([0-9a-f]{64})"')

    def __init__(self) -> None:
        self._names: dict[bytes, bytes] = {}

    def put(self, text: bytes) -> bytes:
        """The text with names in place of the hashes, as long as they were."""
        return self.HASHES.sub(self._named, text)

    def _named(self, found: re.Match[bytes]) -> bytes:
        name = self._names.setdefault(found[2], b"%064d" % len(self._names))
        return b'"%b":"%b"' % (found[1], name)
