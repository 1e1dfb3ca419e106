"""Spans for what a command does under the lock of its game."""

from typing import Any

from opentelemetry.trace import Tracer

from domain.game import Decision
from domain.game.commands import Command
from domain.game.log import RequestKey
from service.games.cached_game import CachedGame
from service.games.games import Games
from service.games.known_games import Change


class TracedGames(Games):
    """Games with a span `decide` for each decision, and `commit` for each append: hashing it, waiting for the writer,
    and the commit. They name the game, and neither moves nor cards."""

    def __init__(self, tracer: Tracer, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tracer = tracer

    def _decide(self, cached: CachedGame, by: str | None, command: Command) -> Decision:
        # A command that is refused is no failure, and what the exception says is for its player only.
        with self._tracer.start_as_current_span(
            "decide", attributes=_of(cached), record_exception=False, set_status_on_exception=False
        ):
            return super()._decide(cached, by, command)

    async def _append(
        self, cached: CachedGame, decided: Decision, key: RequestKey | None, at: str | None = None
    ) -> Change:
        attributes = {**_of(cached), "stammtisch.events": len(decided.events)}
        with self._tracer.start_as_current_span("commit", attributes=attributes):
            return await super()._append(cached, decided, key, at)


def _of(cached: CachedGame) -> dict[str, Any]:
    return {
        "stammtisch.game": cached.game.id, "stammtisch.ruleset": cached.rules.name,
        "stammtisch.version": cached.game.version,
    }  # fmt: skip
