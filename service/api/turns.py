"""My turns: the running games in which a player must act.

No move writes anything for it: the games of a player come from the projections, and who must act from the games in
memory, or from the last event of each in the log. Games with a clock are loaded, because what a player has left of
their time follows from the whole log.
"""

from collections.abc import Iterable

from msgspec import UNSET
from msgspec.structs import replace

from domain.ruleset import Seat
from projections.lobby import Page, RunningGame, Search, page_of, running, seats_of
from service.clock import text_of
from service.core import Core
from service.games.errors import NoSuchGame, RulesMissing


async def turns(runtime: Core, player: str, search: Search, cursor: str | None, limit: int) -> Page:
    """At most `limit` of these games after the cursor: those first in which the player's time runs out first, then
    those without a clock, newest first. Raises `Unavailable`."""
    await runtime.projection_runner.caught_up()
    found = await runtime.ask(running, player, search)
    turn = await runtime.games.turns([each.listed.id for each in found])
    acting = []
    for each in found:
        now = turn.get(each.listed.id)
        if now is None or set(now.acting).isdisjoint(seats_of(each.listed, player)):
            continue
        shown = each._replace(listed=replace(each.listed, to_act=now.acting, changed_at=now.at))
        acting.append(shown if each.listed.clock is UNSET else await _with_deadline(runtime, player, shown))
    return page_of(acting, cursor, limit)


async def _with_deadline(runtime: Core, player: str, found: RunningGame) -> RunningGame:
    """The game with the time at which that of the player runs out."""
    listed = found.listed
    end = await deadline(runtime, listed.id, seats_of(listed, player))
    if end is None:  # the player has moved meanwhile
        return found
    return found._replace(runs_out=end, listed=replace(listed, runs_out=text_of(end)))


async def deadline(runtime: Core, game_id: str, seats: Iterable[Seat]) -> int | None:
    """When the time of one of these seats runs out, in microseconds from 1970; None if no dial of theirs runs."""
    try:
        times = (await runtime.games.find_any(game_id)).times
    except (NoSuchGame, RulesMissing):
        return None
    ends = [] if times is None else [times.runs_out(seat) for seat in seats]
    return min((end for end in ends if end is not None), default=None)
