"""The registry of rulesets: the only place where a new ruleset is added."""

from typing import Any

from domain.ruleset import Ruleset
from domain.rulesets.scandaroon import SCANDAROON
from domain.rulesets.scopinion import SCOPINION
from domain.rulesets.scout import SCOUT
from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo_action import SKYJO_ACTION

RULESETS: dict[str, Ruleset[Any, Any, Any]] = {
    ruleset.name: ruleset for ruleset in (SKYJO, SKYJO_ACTION, SCOUT, SCOPINION, SCANDAROON)
}
"""The newest version of each ruleset by name, used for new games."""

VERSIONS: dict[str, Ruleset[Any, Any, Any]] = {
    ruleset.rules: ruleset for ruleset in (SKYJO, SKYJO_ACTION, SCOUT, SCOPINION, SCANDAROON)
}
"""Every version that an existing game can have, by its `rules`."""
