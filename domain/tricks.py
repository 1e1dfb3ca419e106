"""Games in which every seat holds a hand from one deal and plays it card by card, as in tricks."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from domain.cards import hide, put
from domain.fairness.chance import Chance
from domain.imagining import dealt_within
from domain.messages import Dealing
from domain.ruleset import Seat

E = TypeVar("E")

Imagine: TypeAlias = Callable[[Any, Sequence[Any], Seat, Chance], list[Any]]


def whose_turn(state: Any) -> tuple[Seat, ...]:
    """`to_act` of a ruleset in which the seat `turn` has the choice in the phase `turn`, and nobody else ever."""
    return (state.turn,) if state.phase == "turn" and state.turn is not None else ()


def hands_of(cards: Sequence[Any], seats: int) -> tuple[tuple[Any, ...], ...]:
    """The cards in as many equal hands; the last cards, which do not suffice for all, are left."""
    size = len(cards) // seats
    return tuple([tuple(cards[first : first + size]) for first in range(0, size * seats, size)])


def seen_hands(viewer: Seat | None, event: E) -> E:
    """The redactor of a deal: everybody sees their own of the `hands`, and nobody the `stock`, if there is one."""
    deal: Any = event
    shown: dict[str, Any] = {"hands": tuple([h if seat == viewer else hide(h) for seat, h in enumerate(deal.hands)])}
    if (stock := getattr(deal, "stock", None)) is not None:
        shown["stock"] = hide(stock)
    hidden: E = replace(deal, **shown)
    return hidden


def added(totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """The points by seat, added."""
    return tuple(map(sum, zip(totals, points, strict=True)))


def imagined_hands(
    evolve: Callable[[Any, Any], Any], played: type[Any], lacking: Callable[[Any, Any], frozenset[str] | None]
) -> Imagine:
    """`imagine` of a ruleset whose deals have `hands` of different cards, and whose event `played` has `seat`, `card`.

    `lacking(state, event)` gives the suits that the seat cannot have, as it plays this card: the first characters of
    their cards. Cards of the deck that nobody is dealt stay hidden, in the `stock` of the deal if it has one.
    """

    def imagine(initial: Any, seen: Sequence[Any], seat: Seat, chance: Chance) -> list[Any]:
        state, history = initial, list[Any]()
        for events in _rounds(seen):
            history.append(_deal(state, events, seat, chance))
            history += events[1:]
            for event in events:
                state = evolve(state, event)
        return history

    def _deal(state: Any, events: Sequence[Any], seat: Seat, chance: Chance) -> Any:
        hands = events[0].hands
        laid: list[list[Any]] = [[] for _ in hands]
        void: list[set[str]] = [set() for _ in hands]
        for event in events:
            if isinstance(event, played):
                laid[event.seat].append(event.card)
                void[event.seat] |= lacking(state, event) or frozenset()
            state = evolve(state, event)
        known = {*hands[seat]}.union(*laid)
        unseen = [card for card in state.deck.cards if card not in known]
        others = [each for each in range(len(hands)) if each != seat]
        sizes = [len(hands[each]) - len(laid[each]) for each in others]
        dealt = dealt_within(
            unseen,
            [*sizes, len(unseen) - sum(sizes)],
            lambda card, place: place == len(others) or card[0] not in void[others[place]],
            chance,
        )
        for each, cards in zip(others, dealt[:-1], strict=True):
            hands = put(hands, each, chance.shuffled([*laid[each], *cards]))
        stock = {"stock": chance.shuffled(dealt[-1])} if hasattr(events[0], "stock") else {}
        return replace(events[0], hands=hands, **stock)

    return imagine


def _rounds(seen: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The events of each round, from its deal on."""
    begins = [number for number, event in enumerate(seen) if isinstance(event, Dealing)]
    for begin, end in zip(begins, [*begins[1:], len(seen)], strict=True):
        yield seen[begin:end]
