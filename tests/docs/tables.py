"""The parts of the pages that follow from the code, as Markdown, and the picture of a move's way.

A part stands between `<!-- table: NAME -->` and `<!-- end -->`.
"""

import argparse
import ast
import asyncio
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from itertools import pairwise, starmap
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, get_args, get_origin

import msgspec
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from agents.arena.boards import Arena
from agents.arena.statistics import ahead_on, by_t, paired
from agents.league.figures import Claims, Results
from agents.league.figures import pairs as league_pairs
from agents.league.figures import rows as league_rows
from agents.league.folder import CLAIMS, RESULTS, decoded
from agents.review.weighing import thresholds
from domain.game import Rules
from domain.rulesets import RULESETS
from service import settings
from service.api.contract import PROBLEM
from service.api.operations import Operation
from service.api.operations import every_operation as every_row
from service.api.problems import Problem
from service.channel.asyncapi import requests
from service.cli.exit_status import MEANINGS
from service.cli.parser import parser
from service.databases import projections as open_engine
from service.documents.components import pascal
from service.extensions.webhooks.metrics import DelivererMetrics
from service.field_docs import field_docs
from service.limits import Limits
from service.settings import Settings
from stammtisch.testing.playing import at_random
from stammtisch.testing.undoing import undoing
from tests.docs.pages import DOCS
from tests.docs.way import STEPS, Lane
from tests.support.clients import in_process
from tests.support.every import every_problem
from tests.support.receivers import delivering
from tests.support.servers import redis
from tests.verifiers import samples
from tests.verifiers.standalone import python

PART = re.compile(r"(?s)(<!-- table: (\w+) -->\n).*?(<!-- end -->)")
ROOT = DOCS.parent
PICTURE = DOCS / "pictures" / "move.svg"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |\n" for line in lines)


def sentence(told: str) -> str:
    """A text as one line that begins with a capital letter and ends with a full stop."""
    words = " ".join(told.split())
    return words[:1].upper() + words[1:].removesuffix(".") + "." if words else ""


# --- the tables ---------------------------------------------------------------------------------------------------


def settings_table() -> str:
    meanings = settings.meanings()
    rows = (
        (f"`{settings.variable(each.name)}`", code(settings.default(each)), sentence(meanings[each.name]))
        for each in settings.fields()
    )
    return table(("Variable", "Default", "Meaning"), rows)


def limits_table() -> str:
    meanings = field_docs(Limits)
    rows = (
        (f"`{each.name}`", code(settings.default(each)), sentence(meanings[each.name]))
        for each in msgspec.structs.fields(Limits)
    )
    return table(("Limit", "Default", "Meaning"), rows)


def code(words: str) -> str:
    return f"`{words}`" if words else "none"


def problems_table() -> str:
    rows = sorted((status(each), kind(each), sentence(each.__doc__ or "")) for each in every_problem())
    return table(("Status", "`type`", "When"), ((str(number), f"`{name}`", when) for number, name, when in rows))


def games_table() -> str:
    """The operations on games."""
    rows = (
        (
            each.summary.replace(" of {title}", ""),
            code(f"{each.method} {path_of(each)}"),
            "optional" if each.public else "required",
            f"`{each.message}`" if each.message else "",
            problems_of(each),
        )
        for each in every_row()
    )
    return table(("Operation", "Request", "Token", "Message of the channel", "Problems of its own"), rows)


def path_of(operation: Operation) -> str:
    return f"...{operation.path}".replace(":str", "").replace("{game_id}", "{id}")


def problems_of(operation: Operation) -> str:
    common = {"malformed", "unauthenticated", "too-many-requests", "unavailable", "not-found", "too-large",
              "unsupported-media-type", "idempotency-key-reused"}  # fmt: skip
    found = (each.body for each in operation.contract(next(iter(RULESETS.values()))).answers if each.media == PROBLEM)
    return ", ".join(f"`{name}`" for name in map(kind, found) if name not in common)


