"""Problem documents (RFC 9457) that HTTP itself can raise, before a route is reached."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, UnsetType

from domain.codec import encode
from domain.messages import Value
from service.http.raw_response import RawResponse

MEDIA_TYPE = "application/problem+json"


class Problem(Value, kw_only=True, tag_field="type"):
    """What is wrong, in a form for programs (`type`) and for people (`title`, `detail`)."""

    title: str
    status: int
    detail: str | UnsetType = UNSET


class FieldError(Value):
    """A fault in a body or a parameter: where (`$.slot`, `?at`, a header's name) and what."""

    path: str
    message: str


class Malformed(Problem, tag="malformed"):
    """Not JSON, or fields of the wrong type, out of range, unknown or missing."""

    title: str = "The request is malformed."
    status: Literal[400] = 400
    errors: tuple[FieldError, ...] = ()


class TooLarge(Problem, tag="too-large"):
    """The body is larger than the service reads."""

    title: str = "The body is too large."
    status: Literal[413] = 413


class UrlTooLong(Problem, tag="url-too-long"):
    """The URL is longer than 8 KiB."""

    title: str = "The URL is too long."
    status: Literal[414] = 414


class HeadTooLarge(Problem, tag="head-too-large"):
    """URL and headers together are larger than 32 KiB, or there are more than 100 headers."""

    title: str = "The headers are too large, or too many."
    status: Literal[431] = 431


class TooManyRequests(Problem, tag="too-many-requests"):
    """The rate is too high, or the caller or his address has no streams left; `Retry-After` says when to go on."""

    title: str = "Too many requests."
    status: Literal[429] = 429


class Unavailable(Problem, tag="unavailable"):
    """The store cannot be read or cannot commit now, or there is no room for another stream.

    Nothing was recorded, or the key tells on a retry.
    """

    title: str = "The service cannot do this now."
    status: Literal[503] = 503


class Unauthenticated(Problem, tag="unauthenticated"):
    """A token is needed, or the one that was sent is not valid."""

    title: str = "A valid token is needed."
    status: Literal[401] = 401


CHALLENGE = {"WWW-Authenticate": 'Bearer realm="stammtisch"'}
"""The header of every 401."""


def problem_response(problem: Problem, headers: Mapping[str, str]) -> RawResponse:
    """The response with that problem document. Never cached."""
    return RawResponse(
        encode(problem), status=problem.status, headers={"Cache-Control": "no-store", **headers}, media_type=MEDIA_TYPE
    )
