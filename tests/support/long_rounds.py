"""Rounds that players make as long as they like, one small request after another."""

from tests.support.clients import Caller, Json


async def long_round(player: Caller, game: str, events: int) -> Json:
    """Play a hotseat game of Skyjo until it has this many events. The players take the discard and swap it into the
    slot that they turned up first, so no card is dealt and the round never ends. The last answer."""
    made: Json = {"game": await player.look(game)}
    while made["game"]["version"] < events:
        first = made["game"]["legal_moves"][0]
        made = await player.move(game, {"type": "take"} if first["type"] == "draw" else first)
    return made
