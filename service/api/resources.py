"""The JSON bodies of requests and responses. Types of a ruleset (options, moves, events, views) are type parameters."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import urlencode

from msgspec import UNSET, Meta, UnsetType

from domain.game import Absent, Cause, Deal, Entropy, Game, Hex, Matter, Parent, Status, Undo
from domain.game.clock import SECOND, Clock
from domain.game.log import Hashed
from domain.game.timekeeping import Times
from domain.messages import Value
from domain.player import ID, LONGEST_ID, Face, FaceName, Name, Player, PlayerId
from domain.ruleset import BotName, Result, Seat, Tally
from projections.patches import Patch
from projections.players import Played
from projections.results import Results
from service.api.description import DeckNamed
from service.clock import text_of
from service.identity.players import Roster

N = TypeVar("N")  # the allowed numbers of players, and lists of who plays
A = TypeVar("A")  # what can happen when a player leaves
D = TypeVar("D")  # the names of the decks
O = TypeVar("O")  # the options
V = TypeVar("V")  # the state as a view
M = TypeVar("M")  # the union of the moves
E = TypeVar("E")  # the union of the events
T = TypeVar("T")

CODE = r"^[0-9a-f]{32}$(?!\n)"


# --- requests ---


class RegistrationRequest(Value, forbid_unknown_fields=True):
    """A new guest."""

    name: Name
    face: Face | UnsetType | None = UNSET
    """The face that others see; null or absent: none."""
    bot: bool = False
    """The player is a program. That is shown wherever the player is, and cannot be changed."""


class PlayerChanges(Value, forbid_unknown_fields=True):
    """The fields of a player that change; those that are absent stay."""

    name: Name | UnsetType = UNSET
    """The new name. Not for players of a site."""
    face: Face | UnsetType | None = UNSET
    """The new face; null: none."""


class HandOverCode(Value, forbid_unknown_fields=True):
    """A code to exchange for a token."""

    code: Annotated[str, Meta(pattern=CODE, description="The code: 32 hexadecimal digits.")]


class SignOut(Value, forbid_unknown_fields=True):
    """A code that the device that signs out everywhere exchanges for its next token."""

    code: Annotated[str, Meta(pattern=CODE)]
    """128 random bits as 32 hexadecimal digits, chosen by the client."""


class KeptSeat(Value, forbid_unknown_fields=True):
    """A seat that is kept for a player until they take it or decline."""

    player: Annotated[str, Meta(pattern=rf"^{ID}$(?!\n)", max_length=LONGEST_ID, description="The id of the player.")]


class GameRequest(Value, Generic[N, D, O, A], forbid_unknown_fields=True, kw_only=True):
    """The terms of a new game."""

    seats: Annotated[
        N,
        Meta(
            description="The number of seats, or a list of who each seat is for: `me` (the opener), `open` (anybody), "
            "the name of a bot, or another player."
        ),
    ]
    absent: (
        Annotated[
            A,
            Meta(
                description="The bot that goes on when a player leaves the running game, or `abort`, which ends the "
                "game. Default: the ruleset's best bot. Not for hotseat games, which nobody can leave."
            ),
        ]
        | UnsetType
    ) = UNSET
    options: O | UnsetType = UNSET
    """The options of the game. Default: the ruleset's defaults."""
    deck: Annotated[D, Meta(description="The name of a deck. Default: the ruleset's first deck.")] | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET
    """The time for choices. Default: it is not limited. Not for hotseat games."""
    undo: (
        Annotated[
            Literal["free", "agreed", "none"],
            Meta(
                description="The moves that can be taken back: those that revealed nothing (`free`), also others if "
                "all players agree (`agreed`), or none. Default: `free`."
            ),
        ]
        | UnsetType
    ) = UNSET
    private: bool = False
    """Only members and holders of the invite code can see and join the game."""
    hotseat: bool = False
    """The opener plays all seats: for pass-and-play, analysis and tests."""
    sit: Annotated[
        bool,
        Meta(
            description="The opener takes seat 0; with a list of `seats`, the seat `me`. With `false` the opener takes "
            "a seat later, or not at all. With a list without `me` the opener does not sit. In a sealed game the "
            "seat is kept for the opener, who takes it with a seal."
        ),
    ] = True
    entropy: Entropy = ""
    sealed: Annotated[
        bool,
        Meta(
            description="Nobody sees an entropy before all are fixed: players sit down with a `seal`, and open their "
            "entropy when all seats are taken. Not for hotseat games, nor together with `entropy`."
        ),
    ] = False
    puzzles: Annotated[
        bool,
        Meta(
            description="Positions of the game may become puzzles, without names. Players agree by sitting down. Not "
            "for private and hotseat games."
        ),
    ] = False
    hints: Annotated[
        bool, Meta(description="The player can ask for hints. Only if all seats but one are for bots.")
    ] = False


