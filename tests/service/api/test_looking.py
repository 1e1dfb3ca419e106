"""A game as each caller sees it: now, at any version, from other perspectives; and its caching headers."""

import asyncio
from random import Random
from typing import Any

import pytest

from domain.game import Rules
from domain.rulesets import RULESETS
from service.api import game_resource
from service.games import cached_game
from service.games.cached_game import CachedGame
from service.games.games import Games
from tests.support.clients import (
    Caller,
    Service,
    any_of,
    done,
    early,
    play,
    play_to_the_end,
    problem,
    some_moves,
)  # fmt: skip

pytestmark = pytest.mark.anyio

ANY = next(iter(RULESETS))

FIELDS = {
    "id", "ruleset", "rules", "status", "created_at", "version", "head", "commitment", "options", "deck", "private",
    "hotseat", "absent", "undo", "undo_mode", "seats", "you", "to_act", "decision", "view", "legal_moves",
    "result", "links",
}  # fmt: skip


async def test_a_game_has_these_fields_from_first_to_last(players: list[Caller], ruleset: str) -> None:
    game = await players[0].open(ruleset)
    assert set(await players[0].look(game)) == FIELDS
    for player in players[1:]:
        await player.sit(game)
    running = await players[0].look(game)
    assert set(running) == FIELDS
    assert (running["links"]["moves"], running["links"]["seats"]) == (f"{game}/moves", f"{game}/seats")
    for name in ("self", "moves", "events", "deck"):
        done(await players[0].get(running["links"][name]))
    assert (running["ruleset"], running["rules"].partition("/")[0]) == (ruleset, ruleset)
    assert [seat["player"]["id"] for seat in running["seats"]] == [player.id for player in players]
    assert running["created_at"].endswith("Z")
    assert len(bytes.fromhex(running["head"])) == len(bytes.fromhex(running["commitment"])) == 32
    over = await play_to_the_end(players, game)
    assert set(over) == FIELDS
    assert (over["to_act"], over["legal_moves"], over["decision"]) == ([], [], None)
    assert len(over["result"]["scores"]) == len(players)
    assert set(over["result"]["winners"]) <= set(range(len(players)))
    for unchanging in ("id", "ruleset", "rules", "created_at", "commitment", "options", "deck", "seats", "links"):
        assert over[unchanging] == running[unchanging]


# --- caches -------------------------------------------------------------------------------------------------------


async def test_responses_to_members_are_private(ann: Caller, game: str) -> None:
    for path in (game, f"{game}/moves", f"{game}/events", "/v1/games", "/v1/players/me", f"{game}?at=1"):
        headers = (await ann.get(path)).headers
        assert "private" in headers["cache-control"]
        assert "no-cache" in headers["cache-control"]
        assert "authorization" in headers["vary"].lower()
        assert "public" not in headers["cache-control"]


async def test_a_current_etag_gets_304(ann: Caller, game: str) -> None:
    first = await ann.get(game)
    tag = first.headers["etag"]
    assert tag.startswith(f'"{first.json()["version"]}.')
    for known in (tag, f"W/{tag}", f'"1.0", {tag}', f'{tag},"x"', f'W/"1.0" , W/{tag}', "*"):
        again = await ann.get(game, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b""), known
        assert again.headers["etag"] == tag
        assert again.headers["cache-control"] == first.headers["cache-control"]
        assert again.headers["vary"] == first.headers["vary"]


async def test_any_other_etag_gets_the_game(players: list[Caller], eve: Caller, game: str) -> None:
    before = (await players[0].get(game)).headers["etag"]
    for who, known in ((eve, before), (players[1], before), (players[0], '"x"'), (players[0], before[1:-1])):
        assert (await who.get(game, headers={"If-None-Match": known})).status_code == 200
    await some_moves(players, game, 1)
    assert (await players[0].get(game, headers={"If-None-Match": before})).status_code == 200


@pytest.mark.slow
async def test_responses_with_the_same_etag_are_identical(
    players: list[Caller], eve: Caller, stranger: Caller, ruleset: str
) -> None:
    """All kinds of requests, while others open, join, play and finish games."""
    answers: dict[tuple[str, str], bytes] = {}

    async def ask(game: str) -> None:
        for path in (game, *(f"{game}?{query}" for query in ("as=bystander", "as=all", "as=0", "at=2", "at=9"))):
            for who in (*players, eve, stranger):
                answer = await who.get(path)
                if answer.status_code == 200:
                    known = answers.setdefault((path, answer.headers["etag"]), answer.content)
                    assert known == answer.content, (path, answer.headers["etag"], who.name)

    for terms in ({"sit": False}, {"private": True}):
        game = await players[0].open(ruleset, **terms)
        await ask(game)
        invite = (await players[0].look(game)).get("invite", "")
        for player in players if "sit" in terms else players[1:]:
            await player.sit(game, invite=invite)
            await ask(game)
        number = 0
        async for _ in play(players, game, Random(2)):
            number += 1
            if number % 10 == 1:
                await ask(game)
        await ask(game)


