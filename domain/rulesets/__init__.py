"""The registry of rulesets. A new ruleset is added here, and nowhere else."""

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
"""The newest version of each ruleset by name: what new games are opened with."""

VERSIONS: dict[str, Ruleset[Any, Any, Any]] = {
    ruleset.rules: ruleset for ruleset in (SKYJO, SKYJO_ACTION, SCOUT, SCOPINION, SCANDAROON)
}
"""Every version that some game may still be played by, by its `rules`."""
