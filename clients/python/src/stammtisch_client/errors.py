"""What can go wrong. All exceptions are `StammtischError`."""

from typing import Any

import msgspec


class StammtischError(Exception):
    """Base of all exceptions of this package."""


class NoAnswer(StammtischError):
    """The service did not answer within `patience`. What was asked may have happened or not; with the same
    idempotency key it can be asked again."""


class InvalidUrl(StammtischError, ValueError):
    """No service can be at the URL of the client."""


class UnknownHost(NoAnswer):
    """No host has the name in the URL. A client to which the service has never answered raises it at once."""


class Unsealed(StammtischError):
    """The caller's entropy stays closed: not all players have a seal, the log of the game is wrong or another one than
    before, or this client does not know the entropy that was sealed (see `seed` of the client)."""


class InvalidSignature(StammtischError):
    """The request is not a webhook of the service, or it is too old."""


class InvalidPatch(StammtischError):
    """A patch does not fit the view: something was missed, or the service is another one. Read the game again."""


class Problem(StammtischError):
    """The service refused a request (RFC 9457). `problems` has a subclass for each type.

    `document` has the fields of the problem, `retry_after` the seconds after which it may be repeated.
    """

    def __init__(self, document: Any, body: dict[str, Any], retry_after: float | None = None) -> None:
        super().__init__(body.get("detail") or body.get("title") or body.get("type"))
        self.document = document
        self.body = body
        self.retry_after = retry_after

    @property
    def type(self) -> str:
        """The type of the problem, such as `not-found`."""
        return str(self.body.get("type", "unknown"))

    @property
    def status(self) -> int:
        """The HTTP status."""
        return int(self.body.get("status", 500))

    @property
    def is_of_service(self) -> bool:
        """Whether the service has said so, and not a proxy in front of it."""
        return self.type != "unknown"

    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status == 429 or self.status >= 500


def problem(body: Any, status: int, retry_after: float | None = None) -> Problem:
    """The exception for the body of an answer with that status."""
    from .problems import PROBLEMS  # they are subclasses of `Problem`

    fields: dict[str, Any] = {"status": status, "type": "unknown", "title": f"The service answered with {status}."}
    if isinstance(body, dict):
        fields |= body
    kind, schema = PROBLEMS.get(str(fields["type"]), (Problem, None))
    try:
        document: Any = fields if schema is None else msgspec.convert(fields, schema)
    except msgspec.ValidationError:  # of a newer service
        kind, document = Problem, fields
    return kind(document, fields, retry_after)
