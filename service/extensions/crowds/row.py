"""The row of phrases in the table of operations."""

from domain import game
from service.api import problems
from service.api.contract import Answer
from service.api.operations import GAME, Exchange, Operation
from service.extensions.crowds.messages import Phrase, Presence, Said, Say
from service.extensions.crowds.phrases import PhraseRequest

SAY = Operation(
    id="say",
    method="POST",
    path=f"{GAME}/phrases",
    takes=PhraseRequest,
    keyed=False,
    answers=lambda _: (Answer(204, description="The phrase was passed on."),),
    refuses=(problems.NotSeated, problems.Forbidden, game.NotRunning),
    summary="Say a phrase",
    text="""
    Passes a phrase of the caller on to all who follow the game with `presence` over the play channel now. It is
    recorded nowhere. A seat can say five phrases a minute. Players who have blocked the caller do not receive
    it.""",
    message="say",
    exchange=Exchange(Say, Said, sends=(Presence, Phrase)),
)
