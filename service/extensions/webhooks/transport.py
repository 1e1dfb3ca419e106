"""Sends requests to addresses that were checked.

Each request resolves the host anew, checks every address that it has, and connects to one of those: a name that
resolves to something else a moment later changes nothing. The certificate is still that of the name. There are no
redirects, no cookies, and no connection is used twice: two names can have the same address.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ssl import SSLContext
from typing import Any, NamedTuple, TypeAlias

import httpcore
import httpx

from service.extensions.webhooks.addresses import EndpointRefused, Network, check_url, is_allowed
from service.extensions.webhooks.pacing import Pace, Postponed
from service.extensions.webhooks.shares import MAX_OPEN

log = logging.getLogger(__name__)

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the IP addresses of a host. Raises `OSError`."""

TIMEOUT = 15.0
"""Seconds for a whole attempt."""
MAX_ANSWER = 4096
"""Bytes of an answer's body that are read at most."""
MAX_RECEIVED = 16 * 1024
"""Bytes that are received at most on a connection, with headers and interim answers (`100 Continue`)."""
READ_TIMEOUT = 1.0
"""Seconds for reading them: the status is known already."""
MAX_LOOKUPS = MAX_OPEN
"""Names that are looked up at the same time: one for each attempt, so none waits for the name servers of another."""
MAX_ADDRESSES = 4
"""Addresses of a host that are tried."""


