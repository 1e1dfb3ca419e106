"""Players: registered guests, and players of an integrating site, identified by the site's tokens.

A guest's id is a UUID. The id of a site's player is `namespace:subject`. The two forms cannot collide.

Players that are programs say so when they register. Their ids tell it for ever: `bot:UUID`, `namespace:bot:subject`.
"""

import re
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import force_setattr

from domain.messages import Value

BOT = "bot:"
"""What the ids of bots begin with, after the namespace."""

NAMESPACE = r"[a-z][a-z0-9-]{0,31}"
"""The part before the colon in the ids of a site's players."""

_LATER = r"[A-Za-z0-9._:@|-]"
SUBJECT = rf"[A-Za-z0-9]{_LATER}{{0,127}}"
"""The part after the colon: the site's own id of the player."""

LONGEST_ID = 32 + 1 + 128
"""The maximum number of characters of such an id."""

ID = rf"[A-Za-z0-9]{_LATER}{{0,{LONGEST_ID - 1}}}"
"""The pattern of a player's id: a guest's UUID, or the id from an integrating site's token.

The length is limited because databases index ids, the characters because ids occur in URLs and logs."""

PlayerId = Annotated[str, Meta(description="The id of a player: a guest's UUID, or `namespace:sub`.")]

_GUEST = re.compile(rf"({BOT})?[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}")
_SITE = re.compile(f"{NAMESPACE}:")
_BOT = re.compile(rf"({NAMESPACE}:)?{BOT}")


def is_guest(player: str) -> bool:
    """Whether the id is that of a guest."""
    return _GUEST.fullmatch(player) is not None


def is_site(owner: str) -> bool:
    """Whether the owner of a webhook is an integrating site: a namespace and a colon. The `sub` of a player can
    end with a colon, too, but a namespace contains none."""
    return _SITE.fullmatch(owner) is not None


def is_bot(player: str) -> bool:
    """Whether the player is a program, by its id."""
    return _BOT.match(player) is not None


def issued_id(namespace: str, subject: str) -> str:
    """The id of the player `subject` of the site with this namespace."""
    return f"{namespace}:{subject}"


Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]+$(?!\n)",
        description="The display name of a player: 1 to 40 visible characters, with spaces between them.",
    ),
]
"""The names that the service can store. It restricts new names further, by Unicode categories."""

Face = Literal[
    "badger", "bear", "blackbird", "cat", "fox", "frog", "hare", "hedgehog", "mouse", "owl", "pig", "stag"
]  # fmt: skip
"""The faces that a player can choose from. `web/faces/people.svg` draws them."""

FaceName = Annotated[
    str,
    Meta(
        pattern=r"^[a-z]{1,16}$(?!\n)",
        description="The face that the player has chosen; a later release can have others. Absent if they have chosen "
        "none: show the first letter of the name.",
    ),
]
"""A face in an answer: clients must not fail at one that they do not know."""


class Player(Value):
    """A player, their display name and their face. `name` is null for a former player, who was forgotten."""

    id: PlayerId
    name: str | None = None  # also None until the name is looked up: projections know ids only
    """The display name; null for a former player."""
    face: FaceName | UnsetType = UNSET
    bot: bool | UnsetType = UNSET
    """True if the player is a program; absent otherwise. It follows from the id."""

    def __post_init__(self) -> None:
        if is_bot(self.id):
            force_setattr(self, "bot", True)
