"""Text for a terminal: without control characters, and bounded to one line where a message needs it."""

import sys

from service.cli.exit_status import ExitStatus

MAX_CHARACTERS = 500
"""The length of a message. Records may contain texts of any length, and messages quote them."""


def printable(text: str) -> str:
    """Escape all characters that a terminal could interpret. Names and files are untrusted."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def one_line(text: str) -> str:
    """The text as one printable line of at most `MAX_CHARACTERS` characters and an ellipsis."""
    shown = printable(text[: MAX_CHARACTERS + 1])
    return shown if len(shown) <= MAX_CHARACTERS else f"{shown[:MAX_CHARACTERS]}..."


def failed(message: str, status: ExitStatus) -> ExitStatus:
    sys.stderr.write(one_line(message) + "\n")
    return status
