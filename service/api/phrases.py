"""Phrases that players say at a table: a short list, no free text, recorded nowhere."""

from math import ceil
from typing import Annotated, Literal

from msgspec import Meta

from domain.game import NotRunning
from domain.messages import Value
from service.api.access import GameAccess
from service.api.problems import Forbidden, NotSeated, ProblemError, TooManyRequests
from service.games.cached_game import CachedGame
from service.live.presence import PHRASES, Presence

Phrase = Annotated[
    Literal["hello", "well_played", "clever", "what_luck", "let_me_think", "sorry", "good_game", "back_soon"],
    Meta(description="A phrase. Clients show it in the language of their user."),
]


class PhraseRequest(Value, forbid_unknown_fields=True):
    """What to say."""

    phrase: Phrase


def say(presence: Presence, cached: CachedGame, access: GameAccess, phrase: str) -> None:
    """Pass the phrase on to all who follow the game. Raises a `ProblemError` and `NotRunning`."""
    if not access.own:
        raise ProblemError(NotSeated())
    if access.header.hotseat:
        raise ProblemError(Forbidden(detail="All players of this game are at one device."))
    if cached.game.status not in ("waiting", "running"):
        raise NotRunning
    (seat,) = access.own
    if wait := presence.say(cached.game.id, seat, phrase):
        detail = f"A seat can say {PHRASES} phrases a minute."
        raise ProblemError(TooManyRequests(detail=detail), {"Retry-After": str(max(1, ceil(wait)))})
