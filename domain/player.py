"""A player who registered with us. Players of an integrating site need not: their tokens say who they are."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.messages import Event

Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]+$(?!\n)",
        description="How a player is called at the games: 1 to 40 characters that can be seen, spaces between them.",
    ),
]
"""What a log may hold. A new name must also be presentable, by the tables of Unicode: see the service."""


class Registered(Event):
    """A guest got an identity and a token."""

    at: str
    name: Name


class Renamed(Event):
    """The player goes by another name from now on; games keep the name under which he sat down."""

    at: str
    name: Name


LONGEST_ID = 192
ID = rf"[A-Za-z0-9][A-Za-z0-9._:@|-]{{0,{LONGEST_ID - 1}}}"
"""The pattern of a player's id: a guest's UUID, or the id that an integrating site's token gives.

The length is bounded because databases index ids, and the characters because ids stand in URLs and logs."""


PlayerEvent: TypeAlias = Registered | Renamed
