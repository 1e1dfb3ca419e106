"""The route of reviews of finished games."""

from collections.abc import Mapping

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from domain.codec import encode
from domain.game import Rules
from domain.review import FORMAT
from service.api import problems
from service.api.access import find_game
from service.api.problems import ProblemError
from service.api.reviews import ReviewPending
from service.rest.input.parameters import GameId, IfNoneMatch, Invite, InviteHeader, OfRules, PlanOf
from service.rest.routing import serves
from service.reviews.reviews import LONGEST_POLL, SHORTEST_POLL, Busy, Made, ReviewFailed
from service.runtime import Runtime
from service.server.auth import address, caller
from service.server.compression import CompressedResponse
from service.server.raw_response import RawResponse, matches
from service.server.request import LazyRequest

VARY = {"Vary": "Authorization, Invite"}
FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}


def review_routes(rulesets: Mapping[str, Rules], runtime: Runtime) -> list[HTTPRouteHandler]:
    """No routes if the settings switch reviews off."""
    if runtime.settings.review == "off":
        return []

    @serves(rulesets, "review")
    async def review(
        request: LazyRequest, rules: OfRules, game_id: GameId, plan: PlanOf = "standard", invite: Invite = None,
        invited: InviteHeader = None, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        cached, access = await find_game(runtime.games, rules, game_id, caller(request), invited or invite)
        if not access.header.revealed:
            raise ProblemError(problems.NotFinished())
        # The document follows from the record, the plan and the format: so does its name.
        headers = VARY | FOREVER | {"ETag": f'"{FORMAT.rpartition("/")[2]}.{plan}.{cached.head.hex()[:32]}"'}
        if if_none_match is not None and matches(if_none_match, headers["ETag"]):
            return RawResponse(status=304, headers=headers)
        network = address(request)
        try:
            found = await runtime.reviews.get(cached, plan, caller(request) or f"address {network}", network)
        except Busy as busy:
            kind = problems.Unavailable if busy.everybody else problems.TooManyRequests
            detail = "Too many reviews wait already." if busy.everybody else "Too many of your reviews wait already."
            raise ProblemError(kind(detail=detail), {"Retry-After": str(busy.seconds)}) from None
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
