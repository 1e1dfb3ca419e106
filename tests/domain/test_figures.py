"""The core is small, and extensions see little of it: what is counted. `make check` and `make test` run it."""

from collections.abc import Iterator, Mapping
from dataclasses import fields

import pytest
from msgspec import structs

from service.core import Core
from service.extension import Extension
from service.settings import Settings
from tests.domain.test_layers import LAYERS, ROOT, forget, imported_at_once, imports, modules


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    yield
    forget()


def extensions() -> list[str]:
    return sorted(path.name for path in (ROOT / "service/extensions").iterdir() if (path / "__init__.py").exists())


def loaded(module: str, found: Mapping[str, str]) -> set[str]:
    """The modules that are loaded with this one: what it and they import at once."""
    seen, todo = set[str](), [module]
    while todo:
        if (name := todo.pop()) not in seen and name in found:
            seen.add(name)
            todo += imported_at_once(found[name])
    return seen


MOST = {
    "service.log.game_log": 2_750,
    "service.games.commands": 9_450,
    "service.rest.routes.games": 16_000,
    "service.channel.channel": 18_000,
}
"""Lines that somebody has to know who changes this module: those of everything that it loads."""


@pytest.mark.parametrize(("module", "most"), MOST.items())
def test_the_core_stays_small(module: str, most: int):
    found = dict(modules(*LAYERS))
    names = loaded(module, found)
    assert sum(len(found[name].splitlines()) for name in names) <= most
    assert not [each for each in names if each.startswith(("domain.rulesets", "service.extensions"))]


def test_extensions_see_little_and_have_few_hooks():
    """A feature that needs another hook is core."""
    members = [name for name in vars(Core) if not name.startswith("_")]
    hooks = [each.name for each in fields(Extension) if "Callable" in str(each.type)]
    assert {"games", "ask"} <= {*members} and {"serve", "forget"} <= {*hooks}
    assert (len(members) <= 15, len(hooks) <= 10) == (True, True), (members, hooks)


def test_the_core_has_few_settings():
    """What few installations change is a limit."""
    names = [each.name for each in structs.fields(Settings) if each.name != "extended"]
    assert "limits" in names and len(names) <= 20, names


MOST_OF_TESTS = 12_500
"""Lines of `tests/service`. Those of an extension are in its own folder."""


def test_the_tests_of_the_core_are_few_and_know_no_extension():
    files = [*(ROOT / "tests/service").rglob("*.py")]
    assert sum(len(path.read_bytes().splitlines()) for path in files) <= MOST_OF_TESTS
    for path in files:
        if path.name != "conftest.py":  # settles the Redis of tests at once
            assert not [each for each in imports(path.read_text()) if "extensions" in each.split(".")], path


@pytest.mark.parametrize("extension", extensions())
def test_the_value_of_an_extension_is_light(extension: str):
    """Every command reads all of them."""
    assert len(loaded(f"service.extensions.{extension}", dict(modules(*LAYERS)))) <= 10
