"""The aggregate: one play of a ruleset, from `opened` to the last event.

It holds the players, the terms, and the secret from which all deals follow; the ruleset holds the cards. Like a ruleset
it has `evolve` and `redact`, so the laws about a ruleset's views hold for the whole game. Every function takes the
ruleset as its first argument.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain.cards import put
from domain.clock import MAX_BANK, Clock
from domain.deck import DeckData
from domain.fairness.chain import commitment
from domain.fairness.chance import Chance, Dealer, Dice
from domain.messages import Dealing, Event, Value
from domain.player import PlayerId
from domain.ruleset import BotName, InvalidSetup, Result, Ruleset, Seat, Viewer

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
    """The id of the continued game."""
    at: int
    """The version from which the branch goes on."""
    root: str
    """The id of the first game in the line of branches."""


class SeatTerms(Value):
    """Who a seat is for. Without fields it is open to everybody."""

    bot: Annotated[BotName | UnsetType, Meta(description="The bot that plays the seat, `NAME/VERSION`.")] = UNSET
    player: Annotated[PlayerId | UnsetType, Meta(description="The only player who can take the seat.")] = UNSET


OPEN = SeatTerms()

Absent: TypeAlias = BotName | Literal["abort"]
"""What happens when a player leaves a running game: the bot that goes on, or `abort`."""

Undo: TypeAlias = Literal["free", "agreed"]
"""Which moves can be taken back: those that told nobody anything (`free`), or also others if all players agree."""

Matter: TypeAlias = Literal["abort", "undo"]
"""What players can vote on: to abort the game, or to take back a move."""


# --- events -------------------------------------------------------------------------------------------------------


class Opened(Event, Generic[O, D]):
    """The terms of the game, and the secret from which all deals follow."""

    ruleset: str
    """The name of the ruleset."""
    rules: str
    """The ruleset and the version of its rules, `NAME/N`."""
    seats: int
    """How many seats the game has."""
    options: O
    """The options of the ruleset, all of them."""
    deck: D
    """The whole deck, so that the record needs nothing else."""
    private: bool
    """Whether only players and those who have the invitation code can see the game."""
    hotseat: bool
    """Whether the opener plays all seats."""
    opener: PlayerId
    """The player who opened the game. They need not have a seat."""
    commitment: Hex
    """The hash of the secret, which all deals follow from."""
    secret: Hex | None
    """What all deals follow from. Null for everybody until the game is over."""
    parent: Parent | UnsetType = UNSET
    longest: Longest | UnsetType = UNSET
    places: Annotated[tuple[SeatTerms, ...] | UnsetType, Meta(description="By seat. Absent: all are open.")] = UNSET
    absent: Annotated[
        Absent | UnsetType,
        Meta(
            description="When a player leaves the running game: the bot that goes on, or `abort`. Absent: they cannot."
        ),
    ] = UNSET
    clock: Annotated[Clock | UnsetType, Meta(description="The time for choices. Absent: it is not limited.")] = UNSET
    undo: Annotated[
        Undo | UnsetType,
        Meta(
            description="Which moves can be taken back: those that told nobody anything (`free`), or also others if "
            "all players agree (`agreed`). Absent: none."
        ),
    ] = UNSET
    rematch_of: Annotated[str | UnsetType, Meta(description="The id of the game that this one repeats.")] = UNSET


class Joined(Event):
    """A player took a seat."""

    seat: Seat
    """The seat that was taken."""
    player: PlayerId
    """The player who took it."""
    entropy: Entropy


class Left(Event):
    """The player left the seat before the game began."""

    seat: Seat
    """The seat that is free again."""


class Declined(Event):
    """The player for whom the seat was kept does not want it. From now on it is open to everybody."""

    seat: Seat
    """The seat that was kept."""


class Begun(Event):
    """All seats are taken; the game begins."""


class Gone(Event):
    """The player at the seat has left the running game, or has run out of time. From now on the bot plays; without one
    the game is aborted."""

    seat: Seat
    """The seat that the player has left."""
    moved: Annotated[bool, Meta(description="Whether the player has made a move in this game.")]
    cause: Annotated[
        Literal["left", "expired"], Meta(description="Why the player is gone: they left, or ran out of time.")
    ]
    bot: BotName | UnsetType = UNSET
    """The bot that plays from now on. Absent: the game is aborted."""


class Rejoined(Event):
    """The player is back at the seat and plays again."""

    seat: Seat
    """The seat that the player has taken again."""


class Granted(Event):
    """Another player gave the seat time. It goes into the reserve."""

    seat: Seat
    """The seat that got the time."""
    seconds: Annotated[int, Meta(ge=1, le=MAX_BANK)]
    """How many seconds were given."""


class Voted(Event):
    """A player voted. The first `yes` asks the question. It is decided when all players who are present have said yes;
    a no ends it. So does any move, and anybody's leaving; a question of `abort` outlives moves."""

    seat: Seat
    """The seat that voted."""
    on: Matter
    """What the question is: to abort the game, or to take back a move."""
    yes: bool
    """Whether the player agrees."""
    to: Annotated[int | UnsetType, Meta(description="Of `undo`: the version to which the game would go back.")] = UNSET


