"""The aggregate: one play of a ruleset, from `opened` to the last event.

It holds the players, the terms, and the secret from which all deals follow; the ruleset holds the cards. Like a ruleset
it has `evolve` and `redact`, so the laws about a ruleset's views hold for the whole game. Every function takes the
ruleset as its first argument.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.cards import put
from domain.deck import DeckData
from domain.fairness.chain import commitment
from domain.fairness.chance import Chance, Dealer
from domain.messages import Dealing, Event, Value
from domain.player import PlayerId
from domain.ruleset import InvalidSetup, Result, Ruleset, Seat, Viewer

O = TypeVar("O")
D = TypeVar("D", bound=DeckData)

Rules: TypeAlias = Ruleset[Any, Any, Any]

# The pattern is documented, not validated: validating three hashes takes longer than decoding the event.
Hex = Annotated[str, Meta(description="32 bytes in lower-case hex.", extra_json_schema={"pattern": "^[0-9a-f]{64}$"})]
Entropy = Annotated[
    str,
    Meta(
        max_length=64,
        pattern=r"^[ -~]*$(?!\n)",
        description="The contribution of a seat to the shuffles: up to 64 printable ASCII characters, public.",
    ),
]


Longest = Annotated[
    int, Meta(ge=1, description="A game that is not over after this number of events is aborted. Absent: no limit.")
]


class Parent(Value):
    """The game that a branch continues, from its version `at` on. The deals of both derive from the game id `root`."""

    id: str
    at: int
    root: str


# --- events -------------------------------------------------------------------------------------------------------


class Opened(Event, Generic[O, D]):
    """The terms of the game, and the secret from which all deals follow."""

    ruleset: str
    rules: str
    seats: int
    options: O
    deck: D
    private: bool
    hotseat: bool
    opener: PlayerId
    commitment: Hex
    secret: Hex | None
    parent: Parent | UnsetType = UNSET
    longest: Longest | UnsetType = UNSET


class Joined(Event):
    """A player took a seat."""

    seat: Seat
    player: PlayerId
    entropy: Entropy


class Left(Event):
    """The player left the seat before the game began."""

    seat: Seat


class Begun(Event):
    """All seats are taken; the game begins."""


class Ended(Event):
    """The game has a result."""

    result: Result


Cause: TypeAlias = Literal["left", "cancelled", "expired", "longest"]
"""Why a game is aborted: the last player left, the opener cancelled it, it waited too long for players, or it reached
its maximum length."""


class Aborted(Event, omit_defaults=True):
    """The game is over without a result. `cause` is absent for `left`: the last player left before it began."""

    cause: Cause = "left"


class Revealed(Event):
    """The secret is public: from now on nothing is redacted and every deal can be verified. The last event."""

    secret: Hex


LIFECYCLE = frozenset((Opened, Joined, Left, Begun, Ended, Aborted, Revealed))
"""The events that every game has. All others belong to the ruleset."""


def event_type(rules: Rules) -> Any:
    """The union of all events of a game with these rules."""
    opened: Any = Opened[rules.options, rules.deck.data_type]  # type: ignore[name-defined]
    return opened | Joined | Left | Begun | Ended | Aborted | Revealed | rules.event


# --- state --------------------------------------------------------------------------------------------------------

Status: TypeAlias = Literal["waiting", "running", "finished", "aborted"]


ENDLESS = 2**63 - 1
"""The maximum length of a game without a limit: no version is higher."""


class Game(Value):
    """A game after `version` events: the full state, or one viewer's."""

    id: str
    version: int = 0
    status: Status = "waiting"
    terms: Opened[Any, Any] | None = None
    players: tuple[str | None, ...] = ()
    """The ids of the players, by seat."""
    entropies: tuple[str, ...] = ()
    dealt: int = 0
    """The number of dealer steps so far."""
    state: Any = None
    """The ruleset's state; None before the game begins."""
    result: Result | None = None
    revealed: bool = False
    cause: Cause | UnsetType = UNSET
    """Why the game was aborted, if it was."""
    longest: int = ENDLESS
    """The number of events after which a running game is aborted."""
    stood_up: tuple[str, ...] = ()
    """The ids of the players who left, in order, once for each time. Empty once the game has begun."""

    def sits(self, player: str, seat: Seat) -> bool:
        """Whether the player has the seat."""
        return self.players[seat] == player

    def seats_of(self, player: str) -> tuple[Seat, ...]:
        """The seats of the player: none, one, or all seats of a hotseat game."""
        return tuple([seat for seat in range(len(self.players)) if self.sits(player, seat)])


