"""Films: their steps give the views of the game, from every perspective. Records that are not valid give none."""

import asyncio
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from domain import game
from domain.codec import encode
from domain.fairness import record
from domain.game import Game, Rules, TakenBack
from domain.rulesets import VERSIONS
from service.__main__ import main
from service.extensions.films import films
from service.extensions.films.films import Busy, InvalidRecord, Projector, encoded_film, film_of
from service.live.fair_queue import QueueFull
from tests.kit.json_patch import applied
from tests.verifiers import samples

every_ruleset = pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))
RULES = next(iter(VERSIONS.values()))

Json = dict[str, Any]


@pytest.fixture
def whole() -> bytes:
    return encode(samples.shortest(RULES, RULES.seats[0]))


@every_ruleset
def test_the_steps_give_every_view_of_every_perspective(rules: Rules) -> None:
    check_steps(rules, samples.shortest(rules, rules.seats[0]))


@pytest.mark.by_default("scout/1")
@every_ruleset
def test_the_steps_go_back_where_a_move_was_taken_back(rules: Rules) -> None:
    for name in ("free", "agreed"):
        whole = samples.with_undo(rules)[name]
        check_steps(rules, whole)
        steps = json.loads(encoded_film(whole))["perspectives"]["all"]
        views: list[Any] = [None]
        for step in steps:
            views.append(applied(views[-1], step["patch"]))
        backs = [entry for entry in whole.events if isinstance(entry.event, TakenBack)]
        assert backs
        assert all(views[entry.version] == views[entry.event.to] for entry in backs)
        assert all(steps[entry.version - 1]["patch"] for entry in backs)


def check_steps(rules: Rules, whole: Any) -> None:
    film: Json = json.loads(encoded_film(whole))
    assert film["record"] == json.loads(encode(whole))
    seats = [str(seat) for seat in range(len(whole.seats))]
    assert list(film["perspectives"]) == ["all", "bystander", *seats]
    for perspective, steps in film["perspectives"].items():
        viewer = int(perspective) if perspective.isdecimal() else None
        seen, view, tally = Game(whole.id), None, None
        for entry, step in zip(whole.events, steps, strict=True):
            shown = entry.event if perspective == "all" else game.redact(rules, entry.event, viewer)
            seen = game.evolve(rules, seen, shown)
            view, tally = applied(view, step["patch"]), step.get("tally", tally)
            assert view == json.loads(encode(seen.state))
            assert tally == (None if seen.state is None else json.loads(encode(rules.tally(seen.state))))
            assert step.get("event", json.loads(encode(entry.event))) == json.loads(encode(shown))


def test_the_command_writes_the_film_of_a_record(whole: bytes, tmp_path: Path, capfdbinary: Any) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(whole)
    assert main(["film", str(file)]) == 0
    printed = capfdbinary.readouterr().out
    assert printed == encode(film_of(record.decode(whole))) + b"\n"
    assert main(["film", str(file), "--output", str(tmp_path / "film.json.gz")]) == 0
    assert gzip.decompress((tmp_path / "film.json.gz").read_bytes()) == printed


def test_the_commands_know_moves_that_were_taken_back(tmp_path: Path, capfdbinary: Any) -> None:
    """`verify` replays the rules, `film` makes views, `replay` tells what happened."""
    whole = samples.with_undo(VERSIONS["scout/1"])["agreed"]
    file = tmp_path / "record.json"
    file.write_bytes(encode(whole))
    assert main(["verify", str(file)]) == 0
    assert b"rules" in capfdbinary.readouterr().out
    assert main(["film", str(file)]) == 0
    assert capfdbinary.readouterr().out == encode(film_of(record.decode(encode(whole)))) + b"\n"
    back = next(entry.version for entry in whole.events if isinstance(entry.event, TakenBack))
    shown = []
    for version in (whole.events[back - 1].event.to, back - 1, back):
        assert main(["replay", str(file), "--at", str(version)]) == 0
        shown.append(capfdbinary.readouterr().out.splitlines())
    (_, _, *before), (_, _, *meanwhile), (_, told, *after) = shown
    assert before == after != meanwhile
    assert b"is taken back" in told


def forged(whole: bytes) -> bytes:
    text: Json = json.loads(whole)
    text["events"][6]["version"] = 9
    return json.dumps(text).encode()


def running() -> bytes:
    return encode(samples.seen(RULES, samples.running(RULES, RULES.seats[0], 0), 0))


def test_a_record_that_is_not_valid_or_not_complete_gives_no_film(
    whole: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text, status, said in (
        ("forged", forged(whole), 1, "versions: version 7"),
        ("running", running(), 1, "must be complete"),
        ("text", b"{", 2, "truncated"),
    ):
        (tmp_path / name).write_bytes(text)
        assert main(["film", str(tmp_path / name), "--output", str(tmp_path / "film")]) == status
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1
        assert not (tmp_path / "film").exists()


# --- the process that the service starts ---

pytestmark = pytest.mark.anyio


async def test_a_record_is_verified_and_filmed_in_a_process(whole: bytes) -> None:
    projector = Projector(timeout=120)
    assert (await projector.film(whole)).strip() == encode(film_of(record.decode(whole)))
    with pytest.raises(InvalidRecord, match="versions: version 7"):
        await projector.film(forged(whole))


async def test_senders_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """One with many records delays another one by one film; those beyond the limit are refused."""
    order = list[bytes]()

    async def run(text: bytes) -> tuple[int, bytes, bytes]:
        await asyncio.sleep(0.01)
        order.append(text)
        return 0, text, b""

    monkeypatch.setattr(films, "_run", run)
    projector = Projector()
    many = [asyncio.create_task(projector.film(b"many", "many")) for _ in range(5)]
    await asyncio.sleep(0)
    await projector.film(b"one", "one")
    made = await asyncio.gather(*many, return_exceptions=True)
    assert order == [b"many", b"many", b"one", b"many"] or order == [b"many", b"one", b"many", b"many"]
    assert [type(each) for each in made] == [bytes] * 3 + [QueueFull] * 2
    assert await projector.film(b"later", "many") == b"later"


async def test_a_process_that_takes_too_long_is_ended(whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(films, "COMMAND", ("-c", "import time; time.sleep(600)"))
    with pytest.raises(Busy, match="within"):
        await Projector(timeout=0.2).film(whole)


async def test_a_film_that_is_too_large_is_not_read(whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(films, "COMMAND", ("-c", "while True: print('x' * 65536)"))
    with pytest.raises(Busy, match="limits"):
        await Projector(timeout=120).film(whole)
