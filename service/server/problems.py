"""Problem documents (RFC 9457) that the HTTP layer itself raises, before a route is resolved."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, UnsetType

from domain.codec import encode
from domain.messages import Value
from service.server.raw_response import RawResponse

MEDIA_TYPE = "application/problem+json"


class Problem(Value, kw_only=True, tag_field="type"):
    """What is wrong: `type` for programs, `title` and `detail` for people."""

    title: str
    """A title, the same for every problem of this type."""
    status: int
    """The status code of the response."""
    detail: str | UnsetType = UNSET
    """An explanation of this case."""


class FieldError(Value):
    """An error in a body or a parameter: where (`$.slot`, `?at`, the name of a header) and what."""

    path: str
    """The place: the path in the body, `?name` of a parameter, or the name of a header."""
    message: str
    """An explanation of the error there."""


class Malformed(Problem, tag="malformed"):
    """The input is not JSON, or has fields of the wrong type, out of range, unknown or missing."""

    title: str = "The request is malformed."
    status: Literal[400] = 400
    errors: tuple[FieldError, ...] = ()
    """Every error that was found."""


class TooLarge(Problem, tag="too-large"):
    """The body exceeds the limit of the service."""

    title: str = "The body is too large."
    status: Literal[413] = 413


class UrlTooLong(Problem, tag="url-too-long"):
    """The URL is longer than 8 KiB."""

    title: str = "The URL is too long."
    status: Literal[414] = 414


class HeadTooLarge(Problem, tag="head-too-large"):
    """The URL and headers together exceed 32 KiB, or there are more than 100 headers."""

    title: str = "The headers are too large or too many."
    status: Literal[431] = 431


class UnsupportedTransferCoding(Problem, tag="unsupported-transfer-coding"):
    """`Transfer-Encoding` has a coding besides `chunked`, such as `gzip`."""

    title: str = "The transfer coding is not supported."
    status: Literal[501] = 501


class TooManyRequests(Problem, tag="too-many-requests"):
    """The caller exceeds a rate limit, or the limit of streams for a caller or an address. See `Retry-After`."""

    title: str = "Too many requests."
    status: Literal[429] = 429


class Unavailable(Problem, tag="unavailable"):
    """The store cannot be read or written now, or the process has reached its limit of connections or streams.

    Nothing was recorded, or a retry with the same `Idempotency-Key` returns its result.
    """

    title: str = "The service is temporarily unavailable."
    status: Literal[503] = 503


class Banned(Problem, tag="banned"):
    """The operator of the service has banned the player of the token."""

    title: str = "You are banned from this service."
    status: Literal[403] = 403


class Unauthenticated(Problem, tag="unauthenticated"):
    """A token is required, or the token in the request is invalid."""

    title: str = "A valid token is required."
    status: Literal[401] = 401


CHALLENGE = {"WWW-Authenticate": 'Bearer realm="stammtisch"'}
"""The header of every 401 response."""


def problem_response(problem: Problem, headers: Mapping[str, str]) -> RawResponse:
    """The response with that problem document. It is never cached."""
    return RawResponse(
        encode(problem), status=problem.status, headers={"Cache-Control": "no-store", **headers}, media_type=MEDIA_TYPE
    )