def agreed(game: Game) -> Opened[Any, Any]:
    """The terms of a game that has been opened."""
    assert game.terms is not None
    return game.terms


def evolve(rules: Rules, game: Game, event: Any) -> Game:
    if type(event) not in LIFECYCLE:  # most are not, and the match below would get to them last
        return _played(game, rules.evolve(game.state, event), 1, int(isinstance(event, Dealing)))
    version = game.version + 1
    match event:
        case Opened():
            nobody = (None,) * event.seats
            longest = ENDLESS if event.longest is UNSET else event.longest
            entropies = ("",) * event.seats
            return replace(
                game, version=version, terms=event, players=nobody, entropies=entropies, longest=longest
            )  # fmt: skip
        case Joined(seat, player, entropy):
            players, entropies = put(game.players, seat, player), put(game.entropies, seat, entropy)
            return replace(game, version=version, players=players, entropies=entropies)
        case Left(seat):
            sat = game.players[seat]
            stood_up = game.stood_up if sat is None else (*game.stood_up, sat)
            players, entropies = put(game.players, seat, None), put(game.entropies, seat, "")
            return replace(game, version=version, players=players, entropies=entropies, stood_up=stood_up)
        case Begun():
            terms = agreed(game)
            state = rules.initial(terms.seats, terms.options, rules.deck_of(terms.deck))
            return replace(game, version=version, status="running", state=state, stood_up=())
        case Ended(result):
            return replace(game, version=version, status="finished", result=result)
        case Aborted(cause):
            return replace(game, version=version, status="aborted", cause=cause)
        case Revealed():
            return replace(game, version=version, revealed=True)
    raise TypeError(f"{type(event).__name__} is not known")


def fold(rules: Rules, game: Game, events: Iterable[Any]) -> Game:
    """The game after the events. Between lifecycle events only the ruleset's state is folded."""
    state, happened, dealt = game.state, 0, 0
    on, lifecycle, dealing = rules.evolve, LIFECYCLE, Dealing  # local names: this loop loads long games
    for event in events:
        if type(event) in lifecycle:
            game = evolve(rules, _played(game, state, happened, dealt), event)
            state, happened, dealt = game.state, 0, 0
        else:
            state = on(state, event)
            happened += 1
            if isinstance(event, dealing):
                dealt += 1
    return _played(game, state, happened, dealt)


def _played(game: Game, state: Any, happened: int, dealt: int) -> Game:
    """The game after `happened` more events of the ruleset; `dealt` of them start a dealer step."""
    if not happened:
        return game
    return replace(game, version=game.version + happened, dealt=game.dealt + dealt, state=state)


def redact(rules: Rules, event: Any, viewer: Viewer) -> Any:
    if type(event) in rules.open_events:
        return event
    if type(event) not in LIFECYCLE:
        return rules.redact(event, viewer)
    return replace(event, secret=None) if isinstance(event, Opened) else event


# --- decisions ----------------------------------------------------------------------------------------------------


class NotWaiting(Exception):
    """The game has begun, or is over."""


class NotOpener(Exception):
    """The player did not open the game."""


class TooRestless(Exception):
    """The player, or all players together, left this game too often to join again."""


class NotRunning(Exception):
    """The game has not begun, or is over."""


class NotSeated(Exception):
    """The player does not have this seat."""


class SeatTaken(Exception):
    """The seat is taken, or no seat is free."""


class AlreadySeated(Exception):
    """The player already has a seat in this game."""


class NotFinished(Exception):
    """The game is not over, so its hidden information stays hidden."""


class NothingToContinue(Exception):
    """No branch can begin at that version. The message says why."""


