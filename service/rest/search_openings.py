"""How many games with bots that search are opened: their choices take processor time that nobody else shall miss."""

from math import ceil

from service.api.problems import ProblemError, TooManyRequests, Unavailable
from service.core import Core
from service.live.network import budget_key, wide_network
from service.server.rate_limit import LocalRateLimiter, QuotaPolicy

A_MINUTE, AT_ONCE = 1, 6
"""How many such games a player, and a network, opens in a minute and at once, in each process."""

MOST_WAITING = 24
"""Games that wait for a choice in this process, from which on the network with the most of them opens no further one.
Choices are made in turns of networks, so that others wait no longer for it."""

BUSY = 5
"""Seconds after which it is worth trying again."""


class SearchOpenings:
    """Admits the opening of games with such bots."""

    def __init__(self, runtime: Core) -> None:
        self._runtime = runtime
        self._limiter = LocalRateLimiter(QuotaPolicy(A_MINUTE / 60, AT_ONCE, "searches"))

    def admit(self, player: str, network: str) -> None:
        """Count a game that the player opens from this network. Raises `ProblemError`: 503 while too many games wait
        of this network, 429 after too many openings."""
        waiting = self._runtime.searches.waiting_by_network()
        if waiting.total() >= MOST_WAITING and waiting[wide_network(network)] + 1 >= max(waiting.values()):
            detail = "Too many games wait for bots that search."
            raise ProblemError(Unavailable(detail=detail), {"Retry-After": str(BUSY)})
        results = [self._limiter.hit(budget_key(each, network)) for each in (player, None)]
        if wait := max([result.retry_after for result in results]):
            detail = "You have opened too many games with bots that search."
            raise ProblemError(TooManyRequests(detail=detail), {"Retry-After": str(ceil(wait))})

    def opened(self, game_id: str, network: str) -> None:
        """The game that was admitted."""
        self._runtime.searches.note(game_id, network)
