"""House players that search: the game waits for them, and their choices are those that anybody computes again."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.codec import encode
from domain.fairness import record
from domain.fairness.verification import verify
from domain.rulesets import RULESETS
from projections import deadlines
from service.games import cached_game, searches
from service.live.fair_queue import FairQueue
from tests.support.clients import Caller, Json, Service, done, in_process, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

GAMES = "/v1/games"
WHERE = [rules.name for rules in RULESETS.values() if rules.searches]
"""The rulesets that offer such a bot."""


@pytest.fixture
async def service(database: Path) -> AsyncIterator[Service]:
    """One for each test: the openings of such games are limited."""
    async with in_process(database) as running:
        yield running


async def opened(who: Caller, ruleset: str = "scout", *others: Any, **terms: Any) -> Any:
    seats = ["me", *(others or ("deep/1", "careful/1"))]
    return await who.post(f"{GAMES}/{ruleset}", {"seats": seats, **terms})


async def game_of(who: Caller, *others: Any, **terms: Any) -> str:
    return str(done(await opened(who, "scout", *others, **terms), 201)["links"]["self"])


async def answered(who: Caller, game: str) -> Json:
    """The game when it is the player's turn, or over."""
    while True:
        seen = await who.look(game)
        if seen["legal_moves"] or seen["status"] != "running":
            return seen
        await asyncio.sleep(0.02)


async def play(who: Caller, game: str, most: int = 500) -> Json:
    dice = Random(3)
    for _ in range(most):
        seen = await answered(who, game)
        if not seen["legal_moves"]:
            return seen
        await who.move(game, dice.choice(seen["legal_moves"]))
    raise AssertionError("the game does not end")


@pytest.mark.checked
async def test_a_game_waits_for_the_search_ends_and_verifies(ann: Caller) -> None:
    game = await game_of(ann, "deep/1")  # the shortest
    over = await play(ann, game)
    assert over["status"] == "finished"
    found = record.decode((await ann.get(f"{game}/record")).content)
    alone = [entry for before, entry in zip(found.events, found.events[1:], strict=False) if not before.more]
    assert any(entry.by == 1 and "move" in entry.__struct_fields__ for entry in alone), "its choices begin appends"
    checks = {each.name: each for each in verify(found)}
    assert all(each.ok for each in checks.values()), checks
    asked = int(checks["bots"].detail.split()[0])
    quick = {each.name: each for each in verify(found, searches=False)}["bots"]
    assert quick.ok
    assert int(quick.detail.split()[0]) < asked
    assert "of bots that search were not" in quick.detail
    audit = {each["name"]: each for each in done(await ann.get(f"{game}/audit"))["checks"]}
    assert "of bots that search were not" in audit["bots"]["detail"]