class TakenBack(Event):
    """The seat took back its move: what the rules made happen after version `to` does not stand. `agreed`: all players
    said yes; otherwise the move had told nobody anything."""

    seat: Seat
    """The seat whose move it was."""
    to: Annotated[int, Meta(ge=1, description="The version whose table is back.")]
    agreed: bool
    """Whether all players said yes. Otherwise the move had told nobody anything."""


class Ended(Event):
    """The game has a result."""

    result: Result
    """The final scores and the winners."""


Cause: TypeAlias = Literal["left", "cancelled", "expired", "longest", "absent", "operator", "agreed"]
"""Why a game is aborted: the last player left before it began, the opener cancelled it, it waited too long for players,
it reached its maximum length, players left while it ran (all of them, or one and the terms say so), the operator of the
service ended it, or all players agreed."""


class Aborted(Event, omit_defaults=True):
    """The game is over without a result. `cause` is absent for `left`: the last player left before it began."""

    cause: Cause = "left"


class Revealed(Event):
    """The secret is public: from now on nothing is redacted and every deal can be verified. The last event."""

    secret: Hex
    """What all deals followed from; its hash is the commitment."""


LIFECYCLE = frozenset(
    (Opened, Joined, Left, Declined, Begun, Gone, Rejoined, Granted, Voted, TakenBack, Ended, Aborted, Revealed)
)
"""The events that every game has. All others belong to the ruleset."""


def event_type(rules: Rules) -> Any:
    """The union of all events of a game with these rules."""
    opened: Any = Opened[rules.options, rules.deck.data_type]  # type: ignore[name-defined]
    before_end: Any = opened | Joined | Left | Declined | Begun | Gone | Rejoined | Granted | Voted | TakenBack
    return before_end | Ended | Aborted | Revealed | rules.event


# --- state --------------------------------------------------------------------------------------------------------

Status: TypeAlias = Literal["waiting", "running", "finished", "aborted"]


ENDLESS = 2**63 - 1
"""The maximum length of a game without a limit: no version is higher."""


REACH = 256
"""The number of the ruleset's latest events that can be taken back."""


class Table(Value):
    """The table at a version, from which the events that followed can be folded again."""

    version: int
    state: Any
    dealt: int
    played: int


