"""The cards as data: values, symbols, effects and abilities stand in the deck file, the rules only interpret them."""

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from domain.cards import CARD
from domain.deck import Deck, DeckData, InvalidDeck
from domain.messages import Value, snake

Symbol: TypeAlias = Literal["scimitar", "crescent", "turban", "cross_tile"]
SYMBOLS: tuple[Symbol, ...] = ("scimitar", "crescent", "turban", "cross_tile")
"""The trump cards in canonical order, as they are shuffled."""

Trump: TypeAlias = Literal["scimitar", "crescent", "turban", "cross_tile", "none"]

Outcome: TypeAlias = Literal["score_pile", "exchange", "protect", "steal"]
"""The outcome of an action stone (SD-11)."""
OUTCOMES: tuple[Outcome, ...] = ("score_pile", "exchange", "protect", "steal")

MOST = 1000
"""The maximum number of cards of a deck: every deal is shuffled, recorded and sent."""

CardId = Annotated[str, CARD, Meta(pattern=r"^[!-~]{1,64}$(?!\n)", description="The card, by its `id` in the deck.")]
Amount = Annotated[int, Meta(ge=-1000, le=1000)]
Count = Annotated[int, Meta(ge=1, le=MOST)]
Symbols = Annotated[tuple[Symbol, ...], Meta(min_length=1)]
Limit = Annotated[int, Meta(ge=-(10**6), le=10**6)] | Literal["self_base", "self_current"]
"""A number, or the value of the ability card at that moment."""


# --- effects and abilities ----------------------------------------------------------------------------------------


class Filter(Value, forbid_unknown_fields=True):
    """The cards that may be chosen: of live rows, unprotected, never the ability card itself, and besides (SD-9)."""

    rows: Literal["any", "own", "other"] = "any"
    """The rows: any, those of the seat that chooses, or those of others."""
    place: Annotated[
        Literal["any", "last", "first"], Meta(description="last, first: only the last, the first card of its row.")
    ] = "any"
    symbols: Annotated[Symbols | UnsetType, Meta(description="The card bears one of these.")] = UNSET
    end: Annotated[bool | UnsetType, Meta(description="True: end cards only. False: no end cards.")] = UNSET
    compare: Annotated[
        Literal["base", "current"], Meta(description="The value of the card that `min` and `max` are about.")
    ] = "base"
    min: Limit | UnsetType = UNSET
    """The smallest value of the card. Absent: any."""
    max: Limit | UnsetType = UNSET
    """The largest value of the card. Absent: any."""


ANY_CARD = Filter()


class Area(Value, forbid_unknown_fields=True):
    """The cards that one card reaches, itself never (SD-7)."""

    direction: Annotated[
        Literal["left", "right", "both", "table", "elsewhere"],
        Meta(description="Cards of the row on that side or on each; all other cards in play; those of other rows."),
    ]
    reach: Annotated[
        Annotated[int, Meta(ge=1, le=MOST)] | Literal["all"],
        Meta(description="The number of cards on each side. `table` and `elsewhere` reach all."),
    ]
    symbols: Annotated[Symbols | UnsetType, Meta(description="Only cards that bear one of these.")] = UNSET


class Effect(Area, kw_only=True):
    """Holds as long as the card is in play: the amount is added to every card reached."""

    amount: Amount
    """The points that each card reached counts more; negative: less."""


class Ability(Value, tag=snake, tag_field="kind", forbid_unknown_fields=True):
    """Used once, from the own row; then the card is discarded (SD-8)."""


class Remove(Ability):
    """The chosen cards go to the discard pile."""

    target: Filter
    count: Count = 1
    """The number of cards that are chosen."""


class Boost(Ability):
    """The amount is added to the boost of the chosen cards, or of every card in the area."""

    amount: Amount
    """The points that each card counts more; negative: less."""
    target: Filter | UnsetType = UNSET
    area: Area | UnsetType = UNSET
    count: Count = 1
    """The number of cards that are chosen."""


class Swap(Ability):
    """Two cards exchange their slots."""

    first: Filter
    second: Filter
    max_difference: Annotated[
        Annotated[int, Meta(ge=0)] | None, Meta(description="The maximum difference of their base values.")
    ] = None


class ChangeTrump(Ability, tag="set_trump"):
    """The trump becomes another one of these."""

    values: Annotated[tuple[Trump, ...], Meta(min_length=1)]
    """The possible trumps."""


class Shift(Ability, tag="move"):
    """The chosen card takes another occupied slot of its row, or goes to the end of another row."""

    target: Filter
    to: Literal["same_row", "row_end"]
    """`same_row`: an occupied slot of its row; `row_end`: the end of another row."""


class Draw(Ability):
    """Draw cards; one of them may be played at once, or none."""

    count: Count
    """The number of cards that are drawn."""
    may_play: bool
    """True: one of them may be played at once."""


class Return(Ability):
    """The chosen cards go to the hand of the user, or of the row's seat."""

    target: Filter
    to: Literal["user", "owner"]
    """The hand of the seat that uses the ability, or of the seat that owns the row."""
    count: Count = 1
    """The number of cards that are chosen."""


