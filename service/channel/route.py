"""The route of the play channel: the upgrade to a web socket."""

import logging
from collections.abc import Mapping, Sequence
from functools import cache
from urllib.parse import urlsplit

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain.codec import encode
from domain.game import Rules
from service.api.problems import Forbidden, ProblemError, UpgradeRequired, malformed_request
from service.channel import asyncapi
from service.channel.channel import HANDLERS, Channel
from service.channel.channels import Channels
from service.channel.company import Uncounted
from service.core import Core
from service.extension import Serving
from service.live.single_flight import SingleFlight
from service.server.auth import address, caller, generation, read_token
from service.server.compression import CompressedResponse, current_document, document_response
from service.server.cors import ORIGIN_ALLOWED
from service.server.rate_limit import RateLimits
from service.server.request import LazyRequest
from service.server.web_socket import NotUpgradable, Upgrade, WebSocket
from service.tasks import computed

log = logging.getLogger(__name__)

STRIPPED = (
    "a proxy does not pass the header Upgrade on, so nobody can open a play channel: clients read event streams. "
    "docs/deployment.md has a configuration of nginx that does"
)


def channel_routes(
    runtime: Core, rulesets: Mapping[str, Rules], limits: RateLimits | None, parts: Sequence[Serving]
) -> list[HTTPRouteHandler]:
    theirs = {kind: handler for part in parts for kind, handler in part.answers.items()}
    company = next((part.company for part in parts if part.company is not None), Uncounted())
    channels = Channels(runtime, rulesets, limits, {**HANDLERS, **theirs}, company)
    warnings = iter([STRIPPED])  # one for each process: what is sent again and again does not fill the log

    @get("/v1/channel", include_in_schema=False)
    async def channel(request: LazyRequest) -> ASGIApp:
        """Opens a web socket for the play channel. `openapi/asyncapi.json` documents its messages."""
        check_origin(request)
        token = read_token(dict(request.scope["headers"]).get(b"authorization"))
        player, age, place = caller(request), generation(request), address(request)
        runtime.subscriptions.check(player, place)
        expires_at = None if token is None else runtime.tokens.expires_at(token)

        def listener(socket: WebSocket) -> Channel:
            return Channel(channels, socket, player, age, expires_at, place)

        try:
            timeout = runtime.settings.limits.channel_timeout
            return Upgrade(request.scope, asyncapi.SUBPROTOCOL, listener, timeout=timeout)
        except NotUpgradable as error:
            if is_stripped(request) and (warning := next(warnings, None)):
                log.warning(warning)
            if error.status == 426:
                headers = {"Upgrade": "websocket", "Connection": "Upgrade"}
                raise ProblemError(UpgradeRequired(detail=str(error)), headers) from None
            raise malformed_request("request", str(error)) from None

    @cache
    def described() -> CompressedResponse:
        return document_response(encode(asyncapi.document(rulesets)))

    made = SingleFlight[None, CompressedResponse](lambda _: computed(described))

    @get("/schema/asyncapi.json", include_in_schema=False)
    async def document(request: LazyRequest) -> ASGIApp:
        return current_document(request, await made(None))

    return [channel, document]


def is_stripped(request: LazyRequest) -> bool:
    """Whether the client has asked for a web socket, and the request has lost the header that says so."""
    names = {name for name, _ in request.scope["headers"]}
    return b"sec-websocket-key" in names and b"upgrade" not in names


def check_origin(request: LazyRequest) -> None:
    """Raises a `ProblemError` for a page of another origin that the settings do not allow.

    A browser enforces CORS for HTTP; for web sockets the server has to.
    """
    headers = {name: value.decode("latin-1") for name, value in request.scope["headers"]}
    origin = headers.get(b"origin")
    if origin is None or ORIGIN_ALLOWED in request.scope:
        return
    host = headers.get(b"host", "")
    if not host or urlsplit(origin).netloc.lower() != host.lower():
        raise ProblemError(Forbidden(detail="Pages of this origin may not open a channel."))
