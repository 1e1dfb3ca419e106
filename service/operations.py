"""The table of operations: what players do in a game. REST, the play channel and both documents follow from it.

A row names a command, where its fields are in a request, and what can go wrong. Who may needs no column: `decide`
refuses players without the seat, `GameAccess` hides private games, and each of these operations needs a token.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from domain import game
from domain.game.commands import Cancel, GiveTime, Join, Leave, Ready, TakeBack, Vote
from service.games.errors import TooManyGames


@dataclass(frozen=True, kw_only=True)
class Operation:
    """A command as an operation of the API."""

    id: str
    """The operation id after the ruleset: `vote` of `NAME_vote`. Also the `type` of its message in the channel, unless
    `message` says otherwise."""
    command: type[Any]
    method: str
    path: str
    """Below the game. Fields of the command in the path or in the query are not in the body."""
    in_url: tuple[str, ...] = ()
    """The fields of the command that are in the path or in the query."""
    said: Callable[[Any], tuple[Any, ...]]
    """What a repetition with the same idempotency key must say again. Stored keys hash it, so it never changes."""
    refuses: tuple[type[Exception], ...]
    """Every refusal that is possible besides those of all operations."""
    summary: str
    text: str
    message: str | None = None
    """The `type` of the request in the channel; None: it is not there."""
    body_title: str = ""
    """The name of the body in the documents."""
    answer: str = ""
    """The `type` of its answer."""
    answer_title: str = ""
    """Its name in the document of the channel."""
    asks: str = ""
    """The description of the request there, if it differs from `text`."""
    answers: str = ""
    """The description of the answer."""

    @property
    def body(self) -> type[Any] | None:
        """The type of the request body; None without one."""
        return None if self.in_url or not self.command.__struct_fields__ else self.command


SEATED = game.NotSeated, game.NotRunning

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="cancel", command=Cancel, method="DELETE", path="",
        said=lambda _: ("cancel",),
        refuses=(game.NotOpener, game.NotWaiting),
        summary="Cancel a game",
        text="Aborts a game that is still waiting for players. Only the player who opened it may do this. The "
        "game stays\n"
        "readable.",
    ),
    Operation(
        id="sit_down", command=Join, body_title="NewSeat", method="POST", path="/seats", message="join",
        answer="joined", answer_title="SatDown",
        said=lambda join: ("sit down", join),
        refuses=(
            game.NotWaiting, game.SeatTaken, game.Reserved, game.AlreadySeated, game.CannotRejoin, TooManyGames,
            game.TooRestless, game.WrongSeal,
        ),
        summary="Take a seat",
        text="Takes the given seat, or the first free one. The game begins when the last seat is taken; a sealed game\n"
        "when then all players are ready.\n\n"
        "A player who has left the running game comes back with the same request, up to two times.",
        asks="Takes the given seat, or the first free one. A player who has left the running game comes back.",
        answers="The caller has taken the seat, or is back.",
    ),
    Operation(
        id="ready", command=Ready, body_title="NewReady", method="POST", path="/ready", message="ready",
        answer="readied", answer_title="IsReady",
        said=lambda ready: ("ready", ready),
        refuses=(game.NotSeated, game.NotWaiting, game.CannotReady),
        summary="Open the entropy of your seat",
        text="Opens the entropy that the caller sealed, once all seats of a sealed game are taken. The game begins "
        "when all\nplayers are ready. Before this request check that the game's events contain a seal of each player, "
        "and keep their\nhead: then nobody knew your entropy when theirs was fixed.",
        asks="Opens the entropy that the caller sealed, once all seats of a sealed game are taken.",
        answers="The caller is ready. If all players are, the game has begun.",
    ),
    Operation(
        id="stand_up", command=Leave, method="DELETE", path="/seats/{seat:str}", in_url=("seat", "running"),
        message="leave", answer="left", answer_title="StoodUp",
        said=lambda leave: ("leave" if leave.running else "stand up", str(leave.seat)),
        refuses=(game.NotSeated, game.NotWaiting, game.NotRunning, game.SeatsFixed),
        summary="Leave a seat",
        text="Leaves a seat before the game begins, or declines the seat that is kept for the caller. The game is "
        "aborted\n"
        "when its last player leaves.\n\n"
        "With `running=true` the caller also leaves a game that runs. Then a bot goes on for them or the game is "
        "aborted,\n"
        "as `absent` says; it is also aborted when no player is left.",
        asks="Leaves a seat before the game begins, or declines the seat that is kept for the caller.\n\n"
        "With `running` the caller also leaves a game that runs: a bot goes on or the game is aborted, as its "
        "`absent` says.",
        answers="The caller has left the seat, or declined it.",
    ),
    Operation(
        id="give_time", command=GiveTime, body_title="NewTime", method="POST", path="/time", message="give_time",
        answer="time_given", answer_title="TimeGiven",
        said=lambda given: ("give time", given),
        refuses=(*SEATED, game.CannotGrant),
        summary="Give time to another player",
        text="Gives time to another player, in a running game with a clock. It costs the caller nothing.",
        asks="Gives time to another player, in a running game with a clock. It goes into the reserve of the seat.",
        answers="The seat has the time.",
    ),
    Operation(
        id="take_back", command=TakeBack, method="DELETE", path="/moves/{version:str}", in_url=("version",),
        message="take_back", answer="taken_back", answer_title="TookBack",
        said=lambda taken: ("take back", taken.version),
        refuses=(*SEATED, game.NotUndoable, game.CannotVote),
        summary="Take back a move",
        text="Takes back the caller's move that ended with this version. Nothing is erased: the game gets a new "
        "event, and\n"
        "its table is the one before the move.\n\n"
        "That is possible at once if the move told nobody anything and nothing has happened at the table since: the\n"
        "game's `undo` is its version then. Otherwise, with `undo_mode` `agreed`, the other players are asked: see\n"
        "`vote` in the response.",
        asks="Takes back the caller's move that ended with `version`, if it told nobody anything and nothing has "
        "happened at\n"
        "the table since. In games whose terms say `agreed` it asks the other players otherwise.",
        answers="The move is taken back; or the other players are asked, then `state` has the question.",
    ),
    Operation(
        id="vote", command=Vote, body_title="NewVote", method="POST", path="/votes",
        message="vote", answer="voted", answer_title="VoteCast",
        said=lambda vote: ("vote", vote),
        refuses=(*SEATED, game.NotUndoable, game.CannotVote),
        summary="Ask all players, or answer",
        text="Asks all players to abort the game or to let the caller take back a move, or answers the open "
        "question. It is\n"
        "decided at once when all players who are present have agreed. Bots agree.",
        asks="Asks all players to abort the game or to let the caller take back a move, or answers the open question.",
        answers="The vote counts. If it was the last one that was needed, what was asked has happened.",
    ),
)  # fmt: skip
