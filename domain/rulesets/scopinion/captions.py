"""What cards do, in words, from the data of a deck (SP-1, SP-3)."""

from collections.abc import Iterator

from domain.ruleset import Words
from domain.rulesets.scopinion.table import FUNCTIONS, PrintedCard, ScopinionDeckData


def captions(data: ScopinionDeckData, words: Words) -> dict[str, str]:
    """By the card's id. What it does comes first: a phone shows one line."""
    return {card.id: " ".join(sentences(card, words)) for card in data.cards}


def sentences(card: PrintedCard, words: Words) -> Iterator[str]:
    about = words[card.kind].format(value=card.value, group=card.group, points=card.green + 2 * card.red)
    if card.kind == "target":
        yield about
    elif card.value in FUNCTIONS:
        yield words[str(card.value)]
    for mark in ("arrow", "bolt", "border", "mix"):
        if getattr(card, mark):
            yield words[mark]
    if card.kind != "target":
        yield about
    if card.green or card.red:
        yield words["hearts"].format(green=card.green, red=card.red)
    if card.spades:
        yield words["spades"].format(spades=card.spades)
