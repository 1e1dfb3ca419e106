"""Whether golden games still look as they were frozen, and what an author reads if one does not."""

from collections.abc import Callable, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from domain.description import description
from domain.game import Decision, Game, Joined, Rules
from domain.ruleset import Illegal, Viewer
from domain.strict import only_once
from stammtisch.testing import doing, golden
from stammtisch.testing.broken import Broken, Fault
from stammtisch.testing.golden import Step
from stammtisch.testing.playing import first_difference, nth, tag


def files_of(rules: Rules, root: Path) -> list[Path]:
    """The golden files of these rules: the games, and the description."""
    return sorted(golden.folder(rules, root).glob("*.json*"))


def obey(rules: Rules, root: Path, file: Path) -> None:
    """Raises `Broken` if the game would look different today, or go differently."""
    try:
        if file.suffix == ".json":
            described(rules, file)
        else:
            steps = golden.steps_of(file)
            looks(rules, steps)
            goes(rules, steps)
    except Exception as error:
        again = f"stammtisch check {rules.name} --golden {shown(root)} --game {file.stem}"
        raise Broken("golden", rules, again, error) from error


def golden_of(rules: Rules, folder: str | Path) -> Callable[..., None]:
    """A test with a case for each golden game in the folder: `test_golden = golden_of(RULES, "tests/golden")`."""
    import pytest

    root = Path(folder)
    files = files_of(rules, root)
    assert files, f"{root} has no golden games of {rules.rules}: `stammtisch check {rules.name} --golden ... --write`"

    @pytest.mark.parametrize("file", files, ids=[file.stem for file in files])
    def test_golden(file: Path) -> None:
        __tracebackhide__ = True
        obey(rules, root, file)

    return test_golden


def shown(path: Path) -> str:
    """The path as it is typed in the working directory."""
    here = Path.cwd()
    return str(path.absolute().relative_to(here) if path.absolute().is_relative_to(here) else path)


def named(step: Step) -> str:
    return str(plain(step.event).get("type"))


def plain(raw: msgspec.Raw) -> Any:
    return msgspec.json.decode(raw)


def described(rules: Rules, file: Path) -> None:
    now, then = map(only_once, (description(rules), file.read_bytes()))
    if now != then:
        raise Fault(f"the description has {first_difference(now, then)}; its hash is in every game")


def looks(rules: Rules, steps: Sequence[Step]) -> None:
    """Every line is written today as it was."""
    game_id, log = str(steps[0].id), list[Any]()
    try:
        log.extend(golden.frozen(rules, steps))
    except msgspec.ValidationError as error:
        at = nth(len(log), named(steps[len(log)]))
        raise Fault(f"the event cannot be read any more: {error}", at) from None
    decisions, number = golden.decisions_of(rules, game_id, log), 0
    today = golden.lines_of(rules, game_id, golden.entries(rules, game_id, decisions, str(steps[0].at)))
    try:
        for now, then in zip(today, steps, strict=True):
            same(now, then, nth(number, named(then)))
            number += 1
    except Fault:
        raise
    except Exception as error:
        raise Fault(f"the rules raise {error!r}", nth(number, named(steps[number]))) from error


def same(now: Step, then: Step, at: str) -> None:
    if plain(now.event) != plain(then.event):
        raise Fault(f"the event has {first_difference(plain(now.event), plain(then.event))}", at)
    if now.acting != then.acting:
        raise Fault(f"{now.acting} are to act instead of {then.acting}", at)
    viewers: list[Viewer | str] = ["", None, *range(len(then.seen) - 2)]
    for viewer, ours, theirs in zip(viewers, now.seen, then.seen, strict=True):
        if ours != theirs:
            raise Fault("the table is another one" if viewer == "" else "this viewer sees another table", at, viewer)
    if msgspec.json.encode(now) != msgspec.json.encode(then):
        raise Fault("the entry has another hash: what a bystander sees of the event is different", at)


def goes(rules: Rules, steps: Sequence[Step]) -> None:
    """Every move and every deal has the same consequences."""
    game_id = str(steps[0].id)
    before, number = Game(game_id), 0
    for then in golden.decisions_of(rules, game_id, golden.frozen(rules, steps)):
        seat: Viewer | str = "" if then.by[0] is None else then.by[0]
        try:
            now = decided(rules, before, then)
        except Illegal:
            raise Fault(f"the move {then.moves[0]} is refused", nth(number, tag(then.events[0])), seat) from None
        except Exception as error:
            raise Fault(f"the rules raise {error!r}", nth(number, tag(then.events[0])), seat) from error
        for ours, theirs in zip_longest(now, then.events):
            if ours != theirs:
                why = f"{ours} follows instead" if type(ours) is not type(theirs) else first_difference(ours, theirs)
                raise Fault(f"played again: {why}", nth(number, tag(theirs)), seat)
            number += 1
        before = then.game


def decided(rules: Rules, before: Game, then: Decision) -> Sequence[Any]:
    """The events of the same command today; those of the decision where it is no move and nobody sits down."""
    first, seat = then.events[0], then.by[0]
    if then.moves[0] is not UNSET and seat is not None:
        return doing.move(rules, before, seat, then.moves[0]).events
    if isinstance(first, Joined):
        return doing.join(rules, before, first.player, first.seat, first.entropy).events
    return then.events
