"""Hints as REST and the play channel give them, within the same limits: recorded before they are answered."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from math import ceil
from typing import Any, NamedTuple, cast

from msgspec import Raw

from domain.game import AlreadyHinted, Hinted, NoHint
from domain.game.commands import AskForHint
from service.api import problems
from service.api.problems import ProblemError
from service.channel.calls import in_task
from service.channel.channels import Client
from service.core import Core
from service.extension import Serving
from service.extensions.hints import messages
from service.extensions.hints import problems as own
from service.extensions.hints.hints import Asked, Hints, HintsBusy
from service.extensions.hints.routes import hint_routes
from service.extensions.hints.row import HINT
from service.games.cached_game import CachedGame
from service.games.searches import SearchFailed
from service.live.network import budget_key
from service.server.rate_limit import LocalRateLimiter, QuotaPolicy

PLACES = {
    "terms": [{"term": "hints", "when": "alone", "ask": "open.hints", "how": "open.hints_how"}],
    "tools": [{
        "name": "hint", "term": "hints", "text": "ui.hint", "busy": "hint.thinks", "key": "h",
        "module": "pages/hint.js",
    }],
}  # fmt: skip
"""On pages of the core."""

A_MINUTE, AT_ONCE = 30, 10
"""How many hints a player, and a network, gets in a minute and at once, in each process. The hint about a choice counts
once, as long as it is in memory."""

AGAIN = {"Retry-After": "1"}


class Advice(NamedTuple):
    hint: Raw
    replayed: bool = False
    """An earlier request with the same key asked for it."""


class HintDesk:
    """Where players of this process ask for hints. `hints` exists while it runs."""

    hints: Hints

    def __init__(self, runtime: Core) -> None:
        self._runtime = runtime
        self._limiter = LocalRateLimiter(QuotaPolicy(A_MINUTE / 60, AT_ONCE, "hints"))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        core = self._runtime
        self.hints = hints = Hints(core.games, core.searches.turns, lambda: core.searches.waiting)
        core.metrics.counters["hints"] = "Hints that were computed.", lambda: hints.made
        core.metrics.gauges["hints_waiting"] = "Hints that are being computed or wait.", lambda: hints.waiting
        yield
        await hints.stop()

    async def answer(self, channel: Client, request: messages.AskForHint) -> messages.Hinted[Any]:
        """In the play channel."""
        player, cached, _ = await channel.find(request.game, request.invite)
        found = await in_task(self.ask(cached, player, channel.address, request.key))
        return messages.Hinted(request.id, request.game, cast(Any, found.hint), found.replayed)

    async def ask(self, cached: CachedGame, player: str, network: str, idempotency_key: str | None) -> Advice:
        """Raises a `ProblemError`, and what `Commands.execute` raises."""
        runtime, command = self._runtime, AskForHint()
        key = HINT.key(player, idempotency_key, command, cached.game.id)
        if key is None and (known := self.hints.known(cached, player)) is not None:
            return Advice(known)
        self._admit(player, network)
        replayed = False
        try:
            change = await runtime.commands.execute(cached, player, command, key)
            recorded, replayed = change.entries[0], change.replayed
            assert isinstance(recorded.event, Hinted)
            asked = Asked(cached.game.id, recorded.event.seat, recorded.version, network)
        except NoHint as error:
            raise ProblemError(own.NoHint(detail=str(error)) if error.args else own.NoHint()) from None
        except AlreadyHinted:
            asked = Asked(cached.game.id, cached.game.seats_of(player)[0], cached.game.version, network)
        try:
            return Advice(await self.hints.give(cached, asked), replayed)
        except HintsBusy as busy:
            raise refused(busy, " It is recorded that you asked; ask again.") from None
        except SearchFailed:
            detail = "The hint could not be computed. It is recorded that you asked; ask again."
            raise ProblemError(problems.Unavailable(detail=detail), AGAIN) from None

    def _admit(self, player: str, network: str) -> None:
        """Before the append: nothing is recorded that nobody answers."""
        try:
            self.hints.admit(network)
        except HintsBusy as busy:
            raise refused(busy) from None
        results = [self._limiter.hit(budget_key(each, network)) for each in (player, None)]
        if wait := max([result.retry_after for result in results]):
            detail = "You have asked for too many hints."
            raise ProblemError(problems.TooManyRequests(detail=detail), {"Retry-After": str(ceil(wait))})


def refused(busy: HintsBusy, more: str = "") -> ProblemError:
    kind = problems.Unavailable if busy.everybody else problems.TooManyRequests
    who = "players" if busy.everybody else "players of your network"
    return ProblemError(kind(detail=f"Too many {who} wait for hints.{more}"), {"Retry-After": str(busy.seconds)})


def serving(core: Core) -> Serving:
    desk = HintDesk(core)
    return Serving(
        of_games=partial(hint_routes, desk.ask, runtime=core),
        answers={messages.AskForHint: desk.answer},
        running=desk.running,
        places=PLACES,
    )
