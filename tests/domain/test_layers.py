"""The layers, read from the source: allowed imports, modules that can name a ruleset, no effects at import.

    openapi  ->  service  ->  projections  ->  domain  ->  standard library + msgspec
                 service.cli  ->  agents  ->  domain

Every check is a function from a module's name and source to its violations, and is tested with a bad module.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from domain.rulesets import RULESETS, VERSIONS

ROOT = Path(__file__).parents[2]
LAYERS = ("domain", "agents", "projections", "stammtisch", "service", "openapi")
"""Lowest first: a layer may import itself and what is below."""

PURE = {
    "abc", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib", "hmac", "itertools", "math",
    "operator", "re",
    "string", "struct", "types", "typing", "statistics",
}  # fmt: skip
"""What of the standard library cannot know the time, draw lots, read or write."""

PIECES = {
    "messages", "ruleset", "cards", "fairness.chance", "deck", "bots", "features", "imagining", "tricks", "zones",
    "rulesets.skyjo_grid",
}  # fmt: skip
"""What a ruleset is made of."""

CONSTRUCTORS = {
    # types, and what is said about them
    "TypeVar", "Meta", "field", "QueryParameter", "HeaderParameter", "PathParameter",
    # constants of the standard library's value types; a logger is found by its name, and writes nothing yet
    "tuple", "bytes", "microseconds", "frozenset", "dict", "range", "len", "sorted", "Struct", "compile", "getLogger",
    # the values of a Literal, and networks to compare addresses with
    "get_args", "IPv6Network",
    # where a file is: the name is computed, nothing is opened
    "Path", "with_name",
    # records of our own that another module declares, and tables of functions
    "Ruleset", "Yardstick", "Projection", "by_type", "Dispatch", "Redact", "RawResponse", "Roster", "Undrawn",
    "Drawing", "Contract", "str", "Budget",
    # the table of operations, and the types and descriptions that follow from its rows
    "Operation", "InChannel", "Answer", "problem", "common_problems", "_request", "_answer", "_game_at", "_download",
    "get", "reduce", "fromkeys", "values", "items",
    "MappingProxyType", "map",
    # the registry of rulesets: it checks their names
    "registered",
    # msgspec's encoders and decoders: compiled once, without effect
    "Encoder", "Decoder",
    # a variable of a context: empty until a task sets it
    "ContextVar",
    # the model of the ratings: numbers to compute with
    "BradleyTerryFull", "Fraction",
    # SQLAlchemy's descriptions of tables and statements: nothing is connected to, nothing is sent
    "MetaData", "Table", "Column", "Index", "PrimaryKeyConstraint", "String", "text", "BigInteger", "with_variant",
    "select", "insert", "update", "delete", "where", "bindparam", "tuple_", "desc", "max", "in_", "limit",
    "returning", "with_for_update", "order_by", "select_from", "join", "with_hint", "count", "is_not", "label",
    # a record of functions
    "SimpleNamespace",
    # parts of a module's own name
    "partition", "removesuffix",
}  # fmt: skip
"""What may be called while a module is imported: everything here constructs a constant and does nothing else."""


STATEMENTS = (ast.For, ast.While, ast.With, ast.Try, ast.Raise, ast.Assert, ast.Delete, ast.Await)
"""Calls that are not allowed outside of a function."""


@cache
def modules(*layers: str) -> list[tuple[str, str]]:
    """The dotted names and sources of the modules of the layers."""
    found = []
    for layer in layers:
        for path in sorted((ROOT / layer).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if parts[:2] == ("stammtisch", "template"):  # a package of its own
                continue
            found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path.read_text(encoding="utf-8")))
    return found


@cache
def parsed(source: str) -> ast.Module:
    return ast.parse(source)


def violations(check: Callable[[str, str], list[str]], *layers: str) -> dict[str, list[str]]:
    """By module what the check finds."""
    return {name: wrong for name, source in modules(*layers) if (wrong := check(name, source))}


@cache
def imports(source: str) -> list[str]:
    """Dotted names of the imported modules; `from a import b` may mean the module a.b, so it counts as both."""
    found = []
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return found


def top(module: str) -> str:
    return module.split(".")[0]


def upward(name: str, source: str) -> list[str]:
    """Imports of a higher layer, of the tests, or relative ones (which this could not judge)."""
    if name == "stammtisch.__main__":  # the command line under the name that is installed
        return []
    allowed = LAYERS[: LAYERS.index(top(name)) + 1]
    ours = {*LAYERS, "tests", ""}
    return [module for module in imports(source) if top(module) in ours and top(module) not in allowed]


def impure(name: str, source: str) -> list[str]:
    """Imports and calls in the domain that are a clock, randomness, input or output."""
    more = {"domain.bundled": {"importlib"}, "domain.searching": {"random"}}  # a seeded generator: the same numbers
    allowed = PURE | {"domain", "msgspec"} | more.get(name, set())
    calls = [node.func.id for node in ast.walk(parsed(source)) if is_call_of_name(node)]
    forbidden = {"open", "print", "input", "eval", "exec", "__import__", "breakpoint"}
    return [m for m in imports(source) if top(m) not in allowed] + [call for call in calls if call in forbidden]


def is_call_of_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def out_of_the_box(name: str, source: str) -> list[str]:
    """Imports of a ruleset other than the shared pieces and other rulesets. Their registry imports them."""
    if name == "domain.rulesets":
        return []
    pieces = {f"domain.{piece}" for piece in PIECES}
    rulesets = {f"domain.rulesets.{ruleset}" for ruleset in RULESETS}
    ours = [module for module in imports(source) if top(module) in {*LAYERS, "tests", ""}]
    return [m for m in ours if not any(m == known or m.startswith(known + ".") for known in pieces | rulesets)]


LONGEST = {ast.FunctionDef: 120, ast.AsyncFunctionDef: 120, ast.ClassDef: 400}
"""Lines."""


def long(_: str, source: str) -> list[str]:
    """Functions and classes of more lines than one reads at once."""
    return [
        each.name
        for each in ast.walk(parsed(source))
        if isinstance(each, tuple(LONGEST)) and (each.end_lineno or 0) - each.lineno >= LONGEST[type(each)]
    ]


def names_of_rulesets(name: str, source: str) -> list[str]:
    """Identifiers, imports and texts, docstrings included, in which a ruleset's name stands, outside of rulesets."""
    if name.startswith("domain.rulesets"):
        return []
    fields = ("id", "attr", "arg", "name", "module", "asname", "value")
    words = [getattr(node, field, None) for node in ast.walk(parsed(source)) for field in fields]
    texts = [name, *(word for word in words if isinstance(word, str))]
    return [text for text in texts if any(ruleset in text.lower() for ruleset in RULESETS)]


