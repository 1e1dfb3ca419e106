"""The caller of a request: the player that its bearer token names."""

from service.identity.tokens import Bearer, Tokens, Unauthenticated
from service.live.network import network
from service.server.request import LazyRequest

CALLER = "stammtisch.caller"
"""The key of the caller in an ASGI scope: the player's id, or None without a token. The edge middleware sets it and
refuses requests with an invalid token."""

GENERATION = "stammtisch.generation"
"""The key of the generation of the caller's token in an ASGI scope; 0 without a token."""

_BEARER = b"bearer "


def read_token(authorization: bytes | None) -> str | None:
    """The token in the header `Authorization`, None without one. Raises `Unauthenticated`."""
    if authorization is None:
        return None
    if authorization[:7].lower() != _BEARER:
        raise Unauthenticated("Authorization must be of the form: Bearer <token>.")
    return authorization[7:].decode("ascii", "replace").strip()


def read_bearer(authorization: bytes | None, tokens: Tokens) -> Bearer | Unauthenticated | None:
    """The player of the token in the header, None without a token, or the error if the token is invalid."""
    if authorization is not None and (known := tokens.known(authorization)) is not None:
        return known
    try:
        token = read_token(authorization)
        return None if token is None else tokens.read(token, authorization)
    except Unauthenticated as error:
        return error


def caller(request: LazyRequest) -> str | None:
    """The id of the calling player; None without a token."""
    player: str | None = request.scope[CALLER]  # type: ignore[literal-required]
    return player


def generation(request: LazyRequest) -> int:
    """The generation of the caller's token: how often they had signed out everywhere when it was issued."""
    found: int = request.scope[GENERATION]  # type: ignore[literal-required]
    return found


def address(request: LazyRequest) -> str:
    """The client's network, as rate and stream limits count it; empty if the server does not provide it."""
    return "" if request.client is None else network(request.client.host)


def signed_in(request: LazyRequest) -> str:
    """The id of the calling player. Raises `Unauthenticated` without a token."""
    player = caller(request)
    if player is None:
        raise Unauthenticated("No token was sent.")
    return player
