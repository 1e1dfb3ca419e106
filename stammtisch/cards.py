"""Decks, and zones of cards."""

from domain.cards import CARD, EMPTY, hide, known, put, without, without_one
from domain.deck import Deck, DeckData, InvalidDeck
from domain.listed import ListedDeck
from domain.zones import cards_of

__all__ = [
    "CARD", "EMPTY", "Deck", "DeckData", "InvalidDeck", "ListedDeck", "cards_of", "hide", "known", "put", "without",
    "without_one",
]  # fmt: skip
