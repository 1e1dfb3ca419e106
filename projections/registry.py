"""All projections, and the events that they read."""

from domain.rulesets import VERSIONS
from projections import lobby, players, standings, storage
from projections.lobby import LOBBY
from projections.players import PLAYERS
from projections.standings import STANDINGS
from projections.storage import STORAGE

PROJECTIONS = (LOBBY, PLAYERS, STANDINGS, STORAGE)


def topics() -> list[str]:
    """The topics of all events that some projection reads: of games by every rules version, and of players."""
    of_games = {*lobby.EVENTS, *players.GAME_EVENTS, *standings.EVENTS, *storage.EVENTS}
    return [
        *(f"{rules}.{event.__struct_config__.tag}" for rules in VERSIONS for event in of_games),
        *(f"player.{event.__struct_config__.tag}" for event in players.EVENTS),
    ]
