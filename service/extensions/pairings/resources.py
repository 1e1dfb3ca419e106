"""The JSON bodies of the routes of pairings."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from domain.game import Absent, Cause, Status
from domain.game.clock import Clock
from domain.messages import Value
from domain.player import Player
from domain.ruleset import BotName, Seat
from service.api.resources import KeptSeat
from service.documents.any_ruleset import Options
from service.extensions.pairings.field import Compared
from service.extensions.pairings.rows import State

MOST = 100
"""Tables of a pairing that somebody opens."""

Time = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$(?!\n)",
        description="RFC 3339 in UTC with six decimals: `2026-01-31T18:00:00.000000Z`.",
    ),
]  # fmt: skip
Place = Annotated[
    str, Meta(max_length=64, description="`me` (who asks for the table), `open` (anybody), or the name of a bot.")
]
DealList: TypeAlias = Literal["people", "guests", "bots"]
"""The list in which a table is compared. At the deal of the day: players of the site and guests who have played for
some days, other guests, and players that are programs. Otherwise all are `people`."""


class NewPairing(Value, kw_only=True, forbid_unknown_fields=True):
    """Tables to open together: a list of them, or the seats of a table that each player asks for."""

    ruleset: Annotated[str, Meta(max_length=64, description="The name of the ruleset.")]
    name: Annotated[str, Meta(max_length=80, description="The name of the pairing.")] = ""
    tables: (
        Annotated[
            list[Annotated[list[KeptSeat | Place], Meta(max_length=16)]],
            Meta(
                min_length=1, max_length=MOST,
                description="The seats of each table: players, for whom they are kept, bots, or `open`. All tables "
                "have as many seats.",
            ),
        ]
        | UnsetType
    ) = UNSET  # fmt: skip
    seats: (
        Annotated[
            list[Place],
            Meta(min_length=2, max_length=16, description="Instead of `tables`: `me` once, the others are bots."),
        ]
        | UnsetType
    ) = UNSET
    most: (
        Annotated[int, Meta(ge=2, le=MOST, description="The number of players who can ask, with `seats`.")] | UnsetType
    ) = UNSET
    deal: Literal["same", "own"] = "own"
    """`same`: all tables play the same cards, which stay hidden until all are over. `own`: each has its own."""
    options: Options = {}
    deck: Annotated[str, Meta(max_length=64)] | UnsetType = UNSET
    """The name of a deck. Default: the ruleset's first deck."""
    absent: Absent | UnsetType = UNSET
    """The bot that goes on when a player leaves a running game, or `abort`. Default: the ruleset's best bot goes on."""
    clock: Clock | UnsetType = UNSET
    """The time for choices. Default: it is not limited."""
    opens_at: Time | UnsetType = UNSET
    """The time at which the tables are opened and players are invited. Default: now."""
    sit_until: Time | UnsetType = UNSET
    """The time at which tables that still wait are aborted. Default: 10 minutes after `opens_at` with a clock of at
    most a day, otherwise 3 days."""
    until: Time | UnsetType = UNSET
    """The time at which all is over and revealed at the latest, with the same deal. Default: in 7 days."""


class SharedDeal(Value):
    """The data that the tables of the same deal have in common."""

    id: Annotated[str, Meta(description="The id of the deal, in the terms of each game.")]
    commitment: Annotated[str, Meta(description="The hash of the secret, in the terms of each game.")]
    secret: Annotated[
        str | None, Meta(description="The secret that all cards follow from; null until everything is over.")
    ]


class PairedSeat(Value):
    """A seat of a table, and who it is for."""

    seat: Seat
    player: Player | None = None
    """The player who sits there or is invited; null: a bot, or nobody."""
    bot: BotName | UnsetType = UNSET
    """The bot that plays the seat; absent otherwise."""
    sitting: bool = False
    """True: the player has sat down."""
    declined: bool | UnsetType = UNSET
    """True if the player who was invited has declined, or has blocked who opened the pairing; absent otherwise."""


class PairedTable(Value, kw_only=True):
    """A table of a pairing. While the deal is sealed, others see only who sits there until their own table is over."""

    number: int
    """The number of the table, from 1."""
    seats: tuple[PairedSeat, ...]
    """The seats in order, from 0."""
    game: Annotated[str | UnsetType, Meta(description="The path of the game.")] = UNSET
    status: Status | UnsetType = UNSET
    """The status of the game."""
    cause: Cause | UnsetType = UNSET
    """The reason why the game was aborted; absent otherwise."""
    standing: DealList | UnsetType = UNSET
    """The list in which the table is compared, with the same deal."""
    points: tuple[int | None, ...] | UnsetType = UNSET
    """By seat: the points, more is better; null for a seat whose player left. Absent without a result."""
    compared: tuple[Compared, ...] | UnsetType = UNSET
    """By seat, with the same deal: the result beside those of the same seat at the other tables of the list."""
    invite: str | UnsetType = UNSET
    """The invite code, once the deal is over, that shows the game and its film."""


class PointsGroup(Value):
    """The number of tables that have these points at the caller's seat."""

    points: int
    """The points, more is better."""
    tables: int
    """The number of tables."""


