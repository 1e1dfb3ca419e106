"""The route of texts."""

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.types import ASGIApp

from domain.codec import encode
from domain.game.log import redacted
from domain.tellers import teller
from service.api.access import find_game
from service.api.game_resource import Seen, current_roster, game_resource
from service.core import Core
from service.extensions.texts.row import TEXT
from service.games.cached_game import CachedGame
from service.rest.input.parameters import As, GameId, IfNoneMatch, Invite, InviteHeader, OfRules
from service.rest.routing import serves
from service.server.auth import caller
from service.server.raw_response import RawResponse, content_etag, not_modified, private_headers
from service.server.request import LazyRequest

Language: TypeAlias = Annotated[Literal["en", "de"], QueryParameter(name="language", description="Of the text.")]
WithNames: TypeAlias = Annotated[
    bool,
    QueryParameter(name="names", description="`true`: with the names of the players, which strangers have chosen."),
]

RECENT = 60
"""The number of events among which the caller's last move is looked for."""
MOST = 4096
"""Bytes of a text beyond which older events are left out."""


def text_routes(rulesets: Iterable[str], core: Core) -> list[HTTPRouteHandler]:
    @serves(rulesets, TEXT)
    async def text(
        request: LazyRequest, rules: OfRules, game_id: GameId, language: Language = "en", names: WithNames = False,
        as_: As = None, invite: Invite = None, invited: InviteHeader = None, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        cached, access = await find_game(core.games, rules, game_id, caller(request), invited or invite)
        core.games.need_rules(cached)
        perspective = access.perspective(as_)
        by = Seen(cached, access, perspective, await current_roster(core.players, cached))
        seen, _, _ = await game_resource(core.games, core.players, by)
        if seen.view is None:
            found = f"{seen.status}\n"
        else:
            seat = None if perspective is None else seen.you
            events = await recent(core, cached, seat)
            tally = cached.rules.tally(seen.view)
            found = teller(cached.rules, language).tell(
                plain(seen.view), seat, () if seat is None else plain(seen.legal_moves), events, to_act=seen.to_act,
                names=names_of(seen) if names else (), tally=None if tally is None else plain(tally), most=MOST,
            ).text + "\n"  # fmt: skip
        body = found.encode()
        tag = content_etag(body)
        return not_modified(if_none_match, tag) or RawResponse(
            body, headers=private_headers(tag), media_type="text/plain; charset=utf-8"
        )

    return [text]


async def recent(core: Core, cached: CachedGame, seat: int | None) -> list[Any]:
    """The events since the seat's last move, as it sees them, among the latest; as a bystander without a seat."""
    version = cached.game.version
    entries = await core.games.log(cached, max(version - RECENT, 0), version)
    own = [place for place, entry in enumerate(entries) if seat is not None and entry.by == seat]
    return [plain(redacted(cached.rules, entry, seat).event) for entry in entries[own[-1] + 1 if own else 0 :]]


def names_of(seen: Any) -> Sequence[str]:
    return ["?" if each.player is None else str(each.player.name) for each in seen.seats]


def plain(value: Any) -> Any:
    return json.loads(encode(value))
