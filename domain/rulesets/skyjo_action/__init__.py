"""Skyjo Action (published by Magilano). Twelve cards in front of everybody, few points wanted, and action cards.

As in Skyjo one draws or takes a card, swaps it in or tosses it and turns one up; but equal cards in a row go as well as
in a column, and stars stand for any number. A star that is laid or turned up lets its owner take an action card. Taking
one, or playing one that has lain there since an earlier turn, is a move too: exchanging, removing, stealing, looking,
drawing three, moving twice. When some layout has no face-down card left every other seat has one more move, then all
is counted: numbers, ten for every action card left, the finisher's double unless strictly the lowest. The game ends
when some total reaches the target, and the lowest total wins.

Rule ids (SA-n) are those of `docs/rules/skyjo_action.md`; tests cite the same ids. Read `table`, then `play`.
"""

from domain.ruleset import Ruleset, Yardstick
from domain.rulesets.skyjo_action import play, table
from domain.rulesets.skyjo_action.bots import BOTS
from domain.rulesets.skyjo_action.captions import captions
from domain.rulesets.skyjo_action.features import features
from domain.rulesets.skyjo_action.imagine import imagine
from domain.rulesets.skyjo_grid import few_points

SKYJO_ACTION = Ruleset(
    name="skyjo_action", home=__name__, version=1, seats=table.SEATS, options=table.Options, deck=table.SkyjoActionDeck,
    minutes=25, difficulty="medium",
    state=table.State, move=table.SkyjoActionMove, event=table.SkyjoActionEvent, initial=table.initial,
    to_act=play.to_act, legal=play.legal, decide=play.decide, evolve=table.evolve, redact=table.redact, deal=play.deal,
    tally=play.tally, standing=few_points, fewest=True, appraise=play.appraise, imagine=imagine, features=features,
    board={"target_points": 1}, indifferent=table.indifferent, caption=captions, bots=BOTS,
    yardstick=Yardstick(spread={2: 205, 3: 160, 4: 135, 5: 130, 6: 135, 7: 135, 8: 145}, shuffles_all=(table.Dealt, 2)),
)  # fmt: skip
