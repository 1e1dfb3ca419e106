"""What commands write: text that a terminal shows and does not obey, and errors in one line instead of tracebacks."""

LONGEST = 500
"""Characters of a message at most; records may repeat whole novels in theirs."""


def harmless(text: str) -> str:
    """The text with escapes for all characters that a terminal could obey: names and files come from anywhere."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def one_line(text: str) -> str:
    """The text as one harmless line of bounded length."""
    shown = harmless(text[: LONGEST + 1])
    return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}..."
