"""The edge middleware, which handles every request before the application, unknown paths included.

It authenticates the caller, applies the rate limits, answers HEAD like GET without the body, adds the CORS headers (to
problems and rate-limited responses too, so that pages can read them), updates the metrics and writes the access log.

It refuses an invalid token before any route is resolved, so the response cannot depend on what exists.
"""

import re
from collections.abc import Awaitable
from math import ceil
from time import perf_counter, time
from typing import Any

from litestar.enums import HttpMethod, ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.identity.players import Players
from service.identity.tokens import FORGOTTEN, SIGNED_OUT, Banned, Bearer, Tokens, Unauthenticated
from service.paying import PAYING
from service.process.metrics import Metrics
from service.server import problems
from service.server.access_log import MAX_PATH, AccessLog, AccessLogEntry, Level, shortened
from service.server.auth import CALLER, GENERATION, read_bearer
from service.server.cors import Cors
from service.server.cycle import RESPOND
from service.server.problems import CHALLENGE, FieldError, Malformed, problem_response
from service.server.rate_limit import RateLimitResult, RateLimits, refusal
from service.server.request import HEADERS

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

LONG_URL = 2048
"""Characters of a URL that cost as much as a request: unknown paths of 8 KiB take 0.3 to 0.6 ms."""

API = re.compile("/*v1(/|$)")
"""The paths of the API. At all others browsers, probes and scrapers may send credentials that are meant for a proxy."""


def is_anonymous(path: str) -> bool:
    """Whether requests to the path are anonymous, whatever token they carry."""
    return not path.startswith("/v1/") and API.match(path) is None


