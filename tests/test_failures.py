"""A test that fails says so at once, and none fails because the machine is busy."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SECONDS = r"(?:[1-9]|[1-5]\d)(?:\.\d+)?"
SHORT = re.compile(
    rf"asyncio\.timeout\({SECONDS}\)|\btimeout=[1-5]?\d_000\b|\bwait_for\(.*, {SECONDS}\)|"
    rf"\.(?:join|closed|receive|settimeout)\({SECONDS}\)|\bseconds: float = {SECONDS}\b"
)
"""Waits for what must happen, of less than a minute. What must not happen is waited for less than a second."""


def test_texts_that_are_too_long_are_not_compared() -> None:
    """One line of the contract has a megabyte, and takes minutes."""
    text = "".join(f'{{"path":{number}}}' for number in range(100_000))
    with pytest.raises(AssertionError, match="too many to compare"):
        assert '"path":7777}' not in text
    with pytest.raises(AssertionError, match="too many to compare"):
        assert text == text.replace("7777", "")
    with pytest.raises(AssertionError, match="- two"):
        assert "one\n" == "one\ntwo\n"


def test_a_busy_machine_has_a_minute() -> None:
    files = {*TESTS.rglob("test_*.py"), *TESTS.glob("support/*.py"), *TESTS.glob("web/*.py")}
    files |= {*TESTS.glob("campaigns/leaks/*.py"), *TESTS.glob("campaigns/fuzz/*.py")}
    found = {
        f"{file.relative_to(TESTS)}:{number}: {line.strip()}"
        for file in files - {*TESTS.glob("bench/*"), Path(__file__)}
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if SHORT.search(line)
    }
    assert found == set()


@pytest.mark.parametrize(
    "line", ["async with asyncio.timeout(10):", "to_have_count(0, timeout=30_000)", "await wait_for(read(), 2)"]
)
def test_a_short_wait_is_noticed(line: str) -> None:
    assert SHORT.search(line)
