"""Making a move: exactly once with a key, and only on the current choice with `If-Match`."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from domain.game import Rules
from service.games.known_games import MAX_MISSED
from tests.support.clients import (
    Caller,
    Service,
    any_of,
    done,
    early,
    fewest,
    in_process,
    play,
    play_to_the_end,
    problem,
)

pytestmark = pytest.mark.anyio

REPLAYED = "idempotency-replayed"


class Told(msgspec.Struct):
    """A move's answer, its events byte for byte."""

    version: int
    head: str
    events: msgspec.Raw


def told(answer: httpx.Response) -> tuple[int, str, bytes]:
    read = msgspec.json.decode(answer.content, type=Told)
    return read.version, read.head, bytes(read.events)


async def a_choice(players: list[Caller], game: str) -> tuple[Caller, Any]:
    """Somebody who is to act, and a legal move."""
    seat = (await players[0].look(game))["to_act"][0]
    return players[seat], (await players[seat].moves(game))[0]


async def move(who: Caller, game: str, chosen: Any, key: str = "", etag: str = "", **more: Any) -> httpx.Response:
    headers = {"Idempotency-Key": key, "If-Match": etag}
    return await who.post(f"{game}/moves", chosen, headers={k: v for k, v in headers.items() if v}, **more)


async def log(game: str, who: Caller) -> tuple[int, str]:
    seen = await who.look(game, as_="bystander")
    return seen["version"], seen["head"]


async def test_the_response_to_a_move_has_its_events_and_the_game(players: list[Caller], game: str) -> None:
    version, _ = await log(game, players[0])
    mover, chosen = await a_choice(players, game)
    answer = await move(mover, game, chosen)
    made = done(answer)
    assert set(made) == {"version", "head", "events", "game"}
    assert made["game"] == await mover.look(game)
    assert made["game"]["version"] == made["version"] == made["events"][-1]["version"]
    assert made["head"] == made["game"]["head"] == made["events"][-1]["head"]
    assert [event["version"] for event in made["events"]] == list(range(version + 1, made["version"] + 1))
    assert made["events"][0]["by"] == made["game"]["you"]
    assert REPLAYED not in answer.headers
    assert answer.headers["etag"] == (await mover.get(game)).headers["etag"]


async def test_every_listed_move_can_be_posted_unchanged(players: list[Caller], game: str) -> None:
    """And the game's list is the list: a whole game of moves from either."""
    async for seat, answer in play(players, game, Random(6)):
        after = answer.json()["game"]
        assert after["legal_moves"] == (await players[seat].moves(game))


async def test_the_response_to_an_illegal_move_lists_the_legal_ones(players: list[Caller], game: str) -> None:
    tried = 0
    async for _, answer in play(players, game, Random(7)):
        sent = msgspec.json.decode(answer.request.content)
        for player in players:
            now = await player.look(game)
            if sent not in now["legal_moves"]:
                refused = problem(await move(player, game, sent), 409, "illegal-move")
                known = {name: now[name] for name in ("version", "decision", "legal_moves")}
                assert refused == {**known, "type": "illegal-move", "title": refused["title"], "status": 409}
                assert await player.look(game) == now
                tried += 1
        if tried > 50:
            break


async def test_callers_without_the_seat_cannot_move(
    players: list[Caller], eve: Caller, stranger: Caller, game: str
) -> None:
    mover, chosen = await a_choice(players, game)
    before = await log(game, stranger)
    problem(await move(eve, game, chosen), 403, "not-seated")
    answer = await move(stranger, game, chosen)
    problem(answer, 401, "unauthenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")
    for seat, player in enumerate(players):
        if player is not mover:
            problem(await move(mover, game, chosen, as_=seat), 403, "not-seated")
    assert await log(game, stranger) == before
    done(await move(mover, game, chosen, as_=players.index(mover)))


async def test_before_the_beginning_and_after_the_end_no_move_is_legal(players: list[Caller], ruleset: str) -> None:
    game = await players[0].open(ruleset)
    other = await players[1].open(ruleset, hotseat=True)
    chosen = (await players[1].moves(other))[0]
    refused = problem(await move(players[0], game, chosen), 409, "illegal-move")
    assert (refused["legal_moves"], refused["decision"]) == ([], None)
    for player in players[1:]:
        await player.sit(game)
    await play_to_the_end(players, game)
    refused = problem(await move(players[0], game, chosen), 409, "illegal-move")
    assert (refused["legal_moves"], refused["decision"]) == ([], None)


# --- without the game ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prefer", ["return=minimal", "respond-async, return=minimal; foo=bar", "Return=Minimal"])
async def test_return_minimal_omits_the_game(players: list[Caller], game: str, prefer: str) -> None:
    mover, chosen = await a_choice(players, game)
    answer = await mover.post(f"{game}/moves", chosen, headers={"Prefer": prefer})
    assert set(done(answer)) == {"version", "head", "events"}
    assert answer.headers["preference-applied"] == "return=minimal"
    assert answer.headers["etag"] == (await mover.get(game)).headers["etag"]


