"""The edge middleware, which handles every request before the application, unknown paths included.

It authenticates the caller, applies the rate limits, answers HEAD like GET without the body, adds the CORS headers (to
problems and rate-limited responses too, so that pages can read them), updates the metrics and writes the access log.

It refuses an invalid token before any route is resolved, so the response cannot depend on what exists.
"""

import re
from collections.abc import Awaitable
from math import ceil
from time import perf_counter, time

from litestar.enums import HttpMethod, ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.http import problems
from service.http.access_log import AccessLog, AccessLogEntry, Level
from service.http.auth import CALLER, GENERATION, read_bearer
from service.http.cors import Cors
from service.http.problems import CHALLENGE, FieldError, Malformed, TooManyRequests, problem_response
from service.http.rate_limit import RateLimitResult, RateLimits
from service.http.request import HEADERS
from service.identity.players import Players
from service.identity.tokens import FORGOTTEN, SIGNED_OUT, Banned, Bearer, Tokens, Unauthenticated
from service.metrics import Metrics

REGISTRATION_PATH = re.compile("/*v1/+players/*")
"""The path that registers guests. The router treats repeated slashes as one."""

FORGET_PATH = re.compile("/*v1/+players/+me/*")
"""The path at which players have themselves forgotten."""

CLIENT_DISCONNECTED = 499
"""The status in metrics and access log of a request whose client disconnected before the response."""

DEFAULT_HEADERS: tuple[tuple[bytes, bytes], ...] = ((b"x-content-type-options", b"nosniff"),)
"""The headers of every response. Disables MIME sniffing."""

UNLIMITED_PATHS = {"/health/live", "/health/ready"}
"""Paths without rate limit: the probes of supervisors and load balancers, whose responses are cheap."""

ANONYMOUS_PATHS = {
    "/health/live",
    "/health/ready",
    "/metrics",
    "/docs",
    "/",
    "/table",
    "/record",
    "/player",
    "/standings",
    "/embed",
    "/embed.js",
    "/sw.js",
}
"""Paths without authentication. Probes, scrapers and browsers may send credentials there that are meant for a proxy."""

ANONYMOUS_PREFIXES = ("/docs/", "/schema/", "/web/")


def is_anonymous(path: str) -> bool:
    """Whether requests to the path are anonymous, whatever token they carry.

    Matches paths as they are documented. Any other spelling, such as doubled slashes, is checked like the API.
    """
    return path in ANONYMOUS_PATHS or path.startswith(ANONYMOUS_PREFIXES)


def _forgets(method: str, path: str) -> bool:
    """Whether the request has its caller forgotten. Former players may repeat it, in case its response was lost."""
    return method == "DELETE" and FORGET_PATH.fullmatch(path) is not None


def _several_tokens() -> Malformed:
    error = FieldError("Authorization", "must be sent once only")
    return Malformed(detail=f"{error.path}: {error.message}", errors=(error,))


