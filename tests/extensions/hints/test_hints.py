"""Hints: recorded before they are answered, from what the seat has seen, once for each choice, and bounded."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import AsyncMock

import pytest
from msgspec import Raw

from domain import game as aggregate
from domain.codec import encode
from domain.fairness import record
from domain.fairness.verification import verify
from domain.review import Hint
from domain.rulesets import RULESETS
from service.__main__ import main
from service.cli import verify as verifying
from service.extensions.hints import desk, hints
from service.extensions.hints.questions import HintQuestion, questions
from service.games import searches
from service.games.cached_game import CachedGame
from service.live.fair_queue import FairQueue
from tests.support.channels import channel, game_name
from tests.support.clients import Caller, Json, Service, done, in_process, problem
from tests.support.listening import over_http

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

SCOUT = RULESETS["scout"]
GAMES = "/v1/games/scout"
ALONE = ["me", "careful/1", "careful/1"]
ADVICE = b'{"seat":0,"version":7,"moves":[]}\n'


@pytest.fixture
async def service(database: Path) -> AsyncIterator[Service]:
    """One for each test: hints are limited."""
    async with in_process(database) as running:
        yield running


async def opened(who: Caller, **terms: Any) -> str:
    return str(done(await who.post(GAMES, {"seats": ALONE, "hints": True, **terms}), 201)["links"]["self"])


async def recorded(who: Caller, game: str) -> list[Json]:
    return [item for item in await who.events(game) if item["event"]["type"] == "hinted"]


class Answers:
    """Answers in place of the process. They wait for `go_on`; those in `fails` fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fails: int = 0) -> None:
        self.asked, self.fails, self.go_on, self.began = list[bytes](), fails, asyncio.Event(), asyncio.Event()
        self.go_on.set()
        monkeypatch.setattr(searches.SearchProcess, "answer", lambda _, question: self.answer(question))

    async def answer(self, question: bytes) -> bytes:
        self.asked.append(question)
        self.began.set()
        await self.go_on.wait()
        if len(self.asked) <= self.fails:
            raise searches.SearchFailed
        return ADVICE


