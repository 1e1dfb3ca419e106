"""The routes of games: one typed set for each ruleset, made from its record. No ruleset is named here."""

from typing import Annotated, Any, TypeAlias

from litestar import Response, Router, delete, get, post
from litestar.params import FromPath, HeaderParameter, QueryParameter
from msgspec import UNSET, Meta, UnsetType

from domain import game
from domain.deck import Deck
from domain.game import Game, Player, Rules
from domain.log import Entry, Stored, redacted, served
from domain.ruleset import Seat
from domain.wire import encode
from service.api import problems, resources
from service.api.bodies import body
from service.api.callers import Anything, caller, signed_in
from service.api.contract import Answer, contract, link, problem
from service.api.perspectives import ALL, Perspective, acting_seat, is_member, perspective, require_visible, seats_of
from service.api.problems import malformed
from service.api.resources import GameLinks, GameResource, LegalMoves, Moved, NewGame, NewSeat, Page
from service.games import Change, Live, request_of
from service.stammtisch import Stammtisch

JSON = "application/json"

As = Annotated[
    str | None,
    QueryParameter(
        name="as", pattern="^(0|[1-9][0-9]{0,2}|bystander|all)$",
        description="Through whose eyes: a seat, `bystander`, or `all`. Default: your own seat, `all` when it is over.",
    ),
]  # fmt: skip
Invite = Annotated[str | None, QueryParameter(name="invite", max_length=64, description="The code of a private game.")]
At = Annotated[int | None, QueryParameter(name="at", ge=1, description="The game as of this version.")]
After = Annotated[int, QueryParameter(name="after", ge=0, description="Events behind this version only.")]
Limit = Annotated[int, QueryParameter(name="limit", ge=1, le=500, description="How many at most.")]
Key = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key", pattern="^[!-~]{1,128}$",
        description="1 to 128 visible ASCII characters. The request may be repeated with it: it takes effect once.",
    ),
]  # fmt: skip
IfMatch = Annotated[
    str | None,
    HeaderParameter(
        name="If-Match", pattern=r'^(\*|"[1-9][0-9]*\.[^"]*")$',
        description="The ETag of the game on which you decided. Refused if your choice is another one since.",
    ),
]  # fmt: skip
IfNoneMatch = Annotated[str | None, HeaderParameter(name="If-None-Match", description="ETags that you have already.")]
Prefer = Annotated[str | None, HeaderParameter(name="Prefer", description="`return=minimal`: without the game.")]
GameId = FromPath[str]

REPLAYED = "Idempotency-Replayed"

Answered: TypeAlias = Response[bytes | None]