def requests_table() -> str:
    """The requests of the play channel and their answers."""
    rows = (
        (fields(request), ", ".join(map(fields, answers)), sentence((request.__doc__ or "").partition("\n\n")[0]))
        for request, answers in requests().items()
    )
    return table(("Request", "Answer", "What it does"), rows)


def fields(message: type[Any]) -> str:
    """The message with its fields besides the id, with a question mark if they may be absent."""
    own = (each for each in msgspec.structs.fields(message) if each.name != "id")
    names = ", ".join(f"`{each.encode_name}{'' if each.required else '?'}`" for each in own)
    return f"`{kind(message)}` {names}".strip()


def status(problem: type[Problem]) -> int:
    (found,) = (field.default for field in msgspec.structs.fields(problem) if field.name == "status")
    return int(found)


def kind(struct: type[Any]) -> str:
    return str((get_origin(struct) or struct).__struct_config__.tag)


def commands_table() -> str:
    rows = ((f"`stammtisch {name}`", sentence(what), ", ".join(options)) for name, what, options in commands(parser()))
    return table(("Command", "What it does", "Options"), rows)


def commands(of: argparse.ArgumentParser, before: str = "") -> Iterator[tuple[str, str, list[str]]]:
    """Every command with its arguments, its help and its options."""
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            told = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, command in action.choices.items():
                below = [*commands(command, f"{before}{name} ")]
                yield from below or [(before + usage(name, command), told[name], options(command))]


def usage(name: str, command: argparse.ArgumentParser) -> str:
    positional = [action for action in command._actions if not action.option_strings]
    return " ".join([name, *(shown(action) for action in positional)])


def shown(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest.upper())
    return {"+": f"{name}...", "*": f"[{name}...]", "?": f"[{name}]"}.get(str(action.nargs), name)


def options(command: argparse.ArgumentParser) -> list[str]:
    return [f"`{each.option_strings[-1]}`" for each in command._actions if each.option_strings and each.dest != "help"]


def exit_table() -> str:
    return table(("Status", "Meaning"), ((str(int(each)), sentence(meaning)) for each, meaning in MEANINGS.items()))


def metrics_table() -> str:
    rows = ((code(name(each)), each.type, labels(each), each.documentation) for each in served_metrics())
    return table(("Metric", "Type", "Labels", "Meaning"), rows)


def deliverer_table() -> str:
    rows = ((code(name(each)), each.type, labels(each), each.documentation) for each in deliverer_metrics())
    return table(("Metric", "Type", "Labels", "Meaning"), rows)


@cache
def deliverer_metrics() -> list[Metric]:
    """What a process that delivers serves."""
    with TemporaryDirectory() as folder:
        given = settings.read({}, database=str(Path(folder) / "games.db"))
        return asyncio.run(_deliverer_metrics(given))


async def _deliverer_metrics(given: Settings) -> list[Metric]:
    async with in_process(given.database), delivering(given) as deliverer:
        found = [*DelivererMetrics(deliverer, open_engine(given)).collect()]
    return sorted(found, key=lambda each: each.name)


@cache
def served_metrics() -> list[Metric]:
    """What a service with Redis serves after a request."""
    with TemporaryDirectory() as folder, redis() as server:
        return asyncio.run(_metrics(Path(folder) / "games.db", server.url))


async def _metrics(database: Path, url: str) -> list[Metric]:
    async with in_process(database, redis=url) as service:
        await service.guest("Ann")
        exposed = (await service.stranger.get("/metrics")).text
    return sorted(text_string_to_metric_families(exposed), key=lambda each: each.name)


def name(metric: Metric) -> str:
    return metric.name + "_total" if metric.type == "counter" else metric.name


def labels(metric: Metric) -> str:
    found = {label for sample in metric.samples for label in sample.labels} - {"le"}
    return ", ".join(f"`{label}`" for label in sorted(found))