async def test_others_go_on_while_a_game_waits(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """The choice takes for ever; votes and reads of the same game, and moves in another one, do not wait for it."""
    asked = asyncio.Event()

    async def never(*_: Any) -> int:
        asked.set()
        await asyncio.Event().wait()
        return 0

    monkeypatch.setattr(searches.SearchProcess, "ask", never)
    game = await game_of(ann, undo="agreed")
    await asyncio.wait_for(asked.wait(), 60)
    seen = await ann.look(game)
    assert 1 in seen["to_act"], "hands are held one way or the other by all at once"
    moved = await ann.move(game, seen["legal_moves"][0])
    assert moved["game"]["version"] > seen["version"]
    done(await ann.post(f"{game}/votes", {"on": "abort", "yes": True}))
    assert (await ann.look(game))["status"] == "aborted", "the house agrees to everything"
    other = str(done(await ann.post(f"{GAMES}/skyjo", {"seats": ["me", "careful/1"]}), 201)["links"]["self"])
    assert (await ann.look(other))["to_act"] == [0]


@pytest.mark.by_default()  # a whole game, searched twice
async def test_a_choice_on_a_version_that_has_passed_is_made_again(
    ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player moves while the bot searches. Its dice have another name afterwards."""
    real, began, go_on = searches.SearchProcess.ask, asyncio.Event(), asyncio.Event()
    asked = list[bytes]()

    async def slow(process: searches.SearchProcess, question: bytes) -> int:
        asked.append(question)
        began.set()
        await go_on.wait()
        return await real(process, question)

    monkeypatch.setattr(searches.SearchProcess, "ask", slow)
    game = await game_of(ann)
    await asyncio.wait_for(began.wait(), 60)
    await ann.move(game, (await ann.look(game))["legal_moves"][0])
    go_on.set()
    over = await play(ann, game)
    assert over["status"] == "finished"
    assert asked[0] != asked[1], "the first answer came too late"
    found = record.decode((await ann.get(f"{game}/record")).content)
    assert all(each.ok for each in verify(found))


async def test_a_process_that_is_killed_is_replaced(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a choice. The next one makes it."""
    started, real = list[Any](), asyncio.create_subprocess_exec

    async def noted(*arguments: Any, **rest: Any) -> Any:
        process = await real(*arguments, **rest)
        if "search_process" in str(arguments):
            started.append(process)
            if len(started) == 1:
                process.kill()
        return process

    monkeypatch.setattr(searches, "PAUSE", 0.01)
    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    game = await game_of(ann)
    await ann.move(game, (await ann.look(game))["legal_moves"][0])
    assert (await answered(ann, game))["legal_moves"]
    assert len(started) == 2


async def test_the_question_has_nothing_that_the_seat_does_not_see(
    ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the secret nor a card of another hand: the process could not peek if it wanted to."""
    asked = list[bytes]()

    async def noted(_process: searches.SearchProcess, question: bytes) -> int:
        asked.append(question)
        return 0

    monkeypatch.setattr(searches.SearchProcess, "ask", noted)
    game = await game_of(ann)
    await play(ann, game)
    found = record.decode((await ann.get(f"{game}/record")).content)
    assert found.secret is not None
    hands = next(entry.event.hands for entry in found.events if hasattr(entry.event, "hands"))
    assert asked
    for question in asked:
        assert found.secret.encode() not in question
        assert question[question.index(b'"hands"') :].startswith(b'"hands":[[null'), "the hand of seat 0 is hidden"
        assert not any(encode(hand) in question for hand in (hands[0], hands[2]))


@pytest.mark.parametrize(
    "rules", [rules for rules in RULESETS.values() if not rules.searches], ids=lambda each: each.name
)
async def test_it_is_offered_only_where_it_is_stronger(ann: Caller, rules: Any) -> None:
    assert "deep/1" not in rules.house
    problem(await opened(ann, rules.name, "deep/1"), 400, "malformed")


async def test_it_does_not_play_with_a_clock_nor_for_players_who_left(ann: Caller) -> None:
    clock = {"bank": 300, "increment": 0, "delay": 0, "reserve": 0}
    for name in WHERE:
        problem(await opened(ann, name, "deep/1", "deep/1", clock=clock), 400, "malformed")
        problem(await opened(ann, name, "careful/1", "careful/1", absent="deep/1"), 400, "malformed")


async def test_a_player_opens_only_so_many_of_these_games(ann: Caller, bob: Caller) -> None:
    """429 with `Retry-After`; games without such bots are not limited by it. All callers have one address here."""
    for _ in range(6):
        done(await opened(ann), 201)
    refused = await opened(ann)
    problem(refused, 429, "too-many-requests")
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    problem(await opened(bob), 429, "too-many-requests")
    done(await opened(ann, "scout", "careful/1", "careful/1"), 201)


@pytest.mark.parametrize(("waiting", "admitted"), [(23, True), (24, False), (12, True), (99, False)])
async def test_while_too_many_games_wait_the_network_with_most_of_them_opens_no_further_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, waiting: int, admitted: bool
) -> None:
    """All games of this test are opened from 127.0.0.0/24. `waiting` are of its games, another network has the rest."""
    found = Counter({"127.0.0": waiting, "192.0.2": 24 if waiting == 12 else 0})
    monkeypatch.setattr(searches.Searches, "waiting_by_network", lambda _: found)
    async with in_process(tmp_path / "games.db") as service:
        ann = await service.guest("Ann")
        ann.http.event_hooks = {}  # a status above 500 is expected here
        answer = await opened(ann)
        if admitted:
            done(answer, 201)
        else:
            problem(answer, 503, "unavailable")
            assert answer.headers["Retry-After"] == "5"


async def test_networks_take_turns_at_choices(ann: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many guests of one network have one turn."""
    turns = list[str]()
    turn = FairQueue.turn

    def noted(queue: FairQueue, key: str) -> Any:
        turns.append(key)
        return turn(queue, key)

    monkeypatch.setattr(FairQueue, "turn", noted)
    game = await game_of(ann)
    await ann.move(game, (await ann.look(game))["legal_moves"][0])
    async with asyncio.timeout(120):
        while "127.0.0" not in turns:  # noqa: ASYNC110 - the choice is made some time
            await asyncio.sleep(0.05)


async def test_after_a_restart_the_choice_is_made_without_any_request(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process ends before the bot has chosen. The next one finds the game by itself."""

    async def never(*_: Any) -> int:
        await asyncio.Event().wait()
        return 0

    monkeypatch.setattr(deadlines, "SEARCH", 0)
    monkeypatch.setattr(cached_game, "PATIENCE", 0)
    with monkeypatch.context() as patch:
        patch.setattr(searches.SearchProcess, "ask", never)
        async with in_process(database) as first:
            ann = await first.guest("Ann")
            game = await game_of(ann)
            await ann.move(game, (await ann.look(game))["legal_moves"][0])
            before = (await ann.look(game))["version"]
            assert (await ann.look(game))["to_act"] == [1]
    async with in_process(database) as second:
        for _ in range(600):
            if "stammtisch_searches_total 0" not in (await second.stranger.get("/metrics")).text:
                break
            await asyncio.sleep(0.1)
        assert (await ann.at(second).look(game))["version"] > before