# --- through whose eyes -------------------------------------------------------------------------------------------


async def may_see(who: Caller, game: str) -> set[Any]:
    """The perspectives that a caller may take, of those that there are. The others are forbidden."""
    seen, allowed = await who.get(game), set[Any]()
    for wish in (*range(len(done(seen)["seats"])), "bystander", "all"):
        current = {"If-None-Match": seen.headers["etag"]}
        first, *rest = [
            await who.get(game, as_=wish), await who.get(game, as_=wish, at=1),
            await who.get(f"{game}/events", as_=wish), await who.get(game, as_=wish, headers=current),
        ]  # fmt: skip
        if first.status_code == 200:
            allowed.add(wish)
            assert {each.status_code for each in rest} <= {200, 304}
        else:
            for refused in (first, *rest):
                problem(refused, 403, "forbidden")
    return allowed


async def test_who_may_see_what(players: list[Caller], eve: Caller, stranger: Caller, ruleset: str, game: str) -> None:
    """While the game waits or runs, a player their own seat; when it is over, everybody everything. At a hotseat the
    player sees everything at any time, but the secret of the deals."""
    ann, everything = players[0], {*range(len(players)), "bystander", "all"}
    waiting, own, hotseat = (
        await ann.open(ruleset),
        await ann.open(ruleset, sit=False),
        await ann.open(ruleset, hotseat=True),
    )
    assert await may_see(ann, waiting) == {0, "bystander"}
    assert await may_see(ann, own) == {"bystander"}
    for who in (players[1], eve, stranger):
        assert await may_see(who, waiting) == await may_see(who, hotseat) == {"bystander"}
    for seat, player in enumerate(players):
        assert await may_see(player, game) == {seat, "bystander"}
        seen = await player.look(game)
        assert bool(seen["legal_moves"]) == (seat in seen["to_act"]) == (seen["decision"] is not None)
        for other in {*range(len(players))} - {seat}:
            problem(await player.get(f"{game}/moves", as_=other), 403, "not-seated")
        for move in seen["legal_moves"][:1]:  # it is not made, and then refused to be shown
            problem(await player.post(f"{game}/moves", move, as_="all"), 403, "forbidden")
            assert (await player.look(game))["version"] == seen["version"]
    assert await may_see(eve, game) == await may_see(stranger, game) == {"bystander"}
    for who, wish in ((ann, 1), (ann, "all"), (eve, 0), (stranger, 0)):
        live = await who.get(f"{game}/events", as_=wish, headers={"Accept": "text/event-stream"})
        problem(live, 403, "forbidden")
    assert await may_see(ann, hotseat) == everything
    assert (await ann.look(hotseat))["you"] == (await ann.look(hotseat))["to_act"][0]
    for seat in range(len(players)):
        assert (
            (await ann.look(hotseat, as_=seat))["you"]
            == done(await ann.get(f"{hotseat}/moves", as_=seat))["seat"]
            == seat
        )
    for query in ({}, {"as_": "all"}, {"as_": 0}, {"as_": "bystander"}):
        opened, *_ = done(await ann.get(f"{hotseat}/events", **query))["items"]
        assert (opened["event"]["type"], opened["event"]["secret"]) == ("opened", None)
    await play_to_the_end(players, game)
    await ann.stand(waiting, 0)
    for who in (*players, eve, stranger):
        assert await may_see(who, waiting) == await may_see(who, game) == everything
        assert (await who.look(game))["view"] == (await eve.look(game, as_="all"))["view"]


async def test_hotseat_responses_show_the_seat_that_a_move_without_a_seat_is_made_for(
    ann: Caller, ruleset: str
) -> None:
    """Also of a past version, when it was that one. A bystander sees no moves: they name the cards of a hand."""
    game, dice = await ann.open(ruleset, hotseat=True), Random(1)
    then: dict[int, Any] = {}
    for _ in range(early(ruleset, 25)):
        bystander = await ann.look(game, as_="bystander")
        assert (bystander["you"], bystander["legal_moves"], bystander["decision"]) == (None, [], None)
        for query in ({}, {"as_": "all"}):
            seen = await ann.look(game, **query)
            assert seen["you"] == seen["to_act"][0]
            assert seen["legal_moves"] == await ann.moves(game, **query)
            assert (await ann.look(game, as_=seen["you"]))["decision"] == seen["decision"]
        then[seen["version"]] = seen
        made = await ann.move(game, any_of(seen["legal_moves"], dice), as_="bystander")
        assert made["events"][0]["by"] == seen["you"]
    assert len({seen["you"] for seen in then.values()}) > 1
    for version, seen in then.items():
        assert await ann.look(game, at=version, as_="all") == seen | {"decision": None, "undo": None}


