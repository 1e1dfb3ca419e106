"""The tournament that is a program: it keeps nothing, so it can be killed at any step."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.support.clients import Caller, beside, done, play_to_the_end
from tests.support.listening import over_http

tournament = pytest.importorskip("examples.tournament", reason="needs the extra `tournament`")

pytestmark = pytest.mark.anyio

PLAYERS, KILLS = 5, 20


class Killed(BaseException):
    """The program ends here."""


async def take_part(people: list[Caller]) -> None:
    """Sit down wherever a seat is kept, and play each game at random when its table is full, until cancelled."""
    by_id = {who.id: who for who in people}
    while True:
        for who in people:
            for game in done(await who.get("/v1/games", invited="me"))["items"]:
                path = f"/v1/games/{game['ruleset']}/{game['id']}"
                seen = await who.sit(path)
                if seen["status"] == "running":
                    await play_to_the_end([by_id[seat["player"]["id"]] for seat in seen["seats"]], path)
        await asyncio.sleep(0.02)


@pytest.mark.checked
@pytest.mark.slow
@pytest.mark.by_default("swiss")
@pytest.mark.parametrize("system", ["swiss", "knockout", "robin"])
async def test_killed_at_any_step_it_opens_each_round_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], system: str
) -> None:
    monkeypatch.setattr(tournament, "PAUSE", 0.05)
    asked, allowed, real = [0], [0], tournament.Service.ask

    def ask(self: Any, *given: Any, **more: Any) -> Any:
        if asked[0] == allowed[0]:
            raise Killed
        asked[0] += 1
        return real(self, *given, **more)

    monkeypatch.setattr(tournament.Service, "ask", ask)
    async with over_http(tmp_path / "games.db", days="none") as service:
        olga = await service.guest("Olga")
        people = [await service.guest(f"P{number}") for number in range(PLAYERS)]
        arguments = [
            str(service.http.base_url), olga.token, "--name", "monday", "--game", "scout",
            "--system", system, "--rounds", "3",
            *[who.id for who in people],
        ]  # fmt: skip
        async with beside(take_part(people)):
            for step in range(1, 60):
                asked[0], allowed[0] = 0, step if step <= KILLS else 1_000_000
                try:
                    assert await asyncio.to_thread(tournament.main, arguments) == 0
                    break
                except Killed:
                    capsys.readouterr()
            once = capsys.readouterr().out
            allowed[0] = 1_000_000
            asked[0] = 0
            assert await asyncio.to_thread(tournament.main, arguments) == 0
        assert capsys.readouterr().out == once
        rounds = {"swiss": 3, "knockout": 3, "robin": 5}[system]
        listed = done(await olga.get("/v1/pairings"))["items"]
        assert sorted(each["name"] for each in listed) == [f"monday-{system}-{n}" for n in range(1, rounds + 1)]
        ranked = once.splitlines()[-PLAYERS:]
        assert sorted(line.split()[1] for line in ranked) == sorted(who.id for who in people)
        points = sum(float(line.split()[2]) for line in ranked)
        tables = {"swiss": 3 * 2, "knockout": 2 + 1 + 1, "robin": 10}[system]
        byes = {"swiss": 3, "knockout": 2, "robin": 5}[system]
        assert points == tables + byes


def test_who_did_not_sit_down_or_left_loses() -> None:
    def table(one: bool, two: bool) -> dict[str, Any]:
        return {"seats": [{"sitting": one}, {"sitting": two}]}

    assert tournament.got(table(True, False)) == (1, 0)
    assert tournament.got(table(False, False)) == (0, 0)
    assert tournament.got({"points": [3, 3]}) == (0.5, 0.5)
    assert tournament.got({"points": [-3, 4]}) == (0, 1)
    assert tournament.got({"points": [None, -4]}) == (0, 1)