@pytest.mark.parametrize("prefer", ["return=representation", "nonsense", ""])
async def test_other_preferences_change_nothing(players: list[Caller], game: str, prefer: str) -> None:
    mover, chosen = await a_choice(players, game)
    answer = await mover.post(f"{game}/moves", chosen, headers={"Prefer": prefer})
    assert "game" in done(answer)
    assert "preference-applied" not in answer.headers


# --- exactly once -------------------------------------------------------------------------------------------------


async def test_a_repeated_move_is_made_once_and_gets_the_same_response(players: list[Caller], game: str) -> None:
    mover, chosen = await a_choice(players, game)
    first = await move(mover, game, chosen, "k")
    after = await log(game, mover)
    for _ in range(2):
        again = await move(mover, game, chosen, "k")
        assert told(again) == told(first)
        assert again.headers[REPLAYED] == "true"
    assert REPLAYED not in first.headers
    assert await log(game, mover) == after


async def test_the_response_to_a_repeated_move_has_the_current_game(players: list[Caller], game: str) -> None:
    mover, chosen = await a_choice(players, game)
    first = await move(mover, game, chosen, "k")
    other, next_ = await a_choice(players, game)
    await other.move(game, next_)
    again = await move(mover, game, chosen, "k")
    assert told(again) == told(first)
    assert again.json()["game"] == await mover.look(game)
    assert again.headers["etag"] == (await mover.get(game)).headers["etag"]


async def test_a_key_of_a_different_request_is_rejected(players: list[Caller], game: str) -> None:
    mover, chosen = await a_choice(players, game)
    await move(mover, game, chosen, "k")
    before = await log(game, mover)
    async for _, answer in play(players, game, Random(8)):
        sent = msgspec.json.decode(answer.request.content)
        if sent != chosen:
            break
    before = await log(game, mover)
    problem(await move(mover, game, sent, "k"), 422, "idempotency-key-reused")
    problem(await mover.post(f"{game}/seats", {}, headers={"Idempotency-Key": "k"}), 422, "idempotency-key-reused")
    assert await log(game, mover) == before


async def test_a_key_belongs_to_one_player_and_one_game(service: Service, players: list[Caller], ruleset: str) -> None:
    for game in [await service.table(ruleset, players) for _ in range(2)]:
        moved: set[Caller] = set()
        async for _ in play(players, game, Random(13)):
            mover, chosen = await a_choice(players, game)
            if mover not in moved:
                assert REPLAYED not in (await move(mover, game, chosen, "same")).headers
                moved.add(mover)
            if len(moved) == len(players):
                break


async def test_a_rejected_move_does_not_use_up_its_key(players: list[Caller], game: str) -> None:
    mover, chosen = await a_choice(players, game)
    problem(await move(mover, game, chosen, "k", '"1.0"'), 412, "stale-decision")
    answer = await move(mover, game, chosen, "k")
    assert done(answer)
    assert REPLAYED not in answer.headers


async def test_a_repeated_move_ignores_later_changes(players: list[Caller], game: str) -> None:
    """A retry is the same request, headers and all: its If-Match was right when it was made."""
    mover, chosen = await a_choice(players, game)
    tag = (await mover.get(game)).headers["etag"]
    first = await move(mover, game, chosen, "k", tag)
    again = await move(mover, game, chosen, "k", tag)
    assert told(again) == told(first)


async def test_concurrent_requests_with_one_key_make_one_move(players: list[Caller], game: str) -> None:
    mover, chosen = await a_choice(players, game)
    answers = await asyncio.gather(*(move(mover, game, chosen, "k") for _ in range(8)))
    assert len({told(answer) for answer in answers}) == 1
    assert sum(REPLAYED not in answer.headers for answer in answers) == 1


async def test_every_move_can_be_repeated_at_any_time_later(database: Path, ruleset: str) -> None:
    """At once, after the end of the game and after a restart: the events are those that were told, backs and all."""
    made: list[tuple[int, Any, httpx.Response]] = []
    dice = Random(9)
    async with in_process(database) as before:
        players = await before.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(ruleset)])
        game = await before.table(ruleset, players)
        while to_act := (await players[0].look(game))["to_act"]:
            seat = dice.choice(to_act)
            chosen = any_of(await players[seat].moves(game), dice)
            made.append((seat, chosen, await move(players[seat], game, chosen, f"move-{len(made)}")))
        for number, (seat, chosen, first) in enumerate(made):
            assert told(await move(players[seat], game, chosen, f"move-{number}")) == told(first)
        over = await players[0].look(game)
    async with in_process(database) as after:
        for number, (seat, chosen, first) in enumerate(made):
            again = await move(players[seat].at(after), game, chosen, f"move-{number}")
            assert told(again) == told(first)
            assert again.headers[REPLAYED] == "true"
        assert await players[0].at(after).look(game) == over


