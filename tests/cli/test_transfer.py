"""`stammtisch export` and `import`: games move between databases verified and byte for byte unchanged."""

import asyncio
import gzip
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from domain import game as aggregate
from domain.codec import encode
from domain.fairness import record
from domain.game import Declined, Game, Gone, Opened, Rejoined, Revealed, Rules
from domain.rulesets import RULESETS, VERSIONS
from service import settings
from service.__main__ import main
from service.cli import import_, record_files
from service.cli.export import export_games
from service.cli.import_ import import_games
from service.cli.record_files import zstd
from service.cli.replay import labels
from service.cli.transfer import Summary
from service.games import games as games_module
from service.settings import Settings
from tests.golden import Golden, given_up
from tests.golden import play as golden_play
from tests.support.clients import Caller, done, fewest, in_process, play, play_to_the_end, problem
from tests.support.forked import run_command
from tests.verifiers import samples

pytestmark = [pytest.mark.anyio, pytest.mark.turns("ends")]

every_ruleset = pytest.mark.parametrize("ruleset", RULESETS)
every_version = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))


def there(path: Path) -> Settings:
    return settings.read({}, database=str(path))


def played(rules: Rules, name: str = "archived") -> Golden:
    golden = golden_play(rules, name, min(rules.seats), {})
    assert golden is not None
    return golden


def line(golden: Golden) -> bytes:
    return encode(samples.record_of(golden.id, golden.log)) + b"\n"


PACKED: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".zst": zstd.compress}
UNPACKED: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.decompress, ".zst": zstd.decompress}


def file(folder: Path, *lines: bytes, name: str = "games.ndjson") -> str:
    path = folder / name
    path.write_bytes(PACKED.get(path.suffix, bytes)(b"".join(lines)))
    return str(path)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def changed(text: bytes, **fields: Any) -> bytes:
    return msgspec.json.encode(msgspec.json.decode(text) | fields) + b"\n"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    return tmp_path / "elsewhere.db"


async def exported(database: Path, *ids: str) -> list[bytes]:
    output = database.with_suffix(".ndjson")
    summary = await export_games(there(database), ids, str(output))
    assert not summary.rejected
    return output.read_bytes().splitlines(keepends=True)


# --- import and export --------------------------------------------------------------------------------------------


@every_version
async def test_exports_of_imported_games_are_byte_for_byte_the_imported_records(
    rules: Rules, tmp_path: Path, database: Path
) -> None:
    lines = [line(played(rules, str(number))) for number in range(5)] + [line(given_up(rules))]
    games = file(tmp_path, *lines)
    for summary in (Summary(6, 0, ()), Summary(0, 12, ())):  # importing again changes nothing
        assert await import_games(there(database), [games] * (1 + (summary.games == 0))) == summary
        assert sorted(await exported(database)) == sorted(lines)


@every_version
async def test_the_formatting_of_a_record_does_not_matter(rules: Rules, tmp_path: Path, database: Path) -> None:
    """Spaces, the order of fields, a missing newline at the end, empty lines."""
    text = line(played(rules))
    spaced = msgspec.json.format(msgspec.json.encode(msgspec.json.decode(text), order="sorted"), indent=0)
    assert await import_games(there(database), [file(tmp_path, b"\n", spaced.strip(), b"\n\n")]) == Summary(1, 0, ())
    assert await import_games(there(database), [file(tmp_path, text.strip())]) == Summary(0, 1, ())
    assert [msgspec.json.decode(each) for each in await exported(database)] == [msgspec.json.decode(text)]


@pytest.mark.parametrize("suffix", PACKED)
async def test_files_whose_names_end_in_gz_or_zst_are_compressed(suffix: str, tmp_path: Path, database: Path) -> None:
    lines = [line(played(rules, str(number))) for number, rules in enumerate(VERSIONS.values())]
    assert (await import_games(there(database), [file(tmp_path, *lines, name=f"in{suffix}")])).games == len(lines)
    outputs = [tmp_path / f"out.ndjson{suffix}", tmp_path / f"again{suffix}"]
    for output in outputs:
        await export_games(there(database), [], str(output))
    assert sorted(UNPACKED[suffix](outputs[0].read_bytes()).splitlines(keepends=True)) == sorted(lines)
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    assert not [name for name in names(tmp_path) if name.endswith(".part")]