# --- responses ---


class Identity(Value):
    """A player and their token. Keep the token secret: it authorizes every action of the player."""

    id: str
    """The id of the player."""
    name: str
    """The display name."""
    token: str
    """The bearer token."""
    face: FaceName | UnsetType = UNSET
    bot: bool | UnsetType = UNSET
    """True if the player is a program; absent otherwise."""


class IssuedCode(Value):
    """A code that can be exchanged for a token of the caller, once. Keep it secret."""

    code: str
    """32 hexadecimal digits: 128 random bits."""
    expires_at: str
    """The time at which it expires (RFC 3339, UTC)."""


class SeatAssignment(Value):
    """A seat, its player (null: free, or a bot's), and the player's entropy for the shuffles."""

    seat: Seat
    player: Player | None
    """The player; null while the seat is free, or of a bot."""
    entropy: str
    """The text that the player contributes to the shuffles. Empty in a sealed game until they are ready."""
    seal: str | UnsetType = UNSET
    """The hash of the player's entropy, in a sealed game that has not begun. Absent otherwise."""
    ready: bool | UnsetType = UNSET
    """True if the player has opened their entropy in such a game. Absent otherwise."""
    bot: BotName | UnsetType = UNSET
    """The bot that plays the seat. Absent otherwise."""
    gone: bool | UnsetType = UNSET
    """True if the player has left the running game and the bot goes on. Absent otherwise."""
    reserved: Player | UnsetType = UNSET
    """The player for whom the free seat is kept. Absent otherwise."""


class SeatClock(Value):
    """The time that a seat has left."""

    left: int
    """Milliseconds in the bank. While `runs_out` is not null: when the current choice arose."""
    reserve: Annotated[int, Meta(description="Milliseconds in the reserve, as of the same time.")]
    runs_out: Annotated[
        str | None,
        Meta(
            description="The time at which the seat has used all its time, delay and reserve included (RFC 3339, UTC). "
            "Null while it has no choice."
        ),
    ]


class GameClock(Clock, kw_only=True):
    """The time for choices, in whole seconds, and what each seat has left. All times are absolute, so they change only
    with the version."""

    seats: Annotated[tuple[SeatClock, ...], Meta(description="By seat, what it has left.")]


class Question(Value):
    """A question to all players, which is decided when all who are present have agreed."""

    on: Matter
    """The question: to abort the game, or to take back a move."""
    seat: Seat
    """The seat that asked."""
    yes: tuple[Seat, ...]
    """The seats that have agreed, in order."""
    to: Annotated[int | UnsetType, Meta(description="The version to which an undo would go back.")] = UNSET


CurrentVersion: TypeAlias = Annotated[int, Meta(description="The version of the game now.")]
ToAct: TypeAlias = Annotated[tuple[Seat, ...], Meta(description="The seats that must act, rising.")]


class Situation(Value, Generic[M], kw_only=True):
    """The choices of the caller in a game now."""

    version: CurrentVersion
    status: Status
    """The status of the game."""
    you: Seat | None
    """The seat of the caller, or of their perspective; null: a bystander."""
    to_act: ToAct
    decision: int | None
    """The version since which the choice of the seat exists; null: it has none."""
    legal_moves: list[M]
    """All of them; each can be sent as it is."""
    result: Result | None
    """Null until the game is finished."""
    cause: Cause | UnsetType = UNSET
    """The reason why the game was aborted; absent otherwise."""
    seats: tuple[SeatAssignment, ...] | UnsetType = UNSET
    """The seats with their players. Absent if nothing has changed since the last one."""
    clock: GameClock | UnsetType = UNSET
    undo: int | UnsetType | None = UNSET
    """The last version of the caller's move that they can take back without asking, or null; absent if the game has no
    undo."""
    vote: Question | UnsetType = UNSET
    """The open question. Absent if there is none."""


class Profile(Value):
    """A player's public profile. `name` is null for a former player."""

    id: PlayerId
    name: str | None
    """The display name; null for a former player."""
    games: tuple[Played, ...]
    """The numbers of the games by ruleset and status."""
    results: tuple[Results, ...]
    """The results of the games that count in the standings, by ruleset."""
    face: FaceName | UnsetType = UNSET
    bot: bool | UnsetType = UNSET
    """True if the player is a program; absent otherwise."""