class Decision(Value):
    """The outcome of a command: the game after it, its events, and what belongs to each event.

    `by`: the seat that caused the event (None: no seat). `moves`: the move, where the event is the first that a seat's
    choice caused, otherwise UNSET. `acting`: the seats that have a choice afterwards.
    """

    game: Game
    events: tuple[Any, ...]
    by: tuple[Seat | None, ...]
    moves: tuple[Any, ...]
    acting: tuple[Seat, ...]


def decision(
    rules: Rules, game: Game, events: Iterable[Any], by: tuple[Seat | None, ...], chosen: Any = UNSET
) -> Decision:
    """These events, caused by the seats in `by`, and all events that follow without a move.

    `chosen` is the move that caused the events, if it was a move.
    """
    caused = list(events)
    after = fold(rules, game, caused)
    acting: Sequence[Seat] = ()
    if after.status == "waiting" and None not in after.players:
        caused.append(Begun())
        after = evolve(rules, after, Begun())
    if after.status == "running":
        dealing = after
        state, dealt, acting = rules.settle(after.state, lambda step: chance(dealing, step), after.dealt)
        if dealt:
            steps = sum(isinstance(event, Dealing) for event in dealt)
            after = replace(after, version=after.version + len(dealt), dealt=after.dealt + steps, state=state)
            caused += dealt
        if (result := rules.result(state)) is not None:
            caused.append(Ended(result))
            after = evolve(rules, after, caused[-1])
        elif after.version >= after.longest:
            caused.append(Aborted("longest"))
            after = evolve(rules, after, caused[-1])
    if after.status in ("finished", "aborted"):
        secret = agreed(after).secret
        assert secret is not None
        caused.append(Revealed(secret))
        after = evolve(rules, after, caused[-1])
        acting = ()
    happened = len(caused)
    return Decision(
        after, tuple(caused), by + (None,) * (happened - len(by)), (chosen,) + (UNSET,) * (happened - 1), tuple(acting)
    )


def chance(game: Game, step: int) -> Chance:
    """The random numbers of dealer step `step` of this game."""
    return Dealer(secret_of(game), dealing_id(game), game.entropies, step)


def dealing_id(game: Game) -> str:
    """The game id in the key of the deals. A branch uses that of its root game, so the deals are the same."""
    parent = agreed(game).parent
    return parent.root if isinstance(parent, Parent) else game.id


def secret_of(game: Game) -> bytes:
    secret = agreed(game).secret
    assert secret is not None, "a view does not have the secret"
    return bytes.fromhex(secret)


def terms(
    rules: Rules, seats: int, options: Any, deck: DeckData, opener: str, secret: bytes,
    *, private: bool = False, hotseat: bool = False, longest: int | UnsetType = UNSET,
) -> Opened[Any, Any]:  # fmt: skip
    """The event that opens a game. Raises `InvalidSetup` if seats, options and deck do not go together.

    `longest` is the number of events after which a game that is not over is aborted; without it there is no limit.
    """
    if seats not in rules.seats:
        raise InvalidSetup(f"A game has {rules.seats[0]} to {rules.seats[-1]} seats, not {seats}.")
    rules.initial(seats, options, rules.deck_of(deck))
    return Opened(
        rules.name, rules.rules, seats, options, deck, private, hotseat, opener, commitment(secret).hex(), secret.hex(),
        longest=longest,
    )  # fmt: skip


def open_game(rules: Rules, game_id: str, opened: Opened[Any, Any], *, sit: bool, entropy: str) -> Decision:
    """Open a game. The opener takes seat 0 if `sit`, and every seat of a hotseat game."""
    seats = range(opened.seats) if opened.hotseat else range(int(sit))
    joined = [Joined(seat, opened.opener, entropy) for seat in seats]
    return decision(rules, Game(game_id), [opened, *joined], (None, *seats))


