"""What the routes of games can respond, by ruleset: exact types of options, moves, events and views."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from domain import game
from domain.game import Rules
from domain.messages import pascal
from service.api import problems
from service.api.contract import Answer, Contract, common_problems, link, problem
from service.api.game_resource import REPLAYED
from service.api.problems import PROBLEM_OF
from service.api.resources import GameResource, KeptSeat, LegalMoves, Moved, NewGame, NewRematch
from service.operations import Operation

APPLIED = "Preference-Applied"

ALWAYS = common_problems()
OF_ONE_GAME = (*ALWAYS, problem(problems.NotFound))
WITH_BODY = problem(problems.TooLarge), problem(problems.UnsupportedMediaType)
WITH_KEY, TOO_MANY = problem(problems.IdempotencyKeyReused), problem(problems.TooManyGames)
UNCHANGED = Answer(304, description="The representation in `If-None-Match` is current.")
ID, MOVES = "$response.body#/id", "$response.body#/legal_moves"


def game_type(rules: Rules) -> Any:
    return GameResource[rules.options, rules.state, rules.move]  # type: ignore[name-defined]


def new_type(rules: Rules) -> Any:
    """The body that opens a game. It is made at run time, which a type checker cannot follow."""
    deck_type: Any = Literal[tuple(rules.decks)]
    least, most = rules.seats[0], rules.seats[-1]
    occupant_type: Any = Annotated[Literal[("me", "open", *rules.bots)], Meta(title=f"{pascal(rules.name)}Occupant")]
    occupants_type: Any = Annotated[list[occupant_type | KeptSeat], Meta(min_length=least, max_length=most)]
    seats_type: Any = Annotated[int, Meta(ge=least, le=most)] | occupants_type
    absent_type: Any = Literal[(*rules.bots, "abort")]
    return NewGame[seats_type, deck_type, rules.options, absent_type]  # type: ignore[name-defined]


def links(rules: Rules, game_id: str, moves: str, **of_move: str) -> dict[str, Any]:
    """Links from a response to the operations of its game. `moves` is the expression of its legal moves."""
    name, first = rules.name, {"body": f"{moves}/0", "game_id": game_id, **of_move}
    return {
        "look": link(f"{name}_look", "Get the game.", game_id=game_id),
        "legal_moves": link(f"{name}_legal_moves", "List your legal moves.", game_id=game_id),
        "move": link(f"{name}_move", "Make a move, for example the first legal one.", **first),
        "events": link(f"{name}_events", "List the events.", game_id=game_id),
    }


def links_of_game(rules: Rules) -> dict[str, Any]:
    name, you = rules.name, "$response.body#/you"
    return links(rules, ID, MOVES) | {
        "sit_down": link(f"{name}_sit_down", "Take a seat.", game_id=ID),
        "cancel": link(f"{name}_cancel", "Cancel the game before it begins.", game_id=ID),
        "stand_up": link(f"{name}_stand_up", "Leave your seat.", game_id=ID, seat=you),
    }


def shown(rules: Rules) -> Answer:
    """The game as the caller sees it."""
    headers = ("ETag", "Cache-Control", "Vary", REPLAYED)
    return Answer(200, game_type(rules), headers=headers, links=links_of_game(rules))


def opened(rules: Rules) -> Answer:
    headers = ("Location", "ETag", REPLAYED)
    return Answer(201, game_type(rules), "The game was opened.", headers=headers, links=links_of_game(rules))


def of_opening(rules: Rules) -> Contract:
    answers = opened(rules), *ALWAYS, *WITH_BODY, WITH_KEY, TOO_MANY, problem(problems.StorageExhausted)
    return Contract(answers, new_type(rules))


def of_look(rules: Rules) -> Contract:
    return Contract((shown(rules), UNCHANGED, *OF_ONE_GAME, problem(problems.Forbidden)))


def of_command(operation: Operation, rules: Rules) -> Contract:
    body = operation.body
    refused = [problem(PROBLEM_OF[refusal]) for refusal in operation.refuses]
    answers = shown(rules), *OF_ONE_GAME, *(WITH_BODY if body is not None else ()), WITH_KEY, *refused
    return Contract(answers, body)


def of_legal_moves(rules: Rules) -> Contract:
    moves_type: Any = LegalMoves[rules.move]  # type: ignore[name-defined]
    to = links(rules, "$request.path.game_id", MOVES, **{"as": "$response.body#/seat"})
    listed = Answer(200, moves_type, headers=("ETag",), links=to)
    return Contract((listed, UNCHANGED, *OF_ONE_GAME, problem(problems.NotSeated)))


def of_move(rules: Rules) -> Contract:
    event_type: Any = game.event_type(rules)
    moved_type: Any = Moved[rules.options, rules.state, rules.move, event_type]  # type: ignore[name-defined]
    illegal_type: Any = problems.IllegalMove[rules.move]  # type: ignore[name-defined]
    late_type: Any = problems.OutOfTime[game_type(rules)]  # type: ignore[misc]
    stale_type: Any = problems.StaleDecision[event_type, rules.move]  # type: ignore[name-defined]
    to = links(rules, "$request.path.game_id", "$response.body#/game/legal_moves")
    moved = Answer(200, moved_type, headers=("ETag", REPLAYED, APPLIED), links=to)
    refused = [problem(each) for each in (problems.NotSeated, problems.Forbidden, illegal_type, late_type, stale_type)]
    return Contract((moved, *OF_ONE_GAME, *WITH_BODY, WITH_KEY, *refused), rules.move)


def of_rematch(rules: Rules) -> Contract:
    found = Answer(
        200, game_type(rules), "Another player had asked for it.", headers=("Location", "ETag", REPLAYED)
    )  # fmt: skip
    return Contract(
        (
            opened(rules), found, *OF_ONE_GAME, *WITH_BODY, WITH_KEY, problem(problems.NotSeated),
            problem(problems.NoRematch), TOO_MANY, problem(problems.StorageExhausted), problem(problems.TooRestless),
        ), NewRematch,
    )  # fmt: skip


def of_found_rematch(rules: Rules) -> Contract:
    return Contract((shown(rules), *OF_ONE_GAME))
