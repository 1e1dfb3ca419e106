"""A ruleset is a record of pure functions; everything else about a game is derived from them.

`decide` thinks and `evolve` writes down: no consequence of a hidden card is computed in `evolve`, so the same `evolve`
folded over the events as a seat may see them is that seat's view. Chance enters through `deal` alone, secrets leave
through `redact` alone. The laws in the tests hold every ruleset to this.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar, get_args

from domain.bundled import Labels, deck_text, labels
from domain.deck import Deck, read
from domain.fairness.chance import Chance
from domain.messages import Dealing, Open, Value

Seat: TypeAlias = int
"""A place at the game, 0 to n-1; clockwise is rising."""

Viewer: TypeAlias = Seat | None
"""For whom something is redacted: a seat, or None for a bystander."""

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")


class Illegal(Exception):
    """The rules forbid the move now. Never says why: a reason can betray a hidden card."""


class InvalidSetup(Exception):
    """These seats, options and deck do not make a game. The message says why."""


class Result(Value):
    """How a game ended: points by seat as the ruleset counts them, and who shares the victory."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]


def highest(standings: Sequence[int] | Sequence[tuple[int, ...]]) -> tuple[Seat, ...]:
    """The seats that stand highest, and share the first place. Of several numbers the later ones break ties."""
    best = max(standings)
    return tuple([seat for seat, stands in enumerate(standings) if stands == best])


def lowest(totals: Sequence[int]) -> tuple[Seat, ...]:
    """The seats with the lowest total."""
    least = min(totals)
    return tuple([seat for seat, total in enumerate(totals) if total == least])


@dataclass(frozen=True, kw_only=True)
class Ruleset(Generic[S, M, E]):
    """One set of rules in one version."""

    name: str
    version: int
    seats: range
    """The numbers of seats that a game may have."""
    options: type[Any]
    """The Struct of options, every field with its default."""
    deck: type[Deck[Any]]
    deck_files: tuple[str, ...]
    """The deck files in the ruleset's folder; the first is the default deck."""
    more_decks: tuple[Deck[Any], ...] = ()
    """Others that were added to them."""
    state: type[Any]
    move: Any
    """The union of the moves that a seat may send."""
    event: Any
    """The union of the events that are recorded."""

    initial: Callable[[int, Any, Any], S]
    """(seats, options, deck): the state before anything has happened. Raises `InvalidSetup`."""
    to_act: Callable[[S], Sequence[Seat]]
    """The seats that have a legal move now, rising."""
    legal: Callable[[S, Seat], Sequence[M]]
    """Exactly the moves that `decide` accepts from the seat now."""
    decide: Callable[[S, Seat, M], list[E]]
    """What happens when the seat does that. Raises `Illegal`."""
    evolve: Callable[[S, E], S]
    """How the table looks afterwards."""
    redact: Callable[[E, Viewer], E]
    """What the viewer gets to see of the event."""
    deal: Callable[[S, Chance], list[E]]
    """What the dealer does unasked; [] when there is nothing to deal."""
    result: Callable[[S], Result | None]
    """None until the game is over."""

    @property
    def rules(self) -> str:
        """The rules by name and version, `NAME/1`: what a game is played by to its end."""
        return f"{self.name}/{self.version}"

    @cached_property
    def decks(self) -> dict[str, Deck[Any]]:
        """The decks that can be played with, by name, the default first. Raises `InvalidDeck`."""
        decks = (read(self.deck, self.name, deck_text(self.name, file)) for file in self.deck_files)
        return {deck.name: deck for deck in (*decks, *self.more_decks)}

    def with_deck(self, deck: Deck[Any]) -> "Ruleset[S, M, E]":
        """The same rules, with one more deck."""
        return replace(self, more_decks=(*self.more_decks, deck))

    def deck_of(self, data: Any) -> Deck[Any]:
        """The deck of these data, made once for all games where it is one that can be chosen. Raises `InvalidDeck`."""
        known = self.decks.get(data.name)
        return known if known is not None and known.data == data else self.deck(data)

    @cached_property
    def labels(self) -> dict[str, Labels]:
        """Names for people, by language: `en` and `de`."""
        return labels(self.name)

    @cached_property
    def open_events(self) -> frozenset[type[Any]]:
        """The events that everybody sees whole. To ask a set is faster than `isinstance` with a Struct."""
        return frozenset([kind for kind in get_args(self.event) if issubclass(kind, Open)])

    # Loops, for Python calls its own functions faster than the standard library's `reduce` does.
    def fold(self, state: S, events: Iterable[E]) -> S:
        evolve = self.evolve
        for event in events:
            state = evolve(state, event)
        return state

    def view(self, state: S, events: Iterable[E], viewer: Viewer) -> S:
        """The game as the viewer has seen it develop from its `initial` state, or from what it has seen so far."""
        evolve, redact, open_events = self.evolve, self.redact, self.open_events
        for event in events:
            state = evolve(state, event if type(event) in open_events else redact(event, viewer))
        return state

    def settle(self, state: S, chance: Callable[[int], Chance], step: int) -> tuple[S, list[E]]:
        """All the dealing that is due from the dealer's step `step` on: the state after it, and its events.

        While some seat has a move nothing is dealt, and the dealer need not be asked.
        """
        events: list[E] = []
        while not self.to_act(state) and (news := self.deal(state, chance(step))):
            assert isinstance(news[0], Dealing), "a step of the dealer begins with a Dealing"
            state, events, step = self.fold(state, news), events + news, step + 1
        return state, events
