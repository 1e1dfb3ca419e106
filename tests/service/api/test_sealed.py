"""Sealed entropies over HTTP and over the play channel: sitting down with a seal, readying, leaving, expiring."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.fairness.chance import seal
from service.games import sealed_seats
from tests.support import clocks
from tests.support.channels import channel, game_name
from tests.support.clients import Caller, Service, done, fewest, in_process, play_to_the_end, problem
from tests.support.clocks import WallClock
from tests.support.listening import over_http

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

MINUTE = 60.0


async def sit(who: Caller, game: str, seat: int, **fields: Any) -> Any:
    sealed = seal(game.rpartition("/")[2], seat, f"of {seat}")
    return await who.post(f"{game}/seats", {"seat": seat, "seal": sealed} | fields)


async def ready(who: Caller, game: str, seat: int) -> Any:
    return await who.post(f"{game}/ready", {"entropy": f"of {seat}"})


async def taken(players: list[Caller], ruleset: str, **terms: Any) -> str:
    """A sealed game whose seats are taken."""
    game = await players[0].open(ruleset, len(players), sealed=True, **terms)
    for seat, player in enumerate(players):
        done(await sit(player, game, seat))
    return game


async def test_a_sealed_game_begins_when_all_players_are_ready(players: list[Caller], ruleset: str) -> None:
    game = await players[0].open(ruleset, len(players), sealed=True)
    opened = await players[0].look(game)
    assert (opened["sealed"], opened["you"], opened["seats"][0]["reserved"]["id"]) == (True, None, players[0].id)
    for seat, player in enumerate(players):
        seen = done(await sit(player, game, seat))
        assert (seen["status"], seen["seats"][seat]["entropy"]) == ("waiting", "")
        assert seen["seats"][seat]["seal"] == seal(seen["id"], seat, f"of {seat}")
    for seat, player in enumerate(players):
        assert (seen["status"], "ready" in seen["seats"][seat]) == ("waiting", False)
        seen = done(await ready(player, game, seat))
        assert seen["seats"][seat]["entropy"] == f"of {seat}"
        assert seen["seats"][seat].get("ready") is (True if seen["status"] == "waiting" else None)
    assert (seen["status"], "seal" in seen["seats"][0]) == ("running", False)
    await play_to_the_end(players, game)
    audit = done(await players[0].get(f"{game}/audit"))
    assert all(check["ok"] for check in audit["checks"]), audit
    record = done(await players[0].get(f"{game}/record"))
    assert [seat["entropy"] for seat in record["seats"]] == [f"of {seat}" for seat in range(len(players))]


async def test_what_a_sealed_game_refuses(players: list[Caller], eve: Caller, ruleset: str) -> None:
    ann, bob, *_ = players
    plain = await ann.open(ruleset, sit=False)
    problem(await sit(ann, plain, 0), 409, "wrong-seal")
    problem(await ready(eve, plain, 0), 403, "not-seated")
    game = await ann.open(ruleset, len(players), sealed=True)
    problem(await ann.post(f"{game}/seats", {"entropy": "x"}), 409, "wrong-seal")
    problem(await sit(ann, game, 0, entropy="x"), 409, "wrong-seal")
    for wrong in ("", "0" * 63, "A" * 64, "0" * 64 + "\n", 7):
        problem(await sit(ann, game, 0, seal=wrong), 400, "malformed")
    done(await sit(ann, game, 0))
    problem(await ready(ann, game, 0), 409, "cannot-ready")
    for seat, player in enumerate(players[1:], 1):
        done(await sit(player, game, seat))
    problem(await ready(ann, game, 1), 409, "cannot-ready")
    problem(await ready(eve, game, 0), 403, "not-seated")
    problem(await ann.post(f"{game}/ready", {}), 400, "malformed")
    keyed = {"Idempotency-Key": "ready"}
    first = await ann.post(f"{game}/ready", {"entropy": "of 0"}, headers=keyed)
    again = await ann.post(f"{game}/ready", {"entropy": "of 0"}, headers=keyed)
    assert (done(first), again.headers["idempotency-replayed"]) == (done(again), "true")
    problem(await ready(ann, game, 0), 409, "cannot-ready")
    problem(await bob.delete(f"{game}/seats/1"), 409, "seats-fixed")
    problem(await bob.delete(f"{game}/seats/1?running=true"), 409, "seats-fixed")
    assert done(await ann.delete(game))["cause"] == "cancelled"


@pytest.mark.parametrize("terms", [{"entropy": "x"}, {"hotseat": True}])
async def test_terms_that_no_sealed_game_has(ann: Caller, ruleset: str, terms: dict[str, Any]) -> None:
    problem(await ann.post(f"/v1/games/{ruleset}", {"seats": 2, "sealed": True} | terms), 400, "malformed")


async def test_a_rematch_of_a_sealed_game_is_sealed_and_keeps_the_seats(players: list[Caller], ruleset: str) -> None:
    game = await taken(players, ruleset)
    for seat, player in enumerate(players):
        done(await ready(player, game, seat))
    await play_to_the_end(players, game)
    problem(await players[0].post(f"{game}/rematch", {"entropy": "x"}), 409, "wrong-seal")
    answers = [await player.post(f"{game}/rematch", {}) for player in players]
    assert [each.status_code for each in answers] == [201] + [200] * (len(players) - 1)
    again = answers[0].headers["location"]
    for seat, player in enumerate([*players[1:], players[0]]):
        seen = done(await sit(player, again, seat))
    assert (seen["sealed"], seen["status"], seen["rematch_of"]) == (True, "waiting", game.rpartition("/")[2])


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Iterator[WallClock]:
    yield from clocks.set_forward(monkeypatch)


@pytest.fixture
async def house(database: Path, wall: WallClock, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Service]:  # noqa: ARG001
    """A service whose clock the test sets, without sweeps."""
    clocks.no_sweeps(monkeypatch)
    async with in_process(database) as service:
        yield service


@pytest.mark.parametrize(
    ("terms", "seconds"),
    [({}, 10 * MINUTE), ({"clock": {"bank": 60}}, 10 * MINUTE), ({"clock": {"bank": 86_400}}, 86_400)],
)
async def test_a_game_whose_players_do_not_ready_in_time_expires_and_names_their_seats(
    house: Service, wall: WallClock, ruleset: str, terms: dict[str, Any], seconds: float
) -> None:
    players = await house.guests(*(f"P{number}" for number in range(fewest(ruleset))))
    game = await players[0].open(ruleset, len(players), sealed=True, **terms)
    wall.sleep(86_400)  # it may wait for its players as long as any game
    for seat, player in enumerate(players):
        done(await sit(player, game, seat))
    done(await ready(players[0], game, 0))
    wall.sleep(seconds - 5)
    assert (await players[0].look(game))["status"] == "waiting"
    wall.sleep(10)
    problem(await ready(players[1], game, 1), 409, "not-waiting")
    aborted = (await players[0].events(game))[-2]["event"]
    assert aborted == {"type": "aborted", "cause": "expired", "unready": [*range(1, len(players))]}
    seen = await players[0].look(game)
    assert [seat.get("ready", False) for seat in seen["seats"]] == [True] + [False] * (len(players) - 1)


async def eventually(who: Caller, game: str, kind: str) -> Any:
    """The game's events show the kind; reading events ends no game by itself."""
    async with asyncio.timeout(60):
        while True:
            for entry in await who.events(game):
                if entry["event"]["type"] == kind:
                    return entry["event"]
            await asyncio.sleep(0.05)


