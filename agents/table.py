"""A game of bots without the service: the truth, every seat's view, and what every seat has seen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from domain.fairness.chance import Chance, Dealer, Dice
from domain.ruleset import Result, Ruleset, Seat

Rules: TypeAlias = Ruleset[Any, Any, Any]
UNITS = 8
"""In which a bot may say what its choices cost."""


@dataclass(frozen=True)
class Answer:
    """What came of asking a bot outside of this process."""

    index: int | None
    """Of a legal move; None: none came, and `why` says what did."""
    seconds: float = 0.0
    attempts: int = 1
    usage: Mapping[str, float] = field(default_factory=dict)
    """What the choice has cost, as the bot claims."""
    why: str = ""


class Question(NamedTuple):
    """What a bot is asked. Everything in it is known to its seat."""

    rules: Rules
    view: Any
    seat: Seat
    legal: Sequence[Any]
    initial: Any
    """The state before the first event."""
    seen: Sequence[Any]
    """The seat's redacted events since then; empty if the bot says that it does not look at them."""
    dice: Chance
    game: str = ""
    """Names the game for a bot outside."""


class Bot(NamedTuple):
    """A function from a question to the index of a legal move."""

    choose: Callable[[Question], int]
    looks_back: bool = False
    """Whether it needs the events that its seat has seen. To keep them for others would cost time."""
    answer: Callable[[Question], Answer] | None = None
    """For a bot outside of this process, whose answers are written to the journal."""
    strikes: int = 1
    """The number of choices made for it with which it forfeits a game."""


class Table:
    """A running game.

    The dealer deals what is due, then the lowest seat that is to act moves, as in a game of the service. All chance
    follows from the secret: the n-th step of the dealer of a kind and the choice of a seat after n events draw from the
    same words in every game with this secret.
    """

    def __init__(self, rules: Rules, options: Any, bots: Sequence[Bot], secret: bytes) -> None:
        self.rules, self.secret, self.bots = rules, secret, bots
        self.id = game_id(secret)
        self.entropies = ("",) * len(bots)
        self.initial = self.state = rules.initial(len(bots), options, next(iter(rules.decks.values())))
        self.events: list[Any] = []
        self._dealt: Mapping[str, int] = {}
        self._views = [self.state] * len(bots)
        self._seen: list[list[Any]] = [[] for _ in bots]
        self._told = [0] * len(bots)
        """By seat: how many of the events its view has."""
        self.moves: list[tuple[Seat, Any]] = []
        self.acting = self._settle()

    @property
    def result(self) -> Result | None:
        return self.rules.outcome(self.state)

    def question(self) -> Question:
        """What the seat that is to act is asked."""
        assert self.acting is not None
        seat, view = self.acting, self.view(self.acting)
        dice = Dice(self.secret, self.id, self.entropies, seat, len(self.events))
        return Question(self.rules, view, seat, self.rules.legal(view, seat), self.initial, self._seen[seat], dice)

    def view(self, seat: Seat) -> Any:
        """What the seat sees now. A view is brought up to date when it is needed: a seat waits for several moves."""
        rules, news = self.rules, self.events[self._told[seat] :]
        if news:
            self._told[seat] += len(news)
            if self.bots[seat].looks_back:
                seen = [rules.redact(event, seat) for event in news]
                self._seen[seat] += seen
                self._views[seat] = rules.fold(self._views[seat], seen)
            else:
                self._views[seat] = rules.view(self._views[seat], news, seat)
        return self._views[seat]

    def move(self, chosen: Any) -> None:
        """Raises `Illegal`."""
        assert self.acting is not None
        self._happen(self.rules.decide(self.state, self.acting, chosen))
        self.moves.append((self.acting, chosen))
        self.acting = self._settle()

    def _settle(self) -> Seat | None:
        state, events, acting, self._dealt = self.rules.settle(
            self.state, partial(Dealer, self.secret, self.id, self.entropies), self._dealt
        )
        self.state, self.events = state, self.events + events
        return acting[0] if acting else None

    def _happen(self, events: Sequence[Any]) -> None:
        self.events += events
        self.state = self.rules.fold(self.state, events)


def game_id(secret: bytes) -> str:
    """The id of all games with this secret: deals follow from both."""
    return str(UUID(bytes=sha256(b"stammtisch-arena\n" + secret).digest()[:16], version=5))
