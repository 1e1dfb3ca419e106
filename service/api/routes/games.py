"""The routes of games, generated for each ruleset from its record. No ruleset is named here."""

import re
from typing import Annotated, Any, Literal

from litestar import delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from domain import game
from domain.codec import encode
from domain.game import OutOfTime, Rules
from domain.game.commands import Cancel, GiveTime, Join, Leave, TakeBack, Vote
from domain.game.log import redacted
from domain.messages import pascal
from projections.header import choosing
from service.api import problems
from service.api.arrangement import absence, arranged, check_guests, undo_mode
from service.api.cached_responses import CachedResponses
from service.api.contract import OPTIONAL, REQUIRED, Answer, common_problems, contract, link, problem
from service.api.fast_path import FAST_PATH
from service.api.game_resource import (
    REPLAYED,
    current_roster,
    game_resource,
    legal_moves_of,
    location,
    replay_headers,
)
from service.api.input.access import GameAccess, Perspective, find_game, move_of, variant
from service.api.input.bodies import body
from service.api.input.parameters import (
    RETURN_MINIMAL,
    As,
    At,
    GameId,
    IdempotencyKey,
    IfMatch,
    IfNoneMatch,
    Invite,
    InviteHeader,
    Prefer,
    Running,
    SeatPath,
    VersionPath,
    With,
    decided_version,
    prefers_minimal,
)
from service.api.problems import ProblemError
from service.api.resources import (
    GameResource,
    KeptSeat,
    LegalMoves,
    Moved,
    NewGame,
    NewRematch,
)
from service.games.cached_game import CachedGame
from service.games.games import Change
from service.games.idempotency import request_key
from service.http.auth import caller, signed_in
from service.http.raw_response import RawResponse, not_modified, private_headers
from service.http.request import LazyRequest
from service.identity.players import Roster
from service.runtime import Runtime

APPLIED = "Preference-Applied"


