"""Large responses are compressed if the client accepts it, and revalidated by their ETags."""

import gzip
from unittest.mock import AsyncMock

import httpx
import msgspec
import pytest

from domain.rulesets import RULESETS
from service.documents.document import DocumentPlugin
from service.server.compression import MIN_SIZE, accepts, document_response
from tests.openapi.test_document import DOCUMENT
from tests.support.clients import Caller, play_to_the_end

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

of_one_ruleset = pytest.mark.parametrize("ruleset", [next(iter(RULESETS))], indirect=True)

SAME = "etag", "cache-control", "vary"

LARGE = (
    "/schema/openapi.json", "/schema/asyncapi.json", "/v1/rulesets/{ruleset}", "{game}/events?limit=500",
    "{game}/record",
)  # fmt: skip


async def bytes_of(who: Caller, path: str, coding: str) -> httpx.Response:
    """The response, whose content is not decoded yet."""
    headers = {"Accept-Encoding": coding} | ({"Authorization": f"Bearer {who.token}"} if who.token else {})
    return await who.http.send(who.http.build_request("GET", path, headers=headers), stream=True)


@of_one_ruleset
@pytest.mark.parametrize("path", LARGE)
async def test_a_large_response_is_compressed_if_the_client_accepts_it(
    players: list[Caller], game: str, ruleset: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed = document_response(msgspec.json.encode(DOCUMENT))  # to make it takes a second
    monkeypatch.setattr(DocumentPlugin, "_make", AsyncMock(return_value=committed))
    await play_to_the_end(players, game)
    path = path.format(ruleset=ruleset, game=game)
    plain, packed = [await bytes_of(players[0], path, coding) for coding in ("identity", "gzip")]
    whole, compressed = [b"".join([part async for part in each.aiter_raw()]) for each in (plain, packed)]
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(compressed) == whole
    assert len(compressed) * 2 < len(whole)
    for response in (plain, packed):
        assert "Accept-Encoding" in response.headers["vary"].split(", ")
    if "etag" in plain.headers:
        assert packed.headers["etag"] == "W/" + plain.headers["etag"]
        for response in (plain, packed):  # what 200 would say, 304 says (RFC 9110, 15.4.5)
            known = {"If-None-Match": response.headers["etag"], "Accept-Encoding": "gzip"}
            again = await players[0].get(path, headers=known)
            assert again.status_code == 304
            assert [again.headers[name] for name in SAME] == [response.headers[name] for name in SAME]


async def test_small_responses_are_not_compressed(stranger: Caller) -> None:
    response = await bytes_of(stranger, "/health/live", "gzip")
    assert "content-encoding" not in response.headers
    assert len(b"".join([part async for part in response.aiter_raw()])) < MIN_SIZE


@of_one_ruleset
@pytest.mark.parametrize("part", ["", "/events", "/moves", "/record", "/audit"])
async def test_the_parts_of_a_game_are_not_sent_again_while_they_are_the_same(
    players: list[Caller], game: str, part: str
) -> None:
    ann, other = players[0], players[1]
    tag = (await ann.get(game + part)).headers["etag"]
    for known in (tag, f"W/{tag.removeprefix('W/')}", f'"x", {tag}'):
        again = await ann.get(game + part, headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"].removeprefix("W/") == tag.removeprefix("W/")
        assert "private" in again.headers["cache-control"]
    if part not in ("/audit",):  # which is the same for everybody
        assert (await other.get(game + part, headers={"If-None-Match": tag})).status_code == 200
    mover = players[(await ann.look(game))["to_act"][0]]
    await mover.move(game, (await mover.moves(game))[0])
    assert (await ann.get(game + part, headers={"If-None-Match": tag})).status_code == 200


async def test_the_document_is_not_sent_again_while_it_is_the_same(stranger: Caller) -> None:
    for path in ("/schema/openapi.json", "/schema/asyncapi.json"):
        tag = (await stranger.get(path)).headers["etag"]
        again = await stranger.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
    assert (await stranger.get("/schema/nothing")).status_code == 404


@pytest.mark.parametrize(
    ("sent", "accepted"),
    [
        ([], False), ([""], False), (["gzip"], True), (["GZIP ; q=0.5"], True), (["br, gzip"], True),
        (["br", "gzip"], True),
        (["*"], True), (["gzip;q=0"], False), (["gzip;q=0.000, *"], False), (["*;q=0, gzip"], True), (["x-gzip"], True),
        (["identity"], False), (["gzipped"], False), (["deflate, br;q=1.0"], False),
    ],
)  # fmt: skip
def test_accept_encoding_decides(sent: list[str], accepted: bool) -> None:
    assert accepts([(b"accept-encoding", value.encode()) for value in sent]) is accepted
