"""The rules for names, ids and texts that people read. The API applies them to what it is sent, the import to records.

Players have names that others can see and that do not mislead them. What can be seen depends on the tables of Unicode
that come with the interpreter, so only new names are checked, and those in records that are imported: a player keeps a
name.
"""

import re
from itertools import pairwise
from unicodedata import category, combining, name, normalize
from uuid import UUID

from domain import player

_UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
"""Categories of characters that show nothing, order others about, or mean nothing yet."""
_BLANK = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Those that show nothing although their category does not say so."""
_EMOJI, _JOINER = "\ufe0f", "\u200d"
"""The first makes an emoji of a sign, the second one of several; they are welcome nowhere else."""
_ALIKE = ("LATIN", "GREEK", "CYRILLIC")
"""Scripts that have letters which look the same."""
_MARKS = 3
_ID = re.compile(player.ID)
_UNREADABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Control characters except tab and newline, what changes the direction of the text around it, and what is no
character."""


class Unpresentable(ValueError):
    """Others could not see, or be mistaken about, how the player is called. The message says why."""


def presentable(wish: str) -> str:
    """The name as it is shown: composed (NFC), with single spaces between its words. Raises `Unpresentable`.

    Two players may have the same name; the id says which of them it is.
    """
    shown = " ".join(normalize("NFC", wish).split())
    if not 1 <= len(shown) <= 40:
        raise Unpresentable("must have 1 to 40 characters that can be seen")
    if any(_is_unseen(before, sign) for before, sign in pairwise(f" {shown} ")):
        raise Unpresentable("must not have characters that cannot be seen")
    if combining(shown[0]) or re.search("m" * (_MARKS + 1), "".join("m" if combining(sign) else "-" for sign in shown)):
        raise Unpresentable(f"must not have more than {_MARKS} marks on one character")
    for word in shown.split():
        if len({script for sign in word for script in _ALIKE if name(sign, "").startswith(script)}) > 1:
            raise Unpresentable("must not mix Latin, Greek and Cyrillic letters in a word")
    return shown


def is_player_id(text: str) -> bool:
    """Whether a player can have this id."""
    return _ID.fullmatch(text) is not None


def is_game_id(text: str) -> bool:
    """Whether a game can have this id: a UUID in its one canonical spelling."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def is_readable(text: str) -> bool:
    """Whether the text, of one or several lines, can be stored everywhere and shown as it is."""
    return _UNREADABLE.search(text) is None


def _is_unseen(before: str, sign: str) -> bool:
    if before == _JOINER and category(sign) != "So":
        return True
    if sign in (_EMOJI, _JOINER) and category(before) in ("So", "Sk"):
        return False
    if (before, sign) == (_EMOJI, _JOINER):
        return False
    return category(sign) in _UNSEEN or _BLANK.match(sign) is not None