class DealWeek(Value):
    """The deals of the last seven days."""

    days: int
    """The number of days that were played."""
    ahead_of: float | None
    """The mean of the match points; null if nobody else has a result."""


class OwnSeat(Value, kw_only=True):
    """The caller's own table."""

    game: Annotated[str, Meta(description="The path of the game.")]
    status: Status | None
    """The status of the game; null for a moment while it is opened."""
    seat: Seat | None
    """The caller's seat."""
    row: int | UnsetType = UNSET
    """The place of the caller's table in the list of a deal of the day, from 0."""
    streak: int | UnsetType = UNSET
    """The number of days in a row, up to this one, on which the caller has finished the deal of the day."""
    week: DealWeek | UnsetType = UNSET
    """The seven days up to this one, of a deal of the day."""


class NextDeal(Value):
    """The deal of the next day: its cards are fixed already."""

    day: str
    """The day, `2026-01-31`."""
    commitment: str
    """The hash of the secret of its deal."""


class PairingSummary(Value, kw_only=True):
    """A pairing in a list."""

    id: str
    """The id of the pairing."""
    name: str
    """The name of the pairing; empty for a deal of the day."""
    ruleset: str
    """The name of the ruleset."""
    day: Annotated[str | None, Meta(description="The day of a deal of the day, `2026-01-31`; null for others.")]
    state: State
    """`planned`, `open`, `over`, or `cancelled`: no further table begins."""
    common: bool
    """True: all tables play the same cards."""
    opens_at: str
    """The time at which tables are opened."""
    closes_at: str
    """The time from which on no table begins."""
    you: Annotated[str | None, Meta(description="The path of the caller's game; null without one.")]
    status: Status | None
    """The status of the caller's game; null without one."""


class PairingResource(Value, kw_only=True):
    """Tables that were opened together, as the caller may see them."""

    id: str
    """The id of the pairing."""
    name: str
    """The name of the pairing; empty for a deal of the day."""
    owner: Player | None
    """The player who opened it; null for a deal of the day."""
    ruleset: str
    """The name of the ruleset."""
    rules: str
    """The ruleset and the version of its rules."""
    day: Annotated[str | None, Meta(description="The day of a deal of the day, `2026-01-31`; null for others.")]
    state: State
    """`planned`, `open`, `over`, or `cancelled`: no further table begins."""
    deal: SharedDeal | None
    """The deal that all tables have in common; null if each has its own."""
    places: tuple[str, ...]
    """By seat, of a table that players ask for: `me` or a bot. Empty if the tables are fixed."""
    seats: int
    """The number of seats of each table."""
    options: Options
    """The options of the games."""
    deck: str
    """The name of the deck."""
    clock: Clock | None
    """The time for choices; null if it is not limited."""
    most: int | None
    """The largest number of tables; null: any number."""
    opens_at: str
    """The time at which tables are opened."""
    sit_until: str | None
    """The time at which tables that still wait are aborted."""
    closes_at: str
    """The time from which on no table begins."""
    until: str | None
    """The time at which all is over and revealed at the latest, with the same deal."""
    code: str | None
    """The code that shows the pairing to others: `?invite=`. Null of a deal of the day, which everybody sees."""
    you: OwnSeat | None
    """The caller's own table; null without one."""
    count: int
    """The number of tables."""
    results: int | None
    """The number of tables with a result; null while the caller may not see them."""
    tables: tuple[PairedTable, ...]
    """The tables, first to last. Of a deal of the day: 50 of the list at most, best first, around the caller's, or
    from `?start=` on; only the caller's own while the results are hidden."""
    standing: DealList = "people"
    """The list of a deal of the day to which `tables`, `groups` and `listed` belong."""
    listed: int | None = None
    """The number of tables in the list of a deal of the day; null while the results are hidden."""
    groups: tuple[PointsGroup, ...] = ()
    """The numbers of tables of the list by their points at the seat `me`, best first, with the same deal."""
    next: NextDeal | None = None
    """The next deal of the day. Keep it to check it tomorrow."""


class PairingChange(Value):
    """A change of a pairing, in its live stream."""

    state: State
    """`planned`, `open`, `over`, or `cancelled`: no further table begins."""
    deal: SharedDeal | None
    """The deal that all tables have in common; null if each has its own."""
    tables: tuple[PairedTable, ...]
    """The tables that have changed, as the caller may see them now."""


class PairingDifference(Value):
    """The first choice in which two tables of the same deal differ. The view at `versions` is what the seat saw, and
    the events after them are what it chose."""

    same: int
    """The number of choices before it that are the same, or do the same with cards that look alike to the seat."""
    seat: Seat | None
    """The seat that chose; null: no choice differs until one of the games ends."""
    legal: int | None
    """The number of moves that the seat could make."""
    versions: tuple[int, int] | None
    """The version of each game before the choice."""


class OwnTable(Value):
    """The caller's own table of a pairing."""

    pairing: str
    """The id of the pairing."""
    game: Annotated[str, Meta(description="The path of the game.")]
    id: str
    """The id of the game."""
