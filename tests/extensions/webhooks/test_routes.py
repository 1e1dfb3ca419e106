"""The routes of webhooks: limits, keys, rotation, the owner alone, bad input."""

import asyncio
import time
from collections.abc import Collection
from typing import Any

import jwt
import pytest
from sqlalchemy import Connection, Engine, func, insert, select

from projections.database import reading
from service.cli.database import open_mutable
from service.databases import mutable as mutable_of
from service.databases import projections
from service.extensions.webhooks import outbox, waiting
from service.extensions.webhooks import rows as table
from service.extensions.webhooks.outbox import deliveries
from service.extensions.webhooks.rows import Barred, Hook
from service.settings import Settings
from service.tables import players
from service.tables.schema import webhooks as webhooks_table
from tests.extensions.webhooks.conftest import ISSUER_KEY, live, until
from tests.support.clients import Caller, Service, done, problem
from tests.support.receivers import Receiver, delivering

pytestmark = [pytest.mark.anyio, pytest.mark.waits]

HOOKS = "/v1/webhooks"
URL = "http://hook.example/in"


def of_site(service: Service, subject: str, **claims: Any) -> Caller:
    """A caller with a token of the integrating site."""
    claims = {"sub": subject, "exp": int(time.time()) + 600, **claims}
    return Caller(service.http, jwt.encode(claims, ISSUER_KEY, algorithm="HS256"), f"site:{subject}", subject)


async def delete_all(owner: Caller) -> None:
    for each in done(await owner.get(HOOKS))["items"]:
        assert (await owner.delete(f"{HOOKS}/{each['id']}")).status_code == 204


async def test_a_webhook_is_created_changed_and_deleted(ann: Caller):
    answer = await ann.post(HOOKS, {"url": URL})
    made = done(answer, 201)
    assert made["secret"].startswith("whsec_")
    assert (made["status"], made["cause"], made["after"]) == ("unverified", None, 0)
    assert made["types"] == [
        "game.invited", "game.begun", "game.your_turn", "game.gone", "game.vote", "game.over",
        "pairing.opened", "pairing.table_over", "pairing.over",
    ]  # fmt: skip
    path = answer.headers["location"]
    shown = done(await ann.get(path))
    assert shown == {name: value for name, value in made.items() if name != "secret"}
    changed = done(await ann.patch(path, {"types": ["game.over", "game.over"], "after": 60}))
    assert (changed["types"], changed["after"], changed["status"]) == (["game.over"], 60, "unverified")
    assert done(await ann.get(HOOKS)) == {"items": [changed], "next": None}
    disabled = done(await ann.patch(path, {"enabled": False}))
    assert (disabled["status"], disabled["cause"]) == ("disabled", "owner")
    assert done(await ann.patch(path, {"url": URL + "2"}))["status"] == "disabled"
    assert done(await ann.patch(path, {"enabled": True}))["status"] == "unverified"
    assert (await ann.delete(path)).status_code == 204
    problem(await ann.get(path), 404, "not-found")
    problem(await ann.delete(path), 404, "not-found")
    assert done(await ann.get(HOOKS))["items"] == []


async def test_webhooks_are_their_owners_alone(service: Service, ann: Caller, bob: Caller):
    path = (await ann.post(HOOKS, {"url": URL})).headers["location"]
    (ping,) = done(await ann.get(f"{path}/deliveries"))["items"]
    for method, below, body in (
        ("GET", "", None), ("PATCH", "", {"after": 1}), ("DELETE", "", None), ("POST", "/ping", None),
        ("POST", "/rotate", None), ("GET", "/deliveries", None), ("POST", f"/deliveries/{ping['id']}/retry", None),
    ):  # fmt: skip
        given = {} if body is None else {"body": body}
        problem(await bob.send(method, path + below, **given), 404, "not-found")
        problem(await service.stranger.send(method, path + below, **given), 401, "unauthenticated")
    problem(await service.stranger.post(HOOKS, {"url": URL}), 401, "unauthenticated")
    problem(await ann.post(f"{path}/deliveries/msg_none/retry"), 404, "not-found")


