"""Operations of extensions, too, are charged by what they cost."""

from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from service.api.operations import every_operation
from service.server import rate_limit
from service.server.compression import BYTES
from tests.support.clients import done, in_process

CHEAP = {"look", "legal_moves", "move", "advise", "hint", "say"}
"""A read of a game in memory, or little more: what is computed for them is bounded elsewhere."""
BY_EVENTS = {"events", "get_record", "audit", "film"}
"""These are charged by the events of the game: see `service.api.charges`."""


def test_every_operation_on_games_says_what_it_costs() -> None:
    assert {row.id for row in every_operation() if row.cost == 1} == CHEAP | BY_EVENTS


@pytest.mark.anyio
async def test_a_film_counts_for_its_events_when_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "time", SimpleNamespace(monotonic=lambda: 0.0))  # nothing is restored
    async with in_process(tmp_path / "games.db", rate_limit="1/5000", address_rate_limit="off") as service:
        players = await service.guests("Ann", "Bob")
        game = await service.table("skyjo", players)
        for each in players:
            done(await each.post(f"{game}/votes", {"on": "abort", "yes": True}))
        ann, costs = players[0], list[int]()
        left = remaining(looked := await ann.get(game))
        for _ in range(3):
            answer = await ann.get(f"{game}/film")
            before, left = left, remaining(answer)
            costs.append(before - left)
    sent = int(answer.headers["Content-Length"]) // BYTES
    assert costs == [1 + sent + done(looked)["version"], 1 + sent, 1 + sent]


def remaining(answer: httpx.Response) -> int:
    """How many requests the caller had left after this one."""
    assert answer.status_code == 200
    return int(answer.headers["RateLimit"].partition("r=")[2].partition(";")[0])
