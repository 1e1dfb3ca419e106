"""The routes of webhooks: subscriptions of the caller, or with a site's token those of the integrating site."""

from hashlib import sha256
from typing import Annotated

from litestar import Router, delete, get, patch, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter, QueryParameter
from litestar.types import ASGIApp

from domain.codec import canonical, encode
from service.api import problems
from service.api.contract import REQUIRED, Answer, common_problems, contract, problem
from service.api.resources import PageResource, link_header, with_query
from service.extensions.webhooks.desk import Desk
from service.extensions.webhooks.outbox import DeliveryStatus
from service.extensions.webhooks.problems import EndpointRefused, TooManyWebhooks
from service.extensions.webhooks.resources import (
    ChangedWebhook,
    SecretWebhook,
    Webhook,
    WebhookDelivery,
    WebhookTarget,
    delivery,
    webhook,
    with_secret,
)
from service.rest.input.bodies import body
from service.rest.input.parameters import IdempotencyKey
from service.rest.routing import router
from service.server.auth import read_token, signed_in
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest

WebhookId = Annotated[str, PathParameter(description="The id of the webhook.")]
DeliveryId = Annotated[str, PathParameter(description="The id of the delivery.")]

HEADERS = {"Cache-Control": "no-store"}
"""No response may be stored: some contain a secret."""

LIMIT = 100
"""Items of a page."""
CURSOR = r"^[0-9]{1,18}\.msg_[0-9a-f]{40}$(?!\n)"


COMMON, MISSING = common_problems(), problem(problems.NotFound)
WITH_BODY = problem(problems.TooLarge), problem(problems.UnsupportedMediaType)
REFUSED = problem(EndpointRefused)


def owner(desk: Desk, request: LazyRequest) -> str:
    """Whose webhooks the request is about. Raises `Unauthenticated` without a token."""
    player = signed_in(request)
    token = read_token(dict(request.scope["headers"])[b"authorization"])
    return desk.core.tokens.site if token is not None and desk.core.tokens.read(token).site else player


def delivery_routes(desk: Desk) -> list[HTTPRouteHandler]:
    @get("/{webhook_id:str}/deliveries", operation_id="webhook_deliveries", security=REQUIRED,
        summary="List the deliveries of a webhook",
        opt=contract(Answer(200, PageResource[WebhookDelivery], headers=("Link",)), *COMMON, MISSING),
    )  # fmt: skip
    async def webhook_deliveries(
        request: LazyRequest,
        webhook_id: WebhookId,
        status: Annotated[
            DeliveryStatus | None, QueryParameter(description="Returns only deliveries with this status.")
        ] = None,
        cursor: Annotated[
            str | None, QueryParameter(pattern=CURSOR, description="The cursor of the page: from `next`.")
        ] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=LIMIT, description="The maximum number of items.")] = 20,
    ) -> ASGIApp:
        """Returns the deliveries of a webhook, latest event first. Delivered ones are kept for 3 days, dead ones for
        30."""
        before = None
        if cursor is not None:
            created, _, last_id = cursor.partition(".")
            before = int(created), last_id
        found = await desk.webhooks.deliveries(owner(desk, request), webhook_id, status, before, limit + 1)
        next_page = None
        if len(found) > limit:
            last = found[limit - 1]
            query = {"status": status, "limit": limit, "cursor": f"{last.created}.{last.id}"}
            next_page = with_query(f"/v1/webhooks/{webhook_id}/deliveries", query)
        page = PageResource([delivery(each) for each in found[:limit]], next_page)
        return RawResponse(encode(page), headers=HEADERS | link_header(next_page))

    @post("/{webhook_id:str}/deliveries/{delivery_id:str}/retry", operation_id="retry_delivery", security=REQUIRED,
        status_code=200, summary="Send a dead delivery again",
        opt=contract(Answer(200, WebhookDelivery), *COMMON, MISSING),
    )  # fmt: skip
    async def retry_delivery(request: LazyRequest, webhook_id: WebhookId, delivery_id: DeliveryId) -> ASGIApp:
        """Makes a dead delivery pending again, with the same id and all attempts. Others stay as they are, so the
        request can be repeated."""
        found = await desk.webhooks.retry(owner(desk, request), webhook_id, delivery_id)
        return RawResponse(encode(delivery(found)), headers=HEADERS)

    return [webhook_deliveries, retry_delivery]