async def test_a_player_has_three_webhooks_and_the_site_ten(service: Service, ann: Caller):
    made = [done(await ann.post(HOOKS, {"url": f"{URL}{number}"}), 201) for number in range(3)]
    problem(await ann.post(HOOKS, {"url": URL}), 409, "too-many-webhooks")
    assert (await ann.delete(f"{HOOKS}/{made[0]['id']}")).status_code == 204
    done(await ann.post(HOOKS, {"url": URL}), 201)
    site, user = of_site(service, "backend", site=True), of_site(service, "backend")
    await delete_all(site)
    for number in range(10):
        done(await site.post(HOOKS, {"url": f"{URL}{number}"}), 201)
    problem(await site.post(HOOKS, {"url": URL}), 409, "too-many-webhooks")
    assert done(await user.get(HOOKS))["items"] == [], "the site's webhooks are not the player's"
    assert len(done(await of_site(service, "other", site=True).get(HOOKS))["items"]) == 10
    for claim in ("true", 1, None, [True]):
        assert done(await of_site(service, "third", site=claim).get(HOOKS))["items"] == []


async def test_a_repeated_request_creates_one_webhook(ann: Caller, bob: Caller):
    key = {"Idempotency-Key": "k"}
    first = await ann.post(HOOKS, {"url": URL}, headers=key)
    again = await ann.post(HOOKS, {"url": URL, "after": 0}, headers=key)
    assert done(first, 201) == done(again, 201)
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    problem(await ann.post(HOOKS, {"url": URL, "after": 1}, headers=key), 422, "idempotency-key-reused")
    assert done(await bob.post(HOOKS, {"url": URL}, headers=key), 201)["id"] != first.json()["id"]
    assert len(done(await ann.get(HOOKS))["items"]) == 1
    assert len(done(await ann.get(f"{HOOKS}/{first.json()['id']}/deliveries"))["items"]) == 1, "pinged once"


async def test_a_rotation_with_a_key_is_made_once(ann: Caller):
    made = done(await ann.post(HOOKS, {"url": URL}), 201)
    rotate = f"{HOOKS}/{made['id']}/rotate"
    first = done(await ann.post(rotate, headers={"Idempotency-Key": "k"}))["secret"]
    assert done(await ann.post(rotate, headers={"Idempotency-Key": "k"}))["secret"] == first
    assert (
        len({made["secret"], first, done(await ann.post(rotate))["secret"], done(await ann.post(rotate))["secret"]})
        == 4
    )


MALFORMED = (
    {}, [], None, {"url": None}, {"url": ""}, {"url": 1}, {"url": "x" * 2049}, {"url": URL, "types": []},
    {"url": URL, "types": ["x"]}, {"url": URL, "types": "game.over"}, {"url": URL, "types": ["webhook.ping"]},
    {"url": URL, "types": ["game.over"] * 21}, {"url": URL, "after": -1}, {"url": URL, "after": 86_401},
    {"url": URL, "after": 1.5}, {"url": URL, "after": True}, {"url": URL, "secret": "x"}, {"url": URL + "\0"},
)  # fmt: skip


async def test_a_malformed_request_is_refused(ann: Caller):
    for body in MALFORMED:
        problem(await ann.post(HOOKS, body), 400, "malformed")
    assert done(await ann.get(HOOKS))["items"] == []
    made = done(await ann.post(HOOKS, {"url": URL}), 201)
    path = f"{HOOKS}/{made['id']}"
    for body in MALFORMED[1:]:
        problem(await ann.patch(path, body), 400, "malformed")
    for query in ({"status": "x"}, {"limit": 0}, {"limit": 101}, {"cursor": "x"}, {"cursor": "1.msg_"}):
        problem(await ann.get(f"{path}/deliveries", **query), 400, "malformed")
    assert done(await ann.patch(path, {})) == done(await ann.get(path))


async def test_an_address_that_is_not_allowed_is_refused(ann: Caller):
    path = f"{HOOKS}/{done(await ann.post(HOOKS, {'url': URL}), 201)['id']}"
    for url in ("ftp://hook.example/", "http://10.0.0.1/", "http://a@hook.example/", "http://hook.example:22"):
        problem(await ann.post(HOOKS, {"url": url}), 422, "endpoint-refused")
        problem(await ann.patch(path, {"url": url}), 422, "endpoint-refused")
    assert [each["url"] for each in done(await ann.get(HOOKS))["items"]] == [URL]