def game_routes(rules: Rules, house: Stammtisch) -> Router:
    """All routes of one ruleset's games."""
    event_type = game.event_type(rules)
    game_type = GameResource[rules.options, rules.state, rules.move]  # type: ignore[name-defined]
    seats_type = Annotated[int, Meta(ge=rules.seats[0], le=rules.seats[-1])]
    name, title = rules.name, rules.labels["en"].title

    by_id = {"game_id": "$response.body#/id"}
    links = {
        "look": link(f"{name}_look", "The game as you see it.", **by_id),
        "legal_moves": link(f"{name}_legal_moves", "What you may do.", **by_id),
        "move": link(f"{name}_move", "Make a move.", **by_id),
        "sit_down": link(f"{name}_sit_down", "Sit down.", **by_id),
        "events": link(f"{name}_events", "What has happened.", **by_id),
    }
    malformed_, hidden = problem(problems.Malformed), problem(problems.NotFound)
    refused = problem(problems.Unauthenticated, "WWW-Authenticate")
    busy = problem(problems.Unavailable, "Retry-After")
    limited = problem(problems.TooManyRequests, "Retry-After")
    foreign = problem(problems.Forbidden), problem(problems.NotSeated)
    bodied = problem(problems.TooLarge), problem(problems.UnsupportedMediaType)
    reused = problem(problems.IdempotencyKeyReused)
    common = (malformed_, refused, hidden, limited, busy)
    shown = Answer(200, game_type, headers=("ETag", "Cache-Control", "Vary"), links=links)

    @post(
        "/", operation_id=f"{name}_open", summary=f"Open a game of {title}", status_code=201,
        opt=contract(
            Answer(201, game_type, "The game was opened.", headers=("Location", "ETag", REPLAYED), links=links),
            malformed_, refused, *bodied, reused, limited, busy,
            body=NewGame[seats_type, rules.options],  # type: ignore[name-defined]
        ),
    )  # fmt: skip
    async def open_game(request: Anything, idempotency_key: Key = None) -> Answered:
        """You sit down at seat 0 unless you say otherwise. With an `Idempotency-Key` it is opened exactly once."""
        player = signed_in(request)
        new: NewGame[int, Any] = await body(request)
        live, change = await house.games.open(
            rules, player, new.seats, new.options or rules.options(), deck_of(rules, new.deck), private=new.private,
            hotseat=new.hotseat, sit=new.sit, entropy=new.entropy,
            request=request_of(idempotency_key, "open", rules.name, new),
        )  # fmt: skip
        return await changed(live, player, change, 201, {"Location": location(live)})

    @get("/{game_id:str}", operation_id=f"{name}_look", summary="Look at a game",
        opt=contract(
            shown, Answer(304, description="Nothing has changed for you."), *common, problem(problems.Forbidden)
        ),
    )  # fmt: skip
    async def look(
        request: Anything, game_id: GameId, at: At = None, as_: As = None, invite: Invite = None,
        if_none_match: IfNoneMatch = None,
    ) -> Answered:  # fmt: skip
        """The game as you see it: who sits where, the view of the table, your legal moves; now or at any version."""
        live, who = await visit(request, game_id, invite)
        wish = perspective(live, who, as_)
        if (
            at is None
            and if_none_match is not None
            and matches(if_none_match, etag(live, who, wish, live.game.version))
        ):
            return Response(None, status_code=304, headers=cached(etag(live, who, wish, live.game.version)))
        return await shown_to(live, who, wish, at)

    @post("/{game_id:str}/seats", operation_id=f"{name}_sit_down", summary="Sit down", status_code=200,
        opt=contract(
            shown, *common, *bodied, reused,
            problem(problems.NotWaiting), problem(problems.SeatTaken), problem(problems.AlreadySeated),
            body=NewSeat,
        ),
    )  # fmt: skip
    async def sit_down(
        request: Anything, game_id: GameId, invite: Invite = None, idempotency_key: Key = None
    ) -> Answered:
        """At the seat you name, or at the first free one. Whoever takes the last seat begins the game."""
        player = signed_in(request)
        live, _ = await visit(request, game_id, invite)
        new: NewSeat = await body(request)
        asked = request_of(idempotency_key, "sit down", new)
        return await changed(live, player, await house.games.join(live, player, new.seat, new.entropy, asked))

    @delete("/{game_id:str}/seats/{seat:int}", operation_id=f"{name}_stand_up", summary="Stand up", status_code=200,
        opt=contract(shown, *common, *foreign, problem(problems.NotWaiting), reused),
    )  # fmt: skip
    async def stand_up(
        request: Anything, game_id: GameId, seat: FromPath[int], idempotency_key: Key = None
    ) -> Answered:
        """Before the game begins. When the last player has stood up the game is aborted."""
        player = signed_in(request)
        live, _ = await visit(request, game_id, None)
        asked = request_of(idempotency_key, "stand up", seat)
        return await changed(live, player, await house.games.leave(live, player, seat, asked))

    @get("/{game_id:str}/moves", operation_id=f"{name}_legal_moves", summary="List your legal moves",
        opt=contract(Answer(200, LegalMoves[rules.move], headers=("ETag",)), *common, *foreign),  # type: ignore[name-defined]
    )  # fmt: skip
    async def legal_moves(request: Anything, game_id: GameId, as_: As = None, invite: Invite = None) -> Answered:
        """All that you may do now; each can be posted as it is."""
        player = signed_in(request)
        live, _ = await visit(request, game_id, invite)
        seat, version = acting_seat(live, player, as_), live.game.version
        moves = LegalMoves(version, seat, live.decision(seat), game.legal(rules, live.game, seat))
        return Response(encode(moves), media_type=JSON, headers=cached(etag(live, player, seat, version)))

    @post("/{game_id:str}/moves", operation_id=f"{name}_move", summary="Make a move", status_code=200,
        opt=contract(
            Answer(
                200, Moved[rules.options, rules.state, rules.move, event_type],  # type: ignore[name-defined,valid-type]
                headers=("ETag", REPLAYED, "Preference-Applied"),
            ),
            *common, *foreign, problem(problems.IllegalMove[rules.move]),  # type: ignore[name-defined]
            problem(problems.StaleDecision[event_type]), *bodied, reused,  # type: ignore[valid-type]
            body=rules.move,
        ),
    )  # fmt: skip
    async def move(
        request: Anything, game_id: GameId, as_: As = None, invite: Invite = None, idempotency_key: Key = None,
        if_match: IfMatch = None, prefer: Prefer = None,
    ) -> Answered:  # fmt: skip
        """Answered when the move is durable. With an `Idempotency-Key` a lost answer can be asked for again."""
        player = signed_in(request)
        live, _ = await visit(request, game_id, invite)
        chosen = await body(request)
        seat = acting_seat(live, player, as_)
        asked = request_of(idempotency_key, "move", seat, chosen)
        change = await house.games.move(live, player, seat, chosen, asked, decided_on(if_match))
        entries, version = change.entries, change.entries[-1].version
        minimal = prefer is not None and "return=minimal" in prefer.replace(" ", "").lower()
        wish = perspective(live, player, as_)
        answer: Moved[Any, Any, Any, Any] = Moved(
            version=version, head=entries[-1].head, events=[redacted(rules, entry, seat) for entry in entries],
            game=UNSET if minimal else await resource(live, player, wish),
        )  # fmt: skip
        headers = cached(etag(live, player, wish, live.game.version)) | replay(change)
        if minimal:
            headers["Preference-Applied"] = "return=minimal"
        return Response(encode(answer), media_type=JSON, headers=headers)

    @get("/{game_id:str}/events", operation_id=f"{name}_events", summary="Read what has happened",
        opt=contract(Answer(200, Page[Entry[event_type]], headers=("Link",)), *common, problem(problems.Forbidden)),  # type: ignore[valid-type]
    )  # fmt: skip
    async def events(
        request: Anything, game_id: GameId, after: After = 0, limit: Limit = 100, as_: As = None, invite: Invite = None
    ) -> Answered:
        """The events in order, each as you may see it; everything when the game is over."""
        live, who = await visit(request, game_id, invite)
        wish = perspective(live, who, as_)
        log = await house.games.log(live, after)
        items = [entry_for(entry, wish) for entry in log[:limit]]
        following = None
        if len(log) > limit:
            query = {"after": after + limit, "limit": limit, "as": as_, "invite": invite}
            following = f"{location(live)}/events?" + "&".join(f"{k}={v}" for k, v in query.items() if v is not None)
        headers = cached(etag(live, who, wish, live.game.version)) | resources.link_header(following)
        return Response(encode(Page(items, following)), media_type=JSON, headers=headers)

    # --- what they share ---

    async def visit(request: Anything, game_id: str, invite: str | None) -> tuple[Live, Player | None]:
        """The game, if the caller may know of it, and the caller."""
        who = caller(request)
        live = await house.games.find(rules, game_id)
        require_visible(live, who, invite)
        return live, who

    async def changed(
        live: Live, player: Player, change: Change, status: int = 200, headers: dict[str, str] | None = None
    ) -> Answered:
        """The game as its player sees it after his command."""
        return await shown_to(
            live, player, perspective(live, player, None), None, status, replay(change) | (headers or {})
        )

    async def shown_to(
        live: Live, who: Player | None, wish: Perspective, at: int | None, status: int = 200,
        headers: dict[str, str] | None = None,
    ) -> Answered:  # fmt: skip
        seen = await resource(live, who, wish, at)
        headers = cached(etag(live, who, wish, seen.version)) | (headers or {})
        return Response(encode(seen), status_code=status, media_type=JSON, headers=headers)

    async def resource(
        live: Live, who: Player | None, wish: Perspective, at: int | None = None
    ) -> GameResource[Any, Any, Any]:
        past = None if at is None else (await house.games.log(live))[at - 1 : at]
        seen = await (house.games.truth(live, at) if wish == ALL else house.games.view(live, wish, at))
        return game_resource(live, who, wish, seen, past[0] if past else live.tail[-1], now=at is None)

    def entry_for(entry: Stored[Any], wish: Perspective) -> Entry[Any]:
        return served(entry, entry.event) if wish == ALL else redacted(rules, entry, wish)

    return Router(
        f"/v1/games/{name}", tags=[title], opt={"rules": rules},
        route_handlers=[open_game, look, sit_down, stand_up, legal_moves, move, events],
    )  # fmt: skip


