"""The functions that a move passes, in order: data for the picture and the table of docs/architecture.md.

A test looks each of them up. `python -m tests.bench anatomy` measures a real move.
"""

from typing import Literal, NamedTuple, TypeAlias

Lane: TypeAlias = Literal["service", "domain", "writer"]


class Step(NamedTuple):
    """A function by `module:qualified.name`, the lane of the picture in which it runs, and what it does."""

    function: str
    lane: Lane
    does: str

    @property
    def module(self) -> str:
        return self.function.partition(":")[0]

    @property
    def name(self) -> str:
        return self.function.partition(":")[2]


STEPS = (
    Step("service.server.connection:ClientConnection.on_headers_complete", "service", "parse the request"),
    Step("service.server.edge:EdgeMiddleware.__call__", "service", "edge: limits, access log, metrics"),
    Step("service.server.auth:read_bearer", "service", "read the token"),
    Step("service.server.rate_limit:RateLimits.hit", "service", "count the request"),
    Step("service.rest.fast_path:FastPath.__call__", "service", "fast path past the framework"),
    Step("service.rest.routes.games:_move.<locals>.move", "service", "the route's handler"),
    Step("service.games.games:Games.running", "service", "find the game in memory"),
    Step("service.rest.input.bodies:body", "service", "decode the body strictly"),
    Step("service.games.commands:Commands.execute", "service", "the use case: lock the game, look for the key"),
    Step("domain.game.decisions:decide", "domain", "who may? is it running?"),
    Step("domain.rulesets.skyjo.rules:decide", "domain", "is the move legal? which events follow?"),
    Step("domain.game.consequences:decision", "domain", "apply them; the dealer, the end"),
    Step("domain.game.log:written", "domain", "entries with their hashes"),
    Step("service.log.game_log:GameLog.put", "service", "hand the rows to the writer"),
    Step("service.log.group_commit:GroupCommit.__call__", "writer", "commit all that wait together"),
    Step("service.log.bulk_insert:BulkInsert.insert", "writer", "insert the rows, wait for the disk"),
    Step("service.games.cached_game:CachedGame.advance", "service", "update the game in memory"),
    Step("service.live.subscriptions:Subscriptions.notify", "service", "notify live streams"),
    Step("service.api.game_resource:current_resource", "service", "the game after the move"),
    Step("domain.game.log:redacted", "domain", "the events as the mover sees them"),
    Step("service.server.cycle:ResponseCycle.respond", "service", "send the response"),
)