def game_routes(rules: Rules, runtime: Runtime) -> list[HTTPRouteHandler]:
    """The routes of one ruleset's games, whatever version of the rules a game is played by.

    `rules` is the newest version. Its types include all moves, events and fields of the older ones (a test of the
    versions holds this).
    """
    name, title = rules.name, rules.labels["en"].title

    # The types of bodies. They are made at run time, which a type checker cannot follow.
    deck_type: Any = Literal[tuple(rules.decks)]
    least, most = rules.seats[0], rules.seats[-1]
    occupant_type: Any = Annotated[Literal[("me", "open", *rules.bots)], Meta(title=f"{pascal(name)}Occupant")]
    occupants_type: Any = Annotated[list[occupant_type | KeptSeat], Meta(min_length=least, max_length=most)]
    seats_type: Any = Annotated[int, Meta(ge=least, le=most)] | occupants_type
    absent_type: Any = Literal[(*rules.bots, "abort")]
    event_type: Any = game.event_type(rules)
    new_type: Any = NewGame[seats_type, deck_type, rules.options, absent_type]  # type: ignore[name-defined]
    game_type: Any = GameResource[rules.options, rules.state, rules.move]  # type: ignore[name-defined]
    moved_type: Any = Moved[rules.options, rules.state, rules.move, event_type]  # type: ignore[name-defined]
    moves_type: Any = LegalMoves[rules.move]  # type: ignore[name-defined]
    illegal_type: Any = problems.IllegalMove[rules.move]  # type: ignore[name-defined]
    out_of_time_type: Any = problems.OutOfTime[game_type]
    stale_type: Any = problems.StaleDecision[event_type, rules.move]  # type: ignore[name-defined]

    def links(game_id: str, moves: str, **of_move: str) -> dict[str, Any]:
        """Links from a response to the operations of its game. `moves` is the expression of its legal moves."""
        first = {"body": f"{moves}/0", "game_id": game_id, **of_move}
        return {
            "look": link(f"{name}_look", "Get the game.", game_id=game_id),
            "legal_moves": link(f"{name}_legal_moves", "List your legal moves.", game_id=game_id),
            "move": link(f"{name}_move", "Make a move, for example the first legal one.", **first),
            "events": link(f"{name}_events", "List the events.", game_id=game_id),
        }

    of_game = links("$response.body#/id", "$response.body#/legal_moves") | {
        "sit_down": link(f"{name}_sit_down", "Take a seat.", game_id="$response.body#/id"),
        "cancel": link(f"{name}_cancel", "Cancel the game before it begins.", game_id="$response.body#/id"),
        "stand_up": link(
            f"{name}_stand_up", "Leave your seat.", game_id="$response.body#/id", seat="$response.body#/you"
        ),
    }
    game_id_of_request = "$request.path.game_id"
    of_moves = links(game_id_of_request, "$response.body#/legal_moves", **{"as": "$response.body#/seat"})
    of_moved = links(game_id_of_request, "$response.body#/game/legal_moves")

    # Possible responses.
    always = common_problems()
    of_one_game = (*always, problem(problems.NotFound))
    with_body = problem(problems.TooLarge), problem(problems.UnsupportedMediaType)
    with_key, too_many = problem(problems.IdempotencyKeyReused), problem(problems.TooManyGames)
    shown = Answer(200, game_type, headers=("ETag", "Cache-Control", "Vary", REPLAYED), links=of_game)
    opened = Answer(201, game_type, "The game was opened.", headers=("Location", "ETag", REPLAYED), links=of_game)
    unchanged = Answer(304, description="The representation in `If-None-Match` is current.")

    players = runtime.players
    cached_responses = None if runtime.version_cache is None else CachedResponses(rules, runtime, runtime.version_cache)

    @post(
        "/", operation_id=f"{name}_open", summary=f"Open a game of {title}", security=REQUIRED, status_code=201,
        opt=contract(
            opened, *always, *with_body, with_key, too_many, problem(problems.StorageExhausted), body=new_type
        ),
    )  # fmt: skip
    async def open_game(request: LazyRequest, idempotency_key: IdempotencyKey = None) -> ASGIApp:
        """Opens a game. By default the caller takes seat 0. With an `Idempotency-Key` the game is opened exactly
        once.

        `seats` can be a list of who each seat is for. A game against bots alone begins at once, so open it with
        `"sit": false` and take the seat with `entropy` in a second request: then the bots' dice depend on what you sent
        after you had seen the commitment."""
        player = signed_in(request)
        new: NewGame[Any, str, Any, str] = await body(request)
        deck = next(iter(rules.decks.values())) if new.deck is UNSET else rules.decks[new.deck]
        seats, places, sit = arranged(new, player)
        await names_in_memory(player)
        await check_guests(players, places, player)
        cached, change = await runtime.games.open(
            rules, player, seats, new.options or rules.options(), deck, private=new.private, hotseat=new.hotseat,
            sit=sit, entropy=new.entropy, places=places, absent=absence(rules, new), clock=new.clock,
            undo=undo_mode(new), key=request_key(player, idempotency_key, "open", name, new),
        )  # fmt: skip
        return await after_command(cached, player, change, 201, {"Location": location(cached)})

    @get(
        "/{game_id:str}", operation_id=f"{name}_look", summary="Get a game", security=OPTIONAL,
        opt=contract(shown, unchanged, *of_one_game, problem(problems.Forbidden)) | FAST_PATH,
    )  # fmt: skip
    async def look(
        request: LazyRequest, game_id: GameId, at: At = None, as_: As = None, with_: With = None,
        invite: Invite = None, invited: InviteHeader = None, if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        """Returns the game as the caller may see it: seats, view of the table and legal moves. `at` selects an earlier
        version."""
        cached_version = None
        if cached_responses is not None and at is None and with_ is None:
            cached_version, reply = await cached_responses.look(
                game_id, caller(request), as_, invited or invite, if_none_match
            )
            if reply is not None:
                return reply
        cached = await runtime.games.find(rules, game_id, cached_version)
        roster = players.roster_in_memory(cached.game.players) or await current_roster(players, cached)
        access = GameAccess(cached.header, caller(request), invited or invite)
        perspective = access.perspective(as_)
        if at is not None:
            if as_ is None and access.header.hotseat and isinstance(perspective, int):
                then = await runtime.games.view(cached, perspective, at)
                perspective = choosing(access.own, game.to_act(cached.rules, then))
            return await game_reply(cached, access, perspective, at, tally=with_ is not None)
        if with_ is None:
            known = known_reply(cached, access, perspective, roster, if_none_match)
            return known or await cacheable_reply(cached, access, perspective)
        tag = access.etag(perspective, cached.game.version, roster.revision)
        return not_modified(if_none_match, tag) or await game_reply(cached, access, perspective, tally=True)

    @delete(
        "/{game_id:str}", operation_id=f"{name}_cancel", summary="Cancel a game", security=REQUIRED, status_code=200,
        opt=contract(shown, *of_one_game, with_key, problem(problems.NotOpener), problem(problems.NotWaiting)),
    )  # fmt: skip
    async def cancel(
        request: LazyRequest,
        game_id: GameId,
        invite: Invite = None,
        invited: InviteHeader = None,
        idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:
        """Aborts a game that is still waiting for players. Only the player who opened it may do this. The game stays
        readable."""
        player = signed_in(request)
        cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        await names_in_memory(player, cached)
        key = request_key(player, idempotency_key, "cancel")
        return await after_command(cached, player, await runtime.games.execute(cached, player, Cancel(), key))

    @post(
        "/{game_id:str}/seats", operation_id=f"{name}_sit_down", summary="Take a seat", security=REQUIRED,
        status_code=200,
        opt=contract(
            shown, *of_one_game, *with_body, with_key,
            problem(problems.NotWaiting), problem(problems.SeatTaken), problem(problems.Reserved),
            problem(problems.AlreadySeated), problem(problems.CannotReturn), too_many, problem(problems.TooRestless),
            body=Join,
        ),
    )  # fmt: skip
    async def sit_down(
        request: LazyRequest,
        game_id: GameId,
        invite: Invite = None,
        invited: InviteHeader = None,
        idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:
        """Takes the given seat, or the first free one. The game begins when the last seat is taken.

        A player who has left the running game comes back with the same request, up to two times."""
        player = signed_in(request)
        cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        new = await body(request)
        await names_in_memory(player, cached)
        key = request_key(player, idempotency_key, "sit down", new)
        change = await runtime.games.execute(cached, player, new, key)
        return await after_command(cached, player, change)

    @delete(
        "/{game_id:str}/seats/{seat:str}", operation_id=f"{name}_stand_up", summary="Leave a seat", security=REQUIRED,
        status_code=200,
        opt=contract(
            shown, *of_one_game, with_key, problem(problems.NotSeated), problem(problems.NotWaiting),
            problem(problems.NotRunning),
        ),
    )  # fmt: skip
    async def stand_up(
        request: LazyRequest, game_id: GameId, seat: SeatPath, running: Running = False, invite: Invite = None,
        invited: InviteHeader = None, idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:  # fmt: skip
        """Leaves a seat before the game begins, or declines the seat that is kept for the caller. The game is aborted
        when its last player leaves.

        With `running=true` the caller also leaves a game that runs. Then a bot goes on for them or the game is aborted,
        as `absent` says; it is also aborted when no player is left."""
        player = signed_in(request)
        cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        if not re.fullmatch("0|[1-9][0-9]{0,2}", seat):  # an integer in the path would also accept +0 and 0_0
            raise ProblemError(problems.NotFound(detail="This seat does not exist."))
        await names_in_memory(player, cached)
        key = request_key(player, idempotency_key, "leave" if running else "stand up", seat)
        change = await runtime.games.execute(cached, player, Leave(int(seat), running), key)
        return await after_command(cached, player, change)

    @post(
        "/{game_id:str}/time", operation_id=f"{name}_give_time", summary="Give time to another player",
        security=REQUIRED, status_code=200,
        opt=contract(
            shown, *of_one_game, *with_body, with_key, problem(problems.NotSeated), problem(problems.NotRunning),
            problem(problems.CannotGiveTime),
            body=GiveTime,
        ),
    )  # fmt: skip
    async def give(
        request: LazyRequest,
        game_id: GameId,
        invite: Invite = None,
        invited: InviteHeader = None,
        idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:
        """Gives time to another player, in a running game with a clock. It costs the caller nothing."""
        player = signed_in(request)
        cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        new = await body(request)
        await names_in_memory(player, cached)
        key = request_key(player, idempotency_key, "give time", new)
        return await after_command(cached, player, await runtime.games.execute(cached, player, new, key))

    @get(
        "/{game_id:str}/moves", operation_id=f"{name}_legal_moves", summary="List your legal moves", security=REQUIRED,
        opt=contract(
            Answer(200, moves_type, headers=("ETag",), links=of_moves), unchanged, *of_one_game,
            problem(problems.NotSeated),
        ) | FAST_PATH,
    )  # fmt: skip
    async def legal_moves(
        request: LazyRequest, game_id: GameId, as_: As = None, invite: Invite = None, invited: InviteHeader = None,
        if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        """Returns all legal moves of the caller. Each can be posted unchanged."""
        cached, access = await find_game(runtime.games, rules, game_id, signed_in(request), invited or invite)
        return moves_reply(cached, access, as_, if_none_match)

    @post(
        "/{game_id:str}/moves", operation_id=f"{name}_move", summary="Make a move", security=REQUIRED, status_code=200,
        opt=contract(
            Answer(200, moved_type, headers=("ETag", REPLAYED, APPLIED), links=of_moved), *of_one_game, *with_body,
            with_key, problem(problems.NotSeated), problem(problems.Forbidden), problem(illegal_type),
            problem(out_of_time_type), problem(stale_type),
            body=rules.move,
        ) | FAST_PATH,
    )  # fmt: skip
    async def move(
        request: LazyRequest, game_id: GameId, as_: As = None, invite: Invite = None, invited: InviteHeader = None,
        idempotency_key: IdempotencyKey = None, if_match: IfMatch = None, prefer: Prefer = None,
    ) -> ASGIApp:  # fmt: skip
        """Makes a move. The response is sent after the commit. With an `Idempotency-Key` the request can be repeated
        safely when the response was lost."""
        player = signed_in(request)
        # A game that may be behind the log is sufficient: `execute` checks the log.
        cached = runtime.games.running(rules, game_id) or await runtime.games.find(rules, game_id)
        access = GameAccess(cached.header, player, invited or invite)
        chosen = await body(request)
        if players.roster_in_memory(cached.game.players) is None:
            await players.roster(access.header.players)  # names that cannot be read must fail before the move
        command, key = move_of(cached, access, chosen, as_, idempotency_key, decided_version(if_match))
        minimal = prefers_minimal(prefer)
        try:
            change = await runtime.games.execute(cached, player, command, key)
        except OutOfTime as late:
            raise await too_late(cached, player, late, minimal=minimal) from None
        return await after_move(cached, access, as_, change, minimal=minimal)

    @delete(
        "/{game_id:str}/moves/{version:str}", operation_id=f"{name}_take_back", summary="Take back a move",
        security=REQUIRED, status_code=200,
        opt=contract(
            shown, *of_one_game, with_key, problem(problems.NotSeated), problem(problems.NotRunning),
            problem(problems.NotUndoable), problem(problems.CannotVote),
        ),
    )  # fmt: skip
    async def undo(
        request: LazyRequest, game_id: GameId, version: VersionPath, invite: Invite = None,
        invited: InviteHeader = None, idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:  # fmt: skip
        """Takes back the caller's move that ended with this version. Nothing is erased: the game gets a new event, and
        its table is the one before the move.

        That is possible at once if the move told nobody anything and nothing has happened at the table since: the
        game's `undo` is its version then. Otherwise, with `undo_mode` `agreed`, the other players are asked: see
        `vote` in the response."""
        player = signed_in(request)
        cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        if not re.fullmatch("[1-9][0-9]{0,8}", version):
            raise ProblemError(problems.NotFound(detail="The game has not reached this version."))
        await names_in_memory(player, cached)
        key = request_key(player, idempotency_key, "take back", int(version))
        return await after_command(
            cached, player, await runtime.games.execute(cached, player, TakeBack(int(version)), key)
        )

    @post(
        "/{game_id:str}/votes", operation_id=f"{name}_vote", summary="Ask all players, or answer", security=REQUIRED,
        status_code=200,
        opt=contract(
            shown, *of_one_game, *with_body, with_key, problem(problems.NotSeated), problem(problems.NotRunning),
            problem(problems.NotUndoable), problem(problems.CannotVote),
            body=Vote,
        ),
    )  # fmt: skip
    async def vote(
        request: LazyRequest,
        game_id: GameId,
        invite: Invite = None,
        invited: InviteHeader = None,
        idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:
        """Asks all players to abort the game or to let the caller take back a move, or answers the open question. It is
        decided at once when all players who are present have agreed. Bots agree."""
        player = signed_in(request)
        cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        new = await body(request)
        await names_in_memory(player, cached)
        key = request_key(player, idempotency_key, "vote", new)
        return await after_command(cached, player, await runtime.games.execute(cached, player, new, key))

    @post(
        "/{game_id:str}/rematch", operation_id=f"{name}_rematch", summary="Play once more", security=REQUIRED,
        status_code=201,
        opt=contract(
            opened, Answer(200, game_type, "Another player had asked for it.", headers=("Location", "ETag", REPLAYED)),
            *of_one_game, *with_body, with_key, problem(problems.NotSeated), problem(problems.NoRematch), too_many,
            problem(problems.StorageExhausted), problem(problems.TooRestless),
            body=NewRematch,
        ),
    )  # fmt: skip
    async def rematch(
        request: LazyRequest,
        game_id: GameId,
        invite: Invite = None,
        invited: InviteHeader = None,
        idempotency_key: IdempotencyKey = None,
    ) -> ASGIApp:
        """Opens a game with the terms, players and bots of a finished one, and the seats rotated by one; or takes the
        caller's seat in it, if another player has opened it. There is one rematch of a game at most."""
        player = signed_in(request)
        cached, _ = await find_game(runtime.games, rules, game_id, player, invited or invite)
        new = await body(request)
        await names_in_memory(player, cached)
        key = request_key(player, idempotency_key, "rematch", game_id, new)
        again, change = await runtime.games.rematch(cached, player, new.entropy, key, players.forgotten)
        status = 201 if change is not None and change.entries[0].version == 1 else 200
        at = {"Location": location(again)}
        if change is not None:
            return await after_command(again, player, change, status, at)
        access = GameAccess(again.header, player, again.invite)
        return await game_reply(again, access, access.perspective(None), None, status, at)

    @get(
        "/{game_id:str}/rematch", operation_id=f"{name}_get_rematch", summary="Get the rematch", security=OPTIONAL,
        opt=contract(shown, *of_one_game),
    )  # fmt: skip
    async def get_rematch(
        request: LazyRequest, game_id: GameId, invite: Invite = None, invited: InviteHeader = None
    ) -> ASGIApp:
        """Returns the game that repeats this one, as the caller may see it; 404 if nobody has asked for it."""
        cached, _ = await find_game(runtime.games, rules, game_id, caller(request), invited or invite)
        again = await runtime.games.rematch_of(cached)
        access = GameAccess(again.header, caller(request), invited or invite)
        return await game_reply(again, access, access.perspective(None))

    # --- shared by the handlers ---

    async def names_in_memory(player: str, cached: CachedGame | None = None) -> None:
        """Read the names that the response to a command needs. If they cannot be read, this must fail before the
        command, not after it. Raises `Unavailable`."""
        seated = () if cached is None else cached.game.people
        await players.named([player, *(each for each in seated if each is not None)])

    def moves_reply(
        cached: CachedGame, access: GameAccess, as_: str | None, if_none_match: str | None
    ) -> RawResponse:  # fmt: skip
        """The caller's legal moves, unless the client has them."""
        moves = legal_moves_of(cached, access.acting_seat(as_))
        tag = access.etag(moves.seat, moves.version)
        return not_modified(if_none_match, tag) or RawResponse(encode(moves), headers=private_headers(tag))

    async def after_move(
        cached: CachedGame, access: GameAccess, as_: str | None, change: Change, *, minimal: bool
    ) -> RawResponse:
        """The response to a move that is committed."""
        access.renew(cached.header)
        first, last, perspective = change.entries[0], change.entries[-1], access.perspective(as_)
        seen: GameResource[Any, Any, Any] | UnsetType = UNSET
        if minimal:
            roster = await current_roster(players, cached)
            tag = access.etag(perspective, cached.game.version, roster.revision)
        else:
            seen, tag, _ = await game_resource(runtime.games, players, cached, access, perspective)
        moved: Moved[Any, Any, Any, Any] = Moved(
            version=last.version,
            head=last.head,
            events=[redacted(cached.rules, entry, first.by) for entry in change.entries],
            game=seen,
        )
        headers = private_headers(tag) | replay_headers(change)
        if minimal:
            headers[APPLIED] = RETURN_MINIMAL
        return RawResponse(encode(moved), headers=headers)

    async def too_late(cached: CachedGame, player: str, late: OutOfTime, *, minimal: bool) -> ProblemError:
        """The error for a player who ran out of time, with the game as it is now."""
        seen: GameResource[Any, Any, Any] | UnsetType = UNSET
        if not minimal:
            access = GameAccess(cached.header, player, cached.invite)
            seen, _, _ = await game_resource(runtime.games, players, cached, access, access.perspective(None))
        return ProblemError(problems.out_of_time(late.seat, can_return=late.can_return, seen=seen))

    async def after_command(
        cached: CachedGame, player: str, change: Change, status: int = 200, headers: dict[str, str] | None = None
    ) -> ASGIApp:
        """The game as the player sees it after their command."""
        access = GameAccess(cached.header, player, cached.invite)
        perspective = access.perspective(None)
        return await game_reply(cached, access, perspective, None, status, replay_headers(change) | (headers or {}))

    def known_reply(
        cached: CachedGame, access: GameAccess, perspective: Perspective, roster: Roster, if_none_match: str | None
    ) -> RawResponse | None:
        """The current game if the client has it, or its bytes are cached."""
        tag = access.etag(perspective, cached.game.version, roster.revision)
        if response := not_modified(if_none_match, tag):
            return response
        encoded = cached.responses.get(tag)
        return None if encoded is None else RawResponse(encoded, headers=private_headers(tag))

    async def cacheable_reply(cached: CachedGame, access: GameAccess, perspective: Perspective) -> RawResponse:
        """The current game. Its bytes are cached for other requests with the same ETag."""
        seen, tag, revision = await game_resource(runtime.games, players, cached, access, perspective)
        encoded = encode(seen)
        if seen.version == cached.game.version:  # otherwise the game has advanced in the meantime
            cached.responses[tag] = encoded
            if runtime.version_cache is not None:
                shown_as = variant(access.viewer(perspective), revision)
                runtime.version_cache.keep(cached.game.id, shown_as, seen.version, encoded)
        return RawResponse(encoded, headers=private_headers(tag))

    async def game_reply(
        cached: CachedGame,
        access: GameAccess,
        perspective: Perspective,
        at: int | None = None,
        status: int = 200,
        headers: dict[str, str] | None = None,
        *,
        tally: bool = False,
    ) -> ASGIApp:
        seen, tag, _ = await game_resource(runtime.games, players, cached, access, perspective, at)
        if tally:
            seen = replace(seen, tally=None if seen.view is None else rules.tally(seen.view))
        return RawResponse(encode(seen), status=status, headers=private_headers(tag) | (headers or {}))

    return [
        open_game, look, cancel, sit_down, stand_up, give, legal_moves, move, undo, vote, rematch, get_rematch,
    ]  # fmt: skip
