"""Requests over HTTP, repeated while that may help."""

import socket
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import httpx
import msgspec

from .backoff import Backoff, Contact
from .errors import InvalidUrl, NoAnswer, Problem, UnknownHost, problem

STREAM_TIMEOUT = 45
"""Seconds without data after which a stream is dead: the service sends a comment every 15."""


UNKNOWN_HOST = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}
"""What the resolver answers if there is no such host. Other failures of the resolver may pass."""


class Rest:
    """The REST API of a service. Raises `InvalidUrl`."""

    def __init__(
        self, url: str, token: str | None, patience: float | None, http: httpx.AsyncClient | None, seed: bytes
    ) -> None:
        self.seed = seed
        self.heads: dict[str, tuple[int, str]] = {}
        """By sealed game, the version and head that the client saw when it opened its entropy."""
        self.url = checked(url)
        self.token = token
        self.contact = Contact(self.url, patience)
        self._http = http or httpx.AsyncClient(timeout=20, limits=httpx.Limits(max_connections=None))

    async def close(self) -> None:
        await self._http.aclose()

    def headers(self, more: Mapping[str, str | None]) -> dict[str, str]:
        token = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return token | {name: value for name, value in more.items() if value is not None}

    async def get(self, path: str, **query: Any) -> Any:
        """The decoded answer. `as_=1` is the parameter `as`."""
        return msgspec.json.decode(await self.read(path, **query))

    async def read(self, path: str, **query: Any) -> bytes:
        """The answer as it came."""
        return (await self.send("GET", path, query=query)).content

    async def post(self, path: str, body: Any, *, key: str | None = None, **headers: str | None) -> Any:
        answer = await self.send("POST", path, body=body, headers={"Idempotency-Key": key, **headers})
        return msgspec.json.decode(answer.content)

    async def send(
        self, method: str, path: str, *, body: Any = None, query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> httpx.Response:  # fmt: skip
        """The answer, after as many attempts as `patience` allows. Raises `Problem`, `NoAnswer`."""
        backoff = Backoff(self.contact)
        while True:
            try:
                return await self.attempt(method, path, body=body, query=query, headers=headers)
            except (NoAnswer, Problem) as failure:
                await backoff.after(failure)

    async def attempt(
        self, method: str, path: str, *, body: Any = None, query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> httpx.Response:  # fmt: skip
        """The answer of a single attempt. Raises `Problem`, `NoAnswer`."""
        content = None if body is None else msgspec.json.encode(body)
        types = {} if content is None else {"Content-Type": "application/json"}
        try:
            response = await self._http.request(
                method, self.url + path, content=content, params=parameters(query or {}),
                headers=self.headers(types | dict(headers or {})),
            )  # fmt: skip
        except httpx.TransportError as error:
            raise unanswered(error) from error
        _check(response)
        self.contact.succeeded()
        return response

    @asynccontextmanager
    async def lines(
        self, path: str, query: Mapping[str, Any], last_event: int
    ) -> AsyncGenerator[AsyncIterator[str], None]:
        """The lines of an event stream. Raises `Problem`, `NoAnswer`; so does the iterator."""
        headers = self.headers({"Accept": "text/event-stream", "Last-Event-ID": str(last_event)})
        timeout = httpx.Timeout(20, read=STREAM_TIMEOUT)
        try:
            async with self._http.stream(
                "GET", self.url + path, params=parameters(query), headers=headers, timeout=timeout
            ) as response:
                if response.is_error:
                    await response.aread()
                    _check(response)
                self.contact.succeeded()
                yield response.aiter_lines()
        except httpx.TransportError as error:
            raise unanswered(error) from error


def checked(url: str) -> str:
    """The URL of a service without a slash at its end. Raises `InvalidUrl`."""
    try:
        found = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise InvalidUrl(f"{url!r} is not a URL: {error}") from None
    if found.scheme not in ("http", "https") or not found.host:
        raise InvalidUrl(f"{url!r} is not a URL of the form http://HOST or https://HOST")
    return url.rstrip("/")


def unanswered(error: Exception) -> NoAnswer:
    """The exception for a request that was not answered."""
    text = f"{type(error).__name__}: {error}"
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror) and cause.errno in UNKNOWN_HOST:
            return UnknownHost(text)
        cause = cause.__cause__ or cause.__context__
    return NoAnswer(text)


def parameters(query: Mapping[str, Any]) -> dict[str, Any] | None:
    """The query without parameters that are not given. None without any: `{}` would remove the query of the path."""
    return {name.rstrip("_"): value for name, value in query.items() if value is not None} or None


def segment(text: str) -> str:
    """The text as a part of a path."""
    return quote(text, safe="")


def _check(response: httpx.Response) -> None:
    """Raises the problem that the answer is."""
    if response.is_success or response.status_code == 304:
        return
    try:
        body = msgspec.json.decode(response.content)
    except msgspec.DecodeError:
        body = None
    raise problem(body, response.status_code, seconds(response.headers.get("Retry-After")))


def seconds(text: str | None) -> float | None:
    """The value of `Retry-After`, if it is a number."""
    return float(text) if text is not None and text.isdecimal() else None
