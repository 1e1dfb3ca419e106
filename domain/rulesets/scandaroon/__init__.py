"""Scandaroon (published by Surprised Stare Games). Rows of cards, and little lasts until everybody has passed.

In your turn you lay a card at the end of your row, use the ability of a card in it, which is then discarded, discard a
card for your action stone, once in the game, or pass. Cards have values, symbols and lasting effects on their
neighbours; what bears the trump counts twice, and the trump changes. When all have passed the rows are scored: victory
points for the places, for a round without trump, for the best score piles and for the highest score of all. New cards
come with a new round only, and one more to the last. After four rounds the most victory points win.

The printed list of cards is not public: the deck that comes with the ruleset is a reconstruction. What cards do stands
in the deck file, and can be exchanged with it. Rule ids (SD-n) are those of `docs/rules/scandaroon.md`; tests cite the
same ids. Read `deck`, `table`, `values` and `play`.
"""

from domain.ruleset import Ruleset, Yardstick
from domain.rulesets.scandaroon import play, table
from domain.rulesets.scandaroon.bots import BOTS, SEARCHES
from domain.rulesets.scandaroon.captions import captions
from domain.rulesets.scandaroon.deck import ScandaroonDeck
from domain.rulesets.scandaroon.features import features
from domain.rulesets.scandaroon.imagine import imagine

SCANDAROON = Ruleset(
    name="scandaroon", home=__name__, version=1, seats=table.SEATS, options=table.Options, deck=ScandaroonDeck,
    minutes=30, difficulty="tricky",
    state=table.State, move=table.ScandaroonMove, event=table.ScandaroonEvent, initial=table.initial,
    to_act=play.to_act, legal=play.legal, decide=play.decide, evolve=table.evolve, redact=table.redact, deal=play.deal,
    tally=play.tally, standing=play.victory_points, imagine=imagine, features=features, caption=captions, bots=BOTS,
    searches=SEARCHES,
    yardstick=Yardstick(spread={3: 44, 4: 52}, whole_game=True),
)  # fmt: skip
