"""The messages of hints in the play channel."""

from typing import Generic, TypeVar

from domain.review import Hint
from service.channel.messages import Answer, GameName, Invite, OptionalKey, Replayed, Request

M = TypeVar("M")  # a move


class AskForHint(Request, tag="hint"):
    """Asks for a hint about the caller's choice, in a game against bots that was opened with `hints`.

    The event `hinted` is recorded first. A choice has one hint: a repeated request returns the same.
    """

    game: GameName
    key: OptionalKey = None
    invite: Invite = None


class Hinted(Answer, Generic[M]):
    """The hint. `replayed`: an earlier request with the same key asked for it."""

    game: GameName
    hint: Hint[M]
    """The hint, as in REST."""
    replayed: Replayed
