"""A game as each caller sees it: now, at any version, from other perspectives; and its caching headers."""

import asyncio
from pathlib import Path
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
    fewest,
    in_process,
    play,
    play_to_the_end,
    problem,
)

pytestmark = pytest.mark.anyio

ANY = next(iter(RULESETS))

FIELDS = {
    "id", "ruleset", "rules", "status", "created_at", "version", "head", "commitment", "options", "deck", "private",
    "hotseat", "absent", "undo", "undo_mode", "seats", "you", "to_act", "decision", "view", "legal_moves",
    "result", "links",
}  # fmt: skip


async def some_moves(players: list[Caller], game: str, moves: int, seed: int = 1) -> None:
    async for _ in play(players, game, Random(seed)):
        if (moves := moves - 1) == 0:
            return


async def test_a_game_has_these_fields_from_first_to_last(players: list[Caller], ruleset: str) -> None:
    game = await players[0].open(ruleset)
    assert set(await players[0].look(game)) == FIELDS
    for player in players[1:]:
        await player.sit(game)
    running = await players[0].look(game)
    assert set(running) == FIELDS
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


async def test_the_links_of_a_game_lead_to_its_parts(ann: Caller, game: str) -> None:
    links = (await ann.look(game))["links"]
    assert (links["self"], links["moves"], links["seats"]) == (game, f"{game}/moves", f"{game}/seats")
    for name in ("self", "moves", "events", "deck"):
        done(await ann.get(links[name]))


async def test_every_caller_sees_the_game_from_their_own_perspective(
    players: list[Caller], stranger: Caller, eve: Caller, game: str
) -> None:
    for seat, player in enumerate(players):
        seen = await player.look(game)
        assert seen["you"] == seat
        assert bool(seen["legal_moves"]) == (seat in seen["to_act"]) == (seen["decision"] is not None)
    for bystander in (stranger, eve):
        seen = await bystander.look(game)
        assert (seen["you"], seen["legal_moves"], seen["decision"]) == (None, [], None)


async def test_the_moves_are_those_in_the_game(players: list[Caller], eve: Caller, stranger: Caller, game: str) -> None:
    for seat, player in enumerate(players):
        seen, listed = await player.look(game), done(await player.get(f"{game}/moves"))
        assert listed == {"seat": seat, **{name: seen[name] for name in ("version", "decision", "legal_moves")}}
    problem(await eve.get(f"{game}/moves"), 403, "not-seated")
    problem(await stranger.get(f"{game}/moves"), 401, "unauthenticated")


async def test_a_game_of_another_ruleset_or_none_is_not_found(ann: Caller, game: str) -> None:
    number = game.rpartition("/")[2]
    for path in (f"/v1/games/nope/{number}", f"{game}x", game[:-1], f"{game}/nope", f"{game}/nope/0"):
        problem(await ann.get(path), 404, "not-found")


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


async def may_see(who: Caller, game: str, *wishes: Any) -> None:
    for wish in wishes:
        done(await who.get(game, as_=wish))
        done(await who.get(f"{game}/events", as_=wish))


async def may_not_see(who: Caller, game: str, *wishes: Any) -> None:
    for wish in wishes:
        problem(await who.get(game, as_=wish), 403, "forbidden")
        problem(await who.get(game, as_=wish, at=1), 403, "forbidden")
        problem(await who.get(f"{game}/events", as_=wish), 403, "forbidden")
        tag = (await who.get(game)).headers["etag"]
        problem(await who.get(game, as_=wish, headers={"If-None-Match": tag}), 403, "forbidden")


async def test_other_perspectives_are_forbidden_while_a_game_runs(
    players: list[Caller], eve: Caller, stranger: Caller, game: str
) -> None:
    for seat, player in enumerate(players):
        others = [other for other in range(len(players)) if other != seat]
        await may_see(player, game, seat, "bystander")
        await may_not_see(player, game, *others, "all")
        for other in others:
            problem(await player.get(f"{game}/moves", as_=other), 403, "not-seated")
    for outsider in (eve, stranger):
        await may_see(outsider, game, "bystander")
        await may_not_see(outsider, game, *range(len(players)), "all")


async def test_other_perspectives_are_forbidden_while_a_game_waits(ann: Caller, bob: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset)
    await may_see(ann, game, 0, "bystander")
    await may_not_see(ann, game, 1, "all")
    await may_not_see(bob, game, 0, 1, "all")
    own = await ann.open(ruleset, sit=False)
    await may_not_see(ann, own, 0, "all")


async def test_a_finished_game_is_open_to_everyone_from_every_perspective(
    players: list[Caller], eve: Caller, stranger: Caller, game: str
) -> None:
    await play_to_the_end(players, game)
    views = []
    for who in (*players, eve, stranger):
        await may_see(who, game, *range(len(players)), "bystander", "all")
        views += [(await who.look(game))["view"], (await who.look(game, as_="all"))["view"]]
    assert all(view == views[0] for view in views)


async def test_an_aborted_game_is_open_to_everyone(ann: Caller, eve: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset)
    await ann.stand(game, 0)
    await may_see(eve, game, 0, "bystander", "all")


async def test_a_hotseat_player_can_use_every_perspective(ann: Caller, eve: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset, hotseat=True)
    first = await ann.look(game)
    seats = range(len(first["seats"]))
    assert first["you"] == first["to_act"][0]
    assert first["legal_moves"]
    await may_see(ann, game, *seats, "bystander", "all")
    await may_not_see(eve, game, *seats, "all")
    for seat in seats:
        assert (await ann.look(game, as_=seat))["you"] == seat
        assert done(await ann.get(f"{game}/moves", as_=seat))["seat"] == seat


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

    async def slow_view(self: Games, live: CachedGame, viewer: Any, at: int | None = None) -> Any:
        nonlocal advanced
        seen = await view(self, live, viewer, at)
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


async def test_a_hotseat_player_does_not_get_the_secret_before_the_end(ann: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset, hotseat=True)
    for query in ({}, {"as_": "all"}, {"as_": 0}, {"as_": "bystander"}):
        opened, *_ = done(await ann.get(f"{game}/events", **query))["items"]
        assert opened["event"]["type"] == "opened"
        assert opened["event"]["secret"] is None


async def test_a_hotseat_player_moves_for_the_named_seat(ann: Caller, eve: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset, hotseat=True)
    seat = (await ann.look(game))["to_act"][-1]
    chosen = (await ann.moves(game, as_=seat))[0]
    problem(await eve.post(f"{game}/moves", chosen, as_=seat), 403, "not-seated")
    made = await ann.move(game, chosen, as_=seat)
    assert made["events"][0]["by"] == seat
    assert made["game"]["you"] == seat
    assert len((await play_to_the_end([ann] * len(made["game"]["seats"]), game))["result"]["scores"]) > 1


# --- what was seen then -------------------------------------------------------------------------------------------


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


async def test_a_game_looks_the_same_after_a_restart(database: Path, ruleset: str) -> None:
    """The choices, too: since when each seat has its own is read from the log."""
    async with in_process(database) as before:
        players = await before.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(ruleset)])
        game = await before.table(ruleset, players)
        states = []
        async for _ in play(players, game, Random(4)):
            states.append([await who.look(game) for who in (*players, before.stranger)])
            if len(states) == early(ruleset):
                break
    async with in_process(database) as after:
        here = [*(player.at(after) for player in players), after.stranger]
        assert [await who.look(game) for who in here] == states[-1]
        for state in states[:-1]:
            past = [await who.look(game, at=state[0]["version"]) for who in here]
            assert past == [each | {"decision": None, "undo": None} for each in state]


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
