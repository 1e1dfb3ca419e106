"""My turns: the running games in which a player must act.

No move writes anything for it: the games of a player come from the projections, and who must act from the games in
memory, or from the last event of each in the log.
"""

from msgspec.structs import replace

from projections.lobby import Page, Search, page_of, running, seats_of
from service.runtime import Runtime


async def turns(runtime: Runtime, player: str, search: Search, cursor: str | None, limit: int) -> Page:
    """At most `limit` of these games after the cursor, newest first. Raises `Unavailable`."""
    await runtime.projection_runner.caught_up()
    found = await runtime.ask(running, player, search, cursor)
    turn = await runtime.games.turns([each.listed.id for each in found])
    acting = [
        each._replace(listed=replace(each.listed, to_act=now.acting, changed_at=now.at))
        for each in found
        if (now := turn.get(each.listed.id)) and not set(now.acting).isdisjoint(seats_of(each.listed, player))
    ]
    return page_of(acting, limit)
