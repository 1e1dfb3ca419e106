"""Whether a request takes the short way or the long one, through the framework: the answer is the same."""

from typing import Any

import httpx
import pytest

from service.api.fast_path import FastPath
from tests.support.clients import NOTHING, Caller

pytestmark = pytest.mark.anyio

KEY = "Idempotency-Key"

HEADERS: dict[str, list[tuple[str, str]]] = {
    "none": [],
    "a key": [(KEY, "short")],
    "an empty key": [(KEY, "")],
    "a key with a blank": [(KEY, "a b")],
    "a key that is too long": [(KEY, "k" * 129)],
    "two keys": [(KEY, "one"), (KEY, "two")],
    "a tag of long ago": [("If-Match", '"1.0"')],
    "a tag of the future": [("If-Match", '"999.0"')],
    "no tag at all": [("If-Match", "nonsense")],
    "any tag": [("If-Match", "*"), ("If-None-Match", "*")],
    "two tags": [("If-None-Match", '"1.0"'), ("If-None-Match", "*")],
    "a preference": [("Prefer", "return=minimal")],
    "a bad token": [("Authorization", "Bearer nonsense")],
    "another scheme": [("Authorization", "Basic YTpi")],
    "another type": [("Content-Type", "text/plain")],
}
BODIES: dict[str, Any] = {
    "nothing": NOTHING,
    "no move": {"type": "no_such_move"},
    "no object": b"[1,2]",
    "no JSON": b"{",
    "too deep": b"[" * 50_000,
    "too much": b" " * 70_000,
    "no text": b'{"type":"\xff"}',
}


def told(answer: httpx.Response) -> tuple[int, list[tuple[str, str]], bytes]:
    return answer.status_code, sorted(answer.headers.items()), answer.content


async def both(who: Caller, method: str, path: str, body: Any = NOTHING, headers: Any = ()) -> httpx.Response:
    """The answer, which is the same on the long way: that is where a query leads, though nobody reads this one."""
    short = await who.send(method, path, body, headers=headers)
    assert told(short) == told(await who.send(method, path, body, headers=headers, nobody="reads this"))
    return short


@pytest.fixture(autouse=True)
def taken(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each request whether it took the short way."""
    found: list[bool] = []
    find = FastPath._find

    def noting(self: FastPath, scope: Any) -> Any:
        way = find(self, scope)
        found.append(way is not None)
        return way

    monkeypatch.setattr(FastPath, "_find", noting)
    return found


@pytest.mark.parametrize("headers", HEADERS)
async def test_looks_are_answered_alike(game: str, ann: Caller, eve: Caller, stranger: Caller, headers: str) -> None:
    for who in (ann, eve, stranger):
        for path in (game, f"{game}/moves", f"{game}x", f"{game}x/moves"):
            for method in ("GET", "HEAD"):
                await both(who, method, path, headers=HEADERS[headers])


@pytest.mark.parametrize("headers", HEADERS)
async def test_moves_that_are_refused_are_answered_alike(
    game: str, ann: Caller, bob: Caller, eve: Caller, stranger: Caller, headers: str
) -> None:
    for who in (ann, bob, eve, stranger):
        for body in BODIES.values():
            await both(who, "POST", f"{game}/moves", body, HEADERS[headers])


@pytest.mark.parametrize("more", [[], [("Prefer", "return=minimal")]])
async def test_moves_that_are_made_are_answered_alike(ruleset: str, ann: Caller, more: Any) -> None:
    game = await ann.open(ruleset, hotseat=True)
    for number in range(12):
        chosen = (await ann.look(game))["legal_moves"][-1]
        headers = [(KEY, f"key-{number}"), *more]
        first = await ann.post(f"{game}/moves", chosen, headers=headers)
        again = await both(ann, "POST", f"{game}/moves", chosen, headers)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.content == first.content


async def test_ordinary_requests_take_the_short_way_and_others_do_not(
    game: str, ann: Caller, taken: list[bool]
) -> None:
    taken.clear()
    await ann.get(game)
    await ann.get(f"{game}/moves", headers={"If-None-Match": '"1.0"'})
    await ann.post(f"{game}/moves", {"type": "no_such_move"}, headers={KEY: "one"})
    assert taken == [True] * 3
    taken.clear()
    await ann.get(game, at=1)
    await ann.get(f"{game}/events")
    await ann.get(f"{game}/")
    await ann.post(game, {})
    await ann.post(f"{game}/moves", {}, headers={KEY: "a b"})
    assert taken == [False] * 5
