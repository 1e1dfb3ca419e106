"""Which verifier finds a changed field: every field of every event type is changed in turn, and all hashes recomputed.

The results are the tables of `docs/verification-limits.md`; `python -m tests.verifiers.limits` regenerates them.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from domain.fairness import record
from domain.fairness.record import Unreadable
from domain.fairness.verification import flawless, verify
from domain.game import LIFECYCLE, Rules
from domain.rulesets import VERSIONS
from tests.verifiers import samples
from tests.verifiers.samples import Json, plain, rehashed
from tests.verifiers.samples import Path as Place
from tests.verifiers.standalone import javascript, python, wrong

FILE = Path(__file__).parents[2] / "docs" / "verification-limits.md"
OF_THE_GAME = {kind.__struct_config__.tag: kind for kind in LIFECYCLE}
ORDER = (
    "opened", "joined", "left", "declined", "begun", "gone", "rejoined", "granted", "voted", "taken_back",
    "aborted", "ended", "revealed",
)  # fmt: skip

BASES: dict[str, Callable[[Rules], record.Record[Any, Any, Any, Any]]] = {
    "played": lambda rules: samples.shortest(rules, 3),
    "left": samples.given_up,
    "cancelled": lambda rules: samples.aborted(rules)["cancelled"],
    "longest": lambda rules: samples.aborted(rules)["longest"],
    "hotseat": samples.hotseat,
    "gone": lambda rules: samples.with_bots(rules)["gone and back"],
    "kept": lambda rules: samples.with_bots(rules)["kept"],
    "undo": lambda rules: samples.with_undo(rules)["agreed"],
    "agreed": lambda rules: samples.with_undo(rules)["aborted"],
    "clock": lambda rules: samples.with_clock(rules)["timed, aborted"],
    "branch": lambda rules: samples.branched(rules, 0),
}


class Change(NamedTuple):
    """One field of one event has another value."""

    rules: str
    base: str
    kind: str
    field: str
    forged: Json


class Found(NamedTuple):
    """Which verifiers report a failure."""

    verify: bool
    alone: bool


# --- the changes --------------------------------------------------------------------------------------------------


def other(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case None:
            return 0
        case "cancelled":
            return "expired"
        case "longest":
            return "cancelled"
        case str() if len(value) == 64:
            return value[::-1]
        case str() if value.endswith(".000000Z"):
            return value.replace(".000000Z", ".000001Z")
        case str() if len(value) == 36:
            return value[::-1] if value.count("-") < 4 else value[:-1] + ("0" if value[-1] != "0" else "1")
        case str():
            return value + "x"
        case list() if value:
            return [other(value[0]), *value[1:]]
        case list():
            return [0]
        case dict() if value:
            first = next(iter(value))
            return value | {first: other(value[first])}
    return {"x": 0}


def places(entry: Json) -> Iterator[tuple[Place, str]]:
    """The fields of an entry and their names. All options have one name, and so do all cards of a deck."""
    for field in ("at", "by", "more", "acting", "move"):
        if field in entry:
            yield (field,), field
    for name, value in entry["event"].items():
        if name == "type":
            continue
        path = ("event", name)
        opened = entry["event"]["type"] == "opened"
        if opened and name == "options":
            yield from (((*path, option), "options") for option in value)
        elif opened and name == "deck":
            named = ("name", "provenance")
            yield from (((*path, part), f"deck.{part}" if part in named else "deck") for part in value)
        elif isinstance(value, dict) and entry["event"]["type"] in OF_THE_GAME:
            yield from (((*path, part), f"{name}.{part}") for part in value)
        else:
            yield path, name


def changes(rules: Rules, base: str, whole: Json, kinds: Iterable[str], most: int) -> Iterator[Change]:
    """Changes of each field in up to `most` events of each type: to the value of another such event, or to `other`."""
    wanted, entries = set(kinds), whole["events"]
    by_kind: dict[str, list[int]] = {}
    for number, entry in enumerate(entries):
        by_kind.setdefault(entry["event"]["type"], []).append(number)
    for kind, found in by_kind.items():
        if kind not in wanted:
            continue
        for number in [found[0], found[len(found) // 2]][: most if len(found) > 1 else 1]:
            for path, name in places(entries[number]):
                value = samples.at(entries[number], path)
                others = (
                    [samples.at(entries[n], path) for n in found if has(entries[n], path)] if kind != "joined" else []
                )
                new = next((each for each in others if each != value), None) if name != "at" else None
                forged = plain(whole)
                samples.at(forged["events"][number], path[:-1])[path[-1]] = other(value) if new is None else new
                if path == ("event", "secret") and kind == "opened":
                    forged["events"][-1]["event"]["secret"] = other(value)
                made = rehashed(forged, committed=name != "commitment")
                assert not samples.same(made, whole), (kind, name)
                yield Change(rules.rules, base, kind, name, made)


def has(entry: Json, path: Place) -> bool:
    try:
        samples.at(entry, path)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def found_by(forged: list[Json]) -> list[Found]:
    """Who finds each forgery. The two stand-alone verifiers must agree."""
    answers = []
    for one, theirs in zip(forged, javascript(forged), strict=True):
        try:
            ours = not flawless(verify(record.decode(json.dumps(one).encode())))
        except Unreadable:
            ours = True
        alone = wrong(python().verify(one))
        assert alone == wrong(theirs)
        answers.append(Found(ours, alone))
    return answers


# --- the tables ---------------------------------------------------------------------------------------------------


def cells(rulesets: Iterable[Rules]) -> dict[tuple[str, str], dict[str, str]]:
    """By lifecycle event and field: who finds a change, by the kind of game."""
    made = [
        change
        for rules in rulesets
        for base, sample in BASES.items()
        for change in changes(rules, base, plain(sample(rules)), OF_THE_GAME, 2)
    ]
    answers: dict[tuple[str, str], dict[str, list[Found]]] = {}
    for change, found in zip(made, found_by([change.forged for change in made]), strict=True):
        field = answers.setdefault((change.kind, change.field), {})
        field.setdefault(change.base, []).append(found)
    rows = sorted(answers, key=lambda key: ORDER.index(key[0]))
    return {row: {base: verdict(answers[row].get(base, [])) for base in BASES} for row in rows}


def of_the_game() -> str:
    """The table of the fields of lifecycle events."""
    lines = [f"| Field | {' | '.join(BASES)} |", "|---" * (len(BASES) + 1) + "|"]
    lines += [f"| `{kind}`: `{field}` | {' | '.join(found.values())} |"
              for (kind, field), found in cells(VERSIONS.values()).items()]  # fmt: skip
    return "\n".join(lines)


def verdict(answers: list[Found]) -> str:
    if not answers:
        return ""
    ours, alone = {found.verify for found in answers}, {found.alone for found in answers}
    if ours == alone and len(ours) == 1:
        return "all" if ours == {True} else "nobody"
    if ours == {True}:
        return "`verify`" if alone == {False} else "`verify`, others sometimes"
    return "sometimes"


def of_the_ruleset(rules: Rules) -> str:
    """The table of the fields of a ruleset's events, by who finds a change."""
    whole = plain(samples.eventful(rules))
    kinds = {entry["event"]["type"] for entry in whole["events"]} - set(OF_THE_GAME)
    made = list(changes(rules, "played", whole, kinds, 2))
    found = found_by([change.forged for change in made])
    fields: dict[tuple[str, str], list[Found]] = {}
    for change, answer in zip(made, found, strict=True):
        fields.setdefault((change.kind, change.field), []).append(answer)
    lines = [
        "| Event | all | `verify` | `verify`, others sometimes | sometimes | nobody |",
        "|---|---|---|---|---|---|",
    ]
    for kind, names in groupby(sorted(fields), key=lambda key: key[0]):
        cells: dict[str, list[str]] = {}
        for _, name in names:
            cells.setdefault(verdict(fields[kind, name]), []).append(f"`{name}`")
        columns = ("all", "`verify`", "`verify`, others sometimes", "sometimes", "nobody")
        lines.append(f"| `{kind}` | {' | '.join(', '.join(cells.get(column, [])) for column in columns)} |")
    return "\n".join(lines)


def between(text: str, name: str) -> str:
    """The part of the page between the marks of that name."""
    return text.split(f"<!-- {name} -->\n")[1].split(f"\n<!-- /{name} -->")[0]


def write() -> None:
    text = FILE.read_text()
    for name, table in [("game", of_the_game()), *((r.rules, of_the_ruleset(r)) for r in VERSIONS.values())]:
        text = text.replace(f"<!-- {name} -->\n{between(text, name)}", f"<!-- {name} -->\n{table}")
    FILE.write_text(text)


if __name__ == "__main__":
    write()
    sys.stdout.write(f"{FILE}\n")
