"""Who pays for what a request causes far from where it arrived."""

from contextvars import Context, ContextVar, copy_context
from typing import Any

PAYING: ContextVar[Any] = ContextVar("paying", default=None)
"""The `Payer` of the request that is served (`service.server.rate_limit`); None: the service works for itself."""


def unpaid() -> Context:
    """The context of work that a request only began: nobody pays for it."""
    context = copy_context()
    context.run(PAYING.set, None)
    return context
