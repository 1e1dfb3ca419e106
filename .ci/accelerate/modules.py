"""What `make accelerate` compiles: the rules, and the modules on the way of a move where that saves processor time."""

from pathlib import Path

PACKAGE = "domain"
"""All of its modules are compiled."""

OTHERS = (
    "projections.header",
    "projections.patches",
    "projections.views",
    "service.api.commands",
    "service.api.event_items",
    "service.api.game_resource",
    "service.api.input.access",
    "service.api.input.bodies",
    "service.games.cached_game",
    "service.games.games",
    "service.games.idempotency",
    "service.games.locks",
)


def compiled(root: Path) -> dict[str, Path]:
    """The modules below the folder that are compiled, by their names: the paths of their sources."""
    rules = (path.relative_to(root) for path in sorted((root / PACKAGE).rglob("*.py")))
    found = {".".join(path.with_suffix("").parts): path for path in rules if path.name != "__init__.py"}
    return found | {name: Path(*name.split(".")).with_suffix(".py") for name in OTHERS}
