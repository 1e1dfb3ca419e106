"""Bots by name, as the command line has them."""

import re
from operator import index

from agents import modules
from agents.external import USUAL, Forfeited, Manners, external
from agents.search import deep, published
from agents.table import Bot, Question, Rules
from domain.bots import at_random
from domain.ruleset import Budget, Choose
from domain.searching import ruler

NAMES = (
    "`random`, `careful`, `deep`, a published `NAME/VERSION`, `deep:WORLDSxMOVES[xTURNS]`, `erring:PERCENT`, "
    "MODULE:FUNCTION, or http://HOST:PORT"
)


FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
SEARCH = re.compile(r"deep:([1-9][0-9]{0,3})x([1-9][0-9]{0,2})(?:x([1-9][0-9]?))?")


class UnknownBot(Exception):
    """There is no bot of that name. The message lists what there is."""


def bot_named(rules: Rules, name: str, manners: Manners = USUAL) -> Bot:
    """Raises `UnknownBot`."""
    if name.startswith(("http://", "https://")):
        return external(name, manners)
    if search := SEARCH.fullmatch(name):
        return searching(rules, name, Budget(int(search[1]), int(search[2]), int(search[3]) if search[3] else None))
    if error := re.fullmatch(r"erring:([0-9]{1,3})", name):
        return erring(rules.bots[ruler(rules)], int(error[1]))
    if FUNCTION.fullmatch(name):
        return of_function(name)
    known = [full for full in rules.house if name in (full, full.split("/")[0])]
    if not known:
        raise UnknownBot(f"There is no bot {name!r}: {NAMES}.")
    return published(rules, known[-1]) if known[-1] in rules.searches else from_view(rules.bots[known[-1]])


def searching(rules: Rules, name: str, budget: Budget) -> Bot:
    """Raises `UnknownBot`."""
    if budget.turns is not None and rules.appraise is None:
        raise UnknownBot(f"There is no bot {name!r} in {rules.name}: its playouts go on to the end of the round.")
    return deep(budget)


def from_view(choose: Choose[object, object]) -> Bot:
    """A bot that decides by the view, as published ones do."""
    return Bot(lambda question: choose(question.view, question.seat, question.legal, question.dice))


def of_function(name: str) -> Bot:
    """A function of a module, also in the current folder, called as a published bot. Raises `UnknownBot`."""
    try:
        found = modules.imported(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownBot(f"There is no bot {name!r}: {error}") from None
    if not callable(found):
        raise UnknownBot(f"There is no bot {name!r}: it is not a function.")

    def choose(question: Question) -> int:
        chosen = found(question.view, question.seat, question.legal, question.dice)
        try:
            place = index(chosen)
        except TypeError:
            raise Forfeited(f"No number: {type(chosen).__name__}.") from None
        if place not in range(len(question.legal)):
            raise Forfeited("There is no such legal move.")
        return place

    return Bot(choose)


def erring(choose: Choose[object, object], percent: int) -> Bot:
    """A bot that makes this share of its moves at random: a yardstick."""

    def choose_or_err(question: Question) -> int:
        errs = question.dice.below(100) < percent
        return (at_random if errs else choose)(question.view, question.seat, question.legal, question.dice)

    return Bot(choose_or_err)
