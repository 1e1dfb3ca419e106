"""What action cards do, in words (SA-51 to SA-60)."""

from domain.ruleset import Words
from domain.rulesets.skyjo_action.table import ACTIONS, SkyjoActionDeckData


def captions(data: SkyjoActionDeckData, words: Words) -> dict[str, str]:
    """By the name of the action card, for those in the deck."""
    return {action: words[action] for action in ACTIONS if data.actions.get(action)}