async def test_a_hotseat_move_can_be_repeated_when_another_seat_must_act(ann: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset, hotseat=True)
    dice = Random(10)
    for number in range(40):
        seat = (await ann.look(game))["you"]
        if not (legal := await ann.moves(game)):
            assert number >= early(ruleset), "the game was over too soon"
            return
        chosen = any_of(legal, dice)
        first = await move(ann, game, chosen, f"k{number}")
        again = await move(ann, game, chosen, f"k{number}")
        assert first.json()["events"][0]["by"] == seat
        assert told(again) == told(first)


# --- on the table that one decided on -----------------------------------------------------------------------------


async def test_a_move_with_a_current_if_match_is_made(players: list[Caller], game: str) -> None:
    for form in ("{}", "W/{}", '"1.0", {}', "*"):
        mover, chosen = await a_choice(players, game)
        tag = (await mover.get(game)).headers["etag"]
        done(await move(mover, game, chosen, etag=form.format(tag)))


async def test_a_stale_decision_gets_the_missed_events(players: list[Caller], game: str, ruleset: str) -> None:
    """A whole game: every version since a seat's choice arose will do, every earlier one will not. The refusal has the
    first events that were missed."""
    dice = Random(11)
    refused = 0
    while to_act := (await players[0].look(game))["to_act"]:
        seat = dice.choice(to_act)
        mover, chosen = players[seat], any_of(await players[seat].moves(game), dice)
        now = await mover.look(game)
        at = dice.randint(1, now["version"])
        answer = await move(mover, game, chosen, etag=f'"{at}.{seat}"')
        if at >= now["decision"]:
            done(answer)
            continue
        stale = problem(answer, 412, "stale-decision")
        assert stale["version"] == now["version"]
        assert stale["missed"] == (await mover.events(game, after=at, limit=500))[:MAX_MISSED]
        assert await mover.look(game) == now
        await mover.move(game, chosen)
        refused += 1
    assert refused >= early(ruleset)


async def test_a_decision_stays_the_same_while_only_others_move(players: list[Caller], game: str) -> None:
    before = [await player.look(game) for player in players]
    async for mover, _ in play(players, game, Random(12)):
        after = [await player.look(game) for player in players]
        for seat, (then, now) in enumerate(zip(before, after, strict=True)):
            if seat in now["to_act"]:
                stays = seat != mover and seat in then["to_act"] and then["legal_moves"] == now["legal_moves"]
                assert now["decision"] == (then if stays else now)["decision" if stays else "version"]
        before = after


async def test_simultaneous_choices_do_not_make_each_other_stale(players: list[Caller], game: str) -> None:
    """Everybody moves on what he saw before any of them had moved."""
    to_act = (await players[0].look(game))["to_act"]
    seen = [await players[seat].get(game) for seat in to_act]
    for seat, before in zip(to_act, seen, strict=True):
        chosen = before.json()["legal_moves"][0]
        done(await move(players[seat], game, chosen, etag=before.headers["etag"]))


@pytest.mark.parametrize("tag", ["nonsense", '"x"', '"0.0"', '"999999.0"', '"' + "9" * 5000 + '.0"', "31", '""', "é"])
async def test_an_etag_that_was_never_issued_is_stale(players: list[Caller], game: str, tag: str) -> None:
    mover, chosen = await a_choice(players, game)
    before = await log(game, mover)
    answer = await mover.post(f"{game}/moves", chosen, headers=[("If-Match", tag.encode())])
    assert answer.status_code in (400, 412)
    problem(answer, answer.status_code, {400: "malformed", 412: "stale-decision"}[answer.status_code])
    assert await log(game, mover) == before


async def test_of_two_concurrent_moves_with_the_same_if_match_one_is_made(players: list[Caller], game: str) -> None:
    mover, _ = await a_choice(players, game)
    tag = (await mover.get(game)).headers["etag"]
    moves = (await mover.moves(game))[:4]
    answers = await asyncio.gather(*(move(mover, game, chosen, etag=tag) for chosen in moves))
    assert sorted(answer.status_code for answer in answers) == [200, *[412] * (len(moves) - 1)]


async def test_concurrent_moves_of_different_players_are_all_made(service: Service, rules: Rules) -> None:
    """All seats move concurrently as soon as they can, to the end of the game."""
    players = await service.guests(*("Ann", "Bob", "Cem", "Dora")[: max(rules.seats)])
    game = await service.table(rules.name, players)
    made: list[httpx.Response] = []

    async def take_part(player: Caller, dice: Random) -> None:
        while (seen := await player.look(game))["status"] == "running":
            if seen["legal_moves"]:
                answer = await move(player, game, any_of(seen["legal_moves"], dice), f"v{seen['version']}")
                made.append(answer)
                done(answer)
            await asyncio.sleep(0.002)

    await asyncio.gather(*(take_part(player, Random(seat)) for seat, player in enumerate(players)))
    events = await service.stranger.events(game, limit=500)
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    told_of = sorted(event["version"] for answer in made for event in answer.json()["events"])
    assert told_of == list(range(told_of[0], len(events) + 1))
