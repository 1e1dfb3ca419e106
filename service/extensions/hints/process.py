"""The process that computes hints: `python -m service.extensions.hints.process`. It reads questions and writes hints, a
line each, and ends with its input."""

from typing import Any

from agents.review.hints import hint
from service.cli.search_process import answer_lines, situation
from service.extensions.hints.questions import questions


def answer(line: bytes) -> Any:
    """The hint."""
    asked = questions.decode(line)
    rules, initial, seen = situation(asked.table)
    return hint(rules, initial, seen, asked.table.seat, bytes.fromhex(asked.head), version=asked.version)


if __name__ == "__main__":
    answer_lines(answer)
