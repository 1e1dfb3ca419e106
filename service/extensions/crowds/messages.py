"""The messages of phrases in the play channel, and their body in REST."""

from domain.messages import Value
from service.api.phrases import Phrase
from service.channel.messages import Answer, GameName, Invite, Request


class Say(Request):
    """Says a phrase to all who follow the game with `presence` now. It is recorded nowhere."""

    game: GameName
    phrase: Phrase
    invite: Invite = None


class Said(Answer):
    """The phrase was passed on."""

    game: GameName


class PhraseRequest(Value, forbid_unknown_fields=True):
    """The phrase to say."""

    phrase: Phrase