def game_resource(
    live: Live, who: Player | None, wish: Perspective, seen: Game, last: Entry[Any], *, now: bool
) -> GameResource[Any, Any, Any]:
    """The game `seen` from a perspective, after its entry `last`; `now` unless it is a past version."""
    terms, place = game.agreed(seen), location(live)
    you = your_seat(live, who, wish)
    return GameResource(
        id=seen.id,
        ruleset=terms.ruleset,
        rules=terms.rules,
        status=seen.status,
        created_at=live.created_at,
        version=seen.version,
        head=last.head,
        commitment=terms.commitment,
        options=terms.options,
        deck=resources.deck_named(seen),
        private=terms.private,
        hotseat=terms.hotseat,
        seats=resources.chairs(seen),
        you=you,
        to_act=game.to_act(live.rules, seen),
        decision=live.decision(you) if now else None,
        view=seen.state,
        legal_moves=[] if you is None else game.legal(live.rules, seen, you),
        result=seen.result,
        invite=game.invite(live.game) if terms.private and is_member(live, who) else UNSET,
        links=GameLinks(
            self=place,
            seats=f"{place}/seats",
            moves=f"{place}/moves",
            events=f"{place}/events",
            deck=f"/v1/rulesets/{terms.ruleset}/decks/{terms.deck.name}",
        ),
    )


