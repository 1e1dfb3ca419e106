"""Games that begin: by their terms, as a rematch, as a branch of another game, or as a lesson."""

from collections.abc import Collection, Sequence
from typing import Any

from msgspec import UNSET, UnsetType, convert
from msgspec.structs import asdict, replace

from domain.bundled import Lesson
from domain.deck import DeckData
from domain.description import description_hash
from domain.fairness.chain import commitment
from domain.fairness.chance import PROTOCOL
from domain.game.consequences import Decision, decision
from domain.game.events import (
    LIFECYCLE,
    NO_MORE,
    OPEN,
    Agreed,
    Begun,
    Joined,
    Opened,
    Parent,
    Rules,
    SeatTerms,
    agreement,
)
from domain.game.evolution import fold, standing
from domain.game.refusals import NothingToContinue, SeatTaken
from domain.game.state import Game, agreed, bots_of, dealing_id, to_act
from domain.ruleset import InvalidSetup, Seat


def terms(
    rules: Rules, seats: int, options: Any, deck: DeckData, opener: str, secret: bytes,
    agreed: Agreed = NO_MORE, *, rematch_of: str | UnsetType = UNSET,
) -> Opened[Any, Any]:  # fmt: skip
    """The event that opens a game. Raises `InvalidSetup` if seats, options, deck and what is agreed do not go
    together."""
    if seats not in rules.seats:
        raise InvalidSetup(f"A game has {rules.seats[0]} to {rules.seats[-1]} seats, not {seats}.")
    rules.initial(seats, options, rules.deck_of(deck))
    opened = Opened(
        PROTOCOL, rules.name, rules.rules, description_hash(rules), seats, options, deck, opener=opener,
        commitment=commitment(secret).hex(), secret=secret.hex(), rematch_of=rematch_of, **asdict(agreed),
    )  # fmt: skip
    if wrong := misplaced(rules, opened):
        raise InvalidSetup(wrong)
    return opened


def repeated(
    rules: Rules, finished: Game, opener: str, secret: bytes, former: Collection[str],
    longest: int | UnsetType = UNSET,
) -> Opened[Any, Any]:  # fmt: skip
    """The event that opens a rematch: the same terms and players, with the seats rotated by one. The bots that played
    from the beginning play again. Seats of `former` players are open."""
    before = agreed(finished)
    bots = bots_of(before) or (None,) * before.seats
    places = [
        SeatTerms(bot=bot) if bot else OPEN if player is None or player in former else SeatTerms(player=player)
        for bot, player in zip(bots, finished.players, strict=True)
    ]
    again = replace(
        agreement(before), hotseat=False, longest=longest, places=(*places[1:], places[0]), deal=UNSET
    )  # fmt: skip
    return terms(rules, before.seats, before.options, before.deck, opener, secret, again, rematch_of=finished.id)


def misplaced(rules: Rules, opened: Opened[Any, Any]) -> str | None:
    """Why the opener, the places, `absent` or the clock of the terms are not valid; None if they are."""
    places, absent = opened.places, opened.absent
    if not opened.opener:
        return "The id of the opener is empty."
    if opened.clock is not UNSET and opened.hotseat:
        return "A hotseat game has no clock."
    if opened.deal is not UNSET and (opened.hotseat or opened.sealed is not UNSET or not opened.private):
        return "A game of a deal is private, and neither sealed nor hotseat."
    if opened.sealed is not UNSET and (opened.hotseat or not opened.sealed):
        return "A hotseat game is not sealed."
    if opened.puzzles is not UNSET and (opened.hotseat or opened.private or not opened.puzzles):
        return "A game whose positions may become puzzles is public, and no hotseat game."
    if opened.clock is not UNSET and absent is UNSET:
        return "With a clock, `absent` must say who goes on for a player who runs out of time."
    if absent is not UNSET and absent != "abort" and absent not in rules.bots:
        return f"There is no bot {absent}."
    if opened.hints is not UNSET and not (opened.hints and opened.deal is UNSET and bots_of(opened).count(None) == 1):
        return "Hints are for a player who is alone with bots, and not in a game of a deal."
    if places is UNSET:
        return "In a hotseat game nobody can leave." if opened.hotseat and absent is not UNSET else None
    if opened.hotseat:
        return "In a hotseat game one player has all seats."
    if len(places) != opened.seats:
        return f"There are {len(places)} places for {opened.seats} seats."
    bots = [place.bot for place in places if place.bot is not UNSET]
    players = [place.player for place in places if place.player is not UNSET]
    if unknown := [bot for bot in bots if bot not in rules.house]:
        return f"There is no bot {unknown[0]}."
    if opened.clock is not UNSET and any(bot in rules.searches for bot in bots):
        return "A bot that searches does not play with a clock."
    if "" in players:
        return "The id of a player is empty."
    if any(place.bot is not UNSET and place.player is not UNSET for place in places):
        return "A place is for a bot or for a player, not for both."
    if len(bots) == len(places):
        return "A game has at least one seat for a player."
    return "A player has one place." if len(players) > len(dict.fromkeys(players)) else None