def webhook_routes(desk: Desk) -> Router:
    @post("/", operation_id="create_webhook", security=REQUIRED, summary="Create a webhook", status_code=201,
        opt=contract(
            Answer(201, SecretWebhook, headers=("Location", "Idempotency-Replayed")), *COMMON, *WITH_BODY, REFUSED,
            problem(TooManyWebhooks), problem(problems.IdempotencyKeyReused), body=WebhookTarget,
        ),
    )  # fmt: skip
    async def create_webhook(request: LazyRequest, idempotency_key: IdempotencyKey = None) -> ASGIApp:
        """Subscribes an address to events of the caller's games: those at which they have a seat, and `game.invited` of
        those in which one is kept for them. A player can have 3 webhooks.

        A token of the integrating site with the claim `"site": true` manages 10 webhooks of the site. They receive
        events of all games with a player of the site.

        The response contains the secret. The address is sent a signed `webhook.ping`; as soon as it answers 2xx, the
        webhook is `live`.
        """
        whose = owner(desk, request)
        new: WebhookTarget = await body(request)
        sent = None if idempotency_key is None else sha256(canonical(new)).hexdigest()
        hooks = desk.webhooks
        hook, replayed = await hooks.create(whose, new.url, new.types, new.after, idempotency_key, sent)
        headers = {"Location": f"/v1/webhooks/{hook.id}"} | HEADERS
        if replayed:
            headers["Idempotency-Replayed"] = "true"
        return RawResponse(encode(with_secret(hook, hooks.secret(hook))), status=201, headers=headers)

    @get("/", operation_id="webhooks", security=REQUIRED, summary="List your webhooks",
        opt=contract(Answer(200, PageResource[Webhook]), *COMMON),
    )  # fmt: skip
    async def webhooks(request: LazyRequest) -> ASGIApp:
        """Returns all webhooks of the caller, oldest first, on one page."""
        found = await desk.webhooks.of(owner(desk, request))
        return RawResponse(encode(PageResource([webhook(hook) for hook in found], None)), headers=HEADERS)

    @get("/{webhook_id:str}", operation_id="webhook", security=REQUIRED, summary="Get a webhook",
        opt=contract(Answer(200, Webhook), *COMMON, MISSING),
    )  # fmt: skip
    async def one_webhook(request: LazyRequest, webhook_id: WebhookId) -> ASGIApp:
        """Returns a webhook, without its secret."""
        return RawResponse(encode(webhook(await desk.webhooks.find(owner(desk, request), webhook_id))), headers=HEADERS)

    @patch("/{webhook_id:str}", operation_id="change_webhook", security=REQUIRED, summary="Change a webhook",
        opt=contract(Answer(200, Webhook), *COMMON, MISSING, *WITH_BODY, REFUSED, body=ChangedWebhook),
    )  # fmt: skip
    async def change_webhook(request: LazyRequest, webhook_id: WebhookId) -> ASGIApp:
        """Changes some fields of a webhook. Repeating the request has no further effect."""
        whose = owner(desk, request)
        new: ChangedWebhook = await body(request)
        hook = await desk.webhooks.change(whose, webhook_id, new.url, new.types, new.after, new.enabled)
        return RawResponse(encode(webhook(hook)), headers=HEADERS)

    @delete("/{webhook_id:str}", operation_id="delete_webhook", security=REQUIRED, summary="Delete a webhook",
        status_code=200, opt=contract(Answer(204, description="The webhook is deleted."), *COMMON, MISSING),
    )  # fmt: skip
    async def delete_webhook(request: LazyRequest, webhook_id: WebhookId) -> ASGIApp:
        """Deletes a webhook with its address and all of its deliveries."""
        await desk.webhooks.delete(owner(desk, request), webhook_id)
        return RawResponse(status=204)

    @post("/{webhook_id:str}/ping", operation_id="ping_webhook", security=REQUIRED, summary="Ping a webhook",
        status_code=200, opt=contract(Answer(200, Webhook), *COMMON, MISSING, REFUSED),
    )  # fmt: skip
    async def ping_webhook(request: LazyRequest, webhook_id: WebhookId) -> ASGIApp:
        """Sends a signed `webhook.ping` and waits for the answer, 20 seconds at most. An unverified webhook whose
        address answers 2xx is live.

        A player can wait for 3 pings at the same time, a site for 10: further requests are refused with 429.
        `unavailable`: the process that delivers webhooks does not run, or too many requests wait.
        """
        return RawResponse(encode(webhook(await desk.webhooks.ping(owner(desk, request), webhook_id))), headers=HEADERS)

    @post("/{webhook_id:str}/rotate", operation_id="rotate_webhook", security=REQUIRED, status_code=200,
        summary="Rotate the secret of a webhook", opt=contract(Answer(200, SecretWebhook), *COMMON, MISSING),
    )  # fmt: skip
    async def rotate_webhook(
        request: LazyRequest, webhook_id: WebhookId, idempotency_key: IdempotencyKey = None
    ) -> ASGIApp:
        """Gives the webhook a new secret and returns it. For 24 hours deliveries are signed with the old one, too.

        Repeating the latest rotation with the same `Idempotency-Key` does not rotate again.
        """
        hook = await desk.webhooks.rotate(owner(desk, request), webhook_id, idempotency_key)
        return RawResponse(encode(with_secret(hook, desk.webhooks.secret(hook))), headers=HEADERS)

    handlers = [
        create_webhook, webhooks, one_webhook, change_webhook, delete_webhook, ping_webhook, rotate_webhook,
        *delivery_routes(desk),
    ]  # fmt: skip
    return router("/v1/webhooks", handlers, tags=["Webhooks"])
