"""The routes of games: one typed set for each ruleset, made from its record. No ruleset is named here."""

import re
from typing import Annotated, Any, Literal

from litestar import delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, PathParameter, QueryParameter
from litestar.types import ASGIApp
from msgspec import UNSET, Meta

from domain import game
from domain.codec import encode
from domain.game import Game, Player, Rules
from domain.log import redacted
from projections.header import choosing
from service.api import problems, resources
from service.api.cached_responses import CachedResponses
from service.api.contract import Answer, contract, examples, link, problem
from service.api.fast_path import FAST_PATH
from service.api.input.access import ALL, LiveGameAccess, Perspective
from service.api.input.bodies import body
from service.api.openapi import OPTIONAL, REQUIRED, refusals
from service.api.problems import Refusal
from service.api.resources import GameResource, LegalMoves, Moved, NewGame, NewSeat
from service.games.games import CachedGame, Change, Games, request_of
from service.http.auth import Anything, caller, signed_in
from service.http.raw_response import RawResponse, matches, private_headers
from service.runtime import Runtime

As = Annotated[
    str | None,
    QueryParameter(
        name="as", pattern=r"^(0|[1-9][0-9]{0,2}|bystander|all)$(?!\n)",
        description="Through whose eyes: a seat, `bystander`, or `all`. Default: your own seat, `all` when it is over.",
    ),
]  # fmt: skip
Invite = Annotated[str | None, QueryParameter(name="invite", max_length=64, description="The code of a private game.")]
At = Annotated[int | None, QueryParameter(name="at", ge=1, description="The game as of this version.")]
Key = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key", pattern=r"^[!-~]{1,128}$(?!\n)",
        description="1 to 128 visible ASCII characters. The request may be repeated with it: it takes effect once.",
    ),
]  # fmt: skip
IfMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match",
        description="The ETag of the game on which you decided. Refused if your choice is another one since.",
    ),
]  # fmt: skip
IfNoneMatch = Annotated[str | None, HeaderParameter(name="If-None-Match", description="ETags that you have already.")]
Prefer = Annotated[str | None, HeaderParameter(name="Prefer", description="`return=minimal`: without the game.")]
GameId = Annotated[str, PathParameter(description="Which game.")]
SeatPlace = Annotated[str, PathParameter(description="Which seat, counted from 0.")]

REPLAYED = "Idempotency-Replayed"
APPLIED = "Preference-Applied"
MINIMAL = "return=minimal"


