"""The routes by which a game is taken away and proved: its record, and what the server finds when it checks its log."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from msgspec import UNSET, Meta, UnsetType

from domain.codec import encode
from domain.fairness import record
from domain.fairness.verification import verify
from domain.game import Hex, Joined, Player, Revealed, Rules
from domain.log import Stored
from domain.messages import Value
from service.api import problems
from service.api.contract import Answer, contract, problem
from service.api.input.access import ALL, LiveGameAccess, Perspective
from service.api.openapi import OPTIONAL, refusals
from service.api.routes.games import As, GameId, IfNoneMatch, Invite
from service.games.cached_game import CachedGame
from service.games.errors import NoSuchGame
from service.http.auth import caller
from service.http.raw_response import RawResponse, matches, private_headers
from service.http.request import LazyRequest
from service.runtime import Runtime
from service.store.errors import Unavailable

log = logging.getLogger(__name__)

KEPT = 10_000
"""Of so many games it is remembered what was found in them, and in which log."""


class Finding(Value):
    """One check. `ok` is null where it could not be made; `version` is the first that is wrong."""

    name: str
    ok: bool | None
    version: int | None
    detail: Annotated[str | UnsetType, Meta(description="What was found; only when the game is over.")] = UNSET


class Audit(Value):
    """What the server found when it checked the whole log as it is stored, with the secret: the same checks that
    anybody can make with the record when the game is over."""

    id: str
    ruleset: str
    version: Annotated[int, Meta(description="So many events were checked.")]
    head: Annotated[Hex | None, Meta(description="The head of the last of them; null if the log cannot be read.")]
    ok: Annotated[bool, Meta(description="All checks were made, and everything is right.")]
    checks: tuple[Finding, ...]


def record_routes(rules: Rules, runtime: Runtime) -> list[HTTPRouteHandler]:
    """The routes of one ruleset's games."""
    name = rules.name
    always = (*refusals(), problem(problems.NotFound))
    headers = ("ETag", "Cache-Control", "Vary")
    recorded = Answer(200, record.record_type(rules), headers=headers)
    unchanged = Answer(304, description="Nothing has changed for you.")
    # How long the checks of a game under way take depends on its hidden cards, if only by microseconds. So the same log
    # is not checked over and over for somebody with a stop-watch.
    kept: OrderedDict[str, tuple[bytes, Audit]] = OrderedDict()

    @get(
        "/{game_id:str}/record", operation_id=f"{name}_record", summary="Take the game away", security=OPTIONAL,
        opt=contract(recorded, unchanged, *always, problem(problems.Forbidden)),
    )  # fmt: skip
    async def take_record(
        request: LazyRequest, game_id: GameId, as_: As = None, invite: Invite = None, if_none_match: IfNoneMatch = None
    ) -> ASGIApp:
        """The portable record, with which anybody can replay the game and verify it offline.

        While the game runs it has the events as you may see them; everything, the secret too, when the game is over.
        """
        access = LiveGameAccess(await runtime.games.find(rules, game_id), caller(request), invite)
        cached, perspective = access.cached, access.perspective(as_)
        tag = access.etag(perspective, cached.game.version)
        if if_none_match is not None and matches(if_none_match, tag):
            return RawResponse(status=304, headers=private_headers(tag))
        entries = await runtime.games.log(cached)
        headers = private_headers(access.etag(perspective, entries[-1].version))
        return RawResponse(await asyncio.to_thread(written, cached, entries, perspective), headers=headers)

    @get(
        "/{game_id:str}/audit", operation_id=f"{name}_audit", summary="Have the game checked", security=OPTIONAL,
        opt=contract(Answer(200, Audit, headers=headers), *always),
    )  # fmt: skip
    async def audit(request: LazyRequest, game_id: GameId, invite: Invite = None) -> ASGIApp:
        """The server verifies the log as it is stored: every hash, every deal, and the rules carried out again.

        While the game runs the answer says what is right and what is not, and nothing else.
        """
        who = caller(request)
        try:
            access = LiveGameAccess(await runtime.games.find(rules, game_id), who, invite)
        except (NoSuchGame, Unavailable):
            raise
        except Exception as error:  # the log is so damaged that the game cannot be folded, but it can be audited
            log.warning("the log of %s cannot be folded: %s", game_id, error)
            return RawResponse(encode(await audited(game_id, None, who)), headers=private_headers('"damaged"'))
        cached = access.cached
        headers = private_headers(access.etag(None, cached.game.version))
        return RawResponse(encode(await audited(game_id, cached.tail[-1].head, None)), headers=headers)

    async def audited(game_id: str, head: str | None, player: Player | None) -> Audit:
        """Of the log in the store, whatever is in memory: `head` is in memory, so it must be in the log as well.

        Without it nobody has looked yet whether the player may see the game. Raises `NoSuchGame`.
        """
        try:
            entries = await runtime.store.read(game_id)
            opened = entries[0].event
            members = {opened.opener.id, *(e.event.player.id for e in entries if isinstance(e.event, Joined))}
            hidden = head is None and opened.private and (player is None or player.id not in members)
            proof = None if hidden else record.of(game_id, entries)
            proved = sha256(encode((head, entries))).digest()
        except Unavailable:
            raise
        except Exception:  # whatever a damaged row may lead to
            return Audit(game_id, name, 0, None, False, (Finding("log", False, None),))
        if proof is None:
            raise NoSuchGame
        known = kept.get(game_id)
        if known is not None and known[0] == proved:
            return known[1]
        over = isinstance(entries[-1].event, Revealed)
        checks = await asyncio.to_thread(verify, proof, head=head, running=not over)
        findings = tuple(Finding(c.name, c.ok, c.version, c.detail if over else UNSET) for c in checks)
        audit = Audit(game_id, name, len(entries), proof.head, all(c.ok for c in checks), findings)
        kept[game_id] = proved, audit
        if len(kept) > KEPT:
            kept.popitem(last=False)
        return audit

    return [take_record, audit]


def written(cached: CachedGame, entries: Sequence[Stored[Any]], perspective: Perspective) -> bytes:
    """The record of the game with these entries, as it is seen from the perspective."""
    whole = record.of(cached.game.id, entries)
    if perspective != ALL:
        return encode(record.seen(cached.rules, whole, perspective))
    # In a hotseat game that runs, all cards are open to the player, but not those that have yet to be dealt.
    return encode(whole if isinstance(entries[-1].event, Revealed) else record.sealed(cached.rules, whole))
