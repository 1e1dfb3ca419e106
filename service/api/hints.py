"""Hints as REST and the play channel give them, within the same limits: recorded before they are answered."""

from math import ceil
from typing import NamedTuple

from msgspec import Raw

from domain.game import AlreadyHinted, Hinted
from domain.game.commands import AskForHint
from service.api import problems
from service.api.operations import BY_ID
from service.api.problems import ProblemError
from service.core import Core
from service.games.cached_game import CachedGame
from service.games.hints import Asked, HintsBusy
from service.games.searches import SearchFailed
from service.live.network import budget_key
from service.server.rate_limit import LocalRateLimiter, QuotaPolicy

A_MINUTE, AT_ONCE = 30, 10
"""How many hints a player, and a network, gets in a minute and at once, in each process. The hint about a choice counts
once, as long as it is in memory."""

AGAIN = {"Retry-After": "1"}


class Advice(NamedTuple):
    hint: Raw
    replayed: bool = False
    """An earlier request with the same key asked for it."""


class HintDesk:
    """Where players of this process ask for hints."""

    def __init__(self, runtime: Core) -> None:
        self._runtime = runtime
        self._limiter = LocalRateLimiter(QuotaPolicy(A_MINUTE / 60, AT_ONCE, "hints"))

    async def ask(self, cached: CachedGame, player: str, network: str, idempotency_key: str | None) -> Advice:
        """Raises a `ProblemError`, and what `Commands.execute` raises."""
        runtime, command = self._runtime, AskForHint()
        key = BY_ID["hint"].key(player, idempotency_key, command, cached.game.id)
        if key is None and (known := runtime.hints.known(cached, player)) is not None:
            return Advice(known)
        self._admit(player, network)
        replayed = False
        try:
            change = await runtime.commands.execute(cached, player, command, key)
            recorded, replayed = change.entries[0], change.replayed
            assert isinstance(recorded.event, Hinted)
            asked = Asked(cached.game.id, recorded.event.seat, recorded.version, network)
        except AlreadyHinted:
            asked = Asked(cached.game.id, cached.game.seats_of(player)[0], cached.game.version, network)
        try:
            return Advice(await runtime.hints.give(cached, asked), replayed)
        except SearchFailed:
            detail = "The hint could not be computed. It is recorded that you asked; ask again."
            raise ProblemError(problems.Unavailable(detail=detail), AGAIN) from None

    def _admit(self, player: str, network: str) -> None:
        """Before the append: nothing is recorded that nobody answers."""
        try:
            self._runtime.hints.admit(network)
        except HintsBusy as busy:
            kind = problems.Unavailable if busy.everybody else problems.TooManyRequests
            who = "players" if busy.everybody else "players of your network"
            refused = kind(detail=f"Too many {who} wait for hints.")
            raise ProblemError(refused, {"Retry-After": str(busy.seconds)}) from None
        results = [self._limiter.hit(budget_key(each, network)) for each in (player, None)]
        if wait := max([result.retry_after for result in results]):
            detail = "You have asked for too many hints."
            raise ProblemError(problems.TooManyRequests(detail=detail), {"Retry-After": str(ceil(wait))})
