"""SCOUT (published by Oink Games). Every card bears two numbers, and only the upper one counts.

Nobody rearranges the hand: before the first turn a seat may turn it as a whole, and that is all. In your turn you show
neighbouring cards of one number, or of consecutive ones, that beat the active set, and collect its cards; or you scout
a card from one of its ends into your hand, for which its owner gets a chip. Once in a round you may do both. The round
ends when a hand is empty, or when everybody else has scouted in a row. Collected cards and chips count one point each,
cards left in the hand cost one. After as many rounds as there are seats the most points win. For two seats there is an
official game of its own, with three chips that scouting costs.

Rule ids (SC-n) are those of `docs/rules/scout.md`; tests cite the same ids.
"""

from domain.ruleset import Ruleset, Yardstick
from domain.rulesets.scout import rules
from domain.rulesets.scout.bots import BOTS, SEARCHES
from domain.rulesets.scout.features import features
from domain.rulesets.scout.imagine import imagine
from domain.rulesets.scout.trained import trained

SCOUT = Ruleset(
    name="scout", home=__name__, version=1,
    seats=range(2, 6), options=rules.Options, deck=rules.ScoutDeck, state=rules.State,
    minutes=20, difficulty="medium",
    move=rules.ScoutMove, event=rules.ScoutEvent, initial=rules.initial, to_act=rules.to_act, legal=rules.legal,
    decide=rules.decide, evolve=rules.evolve, redact=rules.redact, deal=rules.deal, tally=rules.tally,
    standing=rules.standing, imagine=imagine, features=features, cards=rules.cards,
    telling=frozenset({"stuck"}), daily=True, bots={**BOTS, "trained/1": trained},
    ruler="careful/1", searches=SEARCHES,
    yardstick=Yardstick(spread={2: 50, 3: 70, 4: 54, 5: 43}, shuffles_all=(rules.Dealt, 3)),
)  # fmt: skip
