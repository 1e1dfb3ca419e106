"""How players may be called: by names that others can see, and are not misled by.

It depends on the tables of Unicode that come with the interpreter, so it is asked of new names only: whoever once got a
name keeps it.
"""

import re
from itertools import pairwise
from unicodedata import category, combining, name, normalize

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


def _is_unseen(before: str, sign: str) -> bool:
    if before == _JOINER and category(sign) != "So":
        return True
    if sign in (_EMOJI, _JOINER) and category(before) in ("So", "Sk"):
        return False
    if (before, sign) == (_EMOJI, _JOINER):
        return False
    return category(sign) in _UNSEEN or _BLANK.match(sign) is not None
