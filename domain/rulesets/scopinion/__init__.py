"""scopinion (published by Equinox Games). A deck of one's own, full of spades, is made better by buying cards.

In your turn you play cards from your hand onto your stage: you pay for an open card with the sum of some, those with a
red border doubled together, or use the function of one, which takes, triples, draws or trashes. What you buy lies on
your stage too, or comes to your hand at once if it has a bolt. A target that you draw again goes into your vault. At
the end of your turn all but one card go to your discard, which is shuffled whenever your deck is empty, and you draw
two. When the 27 is the top target, or nothing is left in the middle, the round is played to its end, and one more.
Hearts in the vault count most, red hearts in the own cards too, and spades without a green heart cost two each. The
expert mode adds a showcase. The printed list of cards is not public: the deck that comes along is a reconstruction.

Rule ids (SP-n) are those of `docs/rules/scopinion.md`; tests cite the same ids. Read `table`, `payments`, `play`.
"""

from domain.ruleset import Ruleset, Yardstick
from domain.rulesets.scopinion import play, table
from domain.rulesets.scopinion.bots import BOTS, SEARCHES
from domain.rulesets.scopinion.captions import captions
from domain.rulesets.scopinion.features import features
from domain.rulesets.scopinion.imagine import imagine

SCOPINION = Ruleset(
    name="scopinion", home=__name__, version=1, seats=table.SEATS, options=table.Options, deck=table.ScopinionDeck,
    minutes=35, difficulty="tricky",
    state=table.State, move=table.ScopinionMove, event=table.ScopinionEvent, initial=table.initial,
    to_act=play.to_act, legal=play.legal, decide=play.decide, evolve=table.evolve, redact=table.redact, deal=play.deal,
    result=play.result, tally=play.tally, standing=play.standing, imagine=imagine, features=features, cards=table.cards,
    caption=captions, bots=BOTS,
    searches=SEARCHES,
    yardstick=Yardstick(spread={2: 165, 3: 110, 4: 100}),
)  # fmt: skip
