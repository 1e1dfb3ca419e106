"""The messages of the play channel. `service.channel.asyncapi` writes their document from these types.

A client sends requests. Each has an `id`, which its answer repeats. All other messages come without a request.
"""

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Raw, UnsetType

from domain.game import Hex, Status
from domain.game.commands import SeatNumber
from domain.messages import Value, snake
from domain.player import LONGEST_ID, Player
from domain.ruleset import Seat
from projections.lobby import LobbyGame
from service.api.operations import OPERATIONS, InChannel, Operation, exchanges
from service.api.resources import CurrentVersion, Situation, ToAct
from service.field_docs import FIELDS_OF

M = TypeVar("M")  # a move
E = TypeVar("E")  # an entry of the log
P = TypeVar("P")  # a problem document

RequestId: TypeAlias = Annotated[
    Annotated[str, Meta(max_length=64)] | Annotated[int, Meta(ge=-(2**53), le=2**53)],
    Meta(description="Chosen by the client; the answer repeats it."),
]
GameName = Annotated[
    str,
    Meta(max_length=200, description="The ruleset and the id of a game, separated by a slash."),
]
Viewpoint: TypeAlias = Annotated[
    SeatNumber | Literal["bystander", "all"] | None,
    Meta(description="The perspective, as `?as=` in REST. Null or absent: the caller's own."),
]
Version = Annotated[int, Meta(ge=0, lt=10**15, description="A version of the game.")]
Key = Annotated[
    str,
    Meta(
        pattern=r"^[!-~]{1,128}$(?!\n)",
        description="The idempotency key: 1 to 128 visible ASCII characters, as `Idempotency-Key` in REST.",
    ),
]
OptionalKey: TypeAlias = Annotated[
    Key | None, Meta(description="The idempotency key. With it the request can be repeated safely.")
]
Invite: TypeAlias = Annotated[
    Annotated[str, Meta(max_length=64)] | None,
    Meta(description="The invite code of a private game, which callers without a seat need."),
]
CommittedVersion: TypeAlias = Annotated[int, Meta(description="The version that the request has led to.")]
Replayed: TypeAlias = Annotated[
    bool, Meta(description="True: an earlier request with the same key has had this effect.")
]
Position: TypeAlias = Annotated[int, Meta(description="A position in the log of all games.")]
ChangedAt: TypeAlias = Annotated[str, Meta(description="The time of the latest event of the game: RFC 3339 in UTC.")]
RunsOut: TypeAlias = Annotated[
    str | UnsetType,
    Meta(description="The time at which the caller's time runs out: RFC 3339 in UTC. Absent without a clock."),
]
Token = Annotated[str, Meta(max_length=8192, description="The token of a player, without `Bearer`.")]


# --- requests -----------------------------------------------------------------------------------------------------


class Request(
    Value, tag=snake, tag_field="type", forbid_unknown_fields=True, kw_only=True, rename={"as_": "as", "open_": "open"}
):
    """What a client sends."""

    id: RequestId


class Authenticate(Request):
    """Identifies the caller. It is the first message, unless the upgrade had a token or the caller has none.

    It may be repeated with another token of the same player. The latest token decides how long the channel stays open.
    """

    token: Token


class Follow(Request):
    """Subscribes to a game: to its events after the version `after`, and to what the caller can do.

    A second `follow` of the same game replaces the first one.
    """

    game: GameName
    after: Version = 0
    as_: Viewpoint = None
    invite: Invite = None
    patch: bool = False
    """The items have a `patch` of the caller's view, as with `?with=patch`."""
    tally: bool = False
    """The items have a `tally` where it has changed, as with `?with=tally`."""
    presence: bool = False
    """Messages `presence` say who is connected, and messages `phrase` what players say."""


class Unfollow(Request):
    """Ends the subscription to a game."""

    game: GameName