async def test_a_ping_tells_whether_the_endpoint_answers(given: Settings, ann: Caller, receiver: Receiver):
    receiver.answer = lambda _: 500
    async with delivering(given):
        made = done(await ann.post(HOOKS, {"url": receiver.url}), 201)
        path = f"{HOOKS}/{made['id']}"
        refusal = problem(await ann.post(f"{path}/ping"), 422, "endpoint-refused")
        assert "500" not in str(refusal), "what answered is not shown"
        assert done(await ann.get(path))["status"] == "unverified"
        receiver.answer = lambda _: 204
        assert done(await ann.post(f"{path}/ping"))["status"] == "live"
        assert done(await ann.patch(path, {"url": receiver.url + "2"}))["status"] == "unverified", "another address"
        assert done(await ann.post(f"{path}/ping"))["status"] == "live"
        pings = done(await ann.get(f"{path}/deliveries", status="dead"))["items"]
        assert {each["response"] for each in pings} == {None}
        done(await ann.patch(path, {"enabled": False}))
        problem(await ann.post(f"{path}/ping"), 422, "endpoint-refused")


async def test_a_ping_without_a_process_that_delivers_is_unavailable(ann: Caller, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(waiting, "CLAIM_TIMEOUT", 0)
    made = done(await ann.post(HOOKS, {"url": URL}), 201)
    with pytest.raises(AssertionError, match=r"503 .*unavailable"):  # the client fails on any 5xx
        await ann.post(f"{HOOKS}/{made['id']}/ping")


async def test_deliveries_come_on_pages(given: Settings, ann: Caller, receiver: Receiver):
    async with delivering(given):
        made = await live(ann, receiver)
        for _ in range(4):
            done(await ann.post(f"{HOOKS}/{made['id']}/ping"))
    path = f"{HOOKS}/{made['id']}/deliveries"
    every = done(await ann.get(path, limit=100))["items"]
    assert len(every) == 5
    assert [each["created_at"] for each in every] == sorted((each["created_at"] for each in every), reverse=True)
    assert await ann.every(path, limit=2) == every
    assert await ann.every(path, limit=1, status="delivered") == every
    assert done(await ann.get(path, status="dead"))["items"] == []


async def test_no_webhook_survives_its_owner(given: Settings, service: Service):
    """A request that was admitted before its player was forgotten creates nothing, and no row of theirs is kept."""
    site, people = of_site(service, "backend", site=True), await service.guests(*"ABCDEFGH")
    await delete_all(site)
    done(await site.post(HOOKS, {"url": URL}), 201)
    for player in people:
        sent = [player.post(HOOKS, {"url": f"{URL}{number}"}) for number in range(3)]
        *_, last = await asyncio.gather(*sent, player.delete("/v1/players/me"))
        assert last.status_code == 204
    assert held_of(given, people) == (0, 0)
    problem(await people[0].get(HOOKS), 401, "unauthenticated")
    assert len(done(await site.get(HOOKS))["items"]) == 1
    (late,) = await service.guests("L")
    hook = Hook("late", late.id, URL, ("game.over",), 0, created=1, changed=1)
    async with open_mutable(given) as mutable:
        await mutable.change(players.forget, late.id, "2026-11-22T18:00:00.000000Z")
        with pytest.raises(Barred, match="forgotten"):
            await mutable.change(table.create, hook, 3)
        await mutable.query(put, hook)  # as if an older release had let it survive
        await mutable.change(players.forget, late.id, "2026-11-23T18:00:00.000000Z")
        assert await mutable.query(table.of, late.id) == [], "forgetting can be repeated"
        assert (await mutable.query(players.leaving))[-1] == (late.id, "2026-11-22T18:00:00.000000Z")


def put(connection: Connection, hook: Hook) -> None:
    connection.execute(insert(webhooks_table).values(**table._row(hook)))
    connection.commit()


def held_of(given: Settings, owners: list[Caller]) -> tuple[int, int]:
    """How many webhooks and deliveries of these players are stored."""
    ids = [each.id for each in owners]
    engine = projections(given)
    file = mutable_of(given, engine)._engine
    try:
        with reading(file) as main, reading(engine) as other:
            hooks = main.execute(select(func.count()).where(webhooks_table.c.owner.in_(ids))).scalar_one()
            rows = other.execute(select(func.count()).where(deliveries.c.owner.in_(ids))).scalar_one()
    finally:
        engine.dispose()
    return int(hooks), int(rows)


@pytest.mark.parametrize("body", [{"status": "unverified"}, {"number": 1}], ids=str)
async def test_a_banned_owner_cannot_bring_a_webhook_back(given: Settings, ann: Caller, body: Any):
    """Not even with a request that was admitted before."""
    made = done(await ann.post(HOOKS, {"url": URL}), 201)
    async with open_mutable(given) as mutable:
        before = await mutable.query(table.version)
        await mutable.change(players.ban, ann.id, "2026-11-22T18:00:00.000000Z")
        assert await mutable.query(table.version) != before
        with pytest.raises(Barred, match="banned"):
            await mutable.change(table.revise, ann.id, made["id"], 1, lambda _: body)
        (found,) = await mutable.query(table.of, ann.id)
        assert (found.status, found.cause, found.number) == ("disabled", "banned", 0)


async def test_a_webhook_that_is_created_again_has_another_secret(ann: Caller):
    """With the same idempotency key it has the same id."""
    key = {"Idempotency-Key": "again"}
    first = done(await ann.post(HOOKS, {"url": URL}, headers=key), 201)
    assert (await ann.delete(f"{HOOKS}/{first['id']}")).status_code == 204
    second = done(await ann.post(HOOKS, {"url": URL}, headers=key), 201)
    assert second["id"] == first["id"]
    assert second["secret"] != first["secret"]
    assert done(await ann.post(HOOKS, {"url": URL}, headers=key), 201)["secret"] == second["secret"]


# --- waiting for pings --------------------------------------------------------------------------------------------


async def test_waits_for_pings_are_bounded_and_share_one_query(
    ann: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
):
    """Nothing delivers. A refused request writes nothing, and however many wait, the outbox is read once at a time."""
    monkeypatch.setattr(waiting, "CLAIM_TIMEOUT", 60)
    monkeypatch.setattr(waiting, "MAX_WAITS", 5)
    asked, progress = list[int](), outbox.progress

    def counted(engine: Engine, ids: Collection[str]) -> dict[str, outbox.Progress]:
        asked.append(len(ids))
        return progress(engine, ids)

    monkeypatch.setattr(outbox, "progress", counted)
    paths = [
        f"{HOOKS}/{done(await owner.post(HOOKS, {'url': f'{URL}{number}'}), 201)['id']}"
        for owner in (ann, bob) for number in range(3)
    ]  # fmt: skip
    waits = [asyncio.create_task(ann.post(f"{path}/ping")) for path in (*paths[:3], *paths[:3] * 5)]
    for refused in await asyncio.gather(*waits[3:]):
        problem(refused, 429, "too-many-requests")
        assert 1 <= int(refused.headers["retry-after"]) <= waiting.PING_TIMEOUT
    waits = waits[:3] + [asyncio.create_task(bob.post(f"{path}/ping")) for path in paths[3:5]]
    await until(lambda: is_true(5 in asked))
    del asked[:]
    await until(lambda: is_true(len(asked) >= 3))
    assert {*asked} == {5}, "one query for all who wait"
    with pytest.raises(AssertionError, match=r"503 .*unavailable"):  # the client fails on any 5xx
        await bob.post(f"{paths[5]}/ping")
    for path in paths:
        items = done(await (ann if path in paths[:3] else bob).get(f"{path}/deliveries"))["items"]
        assert len(items) == 1, "a ping that waits is not doubled"
    for path in paths:
        await (ann if path in paths[:3] else bob).delete(path)  # ends the waits
    assert {(await each).status_code for each in waits} == {422}
    count = len(asked)
    await asyncio.sleep(3 * waiting.POLL_INTERVAL)
    assert len(asked) <= count + 1, "nothing is read while nothing waits"


async def is_true(value: bool) -> bool:
    return value
