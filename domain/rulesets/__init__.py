"""The rulesets of this project. Importing this package adds them to the registry, as packages of other authors do."""

from domain.registry import NAME as NAME
from domain.registry import RULESETS as RULESETS
from domain.registry import VERSIONS as VERSIONS
from domain.registry import InvalidRuleset as InvalidRuleset
from domain.registry import register as register
from domain.registry import registered as registered
from domain.rulesets.scandaroon import SCANDAROON
from domain.rulesets.scopinion import SCOPINION
from domain.rulesets.scout import SCOUT
from domain.rulesets.skyjo import SKYJO
from domain.rulesets.skyjo_action import SKYJO_ACTION

for rules in (SKYJO, SKYJO_ACTION, SCOUT, SCOPINION, SCANDAROON):
    register(rules)