@pytest.mark.parametrize("way", ["look", "move"])
async def test_a_response_shows_one_version_even_if_the_game_advances_meanwhile(
    ann: Caller, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """The game can advance while the response waits for a read of the log."""
    game, dice = await ann.open(ANY, hotseat=True), Random(1)
    for _ in range(20):
        await ann.move(game, (await ann.moves(game))[0])
    advanced = False

    async def slow_view(self: Games, live: CachedGame, viewer: Any, *rest: Any) -> Any:
        nonlocal advanced
        seen = await view(self, live, viewer, *rest)
        if not advanced:
            advanced = True
            await asyncio.create_task(advance())  # handlers run without a task
        return seen

    async def advance() -> None:
        await ann.move(game, any_of(await ann.moves(game), dice), headers={"Prefer": "return=minimal"})

    view = Games.view
    monkeypatch.setattr(Games, "view", slow_view)
    monkeypatch.setattr(game_resource, "current_resource", lambda *_: None)
    before = (await ann.moves(game))[0]
    answer = await (ann.get(game) if way == "look" else ann.post(f"{game}/moves", before))
    seen = done(answer) if way == "look" else done(answer)["game"]
    monkeypatch.undo()
    assert advanced
    assert (await ann.look(game))["version"] > seen["version"]
    assert answer.headers["etag"].startswith(f'"{seen["version"]}.')
    assert seen["decision"] <= seen["version"]
    assert await ann.look(game, at=seen["version"], as_=seen["you"]) == seen | {"decision": None, "undo": None}


# --- what was seen then -------------------------------------------------------------------------------------------


@pytest.mark.slow
async def test_a_past_version_shows_what_was_visible_then(
    players: list[Caller], stranger: Caller, eve: Caller, game: str
) -> None:
    """Every answer of a whole game, for every seat and a bystander, kept and compared at its end."""
    seen: dict[tuple[int, int | str], Any] = {}

    async def look() -> None:
        for seat, player in enumerate(players):
            now = await player.look(game)
            seen[now["version"], seat] = now
            then = await player.look(game, at=now["version"])
            assert then == now | {"decision": None, "undo": None}
        seen[now["version"], "bystander"] = await stranger.look(game)

    await look()
    async for _ in play(players, game, Random(3)):
        await look()
    over = await stranger.look(game)
    assert len(seen) > 10 * len(players)
    for (version, viewer), before in seen.items():
        if version < over["version"]:
            who = stranger if viewer == "bystander" else players[int(viewer)]
            assert await who.look(game, at=version, as_=viewer) == before | {"decision": None, "undo": None}
    for seat in range(len(players)):
        assert (await eve.look(game, at=20, as_=seat))["view"] == (await players[seat].look(game, at=20, as_=seat))[
            "view"
        ]


async def test_every_version_is_available_while_the_game_runs(
    players: list[Caller], stranger: Caller, game: str
) -> None:
    await some_moves(players, game, 10)
    version = (await stranger.look(game))["version"]
    heads = [event["head"] for event in await stranger.events(game)]
    for at in range(1, version + 1):
        for who in (*players, stranger):
            answer = await who.get(game, at=at)
            then = done(answer)
            assert (then["version"], then["head"], then["decision"]) == (at, heads[at - 1], None)
            assert answer.headers["etag"].startswith(f'"{at}.')
    assert (await stranger.look(game, at=1))["status"] == "waiting"
    for at in (version + 1, 10**6, 10**30):
        problem(await stranger.get(game, at=at), 404, "not-found")


async def test_a_late_viewer_of_a_long_game_sees_the_same_as_an_early_one(
    service: Service, rules: Rules, stranger: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has more events than the service keeps at hand."""
    monkeypatch.setattr(cached_game, "MIN_TAIL_LENGTH", 8)
    ann, seats = await service.guest("Ann"), max(rules.seats)
    game = await ann.open(rules.name, seats, hotseat=True)
    steps = 0
    async for seat, _ in play([ann] * seats, game, Random(5)):
        steps += 1
        if seat == 0 and steps > 20:
            break
    for _ in range(2):
        version = (await stranger.look(game))["version"]
        for wish in (*range(seats), "bystander", "all"):
            now = await ann.look(game, as_=wish)
            assert now["view"] == (await ann.look(game, as_=wish, at=version))["view"]
        await some_moves([ann] * seats, game, 20)
    assert version > 4 * cached_game.MIN_TAIL_LENGTH


async def test_a_game_with_a_kept_seat_is_not_sent_twice(service: Service) -> None:
    """The name of the player for whom it is kept is part of the version that the client has."""
    ann, bob = await service.guests("Ann", "Bob")
    done(await bob.patch("/v1/players/me", {"name": "Robert"}))
    game = await ann.open("skyjo", ["me", {"player": bob.id}])
    first = await ann.get(game)
    again = await ann.get(game, headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code) == (200, 304)