def deeds(name: str, source: str) -> list[str]:
    """Statements of a module that have effects when it is imported."""
    if name == "service.tables.migrations.env":  # Alembic runs this file
        return []
    tree = parsed(source)
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    return [ast.unparse(node) for node in executed(tree) if is_deed(node, own)]


def is_deed(node: ast.AST, own: set[str]) -> bool:
    match node:
        case ast.Call():
            return called(node) not in CONSTRUCTORS | own
        case ast.Expr(value=value):
            return not isinstance(value, ast.Constant)
    return isinstance(node, STATEMENTS)


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)


def executed(node: ast.AST) -> Iterator[ast.AST]:
    """The parts that run at import: not the bodies of functions, nor decorators, which are part of a definition."""
    if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
        return
    yield node
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            inner = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        case ast.Lambda():
            inner = []
        case ast.ClassDef():
            inner = [*node.bases, *node.keywords, *node.body]
        case _:
            inner = list(ast.iter_child_nodes(node))
    for child in inner:
        yield from executed(child)


# --- the packages of the service ----------------------------------------------------------------------------------

BELOW = {
    "clock": set(), "settings": set(), "process": set(), "cluster": set(),
    "log": {"process"},
    "tables": {"log"},
    "databases": {"log", "tables", "settings"},
    "live": {"log", "cluster", "clock"},
    "identity": {"log", "tables", "live", "cluster", "settings", "clock"},
    "webhooks": {"cluster", "live", "log", "tables", "settings", "clock", "process"},
    "games": {"log", "tables", "live", "cluster", "identity", "settings", "clock", "process"},
    "reviews": {"clock", "games", "log", "process"},
    "tracing": {"games", "server", "webhooks"},
    "server": {"log", "live", "cluster", "identity", "settings", "process"},
    "runtime": {
        "clock", "games", "log", "databases", "tables", "live", "cluster", "identity", "settings", "process",
        "webhooks", "tracing", "reviews",
    },
    "api": {
        "clock", "server", "games", "log", "tables", "live", "identity", "runtime", "process", "webhooks", "reviews",
    },
    "documents": {"api", "server", "process"},
    "rest": {
        "api", "documents", "server", "games", "log", "tables", "live", "cluster", "identity", "runtime", "process",
        "reviews",
    },
    "pages": {"rest", "server", "process"},
    "channel": {"api", "documents", "clock", "server", "games", "log", "live", "identity", "runtime"},
    "app": {
        "api", "documents", "rest", "pages", "channel", "server", "runtime", "games", "settings", "process",
    },
    "cli": {
        "api", "app", "documents", "clock", "server", "games", "log", "databases", "tables", "live", "identity",
        "reviews", "runtime", "settings", "process", "webhooks",
    },
    "__main__": {"cli", "settings", "process"},
}  # fmt: skip
"""What each package or module of the service may import, beside itself. A new arrow must be added here."""


