"""A deck that is a list of different cards."""

from typing import Annotated

from msgspec import Meta

from domain.deck import Deck, DeckData, InvalidDeck


class ListedData(DeckData):
    """The cards of a deck, each once."""

    cards: Annotated[
        tuple[str, ...], Meta(min_length=1, max_length=500, description="The cards in the order in which they rank.")
    ]


class ListedDeck(Deck[ListedData]):
    """The cards in the order of the file, and the rank of each, from 0 on."""

    __slots__ = ("cards", "rank")
    data_type = ListedData

    def __init__(self, data: ListedData) -> None:
        super().__init__(data)
        self.cards = data.cards
        self.rank = {card: number for number, card in enumerate(data.cards)}
        if len(self.rank) < len(data.cards):
            raise InvalidDeck("Each card must be there once - at `$.cards`")