def open_game(rules: Rules, game_id: str, opened: Opened[Any, Any], *, sit: bool, entropy: str) -> Decision:
    """Open a game. The opener takes a seat if `sit`: the one that is kept for them, else the first open one. In a
    hotseat game the opener takes every seat. Raises `SeatTaken` if all other seats are kept for others.
    """
    joined: list[Joined] = []
    if opened.hotseat:
        joined = [Joined(seat, opened.opener, entropy) for seat in range(opened.seats)]
    elif sit and opened.sealed is UNSET:  # a seal contains the game's id, which the opener does not know yet
        seats = seats_of_opener(opened)
        if not seats:
            raise SeatTaken
        joined = [Joined(seats[0], opened.opener, entropy)]
    return decision(rules, Game(game_id), [opened, *joined], (None, *(each.seat for each in joined)))


def seats_of_opener(opened: Opened[Any, Any]) -> Sequence[Seat]:
    """The seats that the opener can take when the game is opened: first the one that is kept for them.

    Never raises, also for terms that are not valid.
    """
    if opened.places is UNSET:
        return range(opened.seats)
    own = [seat for seat, place in enumerate(opened.places) if place.player == opened.opener]
    return own + [seat for seat, place in enumerate(opened.places) if place == OPEN]


def branch(
    rules: Rules, game_id: str, parent_id: str, events: Sequence[Any], by: Sequence[Seat | None], moves: Sequence[Any],
    player: str, longest: int | UnsetType = UNSET,
) -> Decision:  # fmt: skip
    """Open a branch: a hotseat game that continues a finished game after these first events. `by` and `moves` belong to
    the events as in a `Decision`.

    `events` must end an append. The branch repeats them and has the same hidden cards. These are no secret: everybody
    who has seen the end of the parent can compute all future deals. So a branch is for analysis, not for playing
    against each other. It has its own maximum length, `longest`. Raises `NothingToContinue`.
    """
    past = fold(rules, Game(parent_id), events)
    if past.status != "running":
        when = "had not begun" if past.state is None else "was over"
        raise NothingToContinue(f"At version {past.version} the game {when}.")
    parent = Parent(parent_id, past.version, dealing_id(past))
    before = agreed(past)
    alone = Agreed(private=before.private, hotseat=True, longest=longest)
    opened = replace(before, opener=player, parent=parent, rematch_of=UNSET, **asdict(alone))
    joined = [Joined(seat, player, entropy) for seat, entropy in enumerate(past.entropies)]
    played = [
        each for each, stood in zip(zip(events, by, moves, strict=True), standing(events), strict=True)
        if stood and type(each[0]) not in LIFECYCLE
    ]  # fmt: skip
    again = (opened, *joined, Begun(), *(event for event, _, _ in played))
    seats = (None, *range(opened.seats), None, *(seat for _, seat, _ in played))
    chosen = (UNSET,) * (opened.seats + 2) + tuple(move for _, _, move in played)
    if longest is not UNSET and len(again) >= longest:
        raise NothingToContinue(f"At version {past.version} the game has the maximum length of a branch.")
    after = fold(rules, Game(game_id), again)
    return Decision(after, again, seats, chosen, to_act(rules, after))


def taught(
    rules: Rules, game_id: str, lesson: Lesson, player: str, longest: int | UnsetType = UNSET
) -> Decision:  # fmt: skip
    """Open a game of the ruleset's lesson: the branch of a game that has just been dealt and is nowhere stored.

    Its secret is public, so everybody can compute its cards. It is a private hotseat game: one player has all seats,
    and it counts nowhere. Its record names the lesson as `parent`.
    """
    options = convert(lesson.options, rules.options)
    opened = terms(
        rules, len(lesson.seats), options, next(iter(rules.decks.values())).data, player, bytes.fromhex(lesson.secret),
        Agreed(private=True, hotseat=True),
    )  # fmt: skip
    dealt = open_game(rules, lesson.id, opened, sit=True, entropy="")
    return branch(rules, game_id, lesson.id, dealt.events, dealt.by, dealt.moves, player, longest)
