"""Who calls: the player whom the bearer token names, as the front door has read it."""

from typing import Any, TypeAlias

from litestar import Request

from domain.game import Player
from service.http.rate_limit import network
from service.identity.tokens import Tokens, Unauthenticated

Anything: TypeAlias = Request[Any, Any, Any]

CALLER = "stammtisch.caller"
"""Where the scope of a request keeps who calls: a player, or None. Requests with a bad token never get past the front
door."""

_BEARER = b"bearer "


def read_caller(headers: list[tuple[bytes, bytes]], tokens: Tokens) -> Player | Unauthenticated | None:
    """Whom the headers of a request name; None when there is no token in them; why the token proves nothing."""
    for name, sent in headers:
        if name == b"authorization":
            if sent[:7].lower() != _BEARER:
                return Unauthenticated("Authorization must be of the form: Bearer <token>.")
            try:
                return tokens.read(sent[7:].decode("ascii", "replace").strip())
            except Unauthenticated as error:
                return error
    return None


def caller(request: Anything) -> Player | None:
    """The player who calls; None when no token was sent."""
    known: Player | None = request.scope[CALLER]  # type: ignore[literal-required]
    return known


def address(request: Anything) -> str:
    """Where the caller is, as limits know it."""
    return "" if request.client is None else network(request.client.host)


def signed_in(request: Anything) -> Player:
    """The player who calls. Raises `Unauthenticated` when nobody is signed in."""
    player = caller(request)
    if player is None:
        raise Unauthenticated("No token was sent.")
    return player
