"""Sends requests to addresses that were checked.

Each request resolves the host anew, checks every address that it has, and connects to one of those: a name that
resolves to something else a moment later changes nothing. The certificate is still that of the name. There are no
redirects, no cookies, and no connection is used twice: two names can have the same address.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TypeAlias

import httpx

from service.webhooks.addresses import EndpointRefused, Network, check_url, is_allowed

log = logging.getLogger(__name__)

Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the IP addresses of a host. Raises `OSError`."""

TIMEOUT = 15.0
"""Seconds for a whole attempt."""
MAX_ANSWER = 4096
"""Bytes of an answer that are read at most."""
READ_TIMEOUT = 1.0
"""Seconds for reading them: the status is known already."""
MAX_LOOKUPS = 32
"""Names that are looked up at the same time."""
MAX_ADDRESSES = 4
"""Addresses of a host that are tried."""


class Resolver:
    """The resolver of the system, in threads of its own: a name server that does not answer delays nothing else."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(MAX_LOOKUPS, thread_name_prefix="resolver")

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(
            self._threads, partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        )
        return list(dict.fromkeys(str(address[0]) for *_, address in found))


class GuardedTransport(httpx.AsyncBaseTransport):
    """Sends each request to an address that is allowed. Raises `EndpointRefused` if one of the host's is not."""

    def __init__(self, allowed: Sequence[Network] = (), resolve: Resolve | None = None) -> None:
        self._allowed = allowed
        self._resolve = resolve or Resolver()
        # Without connections that are kept alive, each request resolves and checks.
        self._transport = httpx.AsyncHTTPTransport(
            verify=httpx.create_ssl_context(), trust_env=False, limits=httpx.Limits(max_keepalive_connections=0)
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        check_url(str(url), self._allowed)
        try:
            addresses = await self._resolve(url.host, url.port or (443 if url.scheme == "https" else 80))
        except (OSError, UnicodeError) as error:
            raise httpx.ConnectError("the host cannot be resolved") from error
        if not addresses or not all(is_allowed(address, self._allowed) for address in addresses):
            raise EndpointRefused("The host has an address that is not public.")
        extensions = {**request.extensions, "sni_hostname": url.host}
        *others, last = addresses[:MAX_ADDRESSES]
        for address in others:
            with suppress(httpx.ConnectError, httpx.ConnectTimeout):
                return await self._send(request, address, extensions)
        return await self._send(request, last, extensions)

    async def _send(self, request: httpx.Request, address: str, extensions: dict[str, object]) -> httpx.Response:
        to = httpx.Request(
            request.method, request.url.copy_with(host=address), headers=request.headers, stream=request.stream,
            extensions=extensions,
        )  # fmt: skip
        return await self._transport.handle_async_request(to)

    async def aclose(self) -> None:
        await self._transport.aclose()


def client(allowed: Sequence[Network] = (), proxy: str = "", resolve: Resolve | None = None) -> httpx.AsyncClient:
    """A client for webhooks. With a `proxy`, the proxy resolves the hosts and checks the addresses."""
    transport: httpx.AsyncBaseTransport = (
        httpx.AsyncHTTPTransport(proxy=proxy, trust_env=False) if proxy else GuardedTransport(allowed, resolve)
    )
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return httpx.AsyncClient(
        transport=transport, trust_env=False, follow_redirects=False, timeout=TIMEOUT, cookies=no_cookies
    )


class Answer:
    """What an attempt received. `status` None: no answer. `retry_after`: the header `Retry-After`."""

    __slots__ = ("retry_after", "status")

    def __init__(self, status: int | None, retry_after: str | None = None) -> None:
        self.status = status
        self.retry_after = retry_after

    @property
    def succeeded(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


async def send(http: httpx.AsyncClient, url: str, body: bytes, headers: dict[str, str]) -> Answer:
    """Make one attempt. It never raises: whatever goes wrong is an attempt without an answer."""
    try:
        async with asyncio.timeout(TIMEOUT), http.stream("POST", url, content=body, headers=headers) as response:
            with suppress(TimeoutError, httpx.HTTPError):
                async with asyncio.timeout(READ_TIMEOUT):
                    await _drop(response)
            return Answer(response.status_code, response.headers.get("retry-after"))
    except (httpx.HTTPError, httpx.InvalidURL, EndpointRefused, OSError):  # the last one also of TLS and time-outs
        return Answer(None)
    except Exception as error:
        log.warning("an attempt to deliver failed in an unexpected way", exc_info=error)
        return Answer(None)


async def _drop(response: httpx.Response) -> None:
    """Read the beginning of an answer, so that its sender sees no reset connection."""
    read = 0
    async for chunk in response.aiter_raw():
        read += len(chunk)
        if read >= MAX_ANSWER:
            return