class Vote(Value):
    """An open question. `seat` asked it; the seats in `yes` have agreed. `to` as in `Voted`."""

    on: Matter
    seat: Seat
    to: int | UnsetType
    yes: tuple[Seat, ...]
    played: int
    """The number of the ruleset's events when it was asked."""


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
    played: int = 0
    """The number of the ruleset's events so far."""
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
    bots: tuple[BotName | None, ...] = ()
    """By seat, the bot that plays it now. Empty if people play all seats."""
    gone: tuple[Seat, ...] = ()
    """The seats whose players have left the running game, in order."""
    departures: tuple[Seat, ...] = ()
    """Those seats, once for each time, also of players who came back."""
    kept: tuple[PlayerId | None, ...] = ()
    """By seat, the player for whom it is kept until they take a seat or decline. Empty if none is."""
    expired: tuple[Seat, ...] = ()
    """Those of `gone` whose players ran out of time."""
    granted: tuple[int, ...] = ()
    """By seat, the seconds that other players gave it. Empty if there were none."""
    tables: tuple[Table, ...] | None = None
    """What an undo folds from: a table behind which it never goes, and maybe a later one, `REACH` events of the ruleset
    after it. None if nothing can be taken back. A move is never free once the dealer has dealt, so without agreement
    the first one moves on to each dealer step."""
    since: tuple[Any, ...] = ()
    """The events of the ruleset that stand since the first of `tables`: fewer than twice `REACH`."""
    versions: tuple[int, ...] = ()
    """The versions of the events in `since`, rising."""
    taken_back: tuple[Seat, ...] = ()
    """The seats that took back moves, once for each."""
    asked: tuple[Seat, ...] = ()
    """The seats that asked questions, once for each."""
    vote: Vote | None = None
    """The latest question. See `question`."""

    def bot_at(self, seat: Seat) -> BotName | None:
        """The bot that plays the seat now."""
        return self.bots[seat] if self.bots else None

    @property
    def free(self) -> tuple[Seat, ...]:
        """The seats without player and bot."""
        return tuple([seat for seat, player in enumerate(self.players) if player is None and not self.bot_at(seat)])

    @property
    def people(self) -> tuple[str | None, ...]:
        """The ids of the players at the seats, then of those for whom seats are kept."""
        return self.players + self.kept

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats whose players have not left the running game."""
        return tuple([seat for seat, player in enumerate(self.players) if player is not None and seat not in self.gone])

    @property
    def question(self) -> Vote | None:
        """The question that is open. A move ends that of an undo."""
        vote = self.vote
        if vote is None or self.status != "running" or (vote.on == "undo" and vote.played != self.played):
            return None
        return vote

    def place(self, version: int) -> int | None:
        """The place in `since` of the event that followed this version, if an undo can go back to the version."""
        place = bisect_left(self.versions, version + 1)
        if place == len(self.versions) or self.versions[place] > version + 1 or len(self.since) - place > REACH:
            return None
        return None if agreed(self).undo == "free" and isinstance(self.since[place], Dealing) else place

    def kept_for(self, player: str) -> tuple[Seat, ...]:
        """The seats that are kept for the player, who has not taken one yet: one at most."""
        return tuple([seat for seat, kept in enumerate(self.kept) if kept == player])

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
        return _played(rules, game, (event,))
    version = game.version + 1
    match event:
        case Opened():
            nobody = (None,) * event.seats
            longest = ENDLESS if event.longest is UNSET else event.longest
            entropies = ("",) * event.seats
            return replace(
                game, version=version, terms=event, players=nobody, entropies=entropies, longest=longest,
                bots=bots_of(event), kept=kept_by(event), tables=None if event.undo is UNSET else (),
            )  # fmt: skip
        case Joined(seat, player, entropy):
            players, entropies = put(game.players, seat, player), put(game.entropies, seat, entropy)
            return replace(
                game, version=version, players=players, entropies=entropies, kept=_without(game.kept, player)
            )
        case Declined(seat):
            return replace(game, version=version, kept=_without(game.kept, game.kept[seat]))
        case Left(seat):
            sat = game.players[seat]
            stood_up = game.stood_up if sat is None else (*game.stood_up, sat)
            players, entropies = put(game.players, seat, None), put(game.entropies, seat, "")
            return replace(game, version=version, players=players, entropies=entropies, stood_up=stood_up)
        case Begun():
            return replace(game, version=version, status="running", state=initial(rules, game), stood_up=())
        case Gone(seat, cause=cause, bot=bot):
            bots = put(game.bots or (None,) * len(game.players), seat, None if bot is UNSET else bot)
            gone, departures = (*game.gone, seat), (*game.departures, seat)
            expired = (*game.expired, seat) if cause == "expired" else game.expired
            return replace(
                game, version=version, bots=bots, gone=gone, departures=departures, expired=expired, vote=None
            )
        case Rejoined(seat):
            gone = tuple([other for other in game.gone if other != seat])
            expired = tuple([other for other in game.expired if other != seat])
            return replace(game, version=version, bots=put(game.bots, seat, None), gone=gone, expired=expired)
        case Granted(seat, seconds):
            granted = game.granted or (0,) * len(game.players)
            return replace(game, version=version, granted=put(granted, seat, granted[seat] + seconds))
        case Voted():
            return _voted(replace(game, version=version), event)
        case TakenBack(seat, to):
            return gone_back(rules, replace(game, version=version, taken_back=(*game.taken_back, seat), vote=None), to)
        case Ended(result):
            return replace(game, version=version, status="finished", result=result)
        case Aborted(cause):
            return replace(game, version=version, status="aborted", cause=cause)
        case Revealed():
            tables = None if game.tables is None else ()
            return replace(game, version=version, revealed=True, tables=tables, since=(), versions=())
    raise TypeError(f"{type(event).__name__} is not known")


def _voted(game: Game, voted: Voted) -> Game:
    question = game.question
    if not voted.yes:
        return replace(game, vote=None)
    if question is not None:
        return replace(game, vote=replace(question, yes=(*question.yes, voted.seat)))
    asked = Vote(voted.on, voted.seat, voted.to, (voted.seat,), game.played)
    return replace(game, vote=asked, asked=(*game.asked, voted.seat))


def gone_back(rules: Rules, game: Game, to: int) -> Game:
    """The game with the table of version `to`. Everything else stays: players, clocks, bots, versions.

    Raises ValueError if the game does not reach back to that version.
    """
    place = game.place(to)
    if place is None or not game.tables:
        raise ValueError(f"nothing can be taken back to version {to}")
    first = game.tables[0].played
    tables = tuple([table for table in game.tables if table.played <= first + place])
    table, stands = tables[-1], game.since[:place]
    begin = replace(game, state=table.state, dealt=table.dealt, played=table.played, tables=None, since=(), versions=())
    back = fold(rules, begin, stands[table.played - first :])
    return replace(back, version=game.version, tables=tables, since=stands, versions=game.versions[:place])


def fold(rules: Rules, game: Game, events: Sequence[Any]) -> Game:
    """The game after the events. Between lifecycle events only the ruleset's state is folded."""
    if rules.undealt_events.issuperset(map(type, events)):  # as in most appends
        return _undealt(rules, game, events)
    played: list[Any] = []
    for event in events:
        if type(event) in LIFECYCLE:
            game, played = evolve(rules, _played(rules, game, played), event), []
        else:
            played.append(event)
    return _played(rules, game, played)