class FollowLobby(Request):
    """Subscribes to changes in the lobby, from now on or after a position. The filters are those of `GET /v1/games`.

    A second `follow_lobby` replaces the first one.
    """

    ruleset: Annotated[str, Meta(max_length=64)] | None = None
    """Only games of this ruleset."""
    status: Status | None = None
    """Only games with this status, and those that had it until now."""
    player: Annotated[str, Meta(max_length=LONGEST_ID)] | None = None
    """Only games of the player with this id."""
    open_: bool = False
    bots: Annotated[bool, Meta(description="False: leaves out games with bots.")] = True
    after: Annotated[int, Meta(ge=0, lt=2**53)] | None = None
    """The `position` after which changes are sent, to resume. Null or absent: from now on."""


class UnfollowLobby(Request):
    """Ends the subscription to the lobby."""


class FollowTurns(Request):
    """Subscribes to the caller's turns: to the running games in which the caller must act. Needs a token.

    A second `follow_turns` replaces the first one.
    """


class UnfollowTurns(Request):
    """Ends the subscription to the caller's turns."""


class MakeMove(Request, Generic[M], tag="move"):
    """Makes a move.

    `version` is the version of the game on which the client decided. The move is refused (`stale-decision`) if the
    caller's choice has changed since.
    """

    game: GameName
    move: M
    """The moves, as in `legal_moves`."""
    key: OptionalKey = None
    version: Version | None = None
    """The version that the client decided on; as `If-Match` in REST."""
    as_: Viewpoint = None
    invite: Invite = None


class ListLegalMoves(Request, tag="legal_moves"):
    """Asks for the legal moves of the caller."""

    game: GameName
    as_: Viewpoint = None
    invite: Invite = None


def _request(operation: Operation) -> type[Any]:
    """The request for a command: its fields, beside those of all requests about a game."""
    command: Any = operation.command
    hints = get_type_hints(command, include_extras=True)
    fields = [
        (each.name, hints[each.name]) if each.required else (each.name, hints[each.name], each.default)
        for each in msgspec.structs.fields(command)
    ]
    return msgspec.defstruct(
        command.__name__,
        [("game", GameName), *fields, ("key", OptionalKey, None), ("invite", Invite, None)],
        bases=(Request,), tag=operation.message, module=__name__, kw_only=True,
        namespace={"__doc__": operation.description, FIELDS_OF: command},
    )  # fmt: skip


COMMANDS: Mapping[type[Any], Operation] = {_request(each): each for each in OPERATIONS if each.answer is not None}
"""The operations by the types of their requests."""


def requests() -> Any:
    """The union of all requests."""
    own = (
        Authenticate | Follow | Unfollow | FollowLobby | UnfollowLobby | FollowTurns | UnfollowTurns
        | MakeMove[Raw] | ListLegalMoves
    )  # fmt: skip
    return reduce(or_, [*COMMANDS, *(each.request for each in exchanges())], own)


# --- answers ------------------------------------------------------------------------------------------------------


class Answer(Value, tag=snake, tag_field="type"):
    """The answer to the request with this `id`."""

    id: RequestId


class Authenticated(Answer):
    """The caller, and the time (RFC 3339 in UTC) at which the token expires and the channel closes."""

    player: Player
    expires_at: str
    """The time at which the token expires: RFC 3339 in UTC."""


class Following(Answer):
    """The game is followed. Its events follow. `version` is the current version of the game."""

    game: GameName
    version: CurrentVersion


class Unfollowed(Answer):
    """The game is not followed. No further message about it is sent."""

    game: GameName


class FollowingLobby(Answer):
    """The lobby is followed. Changes after `position` follow."""

    position: Position


class UnfollowedLobby(Answer):
    """The lobby is not followed. No further change is sent."""


class TurnGame(Value):
    """A running game in which the caller must act: the seats that must act, and when its latest event happened."""

    game: GameName
    to_act: ToAct
    changed_at: ChangedAt
    runs_out: RunsOut = UNSET


