"""The table of operations: what players do in a game, and what they read of it.

Routes, messages of the play channel, both documents and a table of the guide follow from it. A row names what an
operation takes and answers, and what can go wrong. *Who may* needs one column: `decide` refuses players without the
seat, and `GameAccess` hides private games.
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import cleandoc
from types import FunctionType
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from domain import game
from domain.fairness.record import MEDIA_TYPE as RECORD
from domain.fairness.record import record_type
from domain.game import Rules
from domain.game.commands import Branch, Cancel, GiveTime, Join, Leave, Ready, Rematch, TakeBack, Vote
from domain.game.log import RequestKey
from domain.game.questions import CannotVote
from domain.messages import pascal
from service.api import problems
from service.api.contract import QUERY, Answer, Contract, common_problems, link, problem
from service.api.problems import PROBLEM_OF
from service.api.resources import (
    Audit,
    EventItem,
    GameRequest,
    GameResource,
    KeptSeat,
    LegalMoves,
    Moved,
    PageResource,
    Situation,
)
from service.extension import REGISTERED
from service.games.errors import Blocked, NoRematch, TooManyGames
from service.games.idempotency import request_key
from service.server.streaming import NDJSON, SSE

REPLAYED, APPLIED = "Idempotency-Replayed", "Preference-Applied"
"""Response headers: a repeated request, and a preference of the client."""


class InChannel(NamedTuple):
    """The answer to a command in the play channel. It is made from the row, as is the request."""

    type: str
    title: str
    """Its name in the document of the channel."""
    means: str
    """Its description."""


class Exchange(NamedTuple):
    """A request in the play channel and its answer, of an operation that is not a command, or of none."""

    request: type[Any]
    answer: type[Any]
    answer_of: Callable[[Rules], Any] | None = None
    """The type of the answer in games of a ruleset, if it depends on the ruleset."""
    sends: tuple[type[Any], ...] = ()
    """What may follow the answer without a request. The parameter of a generic type is a problem."""


COMMAND = 5
"""What a command costs that changes a game, but moves, which are what the service is for."""


@dataclass(frozen=True, kw_only=True)
class Operation:
    """An operation on the games of a ruleset."""

    id: str
    """The operation id after the ruleset: `vote` of `NAME_vote`."""
    method: Literal["GET", "POST", "DELETE"] = "GET"
    path: str
    """Below the ruleset."""
    public: bool = False
    """Whether callers without a token may call it."""
    keyed: bool = True
    """Whether a request that changes something takes an idempotency key."""
    without_rules: bool = False
    """Whether it answers also about games whose rules are not loaded."""
    cost: int = 1
    """For how many requests one counts: see `service.api.charges`. Parts of a response are charged as they are made."""
    hot: bool = False
    """Whether it is so frequent that it goes past the layers of the framework."""
    command: type[Any] | None = None
    """What it does to a game, or the game that it makes of one. Its fields are the body, unless they are `in_url`."""
    in_url: tuple[str, ...] = ()
    """The fields of the command that are in the path or in the query."""
    makes_game: bool = False
    said: Callable[[Any, str], tuple[Any, ...]] = lambda _command, _game_id: ()
    """What a repetition of this command in this game must say again. Stored keys hash it, so it never changes."""
    takes: Any = None
    """The type of the body, or a function from rules to it, unless it is that of the command."""
    body_title: str = ""
    """The name of the command's body in the documents."""
    status: int = 200
    answers: Callable[[Rules], tuple[Answer, ...]]
    refuses: tuple[Any, ...] = ()
    """Every refusal besides those of all operations: exceptions, problems, or functions from rules to problems."""
    summary: str
    text: str
    message: str = ""
    """The `type` of the request in the channel; empty: it is not there."""
    answer: InChannel | None = None
    exchange: Exchange | None = None
    """The messages of a row of an extension. `Serving.answers` has their handler."""

    @property
    def opens(self) -> bool:
        """Whether it opens a game."""
        return self.status == 201

    @property
    def body(self) -> Any:
        """The type of the request body, or a function from rules to it; None without one."""
        fields = self.command is not None and self.command.__struct_fields__
        return self.command if fields and not self.in_url else self.takes

    def contract(self, rules: Rules) -> Contract:
        """What it takes and answers in games of a ruleset."""
        of_game = (problem(problems.NotFound),) if self.path else ()
        needs_rules = self.path.startswith(GAME) and not self.without_rules
        of_rules = (problem(problems.RulesMissing),) if needs_rules else ()
        with_body = (problem(problems.TooLarge), problem(problems.UnsupportedMediaType)) if self.body else ()
        with_key = () if self.method == "GET" or not self.keyed else (problem(problems.IdempotencyKeyReused),)
        refused = [problem(_of(rules, PROBLEM_OF.get(each, each))) for each in self.refuses]
        answers = *self.answers(rules), *common_problems(), *of_game, *of_rules, *with_body, *with_key, *refused
        return Contract(answers, _of(rules, self.body), cost=self.cost)

    def key(self, player: str, key: str | None, command: Any, game_id: str) -> RequestKey | None:
        return request_key(player, key, *self.said(command, game_id))

    @property
    def description(self) -> str:
        return cleandoc(self.text)


