"""Builds the resource of a game for a caller, now or as of an earlier version."""

from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType

from domain import game
from domain.game import Game
from domain.game.timekeeping import Times
from domain.messages import Value
from domain.ruleset import Seat
from domain.stand_in import is_stand_in
from service.api import resources
from service.api.access import ALL, GameAccess, Perspective, StreamPerspective
from service.api.operations import REPLAYED
from service.api.resources import GameResource, LegalMoves, Situation
from service.games.cached_game import CachedGame
from service.games.errors import ViewsMissing
from service.games.games import Change, Games
from service.identity.players import Players, Roster

MISSING = "missing"
"""Instead of a version: it needs views that are not in memory."""


class Seen(Value):
    """The current game as a caller looks at it: from this perspective, and with these names."""

    cached: CachedGame
    access: GameAccess
    perspective: Perspective
    roster: Roster
    """Of `Game.people`."""

    @property
    def etag(self) -> str:
        return self.access.etag(self.perspective, self.cached.game.version, self.roster.revision)


class Representation(NamedTuple):
    """A game for a caller, and its ETag. `revision` is that of the names in it."""

    resource: GameResource[Any, Any, Any]
    etag: str
    revision: int


async def game_resource(
    games: Games, players: Players, by: Seen, at: int | None = None, reader: str = ""
) -> Representation:  # fmt: skip
    """The game now or as of version `at`, read in the turns of `reader`.

    Raises `NoSuchVersion`, `Unavailable`.
    """
    cached, access, perspective, roster = by.cached, by.access, by.perspective, by.roster
    if at is None and (known := current_resource(by)) is not None:
        return _represented(known, access, perspective, roster)
    decision: int | None = None
    undo: int | UnsetType | None = UNSET if cached.game.tables is None else None
    if at is None:
        if _undo(cached, access.you(perspective, cached.to_act())) is MISSING:
            await games.read_views(cached)
        # Before any await: the game may advance while the log is read, and the resource must be of one version.
        current = access.you(perspective, cached.to_act())
        decision, found = cached.choice_version(current), _undo(cached, current)
        undo = None if found is MISSING else found  # then the game has advanced meanwhile: the latest move is new
    seen = await (
        games.truth(cached, at, reader) if perspective == ALL else games.view(cached, perspective, at, reader)
    )
    (last,) = await games.log(cached, seen.version - 1, seen.version)
    acting = game.to_act(cached.rules, seen)
    you = access.you(perspective, acting)
    own = seen if you is None or perspective in (ALL, you) else await games.view(cached, you, seen.version, reader)
    roster = await players.roster(seen.people)
    times = await games.times(cached, seen.version, reader)
    resource = _resource(cached, access, seen, times, roster, last.head, you, acting, decision, undo, own)
    return _represented(resource, access, perspective, roster)


async def current_roster(players: Players, cached: CachedGame) -> Roster:
    """The players of the game with their names, as of the return of this function. Raises `Unavailable`."""
    while (roster := players.roster_in_memory(cached.game.people)) is None:
        await players.roster(cached.game.people)
    return roster


def _represented(
    resource: GameResource[Any, Any, Any], access: GameAccess, perspective: Perspective, roster: Roster
) -> Representation:
    return Representation(resource, access.etag(perspective, resource.version, roster.revision), roster.revision)


def current_resource(by: Seen) -> GameResource[Any, Any, Any] | None:
    """The current game; None if the views in memory are too old and the log must be read."""
    cached, access, perspective, roster = by.cached, by.access, by.perspective, by.roster
    acting = cached.to_act()
    you = access.you(perspective, acting)
    undo: int | UnsetType | None = UNSET
    if cached.game.tables is not None:
        try:
            undo = cached.undo(you)  # before the view, which goes on from what this needs
        except ViewsMissing:
            return None
    seen = cached.game if perspective == ALL else cached.view(perspective)
    own = seen if you is None or perspective in (ALL, you) else cached.view(you)
    if seen is None or own is None:
        return None
    return _resource(
        cached, access, seen, cached.times, roster, cached.tail[-1].head, you, acting, cached.choice_version(you), undo,
        own,
    )  # fmt: skip


def _undo(cached: CachedGame, seat: Seat | None) -> Any:
    """What the seat can take back; `MISSING` if that needs views that are not in memory."""
    try:
        return cached.undo(seat)
    except ViewsMissing:
        return MISSING


def _resource(
    cached: CachedGame,
    access: GameAccess,
    seen: Game,
    times: Times | None,
    roster: Roster,
    head: str,
    you: Seat | None,
    acting: tuple[Seat, ...],
    decision: int | None,
    undo: int | UnsetType | None,
    own: Game,
) -> GameResource[Any, Any, Any]:
    """The resource of the game as `seen` from a perspective. `own` is the game as the seat `you` sees it: the legal
    moves depend on it."""
    terms = game.agreed(seen)
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
        absent=terms.absent,
        sealed=terms.sealed,
        puzzles=terms.puzzles,
        hints=terms.hints,
        clock=UNSET if times is None else resources.game_clock(times),
        undo_mode=terms.undo,
        undo=undo,
        vote=UNSET if seen.asking is None else resources.question(seen),  # mostly there is none
        rematch_of=terms.rematch_of,
        deal=UNSET if cached.game.revealed else terms.deal,
        seats=resources.seat_assignments(roster, seen),
        you=you,
        to_act=acting,
        decision=decision,
        view=None if is_stand_in(cached.rules) else seen.state,
        legal_moves=[] if you is None else game.legal(cached.rules, own, you),
        result=seen.result,
        cause=seen.cause,
        parent=terms.parent,
        imported=cached.tail[-1].imported or UNSET,
        invite=cached.invite if terms.private and access.is_member else UNSET,
        links=resources.links(location(cached), terms.ruleset, terms.deck.name),
    )


def situation(
    cached: CachedGame, stream: StreamPerspective, roster: Roster | None, kind: Any = Situation, **besides: str
) -> Any:
    """What the caller of the stream can do now. With a roster it contains the seats. Raises `ViewsMissing`.

    `kind` is a type with the fields `besides`.
    """
    now, acting = cached.game, cached.to_act()
    you = stream.access.you(stream.current, acting)
    return kind(
        version=now.version, status=now.status, you=you, to_act=acting, decision=cached.choice_version(you),
        legal_moves=[] if you is None else game.legal(cached.rules, now, you), result=now.result, cause=now.cause,
        seats=UNSET if roster is None else resources.seat_assignments(roster, now),
        clock=UNSET if cached.times is None else resources.game_clock(cached.times),
        undo=cached.undo(you), vote=resources.question(now), **besides,
    )  # fmt: skip


def legal_moves_of(cached: CachedGame, seat: Seat) -> LegalMoves[Any]:
    moves = game.legal(cached.rules, cached.game, seat)
    return LegalMoves(cached.game.version, seat, cached.choice_version(seat), moves)


def location(cached: CachedGame) -> str:
    return f"/v1/games/{cached.rules.name}/{cached.game.id}"


def replay_headers(change: Change) -> dict[str, str]:
    """The header of a repeated request; empty for a new one."""
    return {REPLAYED: "true"} if change.replayed else {}