def _played(rules: Rules, game: Game, events: Sequence[Any]) -> Game:
    """The game after these events of the ruleset."""
    begin = 0
    for number, event in enumerate(events):
        if isinstance(event, Dealing):
            game = _undealt(rules, game, events[begin:number])
            game = _dealt(game, (event,), rules.evolve(game.state, event))
            begin = number + 1
    return _undealt(rules, game, events[begin:])


def _undealt(rules: Rules, game: Game, events: Sequence[Any]) -> Game:
    """The game after these events of the ruleset. None of them may start a dealer step."""
    tables, happened = game.tables, len(events)
    if tables is not None and (not tables or happened > tables[-1].played + REACH - game.played):
        while events:
            game = _with_room(game)
            room = _room(game)
            game, events = _undealt(rules, game, events[:room]), events[room:]
        return game
    if not events:
        return game
    state, version, played = rules.fold(game.state, events), game.version + happened, game.played + happened
    if tables is None:
        return replace(game, version=version, state=state, played=played)
    since, versions = game.since + tuple(events), game.versions + tuple(range(game.version + 1, version + 1))
    return replace(game, version=version, state=state, played=played, since=since, versions=versions)


def _dealt(game: Game, events: Sequence[Any], state: Any) -> Game:
    """The game after events that begin a dealer step, and no other one; at most as many as `_room`. `state` is the
    ruleset's state after them."""
    tables, since = game.tables, tuple(events)
    versions = tuple(range(game.version + 1, game.version + 1 + len(since)))
    if tables is None:
        since = versions = ()
    elif agreed(game).undo == "free":  # nothing goes back behind the deal
        tables = (_table(game),)
    else:
        game = _with_room(game)
        tables, since, versions = game.tables, game.since + since, game.versions + versions
    return replace(
        game, version=game.version + len(events), state=state, dealt=game.dealt + 1,
        played=game.played + len(events), tables=tables, since=since, versions=versions,
    )  # fmt: skip


def _room(game: Game) -> int:
    """The number of the ruleset's events that can follow before the game keeps another table."""
    return (game.tables[-1].played + REACH - game.played if game.tables else 0) or REACH


def _with_room(game: Game) -> Game:
    """The game with room for the next event. If there is none, it keeps this table, and drops what no undo reaches."""
    kept = game.tables or ()
    if kept and kept[-1].played + REACH > game.played:
        return game
    beyond = kept[-1].played - kept[0].played if kept else 0
    return replace(game, tables=(*kept[-1:], _table(game)), since=game.since[beyond:], versions=game.versions[beyond:])


def _table(game: Game) -> Table:
    return Table(game.version, game.state, game.dealt, game.played)


def bots_of(opened: Opened[Any, Any]) -> tuple[BotName | None, ...]:
    """By seat, the bot that plays it from the beginning; empty if there is none."""
    if opened.places is UNSET:
        return ()
    bots = tuple([None if place.bot is UNSET else place.bot for place in opened.places])
    return bots if any(bots) else ()


def kept_by(opened: Opened[Any, Any]) -> tuple[PlayerId | None, ...]:
    """By seat, the player for whom it is kept when the game is opened; empty if none is."""
    if opened.places is UNSET:
        return ()
    kept = tuple([None if place.player is UNSET else place.player for place in opened.places])
    return kept if any(kept) else ()


def standing(events: Sequence[Any]) -> list[bool]:
    """For each event from the first one of a game on whether it stands: whether nobody has taken it back."""
    stands = [True] * len(events)
    for number, event in enumerate(events):
        if type(event) is TakenBack:
            for taken in range(event.to, number):
                stands[taken] = stands[taken] and type(events[taken]) in LIFECYCLE
    return stands


