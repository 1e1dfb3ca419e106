"""The play channel: one web socket for everything that a client follows and plays.

After an interruption it connects again and resumes every follow at the version that has arrived.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from .backoff import Backoff, Contact
from .errors import NoAnswer, Problem, problem
from .rest import seconds, unanswered
from .ruleset import Json

SUBPROTOCOL = Subprotocol("stammtisch.v1")
TIMEOUT = 10
"""Seconds after which a request without an answer shows that the connection is dead."""
HOPELESS = 2
"""Handshakes that fail, before one has succeeded: there is no channel to be had, for example behind a proxy."""
UNAVAILABLE = 60
"""Seconds for which no further attempt is made then."""
TOKEN_INVALID = 4401
SUBJECTS = {"turn": "turns", "end_turns": "turns"}
"""What messages are about that are not about a game."""


class Interrupted(NoAnswer):
    """The connection broke before the answer came."""


class ChannelUnavailable(Exception):
    """The channel cannot be used here. What was followed can be read as an event stream."""


class Follow:
    """Something that is followed: messages in their order, over any number of connections."""

    def __init__(self, subject: str, request: Callable[[int], Json], version: int = 0) -> None:
        self.subject = subject
        self.request = request
        """The message that begins to follow after a version."""
        self.version = version
        """Of the last event that has arrived."""
        self.begun = False
        """Whether the service has answered on this connection: what comes now belongs to this request."""
        self._messages: asyncio.Queue[Json | Exception] = asyncio.Queue()

    def put(self, message: Json | Exception) -> None:
        if isinstance(message, dict) and message["type"] == "events":
            self.version = message["items"][-1]["version"]
        self._messages.put_nowait(message)

    async def next(self) -> Json:
        """The next message. Raises `Problem`, `NoAnswer`, `ChannelUnavailable`."""
        message = await self._messages.get()
        if isinstance(message, Exception):
            raise message
        return message


class Channel:
    """The play channel of a client, connected from the first follow until `close`."""

    def __init__(self, url: str, headers: Callable[[], dict[str, str]], contact: Contact, *, enabled: bool) -> None:
        self._url = url.replace("http", "ws", 1) + "/v1/channel"
        self._headers = headers
        self._contact = contact
        self._is_enabled = enabled
        self._follows: dict[str, Follow] = {}
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._beginning: dict[int, Follow] = {}
        self._number = 0
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._has_opened = False
        self._unavailable_until = 0.0
        self._retries: set[asyncio.Task[None]] = set()

    @property
    def is_open(self) -> bool:
        """Whether requests can be sent."""
        return self._socket is not None

    async def close(self) -> None:
        self._fail(Interrupted("the client was closed"))
        for task in (self._task, *self._retries):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    async def reconnect(self) -> None:
        """Connect again, with the token of now. What is followed is resumed."""
        if self._task is None or self._task.done():
            return
        self._task.cancel()
        await asyncio.wait([self._task])
        self._task = asyncio.create_task(self._run()) if self._follows else None

    # --- requests ---

    async def request(self, type: str, **fields: Any) -> Json:
        """The answer. Raises `Problem`, and `Interrupted` if the connection breaks."""
        socket = self._socket
        if socket is None:
            raise Interrupted("the channel is not open")
        number = self._next_number()
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(TIMEOUT):
                await socket.send(_encoded({"type": type, "id": number, **fields}))
                found: Json = await answer
                return found
        except (TimeoutError, ConnectionClosed) as error:
            socket.transport.abort()
            raise Interrupted(f"{type}: no answer") from error
        finally:
            self._waiting.pop(number, None)

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    # --- follows ---

    def follow(self, follow: Follow) -> None:
        """Begin to follow. Raises `ChannelUnavailable`, also if the subject is followed already."""
        if follow.subject in self._follows or not self._is_enabled or time.monotonic() < self._unavailable_until:
            raise ChannelUnavailable
        self._follows[follow.subject] = follow
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        elif self._socket is not None:
            self._retry(follow, 0)

    def unfollow(self, follow: Follow) -> None:
        """No message comes any more."""
        if self._follows.get(follow.subject) is not follow:
            return
        del self._follows[follow.subject]
        if self._socket is not None and follow.begun:
            message = {"type": "unfollow_turns"} if follow.subject == "turns" else _unfollow(follow.subject)
            self._later(self._send(self._socket, {**message, "id": self._next_number()}))

    def _retry(self, follow: Follow, pause: float) -> None:
        async def begin(socket: ClientConnection) -> None:
            await asyncio.sleep(pause)
            if self._socket is socket and self._follows.get(follow.subject) is follow:
                await self._begin(socket, follow)

        if self._socket is not None:
            self._later(begin(self._socket))

    def _later(self, action: Any) -> None:
        task = asyncio.create_task(action)
        self._retries.add(task)
        task.add_done_callback(self._retries.discard)

    async def _begin(self, socket: ClientConnection, follow: Follow) -> None:
        number = self._next_number()
        follow.begun = False
        self._beginning[number] = follow
        await self._send(socket, {**follow.request(follow.version), "id": number})

    @staticmethod
    async def _send(socket: ClientConnection, message: Json) -> None:
        with contextlib.suppress(ConnectionClosed):  # the reader finds out
            await socket.send(_encoded(message))

    # --- the connection ---

    async def _run(self) -> None:
        """Stay connected. Ends with a failure for all follows if that is hopeless."""
        backoff, handshakes = Backoff(self._contact), 0
        while True:
            pause = None
            try:
                async with connect(
                    self._url, subprotocols=[SUBPROTOCOL], additional_headers=self._headers(), compression=None,
                    max_size=None, open_timeout=TIMEOUT, close_timeout=1,
                ) as socket:  # fmt: skip
                    self._has_opened = True
                    handshakes = 0
                    await self._serve(socket, backoff)
                failure: Exception = Interrupted("the channel was closed")
                if socket.close_code == TOKEN_INVALID:
                    self._fail(problem({"type": "unauthenticated", "title": socket.close_reason}, 401))
                    return
            except InvalidStatus as error:
                failure = _refusal(error)
                if not isinstance(failure, Problem) or failure.status == 401:
                    self._fail(failure)
                    return
                pause = failure.retry_after
            except (InvalidHandshake, TimeoutError, EOFError) as error:
                handshakes += 1
                failure = Interrupted(f"{type(error).__name__}: {error}")
                if not self._has_opened and handshakes >= HOPELESS:
                    self._fail(ChannelUnavailable())
                    return
            except (OSError, WebSocketException) as error:
                failure = unanswered(error)
            try:
                await backoff.pause(failure, pause)
            except (Problem, NoAnswer) as hopeless:
                self._fail(hopeless)
                return

    def _fail(self, failure: Exception) -> None:
        if isinstance(failure, ChannelUnavailable):
            self._unavailable_until = time.monotonic() + UNAVAILABLE
        follows, self._follows = self._follows, {}
        for follow in follows.values():
            follow.put(failure)

    async def _serve(self, socket: ClientConnection, backoff: Backoff) -> None:
        self._socket = socket
        try:
            for follow in list(self._follows.values()):
                await self._begin(socket, follow)
            with contextlib.suppress(ConnectionClosed):
                async for text in socket:
                    backoff.reset()
                    self._heard(msgspec.json.decode(text))
        finally:
            self._socket = None
            self._beginning.clear()
            for follow in self._follows.values():
                follow.begun = False
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(Interrupted("the channel broke"))
                    answer.exception()  # asyncio logs exceptions that nobody asks for: the request may fail in `send`

    def _heard(self, message: Json) -> None:
        number = message.get("id")
        if number in self._beginning:
            self._began(self._beginning.pop(number), message)
        elif number is not None:
            answer = self._waiting.get(number)
            if answer is not None and not answer.done():
                if message["type"] == "problem":
                    answer.set_exception(_problem(message))
                else:
                    answer.set_result(message)
        else:
            follow = self._follows.get(SUBJECTS.get(message["type"]) or message.get("game", ""))
            if follow is not None and follow.begun:
                self._arrived(follow, message)

    def _began(self, follow: Follow, message: Json) -> None:
        if self._follows.get(follow.subject) is not follow:
            return
        if message["type"] == "problem":
            self._refused(follow, _problem(message))
        else:
            follow.begun = True
            follow.put(message)

    def _arrived(self, follow: Follow, message: Json) -> None:
        if message["type"] in ("end", "end_turns"):
            follow.begun = False
            if "problem" in message:
                self._refused(follow, _problem(message))
                return
            del self._follows[follow.subject]
        follow.put(message)

    def _refused(self, follow: Follow, failure: Problem) -> None:
        if failure.is_transient:
            self._retry(follow, failure.retry_after or 1)
        else:
            del self._follows[follow.subject]
            follow.put(failure)


def _encoded(message: Json) -> str:
    given = {name.rstrip("_"): value for name, value in message.items() if value is not None}
    return msgspec.json.encode(given).decode()


def _unfollow(game: str) -> Json:
    return {"type": "unfollow", "game": game}


def _problem(message: Json) -> Problem:
    document = message["problem"]
    return problem(document, document["status"], message.get("retry_after"))


def _refusal(error: InvalidStatus) -> Problem | ChannelUnavailable:
    """What an answer other than an upgrade means."""
    response = error.response
    if response.status_code not in (401, 429, 500, 502, 503, 504):
        return ChannelUnavailable()
    try:
        body = msgspec.json.decode(response.body or b"")
    except msgspec.DecodeError:
        body = None
    return problem(body, response.status_code, seconds(response.headers.get("Retry-After")))
