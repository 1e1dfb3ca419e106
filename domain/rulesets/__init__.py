"""The registry of rulesets: those of this project, and those of installed packages that a process adds at its start."""

import re
from typing import Any, get_args

from domain.game.events import RESERVED_EVENTS
from domain.ruleset import Ruleset
from domain.rulesets.scandaroon import SCANDAROON
from domain.rulesets.scopinion import SCOPINION
from domain.rulesets.scout import SCOUT
from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo_action import SKYJO_ACTION

NAME = re.compile(r"([a-z][a-z0-9-]*\.)*[a-z][a-z0-9_]*")
"""The name of a ruleset. Without a dot it is one of this project. All others begin with a domain of their author,
reversed: `org.example.whist`."""


class InvalidRuleset(ValueError):
    """The ruleset cannot be registered. The message says why."""


def registered(*versions: Ruleset[Any, Any, Any]) -> dict[str, Ruleset[Any, Any, Any]]:
    """These versions of rulesets by their `rules`. Raises `InvalidRuleset`."""
    for rules in versions:
        events = {str(kind.__struct_config__.tag) for kind in get_args(rules.event) or (rules.event,)}
        if not NAME.fullmatch(rules.name):
            raise InvalidRuleset(f"{rules.name!r} is not the name of a ruleset: `whist`, or `org.example.whist`.")
        if taken := events & RESERVED_EVENTS:
            raise InvalidRuleset(f"{rules.rules} cannot have the event `{min(taken)}`: the name belongs to all games.")
    return {rules.rules: rules for rules in versions}


VERSIONS: dict[str, Ruleset[Any, Any, Any]] = registered(SKYJO, SKYJO_ACTION, SCOUT, SCOPINION, SCANDAROON)
"""Every version that an existing game can have, by its `rules`."""

RULESETS: dict[str, Ruleset[Any, Any, Any]] = {rules.name: rules for rules in VERSIONS.values()}
"""The newest version of each ruleset by name, used for new games."""


def register(*versions: Ruleset[Any, Any, Any]) -> None:
    """Add all versions of one more ruleset in this process. Raises `InvalidRuleset`; nothing is added then."""
    added = registered(*versions)
    newest = max(versions, key=lambda rules: rules.version)
    if newest.name in RULESETS:
        raise InvalidRuleset(f"There is a ruleset {newest.name!r} already.")
    if {rules.name for rules in versions} != {newest.name} or len(added) < len(versions):
        raise InvalidRuleset(f"The versions of {newest.name!r} must have its name, and different numbers.")
    VERSIONS.update(added)
    RULESETS[newest.name] = newest