def room(module: str) -> str:
    """The package or module of the service that a dotted name belongs to: `service.log.sqlite` is in `log`."""
    return (*module.split("."), "")[1]


def forbidden(name: str, source: str) -> list[str]:
    """Imports within the service that the table does not allow."""
    if name == "service":
        return []
    allowed = {room(name), *BELOW[room(name)]}
    ours = [module for module in imports(source) if module.startswith("service.")]
    return [module for module in ours if room(module) in BELOW and room(module) not in allowed]


def test_a_package_of_the_service_imports_only_packages_below():
    assert violations(forbidden, "service") == {}


def test_what_is_stored_knows_nothing_that_is_derived_from_it():
    for package in ("service/log", "service/tables"):
        assert modules(package)
        assert users_of("projections", modules(package)) == []


def test_the_arrows_between_packages_have_no_cycle():
    order: list[str] = []
    while rest := [each for each in BELOW if each not in order]:
        order += (ready := [each for each in rest if BELOW[each] <= {*order}])
        assert ready, f"a circle among {rest}"


def test_the_imports_between_modules_have_no_cycle():
    """Within packages, too, and under TYPE_CHECKING. `from package import module` means the module."""
    found = dict(modules(*LAYERS))
    below = {name: {each for each in imports(source) if each in found} - {name} for name, source in found.items()}
    for known in below.values():
        known -= {each for each in known if any(other.startswith(f"{each}.") for other in known)}
    assert (waiting := cycles(below)) == [], f"a circle among {waiting}"


def cycles(below: Mapping[str, set[str]]) -> list[str]:
    """What cannot be ordered so that each name comes after those below it."""
    waiting = dict(below)
    while ready := [name for name, known in waiting.items() if not known & waiting.keys()]:
        for name in ready:
            del waiting[name]
    return sorted(waiting)


def test_a_cycle_is_found():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]


def test_every_package_is_listed():
    found = {room(name) for name, _ in modules("service") if name != "service"}
    assert found == set(BELOW)


# --- all layers ---------------------------------------------------------------------------------------------------


def test_no_layer_imports_a_higher_one():
    assert violations(upward, *LAYERS) == {}


def test_the_domain_is_pure():
    """Of third-party packages it imports only msgspec."""
    assert violations(impure, "domain") == {}


def test_a_ruleset_is_made_of_the_pieces_only():
    """Never of the game, never of the registry."""
    assert violations(out_of_the_box, "domain/rulesets") == {}


