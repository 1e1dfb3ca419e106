"""The live stream of a pairing."""

from collections.abc import AsyncGenerator
from hashlib import sha256

from domain.codec import encode
from service.extensions.pairings.desk import Desk
from service.extensions.pairings.resources import PairedTable, PairingChange, PairingResource
from service.server import streaming

INTERVAL = 1.0
"""Seconds between two looks. All streams of a pairing share one."""


async def changes(
    desk: Desk, id: str, viewer: str | None, generation: int, place: str, known: int | None
) -> AsyncGenerator[bytes, None]:
    """`known`: the id of the last event that the client has."""
    core = desk.core
    tables: dict[int, PairedTable] = {}
    silent = age = 0.0
    with core.subscriptions.subscribe(f"pairing {id}", viewer, place) as subscription:
        yield streaming.OPENING
        while not core.players.is_barred(viewer, generation):
            found = await desk.pairings.find(id)
            seen = await desk.views.shown(found, viewer, age=age)
            number = number_of(seen)
            if number != known:
                changed = tuple([each for each in seen.tables if tables.get(each.number) != each])
                core.subscriptions.delivered += 1
                silent = 0.0
                yield streaming.message(number, "change", encode(PairingChange(seen.state, seen.deal, changed)))
            age = INTERVAL
            known, tables = number, {each.number: each for each in seen.tables}
            if found.settled:
                return
            await subscription.wait(INTERVAL)
            silent += INTERVAL
            if silent >= streaming.KEEP_ALIVE:
                silent = 0.0
                yield streaming.COMMENT


def number_of(seen: PairingResource) -> int:
    """A number of what the stream has told, as the id of its events: the same in every process."""
    return int.from_bytes(sha256(encode((seen.state, seen.deal, seen.tables))).digest()[:6], "big")
