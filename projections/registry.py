"""All projections, and the events that they read."""

from projections import deadlines, lobby, standings, storage
from projections.deadlines import DEADLINES
from projections.lobby import LOBBY
from projections.standings import STANDINGS
from projections.storage import STORAGE

PROJECTIONS = (LOBBY, STANDINGS, STORAGE, DEADLINES)


def tags() -> list[str]:
    """The tags of all events that some projection reads, in games of any rules, also of those that are not loaded."""
    events = {*lobby.EVENTS, *standings.EVENTS, *storage.EVENTS, *deadlines.EVENTS}
    return sorted(str(event.__struct_config__.tag) for event in events)
