"""Branches over REST: from any version of a finished game, never from a running one."""

import hmac
from random import Random
from typing import Any

import pytest

from tests.support.clients import Caller, Service, done, fewest, play_to_the_end, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
async def finished(service: Service, ruleset: str, players: list[Caller]) -> str:
    game = await service.table(ruleset, players)
    await play_to_the_end(players, game)
    return game


async def branches(who: Caller, game: str, at: int, **rest: Any) -> Any:
    return done(await who.post(f"{game}/branches", {"at": at}, **rest), 201)


async def beginning(who: Caller, game: str) -> int:
    """The version at which the first choice arose."""
    types = [item["event"]["type"] for item in await who.events(game)]
    at = types.index("begun") + 1
    while not (await who.look(game, at=at))["to_act"]:
        at += 1
    return at


async def test_a_branch_starts_with_the_state_of_its_parent_and_can_be_played(eve: Caller, finished: str) -> None:
    over = await eve.look(finished)
    at = (over["version"] + await beginning(eve, finished)) // 2
    answer = await eve.post(f"{finished}/branches", {"at": at})
    branch = done(answer, 201)
    path = answer.headers["location"]
    assert path == branch["links"]["self"] != finished
    assert done(await eve.get(path)) == branch
    assert answer.headers["etag"].startswith(f'"{branch["version"]}.')
    parent = branch["parent"]
    assert (parent["id"], parent["root"]) == (over["id"], over["id"])
    assert parent["at"] >= at
    assert (branch["status"], branch["hotseat"], branch["commitment"]) == ("running", True, over["commitment"])
    assert {seat["player"]["id"] for seat in branch["seats"]} == {eve.id}
    assert [seat["entropy"] for seat in branch["seats"]] == [seat["entropy"] for seat in over["seats"]]
    for seat in range(len(branch["seats"])):
        then = await eve.look(finished, at=parent["at"], as_=seat)
        assert (await eve.look(path, as_=seat))["view"] == then["view"]
    assert (await play_to_the_end([eve] * len(branch["seats"]), path))["parent"] == parent


async def test_a_version_within_a_move_branches_after_the_move(eve: Caller, finished: str) -> None:
    """Events that follow from a move without a choice are part of the branch."""
    first, last = await beginning(eve, finished), (await eve.look(finished))["version"]
    dice = Random(1)
    for at in [1, first, *dice.sample(range(first, last), 5)]:
        answer = await eve.post(f"{finished}/branches", {"at": at})
        if answer.status_code == 400:
            assert at == 1 or "was over" in answer.text
            continue
        branch = done(answer, 201)
        assert branch["parent"]["at"] >= at
        assert branch["to_act"] == (await eve.look(finished, at=branch["parent"]["at"]))["to_act"] != []


async def test_versions_before_the_start_or_after_the_end_cannot_be_branched(
    ann: Caller, finished: str, ruleset: str
) -> None:
    over = await ann.look(finished)
    given_up = await ann.open(ruleset)
    await ann.stand(given_up, 0)
    waiting = await ann.open(ruleset)
    for at in (1, 10**6):
        problem(await ann.post(f"{waiting}/branches", {"at": at}), 409, "not-finished")
    for game, at, why in (
        (finished, 1, "had not begun"), (given_up, 2, "had not begun"), (finished, over["version"], "was over"),
        (finished, over["version"] + 1, "no version"), (finished, 10**12, "no version"),
    ):  # fmt: skip
        refused = problem(await ann.post(f"{game}/branches", {"at": at}), 400, "malformed")
        assert [fault["path"] for fault in refused["errors"]] == ["$.at"]
        assert why in refused["detail"]


async def test_a_private_game_can_be_branched_by_those_who_see_it_and_stays_private(
    ann: Caller, eve: Caller, bob: Caller, ruleset: str
) -> None:
    game = await ann.open(ruleset, hotseat=True, private=True)
    await play_to_the_end([ann] * fewest(ruleset), game)
    at = await beginning(ann, game)
    invite = (await ann.look(game))["invite"]
    problem(await eve.post(f"{game}/branches", {"at": at}), 404, "not-found")
    branch = await branches(eve, game, at, invite=invite)
    assert branch["private"] is True
    path = branch["links"]["self"]
    problem(await bob.get(path), 404, "not-found")
    assert branch["id"] not in [listed["id"] for listed in await bob.every("/v1/games")]
    assert branch["id"] in [listed["id"] for listed in await eve.every("/v1/games")]
    # Who knows the parent's secret, which is open by now, and its invite, has no key to the branch.
    secret = bytes.fromhex(done(await eve.get(f"{game}/record", invite=invite))["secret"])
    assert len(branch["invite"]) == 32
    for guess in (invite, hmac.digest(secret, b"invite", "sha256").hex()[:32], "", "0" * 32):
        problem(await bob.get(path, invite=guess), 404, "not-found")
    assert (await bob.look(path, invite=branch["invite"]))["id"] == branch["id"]


async def test_with_a_key_a_branch_is_opened_once(eve: Caller, bob: Caller, finished: str, ruleset: str) -> None:
    at = await beginning(eve, finished)
    key = {"Idempotency-Key": "what-if"}
    first = await eve.post(f"{finished}/branches", {"at": at}, headers=key)
    again = await eve.post(f"{finished}/branches", {"at": at}, headers=key)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.headers["location"] == first.headers["location"]
    assert again.json() == first.json()
    problem(await eve.post(f"{finished}/branches", {"at": at + 1}, headers=key), 422, "idempotency-key-reused")
    problem(
        await eve.post(f"/v1/games/{ruleset}", {"seats": fewest(ruleset)}, headers=key), 422, "idempotency-key-reused"
    )
    theirs = await bob.post(f"{finished}/branches", {"at": at}, headers=key)
    assert theirs.headers["location"] != first.headers["location"]
    path = first.headers["location"]
    await play_to_the_end([eve] * len(first.json()["seats"]), path)
    later = await eve.post(f"{finished}/branches", {"at": at}, headers=key)
    assert done(later, 201) == done(await eve.get(path))


async def test_a_branch_of_a_branch_names_the_first_game_as_root(eve: Caller, finished: str) -> None:
    at = await beginning(eve, finished)
    branch = await branches(eve, finished, at)
    path = branch["links"]["self"]
    problem(await eve.post(f"{path}/branches", {"at": branch["version"]}), 409, "not-finished")
    await play_to_the_end([eve] * len(branch["seats"]), path, seed=5)
    twig = await branches(eve, path, branch["version"])
    assert twig["parent"] == {"id": branch["id"], "at": branch["version"], "root": branch["parent"]["root"]}
    assert (await eve.look(twig["links"]["self"], as_=0))["view"] == (
        await eve.look(path, at=branch["version"], as_=0)
    )["view"]
