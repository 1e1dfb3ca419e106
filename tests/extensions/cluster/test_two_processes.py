"""Two processes on one database and one Redis, both in this one: what the one does the other one shows at once."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import NamedTuple

import httpx
import pytest

from domain.rulesets import RULESETS
from service.api.contract import LISTING
from service.extensions.cluster import version_cache
from service.live import projection_runner
from service.log.game_log import GameLog
from tests.support import servers
from tests.support.clients import (
    Caller,
    Json,
    Service,
    any_of,
    done,
    fewest,
    in_process,
    play_to_the_end,
    problem,
)  # fmt: skip
from tests.support.listening import listening, over_http
from tests.support.servers import Redis

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

ANY = next(iter(RULESETS))


class House(NamedTuple):
    """Two processes; the other one keeps no game in memory but the one that it was asked for last."""

    one: Service
    other: Service


async def opened(stack: AsyncExitStack, database: Path, redis: str) -> House:
    one = await stack.enter_async_context(in_process(database, redis=redis))
    return House(one, await stack.enter_async_context(in_process(database, redis=redis, max_cached_mib=0.001)))


@pytest.fixture(scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory, redis: Redis) -> AsyncIterator[House]:
    """For all tests that do it no harm."""
    async with AsyncExitStack() as stack:
        yield await opened(stack, tmp_path_factory.mktemp("house") / "games.db", redis.url)


@pytest.fixture
def own() -> Iterator[Redis]:
    with servers.redis() as server:
        yield server


@pytest.fixture
async def frail(database: Path, own: Redis) -> AsyncIterator[House]:
    """On a Redis that may be killed."""
    async with AsyncExitStack() as stack:
        yield await opened(stack, database, own.url)


async def table(house: House, ruleset: str, **terms: object) -> tuple[str, list[Caller]]:
    """A game at the one process, and who plays it."""
    players = await house.one.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(ruleset)])
    return await house.one.table(ruleset, players, **terms), players


async def forget(house: House) -> None:
    """Have the other process ask for another game, so that it keeps no other in memory."""
    game = await (await house.one.guest("Zoe")).open(ANY)
    await house.other.stranger.look(game)


async def measured(process: Service) -> dict[str, float]:
    """What a process counts of Redis."""
    lines = (await process.stranger.get("/metrics")).text.splitlines()
    redis = (line.removeprefix("stammtisch_redis_").split() for line in lines if line.startswith("stammtisch_redis_"))
    return {name.removesuffix("_total"): float(value) for name, value in redis}


def same(one: httpx.Response, other: httpx.Response) -> None:
    assert (one.status_code, one.content) == (other.status_code, other.content)
    assert one.headers.get("etag") == other.headers.get("etag")


async def goes_on(house: House, game: str, players: list[Caller], dice: Random, moves: int = 1) -> None:
    """Random moves at random processes; each is seen at both as soon as it is acknowledged."""
    at = [[player.at(process) for player in players] for process in house]
    for _ in range(moves):
        seen = await dice.choice(at)[0].look(game)
        if not seen["to_act"]:
            return
        seat = dice.choice(seen["to_act"])
        moved = await dice.choice(at)[seat].move(game, any_of(await dice.choice(at)[seat].moves(game), dice))
        for process in at:
            for player in (*process, Caller(process[0].http)):
                assert (await player.look(game))["version"] == moved["version"]


async def test_a_look_at_a_game_that_is_not_in_memory_is_answered_with_what_lies_ready(
    house: House, ruleset: str
) -> None:
    game, players = await table(house, ruleset)
    for caller in (*players, house.one.stranger):
        await forget(house)
        before = await measured(house.other)
        here, there = await caller.get(game), await caller.at(house.other).get(game)  # the first finds out who it is
        for _ in range(2):
            there = await caller.at(house.other).get(game)
        same(here, there)
        after = await measured(house.other)
        assert after["answers"] - before["answers"] >= 2
        unchanged = await caller.at(house.other).get(game, headers={"If-None-Match": here.headers["etag"]})
        assert (unchanged.status_code, unchanged.content) == (304, b"")


async def test_the_game_is_not_read_for_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game, (ann, *_) = await table(house, ANY)
    here = await ann.get(game)
    await ann.at(house.other).get(game)
    await forget(house)
    monkeypatch.setattr(GameLog, "read", None)
    same(here, await ann.at(house.other).get(game))


@pytest.mark.parametrize("terms", [{}, {"private": True}, {"hotseat": True}, {"hotseat": True, "private": True}])
async def test_what_lies_ready_is_for_whom_it_is(house: House, terms: dict[str, bool]) -> None:
    """The response is the same for every caller, perspective and time, with the game in memory and without."""
    ann, bob, eve = await house.one.guests("Ann", "Bob", "Eve")
    game = await ann.open(ANY, **terms)
    right = (await ann.look(game)).get("invite", "x")
    asked = [
        {}, {"as_": "0"}, {"as_": "1"}, {"as_": "9"}, {"as_": "bystander"}, {"as_": "all"}, {"invite": "wrong"},
        {"invite": right}, {"invite": right, "as_": "0"}, {"invite": right, "as_": "bystander"},
    ]  # fmt: skip

    async def compare() -> None:
        answers = {}
        for _ in range(2):  # once to lay them there, once to take them from there
            await forget(house)
            for caller in (ann, bob, eve, house.one.stranger):
                for query in asked:
                    here, there = await caller.get(game, **query), await caller.at(house.other).get(game, **query)
                    same(here, there)
                    answers[caller.id, *query.items()] = there.content
        assert len(set(answers.values())) > 3

    before = (await measured(house.other))["answers"]
    await compare()
    if not terms.get("hotseat"):
        await bob.sit(game, invite=right)
        await compare()
    players = [ann, ann] if terms.get("hotseat") else [ann, bob]
    await play_to_the_end(players, game)
    await compare()
    assert (await measured(house.other))["answers"] > before + 20


async def test_what_nobody_has_confirmed_is_looked_up_in_the_log(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version_cache, "VALIDITY_MS", 1)
    game, players = await table(house, ANY)
    dice = Random(1)
    for _ in range(5):
        await goes_on(house, game, players, dice)
        await forget(house)
        await asyncio.sleep(0.002)
        for player in players:
            same(await player.get(game), await player.at(house.other).get(game))


async def test_redis_may_be_emptied_at_any_time(house: House, redis: Redis) -> None:
    game, players = await table(house, ANY)
    dice = Random(1)
    for _ in range(10):
        await goes_on(house, game, players, dice, 2)
        redis.execute("FLUSHALL")
    await goes_on(house, game, players, dice, 2)
    assert redis.execute("DBSIZE") > 0


async def test_redis_may_die_and_come_back_with_what_is_no_longer_true(
    frail: House, own: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version_cache, "VALIDITY_MS", 60_000)
    game, players = await table(frail, ANY)
    dice = Random(1)
    await goes_on(frail, game, players, dice, 5)
    own.execute("SAVE")
    await goes_on(frail, game, players, dice, 5)
    own.stop(signal.SIGKILL)
    await goes_on(frail, game, players, dice, 5)
    for process in frail:
        assert (await process.stranger.get("/health/ready")).json() == {"status": "ready", "redis": "away"}
    last = (await players[0].look(game))["version"]
    own.start()
    assert own.execute("KEYS", "*:version:*"), "there is an old dump"
    async with asyncio.timeout(60):
        while [(await measured(process))["up"] for process in frail] != [1, 1]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    for process in frail:
        assert (await players[0].at(process).look(game))["version"] == last
    await goes_on(frail, game, players, dice, 5)
    assert (await frail.one.stranger.get("/health/ready")).json() == {"status": "ready", "redis": "up"}
    assert (await measured(frail.one))["failures"] > 0


async def test_requests_are_counted_together(database: Path, redis_url: str) -> None:
    given = {"rate_limit": f"1/{4 * LISTING}", "redis": redis_url}  # a page is restored in a quarter of a minute
    async with in_process(database, **given) as one, in_process(database, **given) as other:
        answers = [await process.stranger.get("/v1/games") for process in (one, other, one, other, one, other)]
        assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 2
        left = [answer.headers["ratelimit"].removeprefix('"requests";r=').partition(";t")[0] for answer in answers]
        assert [int(requests) // LISTING for requests in left] == [3, 2, 1, 0, 0, 0]
        problem(answers[-1], 429, "too-many-requests")


async def test_a_stream_gives_at_once_what_another_process_has_done(
    database: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projection_runner, "POLL_INTERVAL", 3600)  # nobody looks into the log
    async with over_http(database, redis=redis_url) as one, over_http(database, redis=redis_url) as other:
        players = await one.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(ANY)])
        game = await one.table(ANY, players)
        seen = await players[0].look(game)
        resumed = {"Last-Event-ID": str(seen["version"])}
        async with listening(players[0].at(other), f"{game}/events", headers=resumed) as stream:
            messages = aiter(stream)
            for _ in range(4):
                seat = (await players[0].look(game))["to_act"][0]
                moved = await players[seat].move(game, (await players[seat].moves(game))[0])
                async with asyncio.timeout(60):
                    while int((await anext(messages)).id) < moved["version"]:
                        pass


# --- one player on all seats ---


@pytest.mark.parametrize("terms", [{}, {"private": True}])
async def test_a_move_without_a_seat_is_made_for_the_seat_that_the_last_answer_showed(
    house: House, ruleset: str, terms: dict[str, bool]
) -> None:
    """Also in a process that has the game in memory as it was before the others' moves."""
    ann = await house.one.guest("Ann")
    game = await ann.open(ruleset, hotseat=True, **terms)
    await play_all_seats(house, ann, game)
    over = await ann.look(game)
    assert over["status"] == "finished"
    for at in (over["version"] // 3, over["version"] // 2):
        branch = done(await ann.at(house.other).post(f"{game}/branches", {"at": at}), 201)
        await play_all_seats(house, ann, branch["links"]["self"], branch)


async def play_all_seats(house: House, player: Caller, game: str, seen: Json | None = None) -> None:
    """To the end, at random processes, without a seat, also from the perspective of all seats."""
    dice, at = Random(1), [player.at(process) for process in house]
    seen = seen or await player.look(game)
    while seen["to_act"]:
        assert seen["you"] in seen["to_act"]
        assert seen["legal_moves"]
        query = dice.choice(({}, {}, {"as_": "all"}))
        moved = await dice.choice(at).move(game, any_of(seen["legal_moves"], dice), **query)
        assert moved["events"][0]["by"] == seen["you"]
        listed = done(await dice.choice(at).get(f"{game}/moves"))
        after = moved["game"]
        if after["to_act"]:
            assert (listed["version"], listed["seat"], listed["decision"], listed["legal_moves"]) == (
                after["version"], after["you"], after["decision"], after["legal_moves"],
            )  # fmt: skip
        seen = after if dice.random() < 0.5 else await dice.choice(at).look(game, **query)
        assert (seen["version"], seen["you"]) == (after["version"], after["you"])


async def test_a_move_that_is_illegal_by_now_is_refused_for_the_seat_that_has_the_choice_now(
    house: House, ruleset: str
) -> None:
    """Somebody plays the same game in two tabs: the answer lists what the seat may do that is `you` by now."""
    ann = await house.one.guest("Ann")
    dice, refused, made = Random(1), 0, 0
    one, other = ann, ann.at(house.other)
    for number in range(20):  # a short game may refuse nothing
        game = await one.open(ruleset, hotseat=True)
        seen = await one.look(game)
        if number % 2:
            seen = (await one.move(game, any_of(seen["legal_moves"], dice)))["game"]
        while seen["to_act"] and (refused < 3 or made < 3):
            first = done(await one.post(f"{game}/moves", any_of(seen["legal_moves"], dice)))
            now = first["game"]
            if not now["to_act"]:
                break
            second = await other.post(f"{game}/moves", any_of(seen["legal_moves"], dice))
            if second.status_code == 200:
                made += 1
                assert done(second)["events"][0]["by"] == now["you"]
            else:
                refused += 1
                told = problem(second, 409, "illegal-move")
                assert (told["version"], told["decision"], told["legal_moves"]) == (
                    now["version"], now["decision"], now["legal_moves"],
                )  # fmt: skip
            seen = await one.look(game)
            one, other = other, one
        if refused:
            break
    assert refused


async def test_a_choice_that_was_another_seats_is_stale(house: House, ruleset: str) -> None:
    """With `If-Match` nothing is done for a seat that was not `you` in the answer with that ETag."""
    ann = await house.one.guest("Ann")
    game, dice = await ann.open(ruleset, hotseat=True), Random(1)
    one, other = ann, ann.at(house.other)
    changed = 0
    while (seen := await one.look(game))["to_act"]:
        tag = (await one.get(game)).headers["etag"]
        now = done(await other.post(f"{game}/moves", any_of(seen["legal_moves"], dice)))["game"]
        if not now["to_act"]:
            break
        late = await one.post(f"{game}/moves", any_of(now["legal_moves"], dice), headers={"If-Match": tag})
        told = problem(late, 412, "stale-decision")
        assert told["version"] == now["version"]
        assert [item["version"] for item in told["missed"]] == [*range(seen["version"] + 1, now["version"] + 1)]
        assert told["missed"] == (await ann.events(game, after=seen["version"], as_=now["you"], limit=500))
        changed += now["you"] != seen["you"]
        fresh = (await one.get(game)).headers["etag"]
        chosen = any_of(now["legal_moves"], dice)
        made = done(await one.post(f"{game}/moves", chosen, headers={"If-Match": fresh}))
        assert made["events"][0]["by"] == now["you"]
        one, other = other, one
    assert changed


@pytest.mark.checked
async def test_players_leave_at_one_process_and_bots_go_on_at_both(house: House) -> None:
    """Each process folds what the bots see from the log: `bots` compares every choice, also after another game has
    pushed this one out of the memory of the other process."""
    for number, ruleset in enumerate(RULESETS):
        players = await house.one.guests("Ann", "Bob")
        path, dice = f"/v1/games/{ruleset}", Random(number)
        seats = ["me", "open", "careful/1"]
        game = done(await players[0].post(path, {"seats": seats, "absent": "random/1"}), 201)["links"]["self"]
        await players[1].at(house.other).sit(game)
        for turn in range(40):
            seat = turn % 2
            here, there = (players[seat].at(process) for process in dice.sample(house, 2))
            seen = await here.look(game)
            if seen["status"] != "running":
                break
            if seen["seats"][seat].get("gone"):
                await there.sit(game)
            elif turn in (12, 13, 20) and not any(each.get("gone") for each in seen["seats"]):
                done(await there.delete(f"{game}/seats/{seat}", running="true"))
            elif seen["legal_moves"]:
                await there.move(game, any_of(seen["legal_moves"], dice))
            if turn % 10 == 0:
                await forget(house)
            same(await players[0].get(game), await players[0].at(house.other).get(game))
        for process in house:
            checks = {each["name"]: each["ok"] for each in done(await process.stranger.get(f"{game}/audit"))["checks"]}
            assert checks["bots"] is True and all(ok is not False for ok in checks.values())


# --- undo, votes and rematches ---


@pytest.mark.by_default("[scandaroon]")
async def test_no_move_is_taken_back_after_it_was_answered_at_another_process(house: House, ruleset: str) -> None:
    """A player takes back a move at one process while another player moves at the other one: either order is valid,
    and a move that was answered stands. `rules` replays the log and compares."""
    dice, taken, late = Random(3), 0, 0
    for _ in range(20):
        game, players = await table(house, ruleset)
        async for seat, version, others in moves_to_take_back(game, players, dice):
            here, there = dice.sample(house, 2)
            other = players[dice.choice(others)]
            chosen = any_of(await other.moves(game), dice)
            back, answered = await asyncio.gather(
                players[seat].at(here).delete(f"{game}/moves/{version}"), other.at(there).post(f"{game}/moves", chosen)
            )
            if back.status_code == 200:
                taken += 1
            else:
                over = done(answered)["game"]["status"] != "running"
                problem(back, 409, "not-running" if over else "not-undoable")
                late += 1
            if answered.status_code != 200:
                problem(answered, 409, "illegal-move")
            for player in players:
                same(await player.get(game), await player.at(house.other).get(game))
        await valid_at_both(house, game)
        if (taken and late) or ruleset == "scopinion":  # where turns end with a move that cannot be taken back
            return
    raise AssertionError(f"{taken} moves were taken back, {late} were answered first")


async def moves_to_take_back(
    game: str, players: list[Caller], dice: Random
) -> AsyncIterator[tuple[int, int, list[int]]]:
    """Random moves. Yields each that its player can take back: seat, version, and the other seats that can act then."""
    while (seen := await players[0].look(game))["status"] == "running":
        seat = dice.choice(seen["to_act"])
        after = (await players[seat].move(game, any_of(await players[seat].moves(game), dice)))["game"]
        if after["undo"] is not None and (others := [each for each in after["to_act"] if each != seat]):
            yield seat, after["undo"], others


async def valid_at_both(house: House, game: str) -> None:
    for process in house:
        checks = {each["name"]: each["ok"] for each in done(await process.stranger.get(f"{game}/audit"))["checks"]}
        assert False not in checks.values(), checks


async def test_a_request_to_take_back_has_one_effect_at_two_processes(house: House) -> None:
    game, (ann, *_) = await table(house, "scout")
    for number in range(5):
        moved = await ann.move(game, {"type": "keep"})
        headers = {"Idempotency-Key": f"oops-{number}"}
        answers = await asyncio.gather(
            *(
                ann.at(process).delete(f"{game}/moves/{moved['version']}", headers=headers)
                for process in (*house, *house)
            )
        )
        assert {done(answer)["version"] for answer in answers} == {moved["version"] + 1}
        replayed = [answer.headers.get("idempotency-replayed") for answer in answers]
        assert (replayed.count(None), replayed.count("true")) == (1, 3)


async def test_two_processes_open_one_rematch(house: House) -> None:
    game, players = await table(house, ANY)
    await play_to_the_end(players, game)
    answers = await asyncio.gather(
        *(
            players[number % len(players)]
            .at(house[number // len(players) % 2])
            .post(f"{game}/rematch", {}, headers={"Idempotency-Key": f"again-{number}"})
            for number in range(4 * len(players))
        )
    )
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [200] * (len(answers) - 1) + [201], [answer.text for answer in answers]
    (again,) = {answer.headers["location"] for answer in answers}
    tags = [entry["event"]["type"] for entry in await players[0].events(again)]
    assert (tags.count("opened"), tags.count("joined"), tags.count("begun")) == (1, len(players), 1)
    for process in house:
        found = done(await players[0].at(process).get(f"{game}/rematch"))
        assert (found["links"]["self"], found["status"]) == (again, "running")
