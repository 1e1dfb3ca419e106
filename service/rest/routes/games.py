"""The routes of games, registered once for all rulesets. The ruleset is data of the request; none is named here."""

import re
from collections.abc import Iterable
from typing import Any

from litestar.di import Provide
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from msgspec import UNSET
from msgspec.structs import replace

from domain import game
from domain.game import OutOfTime
from projections.header import choosing
from service.api import problems
from service.api.access import GameAccess, find_game, move_of
from service.api.charges import FOLDED, charge_events, charge_followers, payer
from service.api.game_resource import Seen, current_roster
from service.api.operations import OPERATIONS, Operation
from service.api.problems import ProblemError
from service.api.resources import GameRequest
from service.core import Core
from service.games.idempotency import request_key
from service.rest.arrangement import agreed, arranged, check_guests
from service.rest.cached_responses import CachedResponses
from service.rest.game_replies import GameReplies
from service.rest.input.bodies import body
from service.rest.input.parameters import (
    As,
    At,
    GameId,
    Given,
    IdempotencyKey,
    IfMatch,
    IfNoneMatch,
    Invite,
    InviteHeader,
    OfRules,
    Prefer,
    Running,
    SeatPath,
    VersionPath,
    With,
    decided_version,
    prefers_minimal,
)
from service.rest.routing import serves
from service.rest.search_openings import SearchOpenings
from service.server.auth import address, caller, signed_in
from service.server.raw_response import not_modified
from service.server.request import LazyRequest


def game_routes(rulesets: Iterable[str], runtime: Core) -> list[HTTPRouteHandler]:
    """The routes of games, whatever version of the rules a game is played by.

    The rules of a request are the newest version. Its types include all moves, events and fields of the older ones (a
    test of the versions holds this).
    """
    replies = GameReplies(runtime)
    commands = [_command(each, rulesets, runtime, replies) for each in OPERATIONS if each.command is not None]
    parts = (_opening, _teaching, _look, _legal_moves, _move, _found_rematch)
    return [*(part(rulesets, runtime, replies) for part in parts), *commands]


def _opening(rulesets: Iterable[str], runtime: Core, replies: GameReplies) -> HTTPRouteHandler:
    players, search_openings = runtime.players, SearchOpenings(runtime)

    @serves(rulesets, "open")
    async def open_game(request: LazyRequest, rules: OfRules, idempotency_key: IdempotencyKey = None) -> ASGIApp:
        player = signed_in(request)
        new: GameRequest[Any, str, Any, str] = await body(request, rules)
        deck = next(iter(rules.decks.values())) if new.deck is UNSET else rules.decks[new.deck]
        seats, places, sit = arranged(new, player)
        await replies.names_in_memory(player)
        await check_guests(players, places, player)
        searches = places is not UNSET and any(place.bot in rules.searches for place in places)
        if searches:
            search_openings.admit(player, address(request))
        cached, change = await runtime.commands.open(
            rules, player, seats, new.options or rules.options(), deck, agreed(rules, new, places),
            sit=sit, entropy=new.entropy, key=request_key(player, idempotency_key, "open", rules.name, new),
        )  # fmt: skip
        if searches:
            search_openings.opened(cached.game.id, address(request))
        return await replies.after_opening(cached, player, change)

    return open_game


def _teaching(rulesets: Iterable[str], runtime: Core, replies: GameReplies) -> HTTPRouteHandler:
    @serves(rulesets, "learn")
    async def learn(request: LazyRequest, rules: OfRules, idempotency_key: IdempotencyKey = None) -> ASGIApp:
        player = signed_in(request)
        if rules.lesson is None:
            raise ProblemError(problems.NotFound(detail="This ruleset has no lesson."))
        await replies.names_in_memory(player)
        key = request_key(player, idempotency_key, "open lesson", rules.name)
        cached, change = await runtime.commands.teach(rules, rules.lesson, player, key)
        return await replies.after_opening(cached, player, change)

    return learn