def your_seat(live: Live, who: Player | None, wish: Perspective) -> Seat | None:
    """The caller's seat: the one looked from, in a hotseat game."""
    own = seats_of(live, who)
    return wish if isinstance(wish, int) and wish in own else next(iter(own), None)


def deck_of(rules: Rules, name: str | UnsetType) -> Deck[Any]:
    """The deck of that name, or the ruleset's first. Raises a `Refusal`."""
    if name is UNSET:
        return next(iter(rules.decks.values()))
    if name not in rules.decks:
        raise malformed("$.deck", f"there is no deck `{name}`; there are: {', '.join(rules.decks)}")
    return rules.decks[name]


def location(live: Live) -> str:
    return f"/v1/games/{live.rules.name}/{live.game.id}"


def etag(live: Live, who: Player | None, wish: Perspective, version: int) -> str:
    """Version and viewer: whatever else makes two callers' answers differ is in it as well."""
    own = seats_of(live, who)
    viewer = "bystander" if wish is None else str(wish)
    you = "" if not own or wish in own else f"-{own[0]}"
    member = "+" if not own and is_member(live, who) else ""
    return f'"{version}.{viewer}{you}{member}"'


def matches(if_none_match: str, tag: str) -> bool:
    return any(part.strip().removeprefix("W/") in (tag, "*") for part in if_none_match.split(","))


def decided_on(if_match: str | None) -> int | None:
    """The version in an ETag."""
    return None if if_match in (None, "*") else int(if_match[1:].partition(".")[0])


def cached(tag: str) -> dict[str, str]:
    """Everybody sees another game: no shared cache may keep it, and no cache may use it unasked."""
    return {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Authorization"}


def replay(change: Change) -> dict[str, str]:
    return {REPLAYED: "true"} if change.replayed else {}
