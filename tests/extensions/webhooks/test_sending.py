"""Attempts that fail are repeated, webhooks that only fail are disabled, and slow receivers delay nobody else."""

import asyncio
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest
from standardwebhooks.webhooks import WebhookVerificationError

from service.extensions.webhooks import deliverer, pacing, sender, shares, signing, transport
from service.extensions.webhooks.rows import Hook
from service.settings import Settings
from tests.extensions.webhooks.conftest import live, until
from tests.support.clients import Caller, Json, Service, done
from tests.support.receivers import Receiver, delivering, receiving

pytestmark = [pytest.mark.anyio, pytest.mark.waits]

HOOKS = "/v1/webhooks"


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts are repeated without a pause."""
    monkeypatch.setattr(shares, "FIRST_PAUSE", 0)
    monkeypatch.setattr(sender, "SCHEDULE", (0,) * len(sender.SCHEDULE))


async def begun(service: Service, ann: Caller, bob: Caller) -> str:
    return await service.table("skyjo", [ann, bob])


async def deliveries(owner: Caller, hook: Json, **query: Any) -> list[Json]:
    items: list[Json] = done(await owner.get(f"{HOOKS}/{hook['id']}/deliveries", **query))["items"]
    return items


async def disabled(owner: Caller, hook: Json, cause: str) -> None:
    async def is_disabled() -> bool:
        shown = done(await owner.get(f"{HOOKS}/{hook['id']}"))
        return (shown["status"], shown["cause"]) == ("disabled", cause)

    await until(is_disabled)


def test_the_schedule_is_that_of_the_standard():
    minute, hour = 60, 3600
    assert (
        5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour
    ) == sender.SCHEDULE  # fmt: skip


@pytest.mark.usefixtures("at_once")
async def test_a_delivery_is_repeated_until_it_is_dead_and_then_sent_by_hand(
    given: Settings, service: Service, ann: Caller, bob: Caller, receiver: Receiver
):
    async with delivering(given):
        hook = await live(ann, receiver, types=["game.begun"])
        receiver.answer = lambda _: 503
        await begun(service, ann, bob)
        attempts = len(sender.SCHEDULE) + 1
        await receiver.until(lambda: len([each for each in receiver.received if each.type == "game.begun"]) == attempts)

        async def is_dead() -> bool:
            return bool(await deliveries(ann, hook, status="dead"))

        await until(is_dead)
        assert len({each.id for each in receiver.received if each.type == "game.begun"}) == 1
        (dead,) = await deliveries(ann, hook, status="dead")
        assert (dead["attempts"], dead["response"], dead["next_attempt_at"]) == (attempts, 503, None)
        assert done(await ann.get(f"{HOOKS}/{hook['id']}"))["failing_since"] is not None
        receiver.answer = lambda _: 200
        again = done(await ann.post(f"{HOOKS}/{hook['id']}/deliveries/{dead['id']}/retry"))
        assert again["status"] == "pending"

        async def is_delivered() -> bool:
            return {each["status"] for each in await deliveries(ann, hook)} == {"delivered"}

        await until(is_delivered)
        assert done(await ann.get(f"{HOOKS}/{hook['id']}"))["failing_since"] is None
        same = done(await ann.post(f"{HOOKS}/{hook['id']}/deliveries/{dead['id']}/retry"))
        assert same["status"] == "delivered", "what was delivered is not sent again"


async def test_an_attempt_is_postponed_as_the_schedule_and_the_receiver_say(
    given: Settings, service: Service, ann: Caller, bob: Caller, receiver: Receiver
):
    async with delivering(given):
        hook = await live(ann, receiver, types=["game.begun"])
        waits = iter([b"7200", b"Wed, 21 Oct 2099 07:28:00 GMT", b"-1", b"x" * 50, b"99999999999"])
        receiver.answer = lambda _: b"HTTP/1.1 429 Later\r\nretry-after: %b\r\ncontent-length: 0\r\n\r\n" % next(waits)
        for _ in range(5):
            await begun(service, ann, bob)

        async def are_postponed() -> bool:
            return [each["attempts"] for each in await deliveries(ann, hook, status="pending")] == [1] * 5

        await until(are_postponed)
        found = (await deliveries(ann, hook, status="pending"))[::-1]
        seconds = [signed_seconds(each["next_attempt_at"]) - signed_seconds(each["attempted_at"]) for each in found]
        assert sorted(round(each) for each in seconds)[-2:] == [7200, 86_400]
        assert all(4.5 <= each <= 5.5 for each in sorted(seconds)[:3]), seconds


def signed_seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


async def test_a_receiver_that_is_gone_disables_its_webhook(
    given: Settings, service: Service, ann: Caller, bob: Caller, receiver: Receiver
):
    async with delivering(given):
        hook = await live(ann, receiver)
        receiver.answer = lambda _: 410
        await begun(service, ann, bob)

        await disabled(ann, hook, "gone")

        async def are_dead() -> bool:
            return {each["status"] for each in await deliveries(ann, hook) if each["game"]} == {"dead"}

        await until(are_dead)
        count = len(receiver.received)
        receiver.answer = lambda _: 204
        await begun(service, ann, bob)
        other = await live(bob, receiver)
        assert other["id"] != hook["id"]
        assert {each.type for each in receiver.received[count:]} <= {"webhook.ping"}, "nothing is sent any more"


@pytest.mark.usefixtures("at_once")
async def test_a_webhook_that_only_fails_for_days_is_disabled(
    given: Settings, service: Service, ann: Caller, bob: Caller, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    async with delivering(given):
        hook = await live(ann, receiver, types=["game.begun"])
        receiver.answer = lambda _: 500
        monkeypatch.setattr(sender, "MAX_FAILING", 1)
        await begun(service, ann, bob)
        await disabled(ann, hook, "failing")


async def test_a_receiver_that_hangs_delays_no_other(
    given: Settings, service: Service, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    players = await service.guests(*"ABCDEFGH")
    monkeypatch.setattr(transport, "TIMEOUT", 3600)
    async with receiving() as hanging, delivering(given) as running:
        hook = await live(players[0], hanging, types=["game.begun"])
        for player in players[1:]:
            await live(player, receiver, types=["game.begun"])
        hanging.answer = lambda _: None
        for _ in range(3):
            await service.table("skyjo", players)
        await receiver.until(lambda: receiver.counts["game.begun"] == 21)
        waiting = await deliveries(players[0], hook, status="pending")
        active = running.sender.active
        for task in asyncio.all_tasks():
            if task.get_name().startswith("msg_"):
                task.cancel()  # or the deliverer would wait for it
    assert [each["attempts"] for each in waiting] == [0] * 3, "the others got theirs before an attempt was given up"
    assert active >= 1
    assert len(hanging.received) <= 1 + shares.MAX_OF_HOOK


class Names:
    """A resolver for which every name is this machine."""

    async def __call__(self, host: str, port: int) -> list[str]:  # noqa: ARG002
        return ["127.0.0.1"]


async def test_an_address_is_pinged_a_few_times_a_second(
    given: Settings, service: Service, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    """However many names lead to it. Here the next turn is in an hour: one ping arrives, and no attempt has failed."""
    monkeypatch.setattr(pacing, "PAUSE", 3600)
    people = await service.guests(*"ABC")
    port = receiver.url.split(":")[2]
    for number in range(9):
        done(await people[number % 3].post(HOOKS, {"url": f"http://n{number}.example:{port}"}), 201)
    async with delivering(given, resolve=Names()):
        await receiver.until(lambda: bool(receiver.received))

        async def all_have_a_turn() -> bool:
            found = [each for person in people for each in await every_delivery(person)]
            turns = [each for each in found if each["status"] == "pending" and each["attempts"] == 0]
            late = [each for each in turns if each["next_attempt_at"] > each["created_at"]]
            return (len(late), [each["status"] for each in found].count("delivered")) == (8, 1)

        await until(all_have_a_turn)
        assert len(receiver.received) == 1


async def every_delivery(owner: Caller) -> list[Json]:
    hooks = done(await owner.get(HOOKS))["items"]
    return [each for hook in hooks for each in await deliveries(owner, hook)]


async def test_a_ping_that_waits_is_not_doubled(given: Settings, ann: Caller, receiver: Receiver):
    hook = done(await ann.post(HOOKS, {"url": receiver.url}), 201)
    path = f"{HOOKS}/{hook['id']}"
    for _ in range(3):
        done(await ann.patch(path, {"enabled": False}))
        done(await ann.patch(path, {"enabled": True}))
    assert [each["status"] for each in await deliveries(ann, hook)].count("pending") == 1
    async with delivering(given):
        await receiver.until(lambda: bool(receiver.received))
    assert len(receiver.received) == 1


# --- turns --------------------------------------------------------------------------------------------------------


async def test_a_turn_that_is_over_in_time_is_not_reported(
    given: Settings, service: Service, ann: Caller, bob: Caller, receiver: Receiver
):
    """With `after`, only choices that still stand then are reported."""
    async with delivering(given):
        hook = await live(ann, receiver, types=["game.your_turn", "game.begun"], after=86_400)
        game = await begun(service, ann, bob)
        await receiver.until(lambda: receiver.counts["game.begun"] == 1)

        async def waits() -> bool:
            return len(await deliveries(ann, hook, status="pending")) == 1

        await until(waits)
        seen = await ann.look(game)
        while seen["to_act"] and 0 in seen["to_act"]:
            seen = (await ann.move(game, seen["legal_moves"][0]))["game"]

        async def ended() -> bool:
            return not await waits()

        await until(ended)
        assert receiver.counts["game.your_turn"] == 0


async def test_a_turn_with_a_clock_says_when_it_runs_out(
    given: Settings, service: Service, ann: Caller, bob: Caller, receiver: Receiver
):
    async with delivering(given):
        await live(ann, receiver, types=["game.your_turn"])
        game = await service.table("skyjo", [ann, bob], clock={"bank": 600, "increment": 5})
        await receiver.until(lambda: receiver.counts["game.your_turn"] == 1)
        data = receiver.events()[0].json["data"]
        seats = (await ann.look(game, at=data["version"]))["clock"]["seats"]
        assert data["runs_out"] == seats[data["seat"]]["runs_out"]


async def test_an_invited_player_is_told(
    given: Settings, service: Service, ann: Caller, bob: Caller, receiver: Receiver
):
    eve = await service.guest("Eve")
    async with delivering(given), receiving() as others:
        await live(bob, receiver)
        await live(ann, others)
        await live(eve, others)
        game = await ann.open("skyjo", ["me", {"player": bob.id}], private=True)
        await receiver.until(lambda: receiver.counts["game.invited"] == 1)
        data = receiver.events()[0].json["data"]
        assert (data["game"]["url"], data["seat"], data["player"]) == (game, 1, bob.id)
        assert (await bob.get(data["game"]["url"])).status_code == 200
        await bob.sit(game)
        await others.until(lambda: others.counts["game.begun"] == 1)
        assert others.counts["game.invited"] == 0


# --- signatures ---------------------------------------------------------------------------------------------------


async def test_both_secrets_sign_after_a_rotation(given: Settings, ann: Caller, receiver: Receiver):
    async with delivering(given):
        hook = await live(ann, receiver)
        rotated = done(await ann.post(f"{HOOKS}/{hook['id']}/rotate"))
        done(await ann.post(f"{HOOKS}/{hook['id']}/ping"))
        last = receiver.received[-1]
        last.verify(hook["secret"])
        last.verify(rotated["secret"])
        again = done(await ann.post(f"{HOOKS}/{hook['id']}/rotate"))
        done(await ann.post(f"{HOOKS}/{hook['id']}/ping"))
        last = receiver.received[-1]
        last.verify(rotated["secret"])
        last.verify(again["secret"])
        with pytest.raises(WebhookVerificationError):
            last.verify(hook["secret"])
        receiver.received[0].verify(hook["secret"])


def test_the_old_secret_ends_after_a_day_and_every_key_signs():
    hook = Hook("h", "o", "https://hook.example", (), 0, 0, 0, number=1, rotated=0)
    keys = ["new" * 12, "old" * 12]
    counts = [
        len(signing.headers(keys, hook, "msg_1", b"{}", now)["webhook-signature"].split())
        for now in (signing.OVERLAP - 1, signing.OVERLAP)
    ]
    assert counts == [4, 2]
    assert all(one != other for one, other in pairwise([signing.secret(key, hook) for key in keys]))
    assert deliverer.POLL_INTERVAL < 0.5