def _look(rulesets: Iterable[str], runtime: Core, replies: GameReplies) -> HTTPRouteHandler:
    players = runtime.players
    responses = None if runtime.shared is None else CachedResponses(runtime, runtime.shared.versions)

    @serves(rulesets, "look")
    async def look(
        request: LazyRequest, rules: OfRules, game_id: GameId, at: At = None, as_: As = None, with_: With = None,
        invite: Invite = None, invited: InviteHeader = None, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        cached_version = None
        if responses is not None and at is None and with_ is None:
            cached_version, reply = await responses.look(
                rules, game_id, caller(request), as_, invited or invite, if_none_match
            )
            if reply is not None:
                return reply
        cached = runtime.games.current(rules, game_id) or await runtime.games.find(rules, game_id, cached_version)
        roster = players.roster_in_memory(cached.game.people) or await current_roster(players, cached)
        access = GameAccess(cached.header, caller(request), invited or invite)
        perspective = access.perspective(as_)
        if at is None and with_ is None:  # most requests: nothing is made for what is known
            etag = access.etag(perspective, cached.game.version, roster.revision)
            if (known := replies.known(cached, etag, if_none_match)) is not None:
                return known
        seen = Seen(cached, access, perspective, roster)
        if at is not None:
            await charge_events(min(at, cached.game.version), FOLDED)
            if as_ is None and access.header.hotseat and isinstance(perspective, int):
                then = await runtime.games.view(cached, perspective, at, address(request))
                seen = replace(seen, perspective=choosing(access.own, game.to_act(cached.rules, then)))
            return await replies.game(seen, at, tally=with_ is not None, reader=address(request))
        if with_ is None:
            return await replies.current(seen)
        return not_modified(if_none_match, seen.etag) or await replies.game(seen, tally=True)

    return look


def _legal_moves(rulesets: Iterable[str], runtime: Core, replies: GameReplies) -> HTTPRouteHandler:
    @serves(rulesets, "legal_moves")
    async def legal_moves(
        request: LazyRequest, rules: OfRules, game_id: GameId, as_: As = None, invite: Invite = None,
        invited: InviteHeader = None, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        cached, access = await find_game(runtime.games, rules, game_id, signed_in(request), invited or invite)
        runtime.games.need_rules(cached)
        return replies.moves_reply(cached, access, as_, if_none_match)

    return legal_moves


def _move(rulesets: Iterable[str], runtime: Core, replies: GameReplies) -> HTTPRouteHandler:
    players = runtime.players

    @serves(rulesets, "move")
    async def move(
        request: LazyRequest, rules: OfRules, game_id: GameId, as_: As = None, invite: Invite = None,
        invited: InviteHeader = None, idempotency_key: IdempotencyKey = None, if_match: IfMatch = None,
        prefer: Prefer = None,
    ) -> ASGIApp:  # fmt: skip
        player = signed_in(request)
        # A game that may be behind the log is sufficient: `execute` checks the log.
        cached = runtime.games.running(rules, game_id) or await runtime.games.find(rules, game_id)
        access = GameAccess(cached.header, player, invited or invite)
        chosen = await body(request, rules)
        if players.roster_in_memory(cached.game.players) is None:
            await players.roster(access.header.players)  # names that cannot be read must fail before the move
        command, key = move_of(cached, access, chosen, as_, idempotency_key, decided_version(if_match))
        minimal = prefers_minimal(prefer)
        await charge_followers(payer(), runtime.subscriptions.followers(cached.game.id))
        try:
            change = await runtime.commands.execute(cached, player, command, key)
        except OutOfTime as late:
            raise await replies.too_late(cached, player, late, minimal=minimal) from None
        return await replies.moved(await replies.seen(cached, access, as_), change, minimal=minimal)

    return move


# --- commands ---


def _no_fields() -> dict[str, Any]:
    return {}


def _of_leave(seat: SeatPath, running: Running = False) -> dict[str, Any]:
    if not re.fullmatch("0|[1-9][0-9]{0,2}", seat):  # an integer in the path would also accept +0 and 0_0
        return {"absent": "This seat does not exist."}
    return {"seat": int(seat), "running": running}


def _of_take_back(version: VersionPath) -> dict[str, Any]:
    if not re.fullmatch("[1-9][0-9]{0,8}", version):
        return {"absent": "The game has not reached this version."}
    return {"version": int(version)}


IN_URL = {"stand_up": _of_leave, "take_back": _of_take_back}
"""Reads the fields of a command that are in the path or in the query. `absent`: what does not exist."""


def _command(row: Operation, rulesets: Iterable[str], runtime: Core, replies: GameReplies) -> HTTPRouteHandler:
    kind: Any = row.command
    given_in_url = Provide(IN_URL.get(row.id, _no_fields), sync_to_thread=False)

    @serves(rulesets, row.id, dependencies={"given": given_in_url})
    async def act(
        request: LazyRequest, rules: OfRules, game_id: GameId, given: Given, invite: Invite = None,
        invited: InviteHeader = None, idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:  # fmt: skip
        player = signed_in(request)
        cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        if (missing := given.get("absent")) is not None:
            raise ProblemError(problems.NotFound(detail=missing))
        command = await body(request, rules) if row.body is not None else kind(**given)
        await replies.names_in_memory(player, cached)
        key = row.key(player, idempotency_key, command, game_id)
        if row.makes_game:
            await charge_events(cached.game.version, FOLDED)
            made = await runtime.commands.make(cached, player, command, key, runtime.players.forgotten)
            return await replies.after_opening(made[0], player, made[1])
        await charge_followers(payer(), runtime.subscriptions.followers(cached.game.id))
        change = await runtime.commands.execute(cached, player, command, key, address(request))
        return await replies.after_command(cached, player, change)

    return act


def _found_rematch(rulesets: Iterable[str], runtime: Core, replies: GameReplies) -> HTTPRouteHandler:
    @serves(rulesets, "get_rematch")
    async def get_rematch(
        request: LazyRequest, rules: OfRules, game_id: GameId, invite: Invite = None, invited: InviteHeader = None
    ) -> ASGIApp:
        cached, _ = await find_game(runtime.games, rules, game_id, caller(request), invited or invite)
        again = await runtime.commands.rematch_of(cached)
        access = GameAccess(again.header, caller(request), invited or invite)
        return await replies.game(await replies.seen(again, access))

    return get_rematch
