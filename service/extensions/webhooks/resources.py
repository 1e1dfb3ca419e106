"""The JSON bodies of the routes of webhooks."""

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from domain.messages import Value
from domain.player import PlayerId
from domain.ruleset import Seat
from service.clock import text_of
from service.extensions.webhooks.addresses import MAX_URL
from service.extensions.webhooks.outbox import EVENTS, PING, Delivery, DeliveryStatus, WebhookEvent
from service.extensions.webhooks.rows import Hook, WebhookCause, WebhookStatus

Url = Annotated[
    str,
    Meta(
        min_length=1, max_length=MAX_URL,
        description="The URL of the receiver: `https`, a public domain name, port 443 or 1024 and higher, no user.",
    ),
]  # fmt: skip
Types = Annotated[
    tuple[WebhookEvent, ...], Meta(min_length=1, max_length=20, description="The events that are delivered.")
]
After = Annotated[
    int,
    Meta(
        ge=0, le=86_400,
        description="Seconds after which `game.your_turn` is delivered, if the player still has the same choice.",
    ),
]  # fmt: skip


class WebhookTarget(Value, forbid_unknown_fields=True):
    """The address of a new webhook, and what is delivered to it. Default: all events, turns at once."""

    url: Url
    types: Types = EVENTS
    after: After = 0


class ChangedWebhook(Value, forbid_unknown_fields=True):
    """The fields to change. Another `url` is pinged before it receives events, and so is one that is enabled again."""

    url: Url | UnsetType = UNSET
    types: Types | UnsetType = UNSET
    after: After | UnsetType = UNSET
    enabled: Annotated[bool, Meta(description="True: the webhook delivers.")] | UnsetType = UNSET


class Webhook(Value, kw_only=True):
    """A webhook of the caller, or of the integrating site."""

    id: Annotated[str, Meta(description="The id of the webhook.")]
    url: Annotated[str, Meta(description="The URL to which events are sent.")]
    types: Annotated[tuple[WebhookEvent, ...], Meta(description="The events that are delivered.")]
    after: int
    """Seconds after which `game.your_turn` is delivered, if the choice still stands."""
    status: WebhookStatus
    """`unverified` until the address has answered a ping, then `live`, or `disabled`."""
    cause: Annotated[
        WebhookCause | None,
        Meta(
            description="The reason why it is disabled: its owner wanted it, the address answered 410 (`gone`), all "
            "attempts of three days failed, or because the operator has banned the owner."
        ),
    ]
    created_at: Annotated[str, Meta(description="The time at which it was created.")]
    failing_since: str | None
    """The time since which every attempt has failed; null if the last one succeeded."""


class SecretWebhook(Webhook, kw_only=True):
    """A webhook with the secret that signs its deliveries. Only creating and rotating return the secret."""

    secret: Annotated[str, Meta(description="`whsec_` and base64, as libraries of Standard Webhooks take it.")]


class WebhookDelivery(Value, kw_only=True):
    """An event that is, was or will be delivered to a webhook."""

    id: Annotated[str, Meta(description="The value of the header `webhook-id`, the same in all attempts.")]
    type: Annotated[str, Meta(description="The type of the event, or `webhook.ping`.")]
    game: Annotated[str | None, Meta(description="The id of the game; null of other events.")]
    version: Annotated[int | None, Meta(description="The version of the game after the event; null of other events.")]
    seat: Annotated[Seat | None, Meta(description="The seat that the event is about, if it is about one.")]
    player: Annotated[PlayerId | None, Meta(description="The player at that seat.")]
    status: DeliveryStatus
    """`dead`: all attempts failed, or the webhook was disabled. It can be sent again."""
    created_at: Annotated[str, Meta(description="The time of the event.")]
    attempts: Annotated[int, Meta(description="The number of attempts that were made.")]
    attempted_at: Annotated[str | None, Meta(description="The time at which the last attempt ended.")]
    next_attempt_at: Annotated[str | None, Meta(description="The time of the next attempt; null unless `pending`.")]
    response: int | None
    """The HTTP status of the last answer; null without an answer, and for pings."""


def webhook(hook: Hook) -> Webhook:
    return Webhook(**_fields(hook))


def with_secret(hook: Hook, secret: str) -> SecretWebhook:
    return SecretWebhook(**_fields(hook), secret=secret)


def _fields(hook: Hook) -> dict[str, Any]:
    return {
        "id": hook.id, "url": hook.url, "types": hook.types, "after": hook.after, "status": hook.status,
        "cause": hook.cause, "created_at": text_of(hook.created),
        "failing_since": None if hook.failing is None else text_of(hook.failing),
    }  # fmt: skip


def delivery(row: Delivery) -> WebhookDelivery:
    return WebhookDelivery(
        id=row.id, type=row.type, game=row.game, version=row.version, seat=row.seat, player=row.player,
        status=row.status, created_at=text_of(row.created), attempts=row.attempts,
        attempted_at=None if row.attempted is None else text_of(row.attempted),
        next_attempt_at=text_of(row.next) if row.status == "pending" else None,
        response=None if row.type == PING else row.response,
    )  # fmt: skip