def test_nothing_outside_names_a_ruleset():
    assert violations(names_of_rulesets, *LAYERS) == {}


OURS = (
    *LAYERS,
    ".ci",
    "clients/verifiers",
    "examples",
    "kubernetes",
    "web",
    "Makefile",
    "Dockerfile",
    "pyproject.toml",
)
"""What a new game must not have to change. Generated clients and documents follow from the rulesets."""
GAMES_OWN = ("domain/rulesets", "web/tables", "web/vendor", "openapi/openapi.json", "openapi/asyncapi.json",
             "openapi/examples", "clients/verifiers")  # fmt: skip


def test_no_file_outside_names_a_game_of_ours_and_no_verifier_another_one():
    """Comments, styles, scripts and settings, too. The verifiers have tables of our games, and of no other."""
    titles = {rules.labels["en"].title for rules in RULESETS.values() if "." not in rules.name}
    ours = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in {*RULESETS, *titles}))
    files = [ROOT / each for each in OURS if (ROOT / each).is_file()]
    files += [path for each in OURS for path in (ROOT / each).rglob("*") if path.is_file()]
    assert len(files) > 500
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        if (
            path.suffix in TEXTS
            and not path.is_symlink()
            and not name.startswith(GAMES_OWN)
            and "__pycache__" not in name
        ):
            assert ours.findall(path.read_text(encoding="utf-8")) == [], name
    for path in filter(Path.is_file, (ROOT / "clients/verifiers").iterdir()):
        named = set(re.findall(r'"([a-z_.]+/[1-9][0-9]*)": \{', path.read_text(encoding="utf-8")))
        assert named == {rules.rules for rules in RULESETS.values() if "." not in rules.name}, path


TEXTS = {
    ".md",
    ".txt",
    ".webmanifest",
    ".py",
    ".js",
    ".mjs",
    ".css",
    ".html",
    ".json",
    ".toml",
    ".yml",
    ".yaml",
    ".ini",
    ".mako",
    "",
    ".d.ts",
    ".svg",
}


def test_no_function_and_no_class_is_long():
    assert violations(long, *LAYERS) == {}


def test_no_module_does_anything_at_import_but_define():
    assert violations(deeds, *LAYERS) == {}


def users_of(library: str, found: list[tuple[str, str]]) -> list[str]:
    return [name for name, source in found if library in map(top, imports(source))]


def test_only_commands_import_agents():
    """Search, arena and training are tools beside the service, not parts of it."""
    users = users_of("agents", modules("domain", "projections", "service", "openapi"))
    assert all(name.startswith("service.cli.") for name in users)


def test_only_the_log_imports_the_library_of_the_event_store():
    users = users_of("eventsourcing", modules(*LAYERS))
    assert set(users) <= {f"service.log.{name}" for name in ("game_log", "mapper", "recorder", "sqlite", "postgres")}


