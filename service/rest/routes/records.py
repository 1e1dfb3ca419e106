"""The routes of a game's record and of its audit, the server's own verification of the log."""

import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from msgspec import UNSET

from domain.codec import encode
from domain.fairness import record
from domain.fairness.verification import verify
from domain.game import Joined, Revealed
from domain.game.log import Stored
from service.api.access import ALL, Perspective, find_game
from service.api.charges import AUDITED, RECORDED, charge_events
from service.api.resources import Audit, CheckResult
from service.core import Core
from service.games.cached_game import CachedGame
from service.games.errors import NoSuchGame
from service.games.games import LONG
from service.identity.players import Roster
from service.log.elsewhere import Damaged
from service.log.errors import Unavailable
from service.rest.input.parameters import As, GameId, IfNoneMatch, Invite, InviteHeader, Names, OfRules
from service.rest.routing import serves
from service.server.auth import address, caller
from service.server.compression import CompressedResponse, unchanged
from service.server.raw_response import RawResponse, content_etag, not_modified, private_headers
from service.server.request import LazyRequest
from service.tasks import computed

log = logging.getLogger(__name__)

NO_NAMES = Roster(-1, ())
"""Of records without names. No roster with names has this revision, so their ETags differ."""

MAX_CACHED_AUDITS = 10_000
"""The largest number of cached audits, one for each game."""


def record_routes(rulesets: Iterable[str], runtime: Core) -> list[HTTPRouteHandler]:
    # The duration of the checks depends on hidden cards, if only by microseconds. Caching the audit of an unchanged log
    # prevents a timing attack by repetition.
    cached_audits: OrderedDict[str, tuple[bytes, Audit]] = OrderedDict()

    @serves(rulesets, "get_record")
    async def take_record(
        request: LazyRequest, rules: OfRules, game_id: GameId, as_: As = None, invite: Invite = None,
        invited: InviteHeader = None, names: Names = True, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        cached, access = await find_game(runtime.games, rules, game_id, caller(request), invited or invite)
        perspective = access.perspective(as_)
        roster = await roster_of(cached) if names else NO_NAMES
        tag = access.etag(perspective, cached.game.version, roster.revision)
        if response := unchanged(if_none_match, private_headers(tag)):
            return response
        await charge_events(cached.game.version, RECORDED)
        async with runtime.games.long_read(address(request), cached.game.version):
            entries = await runtime.games.log(cached)
            if names:
                roster = await roster_of(cached)  # while the log was read a player may have joined
            headers = private_headers(access.etag(perspective, entries[-1].version, roster.revision))
            known = {each.id: each.name for each in roster.players if each is not None and each.name is not None}
            encoded = await computed(encoded_record, cached, entries, perspective, known)
        if not names and perspective == ALL and not access.header.private:
            where = await runtime.store.archived(game_id)
            if where is not None:
                headers["Content-Location"] = f"/v1/records/{where.hash}"
        headers["Content-Disposition"] = f'inline; filename="{game_id}.game.json"'
        return CompressedResponse(encoded, headers=headers, media_type=record.MEDIA_TYPE)

    @serves(rulesets, "audit")
    async def audit(
        request: LazyRequest, rules: OfRules, game_id: GameId, invite: Invite = None,
        invited: InviteHeader = None, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        player = caller(request)
        try:
            cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        except Exception as error:  # a damaged log that cannot be folded can still be audited
            if isinstance(error, NoSuchGame | Unavailable) and not isinstance(error, Damaged):
                raise
            log.warning("the log of %s cannot be folded: %s", game_id, error)
            await charge_events(LONG, AUDITED)
            async with runtime.games.long_read(address(request), LONG):  # nobody knows how long it is
                encoded = encode(await audited(rules.name, game_id, None, player))
        else:
            await charge_events(cached.game.version, AUDITED)
            async with runtime.games.long_read(address(request), cached.game.version):
                encoded = encode(await audited(rules.name, game_id, cached.tail[-1].head, None))
        tag = content_etag(encoded)  # a version would hide that the log has been damaged since
        return not_modified(if_none_match, tag) or RawResponse(encoded, headers=private_headers(tag))

    async def roster_of(cached: CachedGame) -> Roster:
        """The opener and the players at the seats, with their names."""
        return await runtime.players.roster((cached.header.opener, *cached.header.players))

    async def audited(name: str, game_id: str, head: str | None, player: str | None) -> Audit:
        """The audit of the stored log, independent of the game in memory. The log must contain `head`, the head in
        memory.

        Without `head`, the game could not be loaded and the player's access is checked here. Raises `NoSuchGame`.
        """
        try:
            entries = await runtime.store.read(game_id)
            opened = entries[0].event
            members = {opened.opener, *(e.event.player for e in entries if isinstance(e.event, Joined))}
            hidden = head is None and opened.private and (player is None or player not in members)
            whole = None if hidden else await computed(record.of, game_id, entries)
            digest = await computed(lambda: sha256(encode((head, entries))).digest())
        except Exception as error:  # a damaged row can raise anything
            if isinstance(error, Unavailable) and not isinstance(error, Damaged):
                raise
            return Audit(game_id, name, 0, None, False, (CheckResult("log", False, None),))
        if whole is None:
            raise NoSuchGame
        known = cached_audits.get(game_id)
        if known is not None and known[0] == digest:
            return known[1]
        over = isinstance(entries[-1].event, Revealed)
        checks = await computed(verify, whole, head=head, running=not over, searches=False)
        results = tuple(CheckResult(c.name, c.ok, c.version, c.detail if over else UNSET) for c in checks)
        audit = Audit(game_id, name, len(entries), whole.head, all(c.ok for c in checks), results)
        cached_audits[game_id] = digest, audit
        if len(cached_audits) > MAX_CACHED_AUDITS:
            cached_audits.popitem(last=False)
        return audit

    return [take_record, audit]


def encoded_record(
    cached: CachedGame, entries: Sequence[Stored[Any, Any]], perspective: Perspective, names: Mapping[str, str]
) -> bytes:
    """The JSON of the record with these entries and names, as the perspective may see it."""
    whole = record.of(cached.game.id, entries, names)
    if perspective != ALL:
        return encode(record.seen(cached.rules, whole, perspective))
    # The player of a running hotseat game sees all cards, except those that are still to be dealt.
    return encode(
        record.complete(whole) if isinstance(entries[-1].event, Revealed) else record.sealed(cached.rules, whole)
    )
