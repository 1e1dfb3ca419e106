"""Cross-origin resource sharing (CORS) for the origins in the settings.

The edge middleware adds the headers of `Cors` to all responses, and answers preflight requests with `Cors.preflight`
instead of the application, so that they are limited, counted and logged like all other requests.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import Scope

from service.server.raw_response import RawResponse
from service.settings import LOOPBACK, Settings, items

ANY = "*"
LOCAL = "local"

_LOCAL_ORIGIN = re.compile(rb"https?://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?")

ORIGIN_ALLOWED = "stammtisch.origin"
"""The key that marks the ASGI scope of a request from an allowed origin."""

VARY = ((b"vary", b"Origin"),)
"""The header of a response that differs between origins."""

REQUEST_METHOD = b"access-control-request-method"
"""The header that makes an OPTIONS request a preflight."""

ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Invite, Last-Event-ID, Prefer"
"""The request headers that pages may send besides the CORS-safelisted ones."""

FILES = "/web/"
"""Where the files of the web pages are; see `service.pages.web`."""


class Origins(NamedTuple):
    """The origins whose pages may use the API: `any`, those of this machine (`local`), or the named ones."""

    any: bool
    local: bool
    names: frozenset[bytes]

    def __bool__(self) -> bool:
        return self.any or self.local or bool(self.names)

    def allows(self, origin: bytes) -> bool:
        return self.any or origin in self.names or (self.local and _LOCAL_ORIGIN.fullmatch(origin) is not None)


def allowed_origins(settings: Settings) -> Origins:
    """The origins in the settings. Origins of this machine are allowed only while the service serves it alone."""
    names = set(items(settings.cors_origins))
    local = LOCAL in names and settings.host in LOOPBACK
    return Origins(ANY in names, local, frozenset(name.encode() for name in names - {ANY, LOCAL}))


class Cors:
    """The CORS headers of responses. Pages of allowed origins may read the `exposed` response headers, and use the
    methods of the `routes`."""

    def __init__(self, origins: Origins, exposed: Iterable[str], routes: Iterable[BaseRoute]) -> None:
        self._origins = origins
        self._exposed = b"access-control-expose-headers", ", ".join(exposed).encode()
        methods = {method for route in routes if isinstance(route, HTTPRoute) for method in route.methods}
        headers = {
            "Access-Control-Allow-Methods": ", ".join(sorted(methods - {"OPTIONS"} | {"HEAD"})),
            "Access-Control-Allow-Headers": ALLOWED_HEADERS,
            "Access-Control-Max-Age": str(24 * 60 * 60),
        }
        self._preflight = RawResponse(status=204, headers=headers)

    def headers(self, scope: Scope, origin: bytes | None) -> tuple[tuple[bytes, bytes], ...]:
        """The headers of the response to this request from a page of this origin, if any. Marks the scope if the origin
        is allowed. Files of the web pages are for those pages alone: browsers name their origin, too, for modules, and
        the headers would be a tenth of what a first visit loads."""
        origins = self._origins
        if origin is None and not origins.names:  # most clients are no pages
            return ()
        if scope["path"].startswith(FILES):
            return ()
        vary = () if origins.any else VARY
        if origin is None or not origins.allows(origin):
            return vary
        scope[ORIGIN_ALLOWED] = True  # type: ignore[literal-required]
        return *vary, (b"access-control-allow-origin", b"*" if origins.any else origin), self._exposed

    def preflight(self, scope: Scope, headers: Mapping[bytes, bytes]) -> RawResponse | None:
        """The response to an OPTIONS request if it is a preflight from an allowed origin."""
        return self._preflight if ORIGIN_ALLOWED in scope and REQUEST_METHOD in headers else None