def branch(
    rules: Rules, game_id: str, parent_id: str, events: Sequence[Any], by: Sequence[Seat | None], moves: Sequence[Any],
    player: str, longest: int | UnsetType = UNSET,
) -> Decision:  # fmt: skip
    """Open a branch: a hotseat game that continues a finished game after these first events. `by` and `moves` belong to
    the events as in a `Decision`.

    `events` must end an append. The branch repeats them and has the same hidden cards. These are no secret: everybody
    who has seen the end of the parent can compute all future deals. So a branch is for analysis, not for playing
    against each other. It has its own maximum length, `longest`. Raises `NothingToContinue`.
    """
    past = fold(rules, Game(parent_id), events)
    if past.status != "running":
        when = "had not begun" if past.state is None else "was over"
        raise NothingToContinue(f"At version {past.version} the game {when}.")
    parent = Parent(parent_id, past.version, dealing_id(past))
    opened = replace(agreed(past), hotseat=True, opener=player, parent=parent, longest=longest)
    joined = [Joined(seat, player, entropy) for seat, entropy in enumerate(past.entropies)]
    played = [each for each in zip(events, by, moves, strict=True) if type(each[0]) not in LIFECYCLE]
    again = (opened, *joined, Begun(), *(event for event, _, _ in played))
    seats = (None, *range(opened.seats), None, *(seat for _, seat, _ in played))
    chosen = (UNSET,) * (opened.seats + 2) + tuple(move for _, _, move in played)
    if longest is not UNSET and len(again) >= longest:
        raise NothingToContinue(f"At version {past.version} the game has the maximum length of a branch.")
    after = fold(rules, Game(game_id), again)
    return Decision(after, again, seats, chosen, to_act(rules, after))


STAND_UPS = 10
"""How often a player can leave one game and still join it again."""

ALL_STAND_UPS = 500
"""How often all players together can leave one game. After that nobody can join: a waiting game has a bounded log."""


def join(rules: Rules, game: Game, player: str, seat: Seat | None, entropy: str) -> Decision:
    """Take `seat`, or the first free seat. The game begins when the last seat is taken."""
    if game.status != "waiting":
        raise NotWaiting
    if game.seats_of(player):
        raise AlreadySeated
    if game.stood_up.count(player) >= STAND_UPS or len(game.stood_up) >= ALL_STAND_UPS:
        raise TooRestless
    free = [number for number, occupant in enumerate(game.players) if occupant is None]
    if seat is None:
        seat = free[0]
    if seat not in free:
        raise SeatTaken
    return decision(rules, game, [Joined(seat, player, entropy)], (seat,))


def leave(rules: Rules, game: Game, player: str, seat: Seat) -> Decision:
    """Leave the seat before the game begins. When the last player leaves, the game is aborted with the cause `left`."""
    if seat not in game.seats_of(player):
        raise NotSeated
    if game.status != "waiting":
        raise NotWaiting
    events: list[Event] = [Left(seat)]
    if all(occupant is None for occupant in put(game.players, seat, None)):
        events.append(Aborted())
    return decision(rules, game, events, (seat,) * len(events))


def cancel(rules: Rules, game: Game, player: str) -> Decision:
    """Abort a game that has not begun, at the request of its opener, whether or not seats are taken."""
    if player != agreed(game).opener:
        raise NotOpener
    return _abort(rules, game, "cancelled")


def expire(rules: Rules, game: Game) -> Decision:
    """Abort a game that has waited too long for players. Raises `NotWaiting`."""
    return _abort(rules, game, "expired")


def _abort(rules: Rules, game: Game, cause: Cause) -> Decision:
    if game.status != "waiting":
        raise NotWaiting
    return decision(rules, game, [Aborted(cause)], (None,))


def move(rules: Rules, game: Game, seat: Seat, chosen: Any) -> Decision:
    """Make a move. Raises `Illegal`, and `NotRunning` before the game begins and after it is over."""
    if game.status != "running":
        raise NotRunning
    events = rules.decide(game.state, seat, chosen)
    return decision(rules, game, events, (seat,) * len(events), chosen)


def legal(rules: Rules, game: Game, seat: Seat) -> list[Any]:
    """The legal moves of the seat; none before the game begins and after it is over."""
    return list(rules.legal(game.state, seat)) if game.status == "running" else []


def to_act(rules: Rules, game: Game) -> tuple[Seat, ...]:
    """The seats that have a legal move."""
    return tuple(rules.to_act(game.state)) if game.status == "running" else ()