def hidden_table() -> str:
    """Of the stand-alone verifier, which is compared with the service over every kind of event."""
    verifier = python()
    every: dict[str, Any] = {"all": verifier.HIDDEN} | {
        rules: table["hidden"] for rules, table in verifier.TABLE.items()
    }
    rows = (
        (
            rules,
            code(event),
            ", ".join(f"`{name}`{f' (depth {depth})' if depth else ''}" for name, depth in fields.items()),
        )
        for rules, events in every.items()
        for event, fields in events.items()
    )
    return table(("Rules", "Event", "Fields"), rows)


def causes_table() -> str:
    """Of the stand-alone verifier, which is compared with the service in games of every ruleset."""
    rows = (
        (
            rules,
            code(move),
            ", ".join(code(name) for name in fields.split()),
            "; ".join(" ".join((code(event), *starmap(told, said.items()))) for event, said in causes.items()),
        )
        for rules, described in python().TABLE.items()
        for move, (fields, causes) in described["moves"].items()
    )
    return table(("Rules", "Move", "Fields", "First event"), rows)


def told(name: str, value: Any) -> str:
    return code(name if value == f"${name}" else f"{name} = {json.dumps(value)}")


def lifecycle_table() -> str:
    """Of the stand-alone verifier. What depends on a field is in the page."""
    module, rows = python(), []
    for event, line in module.LIFECYCLE.items():
        causes = {"gone": module.GONE, "aborted": module.ABORTED}.get(event, {})
        during = line.get("during") or dict.fromkeys(each for cause in causes.values() for each in cause["during"])
        by = {line["by"]} if "by" in line else {cause["by"] for cause in causes.values()} or {"its seat", "nobody"}
        begins = line.get("starts", event == "taken_back" or any("starts" in cause for cause in causes.values()))
        fields = [*line.get("fields", ()), *(f"{name}?" for name in line.get("may", ()))]
        rows.append(
            (
                code(event),
                ", ".join("first" if each == "new" else each for each in during),
                " or ".join(sorted(by)),
                ", ".join(map(code, fields)),
                "no" if not begins else "yes" if "starts" in line else "if not `agreed`" if not causes else "by cause",
            )
        )
    return table(("Event", "While", "Caused by", "Fields", "Begins"), rows)


def roles_table() -> str:
    rows = []
    for rules, described in python().TABLE.items():
        kinds = {
            role: ", ".join(code(event) for event, other in described["events"].items() if other == role)
            for role in ("deal", "own", "move", "then")
        }
        rows.append((rules, "{} to {}".format(*described["seats"]), *kinds.values()))
    return table(("Rules", "Seats", "Deals", "Choices", "Also choices", "Consequences"), rows)


def choices_table() -> str:
    who = {
        "all": "all seats",
        "seat": "its `seat`",
        "mover": "the seat that moved",
        "next": "the seat after its `seat`",
    }
    rows = (
        (rules, who[one], ", ".join(code(event) for event, other in described["acting"].items() if other == one))
        for rules, described in python().TABLE.items()
        for one in dict.fromkeys(described["acting"].values())
    )
    return table(("Rules", "`acting`", "Last event of the append"), rows)


def move_table() -> str:
    return table(("Function", "Module", "What it does"), ((code(s.name), code(s.module), s.does) for s in STEPS))


def views_table() -> str:
    """The fields of every view, and of what views contain, from the OpenAPI document."""
    schemas = json.loads((ROOT / "openapi" / "openapi.json").read_text())["components"]["schemas"]
    return "\n".join(view_section(name, rules.labels["en"].title, schemas) for name, rules in RULESETS.items())


def view_section(ruleset: str, title: str, schemas: Mapping[str, Any]) -> str:
    prefix = pascal(ruleset)
    view = f"{prefix}View"
    within = sorted(name for name in objects_in(schemas[view], schemas) if name.removeprefix(prefix) != "Options")
    lines = [f"## {title}\n\n{fields_table(schemas[view])}"]
    lines += [f"### {name}\n\n{prose(schemas[name])}\n\n{fields_table(schemas[name])}" for name in within]
    return "\n".join(lines)


