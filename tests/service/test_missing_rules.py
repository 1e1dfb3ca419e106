"""Games whose rules are not loaded: they can be read, commands are refused, no task fails, and nothing is lost."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.rulesets import RULESETS, VERSIONS
from service import databases, settings
from service.api.operations import GAME
from service.api.operations import every_operation as every_row
from service.clock import earlier, now
from service.games import commands, deadlines
from service.games import games as games_module
from service.runtime import Runtime
from service.tables import moderation
from tests.support.clients import Caller, any_of, done, in_process, problem
from tests.verifiers.standalone import by_description, outcome

pytestmark = pytest.mark.anyio

every_ruleset = pytest.mark.parametrize("ruleset", list(RULESETS))
HOUR = 3_600


@pytest.fixture(autouse=True)
def _in_order() -> Iterator[None]:
    """What monkeypatch puts back is the last of the registry. Other tests play its first ruleset."""
    registries = RULESETS, VERSIONS
    before = [dict(each) for each in registries]
    yield
    for registry, kept in zip(registries, before, strict=True):
        registry.clear()
        registry.update(kept)


def unload(monkeypatch: pytest.MonkeyPatch, ruleset: str) -> None:
    """From now on processes start without the rules."""
    monkeypatch.delitem(VERSIONS, RULESETS[ruleset].rules)
    monkeypatch.delitem(RULESETS, ruleset)


async def begun(players: list[Caller], ruleset: str, moves: int = 12, **terms: Any) -> str:
    """A game with this number of moves."""
    ann, *others = players
    game, dice = await ann.open(ruleset, len(players), **terms), Random(ruleset)
    for player in others:
        await player.sit(game, invite=(await ann.look(game)).get("invite", ""))
    for _ in range(moves):
        seat = (await ann.look(game))["to_act"][0]
        await players[seat].move(game, any_of(await players[seat].moves(game), dice))
    return game


@every_ruleset
@pytest.mark.turns("rulesets")
async def test_games_are_read_by_the_stored_description_and_go_on_when_the_rules_are_back(
    ruleset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat sees what a bystander sees. Of a game that is over everything is open, and the record is the same."""
    names = ("Ann", "Ben", "Cem")[: max(2, min(RULESETS[ruleset].seats))]
    async with in_process(tmp_path / "games.db") as service:
        players = await service.guests(*names)
        game = await begun(players, ruleset, undo="free", clock={"bank": HOUR})
        over = await players[0].open(ruleset, hotseat=True)
        await players[0].delete(f"{over}/seats/0")
        hidden = await service.stranger.events(game)
        before = [await each.look(game) for each in players]
        record = done(await service.stranger.get(f"{game}/record"))
        rules = done(await service.stranger.get(f"/v1/rulesets/{ruleset}/description"))
    with monkeypatch.context() as without:
        unload(without, ruleset)
        async with in_process(tmp_path / "games.db") as service:
            here = [each.at(service) for each in players]
            for seat, each in enumerate(here):
                seen = done(await each.get(game))
                stays = before[seat] | {"view": None, "legal_moves": []}
                assert seen == stays | {"undo": seen["undo"], "clock": seen["clock"]}
                seen_events = await each.events(game)
                assert all(event["by"] == seat for event in seen_events if "move" in event)
                assert [{name: event[name] for name in event if name != "move"} for event in seen_events] == hidden
                assert done(await each.get(f"{game}/record?as=bystander")) == record
            for checks in by_description(record, json.dumps(rules, separators=(",", ":"), sort_keys=True).encode()):
                assert False not in outcome(checks).values()
            assert done(await here[0].get(f"{game}?at=5&with=tally"))["version"] == 5
            found = done(await here[0].get("/v1/games"))["items"]
            assert {each["ruleset"] for each in found} == {ruleset}
            for operation in every_row():
                if not operation.path.startswith(GAME) or operation.without_rules:
                    continue
                path = game + operation.path.partition("}")[2].replace("{seat:str}", "0").replace("{version:str}", "9")
                answer = await here[0].send(operation.method, path, {} if operation.method == "POST" else None)
                refused = problem(answer, 409, "rules-missing")
                assert (refused["rules"], refused["package"]) == (before[0]["rules"], "stammtisch")
            assert (await here[0].post(f"/v1/games/{ruleset}", {"seats": 2})).status_code == 404
    async with in_process(tmp_path / "games.db") as service:
        here = [each.at(service) for each in players]
        again = [await each.look(game) for each in here]
        assert [each["view"] for each in again] == [each["view"] for each in before]
        seat = again[0]["to_act"][0]
        await here[seat].move(game, again[seat]["legal_moves"][0])


async def test_private_games_stay_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with in_process(tmp_path / "games.db") as service:
        ann, ben, eve = await service.guests("Ann", "Ben", "Eve")
        game = await begun([ann, ben], "skyjo", private=True)
        invite = (await ann.look(game))["invite"]
    unload(monkeypatch, "skyjo")
    async with in_process(tmp_path / "games.db") as service:
        for caller in (eve.at(service), service.stranger):
            for path in (game, f"{game}/events", f"{game}/record"):
                problem(await caller.get(path), 404, "not-found")
        assert done(await eve.at(service).get(game, invite=invite))["you"] is None
        assert (await ann.at(service).look(game))["invite"] == invite


