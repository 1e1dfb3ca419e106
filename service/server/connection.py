"""The connections of clients to our server, with limits on size, time and number.

uvicorn waits without limit for the end of a request and for clients that do not read, and buffers without limit
meanwhile. Here the head of a request is limited in size, a request has to arrive in time, clients have to read their
responses, and a process serves a limited number of connections.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable, MutableMapping, Sequence, Set
from functools import partial
from http import HTTPStatus
from typing import Any, TypeAlias
from urllib.parse import unquote

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from domain.codec import encode
from service.live.network import network
from service.live.shares import NoPlace, Shares
from service.server import framing
from service.server.cycle import RESPOND, WHOLE_BODY, ResponseCycle
from service.server.problems import (
    MEDIA_TYPE,
    HeadTooLarge,
    Malformed,
    Problem,
    TooManyRequests,
    Unavailable,
    UrlTooLong,
)
from service.server.request import HEADERS
from service.server.streaming import CONNECTION

MAX_URL = 8 * 1024
MAX_HEADERS = 100
MAX_HEAD = 32 * 1024
"""Bytes of the URL and all headers together."""

MAX_REQUEST = 2304 * 1024
"""Bytes that are read of a request which was answered before its end. Closing earlier could lose the response."""

MAX_DROPPED = 4 * 1024 * 1024
"""Bytes of such requests that are read in a second from a network, which is that of the proxy if there is one."""

MANY_BYTES = 8 * 1024
"""Bytes of an incomplete request beyond which it takes one of the places for bodies."""

MAX_BODIES = 512
"""These places. Each takes 64 KiB of memory until the request is complete, or its handler reads on."""

MAX_WRITE_BUFFER = 256 * 1024
"""Bytes that may be unsent to a client which reads slowly. Streams stop far below."""

CHECKED_AT_ONCE = 100
"""Connections that are checked before other work gets its turn."""

MAX_PIPELINE = 16
"""Requests that may wait behind the one that is being served."""

MAX_REJECTIONS = 64
"""Connections beyond the limit that are answered with 503. Further ones are aborted at once."""


class CoalescingTransport(asyncio.Transport):
    """A transport that combines all writes of an iteration of the event loop into one.

    uvicorn writes the head of a response and then its body. Each write is a system call that wakes the client.
    """

    __slots__ = ("_call_soon", "_chunks", "_written", "transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self._written = 0
        self._chunks: list[bytes] = []
        self._call_soon = asyncio.get_running_loop().call_soon

    def write(self, data: Any) -> None:
        if not self._chunks:
            self._call_soon(self.flush)
        self._chunks.append(data)

    def write_now(self, data: bytes) -> None:
        """Write what nothing is to be combined with."""
        if self._chunks:
            self._chunks.append(data)
        elif not self.transport.is_closing():
            self._written += len(data)
            self.transport.write(data)

    def flush(self) -> None:
        if self._chunks:
            chunks, self._chunks = self._chunks, []
            if not self.transport.is_closing():  # the client may have disconnected since
                data = b"".join(chunks)
                self._written += len(data)
                self.transport.write(data)

    def progress(self) -> tuple[int, int]:
        """The bytes in the write buffer, and the bytes sent so far."""
        buffered = self.transport.get_write_buffer_size()
        return buffered, self._written - buffered

    def is_closing(self) -> bool:
        return self.transport.is_closing()

    def close(self) -> None:
        self.flush()
        self.transport.close()


class StalledWrites:
    """Notices when a client stops reading.

    `limit`: the bytes in the write buffer above which a client counts as stalled even if it reads slowly.
    """

    __slots__ = ("_limit", "_sent", "_since")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._sent = 0
        self._since: float | None = None

    def seconds(self, now: float, buffered: int, sent: int) -> float:
        """For how long the client has not read, by the bytes in the write buffer and the bytes sent so far."""
        is_reading, self._sent = sent > self._sent, sent
        if buffered == 0 or (is_reading and buffered <= self._limit):
            self._since = None
        elif self._since is None:
            self._since = now
        return 0.0 if self._since is None else now - self._since


IsProxy: TypeAlias = Callable[[str], bool]
"""Whether the peer with this address is a trusted proxy, which connects for many clients."""


class ConnectionReaper:
    """Checks all connections of the process once a second. This is cheaper than a timer for each request.

    `max_connections` is how many connections the process serves, `per_address` how many of one network (see `network`)
    unless it `is_proxy`, `client_timeout` how many seconds a client may take to send a request or to read a response.
    """

    def __init__(self, max_connections: int, client_timeout: float, per_address: int, is_proxy: IsProxy) -> None:
        self.max_connections = max_connections
        self.client_timeout = client_timeout
        self._per_address = per_address
        self._is_proxy = is_proxy
        self._shares = Shares[Any](max_connections)
        """All connections but those of proxies."""
        self._bodies = Shares[Any](MAX_BODIES)
        """Connections with an incomplete body of many bytes, but those of proxies, which send whole bodies."""
        self._dropped = Counter[str]()
        """Bytes that were received since the last check and that nobody reads, by network."""
        self.now = 0.0
        """The time of the event loop at the last check."""
        self._timer: asyncio.TimerHandle | None = None

    def opened(self, connection: Any, host: str, connections: set[Any]) -> tuple[int, Problem] | None:
        """Count a new connection of a peer, which is one of the `connections`. By how many it exceeds a limit, and the
        problem; None if it is served. If the process is full, one of the largest network is aborted for it."""
        excess, among = len(connections) - self.max_connections, connection.network
        try:
            evicted = self._shares.giving_way(among) if excess > 0 else None
        except NoPlace:
            return excess, Unavailable(detail="This process has reached its limit of connections.")
        if not self._is_proxy(host):
            self._shares.add(among, connection)
            if (beyond := self._shares.count(among) - self._per_address) > 0:
                detail = f"There are {self._per_address} connections open at your address; close one first."
                return beyond, TooManyRequests(detail=detail)
        if evicted is not None:
            self._shares.remove(evicted)
            evicted.abort()
        return None

    def upgraded(self, before: Any, after: "UpgradedConnection") -> None:
        """Another protocol has taken over a connection."""
        after.network = before.network
        if before in self._shares:
            self._shares.remove(before)
            self._shares.add(after.network, after)
            after.on_lost = partial(self._shares.remove, after)

    def receiving(self, connection: Any) -> None:
        """Give a place to the body that a connection is receiving, until `received`. If all are taken, a connection of
        the largest network is aborted for it: maybe this one."""
        if connection in self._bodies or connection not in self._shares:
            return
        try:
            evicted = self._bodies.take(connection.network, connection)
        except NoPlace:
            evicted = connection
        if evicted is not None:
            evicted.abort()

    def received(self, connection: Any) -> None:
        self._bodies.remove(connection)

    def dropped(self, network: str, size: int) -> bool:
        """Count bytes of a body that nobody reads, because the request was answered before its end. Whether those of
        the network are enough until the next check: receiving them costs more than refusing the request."""
        self._dropped[network] += size
        return self._dropped[network] > MAX_DROPPED

    def closed(self, connection: Any) -> None:
        """A connection that was not upgraded is closed."""
        self._shares.remove(connection)
        self._bodies.remove(connection)

    def start(self, connections: set[Any]) -> None:
        """Check these connections, until there are none left."""
        if self._timer is None:
            self._check(connections)

    def _check(self, connections: set[Any]) -> None:
        loop = asyncio.get_running_loop()
        self.now = loop.time()
        self._dropped.clear()
        checked, parts = list(connections), range(0, len(connections), CHECKED_AT_ONCE)
        for number, first in enumerate(parts):
            part = checked[first : first + CHECKED_AT_ONCE]
            if number == 0:
                self._check_part(part, connections)
            else:  # thousands take 20 ms, in which nobody would be served
                loop.call_later(number / len(parts), self._check_part, part, connections)
        self._timer = loop.call_later(1, self._check, connections) if connections else None

    @staticmethod
    def _check_part(part: Sequence[Any], connections: Set[Any]) -> None:
        now = asyncio.get_running_loop().time()
        for connection in part:
            if connection in connections:  # still
                connection.check(now)


class UpgradedConnection(asyncio.Protocol):
    """A protocol that takes over a connection. The server treats it as it treats `ClientConnection`."""

    network = ""
    """The network of the peer, as the limit of connections counts it."""
    on_lost: Callable[[], None] | None = None
    """Called once when the connection is lost."""

    def abort(self) -> None:
        """Close the connection at once."""
        raise NotImplementedError

    def check(self, now: float) -> None:
        """Called once a second, with the time of the event loop."""
        raise NotImplementedError

    def shutdown(self) -> None:
        """The server stops. It waits until the connection is closed."""
        raise NotImplementedError


NewProtocol: TypeAlias = Callable[[asyncio.Transport, set[Any], float], UpgradedConnection]
"""Makes the protocol that takes over a connection, from its transport, the connections of the process and the seconds
after which a client that does not read is disconnected."""


class RequestRejected(Exception):
    """Raised inside a callback of the parser to stop parsing."""


def without_chunks(app: Any, cycle: ResponseCycle) -> Callable[..., Awaitable[None]]:
    """The application for an HTTP/1.0 client, which cannot read chunks: a body without a length ends with the
    connection."""

    async def respond(scope: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        async def send_on(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                cycle.chunked_encoding = False
            else:
                cycle.expected_content_length = len(message.get("body", b""))
            await send(message)

        await app(scope, receive, send_on)

    return respond


class ClientConnection(HttpToolsProtocol):
    """uvicorn's protocol with limits. Passes itself to streams as their `ConnectionControl`."""

    def __init__(self, config: uvicorn.Config, *args: Any, **kwargs: Any) -> None:
        super().__init__(config, *args, **kwargs)
        self._reaper: ConnectionReaper = config.reaper  # type: ignore[attr-defined]
        self._hosts: frozenset[str] | None = config.hosts  # type: ignore[attr-defined]
        self._host: bytes | None = None
        """The `Host` of an earlier request, which was right: the check costs a fortieth of a read."""
        self._waiting_since: float | None = None
        """Since when a request, or the rest of one, is incomplete; None while no request is expected."""
        self._idle_since: float | None = None
        """Since when all requests are answered."""
        self._stalled = StalledWrites(MAX_WRITE_BUFFER)
        self._in_head = False
        self._received = 0
        """Bytes received since the request began, without those before it in the same chunk."""
        self._chunk_size = 0
        self.cycle: ResponseCycle = None  # type: ignore[assignment]
        self.pipeline: deque[tuple[ResponseCycle, Any]] = deque()  # type: ignore[assignment]
        self._active_cycle: ResponseCycle = None  # type: ignore[assignment]
        """The request that is being served, or was served last."""
        self._begun: ResponseCycle | None = None
        """The request whose head was in the chunk that is being received."""
        self._excess: Problem | None = None
        """Why the connection is not served, if a limit of connections is exceeded."""
        self.network = ""
        """The network of the peer, as the limit of connections counts it."""
        self._problem: Problem | None = None
        self._rejection: Problem | None = None
        """What is wrong with the latest request, which is answered after those before it. What follows is dropped."""
        self._upgrade_requested = False
        """Whether the last request asks for a web socket. What follows it is not HTTP."""
        self._after_upgrade = b""
        """What the client has sent after that request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.transport = self._writer = CoalescingTransport(transport)
        self.stopping = asyncio.Event()
        self.abort = transport.abort
        self._scope = {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,
            "root_path": "",
        }
        """What the scopes of all its requests have in common."""
        self._reaper.start(self.connections)
        self._waiting_since = self._reaper.now
        host = self.client[0] if self.client else ""
        self.network = network(host)
        if (exceeded := self._reaper.opened(self, host, self.connections)) is not None:
            excess, self._excess = exceeded
            if excess > MAX_REJECTIONS:
                self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.cycle = self._active_cycle  # uvicorn would notify the latest request, which may still be in the pipeline
        super().connection_lost(exc)
        self._reaper.closed(self)
        for cycle in (self._active_cycle, *(waiting for waiting, _ in self.pipeline)):
            if cycle is not None:
                cycle.scope["extensions"].clear()  # its functions refer back to the response
        # All of these refer back to this object. The reference cycle would keep it in memory until the next garbage
        # collection, which is too long with thousands of connections.
        self.cycle = self._active_cycle = None  # type: ignore[assignment]
        self.pipeline.clear()

    def _serve(self, cycle: ResponseCycle, app: Any) -> None:
        self._active_cycle = cycle
        if cycle.scope["http_version"] == "1.0":
            del cycle.scope["extensions"][RESPOND]
            app = without_chunks(app, cycle)
        cycle.task = self.loop.create_task(cycle.run(app, self.tasks))
        self.tasks.add(cycle.task)

    @property
    def write_paused(self) -> bool:
        return self.flow.write_paused

    # --- size ---

    def data_received(self, data: bytes) -> None:
        if self._excess is not None:
            self._reject(self._excess)
            return
        if self._rejection is not None:
            self._received += len(data)
            if self._received > MAX_REQUEST:
                self.abort()
            return
        if self._upgrade_requested:
            self._keep_for_upgrade(data)
            return
        self._idle_since = None
        if self._waiting_since is None:
            self._waiting_since = self._reaper.now
        self._chunk_size = len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:  # any upgrade but to a web socket is ignored
            if self._upgrade_requested:
                self._keep_for_upgrade(data[upgrade.args[0] :])
        except httptools.HttpParserError:
            self._reject_next(self._problem or Malformed(detail="The request is not valid HTTP/1.1."))
            return
        self._received += len(data)
        if self._received > MAX_HEAD and self._in_head:
            self._reject(HeadTooLarge())
        elif self._received > MAX_REQUEST and self._waiting_since is not None:
            self.abort()
        elif self._received > MANY_BYTES and self._waiting_since is not None and not self._in_head:
            self._reaper.receiving(self)
        if self._begun is not None:
            begun, self._begun = self._begun, None
            self._serve(begun, self.app)

    def on_message_begin(self) -> None:
        self.url = b""
        self.headers = []
        self._waiting_since = self._reaper.now
        self._idle_since = None  # the end of the request before can be in the same chunk
        self._in_head = True
        self._received = 0

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # and not in the trailers of a chunked body
            self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """As in uvicorn, which derives from each request what depends on the connection alone."""
        self._in_head = False
        parser, headers = self.parser, self.headers
        version, named, expects_continue = parser.get_http_version(), dict(headers), False
        if version not in ("1.1", "1.0"):
            self._problem = Malformed(detail="The request is not valid HTTP/1.1.")
        elif len(self.url) > MAX_URL:
            self._problem = UrlTooLong()
        elif len(headers) > MAX_HEADERS or (self._received + self._chunk_size > MAX_HEAD and self._head_is_too_large()):
            self._problem = HeadTooLarge()
        elif not framing.is_ordinary(named, len(headers)):
            self._problem = framing.problem(headers, version)
            expects_continue = framing.expects_continue(headers, version)
        if self._hosts is not None and (host := named.get(b"host", b"")) != self._host:
            if framing.is_for(host, self._hosts):
                self._host = host
            else:
                self._problem = Malformed(
                    detail="The Host header is not that of this service, which listens on a loopback address: use "
                    "`localhost`, or set STAMMTISCH_PUBLIC_URL."
                )
        if self._problem is not None or len(self.pipeline) >= MAX_PIPELINE:
            raise RequestRejected
        path, raw_path, query = self._target()
        scope: Any = {
            **self._scope,
            "http_version": version,
            "method": parser.get_method().decode("ascii"),
            "path": path,
            "raw_path": raw_path,
            "query_string": query,
            "headers": headers,
            HEADERS: named,
            "state": self.app_state.copy(),
        }
        keep_alive = version != "1.0" and parser.should_keep_alive()
        previous, self.cycle = self.cycle, ResponseCycle(self, scope, keep_alive, expects_continue)
        cycle = self.cycle
        scope["extensions"] = {CONNECTION: self, RESPOND: cycle.respond, WHOLE_BODY: cycle.whole_body}
        if previous is None or previous.response_complete:
            self._active_cycle = self._begun = self.cycle  # the body may be in the same chunk
        else:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))
        if b"upgrade" in named and parser.should_upgrade() and self._get_upgrade() == b"websocket":
            self._upgrade_requested = True
            self.cycle.keep_alive = False  # unless the upgrade succeeds

    def _target(self) -> tuple[str, bytes, bytes]:
        """The path of the request, as text and as it was sent, and the query."""
        url = self.url
        if url.startswith(b"/") and b"?" not in url and b"%" not in url and b"#" not in url:
            return url.decode("ascii"), url, b""
        parsed = httptools.parse_url(url)
        return unquote(parsed.path.decode("ascii")), parsed.path, parsed.query or b""

    def _head_is_too_large(self) -> bool:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > MAX_HEAD

    def on_body(self, body: bytes) -> None:
        if not self.cycle.response_complete:
            self.cycle.receive_body(body)
        elif self._reaper.dropped(self.network, len(body)):
            self.flow.pause_reading()  # until the next check

    def on_message_complete(self) -> None:
        self._waiting_since = None
        if self._received + self._chunk_size > MANY_BYTES:
            self._reaper.received(self)
        if not self.cycle.response_complete:
            self.cycle.end_body()
        else:
            self._idle_since = self._reaper.now

    def on_response_complete(self) -> None:
        """As in uvicorn, but without its timer, which it starts for each response and stops at the next request."""
        self.server_state.total_requests += 1
        self._active_cycle.scope["extensions"].clear()  # its functions refer back to the response
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self.loop.call_soon(self._serve, *self.pipeline.pop())
        elif self._rejection is not None:
            self._reject(self._rejection)
        else:
            self._idle_since = self._reaper.now

    def _reject_next(self, problem: Problem) -> None:
        """Respond with the problem to the request that is being received, after those before it."""
        begun, self._begun = self._begun, None
        latest = self.cycle
        if latest is None or not latest.more_body:
            pass  # the request has no head yet
        elif self.pipeline and self.pipeline[0][0] is latest:
            self.pipeline.popleft()
        elif latest is begun:
            latest.response_complete = True  # it is not served
        elif not (latest.response_started or latest.response_complete):
            latest.disconnected = latest.response_complete = True  # its handler waits for the body, and ends
            latest.message_event.set()
        if begun is not None and not begun.response_complete:
            self._serve(begun, self.app)
        self._waiting_since = self._reaper.now
        self._rejection = problem
        if self._active_cycle is None or self._active_cycle.response_complete:
            self._reject(problem)

    def _reject(self, problem: Problem) -> None:
        """Respond with the problem and close; only close if another response is being sent."""
        if self._active_cycle is None or self._active_cycle.response_complete:
            body = encode(problem)
            headers = {
                "content-type": MEDIA_TYPE,
                "content-length": str(len(body)),
                "cache-control": "no-store",
                "x-content-type-options": "nosniff",
                "connection": "close",
            }
            headers |= {name.decode(): value.decode() for name, value in self.server_state.default_headers}
            if isinstance(problem, Unavailable | TooManyRequests):
                headers["retry-after"] = "1"
            lines = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            self.transport.write("\r\n".join([*lines, "", ""]).encode() + body)
        self.transport.close()

    # --- upgrade ---

    def _keep_for_upgrade(self, data: bytes) -> None:
        self._after_upgrade += data
        if len(self._after_upgrade) > MAX_HEAD:
            self.abort()

    def begin_upgrade(self) -> None:
        """Prepare for a response with status 101, which has no body and leaves the connection open."""
        self._active_cycle.keep_alive, self._active_cycle.chunked_encoding = True, False

    def upgrade(self, new_protocol: NewProtocol) -> None:
        """Hand over the connection after that response."""
        self._writer.flush()
        transport = self._writer.transport
        if transport.is_closing():
            return
        self.connections.discard(self)
        protocol = new_protocol(transport, self.connections, self._reaper.client_timeout)
        self._reaper.upgraded(self, protocol)
        transport.set_protocol(protocol)
        transport.resume_reading()
        after_upgrade, self._after_upgrade = self._after_upgrade, b""
        self.cycle = self._active_cycle = self.parser = None  # type: ignore[assignment]
        if after_upgrade:
            protocol.data_received(after_upgrade)
        if self.stopping.is_set():
            protocol.shutdown()

    # --- time ---

    def check(self, now: float) -> None:
        """Close the connection if the client has exceeded a timeout."""
        timeout = 1 if self._excess is not None else self._reaper.client_timeout
        if self.flow.read_paused and self.cycle is not None and self.cycle.response_complete:
            self.flow.resume_reading()
        # `_waiting_since` and `_idle_since` are times of the last check, up to a second too early.
        if self._waiting_since is not None and now - self._waiting_since > timeout + 1:
            self.abort()
            return
        if self._idle_since is not None and now - self._idle_since > self.timeout_keep_alive + 1:
            self.timeout_keep_alive_handler()
            return
        if self._stalled.seconds(now, *self._writer.progress()) > timeout:
            self.abort()

    def shutdown(self) -> None:
        super().shutdown()
        self.stopping.set()
