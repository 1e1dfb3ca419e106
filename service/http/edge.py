"""The front door: in front of the application, so that it sees every request, also those that lead nowhere.

It reads who calls, holds back those who call too often, answers HEAD like GET without the body, counts, and writes the
access log. A line of the log never holds a token, a query string or a body.

A bad token is refused here, before any route is looked for. So no answer to it can depend on what exists.
"""

import asyncio
import sys
from math import ceil
from time import perf_counter, time
from typing import TextIO

import msgspec
from litestar.enums import HttpMethod, ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from domain.messages import Value
from service.http import problems
from service.http.auth import CALLER, read_caller
from service.http.problems import CHALLENGE, TooManyRequests, problem_response
from service.http.rate_limit import Gate, Policy, Verdict
from service.identity.tokens import Tokens, Unauthenticated
from service.metrics import Metrics

REGISTER = ["v1", "players"]
"""Where new guests come from: the parts of the path, for the router takes several slashes for one."""

GONE = 499
"""What is counted and logged where nobody was answered, for the client had gone."""

ALWAYS: tuple[tuple[bytes, bytes], ...] = ((b"x-content-type-options", b"nosniff"),)
"""The headers that every answer has: nothing is ever to be taken for what it does not say it is."""

UNLIMITED = {"/health/live", "/health/ready"}
"""What whoever restarts us, or sends us requests, asks for; with an answer that is cheap however many ask."""


IGNORES_TOKENS = {"/health/live", "/health/ready", "/metrics", "/docs"}
"""Pages without callers. Probes, scrapers and browsers may send credentials there that are meant for a proxy."""

IGNORES_TOKENS_BELOW = ("/docs/", "/schema/")


def ignores_tokens(path: str) -> bool:
    """Whether requests to the path are anonymous, whatever token they carry.

    Matches paths as they are documented. Any other spelling, such as doubled slashes, is checked like the API.
    """
    return path in IGNORES_TOKENS or path.startswith(IGNORES_TOKENS_BELOW)


class AccessLogEntry(Value):
    """A request in the access log; `at` in seconds since 1970, `ms` until the answer was sent."""

    at: float
    method: str
    path: str
    status: int
    ms: float
    player: str | None


class AccessLog:
    """Lines of JSON, written a tenth of a second later and many at once: a request does not wait for its line.

    They go to the standard output, which blocks nobody where `service.output` has seen to it.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._lines: list[bytes] = []

    def add(self, line: AccessLogEntry) -> None:
        if not self._lines:
            asyncio.get_running_loop().call_later(0.1, self.flush)
        self._lines.append(msgspec.json.encode(line))

    def flush(self) -> None:
        if self._lines:
            lines, self._lines = self._lines, []
            stream = self._stream or sys.stdout
            if stream is not None:  # a process may have none
                stream.write(b"\n".join(lines).decode() + "\n")
                stream.flush()


class EdgeMiddleware:
    """The application behind the door. `limits` and `access_log` may be None: then there are none."""

    def __init__(
        self, app: ASGIApp, tokens: Tokens, metrics: Metrics, limits: Gate | None, access_log: AccessLog | None
    ) -> None:
        self._app = app
        self._tokens = tokens
        self._metrics = metrics
        self._limits = limits
        self._log = access_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        begun = perf_counter()
        method, path = scope["method"], scope["path"]
        app, caller = self._app, read_caller(scope["headers"], self._tokens)  # type: ignore[arg-type]
        if isinstance(caller, Unauthenticated):
            if not ignores_tokens(path):
                app = problem_response(problems.Unauthenticated(detail=str(caller)), CHALLENGE)
            caller = None
        scope[CALLER] = caller  # type: ignore[literal-required]
        who = None if caller is None else caller.id
        status, seconds = GONE, None
        said = ALWAYS
        bodiless = method == "HEAD"
        if bodiless:
            scope = {**scope, "method": HttpMethod.GET}

        async def send_on(message: Message) -> None:
            nonlocal status, seconds
            if message["type"] == "http.response.start":
                status, seconds = message["status"], perf_counter() - begun
                message["headers"] = [*message["headers"], *said]
                await send(message)
                if bodiless:
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
            elif not bodiless:
                await send(message)

        try:
            if self._limits is None or path in UNLIMITED:
                await app(scope, receive, send_on)
            else:
                address = scope["client"]
                registers = method == "POST" and [part for part in path.split("/") if part] == REGISTER
                verdict, policy = await self._limits.ask(who, address[0] if address else "", registers=registers)
                said = ALWAYS + _budget(verdict, policy)
                if verdict.allowed:
                    await app(scope, receive, send_on)
                else:
                    wait = str(max(1, ceil(verdict.retry_after)))
                    await problem_response(TooManyRequests(), {"Retry-After": wait})(scope, receive, send_on)
        except Exception:
            if seconds is None:
                status = 500
            raise
        finally:
            whole = perf_counter() - begun
            self._metrics.answered(method, status, whole if seconds is None else seconds)
            if self._log is not None:
                self._log.add(AccessLogEntry(time(), method, path, status, round(whole * 1000, 3), who))


def _budget(verdict: Verdict, policy: Policy) -> tuple[tuple[bytes, bytes], ...]:
    """What every answer says of the limit: how much of it is left, and in how many seconds all of it is."""
    left = b'"%b";r=%d;t=%d' % (policy.name.encode(), verdict.remaining, ceil(verdict.reset_after))
    return (b"ratelimit-policy", policy.header), (b"ratelimit", left)