class GameLinks(Value):
    """URLs of the parts of a game."""

    self: str
    """The game."""
    seats: str
    """Take a seat."""
    moves: str
    """List legal moves, make a move."""
    events: str
    """List or stream the events."""
    deck: str
    """The cards of the deck."""


class GameResource(Value, Generic[O, V, M], kw_only=True):
    """A game as the caller may see it. `view` is null before the game begins; hidden cards in it are null."""

    id: str
    """The id of the game."""
    ruleset: str
    """The name of the ruleset."""
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules, such as `name/1`.")]
    status: Status
    """`waiting` for players, `running`, `finished` with a result, or `aborted` without one."""
    created_at: str
    """The time at which the game was opened (RFC 3339, UTC)."""
    version: Annotated[int, Meta(description="The number of events so far.")]
    head: Annotated[Hex, Meta(description="The hash of all events up to this version.")]
    commitment: Annotated[Hex, Meta(description="The hash of the secret from which all deals are derived.")]
    options: O
    """The options of the game."""
    deck: DeckNamed
    """The deck of the game."""
    private: bool
    """Only members and holders of the invite see the game."""
    hotseat: bool
    """One player has all seats."""
    absent: Absent | UnsetType = UNSET
    """The bot that goes on when a player leaves the running game, or `abort`. Absent if they cannot leave."""
    sealed: bool | UnsetType = UNSET
    """True: players seal their entropies, and open them when all seats are taken. Absent otherwise."""
    puzzles: bool | UnsetType = UNSET
    """True: positions of the game may become puzzles, without names; sitting down agrees to it. Absent otherwise."""
    hints: bool | UnsetType = UNSET
    """True: the player, who is alone with bots, can ask for hints. Absent otherwise."""
    clock: GameClock | UnsetType = UNSET
    """The time for choices. Absent: it is not limited."""
    undo_mode: Undo | UnsetType = UNSET
    """The moves that can be taken back: those that revealed nothing, or also others by agreement. Absent: none."""
    undo: Annotated[
        int | UnsetType | None,
        Meta(
            description="The last version of the caller's move that they can take back without asking, or null. "
            "Absent if no move can be taken back in this game."
        ),
    ] = UNSET
    vote: Question | UnsetType = UNSET
    """The open question. Absent if there is none."""
    rematch_of: str | UnsetType = UNSET
    """The id of the game that this one repeats. Absent in other games."""
    deal: Deal | UnsetType = UNSET
    """The deal that the game has in common with others. Absent once its secret is revealed: until then the cards stay
    hidden, also when the game is over."""
    seats: tuple[SeatAssignment, ...]
    """The seats in order, from 0."""
    you: Annotated[Seat | None, Meta(description="The caller's seat.")]
    to_act: Annotated[tuple[Seat, ...], Meta(description="The seats that must act now.")]
    decision: Annotated[int | None, Meta(description="The version since which the caller's current choice exists.")]
    view: V | None
    """The table as this perspective may see it; null before the game begins."""
    legal_moves: Annotated[list[M], Meta(description="All legal moves of the caller. Each can be posted unchanged.")]
    tally: Tally | UnsetType | None = UNSET
    """The points that the cards count now, with `with=tally`; null before the game begins. Absent otherwise."""
    result: Result | None
    """The result; null until the game is finished."""
    cause: Cause | UnsetType = UNSET
    """The reason why the game was aborted. Absent otherwise."""
    parent: Parent | UnsetType = UNSET
    """The game that this branch continues. Absent in other games."""
    imported: bool | UnsetType = UNSET
    """True if the game was imported from a record. Absent otherwise."""
    invite: str | UnsetType = UNSET
    """The code for others to see and join a private game. For members only."""
    links: GameLinks
    """URLs of the parts of the game."""


class LegalMoves(Value, Generic[M]):
    """All legal moves of a seat."""

    version: int
    """The number of events so far."""
    seat: Seat
    """The seat that has these moves."""
    decision: int | None
    """The version since which the current choice exists; null without a choice."""
    legal_moves: list[M]
    """All legal moves. Each can be posted unchanged."""


class Moved(Value, Generic[O, V, M, E], kw_only=True):
    """The result of a move: its events as the mover may see them, and the game after it unless `Prefer: return=minimal`
    was sent."""

    version: int
    """The number of events after the move."""
    head: Hex
    """The hash of all events up to this version."""
    events: list[Hashed[E, M]]
    """The events of the move, as the mover may see them."""
    game: GameResource[O, V, M] | UnsetType = UNSET
    """The game after the move. Absent with `Prefer: return=minimal`."""


