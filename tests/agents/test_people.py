"""A league at a service: people play there, and the league sits down for everybody else."""

import asyncio
import gzip
import json
import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agents.arena.journal import Journal
from agents.league import rest
from agents.league.figures import Results, rows
from agents.league.folder import PLAYERS, RECORDS, RESULTS, check, decoded
from domain.fairness.record import decode
from service.__main__ import main
from tests.agents.test_league import records_of, toml
from tests.support.clients import Caller, Service, any_of, beside, done
from tests.support.listening import over_http
from tests.support.served_bots import Answering, Served

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest, "PAUSE", 0.05)
    monkeypatch.setattr("agents.arena.boards.WORLDS", 1)


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    async with over_http(tmp_path_factory.mktemp("people") / "games.db", days="none") as running:
        yield running


async def take_part(who: Caller, leaves: bool = False) -> None:
    """Sits down wherever a seat is kept, and plays at random, until it is cancelled. `leaves`: it never moves."""
    dice = Random(who.name)
    while True:
        acting = done(await who.get("/v1/games", acting="me"))["items"]
        for game in acting:
            path = f"/v1/games/{game['ruleset']}/{game['id']}"
            seen = await who.look(path)
            if leaves:
                await who.delete(f"{path}/seats/{seen['you']}", running="true")
            elif seen["legal_moves"]:
                await who.move(path, any_of(seen["legal_moves"], dice))
        if not acting:
            for game in done(await who.get("/v1/games", invited="me"))["items"]:
                await who.sit(f"/v1/games/{game['ruleset']}/{game['id']}")
            await asyncio.sleep(0.05)


async def league(service: Service, file: str, folder: Path, *flags: str) -> int:
    url = str(service.http.base_url)
    return await asyncio.to_thread(main, ["league", file, str(folder), "--service", url, *flags])


async def test_people_play_a_league_whose_records_verify(service: Service, tmp_path: Path) -> None:
    """Two tables a board: the person meets house players, and everything can be checked from the records."""
    ann, olga = await service.guests("Ann", "Olga")
    bots = {"Ann": f"player:{ann.id}", "careful": "careful", "erring": "erring:50"}
    file, folder = toml(tmp_path / "l.toml", bots, boards=2), tmp_path / "l"
    (tmp_path / "olga").write_text(olga.token + "\n")
    async with beside(take_part(ann)):
        assert await league(service, file, folder, "--review", "--organiser", str(tmp_path / "olga")) == 0
    assert len(done(await olga.get("/v1/pairings"))["items"]) == 2
    results = decoded(folder / RESULTS, Results)
    assert len(results.terms.entrant) == 4 and len(results.counted) == 2 and results.weighed
    assert check(folder, lambda _: None) == []
    assert (folder / PLAYERS).stat().st_mode & 0o077 == 0
    found = [decode(each) for each in records_of(folder)]
    assert sum([seat.player == ann.id for record in found for seat in record.seats]) == 2
    assert all(row.replaced == row.forfeits == 0 for row in rows(results))


@pytest.mark.parametrize(
    ("player", "url", "says"),
    [
        ("00000000-0000-4000-8000-000000000000", "", "There is no such player"),
        ("x:1", "http://no.invalid", "no.invalid"),
    ],
)
async def test_what_cannot_be_played_is_refused_with_a_reason(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str], player: str, url: str, says: str
) -> None:
    file = toml(tmp_path / "l.toml", {"Ann": f"player:{player}", "careful": "careful"}, boards=2)
    at = url or str(service.http.base_url)
    assert await asyncio.to_thread(main, ["league", file, str(tmp_path / "l"), "--service", at]) == 2
    assert says in capsys.readouterr().err
    assert main(["league", file, str(tmp_path / "other")]) == 2
    assert "needs `--service URL`" in capsys.readouterr().err


class Killed(BaseException):
    """The league ends here."""


@pytest.mark.checked
async def test_a_league_that_was_killed_opens_no_board_again_and_asks_for_no_answer_twice(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serve: Callable[[Answering], Served]
) -> None:
    """The person leaves each game at once: random/1 plays for her, and she forfeits it."""
    ann, bot = await service.guest("Ann"), serve(lambda _: b'{"index":0}')
    bots = {"Ann": f"player:{ann.id}", "agent": bot.url}
    file, folder = toml(tmp_path / "l.toml", bots, boards=2), tmp_path / "l"
    write, left = Journal.write, [4]

    def deadly(journal: Journal, *entry: Any) -> None:
        write(journal, *entry)
        left[0] -= 1
        if left[0] == 0:  # the answer is known, the move is not made
            raise Killed

    monkeypatch.setattr(Journal, "write", deadly)
    async with beside(take_part(ann, leaves=True)):
        for choices in (5, 10**6):
            with pytest.raises(BaseExceptionGroup):
                await league(service, file, folder, *["--resume"] * folder.exists())
            left[0] = choices
        assert await league(service, file, folder, "--resume") == 0
    lines = [json.loads(line) for line in (folder / "choices.ndjson").read_text().splitlines()[1:]]
    keys = [(line["board"], *line["seating"], line["move"]) for line in lines]
    assert len(keys) == len(set(keys))
    repeated = len(bot.asked) - len([line for line in lines if line["bot"] == 1])
    assert 0 <= repeated <= 2, "a question on the way is asked again, one for each death"
    owner = Caller(service.http, json.loads((folder / PLAYERS).read_bytes())[rest.OWNER])
    assert len(done(await owner.get("/v1/pairings"))["items"]) == 2
    results = decoded(folder / RESULTS, Results)
    found = {results.terms.entrant[row.entrant].name: row for row in rows(results)}
    assert found["Ann"].forfeits == 2 and found["Ann"].replaced > 2 and found["agent"].replaced == 0
    assert check(folder, lambda _: None) == []


@pytest.mark.by_default()
async def test_boards_to_which_somebody_does_not_come_count_for_nobody(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After some of them the league stops, and says who was not there. Resumed, it goes on with the next board."""
    ann = await service.guest("Ann")
    bots = {"Ann": f"player:{ann.id}", "careful": "careful"}
    file, folder = toml(tmp_path / "l.toml", bots, boards=3, sit=1, strikes=1), tmp_path / "l"
    assert await league(service, file, folder) == 2
    assert "one after the other: 1. Not there: Ann." in capsys.readouterr().err
    async with beside(take_part(ann)):
        assert await league(service, file, folder, "--resume") == 0
    results = decoded(folder / RESULTS, Results)
    assert [board.number for board in results.counted] == [1, 2] and results.missed == {0: 1}
    assert "because a game has no result: 1. Not there (boards): Ann (1)." in (folder / "index.html").read_text()
    assert check(folder, lambda _: None) == []
    for change, says in (
        (lambda lines: lines[2:], "records of board 1 are not those"),
        (lambda lines: [lines[1], lines[0], *lines[2:]], "somebody else has the seat"),
        (lambda lines: [*lines[:2], *lines[:2]], "one is there twice"),
    ):
        changed = gzip.compress(b"\n".join(change(records_of(folder))) + b"\n")
        (copy := shutil.copytree(folder, tmp_path / says) / RECORDS).write_bytes(changed)
        assert says in " ".join(check(copy.parent, lambda _: None))
