"""What a stranger sends is read in linear time: the work grows as the text does."""

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time_ns
from typing import Any

import msgspec
import pytest

import service
from domain.strict import only_once
from service import app as _app  # noqa: F401  (loads the modules that serve)
from service.api.contract import MAX_BODY, Contract
from service.api.decoding import MAX_FRACTIONS, parsed
from service.api.problems import ProblemError
from service.api.resources import RegistrationRequest
from service.rest.input.parameters import prefers_minimal

BODIES: dict[str, Callable[[int], bytes]] = {
    "escaped quotes": lambda size: b'{"name":1,"' + b'\\"' * (size // 2),
    "quotes": lambda size: b'{"name":1,' + b'"' * size,
    "backslashes": lambda size: b'{"name":1,"' + b"\\\\" * (size // 2) + b'":0}',
    "numbers": lambda size: b'{"name":[' + b"1.0," * (size // 4) + b"1.0]}",
    "digits": lambda size: b'{"name":' + b"1" * size + b"}",
    "places of an error": lambda size: b'{"name":"' + b" - at `$" * (size // 8) + b'","x":1}',
    "NUL": lambda size: b'{"name":[' + b'"\\\\u0000",' * (size // 10) + b'"\\\\u0000"]}',
}
"""By name: a body of about as many bytes that the contract refuses."""
PIECES = (
    '"',
    '\\"',
    "\\",
    '"\\',
    "0",
    "0.",
    "a",
    " ",
    ".",
    "`",
    " - at `",
    ",",
    ";",
    "=",
    "a=",
    "-",
    "[",
    "$.",
    "é",
    "\n",
)

READERS = ("service.", "domain.", "projections.")
ROOT = Path(str(service.__file__)).parents[1]


SLOPE = 16
"""How many times the larger size is the smaller one."""


def cost(work: Callable[[], object]) -> int:
    """Nanoseconds of processor time of one call."""
    begin = process_time_ns()
    work()
    return process_time_ns() - begin


def is_linear(work: Callable[[int], Callable[[], object]], size: int) -> bool:
    """Whether 16 times the size costs at most 64 times as much; quadratic work would cost 256 times. Each at its best
    of some calls, and more of them where the machine is too busy to tell."""
    small, large = work(size), work(SLOPE * size)
    least = [cost(small), cost(large)]
    for _ in range(20):
        if least[1] <= 4 * SLOPE * (least[0] + 500):
            return True
        least = [min(least[0], cost(small)), min(least[1], cost(large))]
    return False


def patterns() -> Iterator[tuple[str, re.Pattern[Any], bool]]:
    """The regular expressions of the modules that serve, and whether the module searches a text with them."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith(READERS) and Path(str(module.__file__)).is_relative_to(ROOT):  # none that a test has made
            source = Path(str(module.__file__)).read_text()
            for attribute, value in vars(module).items():
                if isinstance(value, re.Pattern):
                    searches = re.search(rf"\b{attribute}\.(?:search|sub|findall|finditer|split)\(", source)
                    yield f"{name}.{attribute}", value, searches is not None


def matching(pattern: re.Pattern[Any], searches: bool, piece: str, size: int) -> Callable[[], object]:
    text: Any = piece * size if isinstance(pattern.pattern, str) else (piece * size).encode()
    return lambda: (pattern.findall(text) if searches else pattern.match(text), pattern.fullmatch(text))


def preferring(piece: str, size: int) -> Callable[[], object]:
    return partial(prefers_minimal, piece * size)


@pytest.mark.parametrize("kind", BODIES)
def test_a_refused_body_is_read_in_linear_time(kind: str) -> None:
    contract = Contract((), RegistrationRequest)

    def refuse(size: int) -> Callable[[], object]:
        body = BODIES[kind](size)

        def read() -> None:
            with pytest.raises(ProblemError):
                parsed(contract, body)

        return read

    assert is_linear(refuse, MAX_BODY // SLOPE)


def test_a_key_that_comes_twice_is_found_in_linear_time() -> None:
    def refuse(size: int) -> Callable[[], object]:
        text = b"{" + b",".join(b'"%d":0' % number for number in range(size)) + b',"%d":1}' % (size - 1)

        def read() -> None:
            with pytest.raises(msgspec.DecodeError, match="twice"):
                only_once(text)

        return read

    assert is_linear(refuse, 4000 // SLOPE)


def test_a_preference_is_read_in_linear_time() -> None:
    for piece in PIECES:
        assert is_linear(partial(preferring, piece), 1000), piece


def test_every_regular_expression_takes_linear_time() -> None:
    found = [*patterns()]
    assert "service.api.decode_errors._PATH" in [name for name, _, _ in found]
    for name, pattern, searches in found:
        for piece in PIECES:
            assert is_linear(partial(matching, pattern, searches, piece), 1000), f"{name} for {piece!r}"


def test_only_the_first_fractions_of_a_body_are_read_as_integers() -> None:
    numbers = Contract((), list[int])
    assert parsed(numbers, b"[" + b"1.0," * (MAX_FRACTIONS - 1) + b"1.0]") == [1] * MAX_FRACTIONS
    with pytest.raises(ProblemError):
        parsed(numbers, b"[" + b"1.0," * MAX_FRACTIONS + b"1.0]")
