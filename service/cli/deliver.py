"""The command `deliver`: sends events to webhooks, until SIGTERM or SIGINT.

It is the only process that connects to other machines on behalf of players, so it can run where it reaches nothing of
the operator's own. It works beside a service that runs, on the same database. Several may run.
"""

import asyncio
import logging
import signal
from argparse import Namespace
from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from service import logs, settings
from service.cli.database import open_mutable, open_store
from service.cli.exit_status import ExitStatus
from service.identity.tokens import Tokens
from service.settings import InvalidSettings, Settings
from service.store import databases
from service.store.errors import Unavailable
from service.webhooks import addresses
from service.webhooks.deliverer import Deliverer

log = logging.getLogger(__name__)


def run(arguments: Namespace) -> ExitStatus:
    given = settings.read(database=arguments.database)
    logs.configure()
    with suppress(KeyboardInterrupt):
        asyncio.run(deliver(given))
    return ExitStatus.OK


async def deliver(settings: Settings) -> None:
    """Deliver until SIGTERM or SIGINT; attempts in progress are finished. Raises `InvalidSettings`."""
    try:
        from service.webhooks import transport
    except ImportError:
        raise InvalidSettings('httpx is missing: install it with `pip install "stammtisch[webhooks]"`') from None
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    keys = Tokens(settings).secrets
    allowed = addresses.networks(settings.webhook_networks)
    engine = databases.projections(settings)
    try:
        async with (
            open_store(settings) as store,
            open_mutable(settings) as mutable,
            transport.client(allowed, settings.webhook_proxy) as http,
        ):
            await asyncio.to_thread(databases.prepare_outbox, settings, engine)
            deliverer = Deliverer(store, engine, mutable, http, keys, settings.public_url)
            await deliverer.start()
            log.info("Stammtisch delivers webhooks.")
            await stop.wait()
            await deliverer.stop()
    except (Unavailable, SQLAlchemyError) as error:
        raise InvalidSettings(f"STAMMTISCH_DATABASE: {settings.database_label} cannot be used: {error}") from None
    finally:
        engine.dispose()