def imported_at_once(source: str) -> list[str]:
    """What the module imports when it is imported itself."""
    found = [node for node in parsed(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return [each for node in found for each in imports(ast.unparse(node))]


@pytest.mark.parametrize(
    ("library", "modules_with_it"),
    [
        ("opentelemetry", {"service.tracing"}),
        ("psycopg", {"service.log.connection", "service.log.leadership", "service.log.postgres"}),
        ("redis", {"service.cluster.listener", "service.cluster.redis_client"}),
    ],
)
def test_libraries_that_need_a_setting_are_not_loaded_without_it(library: str, modules_with_it: set[str]):
    """Functions import the modules with them: without PostgreSQL, Redis and traces a service starts in half the
    time."""

    def within(name: str) -> bool:
        return any(f"{name}.".startswith(f"{each}.") for each in modules_with_it)

    found = modules(*LAYERS)
    assert users_of(library, found)
    assert [name for name in users_of(library, found) if not within(name)] == []
    for name, source in found:
        if not within(name):
            assert not [each for each in imported_at_once(source) if within(each)], name


def test_all_layers_are_there():
    """Otherwise the tests above would check nothing."""
    found = {top(name) for name, _ in modules(*LAYERS)}
    assert {"domain", "projections", "service"} <= found
    assert {rules.name for rules in VERSIONS.values()} == set(RULESETS)


# --- the checks bite ----------------------------------------------------------------------------------------------

ANY = next(iter(RULESETS))

BAD: dict[str, tuple[Callable[[str, str], list[str]], dict[str, list[str]]]] = {
    "an import of a higher layer": (upward, {
        "domain.bad": [
            "from service import app", "import projections.views", "def f():\n    from projections import views",
            "from stammtisch.testing.laws import Play", "from tests.kit.work import lines_run", "from . import game",
            "from ..service import app"],
        "agents.bad": ["import service", "from projections import views"],
        "projections.bad": ["import service"],
        "service.bad": ["import openapi.build"],
    }),
    "impurity": (impure, {"domain.bad": [
        "import time", "from datetime import datetime", "from uuid import uuid4", "import random", "import secrets",
        "import os", "import io", "from pathlib import Path", "import logging", "import asyncio", "import litestar",
        "import sqlalchemy", "from importlib.resources import files", "def f():\n    import time",
        "def f():\n    print(1)", "text = open('x').read()"]}),
    "a ruleset that reaches further": (out_of_the_box, {"domain.bad": [
        "from domain.game import Game", "from domain import game", "import domain.game",
        "from domain.rulesets import x", "from domain.rulesets import RULESETS", "import domain.rulesets",
        "from domain.fairness.chain import link", "from domain.codec import encode",
        "from domain.bundled import deck_text", "from . import other"]}),
    "a ruleset named outside": (names_of_rulesets, {"domain.bad": [
        f"from domain.rulesets.{ANY} import State", f"from domain.rulesets import {ANY}", f"import {ANY}",
        f"{ANY} = 1", f"RULES = '{ANY}/1'", f"x.{ANY}_rules", f"def play_{ANY}(): ...",
        f"class {ANY.title()}View: ...", f"def f({ANY}): ...", f"f({ANY}=1)", f'"""About {ANY.title()}."""',
        f"t = f'{ANY}-{{x}}'"]}),
    "a long function or class": (long, {"domain.bad": [
        "def f():\n" + "    f()\n" * 120, "class A:\n    async def f():\n" + "        f()\n" * 120,
        "class A:\n" + "    x = 1\n" * 400]}),
    "an effect at import": (deeds, {"domain.bad": [
        "print('hello')", "app = create_app()", "connection = sqlite3.connect('x')", "for x in y:\n    f(x)",
        "with open('x') as f:\n    text = f.read()", "text = open('x').read()", "NOW = datetime.now()", "x[0]()",
        "class A:\n    now = time()", "def f(now=time()): ...", "assert x",
        "try:\n    import a\nexcept E:\n    a = None", "x = [f(y) for y in z]", "if DEBUG:\n    start()",
        "registry.append", "class A(base()): ...", "del x"]}),
    "an arrow between packages that is not listed": (forbidden, {
        "service.log.bad": ["from service.games import errors"],
        "service.server.bad": ["from service.api.problems import Problem", "from service import api"],
        "service.games.bad": ["import service.server.server"],
        "service.rest.routes.bad": ["def f():\n    from service.cli import parser"],
    }),
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD)
def test_a_fault_is_noticed(fault: str):
    check, bad = BAD[fault]
    assert [source for name in bad for source in bad[name] if not check(name, source)] == []


def test_definitions_are_not_effects():
    source = '''
"""A module."""
import a
T = TypeVar("T")
Number = Annotated[int, Meta(ge=0)]
class Own: ...
OWN = tuple(Own() for _ in range(3))
@route("/x")
def f(x=1):
    print(x)
later = lambda: print(1)
if __name__ == "__main__":
    f()
'''
    assert deeds("domain.good", source) == []


def test_a_third_user_of_a_library_is_counted():
    found = [("service.a", "import store.x"), ("domain.b", "from store import y"), ("service.c", "import other")]
    assert users_of("store", found) == ["service.a", "domain.b"]
