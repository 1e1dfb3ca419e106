"""The phrases that players can say at a table: a short list, no free text."""

from typing import Annotated, Literal

from msgspec import Meta

Phrase = Annotated[
    Literal["hello", "well_played", "clever", "what_luck", "let_me_think", "sorry", "good_game", "back_soon"],
    Meta(description="A phrase. Clients show it in the language of their user."),
]