def _of(rules: Rules, kind: Any) -> Any:
    return kind(rules) if isinstance(kind, FunctionType) else kind


# --- what they take and answer, by ruleset ---


ID, MOVES = "$response.body#/id", "$response.body#/legal_moves"
DOWNLOADED = "ETag", "Cache-Control", "Vary"
UNCHANGED = Answer(304, description="The representation in `If-None-Match` is current.")


def game_type(rules: Rules) -> Any:
    return GameResource[rules.options, rules.state, rules.move]  # type: ignore[name-defined]


def new_type(rules: Rules) -> Any:
    """The body that opens a game. It is made at run time, which a type checker cannot follow."""
    deck_type: Any = Literal[tuple(rules.decks)]
    least, most = rules.seats[0], rules.seats[-1]
    occupant_type: Any = Annotated[Literal[("me", "open", *rules.house)], Meta(title=f"{pascal(rules.name)}Occupant")]
    occupants_type: Any = Annotated[list[occupant_type | KeptSeat], Meta(min_length=least, max_length=most)]
    seats_type: Any = Annotated[int, Meta(ge=least, le=most)] | occupants_type
    absent_type: Any = Literal[(*rules.bots, "abort")]
    return GameRequest[seats_type, deck_type, rules.options, absent_type]  # type: ignore[name-defined]


def move_type(rules: Rules) -> Any:
    return rules.move


def _links(rules: Rules, game_id: str, moves: str, **of_move: str) -> dict[str, Any]:
    """Links from a response to the operations of its game. `moves` is the expression of its legal moves."""
    name, first = rules.name, {"body": f"{moves}/0", "game_id": game_id, **of_move}
    return {
        "look": link(f"{name}_look", "Get the game.", game_id=game_id),
        "legal_moves": link(f"{name}_legal_moves", "List your legal moves.", game_id=game_id),
        "move": link(f"{name}_move", "Make a move, for example the first legal one.", **first),
        "events": link(f"{name}_events", "List the events.", game_id=game_id),
    }


def _game_at(status: int, description: str, *headers: str) -> Callable[[Rules], tuple[Answer, ...]]:
    """The game as the caller sees it, with links to what they can do next."""

    def answers(rules: Rules) -> tuple[Answer, ...]:
        name, you = rules.name, "$response.body#/you"
        links = _links(rules, ID, MOVES) | {
            "sit_down": link(f"{name}_sit_down", "Take a seat.", game_id=ID),
            "cancel": link(f"{name}_cancel", "Cancel the game before it begins.", game_id=ID),
            "stand_up": link(f"{name}_stand_up", "Leave your seat.", game_id=ID, seat=you),
        }
        return (Answer(status, game_type(rules), description, headers=headers, links=links),)

    return answers


shown = _game_at(200, "", "ETag", "Cache-Control", "Vary", REPLAYED)
opened = _game_at(201, "The game was opened.", "Location", "ETag", REPLAYED)


def _looked_at(rules: Rules) -> tuple[Answer, ...]:
    return *shown(rules), UNCHANGED


def _branched(rules: Rules) -> tuple[Answer, ...]:
    links = {"look": link(f"{rules.name}_look", "Get the branch.", game_id=ID)}
    headers = "Location", "ETag", REPLAYED
    return (Answer(201, game_type(rules), "The branch was opened.", headers=headers, links=links),)


def _repeated(rules: Rules) -> tuple[Answer, ...]:
    headers = "Location", "ETag", REPLAYED
    return *opened(rules), Answer(200, game_type(rules), "Another player had asked for it.", headers=headers)


def _moves(rules: Rules) -> tuple[Answer, ...]:
    moves_type: Any = LegalMoves[rules.move]  # type: ignore[name-defined]
    to = _links(rules, "$request.path.game_id", MOVES, **{"as": "$response.body#/seat"})
    return Answer(200, moves_type, headers=("ETag",), links=to), UNCHANGED