def game_routes(rules: Rules, runtime: Runtime) -> list[HTTPRouteHandler]:
    """All routes of one ruleset's games, by whatever version of it they are played.

    `rules` is the newest: what it knows are all moves, events and fields that there are (a law of the versions).
    """
    name, title = rules.name, rules.labels["en"].title

    # What goes in and out. These are types that are made here, which a type checker cannot follow.
    deck_type: Any = Literal[tuple(rules.decks)]
    seats_type: Any = Annotated[int, Meta(ge=rules.seats[0], le=rules.seats[-1])]
    event_type: Any = game.event_type(rules)
    new_type: Any = NewGame[seats_type, deck_type, rules.options]  # type: ignore[name-defined]
    game_type: Any = GameResource[rules.options, rules.state, rules.move]  # type: ignore[name-defined]
    moved_type: Any = Moved[rules.options, rules.state, rules.move, event_type]  # type: ignore[name-defined]
    moves_type: Any = LegalMoves[rules.move]  # type: ignore[name-defined]
    illegal_type: Any = problems.IllegalMove[rules.move]  # type: ignore[name-defined]
    stale_type: Any = problems.StaleDecision[event_type]

    def links(game_id: str, moves: str, **of_move: str) -> dict[str, Any]:
        """From an answer to the rest of its game; `moves` is where the answer has the legal ones."""
        first = {"body": f"{moves}/0", "game_id": game_id, **of_move}
        return {
            "look": link(f"{name}_look", "The game as you see it.", game_id=game_id),
            "legal_moves": link(f"{name}_legal_moves", "What you may do.", game_id=game_id),
            "move": link(f"{name}_move", "Make a move: the first of the legal ones, for example.", **first),
            "events": link(f"{name}_events", "What has happened.", game_id=game_id),
        }

    transcript = examples(rules)
    here = "$request.path.game_id"
    of_game = links("$response.body#/id", "$response.body#/legal_moves") | {
        "sit_down": link(f"{name}_sit_down", "Sit down.", game_id="$response.body#/id"),
        "cancel": link(f"{name}_cancel", "Give it up before it begins.", game_id="$response.body#/id"),
        "stand_up": link(
            f"{name}_stand_up", "Stand up again.", game_id="$response.body#/id", seat="$response.body#/you"
        ),
    }
    of_moves = links(here, "$response.body#/legal_moves", **{"as": "$response.body#/seat"})
    of_moved = links(here, "$response.body#/game/legal_moves")
    ready = None if runtime.version_cache is None else CachedResponses(rules, runtime, runtime.version_cache)
    always = refusals()
    one = (*always, problem(problems.NotFound))
    with_body = problem(problems.TooLarge), problem(problems.UnsupportedMediaType)
    with_key, crowded = problem(problems.IdempotencyKeyReused), problem(problems.TooManyGames)
    shown = Answer(200, game_type, headers=("ETag", "Cache-Control", "Vary", REPLAYED), links=of_game)
    opened = Answer(201, game_type, "The game was opened.", headers=("Location", "ETag", REPLAYED), links=of_game)
    unchanged = Answer(304, description="Nothing has changed for you.")

    @post(
        "/", operation_id=f"{name}_open", summary=f"Open a game of {title}", security=REQUIRED, status_code=201,
        opt=contract(
            opened, *always, *with_body, with_key, crowded, problem(problems.StorageExhausted),
            body=new_type, examples=transcript.get(f"{name}_open"),
        ),
    )  # fmt: skip
    async def open_game(request: Anything, idempotency_key: Key = None) -> ASGIApp:
        """You sit down at seat 0 unless you say otherwise. With an `Idempotency-Key` it is opened exactly once."""
        player = signed_in(request)
        new: NewGame[int, str, Any] = await body(request)
        deck = next(iter(rules.decks.values())) if new.deck is UNSET else rules.decks[new.deck]
        cached, change = await runtime.games.open(
            rules, player, new.seats, new.options or rules.options(), deck, private=new.private, hotseat=new.hotseat,
            sit=new.sit, entropy=new.entropy, request=request_of(idempotency_key, "open", name, new),
        )  # fmt: skip
        return await changed(cached, player, change, 201, {"Location": location(cached)})

    @get(
        "/{game_id:str}", operation_id=f"{name}_look", summary="Look at a game", security=OPTIONAL,
        opt=contract(shown, unchanged, *one, problem(problems.Forbidden)) | FAST_PATH,
    )  # fmt: skip
    async def look(
        request: Anything, game_id: GameId, at: At = None, as_: As = None, invite: Invite = None,
        if_none_match: IfNoneMatch = None,
    ) -> ASGIApp:  # fmt: skip
        """The game as you see it: who sits where, the view of the table, your legal moves; now or at any version."""
        cached_version = None
        if ready is not None and at is None:
            cached_version, reply = await ready.look(game_id, caller(request), as_, invite, if_none_match)
            if reply is not None:
                return reply
        access = LiveGameAccess(await runtime.games.find(rules, game_id, cached_version), caller(request), invite)
        perspective = access.perspective(as_)
        if at is not None:
            if as_ is None and access.header.hotseat and isinstance(perspective, int):
                then = await runtime.games.view(access.cached, perspective, at)
                perspective = choosing(access.own, game.to_act(access.cached.rules, then))
            return await game_reply(access, perspective, at)
        tag = access.etag(perspective, access.cached.game.version)
        if if_none_match is not None and matches(if_none_match, tag):
            return RawResponse(status=304, headers=private_headers(tag))
        known = access.cached.answers.get(tag)
        return (
            RawResponse(known, headers=private_headers(tag))
            if known is not None
            else await first_look(access, perspective)
        )

    @delete(
        "/{game_id:str}", operation_id=f"{name}_cancel", summary="Cancel a game", security=REQUIRED, status_code=200,
        opt=contract(shown, *one, with_key, problem(problems.NotOpener), problem(problems.NotWaiting)),
    )  # fmt: skip
    async def cancel(request: Anything, game_id: GameId, invite: Invite = None, idempotency_key: Key = None) -> ASGIApp:
        """Only by the player who opened it, and only while it waits for players. It is aborted, and stays readable."""
        player = signed_in(request)
        cached = (await visiting(request, game_id, invite)).cached
        asked = request_of(idempotency_key, "cancel")
        return await changed(cached, player, await runtime.games.cancel(cached, player, asked))

    @post(
        "/{game_id:str}/seats", operation_id=f"{name}_sit_down", summary="Sit down", security=REQUIRED, status_code=200,
        opt=contract(
            shown, *one, *with_body, with_key,
            problem(problems.NotWaiting), problem(problems.SeatTaken), problem(problems.AlreadySeated), crowded,
            problem(problems.TooRestless),
            body=NewSeat,
        ),
    )  # fmt: skip
    async def sit_down(
        request: Anything, game_id: GameId, invite: Invite = None, idempotency_key: Key = None
    ) -> ASGIApp:
        """At the seat you name, or at the first free one. Whoever takes the last seat begins the game."""
        player = signed_in(request)
        cached = (await visiting(request, game_id, invite)).cached
        new: NewSeat = await body(request)
        asked = request_of(idempotency_key, "sit down", new)
        return await changed(cached, player, await runtime.games.join(cached, player, new.seat, new.entropy, asked))

    @delete(
        "/{game_id:str}/seats/{seat:str}", operation_id=f"{name}_stand_up", summary="Stand up", security=REQUIRED,
        status_code=200,
        opt=contract(shown, *one, with_key, problem(problems.NotSeated), problem(problems.NotWaiting)),
    )  # fmt: skip
    async def stand_up(
        request: Anything, game_id: GameId, seat: SeatPlace, invite: Invite = None, idempotency_key: Key = None
    ) -> ASGIApp:
        """Before the game begins. When the last player has stood up the game is aborted."""
        player = signed_in(request)
        cached = (await visiting(request, game_id, invite)).cached
        if not re.fullmatch("0|[1-9][0-9]{0,2}", seat):  # as a number in the path, +0 and 0_0 would be seat 0 as well
            raise Refusal(problems.NotFound(detail="There is no such seat."))
        asked = request_of(idempotency_key, "stand up", seat)
        return await changed(cached, player, await runtime.games.leave(cached, player, int(seat), asked))

    @get(
        "/{game_id:str}/moves", operation_id=f"{name}_legal_moves", summary="List your legal moves", security=REQUIRED,
        opt=contract(Answer(200, moves_type, headers=("ETag",), links=of_moves), *one, problem(problems.NotSeated))
        | FAST_PATH,
    )  # fmt: skip
    async def legal_moves(request: Anything, game_id: GameId, as_: As = None, invite: Invite = None) -> ASGIApp:
        """All that you may do now; each can be posted as it is."""
        signed_in(request)
        access = await visiting(request, game_id, invite)
        cached, seat = access.cached, access.acting_seat(as_)
        moves = LegalMoves(
            cached.game.version, seat, cached.decision(seat), game.legal(cached.rules, cached.game, seat)
        )
        return RawResponse(encode(moves), headers=private_headers(access.etag(seat, cached.game.version)))

    @post(
        "/{game_id:str}/moves", operation_id=f"{name}_move", summary="Make a move", security=REQUIRED, status_code=200,
        opt=contract(
            Answer(200, moved_type, headers=("ETag", REPLAYED, APPLIED), links=of_moved), *one, *with_body, with_key,
            problem(problems.NotSeated), problem(problems.Forbidden), problem(illegal_type), problem(stale_type),
            body=rules.move, examples=transcript.get(f"{name}_move"),
        )
        | FAST_PATH,
    )  # fmt: skip
    async def move(
        request: Anything, game_id: GameId, as_: As = None, invite: Invite = None, idempotency_key: Key = None,
        if_match: IfMatch = None, prefer: Prefer = None,
    ) -> ASGIApp:  # fmt: skip
        """Answered when the move is durable. With an `Idempotency-Key` a lost answer can be asked for again."""
        player = signed_in(request)
        cached = runtime.games.running(rules, game_id) or await runtime.games.find(rules, game_id)
        access = LiveGameAccess(cached, player, invite)
        chosen = await body(request)
        access = access.renewed()
        seat = access.named_seat(as_)
        access.perspective(as_)  # what may not be shown in the answer is refused before the move, not after it
        asked = request_of(idempotency_key, "move", as_, chosen)
        change = await runtime.games.move(cached, player, seat, chosen, asked, decided_on(if_match))
        access = access.renewed()
        first, last, perspective = change.entries[0], change.entries[-1], access.perspective(as_)
        tag = access.etag(perspective, cached.game.version)  # before any await: of the version that is shown
        minimal = prefer is not None and MINIMAL in prefer.replace(" ", "").lower()
        moved: Moved[Any, Any, Any, Any] = Moved(
            version=last.version,
            head=last.head,
            events=[redacted(cached.rules, entry, first.by) for entry in change.entries],
            game=UNSET if minimal else await game_resource(runtime.games, access, perspective),
        )
        headers = private_headers(tag) | replay(change)
        if minimal:
            headers[APPLIED] = MINIMAL
        return RawResponse(encode(moved), headers=headers)

    # --- what they share ---

    async def visiting(request: Anything, game_id: str, invite: str | None) -> LiveGameAccess:
        return LiveGameAccess(await runtime.games.find(rules, game_id), caller(request), invite)

    async def changed(
        cached: CachedGame, player: Player, change: Change, status: int = 200, headers: dict[str, str] | None = None
    ) -> ASGIApp:
        """The game as its player sees it after his command."""
        access = LiveGameAccess(cached, player, cached.invite)
        return await game_reply(access, access.perspective(None), None, status, replay(change) | (headers or {}))

    async def first_look(access: LiveGameAccess, perspective: Perspective) -> ASGIApp:
        """The answer to a look, which is kept for the next ones."""
        cached, seen = access.cached, await game_resource(runtime.games, access, perspective)
        tag, answer = access.etag(perspective, seen.version), encode(seen)
        if seen.version == cached.game.version:  # else the game has gone on while it was made
            cached.answers[tag] = answer
            if runtime.version_cache is not None:
                runtime.version_cache.keep(cached.game.id, access.viewer(perspective), seen.version, answer)
        return RawResponse(answer, headers=private_headers(tag))

    async def game_reply(
        access: LiveGameAccess,
        perspective: Perspective,
        at: int | None,
        status: int = 200,
        headers: dict[str, str] | None = None,
    ) -> ASGIApp:
        seen = await game_resource(runtime.games, access, perspective, at)
        tag = access.etag(perspective, seen.version)
        return RawResponse(encode(seen), status=status, headers=private_headers(tag) | (headers or {}))

    return [open_game, look, cancel, sit_down, stand_up, legal_moves, move]


