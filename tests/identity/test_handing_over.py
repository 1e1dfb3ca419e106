"""Taking one's seats to another device, and signing out everywhere: over two processes on one database."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NamedTuple

import jwt
import pytest

from domain.rulesets import RULESETS
from service.identity import players as identity
from service.identity.tokens import SIGNED_OUT
from tests.support.channels import channel, game_name
from tests.support.clients import Caller, Service, done, problem
from tests.support.listening import SSE, over_http

pytestmark = pytest.mark.anyio

ANY = next(iter(RULESETS))
SITE_KEY = "k" * 32
CODE = "0123456789abcdef" * 2
OTHER_CODE = "f" * 32


class House(NamedTuple):
    """Two processes on one database."""

    one: Service
    other: Service


@pytest.fixture(params=[pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.by_default("sqlite"))])
async def house(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    """On SQLite with Redis, on PostgreSQL without."""
    async with AsyncExitStack() as stack:
        given: dict[str, Any] = {"secret": "s" * 32, "issuer_key": SITE_KEY}
        if request.param == "sqlite":
            database: Any = tmp_path / "games.db"
            given["redis"] = request.getfixturevalue("redis").url
        else:
            database = request.getfixturevalue("migrated_url")
        yield House(*[await stack.enter_async_context(over_http(database, **given)) for _ in range(2)])


async def taken_over(service: Service, code: str) -> Caller:
    found = done(await service.stranger.post("/v1/players/tokens", {"code": code}))
    return Caller(service.http, found["token"], found["id"], found["name"])


async def refused(who: Caller) -> None:
    deadline = time.monotonic() + 60
    while (answer := await who.get("/v1/players/me")).status_code != 401:
        assert time.monotonic() < deadline, answer.text
        await asyncio.sleep(0.05)
    assert problem(answer, 401, "unauthenticated")["detail"] == SIGNED_OUT


async def test_a_code_gives_another_device_the_same_player_once(house: House) -> None:
    ann = await house.one.guest("Ann")
    given = done(await ann.post("/v1/players/me/codes"), 201)
    assert len(given["code"]) == 32
    phone = await taken_over(house.other, given["code"])
    assert (phone.id, phone.name) == (ann.id, "Ann")
    assert done(await phone.get("/v1/players/me"))["id"] == ann.id
    assert done(await ann.get("/v1/players/me"))["id"] == ann.id  # the old device stays signed in
    for service in house:
        problem(await service.stranger.post("/v1/players/tokens", {"code": given["code"]}), 404, "not-found")


async def test_a_code_ends_with_the_next_one_and_with_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = await house.one.guest("Ann")
    first, second = [done(await ann.post("/v1/players/me/codes"), 201)["code"] for _ in range(2)]
    problem(await house.other.stranger.post("/v1/players/tokens", {"code": first}), 404, "not-found")
    await taken_over(house.other, second)
    monkeypatch.setattr(identity, "CODE_LIFETIME", -1)
    late = done(await ann.post("/v1/players/me/codes"), 201)["code"]
    problem(await house.other.stranger.post("/v1/players/tokens", {"code": late}), 404, "not-found")


async def test_signing_out_everywhere_voids_tokens_streams_and_channels_in_all_processes(house: House) -> None:
    ann, bob = await house.one.guest("Ann"), await house.one.guest("Bob")
    game = await house.one.table(ANY, [ann, bob])
    open_code = done(await ann.post("/v1/players/me/codes"), 201)["code"]
    there = ann.at(house.other)
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(channel(who)) for who in (ann, there)]
        for each in channels:
            await each.did("follow", game=game_name(game))
        quiet = await stack.enter_async_context(channel(bob.at(house.other)))
        stream = await stack.enter_async_context(
            there.http.stream("GET", f"{game}/events", headers=SSE | bearer(there))
        )
        assert (await ann.post("/v1/players/me/sign-out", {"code": CODE})).status_code == 204
        for each in channels:
            assert (await each.closed())[0] == 4401
        assert (await quiet.ask("unfollow", game=""))["type"] == "unfollowed"
        for who in (ann, there):
            await refused(who)
        await bob.move(game, (await bob.moves(game))[0])  # the stream wakes
        async with asyncio.timeout(60):
            received = b"".join([part async for part in stream.aiter_bytes()])  # it ends
        assert b"id: 6" not in received
    problem(await house.other.stranger.post("/v1/players/tokens", {"code": open_code}), 404, "not-found")
    problem(await ann.post("/v1/players/me/sign-out", {"code": OTHER_CODE}), 401, "unauthenticated")
    for service in (house.one, house.other, house.one):  # a response that is lost locks nobody out
        again = await taken_over(service, CODE)
        assert done(await again.get("/v1/players/me"))["id"] == ann.id
        assert done(await again.get(f"{game}"))["you"] == 0
    async with channel(again) as renewed:
        await renewed.did("follow", game=game_name(game))
    assert (await again.post("/v1/players/me/sign-out", {"code": OTHER_CODE})).status_code == 204
    await refused(again.at(house.other))
    problem(await house.one.stranger.post("/v1/players/tokens", {"code": CODE}), 404, "not-found")


async def test_a_process_that_starts_later_knows_who_has_signed_out(tmp_path: Path) -> None:
    async with over_http(tmp_path / "games.db") as service:
        ann = await service.guest("Ann")
        assert (await ann.post("/v1/players/me/sign-out", {"code": CODE})).status_code == 204
    async with over_http(tmp_path / "games.db") as service:
        await refused(ann.at(service))
        done(await (await taken_over(service, CODE)).get("/v1/players/me"))


async def test_a_code_that_is_in_use_signs_nobody_out(tmp_path: Path) -> None:
    async with over_http(tmp_path / "games.db") as service:
        ann, bob = await service.guests("Ann", "Bob")
        assert (await ann.post("/v1/players/me/sign-out", {"code": CODE})).status_code == 204
        problem(await bob.post("/v1/players/me/sign-out", {"code": CODE}), 400, "malformed")
        done(await bob.get("/v1/players/me"))
        assert done(await (await taken_over(service, CODE)).get("/v1/players/me"))["id"] == ann.id


async def test_players_of_a_site_sign_in_and_out_there(house: House) -> None:
    token = jwt.encode({"iss": "site", "sub": "uwe", "name": "Uwe", "exp": time.time() + 60}, SITE_KEY)
    uwe = Caller(house.one.http, token)
    problem(await uwe.post("/v1/players/me/codes"), 403, "forbidden")
    problem(await uwe.post("/v1/players/me/sign-out", {"code": CODE}), 403, "forbidden")


async def test_former_players_get_neither_codes_nor_tokens(house: House) -> None:
    ann = await house.one.guest("Ann")
    code = done(await ann.post("/v1/players/me/codes"), 201)["code"]
    assert (await ann.delete("/v1/players/me")).status_code == 204
    problem(await house.other.stranger.post("/v1/players/tokens", {"code": code}), 404, "not-found")
    problem(await ann.post("/v1/players/me/codes"), 401, "unauthenticated")


async def test_bad_input(house: House) -> None:
    ann = await house.one.guest("Ann")
    bad = "", CODE + "\n", CODE.upper(), CODE[1:], 1, None
    for body in ([], {}, {"code": CODE, "x": 1}, *({"code": code} for code in bad)):
        problem(await house.one.stranger.post("/v1/players/tokens", body), 400, "malformed")
        problem(await ann.post("/v1/players/me/sign-out", body), 400, "malformed")
    for path in ("/v1/players/me/codes", "/v1/players/me/sign-out"):
        problem(await house.one.stranger.post(path, {"code": CODE}), 401, "unauthenticated")
    assert done(await ann.get("/v1/players/me"))["id"] == ann.id


def bearer(who: Caller) -> dict[str, str]:
    return {"Authorization": f"Bearer {who.token}"}
