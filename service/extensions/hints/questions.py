"""What the process is asked that computes hints."""

import msgspec

from domain.messages import Value
from service.games.search_questions import Table


class HintQuestion(Value):
    """What a player could do. All random numbers follow from `head`, the head of the game at this version."""

    table: Table
    version: int
    head: str


questions = msgspec.json.Decoder(HintQuestion)
