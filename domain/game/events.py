"""The events that every game has, whatever its ruleset, and the terms in the first one."""

from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar, Union

from msgspec import UNSET, Meta, UnsetType

from domain.deck import DeckData
from domain.game.clock import MAX_BANK, Clock
from domain.messages import Event, Value
from domain.player import PlayerId
from domain.ruleset import BotName, Result, Ruleset, Seat

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

Seal = Annotated[
    str,
    Meta(
        pattern=r"^[0-9a-f]{64}$(?!\n)",
        description="The hash of the entropy that the seat of a sealed game opens when all seats are taken, in "
        "lower-case hex.",
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


class Deal(Value, forbid_unknown_fields=True):
    """Games of one deal have the same secret and so the same cards. Their cards stay hidden until all of them are over,
    or until `until`."""

    id: str
    """The id of the deal: that of its first game, or any other UUID."""
    until: str
    """The time at which all games of the deal are over at the latest (RFC 3339, UTC, six decimals)."""
    tables: Annotated[int, Meta(ge=2)] | UnsetType = UNSET
    """The number of games of the deal. Absent: any number."""


class SeatTerms(Value):
    """The player whom a seat is for. Without fields it is open to everybody."""

    bot: Annotated[BotName | UnsetType, Meta(description="The bot that plays the seat, `NAME/VERSION`.")] = UNSET
    player: Annotated[PlayerId | UnsetType, Meta(description="The only player who can take the seat.")] = UNSET


OPEN = SeatTerms()

Absent: TypeAlias = BotName | Literal["abort"]
"""What happens when a player leaves a running game: the bot that goes on, or `abort`."""

Undo: TypeAlias = Literal["free", "agreed"]
"""The moves that can be taken back: those that revealed nothing (`free`), or also others if all players agree."""

Matter: TypeAlias = Literal["abort", "undo"]
"""What players can vote on: to abort the game, or to take back a move."""


Status: TypeAlias = Literal["waiting", "running", "finished", "aborted"]


class Opened(Event, Generic[O, D]):
    """The terms of the game, and the secret from which all deals follow."""

    protocol: Literal["stammtisch/1"]
    """The fairness protocol that the game follows."""
    ruleset: str
    """The name of the ruleset."""
    rules: str
    """The ruleset and the version of its rules, `NAME/N`."""
    description: Hex
    """The hash of the published description of these rules."""
    seats: int
    """The number of seats."""
    options: O
    """The options of the ruleset, all of them."""
    deck: D
    """The whole deck, so that the record needs nothing else."""
    private: bool
    """True: only players and those who have the invitation code can see the game."""
    hotseat: bool
    """True: the opener plays all seats."""
    opener: PlayerId
    """The player who opened the game. They need not have a seat."""
    commitment: Hex
    """The hash of the secret, which all deals follow from."""
    secret: Hex | None
    """The secret that all deals follow from. Null for everybody until the game is over."""
    parent: Parent | UnsetType = UNSET
    longest: Longest | UnsetType = UNSET
    places: Annotated[tuple[SeatTerms, ...] | UnsetType, Meta(description="By seat. Absent: all are open.")] = UNSET
    absent: Absent | UnsetType = UNSET
    """The bot that goes on when a player leaves the running game, or `abort`. Absent: they cannot leave."""
    clock: Annotated[Clock | UnsetType, Meta(description="The time for choices. Absent: it is not limited.")] = UNSET
    undo: Annotated[
        Undo | UnsetType,
        Meta(
            description="The moves that can be taken back: those that revealed nothing (`free`), or also others if "
            "all players agree (`agreed`). Absent: none."
        ),
    ] = UNSET
    rematch_of: Annotated[str | UnsetType, Meta(description="The id of the game that this one repeats.")] = UNSET
    deal: Annotated[Deal | UnsetType, Meta(description="The deal that the game has in common with others.")] = UNSET
    sealed: Annotated[bool | UnsetType, Meta(description="True: entropies are sealed. Absent: they are not.")] = UNSET
    puzzles: Annotated[
        bool | UnsetType,
        Meta(
            description="True: positions of the game may become puzzles, without names. Players agree by sitting down. "
            "Absent: they may not."
        ),
    ] = UNSET
    hints: Annotated[
        bool | UnsetType,
        Meta(description="True: the player, who is alone with bots, can ask for hints. Absent: nobody can."),
    ] = UNSET


class Agreed(Value, kw_only=True):
    """The terms that players agree to by sitting down, besides seats, options and deck. `Opened` describes them: it has
    each of them as a field of its own, because the order of its fields is hashed."""

    private: bool = False
    hotseat: bool = False
    longest: int | UnsetType = UNSET
    places: tuple[SeatTerms, ...] | UnsetType = UNSET
    absent: Absent | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET
    undo: Undo | UnsetType = UNSET
    deal: Deal | UnsetType = UNSET
    sealed: bool | UnsetType = UNSET
    puzzles: bool | UnsetType = UNSET
    hints: bool | UnsetType = UNSET


NO_MORE = Agreed()
"""A public game of people, without a limit."""


def agreement(opened: Opened[Any, Any]) -> Agreed:
    return Agreed(**{name: getattr(opened, name) for name in Agreed.__struct_fields__})


class Joined(Event):
    """A player took a seat."""

    seat: Seat
    """The seat that was taken."""
    player: PlayerId
    """The player who took it."""
    entropy: Entropy
    seal: Seal | UnsetType = UNSET


class Readied(Event):
    """The player opened the entropy that they sealed. When all have, the game begins."""

    seat: Seat
    """The seat that is ready."""
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
    moved: Annotated[bool, Meta(description="True: the player has made a move in this game.")]
    cause: Literal["left", "expired"]
    """The reason: the player left, or ran out of time."""
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
    """The time given, in seconds."""


class Resumed(Event):
    """The service can take moves again. For the time that it could not, each seat with a choice gets as much into its
    reserve."""

    milliseconds: Annotated[int, Meta(ge=1, lt=2**53)]
    """The time, since the latest event, in which no process of the service could take a move."""


class Voted(Event):
    """A player voted. The first `yes` asks the question. It is decided when all players who are present have said yes;
    a no ends it. So does any move, and anybody's leaving; a question of `abort` outlives moves."""

    seat: Seat
    """The seat that voted."""
    on: Matter
    """The question: to abort the game, or to take back a move."""
    yes: bool
    """True: the player agrees."""
    to: Annotated[
        int | UnsetType, Meta(description="The version to which `undo` would take the game back. Absent otherwise.")
    ] = UNSET


class TakenBack(Event):
    """The seat took back its move: what the rules made happen after version `to` does not stand. `agreed`: all players
    said yes; otherwise the move had revealed nothing."""

    seat: Seat
    """The seat whose move it was."""
    to: Annotated[int, Meta(ge=1, description="The version whose table is back.")]
    agreed: bool
    """True: all players said yes. False: the move had revealed nothing."""


class Hinted(Event):
    """The player at the seat asked for a hint about their choice. It is recorded before the hint is given."""

    seat: Seat
    """The seat that asked."""


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
    unready: tuple[Seat, ...] | UnsetType = UNSET
    """The seats that did not ready, in a sealed game that expired although all seats were taken. Absent otherwise."""


class Revealed(Event):
    """The secret is public: from now on nothing is redacted and every deal can be verified. The last event."""

    secret: Hex
    """The secret that all deals followed from; its hash is the commitment."""


LIFECYCLE = frozenset((
    Opened, Joined, Left, Declined, Readied, Begun, Gone, Rejoined, Granted, Resumed, Voted, TakenBack, Hinted,
    Ended, Aborted, Revealed,
))  # fmt: skip
"""The events that every game has. All others belong to the ruleset."""

RESERVED_EVENTS = frozenset({kind.__struct_config__.tag for kind in LIFECYCLE}) | {
    "sealed", "dealt_again", "restored", "signed", "noted",
}  # fmt: skip
"""The names that no event of a ruleset can have: later protocols may use some of them for every game."""


def event_type(rules: Rules) -> Any:
    """The union of all events of a game with these rules."""
    opened: Any = Opened[rules.options, rules.deck.data_type]  # type: ignore[name-defined]
    return Union[  # noqa: UP007 - a chain of `|` makes 15 types more, for each ruleset at each start
        opened, Joined, Left, Declined, Readied, Begun, Gone, Rejoined, Granted, Resumed, Voted, TakenBack, Hinted,
        Ended, Aborted, Revealed, rules.event,
    ]  # fmt: skip
