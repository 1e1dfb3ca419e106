"""The use cases of webhooks: create, list, change, ping, rotate, delete; list deliveries and send one again."""

import asyncio
from collections.abc import Callable, Sequence
from hmac import compare_digest
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from domain.codec import encode, is_storable
from domain.player import is_site
from service.clock import keyed_id, new_id, text_of, wall_clock
from service.extensions.webhooks import outbox, signing
from service.extensions.webhooks import rows as table
from service.extensions.webhooks.addresses import EndpointRefused, Network, check_url
from service.extensions.webhooks.outbox import PING, Delivery, WebhookEvent
from service.extensions.webhooks.rows import Hook
from service.extensions.webhooks.waiting import Waits
from service.log.errors import Unavailable
from service.tables.mutable import Mutable

T = TypeVar("T")

MAX_OF_PLAYER = 3
MAX_OF_SITE = 10
"""Webhooks of an owner."""


class NoSuchWebhook(Exception):
    """The owner has no such webhook, or the webhook no such delivery."""


class RequestDiffers(Exception):
    """The owner has used the idempotency key for a different request."""


class Webhooks:
    """The webhooks of all owners. `key` is the one that derives new secrets."""

    def __init__(self, mutable: Mutable, engine: Engine, key: str, allowed: Sequence[Network]) -> None:
        self._mutable = mutable
        self._engine = engine
        self._key = key
        self._allowed = allowed
        self._waits = Waits(lambda ids: self._ask(outbox.progress, ids))

    async def stop(self) -> None:
        await self._waits.stop()

    def secret(self, hook: Hook) -> str:
        return signing.secret(self._key, hook)

    async def create(
        self, owner: str, url: str, types: tuple[WebhookEvent, ...], after: int, key: str | None, request: str | None
    ) -> tuple[Hook, bool]:
        """Create a webhook, and have it pinged. The second value says whether an earlier request with this key did it.

        Raises `EndpointRefused`, `Barred`, `TooManyWebhooks`, `RequestDiffers`, `NoSuchWebhook` if it was deleted
        meanwhile, `Unavailable`.
        """
        check_url(url, self._allowed)
        now = wall_clock()
        new = new_id() if key is None else keyed_id(owner, f"webhook {key}")
        hook = Hook(new, owner, url, _distinct(types), after, created=now, changed=now, request=request)
        created = await self._mutable.change(table.create, hook, _most(owner))
        if request is not None and not compare_digest(created.request or "", request):
            raise RequestDiffers
        if not await self._ask(outbox.listed, created.id, None, None, 1):  # or the first request did not get that far
            await self._ping(created)
        return created, created.created != now

    async def of(self, owner: str) -> list[Hook]:
        """The owner's webhooks, oldest first. Raises `Unavailable`."""
        return await self._mutable.query(table.of, owner)

    async def find(self, owner: str, id: str) -> Hook:
        """Raises `NoSuchWebhook`, `Unavailable`."""
        if not is_storable(id):
            raise NoSuchWebhook
        return _of(owner, await self._mutable.query(table.find, id))

    async def change(
        self, owner: str, id: str, url: str | UnsetType, types: tuple[WebhookEvent, ...] | UnsetType,
        after: int | UnsetType, enabled: bool | UnsetType,
    ) -> Hook:  # fmt: skip
        """Change a webhook. Another address must answer a ping before it gets events, and one that was disabled, too.

        Raises `NoSuchWebhook`, `EndpointRefused`, `Barred`, `Unavailable`.
        """
        again = {"status": "unverified", "cause": None, "live": None, "failing": None}
        values: dict[str, Any] = {}

        def revised(before: Hook) -> dict[str, Any]:
            if url is not UNSET and url != before.url:
                check_url(url, self._allowed)
                values.update(again, url=url)
            if types is not UNSET:
                values["types"] = _distinct(types)
            if after is not UNSET:
                values["after"] = after
            if enabled is False:
                values.update(status="disabled", cause="owner")
            elif enabled is True and before.status == "disabled":
                values.update(again)
            elif before.status == "disabled":
                values.update(status="disabled", cause=before.cause)
            return values

        changed = await self._revise(owner, id, revised)
        if enabled is False:
            await self._ask(outbox.bury, id)
        elif changed.status == "unverified" and "status" in values:
            await self._ping(changed)
        return changed

    async def rotate(self, owner: str, id: str, key: str | None) -> Hook:
        """Give the webhook a new secret. A repeated key does not rotate again.

        Raises `NoSuchWebhook`, `Barred`, `Unavailable`.
        """

        def revised(before: Hook) -> dict[str, Any]:
            if key is not None and before.rotation == key:
                return {}
            return {"number": before.number + 1, "rotated": wall_clock(), "rotation": key}

        return await self._revise(owner, id, revised)

    async def delete(self, owner: str, id: str) -> None:
        """Raises `NoSuchWebhook`, `Unavailable`."""
        await self.find(owner, id)
        await self._mutable.change(table.delete_one, id)
        await self._ask(outbox.drop, [id])

    async def ping(self, owner: str, id: str) -> Hook:
        """Have the webhook pinged, and wait for the outcome.

        Raises `NoSuchWebhook`, `EndpointRefused` if the endpoint did not answer with 2xx, `TooManyWaits`, `Unavailable`
        if no process delivers.
        """
        with self._waits.place(owner, _most(owner)) as wait:
            hook = await self.find(owner, id)
            if hook.status == "disabled":
                raise EndpointRefused("The webhook is disabled.")
            ping = await self._ping(hook)
            outcome = await self._waits.outcome(wait, ping.id)
        if outcome != "delivered":
            raise EndpointRefused("The endpoint did not answer the ping with a status of 2xx.")
        return await self.find(owner, id)

    async def deliveries(
        self, owner: str, id: str, status: outbox.DeliveryStatus | None, before: tuple[int, str] | None, limit: int
    ) -> list[Delivery]:
        """Deliveries to the webhook, latest event first. Raises `NoSuchWebhook`, `Unavailable`."""
        await self.find(owner, id)
        return await self._ask(outbox.listed, id, status, before, limit)

    async def retry(self, owner: str, id: str, delivery: str) -> Delivery:
        """Send a dead delivery again. Raises `NoSuchWebhook`, `Unavailable`."""
        await self.find(owner, id)
        found = await self._ask(outbox.retry, id, delivery, wall_clock()) if is_storable(delivery) else None
        if found is None:
            raise NoSuchWebhook
        return found

    async def _revise(self, owner: str, id: str, revised: Callable[[Hook], dict[str, Any]]) -> Hook:
        """Raises `NoSuchWebhook`, `Barred`, `Unavailable`."""
        if not is_storable(id):
            raise NoSuchWebhook
        return _of(owner, await self._mutable.change(table.revise, owner, id, wall_clock(), revised))

    async def _ping(self, hook: Hook) -> Delivery:
        """The ping to the webhook that waits to be sent, or a new one. Raises `NoSuchWebhook`, `Unavailable`."""
        if (waiting := await self._ask(outbox.pending_ping, hook.id)) is not None:
            return waiting
        now = wall_clock()
        body = encode({"type": PING, "timestamp": text_of(now), "data": {"webhook": hook.id}}).decode()
        ping = Delivery(
            outbox.delivery_id(hook.id, new_id()), hook.owner, hook.id, PING, None, None, None, None, body, now, now
        )
        await self._ask(outbox.add_one, ping)
        if await self._mutable.query(table.find, hook.id) is None:  # deleted meanwhile: nothing else drops the ping
            await self._ask(outbox.drop, [hook.id])
            raise NoSuchWebhook
        return ping

    async def _ask(self, query: Callable[..., T], *arguments: Any) -> T:
        """The result of a query of the outbox, in a thread. Raises `Unavailable`."""
        try:
            return await asyncio.to_thread(query, self._engine, *arguments)
        except SQLAlchemyError as error:
            raise Unavailable(str(error)) from error


def _most(owner: str) -> int:
    """How many webhooks the owner can have, and how many requests can wait for pings of them."""
    return MAX_OF_SITE if is_site(owner) else MAX_OF_PLAYER


def _distinct(types: tuple[WebhookEvent, ...]) -> tuple[WebhookEvent, ...]:
    return tuple(dict.fromkeys(types))


def _of(owner: str, hook: Hook | None) -> Hook:
    """The webhook if it is the owner's. Raises `NoSuchWebhook`."""
    if hook is None or hook.owner != owner:
        raise NoSuchWebhook
    return hook