AnyAbility: TypeAlias = Remove | Boost | Swap | ChangeTrump | Shift | Draw | Return
Striking: TypeAlias = Remove | Boost | Return
"""Abilities whose targets are hit one after the other."""


# --- cards and decks ----------------------------------------------------------------------------------------------


class Face(Value, forbid_unknown_fields=True):
    """A card as the deck file lists it (SD-6)."""

    id: CardId
    base: Annotated[int, Meta(ge=0, le=1000, description="The printed value.")]
    symbols: Annotated[tuple[Symbol, ...], Meta(description="The card counts as each of them.")]
    effect: Annotated[tuple[Effect, ...], Meta(min_length=1)] | None
    """The effects that hold while the card is in play; null: none."""
    ability: AnyAbility | None
    """The use of the card; null: it has none."""
    end: Annotated[bool, Meta(description="Nothing is laid to its right while it is the last card.")]
    play_anywhere: Annotated[bool, Meta(description="May be laid at any seat's row.")]


class ScandaroonDeckData(DeckData):
    """The cards in the canonical order, and the outcome of an action stone for each symbol."""

    stone: dict[Symbol, Outcome]
    """The effect of an action stone, by the symbol of the discarded card."""
    cards: Annotated[tuple[Face, ...], Meta(min_length=1, max_length=MOST)]
    """All cards, each with an id of its own."""


class ScandaroonDeck(Deck[ScandaroonDeckData]):
    """The ids in the order of the file, and by id the most used facts.

    `signs` are the symbols that a card may be discarded as for the action stone, and what comes of it (SD-49).
    `effects` and `abilities` have the cards with some, `anywhere` are those that may be laid at any row, `ends` the end
    cards, and `trumps` by trump those that bear it.
    """

    __slots__ = ("abilities", "anywhere", "bases", "cards", "effects", "ends", "faces", "signs", "stone", "trumps")
    data_type = ScandaroonDeckData

    def __init__(self, data: ScandaroonDeckData) -> None:
        super().__init__(data)
        self.cards = tuple([face.id for face in data.cards])
        self.faces = {face.id: face for face in data.cards}
        self.bases = {face.id: face.base for face in data.cards}
        self.effects = {face.id: face.effect for face in data.cards if face.effect is not None}
        self.anywhere = frozenset([face.id for face in data.cards if face.play_anywhere])
        self.ends = frozenset([face.id for face in data.cards if face.end])
        self.abilities = {face.id: face.ability for face in data.cards if face.ability is not None}
        self.trumps: dict[Trump, frozenset[str]] = {"none": frozenset()}
        for symbol in SYMBOLS:
            self.trumps[symbol] = frozenset([face.id for face in data.cards if symbol in face.symbols])
        self.stone = data.stone
        if len(self.faces) < len(self.cards):
            twice = next(place for place, card in enumerate(self.cards) if card in self.cards[:place])
            raise InvalidDeck(f"There is a card {self.cards[twice]} already - at `$.cards[{twice}].id`")
        if sorted(self.stone) != sorted(SYMBOLS) or sorted(self.stone.values()) != sorted(OUTCOMES):
            raise InvalidDeck(
                f"Each of {', '.join(SYMBOLS)} has one of the outcomes {', '.join(OUTCOMES)} to itself - at `$.stone`"
            )
        self.signs = {
            face.id: tuple([(sign, self.stone[sign]) for sign in face.symbols or SYMBOLS]) for face in data.cards
        }
        for place, face in enumerate(data.cards):
            for fault, where in faults(face):
                raise InvalidDeck(f"{fault} - at `$.cards[{place}].{where}`")


def faults(face: Face) -> Iterator[tuple[str, str]]:
    """The errors that the types cannot express, with their place in the card."""
    if repeats(face.symbols):
        yield "A card bears a symbol once", "symbols"
    for number, effect in enumerate(face.effect or ()):
        yield from faults_of_area(effect, f"effect[{number}]")
        if not effect.amount:
            yield "An effect changes values by some amount", f"effect[{number}].amount"
    match face.ability:
        case Boost(amount, target, area, count):
            if not amount:
                yield "A boost changes values by some amount", "ability.amount"
            if (target is UNSET) == (area is UNSET):
                yield "A boost has either a target or an area", "ability"
            if area is not UNSET:
                yield from faults_of_area(area, "ability.area")
                if count != 1:
                    yield "A boost of an area happens once", "ability.count"
        case ChangeTrump(values):
            if repeats(values):
                yield "A trump is listed once", "ability.values"
    for name in ("target", "first", "second"):
        chosen = getattr(face.ability, name, UNSET)
        if chosen is not UNSET and chosen.symbols is not UNSET and repeats(chosen.symbols):
            yield "A symbol is listed once", f"ability.{name}.symbols"


def faults_of_area(area: Area, where: str) -> Iterator[tuple[str, str]]:
    if area.direction in ("table", "elsewhere") and area.reach != "all":
        yield f"The direction {area.direction} reaches all", f"{where}.reach"
    if area.symbols is not UNSET and repeats(area.symbols):
        yield "A symbol is listed once", f"{where}.symbols"


def repeats(items: tuple[str, ...]) -> bool:
    return len(set(items)) < len(items)
