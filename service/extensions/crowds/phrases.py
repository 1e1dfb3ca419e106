"""The phrases that players can say at a table: a short list, no free text; and their body in REST."""

from typing import Annotated, Literal

from msgspec import Meta

from domain.messages import Value

Phrase = Annotated[
    Literal["hello", "well_played", "clever", "what_luck", "let_me_think", "sorry", "good_game", "back_soon"],
    Meta(description="A phrase. Clients show it in the language of their user."),
]


class PhraseRequest(Value, forbid_unknown_fields=True):
    """The phrase to say."""

    phrase: Phrase
