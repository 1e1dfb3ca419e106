"""Validation of names, ids and texts that people read. The API applies it to requests, the import to records.

A display name must be visible and must not be mistaken for another one. Which characters are visible depends on the
Unicode tables of the interpreter. Therefore only new names and names in imported records are checked, never names that
are already stored.
"""

import re
from itertools import pairwise
from unicodedata import category, combining, name, normalize
from uuid import UUID

from idna import IDNAError
from idna.core import valid_contextj

from domain import player

_INVISIBLE = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
"""Categories of characters that are invisible, control other characters, or are not assigned."""
_BLANK = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that are invisible although their category does not say so."""
_EMOJI, _JOINER, _NON_JOINER = "\ufe0f", "\u200d", "\u200c"
"""The variation selector is accepted in emoji only, the zero-width joiners also where they shape letters: see
`_shapes_letters`."""
_KEYCAP_OR_FLAG = re.compile(
    "[0-9#*]\ufe0f\u20e3|\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|"
    "\U000e0077\U000e006c\U000e0073)\U000e007f"
)
"""Emoji that begin with other characters: keycaps, and the flags of England, Scotland and Wales. Fonts show no other
flags of this kind, so other tags would be invisible."""
_ALIKE = ("LATIN", "GREEK", "CYRILLIC")
"""Scripts whose letters look alike."""
_MARKS = 3
_ID = re.compile(player.ID)
_UNDISPLAYABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Control characters except tab and newline, characters that change the direction of text, and non-characters."""


class InvalidName(ValueError):
    """The name is invisible or misleading. The message says why, for use after "The name"."""


def normalized_name(requested: str) -> str:
    """Return the name in the composed form (NFC) with single spaces between words. Raises `InvalidName`.

    Names are not unique. Ids are.
    """
    shown = " ".join(normalize("NFC", requested).split())
    if not 1 <= len(shown) <= 40:
        raise InvalidName("must have 1 to 40 visible characters")
    if _has_invisible(_KEYCAP_OR_FLAG.sub("x", shown)):
        raise InvalidName("must not contain invisible characters")
    if combining(shown[0]) or re.search(
        "m" * (_MARKS + 1), "".join("m" if combining(character) else "-" for character in shown)
    ):
        raise InvalidName(f"must not have more than {_MARKS} combining marks on one character")
    for word in shown.split():
        if len({script for character in word for script in _ALIKE if name(character, "").startswith(script)}) > 1:
            raise InvalidName("must not mix Latin, Greek and Cyrillic letters in one word")
    return shown


def is_player_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def is_game_id(text: str) -> bool:
    """Whether the text is a valid game id: a UUID in its canonical spelling."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def is_displayable(text: str) -> bool:
    """Whether every database can store the text and it can be displayed unchanged. Newlines are allowed."""
    return _UNDISPLAYABLE.search(text) is None


def _has_invisible(text: str) -> bool:
    joiners = (at for at, character in enumerate(text) if character in (_JOINER, _NON_JOINER))
    letters = {at for at in joiners if _shapes_letters(text, at)}
    return any(
        at not in letters and _is_invisible("x" if at - 1 in letters else before, character)
        for at, (before, character) in enumerate(pairwise(f" {text} "))
    )


def _shapes_letters(text: str, at: int) -> bool:
    """Whether a zero-width joiner or non-joiner is orthography: in Persian, Hindi and other languages it decides which
    forms the letters around it have (RFC 5892, appendix A)."""
    try:
        return valid_contextj(text, at)
    except (IDNAError, ValueError):  # a character beside it has no name
        return False


def _is_invisible(before: str, character: str) -> bool:
    if before == _JOINER and category(character) != "So":
        return True
    if character in (_EMOJI, _JOINER) and category(before) in ("So", "Sk"):
        return False
    if (before, character) == (_EMOJI, _JOINER):
        return False
    return category(character) in _INVISIBLE or _BLANK.match(character) is not None
