"""All projections, and the events that they read."""

from domain.rulesets import VERSIONS
from projections import deadlines, lobby, standings, storage
from projections.deadlines import DEADLINES
from projections.lobby import LOBBY
from projections.standings import STANDINGS
from projections.storage import STORAGE

PROJECTIONS = (LOBBY, STANDINGS, STORAGE, DEADLINES)


def topics() -> list[str]:
    """The topics of all events that some projection reads, by every rules version."""
    events = {*lobby.EVENTS, *standings.EVENTS, *storage.EVENTS, *deadlines.EVENTS}
    return [f"{rules}.{event.__struct_config__.tag}" for rules in VERSIONS for event in events]
