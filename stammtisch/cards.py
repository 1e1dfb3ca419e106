"""Decks, and zones of cards."""

from domain.cards import CARD, hide, known, put, without, without_one
from domain.deck import Deck, DeckData, InvalidDeck

__all__ = ["CARD", "Deck", "DeckData", "InvalidDeck", "hide", "known", "put", "without", "without_one"]
