"""Which check of which verifier finds a forgery: every field of every event type changed in turn, and the corpus.

The results are the tables of `docs/verification-limits.md`; `python -m tests.verifiers.limits` regenerates them.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from domain.codec import encode
from domain.fairness import record
from domain.fairness.record import Unreadable
from domain.fairness.verification import verify
from domain.game import LIFECYCLE, Rules
from domain.rulesets import VERSIONS
from tests.verifiers import deeds, forging, samples
from tests.verifiers.corpus import CORPUS, Forgery, seal
from tests.verifiers.forging import Path as Place
from tests.verifiers.samples import Json, plain, rehashed
from tests.verifiers.standalone import javascript, python

FILE = Path(__file__).parents[2] / "docs" / "verification-limits.md"
OF_THE_GAME = {kind.__struct_config__.tag: kind for kind in LIFECYCLE}
ORDER = (
    "opened", "joined", "left", "declined", "readied", "begun", "gone", "rejoined", "granted", "resumed", "voted",
    "taken_back", "hinted", "aborted", "ended", "revealed",
)  # fmt: skip

COLUMNS = (
    "played", "left", "cancelled", "longest", "hotseat", "gone", "kept", "undo", "agreed", "clock", "branch", "sealed",
    "not ready", "hinted",
)  # fmt: skip
"""The games whose fields are changed."""
NOTHING = "nothing"
"""What finds a forgery that nobody finds."""


class Change(NamedTuple):
    """One field of one event has another value."""

    rules: str
    base: str
    kind: str
    field: str
    forged: Json


class Found(NamedTuple):
    """The first check that fails, of `verify` and of the stand-alone verifiers."""

    verify: str | None
    alone: str | None


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
                value = forging.at(entries[number], path)
                others = (
                    [forging.at(entries[n], path) for n in found if has(entries[n], path)] if kind != "joined" else []
                )
                new = next((each for each in others if each != value), None) if name != "at" else None
                forged = plain(whole)
                forging.at(forged["events"][number], path[:-1])[path[-1]] = other(value) if new is None else new
                if path == ("event", "secret") and kind == "opened":
                    forged["events"][-1]["event"]["secret"] = other(value)
                made = rehashed(forged, committed=name != "commitment", like=whole)
                assert not forging.same(made, whole), (kind, name)
                yield Change(rules.rules, base, kind, name, made)


def has(entry: Json, path: Place) -> bool:
    try:
        forging.at(entry, path)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def found_by(forged: list[Json]) -> list[Found]:
    """Who finds each forgery. The two stand-alone verifiers must agree on the check."""
    answers = []
    for one, theirs in zip(forged, javascript(forged), strict=True):
        alone = first_failure(python().Record(one).checks())
        assert alone == first_failure(theirs)
        answers.append(Found(ours(one), alone))
    return answers


def ours(forged: Json) -> str | None:
    """The first check of `verify` that fails; `format` if the record is unreadable."""
    try:
        found = record.decode(encode(forged))
    except Unreadable as error:
        assert str(error)
        return "format"
    return next((check.name for check in verify(found) if check.ok is False), None)


def first_failure(checks: Iterable[Json]) -> str | None:
    return next((check["name"] for check in checks if check["ok"] is False), None)


# --- the tables ---------------------------------------------------------------------------------------------------


def cells(rulesets: Iterable[Rules]) -> dict[tuple[str, str], dict[str, str]]:
    """By lifecycle event and field: which checks find a change, by the kind of game."""
    made = [
        change
        for rules in rulesets
        for base in COLUMNS
        for change in changes(rules, base, deeds.whole(rules, base), OF_THE_GAME, 2)
    ]
    answers: dict[tuple[str, str], dict[str, list[Found]]] = {}
    for change, found in zip(made, found_by([change.forged for change in made]), strict=True):
        field = answers.setdefault((change.kind, change.field), {})
        field.setdefault(change.base, []).append(found)
    rows = sorted(answers, key=lambda key: ORDER.index(key[0]))
    return {row: {base: verdict(answers[row].get(base, [])) for base in COLUMNS} for row in rows}


def of_the_game() -> str:
    """The table of the fields of lifecycle events."""
    lines = [f"| Field | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    lines += [f"| `{kind}`: `{field}` | {' | '.join(found.values())} |"
              for (kind, field), found in cells(VERSIONS.values()).items()]  # fmt: skip
    return "\n".join(lines)


def named(checks: Iterable[str | None]) -> str:
    """The names of checks in a cell."""
    found = set(checks)
    names = ", ".join(f"`{name}`" for name in sorted(filter(None, found)))
    return names if None not in found else f"{names} or {NOTHING}" if names else NOTHING


def verdict(answers: list[Found]) -> str:
    """Which checks find a change. In italics: those of `verify` alone."""
    if not answers:
        return ""
    ours, alone = {found.verify for found in answers}, {found.alone for found in answers}
    if None not in ours | alone:
        return named(ours | alone)
    if ours | alone == {None}:
        return NOTHING
    if None in ours:
        return f"{named(ours | alone)}"
    return f"*{named(ours)}*" if alone == {None} else f"*{named(ours)}*, others sometimes"


def of_the_ruleset(rules: Rules) -> str:
    """The table of the fields of a ruleset's events, by the checks that find a change."""
    whole = plain(samples.eventful(rules))
    kinds = {entry["event"]["type"] for entry in whole["events"]} - set(OF_THE_GAME)
    made = list(changes(rules, "played", whole, kinds, 2))
    found = found_by([change.forged for change in made])
    fields: dict[tuple[str, str], list[Found]] = {}
    for change, answer in zip(made, found, strict=True):
        fields.setdefault((change.kind, change.field), []).append(answer)
    lines = ["| Event | Fields, and what finds a change |", "|---|---|"]
    for kind, names in groupby(sorted(fields), key=lambda key: key[0]):
        told: dict[str, list[str]] = {}
        for _, name in names:
            told.setdefault(verdict(fields[kind, name]), []).append(f"`{name}`")
        cell = "; ".join(f"{', '.join(told[found])}: {found}" for found in sorted(told))
        lines.append(f"| `{kind}` | {cell} |")
    return "\n".join(lines)