async def test_a_hint_is_recorded_and_always_the_same(
    database: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with another process, and computed again from the record by anybody."""
    async with in_process(database) as first:
        ann = await first.guest("Ann")
        game = await opened(ann)
        before = await ann.look(game)
        assert before["hints"] is True
        answer = await ann.post(f"{game}/hints")
        found = done(answer)
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert found["seat"] == 0
        assert {*map(encode, found["moves"])} <= {*map(encode, before["legal_moves"])}
        assert [item["event"] for item in await recorded(ann, game)] == [{"type": "hinted", "seat": 0}]
        after = await ann.look(game)
        assert after["version"] == before["version"] + 1
        unchanged = ("view", "legal_moves", "to_act", "decision", "undo")
        assert [after[name] for name in unchanged] == [before[name] for name in unchanged]
        assert (await ann.post(f"{game}/hints")).content == answer.content
    async with in_process(database) as second:
        ann = ann.at(second)
        assert (await ann.post(f"{game}/hints")).content == answer.content
        assert len(await recorded(ann, game)) == 1
        done(await ann.post(f"{game}/votes", {"on": "abort", "yes": True}))
        whole = record.decode((await ann.get(f"{game}/record")).content)
    assert [check for check in verify(whole) if not check.ok] == []
    file = database.with_name("game.json")
    file.write_bytes(encode(record.complete(whole)))
    again, given = list[Hint[Any]](), verifying.given

    def once(*asked: Any) -> list[Hint[Any]]:
        again[:] = again or [*given(*asked)]
        return again

    monkeypatch.setattr(verifying, "given", once)  # it takes half a second
    assert main(["verify", "--hints", str(file)]) == 0
    assert f"  hint  seat 0: {answer.text}\n" in capsys.readouterr().out
    assert [encode(each) for each in again] == [answer.content]
    assert main(["verify", "--hints", "--json", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["hints"] == [found]


async def test_the_question_has_nothing_that_the_seat_does_not_see(
    ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process could not peek if it wanted to: it gets what the seat has seen, and the public head."""
    answers = Answers(monkeypatch)
    game = await opened(ann)
    done(await ann.post(f"{game}/hints"))
    heads = {item["version"]: item["head"] for item in await ann.events(game)}
    done(await ann.post(f"{game}/votes", {"on": "abort", "yes": True}))
    whole = record.decode((await ann.get(f"{game}/record")).content)
    [line] = answers.asked
    asked = questions.decode(line)
    assert isinstance(asked, HintQuestion)
    assert asked.head == heads[asked.version]
    events = [each.event for each in whole.events[: asked.version]]
    shown = [SCOUT.redact(event, 0) for event in events if type(event) not in aggregate.LIFECYCLE]
    assert bytes(asked.table.seen) == encode(shown)
    assert whole.secret is not None
    assert whole.secret.encode() not in line
    hands = next(event.hands for event in events if hasattr(event, "hands"))
    assert not any(encode(hand) in line for hand in hands[1:])


async def test_a_hint_that_could_not_be_computed_is_given_on_repetition(
    ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the process had been killed between the append and the answer."""
    ann.http.event_hooks = {}  # a status above 500 is expected here
    answers = Answers(monkeypatch, fails=1)
    game = await opened(ann)
    refused = await ann.post(f"{game}/hints", headers={"Idempotency-Key": "one"})
    problem(refused, 503, "unavailable")
    assert refused.headers["Retry-After"] == "1"
    [item] = await recorded(ann, game)
    again = await ann.post(f"{game}/hints", headers={"Idempotency-Key": "one"})
    assert (done(again), again.headers["Idempotency-Replayed"]) == (done(again), "true")
    assert await recorded(ann, game) == [item]
    assert done(await ann.post(f"{game}/hints")) == done(again)
    await ann.move(game, (await ann.look(game))["legal_moves"][0])
    asked = len(answers.asked)
    late = await ann.post(f"{game}/hints", headers={"Idempotency-Key": "one"})
    assert late.headers["Idempotency-Replayed"] == "true"
    assert answers.asked[asked:] == answers.asked[:1], "it is about the choice that it was asked for"
    assert await recorded(ann, game) == [item]


async def test_many_requests_are_one_event_and_one_computation(
    ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile the same game and others go on."""
    answers = Answers(monkeypatch)
    answers.go_on.clear()
    game = await opened(ann)
    flood = [asyncio.create_task(ann.post(f"{game}/hints")) for _ in range(40)]
    await answers.began.wait()
    other = await opened(bob)
    await bob.move(other, (await bob.look(other))["legal_moves"][0])
    await ann.move(game, (await ann.look(game))["legal_moves"][0])
    answers.go_on.set()
    replies = await asyncio.gather(*flood)
    assert {reply.status_code for reply in replies} == {200, 429}
    assert {reply.content for reply in replies if reply.status_code == 200} == {ADVICE.strip()}
    assert all(int(reply.headers["Retry-After"]) > 0 for reply in replies if reply.status_code == 429)
    assert (len(answers.asked), len(await recorded(ann, game))) == (1, 1)


async def test_a_player_gets_only_so_many_hints(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """429 with a true `Retry-After`, and nothing is recorded. All callers have one address here."""
    Answers(monkeypatch)
    monkeypatch.setattr(desk, "A_MINUTE", 1 / 60)
    async with in_process(database) as service:
        ann, bob = await service.guests("Ann", "Bob")
        games = [await opened(ann) for _ in range(2)]
        for _ in range(desk.AT_ONCE):
            done(await ann.post(f"{games[0]}/hints"))
            await ann.move(games[0], (await ann.look(games[0]))["legal_moves"][0])
        refused = await ann.post(f"{games[0]}/hints")
        problem(refused, 429, "too-many-requests")
        assert 0 < int(refused.headers["Retry-After"]) <= 3600
        assert len(await recorded(ann, games[0])) == desk.AT_ONCE
        problem(await ann.post(f"{games[1]}/hints"), 429, "too-many-requests")
        problem(await bob.post(f"{await opened(bob)}/hints"), 429, "too-many-requests")
        assert await recorded(ann, games[1]) == []


async def waiting(service: Service, number: int) -> None:
    """Until this number of hints are being made or wait."""
    for _ in range(6000):
        if f"stammtisch_hints_waiting {number}.0\n" in (await service.stranger.get("/metrics")).text:
            return
        await asyncio.sleep(0.01)
    raise AssertionError((await service.stranger.get("/metrics")).text)


async def test_while_too_many_hints_wait_nobody_of_their_network_gets_another_one(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503, and nothing is recorded. `Retry-After` is how long those before it take."""
    answers = Answers(monkeypatch)
    answers.go_on.clear()
    monkeypatch.setattr(hints, "MOST_WAITING", 2)
    async with in_process(database) as service:
        ann = await service.guest("Ann")
        ann.http.event_hooks = {}
        games = [await opened(ann) for _ in range(4)]
        flood = [asyncio.create_task(ann.post(f"{game}/hints")) for game in games[:3]]
        await waiting(service, 3)
        refused = await ann.post(f"{games[3]}/hints")
        problem(refused, 503, "unavailable")
        assert int(refused.headers["Retry-After"]) == 3 * hints.SLOW
        assert await recorded(ann, games[3]) == []
        answers.go_on.set()
        assert [reply.status_code for reply in await asyncio.gather(*flood)] == [200] * 3


class Slow(hints.Hints):
    """Each hint waits until it is let through."""

    def __init__(self) -> None:
        super().__init__(cast(Any, AsyncMock()), FairQueue(), lambda: 0)
        self.go_on, self.order = asyncio.Semaphore(0), list[str]()

    async def _answer(self, _: CachedGame, asked: hints.Asked) -> Raw:
        await self.go_on.acquire()
        self.order.append(asked.network)
        return Raw(ADVICE)


class Crowd:
    """Hints that networks ask for, each in a game of its own."""

    def __init__(self) -> None:
        self.slow, self.games = Slow(), 0

    async def _ask(self, network: str, game: int) -> None:
        self.slow.admit(network)
        cached = cast(Any, SimpleNamespace(game=SimpleNamespace(version=0)))
        await self.slow.give(cached, hints.Asked(f"{game}", 0, 1, network))

    async def ask(self, network: str) -> "asyncio.Task[None]":
        """It waits, has given up, or is being made."""
        self.games += 1
        task = asyncio.create_task(self._ask(network, self.games))
        for _ in range(5):
            await asyncio.sleep(0)
        return task


async def test_players_of_one_network_keep_nobody_else_waiting() -> None:
    """They share eight hints that wait, and their turns."""
    crowd = Crowd()
    flood = [await crowd.ask("here") for _ in range(hints.MOST_OF_NETWORK + 2)]  # one is made
    with pytest.raises(hints.HintsBusy) as busy:
        await flood.pop()
    assert (busy.value.everybody, busy.value.seconds) == (False, (hints.MOST_OF_NETWORK + 1) * hints.SLOW)
    flood.append(await crowd.ask("there"))
    for _ in flood:
        crowd.slow.go_on.release()
    await asyncio.gather(*flood)
    assert crowd.slow.order.index("there") <= 2
    assert crowd.slow.waiting == 0


async def test_a_large_network_has_sixteen_hints_that_wait() -> None:
    """All addresses of a /48 together."""
    crowd = Crowd()
    flood = [await crowd.ask(f"2001:db8:1:{number:x}::") for number in range(18)]
    assert [each.done() for each in flood] == [False] * 17 + [True]
    assert isinstance(flood[-1].exception(), hints.HintsBusy)
    for _ in flood:
        crowd.slow.go_on.release()
    await asyncio.gather(*flood[:-1])


@pytest.mark.parametrize(
    "crowd_of",
    [lambda number: f"198.51.{number % 3}.7", lambda number: f"2001:db8:{number % 3:x}:{number:x}::"],
    ids=["three addresses", "three /48"],
)
async def test_others_who_wait_keep_no_newcomer_away(crowd_of: Callable[[int], str]) -> None:
    """The latest hint of the network with most gives way: 429, and the player can ask again."""
    crowd = Crowd()
    flood = [await crowd.ask(crowd_of(number)) for number in range(hints.MOST_WAITING + 1)]  # one is made
    assert crowd.slow.waiting == hints.MOST_WAITING + 1
    assert not any(each.done() for each in flood)
    newcomers = [await crowd.ask(f"203.0.{number}.1") for number in range(4)]
    assert not any(each.done() for each in newcomers)
    gone = [each.exception() for each in flood if each.done()]
    assert [(type(each), getattr(each, "everybody", None)) for each in gone] == [(hints.HintsBusy, False)] * 4
    assert not flood[0].done(), "what is being made goes on"
    for _ in range(crowd.slow.waiting):
        crowd.slow.go_on.release()
    await asyncio.gather(*newcomers, *[each for each in flood if each not in [one for one in flood if one.done()]])
    assert crowd.slow.waiting == 0
    assert max(crowd.slow.order.index(f"203.0.{number}.1") for number in range(4)) <= 1 + 3 + 4, "networks take turns"


async def test_who_gets_a_hint(ann: Caller, bob: Caller, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = Answers(monkeypatch)
    game = await opened(ann)
    problem(await service.stranger.post(f"{game}/hints"), 401, "unauthenticated")
    problem(await bob.post(f"{game}/hints"), 403, "not-seated")
    problem(await ann.post(f"{await opened(ann, hints=False)}/hints"), 409, "no-hint")
    problem(await ann.post(f"{game[:-1]}{'0' if game[-1] != '0' else '1'}/hints"), 404, "not-found")
    private = await opened(ann, private=True)
    problem(await bob.post(f"{private}/hints"), 404, "not-found")
    kept = str(done(await ann.post(GAMES, {"seats": ["open", *ALONE[1:]], "hints": True}), 201)["links"]["self"])
    problem(await ann.post(f"{kept}/hints"), 403, "not-seated")
    for terms in ({"seats": ["me", "open", "careful/1"]}, {"seats": 3}, {"seats": 3, "hotseat": True}):
        problem(await ann.post(GAMES, {"hints": True, **terms}), 400, "malformed")
    done(await ann.post(f"{game}/votes", {"on": "abort", "yes": True}))
    problem(await ann.post(f"{game}/hints"), 409, "not-running")
    assert answers.asked == []


async def test_a_game_that_is_too_long_gets_the_move_of_the_house_player(
    ann: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without figures: nothing is read that grows with the game."""
    answers = Answers(monkeypatch)
    monkeypatch.setattr(hints, "MOST_SEEN", 1)
    game = await opened(ann)
    found = done(await ann.post(f"{game}/hints"))
    assert found["moves"][0] in (await ann.look(game))["legal_moves"]
    assert (len(found["moves"]), "against" in found, answers.asked) == (1, False, [])


async def test_the_play_channel_gives_the_same_hints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded once, whichever way they are asked for, and the same request with the same key."""
    answers = Answers(monkeypatch)
    async with over_http(tmp_path / "games.db") as service:
        ann, bob = await service.guests("Ann", "Bob")
        path = await opened(ann)
        game = game_name(path)
        async with channel(ann) as mine, channel(bob) as others, channel(service.stranger) as nobody:
            await mine.did("follow", game=game)
            first = await mine.did("hint", game=game, key="one")
            version = (await ann.look(path))["version"]
            assert first == first | {"type": "hinted", "game": game, "replayed": False}
            assert encode(first["hint"]) == ADVICE.strip()
            assert (await mine.events_until(version))[-1]["event"] == {"type": "hinted", "seat": 0}
            again = await ann.post(f"{path}/hints", headers={"Idempotency-Key": "one"})
            assert (done(again), again.headers["Idempotency-Replayed"]) == (first["hint"], "true")
            assert (await mine.did("hint", game=game, key="one"))["replayed"] is True
            assert (await mine.did("hint", game=game))["hint"] == first["hint"]
            assert (len(answers.asked), len(await recorded(ann, path))) == (1, 1)
            await others.problem(403, "not-seated", "hint", game=game)
            await nobody.problem(401, "unauthenticated", "hint", game=game)
            without = game_name(await opened(ann, hints=False))
            await mine.problem(409, "no-hint", "hint", game=without)
            await mine.problem(404, "not-found", "hint", game=f"{game}x")


async def test_both_ways_have_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for requests in a row that do not wait for answers. Nothing is recorded for those that are refused."""
    Answers(monkeypatch)
    monkeypatch.setattr(desk, "A_MINUTE", 1 / 60)
    monkeypatch.setattr(desk, "AT_ONCE", 3)
    async with over_http(tmp_path / "games.db") as service:
        ann = await service.guest("Ann")
        paths = [await opened(ann) for _ in range(6)]
        done(await ann.post(f"{paths[0]}/hints"))
        async with channel(ann) as mine:
            flood = [mine.begin("hint", game=game_name(path)) for path in paths[1:]]
            given = [answer for answer in await asyncio.gather(*flood) if answer["type"] == "hinted"]
            assert len(given) == 2
            refused = await mine.ask("hint", game=game_name(paths[5]))
            assert (refused["problem"]["type"], refused["retry_after"] > 0) == ("too-many-requests", True)
            problem(await ann.post(f"{paths[5]}/hints"), 429, "too-many-requests")
        assert sum([len(await recorded(ann, path)) for path in paths]) == 3
