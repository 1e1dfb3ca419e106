"""The JSON bodies that are alike for all rulesets; what differs (options, moves, events, views) is a parameter."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import urlencode

from msgspec import UNSET, Meta, UnsetType

from domain.game import Cause, Entropy, Hex, Parent, Player, Status
from domain.log import Entry
from domain.messages import Value
from domain.player import Name
from domain.ruleset import Result, Seat

N = TypeVar("N")  # the numbers of seats of a ruleset,
D = TypeVar("D")  # the names of its decks,
O = TypeVar("O")  # its options,
V = TypeVar("V")  # its state as a view,
M = TypeVar("M")  # the union of its moves,
E = TypeVar("E")  # and the union of its events
T = TypeVar("T")

SeatNumber = Annotated[int, Meta(ge=0, le=1000, description="A place at the game, counted from 0.")]


# --- what is sent to us ---


class NewPlayer(Value, forbid_unknown_fields=True):
    """A guest who wants to play, or a player who wants to be called otherwise."""

    name: Name


class NewGame(Value, Generic[N, D, O], forbid_unknown_fields=True, kw_only=True):
    """What is agreed before a game is opened."""

    seats: Annotated[N, Meta(description="How many will play.")]
    options: O | UnsetType = UNSET
    deck: Annotated[D, Meta(description="By name; the ruleset's first deck by default.")] | UnsetType = UNSET
    private: Annotated[bool, Meta(description="Seen and joined by its players and holders of its invite only.")] = False
    hotseat: Annotated[bool, Meta(description="You play all seats: for one screen, analysis, tests.")] = False
    sit: Annotated[bool, Meta(description="Sit down at seat 0 at once.")] = True
    entropy: Entropy = ""


class NewBranch(Value, forbid_unknown_fields=True):
    """From where to go on."""

    at: Annotated[int, Meta(ge=1, description="The version of the finished game; within a move, from its end.")]


class NewSeat(Value, forbid_unknown_fields=True):
    """Where to sit down: at the first free seat if none is named."""

    seat: SeatNumber | None = None
    entropy: Entropy = ""


# --- what we send ---


class Identity(Value):
    """A player and the token that proves it is you. Keep it: whoever has it plays in your name."""

    id: str
    name: str
    token: str


class Chair(Value):
    """A seat, and who sits there."""

    seat: Seat
    player: Player | None
    entropy: str


class DeckNamed(Value):
    """Which deck a game is played with, and where its list of cards comes from."""

    name: str
    provenance: str


class GameLinks(Value):
    """Where the parts of a game are."""

    self: str
    seats: str
    moves: str
    events: str
    deck: str


class GameResource(Value, Generic[O, V, M], kw_only=True):
    """A game as the caller sees it. `view` is null before it begins; hidden cards in it are null."""

    id: str
    ruleset: str
    rules: Annotated[str, Meta(description="The ruleset and the version of its rules that this game is played by.")]
    status: Status
    created_at: str
    version: Annotated[int, Meta(description="How many events have happened.")]
    head: Annotated[Hex, Meta(description="The hash that stands for all events up to this version: a receipt.")]
    commitment: Annotated[Hex, Meta(description="The hash of the secret that all deals follow from.")]
    options: O
    deck: DeckNamed
    private: bool
    hotseat: bool
    seats: tuple[Chair, ...]
    you: Annotated[Seat | None, Meta(description="The caller's seat.")]
    to_act: Annotated[tuple[Seat, ...], Meta(description="The seats that have a choice now.")]
    decision: Annotated[int | None, Meta(description="The version at which the caller's present choice arose.")]
    view: V | None
    legal_moves: Annotated[list[M], Meta(description="All that the caller may do now; each can be posted as it is.")]
    result: Result | None
    cause: Annotated[Cause | UnsetType, Meta(description="Why the game was aborted, if it was.")] = UNSET
    parent: Annotated[Parent | UnsetType, Meta(description="Of a branch: the game that it continues.")] = UNSET
    imported: Annotated[bool | UnsetType, Meta(description="It was played elsewhere and came as a record.")] = UNSET
    invite: Annotated[
        str | UnsetType, Meta(description="For members of a private game: what others need to see and join it.")
    ] = UNSET
    links: GameLinks


class LegalMoves(Value, Generic[M]):
    """All that a seat may do now."""

    version: int
    seat: Seat
    decision: int | None
    legal_moves: list[M]


class Moved(Value, Generic[O, V, M, E], kw_only=True):
    """A move was made: its events as the mover sees them, and the game after it unless `Prefer: return=minimal`."""

    version: int
    head: Hex
    events: list[Entry[E]]
    game: GameResource[O, V, M] | UnsetType = UNSET


class Page(Value, Generic[T]):
    """A part of a list, and where it goes on; null at its end."""

    items: list[T]
    next: str | None


@lru_cache(maxsize=4096)  # the same for a whole game, as are the links
def chairs(players: tuple[Player | None, ...], entropies: tuple[str, ...]) -> tuple[Chair, ...]:
    seats = zip(players, entropies, strict=True)
    return tuple([Chair(number, player, entropy) for number, (player, entropy) in enumerate(seats)])


@lru_cache(maxsize=4096)
def links(place: str, ruleset: str, deck: str) -> GameLinks:
    """Of the game at that place, with that deck."""
    return GameLinks(
        self=place,
        seats=f"{place}/seats",
        moves=f"{place}/moves",
        events=f"{place}/events",
        deck=f"/v1/rulesets/{ruleset}/decks/{deck}",
    )


@lru_cache(maxsize=1024)  # imported games bring decks of their own
def deck_named(name: str, provenance: str) -> DeckNamed:
    return DeckNamed(name, provenance)


def url(path: str, query: Mapping[str, Any]) -> str:
    """The URL with those parameters that are not None."""
    return f"{path}?" + urlencode({key: value for key, value in query.items() if value is not None})


def link_header(following: str | None) -> dict[str, str]:
    """For clients that page by the `Link` header."""
    return {} if following is None else {"Link": f'<{following}>; rel="next"'}
