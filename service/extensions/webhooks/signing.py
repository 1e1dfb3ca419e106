"""Secrets and signatures by Standard Webhooks 1.0.

A secret is derived from a key of the service, the webhook's id and time of creation, and a number, so it is not stored
anywhere. A rotation counts the number up; for a day requests are signed with the secret before, too. Requests are
signed once for each key in `STAMMTISCH_SECRET`: so a new key can be put in front while receivers still have secrets of
the old one.
"""

import hmac
from base64 import b64encode
from collections.abc import Sequence

from domain.game.clock import SECOND
from service.extensions.webhooks.rows import Hook

PREFIX = "whsec_"
OVERLAP = 86_400 * SECOND
"""Microseconds for which the secret before a rotation signs, too."""


def secret(key: str, hook: Hook) -> str:
    """The current secret, as its receiver configures it."""
    return PREFIX + b64encode(_derived(key, hook, hook.number)).decode()


def headers(keys: Sequence[str], hook: Hook, id: str, body: bytes, now: int) -> dict[str, str]:
    """The headers that identify and sign the delivery `id` to the webhook. `now` is in microseconds from 1970."""
    numbers = [hook.number]
    if hook.rotated is not None and now < hook.rotated + OVERLAP:
        numbers.append(hook.number - 1)
    timestamp = str(now // SECOND)
    signed = b"%b.%b.%b" % (id.encode(), timestamp.encode(), body)
    made = [hmac.digest(_derived(key, hook, number), signed, "sha256") for key in keys for number in numbers]
    signatures = [f"v1,{b64encode(each).decode()}" for each in made]
    return {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": " ".join(signatures)}


def _derived(key: str, hook: Hook, number: int) -> bytes:
    """The time enters because a webhook that is deleted and created again with the same key has the same id."""
    return hmac.digest(key.encode(), f"webhook:{hook.id}:{hook.created}:{number}".encode(), "sha256")