def stands(events: Sequence[Any]) -> list[Any]:
    """The events that stand: the game's events without those that were taken back, and without the taking back."""
    return [
        event for event, stood in zip(events, standing(events), strict=True) if stood and type(event) is not TakenBack
    ]


def _without(kept: tuple[PlayerId | None, ...], player: str | None) -> tuple[PlayerId | None, ...]:
    """The reservations without that of the player."""
    if player not in kept:
        return kept
    rest = tuple([None if each == player else each for each in kept])
    return rest if any(rest) else ()


def redact(rules: Rules, event: Any, viewer: Viewer) -> Any:
    if type(event) in rules.open_events:
        return event
    if type(event) not in LIFECYCLE:
        return rules.redact(event, viewer)
    return replace(event, secret=None) if isinstance(event, Opened) else event


def shown(rules: Rules, events: Iterable[Any], viewer: Viewer) -> list[Any]:
    """The events as the viewer sees them."""
    open_events = rules.open_events
    return [event if type(event) in open_events else redact(rules, event, viewer) for event in events]


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


class Reserved(Exception):
    """The seat is kept for another player; or all free seats are."""


class CannotRejoin(Exception):
    """The player has not left this seat, or has left it too often."""


class CannotGrant(Exception):
    """The seat cannot be given this time. The message says why. `most` is what it can be given, in seconds."""

    def __init__(self, why: str, most: int = 0) -> None:
        super().__init__(why)
        self.most = most


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


Bots: TypeAlias = Callable[[Game, Seat, Sequence[Any]], Any]
"""The move of the bot at a seat that is to act: (the game, the seat, the events of this append so far)."""


def unseen(seat: Seat) -> Any:
    """For decisions in which no bot can be to act."""
    raise AssertionError(f"a bot at seat {seat} is to act, and nobody said what it sees")


def seeing(rules: Rules, before: Game, sight: Callable[[Seat], Game] = unseen) -> Bots:
    """Bots that choose from what their seats see, and from nothing else.

    `sight` is the game `before` the append as a seat sees it. It is asked for the seats of bots that choose in this
    append.
    """
    views: dict[Seat, tuple[Game, int]] = {}  # by seat: its view, and the number of events of the append in it

    def choose(game: Game, seat: Seat, caused: Sequence[Any]) -> Any:
        view, known = views.get(seat) or (sight(seat) if before.state is not None else before, 0)
        view = fold(rules, view, [redact(rules, event, seat) for event in caused[known:]])
        views[seat] = view, len(caused)
        return bots_choice(rules, game, seat, view.state)

    return choose


def bots_choice(rules: Rules, game: Game, seat: Seat, view: Any) -> Any:
    """The move that the bot at the seat chooses from this view."""
    bot = game.bot_at(seat)
    assert bot is not None
    moves = rules.legal(view, seat)
    return moves[rules.bots[bot](view, seat, moves, dice(game, seat))]


def dice(game: Game, seat: Seat) -> Chance:
    """The random numbers of the choice that the bot at the seat has now."""
    return Dice(secret_of(game), dealing_id(game), game.entropies, seat, game.played)


def later(_game: Game, _seat: Seat, _caused: Sequence[Any]) -> Any:
    """As the `bots` of a decision: their choices are left to `answered`."""
    raise AssertionError("these choices are left to `answered`")


def decision(
    rules: Rules, game: Game, events: Iterable[Any], by: tuple[Seat | None, ...], chosen: Any = UNSET,
    bots: Bots | None = None,
) -> Decision:  # fmt: skip
    """These events, caused by the seats in `by`, and all events that follow without a player's move.

    `chosen` is the move that caused the events, if it was a move. Bots choose their moves here, so afterwards no bot is
    to act while the game runs. `bots` is `seeing`, with the views of the game; it is not needed before the game begins.
    With `later` the decision ends before the first choice of a bot.
    """
    decided = _without_bots(rules, game, events, by, chosen)
    if decided.game.bots and bots is not later:
        bots = bots or seeing(rules, game)
        while bot_to_act(decided) is not None:
            decided = answered(rules, decided, bots)
    return decided


def bot_to_act(decided: Decision) -> Seat | None:
    """The seat of the bot that has to choose next: the lowest one. None if no bot is to act."""
    return next(filter(decided.game.bot_at, decided.acting), None) if decided.game.bots else None


def answered(rules: Rules, decided: Decision, bots: Bots) -> Decision:
    """The decision with the choice of the next bot, and the events that follow without another choice."""
    game, seat = decided.game, bot_to_act(decided)
    assert seat is not None, "no bot is to act"
    move = bots(game, seat, decided.events)
    events = rules.decide(game.state, seat, move)
    more = _without_bots(rules, game, events, (seat,) * len(events), move)
    return Decision(
        more.game, decided.events + more.events, decided.by + more.by, decided.moves + more.moves, more.acting
    )


