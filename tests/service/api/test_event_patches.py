"""`?with=patch`: the patches of pages, lines and streams fold to the view of every version, from every perspective."""

from random import Random
from typing import Any

import msgspec
import pytest

from domain.rulesets import RULESETS
from projections import patches
from service.api import event_items
from tests.kit.json_patch import applied
from tests.support.clients import Caller, done, early, play, play_to_the_end, problem

pytestmark = pytest.mark.anyio

Json = dict[str, Any]
ONE = next(iter(RULESETS))
NDJSON = {"Accept": "application/x-ndjson"}


class Item(msgspec.Struct):
    """An item of a page or stream, with its patch as it was sent."""

    version: int
    patch: msgspec.Raw


class Look(msgspec.Struct):
    version: int
    view: msgspec.Raw


async def lines(who: Caller, game: str, **query: Any) -> list[bytes]:
    answer = await who.get(f"{game}/events", headers=NDJSON, **query)
    assert answer.status_code == 200, answer.text
    return answer.content.splitlines()


async def view(who: Caller, game: str, **query: Any) -> Look:
    return msgspec.json.decode((await who.get(game, **query)).content, type=Look)


async def check(who: Caller, game: str, after: int = 0, step: int = 1, **query: Any) -> int:
    """The law. The patches after `after`, applied to the view of that version, give each later one, byte for byte.

    Compares the view of every `step`th version. Returns the last version.
    """
    folded = msgspec.json.decode((await view(who, game, at=after, **query)).view) if after else msgspec.UNSET
    plain = await lines(who, game, after=after, **query)
    patched = await lines(who, game, after=after, with_="patch", **query)
    for line, bare in zip(patched, plain, strict=True):
        item = msgspec.json.decode(line, type=Item)
        assert line == bare[:-1] + b',"patch":' + item.patch + b"}", "an item is the same but for its patch"
        folded = applied(folded, msgspec.json.decode(item.patch))
        if item.version % step == 0 or line is patched[-1]:
            seen = await view(who, game, at=item.version, **query)
            assert msgspec.json.encode(folded) == bytes(seen.view), f"version {item.version}"
    return after + len(patched)


async def test_patches_fold_to_the_view_of_every_version(
    players: list[Caller], stranger: Caller, game: str, ruleset: str
) -> None:
    """While the game runs from each player's own perspective, after its end from all of them."""
    made = play(players, game, Random(5))
    for _ in range(early(ruleset, 15)):
        _, answer = await anext(made)
    version = done(answer)["version"]
    for who in (*players, stranger):
        assert await check(who, game) == version
        assert await check(who, game, after=version // 2) == version
    async for _ in made:
        pass
    for as_ in ("all", "bystander", *range(len(players))):
        assert await check(stranger, game, step=60, as_=as_) > version


async def test_an_item_has_the_same_patch_wherever_reading_begins(players: list[Caller], game: str) -> None:
    """In pages of any size, in lines, and in lines that begin later."""
    await play_to_the_end(players, game)
    every = await lines(players[0], game, as_=1, with_="patch")
    for limit in (7, 100, 500):
        assert [*map(msgspec.json.encode, await players[0].events(game, as_=1, with_="patch", limit=limit))] == every
    for after in (1, 3, len(every) - 1, len(every)):
        assert await lines(players[0], game, as_=1, with_="patch", after=after) == every[after:]
        page = done(await players[0].get(f"{game}/events", as_=1, with_="patch", after=after, limit=3))
        assert [*map(msgspec.json.encode, page["items"])] == every[after : after + 3]


async def test_patches_need_the_same_permission_as_the_view(ann: Caller, eve: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset, private=True)
    for accept in ("application/json", "application/x-ndjson", "text/event-stream"):
        headers = {"Accept": accept}
        problem(await eve.get(f"{game}/events", headers=headers, with_="patch"), 404, "not-found")
        problem(await ann.get(f"{game}/events", headers=headers, with_="patch", as_="all"), 403, "forbidden")


async def test_a_long_page_is_patched_in_a_thread(
    ann: Caller, game: str, players: list[Caller], monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_to_the_end(players, game)
    whole = (await ann.get(f"{game}/events", with_="patch", limit=500)).content
    monkeypatch.setattr(event_items, "THREAD_THRESHOLD", 1)
    assert (await ann.get(f"{game}/events", with_="patch", limit=500)).content == whole


@pytest.mark.parametrize("ruleset", [ONE], indirect=True)
async def test_a_patch_that_is_made_from_the_truth_breaks_the_law(
    players: list[Caller], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planted fault: patches of the full state instead of the viewer's."""
    await anext(play(players, game, Random(1)))
    await check(players[0], game)
    step = patches.step

    def peeking(rules: Any, seen: Any, _: Any) -> Any:
        full = next(each for each in game_log[0] if each.version == seen.version + 1)
        return step(rules, seen, full.event)

    game_log: list[Any] = [[]]
    encoded = event_items.encoded

    def remembering(cached: Any, entries: Any, *rest: Any) -> Any:
        game_log[0] = entries
        return encoded(cached, entries, *rest)

    monkeypatch.setattr(event_items, "encoded", remembering)
    monkeypatch.setattr(patches, "step", peeking)
    with pytest.raises(AssertionError, match="version"):
        await check(players[0], game)
