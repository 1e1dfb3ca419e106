"""A restarted service shows the same, byte for byte, and knows every key. The log is the only truth."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.clients import Caller, Json, done, early, fewest, in_process, play_to_the_end, some_moves

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

PARTS = ("", "?at=3", "?with=tally", "/moves", "/events?limit=500", "/events?with=patch&limit=500", "/record", "/audit")
OF_ALL = ("", "?acting=me", "?invited=me", "?open=true&limit=2")


async def shown(players: list[Caller], games: list[str], ruleset: str) -> dict[tuple[str, str], bytes]:
    paths = [f"{game}{part}" for game in games for part in PARTS]
    paths += [f"/v1/games{query}" for query in OF_ALL] + ["/v1/players/me", f"/v1/standings/{ruleset}"]
    return {(who.id, path): (await who.get(path)).content for who in players for path in paths}


async def keyed(players: list[Caller], ruleset: str, game: str, chosen: Json) -> list[httpx.Response]:
    """A game is opened, a seat taken and left, and a move made, each with a key."""
    ann, bob, *_ = players

    def key(name: str) -> Any:
        return {"headers": {"Idempotency-Key": name}}

    answers = [await ann.post(f"/v1/games/{ruleset}", {"seats": fewest(ruleset)}, **key("open"))]
    path = done(answers[0], 201)["links"]["self"]
    answers.append(await bob.post(f"{path}/seats", {"seat": fewest(ruleset) - 1, "entropy": "B"}, **key("sit")))
    answers.append(await ann.post(f"{game}/moves", chosen, **key("move")))
    return answers


@pytest.mark.by_default("lost")
@pytest.mark.parametrize("projections", [True, False], ids=["kept", "lost"])
async def test_everything_is_the_same_after_a_restart(database: Path, ruleset: str, projections: bool) -> None:
    async with in_process(database) as service:
        players = await service.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(ruleset)])
        ann, bob, *_ = players
        eve = await service.guest("Eve")
        clocked = await service.table(ruleset, players, undo="agreed", clock={"bank": 3600, "increment": 5})
        hidden = await service.table(ruleset, players, private=True)
        over = await service.table(ruleset, players)
        alone = await ann.open(ruleset, hotseat=True)
        waiting = [
            await ann.open(ruleset, private=True),
            await ann.open(ruleset, ["me", {"player": bob.id}, *["open"] * (fewest(ruleset) - 2)]),  # type: ignore[arg-type]
        ]
        for game in (clocked, hidden):
            await some_moves(players, game, early(ruleset), 4)
        await some_moves([ann] * len(players), alone, early(ruleset), 4)
        await play_to_the_end(players, over)
        done(await ann.patch("/v1/players/me", {"name": "Anna"}))
        for game in (over, waiting[0], await ann.open(ruleset, hotseat=True)):
            assert (await ann.look(game))["seats"][0]["player"] == {"id": ann.id, "name": "Anna"}
        chosen = (await ann.moves(alone))[0]
        first = await keyed(players, ruleset, alone, chosen)
        games = [clocked, hidden, over, alone, *waiting]
        before = await shown([*players, eve, service.stranger], games, ruleset)
    if not projections:
        for file in database.parent.glob("*projections*"):
            file.unlink()
    async with in_process(database, max_cached_mib=0.001) as service:
        here = [player.at(service) for player in (*players, eve)]
        after = await shown([*here, service.stranger], games, ruleset)
        assert {place for place in before if before[place] != after[place]} == set()
        for answer, again in zip(first, await keyed(here, ruleset, alone, chosen), strict=True):
            assert again.headers["idempotency-replayed"] == "true"
            assert again.content == answer.content or again.json()["links"] == answer.json()["links"]