class EventItem(Hashed[E, M], Generic[E, M], kw_only=True):
    """An event in a page or stream."""

    patch: Annotated[
        Patch | UnsetType,
        Meta(
            description="The JSON Patch (RFC 6902), with `with=patch`, from the `view` of the version before to that "
            "of this version. Absent otherwise."
        ),
    ] = UNSET
    tally: Annotated[
        Tally | UnsetType | None,
        Meta(
            description="The points that the cards count at this version, with `with=tally`, if they differ from those "
            "at the version before; null before the game begins. Absent otherwise."
        ),
    ] = UNSET


class CheckResult(Value):
    """The result of one check. `ok` is null if it could not run; `version` is the first version with an error."""

    name: str
    """The name of the check, as in the table of the documentation."""
    ok: bool | None
    """True: the check succeeded; null: it could not run."""
    version: int | None
    """The version of the first event with an error; null if there is none, or if no event is to blame."""
    detail: str | UnsetType = UNSET
    """Details of the result. Present only when the game is over."""


class Audit(Value):
    """The result of verifying the stored log with the secret. When the game is over, clients can run the same checks
    with the record."""

    id: str
    """The id of the game."""
    ruleset: str
    """The name of the ruleset."""
    version: Annotated[int, Meta(description="The number of verified events.")]
    head: Hex | None
    """The head of the last verified event; null if the log cannot be read."""
    ok: Annotated[bool, Meta(description="True if every check ran and succeeded.")]
    checks: tuple[CheckResult, ...]
    """All checks, in the order in which they ran."""


class PageResource(Value, Generic[T]):
    """A page of a list. `next` is the URL of the next page, or null on the last one."""

    items: list[T]
    """The items in order."""
    next: str | None
    """The URL of the next page; null on the last one."""


MAX_ASSIGNMENTS = 64
"""Seat assignments of the same players that stay in memory. They stay the same for a whole game."""


def seat_assignments(roster: Roster, seen: Game) -> tuple[SeatAssignment, ...]:
    """The seats of the game. `roster` is that of its `people`."""
    key: Any = (seen.entropies, seen.bots, seen.gone) if seen.bots else seen.entropies
    if seen.seals:
        key = (key, seen.seals, seen.ready)
    found: tuple[SeatAssignment, ...] | None = roster.assignments.get(key)
    if found is None:
        found = tuple([_seat_assignment(roster, seen, seat) for seat in range(len(seen.players))])
        if len(roster.assignments) >= MAX_ASSIGNMENTS:
            roster.assignments.clear()
        roster.assignments[key] = found
    return found


def _seat_assignment(roster: Roster, seen: Game, seat: Seat) -> SeatAssignment:
    kept = roster.players[len(seen.players) + seat] if seen.kept else None
    return SeatAssignment(
        seat, roster.players[seat], seen.entropies[seat],
        seal=(seen.seals and seen.seals[seat]) or UNSET, ready=seat in seen.ready or UNSET,
        bot=seen.bot_at(seat) or UNSET, gone=seat in seen.gone or UNSET, reserved=kept or UNSET,
    )  # fmt: skip


def question(seen: Game) -> Question | UnsetType:
    asked = seen.question
    return UNSET if asked is None else Question(asked.on, asked.seat, asked.yes, asked.to)


def game_clock(times: Times) -> GameClock:
    clock = times.clock
    seats = [
        SeatClock(dial.bank // MILLISECOND, dial.reserve // MILLISECOND, None if over is None else text_of(over))
        for dial, over in zip(times.dials, map(times.runs_out, range(len(times.dials))), strict=True)
    ]
    return GameClock(clock.bank, clock.increment, clock.delay, clock.reserve, seats=tuple(seats))


MILLISECOND = SECOND // 1000
"""Microseconds."""


@lru_cache(maxsize=4096)  # links stay the same for a whole game
def links(url: str, ruleset: str, deck: str) -> GameLinks:
    return GameLinks(
        self=url,
        seats=f"{url}/seats",
        moves=f"{url}/moves",
        events=f"{url}/events",
        deck=f"/v1/rulesets/{ruleset}/decks/{deck}",
    )


@lru_cache(maxsize=1024)  # not unbounded: imported games have decks of their own
def deck_named(name: str, provenance: str) -> DeckNamed:
    return DeckNamed(name, provenance)


def with_query(path: str, query: Mapping[str, Any]) -> str:
    """The URL of the path with the parameters that are not None."""
    return f"{path}?" + urlencode({key: value for key, value in query.items() if value is not None})


def link_header(next_page: str | None) -> dict[str, str]:
    """The `Link` header with the URL of the next page; empty on the last page."""
    return {} if next_page is None else {"Link": f'<{next_page}>; rel="next"'}
