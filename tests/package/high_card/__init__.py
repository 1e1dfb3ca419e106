"""High Card: everybody plays three of four cards, and the highest total wins."""

from domain.ruleset import Ruleset
from domain.rulesets.high_card.bots import BOTS
from domain.rulesets.high_card.imagine import imagine
from domain.rulesets.high_card.rules import (
    HighCardDeck,
    HighCardEvent,
    Options,
    Play,
    State,
    deal,
    decide,
    evolve,
    features,
    initial,
    legal,
    redact,
    result,
    standing,
    tally,
    to_act,
)

HIGH_CARD = Ruleset(
    name="high_card", home=__name__, version=1, seats=range(2, 5), options=Options, deck=HighCardDeck,
    deck_files=("deck.json",), minutes=5, difficulty="easy",
    state=State, move=Play, event=HighCardEvent,
    initial=initial, to_act=to_act, legal=legal, decide=decide, evolve=evolve, redact=redact, deal=deal, result=result,
    tally=tally, standing=standing, imagine=imagine, features=features, bots=BOTS,
)  # fmt: skip