def _without_bots(
    rules: Rules, game: Game, events: Iterable[Any], by: tuple[Seat | None, ...], chosen: Any
) -> Decision:
    """The decision up to the first choice of a bot."""
    caused = list(events)
    after = fold(rules, game, caused)
    acting = to_act(rules, after)
    if acting and after.version < after.longest:  # as after most moves: nothing follows
        return Decision(after, tuple(caused), by, (chosen,) + (UNSET,) * (len(caused) - 1), acting)
    if after.status == "waiting" and not after.free:
        caused.append(Begun())
        after = evolve(rules, after, Begun())
    if after.status == "running":
        after, acting = _settled(rules, after, caused)
        if (result := rules.result(after.state)) is not None:
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
    by += (None,) * (happened - len(by))
    moves = (chosen,) + (UNSET,) * (happened - 1)
    return Decision(after, tuple(caused), by, moves, acting)


def _settled(rules: Rules, game: Game, caused: list[Any]) -> tuple[Game, tuple[Seat, ...]]:
    """The game after all dealer steps that are due, and who acts then; their events are added to `caused`."""
    state, dealt, acting = rules.settle(game.state, lambda step: chance(game, step), game.dealt)
    if not dealt:
        return game, tuple(acting)
    caused += dealt
    if len(dealt) > _room(game) or sum([isinstance(event, Dealing) for event in dealt]) > 1:
        return _played(rules, game, dealt), tuple(acting)
    return _dealt(game, dealt, state), tuple(acting)


def initial(rules: Rules, game: Game) -> Any:
    """The ruleset's state before the first event."""
    terms = agreed(game)
    return rules.initial(terms.seats, terms.options, rules.deck_of(terms.deck))


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
    places: tuple[SeatTerms, ...] | UnsetType = UNSET, absent: Absent | UnsetType = UNSET,
    clock: Clock | UnsetType = UNSET, undo: Undo | UnsetType = UNSET, rematch_of: str | UnsetType = UNSET,
) -> Opened[Any, Any]:  # fmt: skip
    """The event that opens a game. Raises `InvalidSetup` if seats, options, deck, places, `absent` and clock do not go
    together.

    `longest` is the number of events after which a game that is not over is aborted; without it there is no limit.
    `places` says who each seat is for; without it all seats are open.
    """
    if seats not in rules.seats:
        raise InvalidSetup(f"A game has {rules.seats[0]} to {rules.seats[-1]} seats, not {seats}.")
    rules.initial(seats, options, rules.deck_of(deck))
    opened = Opened(
        rules.name, rules.rules, seats, options, deck, private, hotseat, opener, commitment(secret).hex(), secret.hex(),
        longest=longest, places=places, absent=absent, clock=clock, undo=undo, rematch_of=rematch_of,
    )  # fmt: skip
    if wrong := misplaced(rules, opened):
        raise InvalidSetup(wrong)
    return opened


def repeated(
    rules: Rules, finished: Game, opener: str, secret: bytes, former: Collection[str],
    longest: int | UnsetType = UNSET,
) -> Opened[Any, Any]:  # fmt: skip
    """The event that opens a rematch: the same terms and players, with the seats rotated by one. The bots that played
    from the beginning play again. Seats of `former` players are open."""
    before = agreed(finished)
    bots = bots_of(before) or (None,) * before.seats
    places = [
        SeatTerms(bot=bot) if bot else OPEN if player is None or player in former else SeatTerms(player=player)
        for bot, player in zip(bots, finished.players, strict=True)
    ]
    return terms(
        rules, before.seats, before.options, before.deck, opener, secret, private=before.private, longest=longest,
        places=(*places[1:], places[0]), absent=before.absent, clock=before.clock, undo=before.undo,
        rematch_of=finished.id,
    )  # fmt: skip


def misplaced(rules: Rules, opened: Opened[Any, Any]) -> str | None:
    """Why the places, `absent` or the clock of the terms are not valid; None if they are."""
    places, absent = opened.places, opened.absent
    if opened.clock is not UNSET and opened.hotseat:
        return "A hotseat game has no clock."
    if opened.clock is not UNSET and absent is UNSET:
        return "With a clock, `absent` must say who goes on for a player who runs out of time."
    if absent is not UNSET and absent != "abort" and absent not in rules.bots:
        return f"There is no bot {absent}."
    if places is UNSET:
        return "In a hotseat game nobody can leave." if opened.hotseat and absent is not UNSET else None
    if opened.hotseat:
        return "In a hotseat game one player has all seats."
    if len(places) != opened.seats:
        return f"There are {len(places)} places for {opened.seats} seats."
    bots = [place.bot for place in places if place.bot is not UNSET]
    players = [place.player for place in places if place.player is not UNSET]
    if unknown := [bot for bot in bots if bot not in rules.bots]:
        return f"There is no bot {unknown[0]}."
    if any(place.bot is not UNSET and place.player is not UNSET for place in places):
        return "A place is for a bot or for a player, not for both."
    if len(bots) == len(places):
        return "A game has at least one seat for a player."
    return "A player has one place." if len(players) > len(dict.fromkeys(players)) else None


