"""An endpoint of webhooks: an HTTP server that keeps what it received, and verifies it with the official library."""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from standardwebhooks.webhooks import Webhook

from service import settings
from service.cli.database import open_mutable, open_store
from service.databases import prepare_others
from service.databases import projections as open_engine
from service.extensions.webhooks import addresses, sender, transport
from service.extensions.webhooks.deliverer import Deliverer
from service.extensions.webhooks.sender import Sender
from service.extensions.webhooks.settings import WebhookSettings
from service.identity.tokens import Tokens
from service.settings import Settings
from tests.campaigns.chaos import clock
from tests.support.forked import Forked

Json = dict[str, Any]

NETWORKS = "127.0.0.0/8, ::1/128"
"""The value of `webhook_networks` with which webhooks can lead to receivers."""


class Received:
    """A request: `headers` by lower-case name, and the body."""

    def __init__(self, headers: dict[str, str], body: bytes) -> None:
        self.headers, self.body = headers, body
        self.json: Json = msgspec.json.decode(body)

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def type(self) -> str:
        return str(self.json["type"])

    def verify(self, secret: str) -> None:
        """Raises `WebhookVerificationError` unless this secret has signed it."""
        Webhook(secret).verify(self.body, self.headers)


class Receiver:
    """`answer` maps a request to a status, to a whole response, or to None for no answer at all."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.answer: Callable[[Received], int | bytes | None] = lambda _: 204
        self.url = ""
        self._changed = asyncio.Condition()

    def events(self, *types: str) -> list[Received]:
        """What arrived of these types; by default all but pings. Repetitions are left out."""
        found = {each.id: each for each in self.received if (each.type in types if types else each.type[:4] == "game")}
        return [*found.values()]

    @property
    def counts(self) -> Counter[str]:
        return Counter(each.type for each in self.events())

    async def until(self, true: Callable[[], bool], seconds: float = 60) -> None:
        """Wait until that is true, as seen after a request."""
        async with asyncio.timeout(seconds), self._changed:
            await self._changed.wait_for(true)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[1:-2]
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head)}
            request = Received(headers, await reader.readexactly(int(headers["content-length"])))
            answer = self.answer(request)
            async with self._changed:
                self.received.append(request)
                self._changed.notify_all()
            if answer is None:
                await reader.read()  # until the client gives up
            elif isinstance(answer, bytes):
                writer.write(answer)
            else:
                writer.write(b"HTTP/1.1 %d Answer\r\ncontent-length: 0\r\n\r\n" % answer)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def receiving(receiver: Receiver | None = None, **how: Any) -> AsyncIterator[Receiver]:
    """A receiver on a free port. `how`: arguments of `asyncio.start_server`."""
    receiver = receiver or Receiver()
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0, **how)
    receiver.url = f"http://localhost:{server.sockets[0].getsockname()[1]}/hook"
    try:
        yield receiver
    finally:
        server.close()


class Deliverers:
    """`stammtisch deliver`, one process after another, each with a clock that is further ahead: claims of a killed
    process end with its lease."""

    def __init__(self, folder: Path, **given: Any) -> None:
        self._clock, self._log = folder / "deliver.clock", folder / "deliver.log"
        clock.make(self._clock)
        self._log.touch()
        self._given = given
        self._ahead = 0.0
        self.killed = 0
        self._process = self._start()

    def _start(self) -> Forked:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(settings.PREFIX)}
        environment |= settings.variables(self._given)
        return Forked(["deliver"], environment, self._log, self._log, clock=self._clock)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(60)
        self.killed += 1
        self._ahead += sender.CLAIM / 1e6
        clock.set_wrong(self._clock, self._ahead)
        self._process = self._start()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(60) == 0, self._log.read_text()
        assert "Traceback" not in self._log.read_text()

    @property
    def written(self) -> str:
        """What all of them have logged."""
        return self._log.read_text()

    def abandon(self) -> None:
        self._process.kill()


@asynccontextmanager
async def delivering(
    settings: Settings, sender: Callable[..., Sender] = Sender, **how: Any
) -> AsyncIterator[Deliverer]:
    """A deliverer that runs. `how`: further arguments of the client."""
    engine = open_engine(settings)
    async with AsyncExitStack() as stack:
        stack.callback(engine.dispose)
        store = await stack.enter_async_context(open_store(settings))
        mutable = await stack.enter_async_context(open_mutable(settings))
        own = settings.of(WebhookSettings)
        allowed = addresses.networks(own.webhook_networks)
        http = await stack.enter_async_context(transport.client(allowed, own.webhook_proxy, **how))
        prepare_others(settings, engine)
        deliverer = Deliverer(store, engine, mutable, http, Tokens(settings).secrets, settings.public_url, sender)
        await deliverer.start()
        try:
            yield deliverer
        finally:
            await deliverer.stop()