async def game_resource(
    games: Games, access: LiveGameAccess, perspective: Perspective, at: int | None = None
) -> GameResource[Any, Any, Any]:
    """The game from the perspective, now or as of version `at`."""
    if at is None and (now := shown_now(access, perspective)) is not None:
        return now
    cached = access.cached
    # Before any await: the game may go on while the log is read, and the answer is of one version.
    decision = cached.decision(access.you(perspective, cached.to_act())) if at is None else None
    seen = await (games.truth(cached, at) if perspective == ALL else games.view(cached, perspective, at))
    (last,) = await games.log(cached, seen.version - 1, seen.version)
    acting = game.to_act(cached.rules, seen)
    you = access.you(perspective, acting)
    mine = seen if you is None or perspective in (ALL, you) else await games.view(cached, you, seen.version)
    return described(access, seen, last.head, you, acting, decision, mine)


def shown_now(access: LiveGameAccess, perspective: Perspective) -> GameResource[Any, Any, Any] | None:
    """The game as it is, from the perspective; None if more is needed for it than is in memory."""
    cached = access.cached
    you = access.you(perspective, cached.to_act())
    seen = cached.game if perspective == ALL else cached.view(perspective)
    mine = seen if you is None or perspective in (ALL, you) else cached.view(you)
    if seen is None or mine is None:
        return None
    return described(access, seen, cached.tail[-1].head, you, cached.to_act(), cached.decision(you), mine)


