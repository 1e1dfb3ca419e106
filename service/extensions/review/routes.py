"""The routes of reviews of finished games."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Literal

from litestar import Router, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter, QueryParameter
from litestar.types import ASGIApp
from msgspec import UNSET

from domain.codec import encode
from domain.game import Rules
from domain.means import player_mean
from domain.review import FORMAT
from service.api import problems
from service.api.access import find_game
from service.api.contract import REQUIRED, Answer, common_problems, contract, problem
from service.api.problems import ProblemError, unknown_ruleset
from service.core import Core
from service.extension import Serving
from service.extensions.review import problems as own
from service.extensions.review.resources import OwnReviews, ReviewPending
from service.extensions.review.reviews import LONGEST_POLL, SHORTEST_POLL, Busy, Made, ReviewFailed, Reviews, TooLong
from service.extensions.review.row import REVIEW
from service.extensions.review.settings import ReviewSettings
from service.rest.input.parameters import GameId, IfNoneMatch, Invite, InviteHeader, OfRules
from service.rest.routing import router, serves
from service.server.auth import address, caller, signed_in
from service.server.compression import CompressedResponse, unchanged
from service.server.raw_response import RawResponse
from service.server.request import LazyRequest

VARY = {"Vary": "Authorization, Invite"}
FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}


class Desk:
    """Where players of this process ask for reviews. `reviews` exists while it runs."""

    reviews: Reviews

    def __init__(self, core: Core) -> None:
        self._core = core

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        core = self._core
        self.reviews = reviews = Reviews(core.games, core.ask)
        core.metrics.counters |= {
            "reviews": ("Reviews of games made.", lambda: reviews.made),
            "failed_reviews": ("Reviews of games that could not be made.", lambda: reviews.failures),
        }
        yield
        await reviews.stop()


def serving(core: Core, rulesets: Mapping[str, Rules]) -> Serving:
    """No routes if the settings switch reviews off."""
    desk = Desk(core)
    if core.settings.of(ReviewSettings).review == "off":
        return Serving(running=desk.running)
    return Serving(
        routes=[own_review_routes(rulesets, desk)],
        of_games=partial(review_routes, desk, runtime=core),
        running=desk.running,
        places={
            "finished": [{"module": "pages/review.js"}],
            "player": [{"id": "means", "module": "pages/means.js"}],
        },
    )


PlanOf = Annotated[
    Literal["quick", "standard"],
    QueryParameter(name="plan", description="The effort: `quick` imagines fewer deals, so it claims less."),
]


def review_routes(desk: Desk, rulesets: Iterable[str], runtime: Core) -> list[HTTPRouteHandler]:
    @serves(rulesets, REVIEW)
    async def review(
        request: LazyRequest, rules: OfRules, game_id: GameId, plan: PlanOf = "standard", invite: Invite = None,
        invited: InviteHeader = None, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        cached, access = await find_game(runtime.games, rules, game_id, caller(request), invited or invite)
        if not access.header.revealed:
            raise ProblemError(problems.NotFinished())
        runtime.games.need_rules(cached)
        if cached.game.result is None:
            raise ProblemError(problems.NotFinished(detail="Games that were aborted have no review."))
        # The document follows from the record, the plan and the format: so does its name.
        headers = VARY | FOREVER | {"ETag": f'"{FORMAT.rpartition("/")[2]}.{plan}.{cached.head.hex()[:32]}"'}
        if response := unchanged(if_none_match, headers):
            return response
        network = address(request)
        try:
            found = await desk.reviews.get(cached, plan, caller(request) or f"address {network}", network)
        except TooLong:
            raise ProblemError(own.TooLong()) from None
        except Busy as busy:
            raise refused(busy) from None
        except ReviewFailed as failed:
            unavailable = problems.Unavailable(detail="The review could not be made.")
            raise ProblemError(unavailable, {"Retry-After": str(failed.seconds)}) from None
        if isinstance(found, Made):
            state = headers if found.state == "final" else VARY | {"Cache-Control": "no-store"}
            return CompressedResponse(found.body, headers=state)
        pending = ReviewPending("pending", found.progress, found.place, found.wait)
        later = min(max(found.wait // 4, SHORTEST_POLL), LONGEST_POLL) if found.place else SHORTEST_POLL
        return RawResponse(
            encode(pending), status=202, headers=VARY | {"Cache-Control": "no-store", "Retry-After": str(later)}
        )

    return [review]


def refused(busy: Busy) -> ProblemError:
    """More reviews of the caller than may wait, or of everybody."""
    kind = problems.Unavailable if busy.everybody else problems.TooManyRequests
    detail = "Too many reviews wait already." if busy.everybody else "Too many of your reviews wait already."
    return ProblemError(kind(detail=detail), {"Retry-After": str(busy.seconds)})


RulesetName = Annotated[str, PathParameter(description="The name of the ruleset.")]
PRIVATE = {"Cache-Control": "private, no-store"}


def own_review_routes(rulesets: Mapping[str, Rules], desk: Desk) -> Router:
    """What reviews say of the caller."""
    answers = Answer(200, OwnReviews), *common_problems(), problem(problems.NotFound)

    async def found(request: LazyRequest, ruleset: str, *, more: bool) -> OwnReviews:
        player = signed_in(request)
        if (rules := rulesets.get(ruleset)) is None:
            raise unknown_ruleset()
        known, pending = await desk.reviews.seated(player, ruleset), 0
        if more:
            try:
                pending = await desk.reviews.more(player, address(request), rules, known)
            except Busy as busy:
                raise refused(busy) from None
            known = await desk.reviews.seated(player, ruleset)
        means = [each.mean for each in known if each.mean is not None]
        mean = player_mean(means)
        return OwnReviews(
            ruleset=ruleset, finished=len(known), reviewed=sum([each.reviewed for each in known]), pending=pending,
            mean=UNSET if mean is None else mean,
        )  # fmt: skip

    @get("/{ruleset:str}", operation_id="own_reviews", summary="Get the mean of your choices", security=REQUIRED,
        opt=contract(*answers),
    )  # fmt: skip
    async def own_reviews(request: LazyRequest, ruleset: RulesetName) -> ASGIApp:
        """Returns what the caller's choices were worth over their latest games of a ruleset, with intervals of 95 %. It
        is no rating: the ruler is the house player. Only the caller can see it.
        """
        return RawResponse(encode(await found(request, ruleset, more=False)), headers=PRIVATE)

    @post("/{ruleset:str}", operation_id="review_own", summary="Review your latest games", security=REQUIRED,
        status_code=200, opt=contract(*answers),
    )  # fmt: skip
    async def review_own(request: LazyRequest, ruleset: RulesetName) -> ASGIApp:
        """Asks for quick reviews of the caller's latest games that have none, as many as the caller may let wait.
        Repeat it every few seconds until `pending` is 0: a review that nobody asks for is dropped after a minute.
        """
        return RawResponse(encode(await found(request, ruleset, more=True)), headers=PRIVATE)

    return router("/v1/players/me/reviews", [own_reviews, review_own], tags=["Players"])
