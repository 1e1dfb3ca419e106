"""The state of a game, and what follows from it alone."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from domain.fairness.chance import Chance, Dealer
from domain.game.events import (
    Cause,
    Deal,
    Matter,
    Opened,
    Parent,
    Rules,
    Status,
)
from domain.messages import Dealing, Value
from domain.player import PlayerId
from domain.ruleset import BotName, Result, Seat

ENDLESS = 2**63 - 1
"""The maximum length of a game without a limit: no version is higher."""

REACH = 256
"""The number of the ruleset's latest events that can be taken back."""

STAYS = 3
"""The departure from a running game after which a player cannot come back to the seat."""


ALL_GRANTS = 4
"""How many banks a seat can be given in all."""


class Table(Value):
    """The table at a version, from which the events that followed can be folded again."""

    version: int
    state: Any
    deals: Mapping[str, int]
    played: int


class Question(Value):
    """An open question. `seat` asked it; the seats in `yes` have agreed. An undo would go back to version `to`."""

    on: Matter
    seat: Seat
    to: int | UnsetType
    yes: tuple[Seat, ...]
    played: int
    """The number of the ruleset's events when it was asked."""


class Game(Value):
    """A game after `version` events: the full state, or one viewer's."""

    id: str
    version: int = 0
    status: Status = "waiting"
    terms: Opened[Any, Any] | None = None
    players: tuple[str | None, ...] = ()
    """The ids of the players, by seat."""
    entropies: tuple[str, ...] = ()
    seals: tuple[str, ...] = ()
    """Of a sealed game that waits or never began: by seat the seal of its player, "" without one."""
    ready: tuple[Seat, ...] = ()
    """The seats of such a game that have opened their entropy, in order."""
    deals: Mapping[str, int] = {}
    """The numbers of dealer steps so far, by the type of their event."""
    played: int = 0
    """The number of the ruleset's events so far."""
    state: Any = None
    """The ruleset's state; None before the game begins."""
    result: Result | None = None
    revealed: bool = False
    cause: Cause | UnsetType = UNSET
    """Why the game was aborted, if it was."""
    longest: int = ENDLESS
    """The number of events after which a running game is aborted."""
    stood_up: tuple[str, ...] = ()
    """The ids of the players who left, in order, once for each time. Empty once the game has begun."""
    bots: tuple[BotName | None, ...] = ()
    """By seat, the bot that plays it now. Empty if people play all seats."""
    gone: tuple[Seat, ...] = ()
    """The seats whose players have left the running game, in order."""
    departures: tuple[Seat, ...] = ()
    """Those seats, once for each time, also of players who came back."""
    kept: tuple[PlayerId | None, ...] = ()
    """By seat, the player for whom it is kept until they take a seat or decline. Empty if none is."""
    expired: tuple[Seat, ...] = ()
    """Those of `gone` whose players ran out of time."""
    granted: tuple[int, ...] = ()
    """By seat, the seconds that other players gave it. Empty if there were none."""
    tables: tuple[Table, ...] | None = None
    """What an undo folds from: a table behind which it never goes, and maybe a later one, `REACH` events of the ruleset
    after it. None if nothing can be taken back. A move is never free once the dealer has dealt, so without agreement
    the first one moves on to each dealer step."""
    since: tuple[Any, ...] = ()
    """The events of the ruleset that stand since the first of `tables`: fewer than twice `REACH`."""
    versions: tuple[int, ...] = ()
    """The versions of the events in `since`, rising."""
    taken_back: tuple[Seat, ...] = ()
    """The seats that took back moves, once for each."""
    hinted: tuple[int, int] | None = None
    """The table about which the latest hint was asked for. See `table`."""
    asked: tuple[Seat, ...] = ()
    """The seats that asked questions, once for each."""
    asking: Question | None = None
    """The latest question. See `question`."""

    @property
    def dealt(self) -> int:
        """The number of dealer steps so far."""
        return sum(self.deals.values())

    def bot_at(self, seat: Seat) -> BotName | None:
        return self.bots[seat] if self.bots else None

    @property
    def free(self) -> tuple[Seat, ...]:
        """The seats without player and bot."""
        return tuple([seat for seat, player in enumerate(self.players) if player is None and not self.bot_at(seat)])

    @property
    def unready(self) -> tuple[Seat, ...]:
        """The seats of a sealed game whose players have not opened their entropy."""
        return tuple([seat for seat, seal in enumerate(self.seals) if seal and seat not in self.ready])

    @property
    def people(self) -> tuple[str | None, ...]:
        """The ids of the players at the seats, then of those for whom seats are kept."""
        return self.players + self.kept

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats whose players have not left the running game."""
        return tuple([seat for seat, player in enumerate(self.players) if player is not None and seat not in self.gone])

    @property
    def table(self) -> tuple[int, int]:
        """Which table it is: the number of the ruleset's events, and how often moves were taken back."""
        return self.played, len(self.taken_back)

    @property
    def question(self) -> Question | None:
        """The question that is open. A move ends that of an undo."""
        asked = self.asking
        if asked is None or self.status != "running" or (asked.on == "undo" and asked.played != self.played):
            return None
        return asked

    def place(self, version: int) -> int | None:
        """The place in `since` of the event that followed this version, if an undo can go back to the version."""
        place = bisect_left(self.versions, version + 1)
        if place == len(self.versions) or self.versions[place] > version + 1 or len(self.since) - place > REACH:
            return None
        return None if agreed(self).undo == "free" and isinstance(self.since[place], Dealing) else place

    def kept_for(self, player: str) -> tuple[Seat, ...]:
        """The seats that are kept for the player, who has not taken one yet: one at most."""
        return tuple([seat for seat, kept in enumerate(self.kept) if kept == player])

    def sits(self, player: str, seat: Seat) -> bool:
        return self.players[seat] == player

    def seats_of(self, player: str) -> tuple[Seat, ...]:
        """The seats of the player: none, one, or all seats of a hotseat game."""
        return tuple([seat for seat in range(len(self.players)) if self.sits(player, seat)])


