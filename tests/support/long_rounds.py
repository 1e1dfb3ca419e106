"""Rounds that players make as long as they like, one small request after another."""

from tests.support.clients import Caller, Json


async def long_round(player: Caller, game: str, events: int, *others: Caller) -> Json:
    """Play a game of Skyjo until it has this many events: a hotseat game, or one with `others` at the seats from 1 on.
    The players take the discard and swap it into the slot that they turned up first, so no card is dealt and the round
    never ends. The last answer."""
    made: Json = {"game": await player.look(game)}
    while made["game"]["version"] < events:
        mover, seen = player, made["game"]
        if others:
            mover = (player, *others)[seen["to_act"][0]]
            seen = await mover.look(game)
        first = seen["legal_moves"][0]
        made = await mover.move(game, {"type": "take"} if first["type"] == "draw" else first)
    return made