async def test_in_a_hotseat_game_everything_but_the_secret_stays_visible_to_its_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with in_process(tmp_path / "games.db") as service:
        ann = await service.guest("Ann")
        game = await ann.open("skyjo", hotseat=True)
        before = await ann.events(game, as_="all")
    unload(monkeypatch, "skyjo")
    async with in_process(tmp_path / "games.db") as service:
        assert await ann.at(service).events(game, as_="all") == before
        assert before[0]["event"]["secret"] is None
        problem(await service.stranger.get(game, as_="all"), 403, "forbidden")


async def test_games_of_a_version_that_is_gone_are_read_and_those_of_the_next_one_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The routes are those of the ruleset. With both versions, games keep theirs."""
    first, second = RULESETS["skyjo"], replace(RULESETS["skyjo"], version=2)
    async with in_process(tmp_path / "games.db") as service:
        players = await service.guests("Ann", "Ben")
        game = await begun(players, "skyjo")
    monkeypatch.setitem(VERSIONS, second.rules, second)
    monkeypatch.setitem(RULESETS, "skyjo", second)
    async with in_process(tmp_path / "games.db") as service:
        ann, _ = here = [each.at(service) for each in players]
        seat = (await ann.look(game))["to_act"][0]
        moved = await here[seat].move(game, (await here[seat].moves(game))[0])
        later = await begun(here, "skyjo")
        assert (moved["game"]["rules"], (await ann.look(later))["rules"]) == (first.rules, second.rules)
    monkeypatch.delitem(VERSIONS, first.rules)
    async with in_process(tmp_path / "games.db") as service:
        ann, _ = here = [each.at(service) for each in players]
        seen = await ann.look(game)
        assert (seen["rules"], seen["view"], seen["status"]) == (first.rules, None, "running")
        assert len(await ann.events(game)) == seen["version"]
        problem(await ann.get(f"{game}/moves"), 409, "rules-missing")
        for each in here:
            problem(await each.post(f"{game}/moves", {"type": "draw"}), 409, "rules-missing")
            problem(await each.post(f"{game}/votes", {"on": "abort", "yes": True}), 409, "rules-missing")
        assert done(await ann.get(f"{game}/audit"))["ok"] is False
        seat = (await ann.look(later))["to_act"][0]
        await here[seat].move(later, (await here[seat].moves(later))[0])


@asynccontextmanager
async def running(database: Path) -> AsyncIterator[Runtime]:
    runtime = Runtime(settings.read({}, database=str(database)))
    await runtime.start()
    try:
        yield runtime
    finally:
        await runtime.stop()


async def versions(runtime: Runtime, ids: dict[str, str]) -> list[int]:
    return [(await runtime.games.find_any(each)).game.version for each in ids.values()]


async def test_no_task_fails_because_of_missing_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Deadlines, waiting games, former players and orders of the operator; and what they left undone is done later."""
    database = tmp_path / "games.db"
    async with in_process(database) as service:
        ann, ben, cem = await service.guests("Ann", "Ben", "Cem")
        timed = await begun([ann, ben], "skyjo", clock={"bank": 60})
        waits = await ben.open("skyjo", 2)
        left = await begun([cem, ben], "skyjo", absent="random/1")
    later = earlier(now(), -HOUR)
    for module in (commands, deadlines):
        monkeypatch.setattr(module, "wall_clock", lambda: games_module.wall_clock() + HOUR * 1_000_000)
    monkeypatch.setattr(games_module, "now", lambda: later)
    ids = {name: path.rpartition("/")[2] for name, path in (("timed", timed), ("waits", waits), ("left", left))}
    with monkeypatch.context() as without:
        unload(without, "skyjo")
        async with running(database) as runtime:
            assert "3 games cannot go on" in await runtime.stuck() and "skyjo of stammtisch" in await runtime.stuck()
            monkeypatch.setattr(runtime.games, "_waiting_timeout", 60.0)
            await runtime.projection_runner.caught_up()
            before = await versions(runtime, ids)
            await runtime.deadline_sweeper.sweep()
            await runtime.sweeper.sweep()
            await runtime.departures.forget(cem.id)
            await runtime.departures.sweep()
            engine = databases.projections(runtime.settings)
            ordering = databases.mutable(runtime.settings, engine)
            await ordering.change(lambda c: moderation.record(c, "abort", ids["left"], None, now(), open=True))
            await runtime.orders.sweep()
            assert await versions(runtime, ids) == before
            assert [player for player, _ in await runtime.players.leaving()] == [cem.id]
    assert not [each for each in caplog.records if each.exc_info or each.levelname == "ERROR"]
    async with running(database) as runtime:
        assert await runtime.stuck() == ""
        await runtime.projection_runner.caught_up()
        monkeypatch.setattr(runtime.games, "_waiting_timeout", 60.0)
        monkeypatch.setattr(deadlines, "wall_clock", lambda: games_module.wall_clock() + 2 * HOUR * 1_000_000)
        await runtime.deadline_sweeper.sweep()
        await runtime.sweeper.sweep()
        found = {name: await runtime.games.find_any(each) for name, each in ids.items()}
        assert found["timed"].game.gone and found["waits"].game.status == "aborted" and found["left"].game.gone
