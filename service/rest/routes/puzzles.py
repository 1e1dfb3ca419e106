"""The routes of the puzzle of the day. Nothing is stored about callers."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from litestar import Router, get, post
from litestar.params import PathParameter
from litestar.types import ASGIApp

from domain.codec import encode
from domain.game import Rules
from service.api import problems
from service.api.contract import OPTIONAL, Answer, Contract, common_problems, contract, problem
from service.api.decoding import parsed
from service.api.problems import ProblemError
from service.api.puzzles import DailyPuzzle, PuzzleAnswer, answered, shown
from service.documents.any_ruleset import Move, Options, View
from service.rest.input.bodies import text_of
from service.rest.routing import router
from service.reviews.puzzles import puzzle_of, today
from service.runtime import Runtime
from service.server.compression import CompressedResponse
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest

MINUTE = {"Cache-Control": "public, max-age=60"}
Day = Annotated[
    str,
    PathParameter(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)", description="The day of the puzzle, `2026-01-31`."),
]


def puzzle_routes(rulesets: Mapping[str, Rules], runtime: Runtime) -> Router:
    position: Any = DailyPuzzle[Options, View, Move]
    answer: Any = PuzzleAnswer[Move]
    moves = {name: Contract((), rules.move) for name, rules in rulesets.items()}

    @get("/today", operation_id="puzzle_of_the_day", summary="Get the puzzle of the day", security=OPTIONAL,
        opt=contract(
            Answer(200, position, headers=("Cache-Control",)),
            Answer(204, description="There is no puzzle today."), *common_problems(),
        ),
    )  # fmt: skip
    async def puzzle_of_the_day() -> ASGIApp:
        """Returns a position of a finished game with one clearly best move, which the house player misses. A new one
        comes at midnight UTC, as long as there are games whose players agreed."""
        day = today()
        if (kept := await puzzle_of(day, rulesets, runtime.ask)) is None:
            return RawResponse(status=204, headers=MINUTE)
        return CompressedResponse(encode(shown(kept, day)), headers=MINUTE)

    @post("/{day:str}", operation_id="solve_puzzle", summary="Answer a puzzle with a move", security=OPTIONAL,
        status_code=200,
        opt=contract(
            Answer(200, answer), *common_problems(), problem(problems.NotFound),
            problem(problems.IllegalMove[Move]), problem(problems.TooLarge), problem(problems.UnsupportedMediaType),
            body=Move,
        ),
    )  # fmt: skip
    async def solve_puzzle(request: LazyRequest, day: Day) -> ASGIApp:
        """Checks one of the legal moves of a puzzle, of today or of an earlier day, and returns the solution. The
        service keeps nothing, so a move can be posted again. The puzzle counts as version 1 of a game."""
        if (kept := await puzzle_of(day, rulesets, runtime.ask)) is None:
            raise ProblemError(problems.NotFound(detail="This day has no puzzle."))
        move = msgspec.json.decode(encode(parsed(moves[kept.ruleset], await text_of(request))))
        if move not in kept.legal_moves:
            illegal: Any = problems.IllegalMove(version=1, decision=1, legal_moves=kept.legal_moves)
            raise ProblemError(illegal)
        return RawResponse(encode(answered(kept, move)), headers={"Cache-Control": "no-store"})

    return router("/v1/puzzles", [puzzle_of_the_day, solve_puzzle], tags=["Puzzles"])