def objects_in(node: Any, schemas: Mapping[str, Any]) -> set[str]:
    """The names of the objects that the schema refers to, also through others."""
    match node:
        case {"$ref": str(ref)}:
            name = ref.rpartition("/")[2]
            inner = objects_in(schemas[name], schemas)
            return {name} | inner if "properties" in schemas[name] else inner
        case dict():
            return set[str]().union(*(objects_in(each, schemas) for each in node.values()))
        case list():
            return set[str]().union(*(objects_in(each, schemas) for each in node))
    return set()


def fields_table(schema: Mapping[str, Any]) -> str:
    fields = schema["properties"].items()
    return table(
        ("Field", "Type", "Meaning"), ((code(name), type_words(field), prose(field)) for name, field in fields)
    )


def prose(schema: Mapping[str, Any]) -> str:
    """The description on one line; rules and lists become part of it."""
    text = re.sub(r" \([A-Z]{2}-[^)]*\)", "", schema["description"])
    return sentence(re.sub(r"\n- (`\w+`): ([^\n]*)", r" \1: \2;", text).removesuffix(";"))


def type_words(schema: Mapping[str, Any]) -> str:
    """The type in words: `list of card or null`."""
    match schema:
        case {"x-card": True}:
            return "card"
        case {"$ref": str(ref)}:
            return ref.rpartition("/")[2]
        case {"anyOf": several}:
            words = [type_words(each) for each in several]
            return (", or " if words[0].startswith("list") else " or ").join(words)
        case {"type": "array", "items": items}:
            return f"list of ({type_words(items)})" if "anyOf" in items else f"list of {type_words(items)}"
        case {"type": "array"}:
            return "list"
        case {"enum": _} | {"const": _}:
            return "word"
        case {"type": str(kind)}:
            return kind
    raise AssertionError(schema)


def undo_table() -> str:
    rows = [(rules.labels["en"].title, *map(words, freedom(rules))) for rules in RULESETS.values()]
    return table(("Game", "Always", "Sometimes", "Never"), rows)