def tried(forgeries: Sequence[Forgery], rulesets: Callable[[Forgery], Iterable[Rules]]) -> list[tuple[Forgery, Found]]:
    """What finds each forgery, in the games of these rulesets that it changes."""
    made = [
        (each, forged)
        for each in forgeries
        for rules in rulesets(each)
        if each.only in ("", rules.rules) and (forged := seal(each, rules)) is not None
    ]
    found = found_by([forged for _, forged in made])
    return [(each, found) for (each, _), found in zip(made, found, strict=True)]


def of_the_corpus(base: str) -> str:
    """The table of the forgeries of one kind of game, by the checks that find them."""
    answers: dict[str, list[Found]] = {}
    forgeries = [each for each in CORPUS if each.base == base]
    for forgery, found in tried(forgeries, lambda _: VERSIONS.values()):
        answers.setdefault(forgery.name, []).append(found)
    rows: dict[tuple[str, str], list[str]] = {}
    for name, every in answers.items():
        row = named(each.verify for each in every), named(each.alone for each in every)
        rows.setdefault(row, []).append(name)
    lines = ["| `verify` | Stand-alone | Forgeries |", "|---|---|---|"]
    lines += [f"| {ours} | {alone} | {'; '.join(names)} |" for (ours, alone), names in sorted(rows.items())]
    return "\n".join(lines)


def told(base: str) -> dict[str, Found]:
    """What the page says about each forgery of this kind of game."""
    _, _, *lines = between(FILE.read_text(), f"corpus: {base}").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return {name: Found(ours, alone) for ours, alone, names in cells for name in names.split("; ")}


def between(text: str, name: str) -> str:
    """The part of the page between the marks of that name."""
    return text.split(f"<!-- {name} -->\n")[1].split(f"\n<!-- /{name} -->")[0]


def write(names: Sequence[str]) -> None:
    """Write the tables whose names begin with one of these; without any, all."""
    tables: dict[str, Callable[[], str]] = {
        **{f"corpus: {base}": partial(of_the_corpus, base) for base in dict.fromkeys(each.base for each in CORPUS)},
        **{name: partial(of_the_ruleset, rules) for name, rules in VERSIONS.items()},
        "game": of_the_game,
    }
    for name, table in tables.items():
        if not names or name.startswith(tuple(names)):
            made, text = table(), FILE.read_text()
            old = between(text, name)
            FILE.write_text(text.replace(f"<!-- {name} -->\n{old}\n", f"<!-- {name} -->\n{made}\n"))


if __name__ == "__main__":
    write(sys.argv[1:])
    sys.stdout.write(f"{FILE}\n")
