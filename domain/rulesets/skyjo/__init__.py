"""Skyjo (published by Magilano). Everybody has twelve face-down cards in three rows of four and wants few points.

In your turn you either take the top discard and lay it in place of one of your cards, or draw a card and then lay it
in place of one or toss it and turn up one of yours. Three equal cards in a column go. Who first has no face-down card
left ends the round: every other seat has one more turn, then all points are counted; the finisher's are doubled unless
strictly the lowest. The game ends when some total reaches the target, and the lowest total wins.

Rule ids (SK-n) are those of `docs/rules/skyjo.md`; tests cite the same ids.
"""

from domain.ruleset import Ruleset, Yardstick
from domain.rulesets.skyjo import rules
from domain.rulesets.skyjo.bots import BOTS
from domain.rulesets.skyjo.features import features
from domain.rulesets.skyjo.imagine import imagine
from domain.rulesets.skyjo_grid import few_points

SKYJO = Ruleset(
    name="skyjo", home=__name__, version=1,
    seats=range(2, 9), options=rules.Options, deck=rules.SkyjoDeck, state=rules.State,
    minutes=20, difficulty="easy",
    move=rules.SkyjoMove, event=rules.SkyjoEvent, initial=rules.initial, to_act=rules.to_act, legal=rules.legal,
    decide=rules.decide, evolve=rules.evolve, redact=rules.redact, deal=rules.deal, tally=rules.tally,
    standing=few_points, fewest=True, appraise=rules.appraise, imagine=imagine, features=features,
    board={"target_points": 1}, daily=True, indifferent=rules.indifferent,
    bots=BOTS,
    yardstick=Yardstick(
        spread={2: 225, 3: 180, 4: 160, 5: 155, 6: 150, 7: 180, 8: 160}, shuffles_all=(rules.Dealt, 2), turns=3
    ),
)  # fmt: skip