def open_game(
    rules: Rules, game_id: str, opened: Opened[Any, Any], *, sit: bool, entropy: str, bots: Bots | None = None
) -> Decision:
    """Open a game. The opener takes a seat if `sit`: the one that is kept for them, else the first open one. In a
    hotseat game the opener takes every seat. Raises `SeatTaken` if all other seats are kept for others.
    """
    joined: list[Joined] = []
    if opened.hotseat:
        joined = [Joined(seat, opened.opener, entropy) for seat in range(opened.seats)]
    elif sit:
        seats = seats_of_opener(opened)
        if not seats:
            raise SeatTaken
        joined = [Joined(seats[0], opened.opener, entropy)]
    return decision(rules, Game(game_id), [opened, *joined], (None, *(each.seat for each in joined)), bots=bots)


def seats_for(game: Game, player: str) -> Sequence[Seat]:
    """The free seats that the player with this id can take: first the one that is kept for them."""
    if not game.kept:
        return game.free
    own = [seat for seat in game.free if game.kept[seat] == player]
    return own + [seat for seat in game.free if game.kept[seat] is None]


def seats_of_opener(opened: Opened[Any, Any]) -> Sequence[Seat]:
    """The seats that the opener can take when the game is opened: first the one that is kept for them.

    Never raises, also for terms that are not valid.
    """
    if opened.places is UNSET:
        return range(opened.seats)
    own = [seat for seat, place in enumerate(opened.places) if place.player == opened.opener]
    return own + [seat for seat, place in enumerate(opened.places) if place == OPEN]


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
    opened = replace(
        agreed(past), hotseat=True, opener=player, parent=parent, longest=longest,
        places=UNSET, absent=UNSET, clock=UNSET, undo=UNSET, rematch_of=UNSET,
    )  # fmt: skip
    joined = [Joined(seat, player, entropy) for seat, entropy in enumerate(past.entropies)]
    played = [
        each for each, stood in zip(zip(events, by, moves, strict=True), standing(events), strict=True)
        if stood and type(each[0]) not in LIFECYCLE
    ]  # fmt: skip
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


def join(rules: Rules, game: Game, player: str, seat: Seat | None, entropy: str, bots: Bots | None = None) -> Decision:
    """Take `seat`; without it the seat that is kept for the player, or the first free one. The game begins when the
    last seat is taken."""
    if game.status != "waiting":
        raise NotWaiting
    if game.seats_of(player):
        raise AlreadySeated
    if game.stood_up.count(player) >= STAND_UPS or len(game.stood_up) >= ALL_STAND_UPS:
        raise TooRestless
    free = seats_for(game, player)
    if seat is None:
        if not free:
            raise Reserved
        seat = free[0]
    if seat not in game.free:
        raise SeatTaken
    if seat not in free:
        raise Reserved
    return decision(rules, game, [Joined(seat, player, entropy)], (seat,), bots=bots)


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


def decline(rules: Rules, game: Game, player: str, seat: Seat) -> Decision:
    """Give up the seat that is kept for the player before the game begins."""
    if seat not in game.kept_for(player):
        raise NotSeated
    if game.status != "waiting":
        raise NotWaiting
    return decision(rules, game, [Declined(seat)], (seat,))


def cancel(rules: Rules, game: Game, player: str) -> Decision:
    """Abort a game that has not begun, at the request of its opener, whether or not seats are taken."""
    if player != agreed(game).opener:
        raise NotOpener
    return _abort(rules, game, "cancelled")


def expire(rules: Rules, game: Game) -> Decision:
    """Abort a game that has waited too long for players. Raises `NotWaiting`."""
    return _abort(rules, game, "expired")


def stop(rules: Rules, game: Game) -> Decision:
    """Abort an unfinished game, as the operator of the service decided. Raises `NotRunning` if it is over."""
    if game.status not in ("waiting", "running"):
        raise NotRunning
    return decision(rules, game, [Aborted("operator")], (None,))


def _abort(rules: Rules, game: Game, cause: Cause) -> Decision:
    if game.status != "waiting":
        raise NotWaiting
    return decision(rules, game, [Aborted(cause)], (None,))


