"""Cases of the rules as data: the worked examples of `docs/rules` and the sentences of the rulebooks.

Both are written in the notation of a ruleset: `TITLE :: table`, and below it lines `moves => outcome`. In
`tests/domain/sentences` a title is a sentence with the rules that it states, several lines may follow it, each from the
table, and a line may add to the table: `more of the table :: moves => outcome`. `NAME = text` is put in for `{NAME}`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from domain.ruleset import Viewer
from stammtisch.testing.spec import Given, InOrder

CASES = Path(__file__).parents[1] / "domain"


class Vector(NamedTuple):
    title: str
    before: str
    moves: str
    after: str


def vectors(ruleset: str, title: str, moves: str = r"(.+) ") -> list[Vector]:
    """Parse examples of two lines: `TITLE :: given` and `when => then`.

    `title` and `moves` are regular expressions for the title and for the part before `=>`.
    """
    lines = CASES.joinpath("vectors", f"{ruleset}.txt").read_text(encoding="utf-8").splitlines()
    return [vector(title, moves, *lines[i : i + 2]) for i in range(0, len(lines), 2)]


def vector(titled: str, moved: str, first: str, second: str) -> Vector:
    title, before = re.fullmatch(rf"({titled}) :: (.+)", first).groups()
    made, after = re.fullmatch(rf"    {moved}=> (.+)", second).groups()
    return Vector(title, before, made, after)


def sentences(ruleset: str, between: str = " | ") -> list[Vector]:
    """The cases of `tests/domain/sentences`; `between` separates the parts of a table."""
    found, words = [], {}
    title = table = ""
    for line in CASES.joinpath("sentences", f"{ruleset}.txt").read_text(encoding="utf-8").splitlines():
        for name, text in words.items():
            line = line.replace(f"{{{name}}}", text)
        if defined := re.fullmatch(r"([A-Z_]+) = (.+)", line):
            words[defined[1]] = defined[2]
        elif line.startswith("    "):
            more, moves, after = re.fullmatch(r"    (?:(\S.*?) :: )?(?:(\S.*?) )?=> (.+)", line).groups()
            before = between.join(part for part in (table, more) if part)
            found.append(Vector(title, before, moves or "", after))
        elif line and not line.startswith("#"):
            title, _, table = line.removesuffix(" ::").partition(" :: ")
    return found


def each_sentence(ruleset: str, between: str = " | ") -> Any:
    cases = sentences(ruleset, between)
    return pytest.mark.parametrize("case", cases, ids=[case.title for case in cases])


class Notation(NamedTuple):
    """How the cases of a ruleset are read, and which words stand for its classes."""

    begin: Callable[[str], Given]
    play: Callable[[Given, str], Given]
    outcome: Callable[..., None]
    names: Mapping[str, Any]
    blind: Callable[[Any, Viewer], Any] = lambda state, _: state
    """What a viewer knows of a table who has just come."""
    between: str = " | "
    apart: str = "; "

    def check(self, case: Vector) -> None:
        """The clauses that every notation has are checked here, with events and values as Python writes them, the
        others by the notation: `then Drawn(0, 5)`, `ends Won((1,))`, `has PickSkipped(0)`, `kinds Swapped TurnBegan`,
        `shown None 0 2: Drawn(1, None)`, `state held=5, owed=None`, `result (20, 6), (1,)`, and of the view that
        follows from what was shown `view None 0 2: held is None`.
        """
        start = self.begin(case.before)
        game = self.play(start, case.moves) if case.moves else start
        rest = [part for part in case.after.split(self.between) if not self.common(start, case.moves, game, part)]
        if rest:
            self.outcome(game, self.between.join(rest))

    def common(self, start: Given, moves: str, game: Given, clause: str) -> bool:
        word, _, text = clause.partition(" ")
        events, names = list(game.events or ()), dict(self.names)
        match word:
            case "then":
                game.then(*valued(text, names))
            case "ends":
                expected = valued(text, names)
                assert events[-len(expected) :] == expected
            case "has" if "(" in text:
                assert set(map(repr, valued(text, names))) <= set(map(repr, events))
            case "kinds":
                assert [type(event).__name__ for event in events] == text.split()
            case "shown" | "view":
                viewers, _, expected = text.partition(": ")
                for viewer in valued(viewers.replace(" ", ", "), names):
                    if word == "view":
                        view = self.view(start, moves, viewer)
                        fields = {name: getattr(view, name) for name in view.__struct_fields__}
                        assert eval(expected, {**names, **fields}), f"{viewer}: {view}"
                    else:
                        shown = valued(expected, names)
                        assert game.shown(viewer)[: len(shown)] == shown, viewer
            case "state":
                expected = eval(f"dict({text})", names)
                assert {name: getattr(game.state, name) for name in expected} == expected
            case "result":
                result = game.rules.result(game.state)
                assert [result.scores, result.winners] == valued(text, names)
            case "dealt":
                assert list(game.dealt(InOrder()).events or ()) == valued(text, names)
            case _:
                return False
        return True

    def view(self, start: Given, moves: str, viewer: Viewer) -> Any:
        game, view = start, self.blind(start.state, viewer)
        for part in moves.split(self.apart):
            game = self.play(game, part)
            view = game.rules.fold(view, game.shown(viewer))
        return view


def valued(text: str, names: dict[str, Any]) -> list[Any]:
    return list(eval(f"({text},)", names)) if text else []


def titles(path: Path) -> Iterator[str]:
    """The titles of all cases of a file."""
    return (line for line in path.read_text(encoding="utf-8").splitlines() if line[:1].strip() and " = " not in line)