class Resolver:
    """The resolver of the system, in threads of its own: a name server that does not answer delays nothing else."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(MAX_LOOKUPS, thread_name_prefix="resolver")

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        lookup = self._threads.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        LOOKUPS.get().append(lookup)
        found = await asyncio.wrap_future(lookup)
        return list(dict.fromkeys(str(address[0]) for *_, address in found))


LOOKUPS: ContextVar[list[Future[Any]]] = ContextVar("lookups")
"""The lookups of an attempt. A thread that waits for a name server cannot be stopped, so they can outlast it."""


class MeteredStream(httpcore.AsyncNetworkStream):
    """A connection on which `MAX_RECEIVED` bytes can be received."""

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._stream = stream
        self._left = MAX_RECEIVED

    # httpcore gives the time-outs as parameters.
    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        if not self._left:
            raise httpcore.ReadError("the answer is too long")
        received = await self._stream.read(min(max_bytes, self._left), timeout)
        self._left -= len(received)
        return received

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        return MeteredStream(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class MeteredBackend(httpcore.AnyIOBackend):
    """Opens metered connections."""

    async def connect_tcp(self, *args: Any, **how: Any) -> httpcore.AsyncNetworkStream:
        return MeteredStream(await super().connect_tcp(*args, **how))


def metered(proxy: str | None = None) -> httpx.AsyncHTTPTransport:
    """A transport with metered connections, none of which is used twice."""
    # Without connections that are kept alive, each request resolves and checks.
    limits = httpx.Limits(max_keepalive_connections=0)
    transport = httpx.AsyncHTTPTransport(
        verify=httpx.create_ssl_context(), trust_env=False, limits=limits, proxy=proxy
    )  # fmt: skip
    transport._pool._network_backend = MeteredBackend()  # httpx has no parameter for it
    return transport


class GuardedTransport(httpx.AsyncBaseTransport):
    """Sends each request to an address that is allowed. Raises `EndpointRefused` if one of the host's is not, and
    `Postponed` if none of them may be connected to now."""

    def __init__(
        self, allowed: Sequence[Network] = (), resolve: Resolve | None = None, pace: Pace | None = None
    ) -> None:
        self._allowed = allowed
        self._resolve = resolve or Resolver()
        self._pace = pace or Pace()
        self._transport = metered()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        check_url(str(url), self._allowed)
        try:
            addresses = await self._resolve(url.host, url.port or (443 if url.scheme == "https" else 80))
        except (OSError, UnicodeError) as error:
            raise httpx.ConnectError("the host cannot be resolved") from error
        if not addresses or not all(is_allowed(address, self._allowed) for address in addresses):
            raise EndpointRefused("The host has an address that is not public.")
        failed, postponed = list[Exception](), list[Postponed]()
        for address in addresses[:MAX_ADDRESSES]:
            try:
                return await self._send(request, address)
            except Postponed as error:
                postponed.append(error)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failed.append(error)
        raise failed[-1] if failed else min(postponed, key=lambda each: each.seconds)

    async def _send(self, request: httpx.Request, address: str) -> httpx.Response:
        host, ping = request.url.host, bool(request.extensions.get(PINGS))
        self._pace.begin(host, address, request.headers.get("webhook-id", ""), ping=ping)
        succeeded = False
        to = httpx.Request(
            request.method, request.url.copy_with(host=address), headers=request.headers, stream=request.stream,
            extensions={**request.extensions, "sni_hostname": host},
        )  # fmt: skip
        try:
            response = await self._transport.handle_async_request(to)
            succeeded = response.is_success
            return response
        finally:
            self._pace.end(host, address, ping=ping, succeeded=succeeded)

    async def aclose(self) -> None:
        await self._transport.aclose()


class ProxiedTransport(httpx.AsyncBaseTransport):
    """Sends each request to a proxy, which resolves the hosts and checks the addresses. So here names count."""

    def __init__(self, proxy: str, pace: Pace | None = None) -> None:
        self._pace = pace or Pace()
        self._transport = metered(proxy)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        host, ping = request.url.host, bool(request.extensions.get(PINGS))
        self._pace.begin(host, host, request.headers.get("webhook-id", ""), ping=ping)
        return await self._transport.handle_async_request(request)

    async def aclose(self) -> None:
        await self._transport.aclose()


PINGS = "stammtisch.ping"
"""The extension of a request that says whether it is a ping."""


def client(allowed: Sequence[Network] = (), proxy: str = "", resolve: Resolve | None = None) -> httpx.AsyncClient:
    """A client for webhooks. With a `proxy`, the proxy resolves the hosts and checks the addresses."""
    transport = ProxiedTransport(proxy) if proxy else GuardedTransport(allowed, resolve)
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return httpx.AsyncClient(
        transport=transport, trust_env=False, follow_redirects=False, timeout=TIMEOUT, cookies=no_cookies
    )


class Answer(NamedTuple):
    """What an attempt received. `status` None: no answer. `retry_after`: the header `Retry-After`. `postponed`: seconds
    until the attempt can be made; it was not."""

    status: int | None
    retry_after: str | None = None
    postponed: float | None = None

    @property
    def succeeded(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


async def send(
    http: httpx.AsyncClient, url: str, body: bytes, headers: dict[str, str], *, ping: bool = False
) -> Answer:
    """Make one attempt. It never raises: whatever goes wrong is an attempt without an answer."""
    LOOKUPS.set([])
    sending = http.stream("POST", url, content=body, headers=headers, extensions={PINGS: ping})
    try:
        async with asyncio.timeout(TIMEOUT), sending as response:
            with suppress(TimeoutError, httpx.HTTPError):
                async with asyncio.timeout(READ_TIMEOUT):
                    await _drop(response)
            return Answer(response.status_code, response.headers.get("retry-after"))
    except Postponed as error:
        return Answer(None, postponed=error.seconds)
    except (httpx.HTTPError, httpx.InvalidURL, EndpointRefused, OSError):  # the last one also of TLS and time-outs
        return Answer(None)
    except Exception as error:
        log.warning("an attempt to deliver failed in an unexpected way", exc_info=error)
        return Answer(None)


async def lookups_ended() -> None:
    """Return when no thread works for the last attempt of this task any more."""
    running = [asyncio.wrap_future(each) for each in LOOKUPS.get([]) if not each.done()]
    if running:
        await asyncio.wait(running)


async def _drop(response: httpx.Response) -> None:
    """Read the beginning of an answer, so that its sender sees no reset connection."""
    read = 0
    async for chunk in response.aiter_raw():
        read += len(chunk)
        if read >= MAX_ANSWER:
            return
