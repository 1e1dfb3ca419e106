"""A ruleset is a record of pure functions; everything else about a game is derived from them.

`decide` computes events, `evolve` applies them. `evolve` never computes a consequence of a hidden card, so the same
`evolve` folded over the events that a seat may see yields that seat's view. Chance enters only through `deal`, hidden
information leaves only through `redact`. The laws in the tests check this for every ruleset.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from msgspec import UNSET, Meta, UnsetType, structs

from domain.bundled import Labels, Lesson, RuleBox, boxes, captions, deck_text, labels, lesson
from domain.deck import EMPTY, Deck, DeckData, read
from domain.fairness.chance import Chance, Undrawn
from domain.messages import Dealing, Dispatch, Open, Redact, Value
from domain.naming import completed
from domain.sentences import filled
from domain.zones import cards_of, numbers_of

Seat: TypeAlias = Annotated[
    int, Meta(description="Seats are numbered from 0, rising clockwise.", extra_json_schema={"x-seat": True})
]

T = TypeVar("T")
BySeat: TypeAlias = Annotated[tuple[T, ...], Meta(extra_json_schema={"x-by-seat": True})]
"""One value for each seat, or none at all."""


class SeatEvent(Open):
    """An open event that one seat caused, or that is about it."""

    seat: Seat


Viewer: TypeAlias = Seat | None
"""The reader for whom events are redacted: a seat, or None for a bystander."""

Difficulty: TypeAlias = Literal["easy", "medium", "tricky"]
BotName: TypeAlias = str
"""Name and version of a bot, `NAME/1`. A published version never chooses differently."""

Words: TypeAlias = Mapping[str, str]
"""The templates for captions in one language."""

S = TypeVar("S")
M = TypeVar("M")
E = TypeVar("E")

Choose: TypeAlias = Callable[[S, Seat, Sequence[M], Chance], int]
"""A bot: (the state as the seat sees it, the seat, its legal moves, dice) -> the index of the chosen move.

