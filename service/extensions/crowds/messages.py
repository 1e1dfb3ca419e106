"""The messages of presence and of phrases in the play channel."""

from typing import Annotated

from msgspec import Meta

from domain.messages import Value, snake
from domain.ruleset import Seat
from service.channel.messages import Answer, GameName, Invite, Request
from service.extensions.crowds.phrases import Phrase as Phrase_


class Say(Request):
    """Says a phrase to all who follow the game with `presence` now. It is recorded nowhere."""

    game: GameName
    phrase: Phrase_
    invite: Invite = None


class Said(Answer):
    """The phrase was passed on."""

    game: GameName


class Away(Value):
    """A seat whose player was connected."""

    seat: Seat
    since: Annotated[str, Meta(description="The time at which the player lost the connection: RFC 3339 in UTC.")]


class Presence(Value, tag=snake, tag_field="type"):
    """The players who follow a game now over channels, in all processes.

    Sent if the `follow` has `presence`, when somebody follows the game and when that has changed. It belongs to no
    version.
    """

    game: GameName
    watchers: int
    """The follows of callers without a seat."""
    here: tuple[Seat, ...]
    """The seats whose players are connected."""
    away: tuple[Away, ...]
    """The seats whose players were connected since the game has been followed in this process, and are not now."""


class Phrase(Value, tag=snake, tag_field="type"):
    """A player says something. Sent at once to follows with `presence`, and never again."""

    game: GameName
    seat: Seat
    phrase: Phrase_
