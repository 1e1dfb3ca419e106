"""`deep` with any budget: the search of `domain.searching` as a bot of the arena."""

from collections.abc import Sequence
from typing import Any

from agents.table import Bot, Question, Rules
from domain import searching
from domain.bots import lead
from domain.ruleset import BotName, Budget, Choose, Seat, Sight
from domain.searching import Lots, searched


def deep(budget: Budget) -> Bot:
    """The bot that searches with this budget."""

    def choose(question: Question) -> int:
        return searched(question.rules, budget, sight(question), question.dice)

    return Bot(choose, looks_back=True)


def published(rules: Rules, name: BotName) -> Bot:
    """A search that the ruleset publishes. As in a game of the service, one lot of the dice decides all others."""

    def choose(question: Question) -> int:
        return searched(rules, rules.searches[name], sight(question), Lots(question.dice.below(2**32)))

    return Bot(choose, looks_back=True)


def sight(question: Question) -> Sight:
    return Sight(question.initial, question.seen, question.view, question.seat, question.legal)


def ahead(points: Sequence[int], seat: Seat) -> float:
    """The seat's points less the mean of the others."""
    return lead(points, seat) / (len(points) - 1)


def ruler(rules: Rules) -> Choose[Any, Any]:
    """The published bot that reviews and hints measure by."""
    return rules.bots[searching.ruler(rules)]


def best_moves(policy: Choose[Any, Any], question: Question, most: int) -> list[int]:
    """As `domain.searching` does, of a question."""
    return searching.best_moves(policy, sight(question), most, question.dice)