class EdgeMiddleware:
    """ASGI middleware. `limits` None: no rate limits. `cors` None: no pages of other origins. `access_log` None: no
    access log."""

    def __init__(
        self, app: ASGIApp, tokens: Tokens, players: Players, metrics: Metrics, limits: RateLimits | None,
        cors: Cors | None, access_log: AccessLog | None,
    ) -> None:  # fmt: skip
        self._app = app
        self._cors = cors
        self._tokens = tokens
        self._players = players
        self._metrics = metrics
        self._limits = limits
        self._access_log = access_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        started = perf_counter()
        method, path = scope["method"], scope["path"]
        app, player, generation = self._app, None, 0
        sent = [*scope["headers"]]
        headers = scope[HEADERS] = dict(sent)  # type: ignore[literal-required]
        bearer: Bearer | Unauthenticated | None = None
        if len(headers) < len(sent) and sum(name == b"authorization" for name, _ in sent) > 1:
            if not is_anonymous(path):  # a proxy could have added its header to that of the client
                app = problem_response(_several_tokens(), {})
        else:
            bearer = read_bearer(headers.get(b"authorization"), self._tokens)
        if isinstance(bearer, Bearer) and self._players.is_barred(bearer.id, bearer.generation):
            if isinstance(refusal := self._refusal(bearer, method, path), Unauthenticated):
                bearer = refusal
            elif refusal is not None and not is_anonymous(path):
                app = problem_response(problems.Banned(), {})
        if isinstance(bearer, Bearer):
            player, generation = bearer.id, bearer.generation
            if not bearer.shown and app is self._app and not is_anonymous(path):
                await self._players.show(bearer)
        elif bearer is not None and not is_anonymous(path):
            app = problem_response(problems.Unauthenticated(detail=str(bearer)), CHALLENGE)
        scope[CALLER] = player  # type: ignore[literal-required]
        scope[GENERATION] = generation  # type: ignore[literal-required]
        status, seconds = CLIENT_DISCONNECTED, None
        extra_headers = DEFAULT_HEADERS
        if self._cors is not None:
            extra_headers += self._cors.headers(scope, headers.get(b"origin"))
        if method == "HEAD":
            scope, send = {**scope, "method": HttpMethod.GET}, _without_body(send)

        def send_on(message: Message) -> Awaitable[None]:
            nonlocal status, seconds
            if message["type"] == "http.response.start":
                status, seconds = message["status"], perf_counter() - started
                message["headers"] = [*message["headers"], *extra_headers]
            return send(message)

        try:
            if self._limits is None or path in UNLIMITED_PATHS:
                await app(scope, receive, send_on)
            else:
                client = scope["client"]
                registers = method == "POST" and REGISTRATION_PATH.fullmatch(path) is not None
                counted = self._limits.hit(player, client[0] if client else "", registers=registers)
                result = counted if isinstance(counted, RateLimitResult) else await counted
                extra_headers += _rate_limit_headers(result)
                if result.allowed:
                    await app(scope, receive, send_on)
                else:
                    retry_after = str(max(1, ceil(result.retry_after)))
                    await problem_response(TooManyRequests(), {"Retry-After": retry_after})(scope, receive, send_on)
        except Exception:
            if seconds is None:
                status = 500
            raise
        finally:
            total = perf_counter() - started
            # The router and the fast path note the template in the scope.
            template = scope.get("path_template", "")
            self._metrics.observe_request(template, method, status, total if seconds is None else seconds)
            if self._access_log is not None:
                level: Level = "error" if status >= 500 else "info"
                ms = round(total * 1000, 3)
                self._access_log.add(AccessLogEntry(time(), level, method, path, status, ms, player))

    def _refusal(self, bearer: Bearer, method: str, path: str) -> Unauthenticated | Banned | None:
        """Why a player who is barred may not make the request."""
        forgets = _forgets(method, path)
        if bearer.id in self._players.forgotten and not forgets:
            return Unauthenticated(FORGOTTEN)
        if self._players.is_signed_out(bearer.id, bearer.generation):
            return Unauthenticated(SIGNED_OUT)
        return None if forgets else Banned()


def _without_body(send: Send) -> Send:
    """Takes the messages of a response to GET, and sends them as the response to HEAD: without the body."""

    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.start":
            message.pop("body", None)  # type: ignore[typeddict-item]  # see `WHOLE_RESPONSE`
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return send_head


def _rate_limit_headers(result: RateLimitResult) -> tuple[tuple[bytes, bytes], ...]:
    """`RateLimit-Policy` and `RateLimit`: the remaining quota, and the seconds until it is restored in full."""
    policy = result.policy
    limit = b'"%b";r=%d;t=%d' % (policy.encoded_name, result.remaining, ceil(result.reset_after))
    return (b"ratelimit-policy", policy.header), (b"ratelimit", limit)
