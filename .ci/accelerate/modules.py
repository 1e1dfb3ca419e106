"""What `make accelerate` compiles: the rules, and the modules of the service that save processor time on every move.

Most modules of the service do not. Compiled code looks every attribute up in general, where Python 3.11 remembers at
each place where it found it last. docs/decisions.md (11) has the figures of those that were tried.
"""

from pathlib import Path

PACKAGE = "domain"
"""All of its modules are compiled."""

OTHERS = ("service.api.event_items", "service.games.games")
"""Other modules that are compiled. `service.api.resources` cannot be: the types of its fields contain f-strings, and
Cython keeps annotations as text."""


def compiled(root: Path) -> dict[str, Path]:
    """The modules below the folder that are compiled, by their names: the paths of their sources."""
    rules = (path.relative_to(root) for path in sorted((root / PACKAGE).rglob("*.py")))
    found = {".".join(path.with_suffix("").parts): path for path in rules if path.name != "__init__.py"}
    return found | {name: Path(*name.split(".")).with_suffix(".py") for name in OTHERS}
