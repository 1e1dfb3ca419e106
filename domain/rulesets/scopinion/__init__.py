"""scopinion (published by Equinox Games). A deck of one's own, full of spades, is made better by buying cards.

In your turn you play cards from your hand onto your stage: you pay for an open card with the sum of some, those with a
red border doubled together, or use the function of one, which takes, triples, draws or trashes. What you buy lies on
your stage too, or comes to your hand at once if it has a bolt. A target that you draw again goes into your vault. At
the end of your turn all but one card go to your discard, which is shuffled whenever your deck is empty, and you draw
two. When the 27 is the top target, or nothing is left in the middle, the round is played to its end, and one more.
Hearts in the vault count most, red hearts in the own cards too, and spades without a green heart cost two each. The
expert mode adds a showcase. The printed list of cards is not public: the deck that comes along is a reconstruction.

Rule ids (SP-n) are those of `docs/rules/scopinion.md`; tests cite the same ids. Read `table`, `payments`, `evolve`,
`play`.
"""

from domain.ruleset import Ruleset
from domain.rulesets.scopinion.bots import BOTS
from domain.rulesets.scopinion.captions import captions
from domain.rulesets.scopinion.evolve import evolve, redact
from domain.rulesets.scopinion.features import features
from domain.rulesets.scopinion.imagine import imagine
from domain.rulesets.scopinion.play import deal, decide, legal, result, standing, tally, to_act
from domain.rulesets.scopinion.table import SEATS, Options, ScopinionDeck, ScopinionEvent, ScopinionMove, State, initial

SCOPINION = Ruleset(
    name="scopinion", version=1, seats=SEATS, options=Options, deck=ScopinionDeck, deck_files=("deck.json",),
    state=State, move=ScopinionMove, event=ScopinionEvent,
    initial=initial, to_act=to_act, legal=legal, decide=decide, evolve=evolve, redact=redact, deal=deal, result=result,
    tally=tally, standing=standing, imagine=imagine, features=features, caption=captions, bots=BOTS,
)  # fmt: skip