@pytest.mark.parametrize("suffix", PACKED)
async def test_a_file_that_decompresses_without_end_fills_no_memory(
    suffix: str, tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """For the import, and for commands that read one record."""
    monkeypatch.setattr(record_files, "MAX_TEXT", 2**20)
    bomb = file(tmp_path, bytes(64 * 2**20), name=f"bomb{suffix}")
    tracemalloc.start()
    try:
        summary = await import_games(there(database), [bomb])
        assert main(["verify", bomb]) == 1
        assert tracemalloc.get_traced_memory()[1] < 16 * 2**20
    finally:
        tracemalloc.stop()
    assert "A record has more than" in summary.rejected[0]
    assert "A record has more than" in capsys.readouterr().err


async def test_a_stream_with_a_huge_window_is_refused(tmp_path: Path, database: Path) -> None:
    """Its header demands 3.75 TiB."""
    bomb = tmp_path / "bomb.zst"
    bomb.write_bytes(record_files.ZSTD_MAGIC + b"\x00\xff" + b"\x03\x00\x00\x00")
    summary = await import_games(there(database), [str(bomb)])
    assert (summary.games, len(summary.rejected)) == (0, 1)
    assert "memory" in summary.rejected[0]


@pytest.mark.checked
@pytest.mark.by_default("skyjo/1")
@every_version
async def test_large_inputs_are_verified_by_several_processes(
    rules: Rules, tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_, "PARALLEL_BYTES", 0)
    good, bad = line(played(rules)), changed(line(played(rules, "bad")), head="0" * 64)
    summary = await import_games(there(database), [file(tmp_path, bad, good)])
    assert (summary.games, len(summary.rejected)) == (1, 1)
    assert "`heads`" in summary.rejected[0]


# --- rejected records ---------------------------------------------------------------------------------------------


async def rejection(folder: Path, database: Path, *lines: bytes) -> str:
    """Import the lines. Only the last one must be rejected; returns the reason."""
    summary = await import_games(there(database), [file(folder, *lines)])
    assert len(summary.rejected) == 1
    assert summary.games + summary.existing == len(lines) - 1
    place, _, reason = summary.rejected[0].partition(": ")
    assert place == f"{folder / 'games.ndjson'}:{len(lines)}"
    return reason


@every_version
async def test_a_record_that_fails_verification_is_rejected_and_the_check_is_named(
    rules: Rules, tmp_path: Path, database: Path
) -> None:
    good, other = line(played(rules)), line(played(rules, "other"))
    body = msgspec.json.decode(other)
    late = [*body["events"][:-1], body["events"][-1] | {"at": "2031-01-01T00:00:00.000000Z"}]
    assert "`secret` differs from the events" in await rejection(
        tmp_path, database, good, changed(other, secret=body["commitment"])
    )
    reason = await rejection(tmp_path, database, good, changed(other, events=late))
    assert f"`appends` fails at version {len(late)}" in reason
    assert await exported(database) == [good]


@every_version
async def test_incomplete_records_and_other_texts_are_rejected(rules: Rules, tmp_path: Path, database: Path) -> None:
    golden = played(rules)
    whole = samples.record_of(golden.id, golden.log)
    running = record.of(golden.id, golden.log[:-2])
    seen = samples.seen(rules, whole, 0)
    for text, expected in (
        (b"{}\n", "Not a record"),
        (b"nothing\n", "Not a record"),
        (b'{"format": "stammtisch-record/1"', "Not a record"),
        (changed(line(golden), rules="nothing/1"), "Unknown rules"),
        (changed(line(golden), format="stammtisch-record/9"), "Unknown format"),
        (changed(line(golden), events=[]), "not over"),
        (encode(record.complete(running)) + b"\n", "not over"),
        (encode(record.seen(rules, running, None)) + b"\n", "not over"),
        (
            encode(record.hashed(whole)) + b"\n",
            "The events of a complete record have no hashes - at `$.events[0].public`",
        ),
        (encode(seen) + b"\n", "`secret` cannot be made"),
        (changed(line(golden), id="../" + golden.id), "must be a UUID"),
        (changed(line(golden), id=golden.id.upper()), "must be a UUID"),
        (changed(line(golden), more=1), "Not a record"),
    ):
        assert expected in await rejection(tmp_path, database, text)
    assert await exported(database) == []


@every_version
async def test_a_different_record_with_the_same_id_is_rejected(
    rules: Rules, tmp_path: Path, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    golden = played(rules)
    monkeypatch.setattr("stammtisch.testing.golden.id_of", lambda _: golden.id)
    other = played(rules, "other")
    assert other.id == golden.id
    assert other.log != golden.log
    assert "the same id" in await rejection(tmp_path, database, line(golden), line(other))
    assert await exported(database) == [line(golden)]


async def test_a_file_that_cannot_be_read_does_not_affect_the_other_files(tmp_path: Path, database: Path) -> None:
    rules = next(iter(VERSIONS.values()))
    good = file(tmp_path, line(played(rules)), name="good.ndjson")
    bad = [tmp_path / name for name in ("missing", "cut.gz", "cut.zst", "no.gz")]
    for path in bad[1:3]:
        path.write_bytes(PACKED[path.suffix](line(played(rules, "2")))[:-20])
    bad[3].write_bytes(b"not compressed")
    summary = await import_games(there(database), [*map(str, bad), good])
    assert summary.games == 1
    assert [each.partition(":")[0] for each in summary.rejected] == [*map(str, bad)]


# --- over REST ----------------------------------------------------------------------------------------------------


async def table(service: Any, ruleset: str, **terms: Any) -> tuple[list[Caller], str]:
    players = await service.guests(*("Ann", "Bob", "Cem", "Dora", "Emil")[: fewest(ruleset)])
    return players, await service.table(ruleset, players, **terms)


@every_ruleset
async def test_only_games_that_are_over_are_exported(ruleset: str, tmp_path: Path, database: Path) -> None:
    """Logs of running games contain hidden cards."""
    async with in_process(database) as service:
        players, game = await table(service, ruleset)
        await play_to_the_end(players, game)
        given_up = await players[0].open(ruleset)
        await players[0].stand(given_up, 0)
        running, waiting = (await table(service, ruleset))[1], await players[0].open(ruleset)
        served = [(await service.stranger.get(f"{path}/record", names=False)).content for path in (game, given_up)]
        assert await exported(database) == [text + b"\n" for text in served]
        ids = [path.rpartition("/")[2] for path in (running, waiting, game)]
        output = tmp_path / "out"
        summary = await export_games(there(database), [*ids, "nothing"], str(output))
        assert (summary.games, len(summary.rejected)) == (1, 3)
        assert "not over" in summary.rejected[0]
        assert "not over" in summary.rejected[1]
        assert "no such game" in summary.rejected[2]
        assert output.read_bytes() == served[0] + b"\n"


@every_ruleset
async def test_an_imported_game_can_be_read_and_verified_but_not_changed(
    ruleset: str, database: Path, elsewhere: Path
) -> None:
    async with in_process(elsewhere) as service:
        players, game = await table(service, ruleset)
        over = await play_to_the_end(players, game)
        served = await service.stranger.get(f"{game}/record", names=False)
        assert "imported" not in over
    await exported(elsewhere)
    await import_games(there(database), [str(elsewhere.with_suffix(".ndjson"))])
    for _ in range(2):  # the second time, the projections are rebuilt from the log
        async with in_process(database) as service:
            eve = await service.guest("Eve")
            here = await service.stranger.look(game)
            assert here.pop("imported") is True
            assert (here["id"], here["head"], here["result"]) == (over["id"], over["head"], over["result"])
            assert here["view"] == over["view"]
            assert (await service.stranger.get(f"{game}/record")).content == served.content  # names are not exported
            assert done(await service.stranger.get(f"{game}/audit"))["ok"] is True
            assert [e["head"] for e in await eve.events(game)][-1] == over["head"]
            assert (await eve.look(game, at=9, as_=0))["version"] == 9
            listed = [each for each in await eve.every("/v1/games") if each["id"] == over["id"]]
            assert [each["imported"] for each in listed] == [True]
            problem(await eve.post(f"{game}/seats", {}), 409, "not-waiting")
        for leftover in database.parent.glob(f"{database.stem}.projections*"):
            leftover.unlink()


@every_ruleset
async def test_an_import_does_not_change_the_name_of_a_player(
    ruleset: str, tmp_path: Path, database: Path, elsewhere: Path
) -> None:
    secret = "s" * 32
    async with in_process(elsewhere, secret=secret) as service:
        players, game = await table(service, ruleset)
        await play_to_the_end(players, game)
        served = (await service.stranger.get(f"{game}/record")).content
    await import_games(there(database), [file(tmp_path, served)])
    async with in_process(database, secret=secret) as service:
        assert done(await service.stranger.get(f"/v1/players/{players[0].id}"))["name"] == "Ann"
        ann = players[0].at(service)
        await ann.open(ruleset)
        assert done(await ann.get(f"/v1/players/{ann.id}"))["name"] == "Ann"
        mine = await ann.every("/v1/games", player=ann.id)
        assert [each.get("imported") for each in mine] == [None, True]
        problem(await ann.post(f"{game}/moves", (await legal_once(ann, ruleset))), 409, "illegal-move")


async def legal_once(who: Caller, ruleset: str) -> Any:
    """A well-formed move."""
    game = await who.open(ruleset, hotseat=True)
    return (await who.look(game))["legal_moves"][0]


@every_ruleset
async def test_a_private_game_stays_private_and_its_key_opens_no_second_game(
    ruleset: str, database: Path, elsewhere: Path
) -> None:
    """The id follows from the key, and a record does not contain the original request."""
    secret = "s" * 32
    async with in_process(elsewhere, secret=secret) as service:
        ann = await service.guest("Ann")
        game = await ann.open(ruleset, hotseat=True, private=True, key="mine")
        await play_to_the_end([ann] * fewest(ruleset), game)
    await exported(elsewhere)
    await import_games(there(database), [str(elsewhere.with_suffix(".ndjson"))])
    async with in_process(database, secret=secret) as service:
        problem(await service.stranger.get(game), 404, "not-found")
        assert await service.stranger.every("/v1/games") == []
        assert (await ann.at(service).look(game))["imported"] is True
        same = {"seats": fewest(ruleset), "hotseat": True, "private": True}
        answer = await ann.at(service).post(f"/v1/games/{ruleset}", same, headers={"Idempotency-Key": "mine"})
        problem(answer, 422, "idempotency-key-reused")


@every_ruleset
async def test_games_can_be_imported_while_the_service_runs(ruleset: str, tmp_path: Path, database: Path) -> None:
    golden = played(RULESETS[ruleset])
    async with in_process(database) as service:
        players, game = await table(service, ruleset)
        playing = play(players, game, Random(1))
        await anext(playing)
        path = f"/v1/games/{ruleset}/{golden.id}"
        assert (await players[0].get(path)).status_code == 404
        private = golden.log[0].event.private
        assert (await import_games(there(database), [file(tmp_path, line(golden))])).games == 1
        assert (await players[0].get(path)).status_code == (404 if private else 200)
        async for _ in playing:
            pass
        for _ in range(60):
            if private or golden.id in [each["id"] for each in await players[0].every("/v1/games")]:
                break
            await asyncio.sleep(0.05)
        else:
            raise AssertionError("not in the lobby after 3 seconds")


# --- the command line ---------------------------------------------------------------------------------------------


@pytest.mark.by_default()
def test_games_can_be_piped_from_an_export_into_an_import(tmp_path: Path, database: Path, elsewhere: Path) -> None:
    lines = [line(played(rules, str(number))) for rules in VERSIONS.values() for number in range(2)]
    imported = run_command("import", file(tmp_path, *lines), "--database", elsewhere, environment=os.environ)
    assert (imported.returncode, imported.stderr) == (0, f"{len(lines)} games imported\n")
    exported = run_command("export", "--database", elsewhere, environment=os.environ)
    assert (exported.returncode, exported.stderr) == (0, f"{len(lines)} games exported\n")
    assert sorted(exported.stdout.encode().splitlines(keepends=True)) == sorted(lines)
    again = subprocess.run(
        [sys.executable, "-m", "service", "import", "-", "--database", database],
        cwd=Path(__file__).parents[2], input=exported.stdout + "{}\n", capture_output=True, text=True,
    )  # fmt: skip
    assert again.returncode == 1
    assert again.stderr.splitlines()[-1] == f"{len(lines)} games imported, 1 rejected"
    ident = played(next(iter(VERSIONS.values())), "0").id
    one = run_command("export", ident, "--database", database, environment=os.environ)
    assert one.stdout.encode() == lines[0]


def test_an_export_from_a_missing_database_ends_with_status_2_and_creates_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database, output = str(tmp_path / "nothing.db"), str(tmp_path / "out")
    assert main(["export", "--database", database, "--output", output]) == 2
    told = capsys.readouterr()
    assert told.out == "" and "no database" in told.err
    assert names(tmp_path) == set()


# --- branches of imports ------------------------------------------------------------------------------------------


def some(versions: Sequence[int]) -> list[int]:
    """At most 60 of them, in their order."""
    return sorted(Random(1).sample(versions, min(60, len(versions))))


@pytest.mark.checked
@every_ruleset
@pytest.mark.by_default("clock stopped-skyjo]")
@pytest.mark.parametrize("stopped", [True, False], ids=["clock stopped", "clock running"])
async def test_an_imported_game_branches_where_it_did_before(
    ruleset: str, stopped: bool, tmp_path: Path, database: Path, elsewhere: Path, everything: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Also when all moves have the same time, after the clock was set back. By default at 60 random versions."""
    if stopped:
        monkeypatch.setattr(games_module, "now", lambda: "2026-01-01T00:00:00.000000Z")
    async with in_process(database, secret="x" * 32) as service:
        players = await service.guests(*("Ann", "Bob", "Cem", "Dora")[: fewest(ruleset)])
        eve = await service.guest("Eve")
        parent = await service.table(ruleset, players)
        await play_to_the_end(players, parent)
        versions = [item["version"] for item in await eve.events(parent, limit=500)]
        if not everything:
            versions = some(versions)
        before = [await eve.post(f"{parent}/branches", {"at": at}) for at in versions]
        branched = [done(each, 201) for each in before if each.status_code == 201]
        branch = branched[len(branched) // 2]["links"]["self"]
        await play_to_the_end([eve] * 5, branch)
    ids = [game.rpartition("/")[2] for game in (parent, branch)]
    lines = await exported(database, *ids)
    assert await import_games(there(elsewhere), [file(tmp_path, *lines)]) == Summary(2, 0, ())
    assert sorted(await exported(elsewhere)) == sorted(lines)
    async with in_process(elsewhere, secret="x" * 32) as service:
        who = eve.at(service)
        for at, then in zip(versions, before, strict=True):
            now = await who.post(f"{parent}/branches", {"at": at})
            assert now.status_code == then.status_code, (at, now.text)
            if then.status_code == 201:
                ours, theirs = now.json(), then.json()
                assert (ours["parent"], ours["view"], "imported" in ours) == (theirs["parent"], theirs["view"], False)
                assert ours["to_act"] == theirs["to_act"] != []
            else:
                assert now.json()["type"] == then.json()["type"]
        over = await who.look(branch)
        reached = set()
        later = range(1, over["version"] + 1)
        for at in later if everything else some(later):
            answer = await who.post(f"{branch}/branches", {"at": at})
            if answer.status_code == 201:
                again = done(answer, 201)
                reached.add(again["parent"]["at"])
                assert again["view"] == (await who.look(branch, at=again["parent"]["at"], as_=again["you"]))["view"]
                assert again["to_act"]
        assert len(reached) > 1


# --- bots and leavers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bots first", "gone and back", "all gone", "kept"])
async def test_games_with_bots_and_leavers_move_between_databases(
    name: str, tmp_path: Path, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Imported, exported, served as of every version, branched, verified and replayed."""
    kept = samples.with_bots(RULESETS["scout"])[name]
    text, path = encode(kept) + b"\n", f"/v1/games/scout/{kept.id}"
    games = file(tmp_path, text)
    assert await import_games(there(database), [games]) == Summary(1, 0, ())
    assert await exported(database) == [text]
    tags = [entry.event.__struct_config__.tag for entry in kept.events]
    async with in_process(database) as service:
        ann = await service.guest("Ann")
        for number, entry in enumerate(kept.events, 1):
            if entry.event.__class__ in (Opened, Gone, Rejoined, Declined):
                seats = (await ann.look(path, at=number))["seats"]
                then = aggregate.fold(RULESETS["scout"], Game(kept.id), [each.event for each in kept.events[:number]])
                assert [seat.get("bot") for seat in seats] == [then.bot_at(seat) for seat in range(len(seats))]
                assert [seat["seat"] for seat in seats if seat.get("gone")] == sorted(then.gone)
                reserved = [seat.get("reserved", {}).get("id") for seat in seats]
                assert reserved == list(then.kept or [None] * len(seats))
        checks = {each["name"]: each["ok"] for each in done(await ann.get(f"{path}/audit"))["checks"]}
        assert all(checks.values()) and ("bots" in checks) == (name != "kept")
        middle = next(entry for entry in kept.events[len(kept.events) // 2 :] if not entry.more)
        if "begun" in tags[: middle.version] and middle.event.__class__ is not Revealed:
            branch = done(await ann.post(f"{path}/branches", {"at": middle.version}), 201)
            assert (branch["status"], branch["hotseat"]) == ("running", True)
            assert not any("bot" in seat for seat in branch["seats"])
    capsys.readouterr()
    assert main(["verify", games]) == 0
    assert main(["replay", games]) == 0
    told = capsys.readouterr().out
    assert all(labels("en")[tag] in told for tag in {"gone", "rejoined", "declined"} & set(tags))