def agreed(game: Game) -> Opened[Any, Any]:
    """The terms of a game that has been opened."""
    assert game.terms is not None
    return game.terms


def bots_of(opened: Opened[Any, Any]) -> tuple[BotName | None, ...]:
    """By seat, the bot that plays it from the beginning; empty if there is none."""
    if opened.places is UNSET:
        return ()
    bots = tuple([None if place.bot is UNSET else place.bot for place in opened.places])
    return bots if any(bots) else ()


def kept_by(opened: Opened[Any, Any]) -> tuple[PlayerId | None, ...]:
    """By seat, the player for whom it is kept when the game is opened; empty if none is."""
    if opened.places is UNSET:
        return ()
    kept = tuple([None if place.player is UNSET else place.player for place in opened.places])
    return kept if any(kept) else ()


def initial(rules: Rules, game: Game) -> Any:
    """The ruleset's state before the first event."""
    terms = agreed(game)
    return rules.initial(terms.seats, terms.options, rules.deck_of(terms.deck))


def chance(game: Game, event: str, count: int) -> Chance:
    """The random numbers of the dealer step with this event, after `count` such steps of this game."""
    return Dealer(secret_of(game), dealing_id(game), game.entropies, event, count)


def dealing_id(game: Game) -> str:
    """The id in the key of the deals. A branch uses that of its root game, and games of a common deal that of the deal:
    so the deals are the same."""
    terms = agreed(game)
    if isinstance(terms.deal, Deal):
        return terms.deal.id
    return terms.parent.root if isinstance(terms.parent, Parent) else game.id


def secret_of(game: Game) -> bytes:
    secret = agreed(game).secret
    assert secret is not None, "a view does not have the secret"
    return bytes.fromhex(secret)


def seats_for(game: Game, player: str) -> Sequence[Seat]:
    """The free seats that the player with this id can take: first the one that is kept for them."""
    if not game.kept:
        return game.free
    own = [seat for seat in game.free if game.kept[seat] == player]
    return own + [seat for seat in game.free if game.kept[seat] is None]


def most_granted(game: Game, seat: Seat) -> int:
    """The seconds that the seat can be given at once now."""
    clock = agreed(game).clock
    if clock is UNSET:
        return 0
    return min(clock.bank, ALL_GRANTS * clock.bank - (game.granted[seat] if game.granted else 0))


def can_rejoin(game: Game, seat: Seat) -> bool:
    """Whether the player who has left this seat can come back."""
    return game.status == "running" and seat in game.gone and game.departures.count(seat) < STAYS


def legal(rules: Rules, game: Game, seat: Seat) -> list[Any]:
    """The legal moves of the seat; none before the game begins and after it is over."""
    return list(rules.legal(game.state, seat)) if game.status == "running" else []


def to_act(rules: Rules, game: Game) -> tuple[Seat, ...]:
    """The seats that have a legal move."""
    return tuple(rules.to_act(game.state)) if game.status == "running" else ()
