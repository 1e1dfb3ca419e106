"""Films over REST: of finished games for whoever may see them, and of records for players who are signed in."""

import json
from typing import Any

import pytest

from domain.codec import encode
from domain.fairness import record
from domain.rulesets import RULESETS
from service.extensions.films.films import film_of
from tests.support.clients import Caller, Service, done, play_to_the_end, problem
from tests.verifiers import samples

pytestmark = pytest.mark.anyio

Json = dict[str, Any]
ONE = next(iter(RULESETS.values()))
NDJSON = {"Accept": "application/x-ndjson"}


async def test_a_finished_game_has_a_film(players: list[Caller], stranger: Caller, game: str) -> None:
    problem(await stranger.get(f"{game}/film"), 409, "not-finished")
    await play_to_the_end(players, game)
    answer = await stranger.get(f"{game}/film")
    film = done(answer)
    assert film["record"] == done(await stranger.get(f"{game}/record"))
    whole = record.decode((await stranger.get(f"{game}/record")).content)
    assert answer.content == encode(film_of(whole))
    described = done(await stranger.get(f"/v1/rulesets/{whole.ruleset}"))
    assert film["ruleset"] == described
    assert film["captions"] == done(
        await stranger.get(f"/v1/rulesets/{whole.ruleset}/decks/{whole.deck.name}/captions")
    )
    lines = await stranger.get(f"{game}/events", headers=NDJSON, as_=0, with_="patch,tally")
    assert lines.text.count("\n") == len(film["perspectives"]["0"])
    unchanged = await stranger.get(f"{game}/film", headers={"If-None-Match": answer.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")


async def test_the_film_of_a_private_game_is_private(ann: Caller, bob: Caller, stranger: Caller) -> None:
    game = await ann.open(ONE.name, 2, private=True)
    invite = (await ann.look(game))["invite"]
    await bob.sit(game, invite=invite)
    await play_to_the_end([ann, bob], game)
    problem(await stranger.get(f"{game}/film"), 404, "not-found")
    assert done(await stranger.get(f"{game}/film", headers={"Invite": invite})) == done(await bob.get(f"{game}/film"))


async def test_a_film_shows_the_names_of_today(ann: Caller, bob: Caller, service: Service) -> None:
    game = await service.table(ONE.name, [ann, bob])
    await play_to_the_end([ann, bob], game)
    before = done(await ann.get(f"{game}/film"))
    assert before["record"]["names"] == {ann.id: "Ann", bob.id: "Bob"}
    done(await ann.patch("/v1/players/me", {"name": "Anna"}))
    assert done(await bob.get(f"{game}/film"))["record"]["names"] == {ann.id: "Anna", bob.id: "Bob"}


def some_record() -> bytes:
    return encode(samples.shortest(ONE, ONE.seats[0]))


async def test_a_record_gives_a_film_and_nothing_is_kept(ann: Caller) -> None:
    text = encode(samples.with_undo(ONE)["free"])  # harder than the shortest
    answer = await ann.post("/v1/films", text)
    assert answer.headers["cache-control"] == "no-store"
    film = done(answer)
    assert film == json.loads(encode(film_of(record.decode(text))))
    seats = [str(seat) for seat in range(len(film["record"]["seats"]))]
    assert [*film["perspectives"]] == ["all", "bystander", *seats]
    problem(await ann.get(f"/v1/games/{ONE.name}/{film['record']['id']}"), 404, "not-found")
    again = await ann.post("/v1/films", text, headers={"Content-Type": "application/vnd.stammtisch.record+json"})
    assert done(again) == film
    problem(await ann.post("/v1/films", text.replace(b'"more":0', b'"more":1', 1)), 422, "invalid-record")
    twice = text.replace(b'"id":"', b'"id":"018f3c2e-7b1a-7c3d-9e4f-00000000b003","id":"', 1)
    assert "twice" in problem(await ann.post("/v1/films", twice), 422, "invalid-record")["detail"]


async def test_what_is_no_record_is_refused_with_the_reason(ann: Caller, stranger: Caller) -> None:
    text = some_record()
    problem(await stranger.post("/v1/films", text), 401, "unauthenticated")
    problem(await ann.post("/v1/films", b"{"), 400, "malformed")
    problem(await ann.post("/v1/films", []), 400, "malformed")
    problem(await ann.post("/v1/films", b"[" * 50_000), 400, "malformed")
    problem(await ann.post("/v1/films", text[:-9]), 400, "malformed")
    problem(await ann.post("/v1/films", b'"\xff"'), 400, "malformed")
    problem(await ann.post("/v1/films", text, headers={"Content-Type": "text/plain"}), 415, "unsupported-media-type")
    problem(await ann.post("/v1/films", text + b" " * 2**21), 413, "too-large")
    renamed = text.replace(f'"{ONE.rules}"'.encode(), b'"whist/1"', 1)
    assert "whist" in problem(await ann.post("/v1/films", renamed), 422, "invalid-record")["detail"]
    padded = text.replace(b'{"format"', b'{"more":1,"format"', 1)
    assert "more" in problem(await ann.post("/v1/films", padded), 400, "malformed")["detail"]
    unfinished = encode(samples.seen(ONE, samples.running(ONE, ONE.seats[0], 0), 0))
    assert "complete" in problem(await ann.post("/v1/films", unfinished), 422, "invalid-record")["detail"]
