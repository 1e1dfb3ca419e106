"""The command `deliver`: sends events of games to webhooks, until SIGTERM or SIGINT.

It is the only process that connects to machines that players name, so it can run where it reaches nothing of the
operator's own. It works beside a service that runs, on the same database. Several may run. `serve --deliver` forks one.
"""

import asyncio
import logging
import signal
from argparse import Namespace
from functools import partial
from socket import socket
from typing import Any

from prometheus_client import CollectorRegistry, start_http_server
from sqlalchemy.exc import SQLAlchemyError

from service import databases, settings
from service.cli.database import open_mutable, open_store
from service.cli.exit_status import ExitStatus
from service.extension import traces
from service.extensions.webhooks import addresses
from service.extensions.webhooks.deliverer import Deliverer
from service.extensions.webhooks.metrics import DelivererMetrics
from service.extensions.webhooks.sender import Sender
from service.extensions.webhooks.settings import WebhookSettings
from service.identity.tokens import Tokens
from service.log.errors import Unavailable
from service.process import logs
from service.settings import InvalidSettings, Settings

log = logging.getLogger(__name__)


def run(arguments: Namespace) -> ExitStatus:
    given = settings.read(database=arguments.database)
    logs.configure()
    asyncio.run(deliver(given))
    return ExitStatus.OK


async def deliver(settings: Settings) -> None:
    """Deliver until SIGTERM or SIGINT; attempts in progress are finished. Raises `InvalidSettings`."""
    try:
        from service.extensions.webhooks import transport
    except ImportError:
        raise InvalidSettings(
            'httpx is missing: install it in a working copy with `pip install ".[webhooks]"`'
        ) from None
    stop = stopping()
    keys = Tokens(settings).secrets
    allowed = addresses.networks(settings.of(WebhookSettings).webhook_networks)
    tracing = traces(settings)
    engine = databases.projections(settings)
    try:
        async with (
            open_store(settings) as store,
            open_mutable(settings) as mutable,
            transport.client(allowed, settings.of(WebhookSettings).webhook_proxy) as http,
        ):
            await asyncio.to_thread(databases.prepare_others, settings, engine)
            sender: Any = Sender
            if tracing is not None:
                from service.extensions.webhooks.traced import TracedSender

                sender = partial(TracedSender, tracing.tracer)
            deliverer = Deliverer(store, engine, mutable, http, keys, settings.public_url, sender)
            await deliverer.start()
            if settings.of(WebhookSettings).deliver_port:
                serve_metrics(settings, DelivererMetrics(deliverer, engine))
            log.info("Stammtisch delivers webhooks.")
            await stop.wait()
            await deliverer.stop()
    except (Unavailable, SQLAlchemyError) as error:
        raise settings.unusable(error) from None
    finally:
        engine.dispose()
        if tracing is not None:
            tracing.stop()


def beside(settings: Settings, listening: socket) -> int:
    listening.close()  # connections that wait when the service stops are closed at once
    try:
        asyncio.run(deliver(settings))
    except InvalidSettings as error:
        log.error("webhooks are not delivered: %s", error)
        return ExitStatus.UNUSABLE
    return ExitStatus.OK


def stopping() -> asyncio.Event:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


def serve_metrics(settings: Settings, metrics: DelivererMetrics) -> None:
    """Serve the metrics from a thread. Raises `InvalidSettings`."""
    registry = CollectorRegistry()
    registry.register(metrics)
    try:
        start_http_server(settings.of(WebhookSettings).deliver_port, settings.host, registry)
    except OSError as error:
        raise InvalidSettings(f"STAMMTISCH_DELIVER_PORT: cannot listen on it: {error.strerror}") from None