STAYS = 3
"""The departure from a running game after which a player cannot come back to the seat."""


def abandon(rules: Rules, game: Game, player: str, seat: Seat, *, moved: bool, bots: Bots | None = None) -> Decision:
    """Leave the running game. A bot plays on, or the game is aborted, as the terms say; also when no player is left.

    `moved`: whether the player has made a move in this game. Raises `NotWaiting` if the terms let nobody leave.
    """
    if seat not in game.seats_of(player) or seat in game.gone:
        raise NotSeated
    if game.status != "running":
        raise NotRunning
    absent = agreed(game).absent
    if absent is UNSET:
        raise NotWaiting
    gone = Gone(seat, moved, "left", UNSET if absent == "abort" else absent)
    if gone.bot is UNSET or game.present == (seat,):
        return decision(rules, game, [gone, Aborted("absent")], (seat, None))
    return decision(rules, game, [gone], (seat,), bots=bots)


def time_out(
    rules: Rules, game: Game, seats: Sequence[Seat], moved: Collection[Seat], bots: Bots | None = None
) -> Decision:
    """Remove the players of these seats, who have run out of time in this order; in a running game with a clock.

    A bot plays on for each of them, or the game is aborted, as the terms say; also when no player is left. `moved` are
    the seats whose players have made a move.
    """
    absent = agreed(game).absent
    assert absent is not UNSET, "with a clock the terms have `absent`"
    if absent == "abort":
        seats = seats[:1]
    bot = UNSET if absent == "abort" else absent
    events: list[Event] = [Gone(seat, seat in moved, "expired", bot) for seat in seats]
    if bot is UNSET or len(seats) == len(game.present):
        events.append(Aborted("absent"))
    return decision(rules, game, events, (None,) * len(events), bots=bots)


ALL_GRANTS = 4
"""How many banks a seat can be given in all."""


def grant(rules: Rules, game: Game, player: str, seat: Seat, seconds: int, bots: Bots | None = None) -> Decision:
    """Give time to the seat of another player who is present. Raises `CannotGrant`."""
    giver = next(iter(game.seats_of(player)), None)
    if giver is None or giver in game.gone:
        raise NotSeated
    if game.status != "running":
        raise NotRunning
    if wrong := cannot_grant(game, giver, Granted(seat, seconds)):
        raise CannotGrant(wrong, most_granted(game, seat) if seat in game.present and seat != giver else 0)
    return decision(rules, game, [Granted(seat, seconds)], (giver,), bots=bots)


def cannot_grant(game: Game, giver: Seat, granted: Granted) -> str | None:
    """Why the giver cannot give this time; None if it can."""
    if agreed(game).clock is UNSET:
        return "This game has no clock."
    if granted.seat == giver:
        return "Time can be given to another seat only."
    if granted.seat not in game.present:
        return "No player is at this seat."
    most = most_granted(game, granted.seat)
    return None if granted.seconds <= most else f"This seat can be given {most} seconds now."


def most_granted(game: Game, seat: Seat) -> int:
    """The seconds that the seat can be given at once now."""
    clock = agreed(game).clock
    if clock is UNSET:
        return 0
    return min(clock.bank, ALL_GRANTS * clock.bank - (game.granted[seat] if game.granted else 0))


def can_rejoin(game: Game, seat: Seat) -> bool:
    """Whether the player who has left this seat can come back."""
    return game.status == "running" and seat in game.gone and game.departures.count(seat) < STAYS


def rejoin(rules: Rules, game: Game, player: str, seat: Seat, bots: Bots | None = None) -> Decision:
    """Take the seat back from the bot that has played it since the player left."""
    if seat not in game.seats_of(player):
        raise NotSeated
    if game.status != "running":
        raise NotRunning
    if not can_rejoin(game, seat):
        raise CannotRejoin
    return decision(rules, game, [Rejoined(seat)], (seat,), bots=bots)


def move(rules: Rules, game: Game, seat: Seat, chosen: Any, bots: Bots | None = None) -> Decision:
    """Make a move. Raises `Illegal`, and `NotRunning` before the game begins and after it is over."""
    if game.status != "running":
        raise NotRunning
    events = rules.decide(game.state, seat, chosen)
    return decision(rules, game, events, (seat,) * len(events), chosen, bots)


def legal(rules: Rules, game: Game, seat: Seat) -> list[Any]:
    """The legal moves of the seat; none before the game begins and after it is over."""
    return list(rules.legal(game.state, seat)) if game.status == "running" else []


def to_act(rules: Rules, game: Game) -> tuple[Seat, ...]:
    """The seats that have a legal move."""
    return tuple(rules.to_act(game.state)) if game.status == "running" else ()