class Exchange:
    __slots__ = ("app", "caller", "extra_headers", "generation", "limits", "method", "path", "scope", "seconds",
        "started", "status", "unshown")  # fmt: skip

    def __init__(self, scope: Any, app: ASGIApp, limits: RateLimits | None) -> None:
        self.started = perf_counter()
        self.scope = scope
        self.limits = limits
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.app = app
        """What serves the request: the application, or the reason why it is refused."""
        self.extra_headers = [*DEFAULT_HEADERS]
        """The headers of the response besides those of the application."""
        self.caller: str | None = None
        """The id of the calling player; None without a token."""
        self.generation = 0
        """The generation of the caller's token."""
        self.unshown: Bearer | None = None
        """The caller if their token shows a name that has to be recorded first."""
        self.status = CLIENT_DISCONNECTED
        self.seconds: float | None = None
        """Until the response began; None if it has not."""

    def begin_response(self, status: int) -> None:
        self.status, self.seconds = status, perf_counter() - self.started

    @property
    def address(self) -> str:
        client = self.scope["client"]
        return client[0] if client else ""

    async def charge(self, cost: int, *, opens: bool = False) -> RateLimitResult | None:
        """As `Payer.charge`."""
        if self.limits is None:
            return None
        counted = self.limits.hit(self.caller, self.address, opens=opens, cost=cost)
        result = counted if isinstance(counted, RateLimitResult) else await counted
        self.note(result)
        return result

    def note(self, result: RateLimitResult) -> None:
        """Set the headers of the response that state the limit."""
        if self.extra_headers[-1][0] == b"ratelimit":
            del self.extra_headers[-2:]
        self.extra_headers += _rate_limit_headers(result)


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
        exchange = self._exchange(scope)
        extensions: Any = scope.get("extensions")
        respond = None if extensions is None else extensions.get(RESPOND)
        if exchange.method == "HEAD":
            exchange.scope, send = {**scope, "method": HttpMethod.GET}, _without_body(send)
            if respond is not None:
                del extensions[RESPOND]
        elif respond is not None:

            def respond_on(status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> bool:
                if not respond(status, headers + exchange.extra_headers, body):
                    return False
                exchange.begin_response(status)
                return True

            extensions[RESPOND] = respond_on

        def send_on(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                exchange.begin_response(message["status"])
                message["headers"] = [*message["headers"], *exchange.extra_headers]
            return send(message)

        try:
            if exchange.unshown is not None:
                await self._players.show(exchange.unshown)
            if self._limits is not None and exchange.path not in UNLIMITED_PATHS:
                counted = self._hit(self._limits, exchange)
                result = counted if isinstance(counted, RateLimitResult) else await counted
                exchange.note(result)
                if not result.allowed:
                    exchange.app = await refusal(result)
            await exchange.app(exchange.scope, receive, send_on)
        except Exception:
            if exchange.seconds is None:
                exchange.status = 500
            raise
        finally:
            self._observe(exchange)

    def _exchange(self, scope: Scope) -> Exchange:
        """The request with its caller, or with the reason why it is refused."""
        exchange = Exchange(scope, self._app, self._limits)
        PAYING.set(exchange)
        sent: Any = scope["headers"]
        headers: dict[bytes, bytes] | None = scope.get(HEADERS)  # type: ignore[assignment]
        if headers is None:
            headers = scope[HEADERS] = dict(sent)  # type: ignore[literal-required]
        authorization = headers.get(b"authorization")
        if len(headers) < len(sent) and sum(name == b"authorization" for name, _ in sent) > 1:
            if not is_anonymous(exchange.path):  # a proxy could have added its header to that of the client
                error = FieldError("Authorization", "must be sent once only")
                exchange.app = problem_response(Malformed(detail=f"{error.path}: {error.message}", errors=(error,)), {})
        elif authorization is not None:
            self._authenticate(exchange, authorization)
        scope[CALLER], scope[GENERATION] = exchange.caller, exchange.generation  # type: ignore[literal-required]
        if self._cors is not None:
            exchange.extra_headers += self._cors.headers(scope, headers.get(b"origin"))
            if exchange.method == "OPTIONS" and exchange.app is self._app:
                exchange.app = self._cors.preflight(scope, headers) or self._app
        return exchange

    def _authenticate(self, exchange: Exchange, authorization: bytes) -> None:
        found: Bearer | Unauthenticated | Banned | None = read_bearer(authorization, self._tokens)
        if isinstance(found, Bearer):
            barred = self._players.is_barred(found.id, found.generation)
            refusal = self._refusal(found, exchange.method, exchange.path) if barred else None
            if not isinstance(refusal, Unauthenticated):
                exchange.caller, exchange.generation = found.id, found.generation
                if refusal is None and not found.shown and not is_anonymous(exchange.path):
                    exchange.unshown = found
            found = refusal
        if isinstance(found, Banned) and not is_anonymous(exchange.path):
            exchange.app = problem_response(problems.Banned(), {})
        elif found is not None and not is_anonymous(exchange.path):
            exchange.app = problem_response(problems.Unauthenticated(detail=str(found)), CHALLENGE)

    def _hit(self, limits: RateLimits, exchange: Exchange) -> RateLimitResult | Awaitable[RateLimitResult]:
        registers = exchange.method == "POST" and REGISTRATION_PATH.fullmatch(exchange.path) is not None
        cost = 1 + (len(exchange.path) + len(exchange.scope["query_string"])) // LONG_URL
        return limits.hit(exchange.caller, exchange.address, registers=registers, cost=cost)

    def _observe(self, exchange: Exchange) -> None:
        total = perf_counter() - exchange.started
        # The router and the fast path note the template in the scope.
        template = exchange.scope.get("path_template", "")
        seconds = total if exchange.seconds is None else exchange.seconds
        self._metrics.observe_request(template, exchange.method, exchange.status, seconds)
        if self._access_log is not None:
            level: Level = "error" if exchange.status >= 500 else "info"
            ms = round(total * 1000, 3)
            path = exchange.path if len(exchange.path) <= MAX_PATH else shortened(exchange.path)
            self._access_log.add(
                AccessLogEntry(time(), level, exchange.method, path, exchange.status, ms, exchange.caller)
            )

    def _refusal(self, bearer: Bearer, method: str, path: str) -> Unauthenticated | Banned | None:
        # Former players may repeat the request that has them forgotten, in case its response was lost.
        forgets = method == "DELETE" and FORGET_PATH.fullmatch(path) is not None
        if bearer.id in self._players.forgotten and not forgets:
            return Unauthenticated(FORGOTTEN)
        if self._players.is_signed_out(bearer.id, bearer.generation):
            return Unauthenticated(SIGNED_OUT)
        return None if forgets else Banned()


def _without_body(send: Send) -> Send:
    """Takes the messages of a response to GET, and sends them as the response to HEAD: without the body."""

    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return send_head


def _rate_limit_headers(result: RateLimitResult) -> tuple[tuple[bytes, bytes], ...]:
    """`RateLimit-Policy` and `RateLimit`: the remaining quota, and the seconds until it is restored in full."""
    policy = result.policy
    limit = b'"%b";r=%d;t=%d' % (policy.encoded_name, result.remaining, ceil(result.reset_after))
    return (b"ratelimit-policy", policy.header), (b"ratelimit", limit)