class FollowingTurns(Answer):
    """The turns are followed. `games` are all running games in which the caller must act now, newest first."""

    games: list[TurnGame]
    """All games in which the caller must act now."""


class UnfollowedTurns(Answer):
    """The turns are not followed. No further message about them is sent."""


class Moved(Answer, Generic[E]):
    """The move is committed. `replayed`: an earlier request with the same key made it.

    `events` are the events of the move as the mover may see them. Absent if the channel follows the game.
    """

    game: GameName
    version: CommittedVersion
    head: Hex
    replayed: Replayed
    events: list[E] | UnsetType = UNSET
    """The events of the move. Absent if the channel follows the game."""


def _answer(answer: InChannel) -> type[Any]:
    fields = [("game", GameName), ("version", CommittedVersion), ("head", Hex), ("replayed", Replayed)]
    return msgspec.defstruct(
        answer.title, fields, bases=(Answer,), tag=answer.type, module=__name__, namespace={"__doc__": answer.means}
    )  # fmt: skip


ANSWERS: Mapping[str, type[Any]] = {each.id: _answer(each.answer) for each in OPERATIONS if each.answer is not None}
"""The types of the answers by the id of the operation."""


class LegalMoves(Answer, Generic[M]):
    """All legal moves of a seat, and the version since which its current choice exists."""

    game: GameName
    version: CurrentVersion
    seat: Seat
    decision: int | None
    """The version since which the choice of the seat exists; null: it has none."""
    legal_moves: list[M]
    """All of them; each can be sent as it is."""


class Refused(Value, Generic[P], tag="problem", tag_field="type"):
    """The request had no effect. `problem` is the problem document of REST.

    `id` is null if the message could not be read. `retry_after` is in seconds.
    """

    id: RequestId | None
    """That of the request; null: it could not be read."""
    problem: P
    """The problem document, as in REST."""
    retry_after: int | UnsetType = UNSET
    """Seconds to wait before the next attempt; as `Retry-After` in REST."""


# --- messages without a request -----------------------------------------------------------------------------------


class Events(Value, Generic[E], tag=snake, tag_field="type"):
    """The next events of a followed game, in order and without a gap. The items are those of REST and SSE."""

    game: GameName
    items: list[E]
    """At least one, in the order of versions."""


class State(Situation[M], Generic[M], kw_only=True, tag=snake, tag_field="type"):
    """The choices of the caller in a followed game now.

    Sent when all events up to `version` have been sent, and not repeated. `seats` is present in the first message of
    a follow and when the players or their names have changed.
    """

    game: GameName


class End(Value, Generic[P], tag=snake, tag_field="type"):
    """A game is no longer followed: it is over and all its events were sent, or the `problem` says why."""

    game: GameName
    problem: P | UnsetType = UNSET
    """The reason; absent: the game is over."""


class Lobby(Value, tag=snake, tag_field="type"):
    """A change in the lobby: what happened at this position of the log, and the game after it."""

    position: Position
    event: str
    """The type of the event that has changed the game."""
    item: LobbyGame


class EndLobby(Value, Generic[P], tag=snake, tag_field="type"):
    """The lobby is no longer followed; the `problem` says why."""

    problem: P
    """The problem, as in REST."""


class Turn(Value, tag=snake, tag_field="type"):
    """A game has entered (`yours`) or left the games in which the caller must act. Sent again when `runs_out` changes.

    `to_act` are the seats that must act now, `changed_at` is when the latest event happened.
    """

    game: GameName
    yours: bool
    """True: the caller must act in it."""
    to_act: ToAct
    changed_at: ChangedAt
    runs_out: RunsOut = UNSET


class EndTurns(Value, Generic[P], tag=snake, tag_field="type"):
    """The turns are no longer followed; the `problem` says why."""

    problem: P
    """The problem, as in REST."""