def _moved(rules: Rules) -> tuple[Answer, ...]:
    event_type: Any = game.event_type(rules)
    moved_type: Any = Moved[rules.options, rules.state, rules.move, event_type]  # type: ignore[name-defined]
    to = _links(rules, "$request.path.game_id", "$response.body#/game/legal_moves")
    return (Answer(200, moved_type, headers=("ETag", REPLAYED, APPLIED), links=to),)


def illegal_type(rules: Rules) -> Any:
    return problems.IllegalMove[rules.move]  # type: ignore[name-defined]


def late_type(rules: Rules) -> Any:
    return problems.OutOfTime[game_type(rules)]  # type: ignore[misc]


def stale_type(rules: Rules) -> Any:
    return problems.StaleDecision[game.event_type(rules), rules.move]  # type: ignore[misc]


def item_type(rules: Rules) -> Any:
    return EventItem[game.event_type(rules), rules.move]  # type: ignore[misc]


def _events(rules: Rules) -> tuple[Answer, ...]:
    item: Any = item_type(rules)
    page_type: Any = PageResource[item]
    lines = "As `application/x-ndjson`: all events after `after`, one item on each line."
    live = (
        "As `text/event-stream`: all events after `after`, then new events as they happen, until the game is over.\n"
        "`id` is the version, `event` the type, `data` the item as in a page."
    )
    situation: Any = Situation[rules.move]  # type: ignore[name-defined]
    return (
        Answer(200, page_type, headers=("ETag", "Link", "Cache-Control", "Vary")),
        Answer(200, item, lines, NDJSON),
        Answer(200, item, live, SSE),
        Answer(200, situation, "With `with=state` also messages without `id`, whose `event` is `state`.", SSE),
        Answer(304, description="For a page: the representation in `If-None-Match` is current."),
        Answer(204, description="For a resumed stream: the game is over and the client has received all events."),
    )


def _recorded(rules: Rules) -> tuple[Answer, ...]:
    headers = (*DOWNLOADED, "Content-Disposition", "Content-Location")
    return Answer(200, record_type(rules), media=RECORD, headers=headers), UNCHANGED


def download(make: Callable[[Rules], Any]) -> Callable[[Rules], tuple[Answer, ...]]:
    return lambda rules: (Answer(200, make(rules), headers=DOWNLOADED), UNCHANGED)


# --- the table ---


