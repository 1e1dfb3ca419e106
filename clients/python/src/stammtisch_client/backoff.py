"""How long a client waits for a service: pauses between attempts, and when it gives up."""

import asyncio
import logging
import random
import time

from .errors import NoAnswer, Problem, UnknownHost

PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before the second, third ... attempt. The last one is repeated."""
FIRST_PATIENCE = 10.0
"""Seconds in which a request is repeated while the service has never answered: the URL may be wrong."""
WARNED = 2
"""After how many failed attempts the log has a warning."""

log = logging.getLogger("stammtisch_client")


class Contact:
    """What a client knows of the service: whether it has ever answered, and whether the log says that it does not.

    `patience`: the seconds after the first failure in which attempts are made; None for ever.
    """

    def __init__(self, url: str, patience: float | None) -> None:
        self._url = url
        self._patience = patience
        self.has_answered = False
        self._has_warned = False

    @property
    def patience(self) -> float | None:
        """The patience for the next request."""
        if self.has_answered or self._patience is None:
            return self._patience
        return min(self._patience, FIRST_PATIENCE)

    def succeeded(self) -> None:
        """The service has done what was asked."""
        if self._has_warned:
            log.info("%s answers again", self._url)
        self.has_answered, self._has_warned = True, False

    def failed(self, failure: Exception, attempts: int) -> None:
        """A request has failed `attempts` times."""
        if isinstance(failure, Problem) and failure.is_of_service:
            self.has_answered = True
        if isinstance(failure, UnknownHost) and not self.has_answered:
            raise failure
        if attempts == WARNED and not self._has_warned:
            self._has_warned = True
            log.warning("%s does not answer (%s); trying again", self._url, failure)


class Backoff:
    """Pauses between the attempts of a request: longer each time, spread by 20 %, never shorter than asked for."""

    def __init__(self, contact: Contact) -> None:
        self._contact = contact
        self._attempts = 0
        self._began = 0.0

    async def pause(self, failure: Exception, at_least: float | None = None) -> None:
        """Wait before the next attempt. Raises `failure` if that would be after the end of patience, or useless."""
        now = time.monotonic()
        seconds = PAUSES[min(self._attempts, len(PAUSES) - 1)] * random.uniform(0.8, 1.2)
        seconds = max(seconds, at_least or 0)
        if self._attempts == 0:
            self._began = now
        self._attempts += 1
        self._contact.failed(failure, self._attempts)
        patience = self._contact.patience
        if patience is not None and now + seconds > self._began + patience:
            raise failure
        await asyncio.sleep(seconds)

    async def after(self, failure: NoAnswer | Problem) -> None:
        """Wait before the next attempt as long as the service asks for. Raises `failure` also if repeating is
        useless."""
        if not isinstance(failure, Problem):
            await self.pause(failure)
        elif failure.is_transient:
            await self.pause(failure, failure.retry_after)
        else:
            raise failure

    def reset(self) -> None:
        """An attempt has succeeded: the next failure is the first one again."""
        self._attempts = 0
        self._contact.succeeded()