A pure function: no truth, clock, float, memory between choices, or iteration over sets, whose order is not fixed.
"""


class Budget(NamedTuple):
    """What a choice of a search may cost (`domain.searching`). It is never a time, so it can be made again."""

    worlds: int
    moves: int
    """How many moves are tried in each world."""
    turns: int | None = None
    """After how many turns of the own seat a playout ends and the cards on the table are appraised; None: it goes on
    to the end of the round.
    """
    policy: BotName | None = None
    """The bot that names the moves and plays on; None: the strongest that chooses at once. A published search names
    it.
    """


class Illegal(Exception):
    """The move is not legal now. It carries no reason: a reason can reveal a hidden card."""


class InvalidSetup(Exception):
    """The seats, options and deck do not go together. The message says why."""


class Result(Value):
    """The result of a game: scores by seat, counted as the ruleset counts, and the winning seats."""

    scores: tuple[int, ...]
    """By seat: the final points."""
    winners: tuple[Seat, ...]
    """The winning seats; several in a tie, none if seats that play together have lost."""
    ranks: tuple[int, ...] | UnsetType = UNSET
    """By seat: 0 for the best, where the points do not say who did better."""
    teams: tuple[tuple[Seat, ...], ...] | UnsetType = UNSET
    """The seats by team. Absent: every seat plays for itself."""


class Tally(Value):
    """The points that the cards on the table count now, as far as the viewer sees them."""

    points: tuple[int | None, ...]
    """By seat: what its cards would count now; null if that depends on cards that are hidden."""
    values: Annotated[
        dict[str, int],
        Meta(
            description="The current values of cards that are not the printed ones, or can change, by their place in "
            "the view: `rows/0/2`."
        ),
    ] = {}


def clockwise(first: Seat, seats: int) -> list[Seat]:
    """All seats, from this one on."""
    return [*range(first, seats), *range(first)]


def check_enough(seats: int, least: int, has: int, of: str = "cards") -> None:
    """Raises `InvalidSetup` if the deck has fewer cards than the seats need."""
    if has < least:
        raise InvalidSetup(f"{seats} seats need a deck of at least {least} {of}, this one has {has}.")


def by_totals(state: Any) -> Result | None:
    """The result of a ruleset whose state has `totals` and `winners`."""
    return None if state.winners is None else Result(state.totals, state.winners)


def highest(standings: Sequence[int] | Sequence[tuple[int, ...]]) -> tuple[Seat, ...]:
    """The seats that share the first place. In tuples the later numbers break ties."""
    best = max(standings)
    return tuple([seat for seat, stands in enumerate(standings) if stands == best])


def lowest(totals: Sequence[int]) -> tuple[Seat, ...]:
    least = min(totals)
    return tuple([seat for seat, total in enumerate(totals) if total == least])


def no_captions(_: Any, __: Words) -> dict[str, str]:
    """The captions of a ruleset whose cards explain themselves."""
    return {}


def different(_view: Any, _one: Any, _other: Any) -> bool:
    """Every choice makes a difference."""
    return False


def as_seen(_initial: Any, seen: Sequence[Any], _seat: Seat, _chance: Chance) -> list[Any]:
    """The history of a game in which nothing is hidden."""
    return [*seen]


def flipped(redact: Callable[[E, Viewer], E]) -> Callable[[Viewer, E], E]:
    return lambda viewer, event: redact(event, viewer)


class Sight(NamedTuple):
    """What a seat knows when it chooses. `initial`: the state before the first event. `seen`: its redacted events."""

    initial: Any
    seen: Sequence[Any]
    view: Any
    seat: Seat
    legal: Sequence[Any]


class Yardstick(Value, kw_only=True):
    """What a review measures choices by. Measured, see `docs/review.md`: nothing follows from the rules alone."""

    spread: Mapping[int, int] = {}
    """By number of seats: the standard deviation of a seat's points ahead of the mean of the others, in tenths, in a
    round; in a game if only that counts. Empty: a review gives figures, but no category.
    """
    whole_game: bool = False
    """The points of a round can be lost again in a later one, so a choice is valued by the end of the game."""
    shuffles_all: tuple[type[Any], int] | None = None
    """The event that deals a round, and from which number of seats on it shuffles the whole deck: nothing that was seen
    in earlier rounds says anything about the cards then.
    """
    turns: int | None = None
    """The number of own turns after which `appraise` is nearly unbiased. None: it is not."""

    def afresh(self, seats: int) -> type[Any] | None:
        """The event with which all that was seen before loses its meaning."""
        return self.shuffles_all[0] if self.shuffles_all and seats >= self.shuffles_all[1] else None

    def deviation(self, seats: int) -> int | None:
        """In tenths; of the nearest number of seats that was measured, the smaller of two."""
        nearest = min(self.spread, key=lambda measured: (abs(measured - seats), measured), default=None)
        return None if nearest is None else self.spread[nearest]


@dataclass(frozen=True, kw_only=True)
class Ruleset(Generic[S, M, E]):
    """One version of the rules of a game."""

    name: str
    home: str
    """The package with the data files: decks, labels, captions, a lesson. A ruleset writes `home=__name__` in it."""
    version: int
    seats: range
    """The numbers of seats that a game can have."""
    minutes: int
    """How long a game with the default options usually takes people who know it."""
    difficulty: Difficulty
    """The difficulty to learn it."""
    options: type[Any]
    """The Struct of options; every field has a default."""
    deck: type[Deck[Any]] = Deck
    """`Deck` itself is an empty one, of a game that needs none: it has no file."""
    deck_files: tuple[str, ...] = ("deck.json",)
    """The deck files in `home`; the first is the default deck."""
    more_decks: tuple[Deck[Any], ...] = ()
    """Decks that were added to those."""
    state: type[Any]
    move: Any
    """The union of all moves."""
    event: Any
    """The union of all events."""

    initial: Callable[[int, Any, Any], S]
    """(seats, options, deck): the state before the first event. Raises `InvalidSetup`."""
    to_act: Callable[[S], Sequence[Seat]]
    """The seats that have a legal move now, rising."""
    legal: Callable[[S, Seat], Sequence[M]]
    """Exactly the moves that `decide` accepts from the seat now."""
    decide: Callable[[S, Seat, M], list[E]]
    """The events that the seat's move causes. Raises `Illegal`."""
    evolve: Callable[[S, E], S]
    """The state after the event."""
    redact: Callable[[E, Viewer], E]
    """The event with the fields hidden from the viewer set to None."""
    deal: Callable[[S, Chance], list[E]]
    """The events of the next dealer step; [] if there is nothing to deal. The type of the first one, a `Dealing`,
    follows from the state alone: it names the stream of random numbers. `settle` asks for it without chance."""
    result: Callable[[S], Result | None] = by_totals
    """The result; None until the game is over."""
    tally: Callable[[S], Tally]
    """What the cards count now. It also works on a view, and follows from it."""
    standing: Callable[[S], tuple[int, ...]]
    """By seat: the points of all scored rounds, more is better. It changes when a round or the game is scored."""
    fewest: bool = False
    """The fewest points win: `standing` at the end is the negative of the scores of the result."""
    teams: Callable[[int], tuple[tuple[Seat, ...], ...]] | None = None
    """(seats): the seats by team. All seats of a team have the same score and win together."""
    cards: Callable[[S], Iterable[Any]] = cards_of
    """All cards of a state, wherever they lie; None is a card that the rules only count. From the first deal on, or
    from the beginning if nothing is dealt, they are the deck."""
    telling: frozenset[str] = frozenset()
    """Events that reveal something about hidden cards to everybody, as the rules demand, by their `type`."""
    imagine: Callable[[S, Sequence[E], Seat, Chance], list[E]] = as_seen
    """(the state before the events, the events that a seat has seen, the seat, dice): a whole history in which the seat
    has seen exactly these, a right inverse of `redact`. Every deal that fits is equally likely. The state is the
    `initial` one. Raises `NothingImagined`. Only a ruleset that hides nothing can leave it out.
    """
    features: Callable[[S, Seat], list[int]] = numbers_of
    """(the state as the seat sees it, the seat): the table as numbers, the own seat first, always as many. Views with
    other legal moves have other numbers.
    """
    appraise: Callable[[S], tuple[int, ...]] | None = None
    """(a state in which every card has a face, also the hidden ones): by seat the points that the cards on the table
    would bring in this round, more is better. None: a search plays every round to its end.
    """
    yardstick: Yardstick = field(default=Yardstick(), hash=False)
    """What a review measures choices by."""
    board: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """The options of the shortest game, for tables that play the same deal: who begins a later round, and how many
    there are, can differ."""
    indifferent: Callable[[S, M, M], bool] = different
    """(the state as the seat sees it, two of its moves): both do the same with cards that look alike to the seat, so
    neither is a choice. Comparisons of games with the same deal pass over them."""
    daily: bool = False
    """The ruleset suggests itself for a deal of the day."""
    caption: Callable[[Any, Words], dict[str, str]] = no_captions
    """(the data of a deck, templates of a language): what each card does, by the card, for cards that need it."""
    bots: Mapping[BotName, Choose[S, M]] = field(hash=False)
    """The published bots that choose at once, from the view alone; the weakest first."""
    ruler: BotName | None = None
    """The bot that plays on in reviews and hints, and that they measure choices by; None: the last of `bots`."""
    searches: Mapping[BotName, Budget] = field(default_factory=dict, hash=False)
    """The published bots that search (`domain.searching`), stronger than all others. The game waits for them."""

    @cached_property
    def house(self) -> tuple[BotName, ...]:
        """All published bots, the weakest first."""
        return *self.bots, *self.searches

    @cached_property
    def rules(self) -> str:
        """Name and version, `NAME/1`. A game keeps its version to the end."""
        return f"{self.name}/{self.version}"

    @cached_property
    def decks(self) -> dict[str, Deck[Any]]:
        """The selectable decks by name, the default first. Raises `InvalidDeck`."""
        if self.deck is Deck:
            return {EMPTY: Deck(DeckData(ruleset=self.name, name=EMPTY, provenance=""))}
        decks = (read(self.deck, self.name, deck_text(self.home, file)) for file in self.deck_files)
        return {deck.name: deck for deck in (*decks, *self.more_decks)}

    def with_deck(self, deck: Deck[Any]) -> "Ruleset[S, M, E]":
        """A copy of the ruleset with one more deck."""
        return replace(self, more_decks=(*self.more_decks, deck))

    def deck_of(self, data: Any) -> Deck[Any]:
        """The deck with these data; the shared instance if it is selectable. Raises `InvalidDeck`."""
        known = self.decks.get(data.name)
        return known if known is not None and known.data == data else self.deck(data)

    @cached_property
    def labels(self) -> dict[str, Labels]:
        """Display names by language: `en` and `de`. What the file leaves out is called as in the code."""
        return completed(self, labels(self.home))

    @cached_property
    def lesson(self) -> Lesson | None:
        """The guided first game; None if there is none."""
        return lesson(self.home)

    @cached_property
    def boxes(self) -> tuple[RuleBox, ...]:
        """The rules for people; empty if there are none."""
        return boxes(self.home)

    def captions(self, deck: Deck[Any]) -> dict[str, dict[str, str]]:
        """What each card of the deck does, by language and card."""
        templates = captions(self.home)
        return {language: self.caption(deck.data, templates.get(language, {})) for language in self.labels}

    def card_names(self, deck: Deck[Any], language: str) -> dict[str, str]:
        """What to call the cards of the deck that views show by ids, by id. Several can have the same name."""
        template = captions(self.home).get(language, {}).get("name")
        if template is None:
            return {}
        words = self.labels[language]
        return {card.id: filled(words, template, card, ()) for card in deck.data.cards}

    def outcome(self, state: S) -> Result | None:
        """The result, with the teams; None until the game is over."""
        found = self.result(state)
        if found is None or self.teams is None:
            return found
        return structs.replace(found, teams=self.teams(len(found.scores)))

    @cached_property
    def open_events(self) -> frozenset[type[Any]]:
        """The event types without hidden fields. A set lookup is faster than `isinstance` with a Struct."""
        return frozenset([kind for kind in get_args(self.event) if issubclass(kind, Open)])

    @cached_property
    def undealt_events(self) -> frozenset[type[Any]]:
        """The event types that do not start a dealer step."""
        return frozenset([kind for kind in get_args(self.event) if not issubclass(kind, Dealing)])

    @cached_property
    def evolvers(self) -> Mapping[type[Any], Callable[[S, E], S]]:
        """`evolve` by event type."""
        evolve = self.evolve
        return evolve.functions if isinstance(evolve, Dispatch) else defaultdict(lambda: evolve)

    @cached_property
    def _seeing(self) -> Mapping[type[Any], tuple[Callable[[S, E], S], Callable[[Viewer, E], E] | None]]:
        """By event type: `evolve`, and `redact`, which open events do not need."""
        redact = self.redact
        redactors = redact.functions if isinstance(redact, Redact) else defaultdict(lambda: flipped(redact))
        return {
            kind: (self.evolvers[kind], None if kind in self.open_events else redactors[kind])
            for kind in get_args(self.event)
        }

    # Loops: Python calls its own functions faster than the standard library's `reduce` does.
    def fold(self, state: S, events: Iterable[E]) -> S:
        evolvers = self.evolvers
        for event in events:
            state = evolvers[type(event)](state, event)
        return state

    def view(self, state: S, events: Iterable[E], viewer: Viewer) -> S:
        """The viewer's state after the events, from the `initial` state or from the viewer's earlier state."""
        seeing = self._seeing
        for event in events:
            evolve, redact = seeing[type(event)]
            state = evolve(state, event if redact is None else redact(viewer, event))
        return state

    def settle(
        self, state: S, chance: Callable[[str, int], Chance], dealt: Mapping[str, int]
    ) -> tuple[S, list[E], Sequence[Seat], Mapping[str, int]]:
        """All dealer steps that are due: the state after them, their events, the seats that have a legal move then, and
        the numbers of steps.

        `chance` gives the random numbers of a step by the type of its event and the number of such steps before, which
        `dealt` has. Nothing is dealt while a seat has a legal move.
        """
        events: list[E] = []
        while not (acting := self.to_act(state)) and (due := self.deal(state, UNDRAWN)):
            kind = step_of(due[0])
            news = self.deal(state, chance(kind, dealt.get(kind, 0)))
            assert type(news[0]) is type(due[0]), "the type of a step's event follows from the state"
            state, events, dealt = self.fold(state, news), events + news, one_more(dealt, kind)
        return state, events, acting, dealt


UNDRAWN = Undrawn()


def step_of(event: Any) -> str:
    """The name of the dealer step that begins with this event."""
    assert isinstance(event, Dealing), "a step of the dealer begins with a Dealing"
    return str(event.__struct_config__.tag)


def one_more(dealt: Mapping[str, int], kind: str) -> Mapping[str, int]:
    """The numbers of dealer steps by their event, after one more of this kind."""
    return {**dealt, kind: dealt.get(kind, 0) + 1}
