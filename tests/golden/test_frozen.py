"""What an author reads when a golden game would look different, or go differently."""

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.game import Rules
from domain.rulesets import RULESETS
from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo.rules import Dealt, Drawn, TurnBegan
from service.__main__ import main
from stammtisch.testing import Broken, frozen, golden_of
from stammtisch.testing.broken import GOLDEN, MOST
from tests.domain.test_laws_bite import planted, redact_shows_the_drawn_card_to_all
from tests.golden import FOLDER, folder

FILE = folder(SKYJO) / "2-seats.jsonl"
LAST = next(reversed(RULESETS.values()))


def evolve_forgets_the_turn(state: Any, event: Any) -> Any:
    after = SKYJO.evolve(state, event)
    return replace(after, turn=0) if isinstance(event, TurnBegan) else after


def evolve_stumbles(state: Any, event: Any) -> Any:
    return SKYJO.evolve(state, event) if not isinstance(event, Drawn) else {}["no such card"]


def decide_gives_another_turn(state: Any, seat: int, move: Any) -> list[Any]:
    return [
        replace(event, seat=seat) if isinstance(event, TurnBegan) else event
        for event in SKYJO.decide(state, seat, move)
    ]


def legal_omits_all_but_one(state: Any, seat: int) -> list[Any]:
    return SKYJO.legal(state, seat)[:1]


def decide_refuses(state: Any, seat: int, move: Any) -> list[Any]:
    from domain.ruleset import Illegal

    if move not in legal_omits_all_but_one(state, seat):
        raise Illegal
    return SKYJO.decide(state, seat, move)


def deal_turns_the_stock_around(state: Any, chance: Any) -> list[Any]:
    return [
        replace(event, draw=event.draw[::-1]) if isinstance(event, Dealt) else event
        for event in SKYJO.deal(state, chance)
    ]


FAULTS: dict[Callable[..., Any], tuple[str, str]] = {
    evolve_forgets_the_turn: ("turn_began", "the table is another one"),
    evolve_stumbles: ("drawn", "the rules raise KeyError('no such card')"),
    redact_shows_the_drawn_card_to_all: ("drawn", "this viewer sees another table"),
    decide_gives_another_turn: ("turn_began", "played again: seat: 1 instead of 0"),
    decide_refuses: ("", "is refused"),
    deal_turns_the_stock_around: ("dealt", "played again: draw/0: "),
}
"""By fault: the event that the message names, and what it says."""


def broken(rules: Rules, file: Path, root: Path = FOLDER) -> str:
    with pytest.raises(Broken) as found:
        frozen.obey(rules, root, file)
    text = str(found.value)
    assert len(text) <= MOST
    assert text.startswith(f"{rules.rules} breaks the law 'golden': {GOLDEN.says}\n")
    assert f"  do    {GOLDEN.do}\n" in text
    return text


@pytest.mark.parametrize("fault", FAULTS)
def test_a_changed_game_is_named_with_event_seat_and_the_command_that_repeats_it(fault: Callable[..., Any]):
    event, what = FAULTS[fault]
    text = broken(planted(fault), FILE)
    parts = {line[2:8].strip(): line[8:] for line in text.splitlines()[1:]}
    assert parts["at"].startswith("event ") and parts["at"].endswith(event)
    assert what in parts["what"]
    assert ("seat" in parts) == (fault not in (evolve_forgets_the_turn, evolve_stumbles))
    assert parts["again"].split()[:4] == ["stammtisch", "check", "skyjo", "--golden"]
    assert parts["again"].endswith("golden --game 2-seats")


def test_a_game_of_events_that_are_gone_is_named():
    kept = dataclasses.replace(SKYJO, event=Dealt | TurnBegan)
    text = broken(kept, FILE)
    assert "cannot be read any more" in text and "  at    event " in text


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b"[]\n[]"])
def test_a_file_that_is_no_game_is_named(content: bytes, tmp_path: Path):
    file = folder(SKYJO, tmp_path) / "2-seats.jsonl"
    file.parent.mkdir()
    file.write_bytes(content)
    assert "--game 2-seats" in broken(SKYJO, file, tmp_path)


def test_a_changed_description_is_named():
    assert "hash is in every game" in broken(
        dataclasses.replace(SKYJO, seats=range(2, 4)), folder(SKYJO) / "description.json"
    )


def test_golden_games_are_a_test_of_an_author():
    (mark,) = golden_of(SKYJO, FOLDER).pytestmark  # type: ignore[attr-defined]
    assert mark.kwargs["ids"] == [file.stem for file in frozen.files_of(SKYJO, FOLDER)]
    golden_of(SKYJO, FOLDER)(FILE)
    with pytest.raises(AssertionError, match="has no golden games of skyjo/1"):
        golden_of(SKYJO, FOLDER / "nowhere")


def test_the_command_freezes_compares_and_rewrites_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    def check(*options: str) -> tuple[int, str]:
        status = main(["check", LAST.name, "--golden", str(tmp_path), *options])
        out, err = capsys.readouterr()
        return status, out + err

    assert check() == (2, f"{tmp_path} has no such golden games; --write adds those that are missing\n")
    status, text = check("--write")
    names = {path.name for path in folder(LAST).iterdir() if path.is_file()}
    assert status == 0 and text.count("frozen   ") == len(names)
    ours = folder(LAST, tmp_path)
    assert {path.name: path.read_bytes() for path in ours.iterdir()} == {
        name: (folder(LAST) / name).read_bytes() for name in names
    }
    one = ours / "given-up.jsonl"
    one.write_bytes(one.read_bytes().replace(b'"seen":["', b'"seen":["0'))
    changed = one.read_bytes()
    status, text = check("--write", "--game", "given-up")
    assert status == 1 and "BROKEN   golden" in text and one.read_bytes() == changed
    one.unlink()
    shutil.copytree(ours, tmp_path / f"{LAST.name}-9")
    status, text = check("--game", "branch")
    assert status == 1 and f"{LAST.name}-9: the package has no such version" in text and "ok       golden, 1 " in text


def test_the_command_needs_a_folder_for_its_options(capsys: pytest.CaptureFixture[str]):
    assert main(["check", "skyjo", "--write"]) == 2
    assert "need --golden FOLDER" in capsys.readouterr().err