GAME = "/{game_id:str}"
SEATED = game.NotSeated, game.NotRunning

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="open", method="POST", path="", takes=new_type, cost=QUERY, status=201, answers=opened,
        refuses=(TooManyGames, problems.StorageExhausted),
        summary="Open a game of {title}",
        text="""
        Opens a game. By default the caller takes seat 0. With an `Idempotency-Key` the game is opened exactly
        once.

        `seats` can be a list of who each seat is for. A game against bots alone begins at once, so open it with
        `"sit": false` and take the seat with `entropy` in a second request: then the bots' dice depend on what you sent
        after you had seen the commitment.""",
    ),
    Operation(
        id="sit_down", cost=COMMAND, command=Join, body_title="SeatRequest", method="POST", path=f"{GAME}/seats",
        said=lambda join, _: ("sit down", join), answers=shown,
        refuses=(
            game.NotWaiting, game.SeatTaken, game.Reserved, game.AlreadySeated, game.CannotRejoin, TooManyGames,
            game.TooRestless, game.WrongSeal, Blocked,
        ),
        summary="Take a seat",
        text="""
        Takes the given seat, or the first free one. The game begins when the last seat is taken; a sealed game when
        then all players are ready. Players whom somebody at the table has blocked cannot take one.

        A player who has left the running game comes back with the same request, up to two times.""",
        message="join", answer=InChannel("joined", "SatDown", "The caller has taken the seat, or is back."),
    ),
    Operation(
        id="ready", cost=COMMAND, command=Ready, body_title="EntropyRequest", method="POST", path=f"{GAME}/ready",
        said=lambda ready, _: ("ready", ready), answers=shown,
        refuses=(game.NotSeated, game.NotWaiting, game.CannotReady),
        summary="Open the entropy of your seat",
        text="""
        Opens the entropy that the caller sealed, once all seats of a sealed game are taken. The game begins when all
        players are ready. Before this request check that the game's events contain a seal of each player, and keep
        their head: then nobody knew your entropy when theirs was fixed.""",
        message="ready",
        answer=InChannel("readied", "IsReady", "The caller is ready. If all players are, the game has begun."),
    ),
    Operation(
        id="look", path=GAME, public=True, hot=True, without_rules=True, answers=_looked_at,
        refuses=(problems.Forbidden,),
        summary="Get a game",
        text="""
        Returns the game as the caller may see it: seats, view of the table and legal moves. `at` selects an earlier
        version.""",
    ),
    Operation(
        id="legal_moves", path=f"{GAME}/moves", hot=True, answers=_moves, refuses=(problems.NotSeated,),
        summary="List your legal moves",
        text="Returns all legal moves of the caller. Each can be posted unchanged.",
        message="legal_moves",
    ),
    Operation(
        id="move", method="POST", path=f"{GAME}/moves", hot=True, takes=move_type, answers=_moved,
        refuses=(problems.NotSeated, problems.Forbidden, illegal_type, late_type, stale_type),
        summary="Make a move",
        text="""
        Makes a move. The response is sent after the commit. With an `Idempotency-Key` the request can be repeated
        safely when the response was lost.""",
        message="move",
    ),
    Operation(
        id="events", path=f"{GAME}/events", public=True, without_rules=True, answers=_events,
        refuses=(problems.Forbidden, problems.NotAcceptable),
        summary="List the events",
        text="""
        Returns the events in order, redacted for the caller until the game is over.

        `Accept` selects JSON pages, NDJSON lines or a live stream (SSE). A live stream has the perspective of the
        caller's seat (in a hotseat game seat 0, without a seat a bystander) unless `as` names another, also after the
        end of the game. A stream that is resumed any number of times delivers the same items as pages with `as` that
        seat.

        With `with=patch` each item has a JSON Patch from the view of the version before to the view of its version, as
        `at` returns them from the same perspective. The patch of version 1 replaces the whole view (with null, as the
        game has not begun), so patches from `after=0` on need nothing else. A client that starts after version N
        applies them to the view of version N. `with=tally` adds what the cards count, to items at which that changes.

        With `with=state` a live stream also says what the caller can do now: who is to act, and the caller's own legal
        moves. This message comes after all events up to its `version`, and again when the players change.
        """,
        message="follow",
    ),
    Operation(
        id="stand_up", cost=COMMAND, command=Leave,
        method="DELETE", path=f"{GAME}/seats/{{seat:str}}", in_url=("seat", "running"),
        said=lambda leave, _: ("leave" if leave.running else "stand up", str(leave.seat)), answers=shown,
        refuses=(game.NotSeated, game.NotWaiting, game.NotRunning, game.SeatsFixed),
        summary="Leave a seat",
        text="""
        Leaves a seat before the game begins, or declines the seat that is kept for the caller. The game is aborted
        when its last player leaves.

        With `running=true` the caller also leaves a game that runs. Then a bot goes on for them or the game is aborted,
        as `absent` says; it is also aborted when no player is left.""",
        message="leave", answer=InChannel("left", "StoodUp", "The caller has left the seat, or declined it."),
    ),
    Operation(
        id="give_time", cost=COMMAND, command=GiveTime, body_title="TimeRequest", method="POST", path=f"{GAME}/time",
        said=lambda given, _: ("give time", given), answers=shown,
        refuses=(*SEATED, game.CannotGrant),
        summary="Give time to another player",
        text="Gives time to another player, in a running game with a clock. It costs the caller nothing.",
        message="give_time", answer=InChannel("time_given", "TimeGiven", "The seat has the time."),
    ),
    Operation(
        id="take_back", cost=COMMAND, command=TakeBack,
        method="DELETE", path=f"{GAME}/moves/{{version:str}}", in_url=("version",),
        said=lambda taken, _: ("take back", taken.version), answers=shown,
        refuses=(*SEATED, game.NotUndoable, CannotVote),
        summary="Take back a move",
        text="""
        Takes back the caller's move that ended with this version. Nothing is erased: the game gets a new event, and
        its table is the one before the move.

        That is possible at once if the move revealed nothing and nothing has happened at the table since: the
        game's `undo` is its version then. Otherwise, with `undo_mode` `agreed`, the other players are asked: see
        `vote` in the response.""",
        message="take_back",
        answer=InChannel(
            "taken_back", "TookBack",
            "The move is taken back; or the other players are asked, then `state` has the question.",
        ),
    ),
    Operation(
        id="vote", cost=COMMAND, command=Vote, body_title="VoteRequest", method="POST", path=f"{GAME}/votes",
        said=lambda vote, _: ("vote", vote), answers=shown,
        refuses=(*SEATED, game.NotUndoable, CannotVote),
        summary="Ask all players, or answer",
        text="""
        Asks all players to abort the game or to let the caller take back a move, or answers the open question. It is
        decided at once when all players who are present have agreed. Bots agree.""",
        message="vote",
        answer=InChannel(
            "voted", "VoteCast",
            "The vote counts. If it was the last one that was needed, what was asked has happened.",
        ),
    ),
    Operation(
        id="rematch", cost=QUERY, command=Rematch,
        body_title="RematchRequest", method="POST", path=f"{GAME}/rematch",
        makes_game=True,
        said=lambda rematch, game_id: ("rematch", game_id, rematch), status=201, answers=_repeated,
        refuses=(
            problems.NotSeated, NoRematch, TooManyGames, problems.StorageExhausted, game.TooRestless, game.WrongSeal,
         Blocked,),
        summary="Play once more",
        text="""
        Opens a game with the terms, players and bots of a finished one, and the seats rotated by one; or takes the
        caller's seat in it, if another player has opened it. There is one rematch of a game at most.""",
        message="rematch",
        answer=InChannel(
            "rematch", "RematchFound",
            "`game` is the game that repeats the finished one. The caller has a seat in it, unless none was left.",
        ),
    ),
    Operation(
        id="get_rematch", cost=COMMAND, path=f"{GAME}/rematch", public=True, answers=shown,
        summary="Get the rematch",
        text="Returns the game that repeats this one, as the caller may see it; 404 if nobody has asked for it.",
    ),
    Operation(
        id="cancel", cost=COMMAND, command=Cancel, method="DELETE", path=GAME,
        said=lambda _, __: ("cancel",), answers=shown,
        refuses=(game.NotOpener, game.NotWaiting),
        summary="Cancel a game",
        text="""
        Aborts a game that is still waiting for players. Only the player who opened it may do this. The game stays
        readable.""",
    ),
    Operation(
        id="get_record", path=f"{GAME}/record", public=True, without_rules=True, answers=_recorded,
        refuses=(problems.Forbidden,),
        summary="Download the record",
        text="""
        Returns the portable record of the game, for replay and offline verification.

        While the game runs, the record has the events as the caller may see them. When the game is over, it is complete
        and includes the secret.""",
    ),
    Operation(
        id="audit", path=f"{GAME}/audit", public=True, answers=download(lambda _: Audit),
        summary="Verify the game",
        text="""
        Verifies the stored log: every hash, every deal, and a replay of every move by the rules.

        While the game runs, the response states only which checks succeeded, without details.""",
    ),
    Operation(
        id="branch", cost=QUERY, command=Branch,
        body_title="BranchRequest", method="POST", path=f"{GAME}/branches",
        makes_game=True,
        said=lambda branch, game_id: ("branch", game_id, branch), status=201, answers=_branched,
        refuses=(problems.NotFinished, TooManyGames, problems.StorageExhausted),
        summary="Branch a finished game",
        text="""
        Opens a hotseat game of the caller that continues a finished game from version `at`, with the same hidden
        cards. With an `Idempotency-Key` it is opened exactly once.""",
    ),
    Operation(
        id="learn", method="POST", path="/lesson", cost=2 * QUERY, status=201, answers=opened,
        refuses=(TooManyGames, problems.StorageExhausted),
        summary="Open the guided first game of {title}",
        text="""
        Opens the game of the ruleset's lesson: a private hotseat game of the caller with cards that everybody can know.
        It counts nowhere. Its `parent` names the lesson, `GET /v1/rulesets/{ruleset}/lesson`; without one, the response
        is 404. With an `Idempotency-Key` the game is opened exactly once.""",
    ),
)  # fmt: skip
"""In the order in which a client needs them."""

BY_ID = {each.id: each for each in OPERATIONS}


def every_operation() -> tuple[Operation, ...]:
    """The rows of the core and of the registered extensions."""
    theirs = [row for each in REGISTERED.values() for row in each.rows()]
    return (*OPERATIONS, *(row for row in theirs if isinstance(row, Operation)))


def exchanges() -> tuple[Exchange, ...]:
    """The requests and answers of the registered extensions in the play channel."""
    theirs = [row for each in REGISTERED.values() for row in each.rows()]
    found = [row.exchange if isinstance(row, Operation) else row for row in theirs]
    return tuple([each for each in found if each is not None])


def ruleset_in(path: str) -> str:
    """The third part of a path: the ruleset, if the path is about one."""
    return (*path.split("/"), "", "", "", "")[3]
