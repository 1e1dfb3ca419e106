"""Films over REST: of finished games for whoever may see them, and of records for players who are signed in."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from domain.codec import encode
from domain.fairness import record
from domain.rulesets import RULESETS
from service.extensions.films.films import film_of
from tests.support.clients import Caller, Service, done, play_to_the_end, problem
from tests.support.listening import over_http
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


async def test_records_that_do_not_end_keep_no_other_network_from_a_film(tmp_path: Path) -> None:
    async with over_http(tmp_path / "games.db", trusted_proxies="127.0.0.1") as service:
        ann, place = await service.guest("Ann"), urlsplit(str(service.http.base_url))

        async def begin(client: str, sent: bytes = b" " * 70_000) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            streams = await asyncio.open_connection(place.hostname, place.port)
            head = f"POST /v1/films HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ann.token}\r\n"
            head += f"X-Forwarded-For: {client}\r\nContent-Type: application/json\r\nContent-Length: 70001\r\n\r\n"
            streams[1].write(head.encode() + sent)
            return streams

        hoard = [await begin("192.0.2.1") for _ in range(16)]
        await asyncio.sleep(0.5)
        refused = await begin("192.0.2.1")
        assert (await refused[0].readline()).startswith(b"HTTP/1.1 503")
        honest = await begin("198.51.100.1", b" " * 69_999 + b"{}")
        assert (await honest[0].readline()).startswith(b"HTTP/1.1 4")
        first, _ = await asyncio.wait(
            [asyncio.create_task(reader.readline(), name=str(number)) for number, (reader, _) in enumerate(hoard)],
            timeout=60, return_when=asyncio.FIRST_COMPLETED,
        )  # fmt: skip
        assert [(each.get_name(), each.result()[:12]) for each in first] == [("15", b"HTTP/1.1 503")]
        for _, writer in (*hoard, refused, honest):
            writer.close()