def words(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def freedom(rules: Rules) -> tuple[list[str], list[str], list[str]]:
    """The types of the moves that can always, sometimes and never be taken back freely, in random games."""
    seen: dict[str, set[bool]] = {}
    kinds = {each.__struct_config__.tag for each in get_args(rules.move) or (rules.move,)}
    for seed in range(100):
        if seed > 3 and kinds == set(seen):
            break
        at = samples.table(rules, max(rules.seats[0], 3), seed)
        sitting, choose = undoing(rules, *[None] * at.seats, options=at.options), at_random(Random(seed))
        for _ in range(300):
            if (choice := choose(rules, sitting.game)) is None:
                break
            sitting.move(*choice)
            seen.setdefault(choice[1].__struct_config__.tag, set()).add(sitting.free(choice[0]) is not None)
    assert kinds == set(seen), f"random games of {rules.name} have no {kinds - set(seen)}"
    always, never = ([name for name in sorted(seen) if seen[name] == {free}] for free in (True, False))
    return always, [name for name in sorted(seen) if len(seen[name]) == 2], never


def arena_table() -> str:
    """From the committed reports of the arena: each bot and the next weaker one."""
    head = ("Game", "Seats", "Bots", "Boards", "Difference in points", "95 %", "First is ahead", "95 %")
    paths = [path for name in RULESETS for path in sorted(ROOT.glob(f"tests/arena/{name}-*.json"), reverse=True)]
    return table(head, [row for path in paths for row in arena_rows(path)])


def arena_rows(path: Path) -> Iterator[tuple[str, ...]]:
    found = msgspec.json.decode(path.read_bytes(), type=Arena)
    game, boards = found.terms.rules.split("/")[0], found.boards
    for bot, (one, other) in enumerate(pairwise(found.terms.bots)):
        points = by_t(paired(boards, bot, bot + 1))
        ahead = by_t([ahead_on(board, bot, bot + 1) for board in boards])
        yield (
            game, str(found.terms.seats), f"`{one}` and `{other}`", str(len(boards)), f"{points.mean:+.1f}",
            f"{points.low:+.1f} to {points.high:+.1f}", f"{ahead.mean:.0%}".replace("%", " %"),
            f"{ahead.low:.0%} to {min(ahead.high, 1):.0%}".replace("%", " %"),
        )  # fmt: skip


def league_table() -> str:
    """From the published league."""
    results = decoded(ROOT / "tests" / "league" / "scout" / RESULTS, Results)
    claims = decoded(ROOT / "tests" / "league" / "scout" / CLAIMS, Claims)
    rows = []
    for row in league_rows(results):
        entrant, own = results.terms.entrant[row.entrant], row.own
        assert own is not None
        pace = 1000 * claims.seconds[row.entrant] / claims.choices[row.entrant]
        rows.append((
            entrant.name, code(entrant.bot),
            f"{row.points.mean:+.1f}", f"{row.points.low:+.1f} to {row.points.high:+.1f}",
            f"{own.mean:+.1f}", f"{own.low:+.1f} to {own.high:+.1f}", f"{row.rating.mean:+.0f}",
            f"{row.replaced} of {claims.choices[row.entrant]}", str(row.forfeits), f"{pace:.1f} ms",
        ))  # fmt: skip
    head = ("Entrant", "Bot", "Points", "95 %", "Own play", "95 %", "Rating", "Made for it", "Forfeits", "A choice")
    return table(head, rows)


CORE = (
    "domain.ruleset", "domain.rulesets.skyjo.rules", "domain.messages", "domain.game.events", "domain.game.commands",
    "domain.game.state", "domain.game.evolution", "domain.game.decisions", "domain.game.consequences",
    "domain.game.log", "domain.fairness.chance", "domain.fairness.chain", "service.log.game_log",
    "service.log.group_commit", "service.games.cached_game", "service.games.games", "service.games.commands",
    "service.api.operations", "service.api.access", "service.api.game_resource", "service.rest.routes.games",
    "service.channel.channel", "projections.views", "projections.projection", "service.live.subscriptions",
    "service.core", "service.extension",
)  # fmt: skip
"""The spine of the core, in the order in which docs/core.md wants it read."""


def core_table() -> str:
    """The modules to read, and the first sentence of each."""
    paths = [ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in CORE]
    words = [" ".join((ast.get_docstring(ast.parse(path.read_text())) or "").split()) for path in paths]
    rows = [(code(str(path.relative_to(ROOT))), said.split(". ")[0]) for path, said in zip(paths, words, strict=True)]
    return table(("Module", "What it says of itself"), [(path, said.removesuffix(".") + ".") for path, said in rows])


def glyphs_list() -> str:
    """The names of the glyphs that pictures of games can name."""
    text = (ROOT / "web" / "faces" / "glyphs.js").read_text()
    names = re.findall(r"^  (\w+): \[", text[text.index("export const GLYPHS") :].split("\n};")[0], re.MULTILINE)
    return ", ".join(map(code, names)) + "."


def yardsticks_table() -> str:
    """From which loss on a choice has a word, at three seats, and the deviations that this follows from."""
    head = ("Game", "Inaccuracy", "Mistake", "Blunder", "Standard deviation, by number of seats")
    rows = []
    for name, rules in RULESETS.items():
        limits = [f"{limit / 2:.2f}" for limit in thresholds(rules, 3)]
        spread = [f"{seats}: {tenths / 10:.1f}" for seats, tenths in rules.yardstick.spread.items()]
        rows.append((name, *limits, ", ".join(spread)))
    return table(head, rows)


def savings_table() -> str:
    """From the published leagues: `careful` beside the others, by points and by own play in the unit of points."""
    head = ("Game", "Boards", "`careful` less", "Points", "Own play", "Saved")
    rows = []
    for folder in sorted((ROOT / "tests" / "league").glob("*/")):
        results = decoded(folder / RESULTS, Results)
        entrants = results.terms.entrant
        (careful,) = [number for number, each in enumerate(entrants) if each.bot == "careful/1" and not each.fills]
        for pair in league_pairs(results):
            other = pair.other if pair.one == careful else pair.one
            if careful in (pair.one, pair.other) and not entrants[other].fills and pair.own is not None:
                sign, unit = 1 if pair.one == careful else -1, len(entrants) / (len(entrants) - 1)
                rows.append((
                    code(results.terms.rules.name), str(len(results.counted)), entrants[other].name,
                    f"{sign * pair.points.mean:+.1f} ± {pair.points.half:.1f}",
                    f"{sign * unit * pair.own.mean:+.1f} ± {unit * pair.own.half:.1f}",
                    "-" if pair.saves is None else f"{pair.saves:.1f}",
                ))  # fmt: skip
    return table(head, rows)


TABLES: Mapping[str, Callable[[], str]] = {
    "arena": arena_table,
    "league": league_table,
    "savings": savings_table,
    "causes": causes_table,
    "choices": choices_table,
    "commands": commands_table,
    "core": core_table,
    "deliverer": deliverer_table,
    "exit": exit_table,
    "hidden": hidden_table,
    "lifecycle": lifecycle_table,
    "roles": roles_table,
    "metrics": metrics_table,
    "limits": limits_table,
    "move": move_table,
    "problems": problems_table,
    "games": games_table,
    "glyphs": glyphs_list,
    "requests": requests_table,
    "settings": settings_table,
    "undo": undo_table,
    "views": views_table,
    "yardsticks": yardsticks_table,
}


# --- the picture --------------------------------------------------------------------------------------------------

LANES: Mapping[Lane, tuple[int, str, str]] = {
    "service": (20, "#dbeafe", "service: event loop"),
    "domain": (320, "#dcfce7", "domain: pure functions"),
    "writer": (620, "#fef3c7", "writer: a thread"),
}
"""Where each lane begins, its colour and its title."""
WIDTH, HEIGHT, PITCH, TOP = 280, 34, 46, 50


def picture() -> str:
    """One box for each step, below each other, each in its lane."""
    bottom = TOP + PITCH * len(STEPS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 {bottom}" font-family="sans-serif" font-size="12">',
        f'<rect width="920" height="{bottom}" fill="white"/>',
    ]
    parts += [text(x + WIDTH // 2, 28, title, 'font-size="15" font-weight="bold"') for x, _, title in LANES.values()]
    before: tuple[int, int] | None = None
    for number, step in enumerate(STEPS):
        x, colour, _ = LANES[step.lane]
        y = TOP + PITCH * number
        centre = x + WIDTH // 2
        if before is not None:
            parts.append(arrow(*before, centre, y))
        parts += [
            f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{colour}" stroke="#64748b"/>',
            text(centre, y + 14, short(step.name), 'font-weight="bold"'),
            text(centre, y + 28, step.does, 'fill="#334155"'),
        ]
        before = centre, y + HEIGHT
    return "\n".join([*parts, "</svg>\n"])


def text(x: int, y: int, words: str, how: str) -> str:
    """Centred."""
    return f'<text x="{x}" y="{y}" text-anchor="middle" {how}>{escape(words)}</text>'


def short(function: str) -> str:
    """Without the function around it."""
    return function.rpartition("<locals>.")[2].removesuffix(".__call__")


def arrow(x: int, y: int, to_x: int, to_y: int) -> str:
    middle = (y + to_y) // 2
    head = f"M{to_x - 4} {to_y - 6}L{to_x} {to_y}L{to_x + 4} {to_y - 6}"
    return f'<path d="M{x} {y}V{middle}H{to_x}V{to_y}{head}" fill="none" stroke="#64748b"/>'


# --- in the pages -------------------------------------------------------------------------------------------------


def current(page: Path) -> str:
    """The page's text with all its tables as they follow from the code."""
    return PART.sub(lambda part: f"{part[1]}{TABLES[part[2]]()}{part[3]}", page.read_text())


def parts(page: Path) -> list[str]:
    """The names of the tables of a page."""
    return [found[1] for found in PART.findall(page.read_text())]
