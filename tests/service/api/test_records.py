"""Records, redacted for each caller, and the server's audit of the stored log."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.fairness import record
from domain.fairness.verification import flawless, verify
from tests.support.clients import Caller, Service, done, in_process, play_to_the_end, problem, some_moves
from tests.verifiers.standalone import outcome, python

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

Json = dict[str, Any]

MOVES = 6
"""No game is over by then."""


async def taken(who: Caller, game: str, **query: Any) -> Json:
    return done(await who.get(f"{game}/record", **query))


async def audited(who: Caller, game: str, **query: Any) -> Json:
    return done(await who.get(f"{game}/audit", **query))


# --- records ------------------------------------------------------------------------------------------------------


async def test_the_record_of_a_finished_game_verifies(players: list[Caller], stranger: Caller, game: str) -> None:
    over = await play_to_the_end(players, game)
    answer = await stranger.get(f"{game}/record")
    whole = done(answer)
    assert (whole["id"], whole["head"], whole["result"]) == (over["id"], over["head"], over["result"])
    assert len(whole["events"]) == over["version"]
    hashes = {"public", "secret", "head"}
    bare = [{key: each[key] for key in each.keys() - hashes} for each in await stranger.events(game)]
    assert whole["events"] == bare
    assert [seat["player"] for seat in whole["seats"]] == [player.id for player in players]
    assert whole["names"] == {player.id: player.name for player in players}
    assert answer.headers["content-type"] == "application/vnd.stammtisch.record+json"
    assert answer.headers["content-disposition"] == f'inline; filename="{over["id"]}.game.json"'
    bare = await stranger.get(f"{game}/record", names=False)
    assert done(bare) == whole | {"names": {}}
    tag = bare.headers["etag"]
    assert (await stranger.get(f"{game}/record", names=False, headers={"If-None-Match": tag})).status_code == 304
    assert (await stranger.get(f"{game}/record", headers={"If-None-Match": tag})).status_code == 200
    checks = verify(record.decode(answer.content), head=over["head"])
    assert all(check.ok for check in checks), checks
    known = whole["rules"] in python().TABLE
    found = outcome(python().verify(whole, over["head"]))
    assert [name for name, ok in found.items() if ok is not True] == ([] if known else ["heads", "shuffles"])


async def test_while_the_game_runs_records_are_redacted_for_the_caller(
    players: list[Caller], stranger: Caller, game: str
) -> None:
    await some_moves(players, game, MOVES)
    everybody = [*enumerate(players), (None, stranger)]
    records = {seat: (await who.get(f"{game}/record")) for seat, who in everybody}
    for seat, who in everybody:
        shown = done(records[seat])
        assert shown["secret"] is None
        assert shown["events"] == await who.events(game)
        assert shown["events"][0]["event"]["secret"] is None
        assert flawless(verify(record.decode(records[seat].content), head=shown["head"]))
        assert False not in outcome(python().verify(shown, shown["head"])).values()
    heads = {answer.json()["head"] for answer in records.values()}
    assert heads == {(await stranger.look(game))["head"]}
    assert records[None].content == (await players[0].get(f"{game}/record", as_="bystander")).content


async def test_other_perspectives_are_allowed_where_the_game_allows_them(players: list[Caller], game: str) -> None:
    for wish in (1, "all"):
        problem(await players[0].get(f"{game}/record", as_=wish), 403, "forbidden")
    problem(await players[0].get(f"{game}/record", as_=999), 400, "malformed")
    await play_to_the_end(players, game)
    shown = await taken(players[0], game, as_=1)
    assert shown["secret"] is None
    assert shown["events"] == await players[1].events(game, as_=1)
    assert (await taken(players[0], game, as_="all"))["secret"] is not None


async def test_a_hotseat_record_has_all_cards_but_not_the_secret(ann: Caller, ruleset: str) -> None:
    """The secret would reveal the future deals to the player."""
    game = await ann.open(ruleset, hotseat=True)
    await some_moves([ann] * 8, game, MOVES)
    answer = await ann.get(f"{game}/record", as_="all")
    shown = done(answer)
    assert shown["secret"] is shown["events"][0]["event"]["secret"] is None
    assert flawless(verify(record.decode(answer.content)))


async def test_the_record_of_a_branch_names_its_parent_and_verifies(
    players: list[Caller], ann: Caller, game: str
) -> None:
    await play_to_the_end(players, game)
    at = len(await ann.events(game)) // 2
    branch = done(await ann.post(f"{game}/branches", {"at": at}), 201)["links"]["self"]
    await play_to_the_end([ann] * 8, branch)
    answer = await ann.get(f"{branch}/record")
    assert done(answer)["parent"]["id"] == game.rpartition("/")[2]
    assert all(check.ok for check in verify(record.decode(answer.content)))
    assert False not in outcome(python().verify(answer.json())).values()
    assert (await audited(ann, branch))["ok"] is True


# --- the audit ----------------------------------------------------------------------------------------------------


async def test_the_audit_of_a_finished_game_runs_every_check(
    players: list[Caller], stranger: Caller, game: str
) -> None:
    over = await play_to_the_end(players, game)
    found = await audited(stranger, game)
    assert (found["ok"], found["version"], found["head"]) == (True, over["version"], over["head"])
    text = (await stranger.get(f"{game}/record")).content
    expected = [(check.name, check.ok, check.detail) for check in verify(record.decode(text), head=over["head"])]
    assert [(c["name"], c["ok"], c["detail"]) for c in found["checks"]] == expected
    assert {"rules", "deals", "commitment", "heads", "receipt"} <= {c["name"] for c in found["checks"]}


async def test_while_the_game_runs_the_audit_is_the_same_for_everyone_and_reveals_no_cards(
    players: list[Caller], stranger: Caller, game: str
) -> None:
    await some_moves(players, game, MOVES)
    found = await audited(stranger, game)
    assert found["ok"] is True
    assert set(found) == {"id", "ruleset", "version", "head", "ok", "checks"}
    assert [c for c in found["checks"] if c != {"name": c["name"], "ok": True, "version": None}] == []
    assert {"rules", "deals", "commitment", "heads"} <= {c["name"] for c in found["checks"]}
    for player in players:
        assert await audited(player, game) == found


async def test_waiting_and_aborted_games_can_be_audited(ann: Caller, ruleset: str) -> None:
    game = await ann.open(ruleset)
    assert (await audited(ann, game))["ok"] is True
    assert (await taken(ann, game))["result"] is None
    await ann.stand(game, 0)
    assert (await audited(ann, game))["ok"] is True
    assert (await taken(ann, game))["secret"] is not None


# --- a database that somebody has written into --------------------------------------------------------------------


def rows(database: Path, game: str) -> list[tuple[int, Json]]:
    with sqlite3.connect(database) as connection:
        found = connection.execute(
            "SELECT originator_version, state FROM stored_events WHERE originator_id = ? ORDER BY originator_version",
            (game.rpartition("/")[2],),
        ).fetchall()
    return [(version, json.loads(state)) for version, state in found]


def tamper(database: Path, game: str, version: int, state: Any) -> None:
    text = state if isinstance(state, bytes) else json.dumps(state).encode()
    with sqlite3.connect(database) as connection:
        changed = connection.execute(
            "UPDATE stored_events SET state = ? WHERE originator_id = ? AND originator_version = ?",
            (text, game.rpartition("/")[2], version),
        )
        assert changed.rowcount == 1


async def a_game(service: Service, ruleset: str, *, over: bool) -> tuple[Caller, str]:
    player = await service.guest("Ann")
    game = await player.open(ruleset, hotseat=True)
    if over:
        await play_to_the_end([player] * 8, game)
    else:
        await some_moves([player] * 8, game, MOVES)
    return player, game


SEVERAL = "public", "secret", "head", "version"
TAMPERED: dict[str, Callable[[Json, Json], Json]] = {
    # The new row for one of the log; `other` is another one.
    "another seat": lambda row, _: row | {"event": row["event"] | {"seat": 1 - row["event"]["seat"]}},
    "at": lambda row, _: row | {"at": "2000-01-01T00:00:00.000000Z"},
    "by": lambda row, _: row | {"by": 1 if row["by"] != 1 else 0},
    **{name: lambda row, other, name=name: row | {name: other[name]} for name in SEVERAL},  # type: ignore[misc]
}


@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
async def test_the_audit_detects_a_changed_row(database: Path, ruleset: str, over: bool) -> None:
    """In the process that has the game in memory, and in one that reads the changed row."""
    async with in_process(database) as service, in_process(database, max_cached_mib=0.001) as again:
        player, game = await a_game(service, ruleset, over=over)
        elsewhere = await player.open(ruleset)
        stored = rows(database, game)
        version, row = next((v, r) for v, r in stored if "seat" in r["event"] and v > 4)
        for name, change in TAMPERED.items():
            assert (await audited(player, game))["ok"] is True
            tamper(database, game, version, change(row, stored[3][1]))
            found = await audited(player, game)
            failing = {check["name"]: check["version"] for check in found["checks"] if check["ok"] is False}
            assert found["ok"] is False and failing, name
            if name == "another seat":
                assert failing["heads"] == version
                assert any("detail" in check for check in found["checks"]) is over
            await player.at(again).look(elsewhere)  # which puts the other game out of memory
            assert (await audited(player.at(again), game))["ok"] is False, name
            tamper(database, game, version, row)


async def test_the_audit_detects_a_missing_secret(database: Path, ruleset: str) -> None:
    """The entry without the secret equals the redacted one that a seat gets while the game runs."""
    async with in_process(database) as service:
        player, game = await a_game(service, ruleset, over=False)
        row = rows(database, game)[0][1]
        tamper(database, game, 1, row | {"event": row["event"] | {"secret": None}})
        assert (await audited(player, game))["ok"] is False


async def test_the_audit_detects_a_truncated_log_while_the_head_is_in_memory(database: Path, ruleset: str) -> None:
    """The head in memory proves that events are missing. Clients have the same proof: the heads they received."""
    async with in_process(database) as service:
        player, game = await a_game(service, ruleset, over=True)
        last = len(rows(database, game))
        with sqlite3.connect(database) as connection:
            connection.execute("DELETE FROM stored_events WHERE originator_version > ?", (last - 3,))
        found = await audited(player, game)
        assert "receipt" in {check["name"] for check in found["checks"] if check["ok"] is False}


@pytest.mark.parametrize("state", [b"{}", b"nonsense", b"\x00\xff"])
async def test_an_unreadable_log_can_be_audited(
    database: Path, ruleset: str, state: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with in_process(database) as service:
        player, game = await a_game(service, ruleset, over=True)
        tamper(database, game, 5, state)
        for _ in range(2):
            found = await audited(player, game)
            assert found["ok"] is False
            assert found["checks"] == [{"name": "log", "ok": False, "version": None}]
    async with in_process(database) as service:
        caplog.clear()
        assert (await audited(player.at(service), game))["ok"] is False
        assert "cannot be folded" in caplog.text


async def test_a_damaged_private_game_stays_private(database: Path, ruleset: str) -> None:
    """Its log can be read but not folded."""
    async with in_process(database) as service:
        player, eve = await service.guest("Ann"), await service.guest("Eve")
        game = await player.open(ruleset, hotseat=True, private=True)
        version, row = next((v, r) for v, r in rows(database, game) if r["event"]["type"] == "joined")
        tamper(database, game, version, row | {"event": row["event"] | {"seat": 900}})
    async with in_process(database) as service:
        assert (await audited(player.at(service), game))["ok"] is False
        for who in (eve.at(service), service.stranger):
            problem(await who.get(f"{game}/audit"), 404, "not-found")