def described(
    access: LiveGameAccess,
    seen: Game,
    head: str,
    you: int | None,
    acting: tuple[int, ...],
    decision: int | None,
    mine: Game,
) -> GameResource[Any, Any, Any]:
    """The game as it was `seen` by the visitor, whose seat is `you`; `mine` is what that seat sees, for its moves."""
    cached, terms = access.cached, game.agreed(seen)
    return GameResource(
        id=seen.id,
        ruleset=terms.ruleset,
        rules=terms.rules,
        status=seen.status,
        created_at=cached.created_at,
        version=seen.version,
        head=head,
        commitment=terms.commitment,
        options=terms.options,
        deck=resources.deck_named(terms.deck.name, terms.deck.provenance),
        private=terms.private,
        hotseat=terms.hotseat,
        seats=resources.chairs(seen.players, seen.entropies),
        you=you,
        to_act=acting,
        decision=decision,
        view=seen.state,
        legal_moves=[] if you is None else game.legal(cached.rules, mine, you),
        result=seen.result,
        cause=seen.cause,
        parent=terms.parent,
        imported=cached.tail[-1].imported or UNSET,
        invite=cached.invite if terms.private and access.is_member else UNSET,
        links=resources.links(location(cached), terms.ruleset, terms.deck.name),
    )


def location(cached: CachedGame) -> str:
    return f"/v1/games/{cached.rules.name}/{cached.game.id}"


def decided_on(if_match: str | None) -> int | None:
    """The version in an ETag, the latest of several; 0, at which nobody had a choice, in what we never gave out."""
    if if_match is None or if_match.strip() == "*":
        return None
    return max((int(version) for version in re.findall(r'"([0-9]{1,9})\.', if_match)), default=0)


def replay(change: Change) -> dict[str, str]:
    return {REPLAYED: "true"} if change.replayed else {}
