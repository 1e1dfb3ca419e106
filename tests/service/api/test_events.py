"""The events of a game as pages, redacted for each reader until the game is over."""

import json
from itertools import count
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from domain import game as aggregate
from domain.fairness import chain
from domain.game import Rules
from domain.game.log import Hashed, redacted
from tests.support.clients import Caller, Service, done, play, play_to_the_end

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


class Raw(msgspec.Struct):
    """A page or the response to a move, with the raw bytes of its events."""

    items: list[msgspec.Raw] = []
    events: list[msgspec.Raw] = []


def raw(answer: httpx.Response) -> list[bytes]:
    assert answer.status_code == 200, answer.text
    read = msgspec.json.decode(answer.content, type=Raw)
    return [bytes(event) for event in read.items or read.events]


async def read(who: Caller, game: str, **query: Any) -> list[bytes]:
    """The raw bytes of all events, from all pages."""
    events: list[bytes] = []
    following: str | None = f"{game}/events"
    while following is not None:
        answer = await who.get(following, **query)
        events += raw(answer)
        following, query = answer.json()["next"], {}
    return events


async def test_an_event_has_its_time_author_and_hashes(ann: Caller, game: str) -> None:
    events = await ann.events(game)
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert [event["event"]["type"] for event in events][:2] == ["opened", "joined"]
    assert (events[0]["by"], events[1]["by"]) == (None, 0)
    for event in events:
        assert set(event) - {"move", "acting"} == {"version", "at", "by", "event", "more", "public", "secret", "head"}
        assert ("acting" in event) == (event["more"] == 0)
        assert all(len(bytes.fromhex(event[name])) == 32 for name in ("public", "secret", "head"))
        assert event["at"].endswith("Z")
    assert [event["at"] for event in events] == sorted(event["at"] for event in events)
    assert events[-1]["head"] == (await ann.look(game))["head"]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100, 500])
async def test_pages_of_any_size_add_up_to_the_whole_list(ann: Caller, ruleset: str, limit: int) -> None:
    game = await ann.open(ruleset, hotseat=True)
    number = 0
    async for _ in play([ann] * 8, game, Random(1)):
        if (number := number + 1) == 30:
            break
    whole = raw(await ann.get(f"{game}/events", limit=500))
    assert await read(ann, game, limit=limit) == whole
    for after in (0, 1, len(whole) - 1, len(whole)):
        assert await read(ann, game, limit=limit, after=after) == whole[after:]


async def test_a_page_links_to_the_next_one(ann: Caller, game: str) -> None:
    answer = await ann.get(f"{game}/events", limit=2)
    following = done(answer)["next"]
    assert answer.headers["link"] == f'<{following}>; rel="next"'
    assert [event["version"] for event in done(await ann.get(following))["items"]] == [3, 4]
    version = (await ann.look(game))["version"]
    for limit in (version, 500):
        last = await ann.get(f"{game}/events", limit=limit)
        assert done(last)["next"] is None
        assert "link" not in last.headers


async def test_each_seat_reads_the_events_that_it_received(players: list[Caller], stranger: Caller, game: str) -> None:
    """In a whole game, the events in responses to a seat equal those of its pages, byte for byte."""
    told: list[dict[int, bytes]] = [{} for _ in players]
    pages: list[list[bytes]] = []
    async for seat, answer in play(players, game, Random(2)):
        for event in raw(answer):
            told[seat][msgspec.json.decode(event)["version"]] = event
        if answer.json()["game"]["status"] == "running":
            pages = [await read(player, game, limit=500) for player in players]
    for seat in range(len(players)):
        now = await read(stranger, game, as_=seat, limit=500)
        assert now[: len(pages[seat])] == pages[seat]
        assert told[seat]
        for version, event in told[seat].items():
            assert now[version - 1] == event