async def test_a_sweep_ends_a_sealed_game_that_no_client_reads(database: Path, wall: WallClock, ruleset: str) -> None:
    async with in_process(database) as house:
        players = await house.guests(*(f"P{number}" for number in range(fewest(ruleset))))
        sealed = await taken(players, ruleset)
        waits = await players[0].open(ruleset, len(players), sealed=True)
        done(await sit(players[0], waits, 0))
        await players[0].every("/v1/games", player=players[0].id)  # the projections have noted all of this
        wall.sleep(11 * MINUTE)
        async with asyncio.timeout(60):
            while await status(house, sealed) != "aborted":  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        assert await status(house, waits) == "waiting"


async def status(service: Service, game: str) -> str:
    """The status in the lobby, which aborts nothing by itself."""
    found = done(await service.stranger.get("/v1/games"))["items"]
    return next(str(one["status"]) for one in found if game.endswith(one["id"]))


async def test_a_former_player_whose_seat_is_fixed_leaves_when_the_game_runs(database: Path, ruleset: str) -> None:
    async with in_process(database, secret="x" * 32) as house:
        players = await house.guests(*(f"P{number}" for number in range(fewest(ruleset))))
        game = await taken(players, ruleset)
        done(await ready(players[0], game, 0))
        assert (await players[0].delete("/v1/players/me")).status_code == 204
        for seat, player in enumerate(players[1:], 1):
            seen = done(await ready(player, game, seat))
        assert (seen["status"], seen["seats"][0]["player"]["name"]) == ("running", None)
    async with in_process(database, secret="x" * 32) as house:  # the first sweep is at the start
        gone = await eventually(players[1].at(house), game, "gone")
        assert (gone["seat"], gone["cause"]) == (0, "left")


async def test_a_guest_who_is_never_ready_keeps_few_tables_from_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither alone nor with others of the network. Those who leave or are ready can sit down again."""
    monkeypatch.setattr(sealed_seats, "OF_A_PLAYER", 2)
    monkeypatch.setattr(sealed_seats, "OF_A_NETWORK", 3)
    async with over_http(tmp_path / "games.db") as house:
        host, idle, other = await house.guests("Host", "Idle", "Other")
        games = [await host.open("skyjo", 2, sealed=True, sit=False) for _ in range(4)]
        for game in games[:2]:
            done(await sit(idle, game, 0))
        problem(await sit(idle, games[2], 0), 409, "too-many-games")
        async with channel(idle) as mine:
            refused = await mine.ask("join", game=game_name(games[2]), seat=0, seal="0" * 64)
            assert refused["problem"]["type"] == "too-many-games"
        done(await sit(other, games[2], 0))
        problem(await sit(other, games[3], 0), 409, "too-many-games")
        problem(await sit(other, games[2], 1), 409, "already-seated")  # which counts for nothing
        await idle.stand(games[0], 0)
        done(await sit(other, games[1], 1))
        problem(await sit(idle, games[3], 0), 409, "too-many-games")
        for seat, player in enumerate((idle, other)):
            done(await ready(player, games[1], seat))
        done(await sit(idle, games[3], 0))


async def test_a_seat_counts_however_often_its_player_asks_for_it_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All requests but one are refused when they get their turn, and the seat still counts."""
    monkeypatch.setattr(sealed_seats, "OF_A_PLAYER", 2)
    async with in_process(tmp_path / "games.db") as house:
        host, idle = await house.guests("Host", "Idle")
        games = [await host.open("skyjo", 3, sealed=True, sit=False) for _ in range(3)]
        for game in games[:2]:
            answers = await asyncio.gather(*(sit(idle, game, seat) for seat in range(3)))
            assert sorted(each.status_code for each in answers) == [200, 409, 409]
        problem(await sit(idle, games[2], 0), 409, "too-many-games")
