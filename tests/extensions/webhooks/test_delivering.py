"""Events of games arrive at webhooks: signed, each once, and only those that their owner may know."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from random import Random

import pytest
from stammtisch_client import verify_webhook

from service.settings import Settings
from tests.extensions.webhooks.conftest import live, serving, with_networks
from tests.support.clients import Service, done, play
from tests.support.receivers import Receiver, delivering

pytestmark = pytest.mark.anyio


@pytest.fixture
def given(databases: Callable[[str], Settings]) -> Settings:
    """On each database."""
    return with_networks(databases("games"))


@pytest.fixture
async def service(given: Settings) -> AsyncIterator[Service]:
    async with serving(given) as running:
        yield running


@pytest.mark.by_default("[postgresql]")  # the other tests of deliveries have SQLite
async def test_a_player_is_told_what_happens_in_their_games(given: Settings, service: Service, receiver: Receiver):
    ann, bob, eve = await service.guests("Ann", "Bob", "Eve")
    async with delivering(given), delivering(given):
        hook = await live(ann, receiver)
        await service.table("skyjo", [bob, eve])
        game = await service.table("skyjo", [ann, bob], options={"target_points": 1})
        turns = []
        async for seat, answer in play([ann, bob], game, Random(1)):
            turns.append((seat, answer.json()))
        entries = await ann.events(game)
        await receiver.until(lambda: receiver.counts["game.over"] == 1)
        expected = Counter({"game.begun": 1, "game.over": 1, "game.your_turn": turns_of(entries, 0)})
        await receiver.until(lambda: receiver.counts == expected)
    for each in receiver.received:
        each.verify(hook["secret"])
        event = verify_webhook(hook["secret"], each.headers, each.body)  # the client package agrees
        assert (event.id, event.type, event.data) == (each.id, each.type, each.json["data"])
    assert len(receiver.received) == len({each.id for each in receiver.received}), "each by one of the two deliverers"
    told = receiver.events("game.your_turn")
    assert {each.json["data"]["player"] for each in told} == {ann.id}
    assert all(each.json["data"]["game"]["url"] == game for each in receiver.events())
    by_version = {entry["version"]: entry for entry in entries}
    for each in told:
        entry = by_version[each.json["data"]["version"]]
        assert each.json["timestamp"] == entry["at"]
        assert each.json["data"]["seat"] in entry["acting"]
    page = done(await ann.get(f"/v1/webhooks/{hook['id']}/deliveries", limit=100))
    assert {each["status"] for each in page["items"]} == {"delivered"}
    assert {each["id"] for each in page["items"]} == {each.id for each in receiver.received}


def turns_of(entries: list[dict[str, object]], seat: int) -> int:
    """How often the seat got a choice."""
    acting = [entry["acting"] for entry in entries if "acting" in entry]
    return sum(seat in after and seat not in before for before, after in zip([[], *acting], acting, strict=False))  # type: ignore[operator]