async def test_every_reader_gets_the_events_redacted_for_them(
    players: list[Caller], stranger: Caller, game: str, rules: Rules
) -> None:
    """The open events after the end, redacted, equal those that were read while the game ran."""
    entries = msgspec.json.Decoder(Hashed[aggregate.event_type(rules), rules.move])  # type: ignore[misc]
    running: dict[int | None, list[bytes]] = {}
    moves = count()
    async for _, answer in play(players, game, Random(3)):
        if answer.json()["game"]["status"] == "running" and next(moves) % 4 == 0:
            running = {seat: await read(player, game, limit=500) for seat, player in enumerate(players)}
            running[None] = await read(stranger, game, limit=500)
            assert await read(players[0], game, as_="bystander", limit=500) == running[None]
    full = await read(stranger, game, limit=500)
    hidden = 0
    for viewer, seen in running.items():
        for event, open_ in zip(seen, full, strict=False):
            assert entries.decode(event) == redacted(rules, entries.decode(open_), viewer)
            hidden += event != open_
    assert hidden
    assert b'"secret":null' in running[None][0]
    assert b'"secret":null' not in full[0]


async def test_a_move_is_shown_to_the_seat_that_made_it_and_after_the_end_to_everybody(
    players: list[Caller], stranger: Caller, game: str
) -> None:
    made: dict[int, Any] = {}
    shown: list[list[dict[str, Any]]] = []
    async for seat, answer in play(players, game, Random(4)):
        first, *rest = answer.json()["events"]
        made[first["version"]] = seat, json.loads(answer.request.content)
        assert first["move"] == made[first["version"]][1]
        assert not any("move" in event for event in rest)
        if answer.json()["game"]["status"] == "running":
            shown = [await player.events(game, limit=500) for player in (*players, stranger)]
    for viewer, events in enumerate(shown):
        moves = {event["version"]: (event["by"], event["move"]) for event in events if "move" in event}
        last = events[-1]["version"]
        assert moves == {at: move for at, move in made.items() if move[0] == viewer and at <= last}
    over = await stranger.events(game, limit=500)
    assert {event["version"]: (event["by"], event["move"]) for event in over if "move" in event} == made


async def test_an_append_says_who_has_a_choice_then(players: list[Caller], stranger: Caller, game: str) -> None:
    async for _, answer in play(players, game, Random(5)):
        *inner, last = answer.json()["events"]
        assert [event["more"] for event in (*inner, last)] == [*range(len(inner), -1, -1)]
        assert not any("acting" in event for event in inner)
        assert last["acting"] == answer.json()["game"]["to_act"]
    assert (await stranger.events(game, limit=500))[-1]["acting"] == []


async def test_after_the_end_all_events_are_open_to_everyone(
    players: list[Caller], stranger: Caller, eve: Caller, game: str
) -> None:
    await play_to_the_end(players, game)
    full = await read(stranger, game)
    for who in (*players, eve):
        assert await read(who, game) == full
        assert await read(who, game, as_="all") == full
    opened, *_, ended, revealed = (msgspec.json.decode(event)["event"] for event in full)
    assert (ended["type"], revealed["type"]) == ("ended", "revealed")
    assert opened["secret"] == revealed["secret"]
    assert chain.commitment(bytes.fromhex(opened["secret"])).hex() == opened["commitment"]


async def test_a_slow_reader_of_lines_does_not_get_events_of_the_next_player_in_their_seat(
    service: Service, ann: Caller, bob: Caller, rules: Rules
) -> None:
    """The reader leaves the seat while their client does not read the response."""
    _, seats, *_ = rules.seats
    others = await service.guests(*"abcd"[: seats - 1])
    game = await ann.open(rules.name, seats)
    asked = (await ann.look(game))["version"]
    app: Any = service.http._transport

    async def late(scope: Any, receive: Any, send: Any) -> None:
        async def send_late(message: Any) -> None:
            if message["type"] == "http.response.start":
                await others[0].sit(game)
                await ann.stand(game, 0)
                for player in (bob, *others[1:]):
                    await player.sit(game)
            await send(message)

        await app.app(scope, receive, send_late)

    async with httpx.AsyncClient(transport=httpx.ASGITransport(late), base_url="http://test") as http:
        told = await Caller(http, ann.token).get(f"{game}/events", headers={"Accept": "application/x-ndjson"})
    assert (await bob.look(game))["status"] == "running"
    assert len(told.content.splitlines()) == asked
