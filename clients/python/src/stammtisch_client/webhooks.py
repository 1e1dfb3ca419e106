"""Webhooks: whether a request is from the service (https://www.standardwebhooks.com)."""

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from .errors import InvalidSignature

TOLERANCE = 300
"""Seconds that the clocks of the service and of the receiver may differ, and that a delivery may take."""


class WebhookEvent(msgspec.Struct, frozen=True):
    """What happened. `id` is the same in every attempt to deliver it: remember it to handle an event once."""

    id: str
    type: str
    timestamp: str
    data: dict[str, Any]


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes, *, tolerance: float = TOLERANCE, now: float | None = None
) -> WebhookEvent:
    """The event in a request, whose `body` must be the bytes as they arrived.

    Raises `InvalidSignature` if the request was not signed with the secret (`whsec_...`) or is older than `tolerance`
    seconds.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        number, moment, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as error:
        raise InvalidSignature(f"The header {error} is missing.") from None
    if not moment.isascii() or not moment.isdecimal() or len(moment) > 15:
        raise InvalidSignature("The timestamp is not a number.")
    if abs((time.time() if now is None else now) - int(moment)) > tolerance:
        raise InvalidSignature("The timestamp is too far from now.")
    expected = signature(secret, number, moment, body)
    matches = [hmac.compare_digest(each.encode(), expected.encode()) for each in signatures.split(" ")]
    if not any(matches):
        raise InvalidSignature("No signature is right.")
    try:
        fields = msgspec.json.decode(body)
        return msgspec.convert({"id": number, **fields}, WebhookEvent)
    except (msgspec.MsgspecError, TypeError) as error:
        raise InvalidSignature(f"The body is no event: {error}.") from None


def signature(secret: str, number: str, moment: str, body: bytes) -> str:
    """The signature of a request, with its version."""
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise InvalidSignature("The secret is not base64.") from None
    digest = hmac.new(key, f"{number}.{moment}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"
