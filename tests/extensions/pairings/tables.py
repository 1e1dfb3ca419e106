"""Pairings for tests: players, requests, and games played to the end."""

from random import Random
from typing import Any

from tests.support.clients import Caller, Json, any_of, done

RULESET, BOT = "scout", "careful/1"


def kept(*callers: Caller) -> list[Json]:
    return [{"player": each.id} for each in callers]


async def pair(who: Caller, key: str = "round-1", **body: Any) -> Json:
    """A new pairing."""
    sent = {"ruleset": RULESET, **body}
    return done(await who.post("/v1/pairings", sent, headers={"Idempotency-Key": key}), 201)


async def challenge(who: Caller, key: str = "challenge", **body: Any) -> Json:
    return await pair(who, key, **{"deal": "same", "seats": ["me", BOT, BOT], "most": 2, **body})


async def look(who: Caller, pairing: Json, **query: Any) -> Json:
    return done(await who.get(f"/v1/pairings/{pairing['id']}", **query))


async def ask(who: Caller, pairing: Json, status: int = 201, **query: Any) -> Json:
    """The caller's own table."""
    return done(await who.post(f"/v1/pairings/{pairing['id']}/tables", **query), status)


async def play_out(who: Caller, game: str, seed: int = 7) -> Json:
    """Play a game against bots to its end."""
    seen, dice = await who.look(game), Random(seed)
    while seen["status"] == "running":
        seen = (await who.move(game, any_of(seen["legal_moves"], dice)))["game"]
    assert seen["status"] == "finished"
    return seen
