"""Players: guests who registered here, and those of an integrating site, whose tokens say who they are.

A guest's id is a UUID. The id of a site's player is `namespace:subject`. So neither can ever be taken for the other.
"""

import re
from typing import Annotated, TypeAlias

from msgspec import Meta

from domain.messages import Event

NAMESPACE = r"[a-z][a-z0-9-]{0,31}"
"""What stands before the colon in the ids of a site's players."""

SUBJECT = r"[A-Za-z0-9][A-Za-z0-9._:@|-]{0,127}"
"""What stands behind it: who the player is at that site."""

LONGEST_ID = 32 + 1 + 128
"""Characters of an id, at most."""

_GUEST = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_guest(player: str) -> bool:
    """Whether the id is that of a guest."""
    return _GUEST.fullmatch(player) is not None


def issued_id(namespace: str, subject: str) -> str:
    """The id of the player whom the site of that namespace knows as `subject`."""
    return f"{namespace}:{subject}"


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


ID = rf"[A-Za-z0-9][A-Za-z0-9._:@|-]{{0,{LONGEST_ID - 1}}}"
"""The pattern of a player's id: a guest's UUID, or the id that an integrating site's token gives.

The length is bounded because databases index ids, and the characters because ids stand in URLs and logs."""


PlayerEvent: TypeAlias = Registered | Renamed
