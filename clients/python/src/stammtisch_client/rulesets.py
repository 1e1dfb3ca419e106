# Generated from openapi/openapi.json by `python -m clients.build`. Do not edit.
"""The types of each ruleset."""

from typing import Any

from . import models
from .ruleset import Ruleset

SCANDAROON = Ruleset[
    models.ScandaroonGame, models.ScandaroonView, models.ScandaroonMove, models.ScandaroonEventItem, models.ScandaroonOptionsInput
](
    "scandaroon", models.ScandaroonGame, models.ScandaroonView, models.ScandaroonMove, models.ScandaroonEventItem
)
SCOPINION = Ruleset[
    models.ScopinionGame, models.ScopinionView, models.ScopinionMove, models.ScopinionEventItem, models.ScopinionOptionsInput
](
    "scopinion", models.ScopinionGame, models.ScopinionView, models.ScopinionMove, models.ScopinionEventItem
)
SCOUT = Ruleset[
    models.ScoutGame, models.ScoutView, models.ScoutMove, models.ScoutEventItem, models.ScoutOptionsInput
](
    "scout", models.ScoutGame, models.ScoutView, models.ScoutMove, models.ScoutEventItem
)
SKYJO = Ruleset[
    models.SkyjoGame, models.SkyjoView, models.SkyjoMove, models.SkyjoEventItem, models.SkyjoOptionsInput
](
    "skyjo", models.SkyjoGame, models.SkyjoView, models.SkyjoMove, models.SkyjoEventItem
)
SKYJO_ACTION = Ruleset[
    models.SkyjoActionGame, models.SkyjoActionView, models.SkyjoActionMove, models.SkyjoActionEventItem, models.SkyjoActionOptionsInput
](
    "skyjo_action", models.SkyjoActionGame, models.SkyjoActionView, models.SkyjoActionMove, models.SkyjoActionEventItem
)
RULESETS: dict[str, Ruleset[Any, Any, Any, Any, Any]] = {
    "scandaroon": SCANDAROON,
    "scopinion": SCOPINION,
    "scout": SCOUT,
    "skyjo": SKYJO,
    "skyjo_action": SKYJO_ACTION,
}
"""The rulesets by name."""
