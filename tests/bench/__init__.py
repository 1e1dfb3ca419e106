"""Benchmarks: each figure beside a floor measured in the same run. `make bench` prints one table.

No time is asserted, because machines differ. The ratios are the reference for later work.
"""


class Missed(str):
    """A figure that misses what is asked: the run fails."""


def within(text: str, *measured: tuple[float, float]) -> str:
    """The text of a figure. `measured`: values and the most that is allowed."""
    return Missed(f"**{text}**") if any(value > most for value, most in measured) else text
