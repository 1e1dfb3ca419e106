"""Rulesets of installed packages. Every process that knows rules loads them once, before it makes anything of them.

A package names its rulesets as entry points of the group `stammtisch.rulesets`: the name is the ruleset's, the object a
`Ruleset`, or a tuple of all its versions. STAMMTISCH_PACKAGES names the distributions that can be loaded.
"""

import os
import re
import sys
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from domain.description import description
from domain.game import Rules, taught
from domain.registry import InvalidRuleset, register
from domain.ruleset import Ruleset

GROUP = "stammtisch.rulesets"
SETTING = "STAMMTISCH_PACKAGES"
MAX_REASON = 300
"""Characters."""

_ASSETS = {"table.js": "tables/{}.js", "rules.json": "tables/rules/{}.json"}
"""The files of a ruleset's package that browsers load, and where they lie beside ours."""

_failed: dict[str, str] = {}
_served: dict[str, Rules] = {}

FAILED: Mapping[str, str] = MappingProxyType(_failed)
"""Why a ruleset is not served, by `DISTRIBUTION: RULESET`."""


def load(names: str | None = None) -> None:
    """Load what these distributions offer, `*` for all. None: what the setting names.

    A failure is reported and kept in `FAILED`; everything else is loaded. What was tried before is not tried again.
    """
    from domain import rulesets as ours  # noqa: F401  # adds those of this project

    allowed = {normal(each) for each in (os.environ.get(SETTING, "") if names is None else names).split(",")} - {""}
    if not allowed:
        return
    entries = [each for each in entry_points(group=GROUP) if not allowed.isdisjoint({"*", distribution(each)})]
    for entry in sorted(entries, key=lambda each: (distribution(each), each.name)):
        name = f"{distribution(entry)}: {entry.name}"
        if name not in _served and name not in _failed:
            take(name, entry)
    for missing in allowed - {"*", *map(distribution, entries)}:
        fail(missing, "it is not installed, or it has no rulesets")


def load_ruleset(name: str) -> None:
    """Load the installed ruleset with this name, or whose name ends so, whatever the setting names."""
    for entry in entry_points(group=GROUP):
        key = f"{distribution(entry)}: {entry.name}"
        if (entry.name == name or entry.name.endswith(f".{name}")) and key not in _served and key not in _failed:
            take(key, entry)


def take(name: str, entry: EntryPoint) -> None:
    try:
        versions = checked(entry, entry.load())
        register(*versions)
    except (Exception, SystemExit) as error:  # code of others may raise anything
        fail(name, f"{type(error).__name__}: {error}")
    else:
        _served[name] = versions[-1]


def fail(name: str, reason: str) -> None:
    if name not in _failed:
        _failed[name] = " ".join(reason.split())[:MAX_REASON]
        sys.stderr.write(f"{SETTING}: {name} is not served: {_failed[name]}\n")


def normal(distribution_name: str) -> str:
    """The name as package indices compare names."""
    return re.sub(r"[-_.]+", "-", distribution_name.strip()).lower()


def distribution(entry: EntryPoint) -> str:
    return normal(entry.dist.name) if entry.dist is not None else ""


def checked(entry: EntryPoint, value: Any) -> tuple[Rules, ...]:
    """The versions, the newest last. What is wrong with them without playing is found now, not in a request."""
    versions = value if isinstance(value, tuple) else (value,)
    for rules in versions:
        if not isinstance(rules, Ruleset):
            raise InvalidRuleset(f"{entry.value} is of the type {type(rules).__name__}, not a Ruleset")
        if rules.name != entry.name:
            raise InvalidRuleset(f"the entry point is called {entry.name!r}, the ruleset {rules.name!r}")
        if "." not in rules.name:
            raise InvalidRuleset(f"{rules.name!r} must begin with a domain of its author: `org.example.{rules.name}`")
        if not (rules.decks and rules.labels and description(rules)):
            raise InvalidRuleset("it has no deck, or no labels")
        if any("en" not in text for box in rules.boxes for text in (box.title, box.text)):
            raise InvalidRuleset("a text in its rules.json is not in English")
        if rules.lesson is not None:
            taught(rules, "", rules.lesson, "")
    return tuple(sorted(versions, key=lambda rules: rules.version))


def distribution_of(ruleset: str) -> str:
    """The distribution that the ruleset came with: our own if no other."""
    return next((name.partition(":")[0] for name, rules in _served.items() if rules.name == ruleset), "stammtisch")


def web_files() -> dict[str, bytes]:
    """The files of the packages for browsers, by their path below `web/`."""
    found = {}
    for rules in _served.values():
        for name, path in _ASSETS.items():
            if (file := files(rules.home).joinpath(name)).is_file():
                found[path.format(rules.name)] = file.read_bytes()
    return found
