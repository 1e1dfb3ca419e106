"""The command `new`: writes a package with a game that runs, from the template in `stammtisch/template`."""

import keyword
import re
import sys
from argparse import Namespace
from importlib.resources import files
from pathlib import Path

from domain.messages import pascal
from domain.registry import NAME, RULESETS
from service.cli.exit_status import ExitStatus
from service.settings import InvalidSettings

TEMPLATE = "org.example.hearts"
"""The ruleset of the template, in its files as module, class and title, too."""
PLACES = {
    "README.md": "README.md",
    "pyproject.toml": "pyproject.toml",
    "test_rules.py": "tests/test_{module}.py",
    "rules.py": "src/{module}/__init__.py",
    "deck.json": "src/{module}/deck.json",
    "labels.json": "src/{module}/labels.json",
    "table.js": "src/{module}/table.js",
}
"""By file of the template, where it goes."""


def run(arguments: Namespace) -> ExitStatus:
    """Write the package into a new folder. Raises `InvalidSettings`."""
    ruleset = named(arguments.name)
    module = ruleset.rpartition(".")[2]
    folder = Path(arguments.folder or module)
    if folder.exists():
        raise InvalidSettings(f"{folder} exists already; nothing is written")
    for name, place in PLACES.items():
        target = folder / place.format(module=module)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = files("stammtisch").joinpath("template", name).read_text(encoding="utf-8")
        target.write_text(renamed(text, ruleset), encoding="utf-8")
    sys.stdout.write(f"{folder}: the game {ruleset}. Its README.md says how it is tested and served.\n")
    return ExitStatus.OK


def named(name: str) -> str:
    """The name of the ruleset. Raises `InvalidSettings`."""
    ruleset = name if "." in name else f"org.example.{name}"
    module = ruleset.rpartition(".")[2]
    if len(ruleset) > 64 or not NAME.fullmatch(ruleset):
        raise InvalidSettings(f"{name!r} is not the name of a game: `whist`, or `org.example.whist`")
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or module in ("stammtisch", "tests", *RULESETS):
        raise InvalidSettings(f"{module!r} cannot be the name of a module of a game: it is taken")
    return ruleset


def renamed(text: str, ruleset: str) -> str:
    """The text of the template for this ruleset."""
    old, new = TEMPLATE.rpartition(".")[2], ruleset.rpartition(".")[2]
    pairs = {
        f"stammtisch-{old}": f"stammtisch-{new.replace('_', '-')}",
        TEMPLATE: ruleset,
        old.upper(): new.upper(),
        pascal(old): pascal(new),
        old: new,
    }
    # Not the cards of the suit, nor sentences about them.
    pattern = "|".join([*map(re.escape, list(pairs)[:2]), *(rf"\b{each}(?=\b|Move|Event)" for each in list(pairs)[2:])])
    return re.sub(pattern, lambda found: pairs[found[0]], text)
