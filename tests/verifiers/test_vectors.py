"""The published vectors, computed by the stand-alone verifiers; and canonical bytes of unusual values."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.domain.test_chain import VECTORS, rfc8785
from tests.verifiers.standalone import in_node, python

pytestmark = pytest.mark.turns("rulesets")

SECRET = bytes.fromhex(VECTORS["secret"])

TEXTS = [
    VECTORS["canonical_example"],
    '{"b": 1, "a": [true, false, null], "": {}}',
    # Beyond U+FFFF the order by UTF-16 is another one than the order by characters.
    '{"\\ufb33": 1, "\\ud83d\\ude02": 2, "\\u20ac": 3, "\\r": 4, "1": 5, "\\u0080": 6, "\\u00f6": 7}',
    '["\\u0000\\b\\t\\n\\f\\r\\u001f\\"\\\\/\\u007f\\u0080\\u2028\\u2029é😀"]',
    "[0, -0, 1, -1, 9007199254740991, -9007199254740991]",
    '{"__proto__": 1, "constructor": 2, "10": 3, "9": 4}',
]
REFUSED = ["[9007199254740992]", "[1e400]", "[0.5]", '["\\ud800"]', '{"\\udc00": 1}']


@cache
def javascript() -> dict[str, Any]:
    text = json.dumps({"vectors": VECTORS, "texts": TEXTS + REFUSED})
    found: dict[str, Any] = json.loads(in_node(Path(__file__).with_name("vectors.mjs"), text))
    return found


@cache
def alone() -> dict[str, Any]:
    """The same of the Python verifier."""
    module = python()
    key = module.table_key(SECRET, VECTORS["game_id"], VECTORS["entropies"])
    head = module.first_head(VECTORS["game_id"])
    found: dict[str, Any] = {"first_head": head.hex(), "table_key": key.hex(), "chain": [], "canonical": []}
    found["commitment"] = module.sha256(SECRET).hex()
    sealed = VECTORS["sealed"]
    found["seals"] = [module.seal(sealed["game_id"], seat, each) for seat, each in enumerate(sealed["entropies"])]
    for row in VECTORS["chain"]:
        shown = module.public_hash(row, row["public_event"])
        full = module.secret_hash(SECRET, row)
        head = module.next_head(head, shown, full)
        found["chain"].append({"public": shown.hex(), "secret": full.hex(), "head": head.hex()})
    words = module.Words(key, VECTORS["words"]["stream"])
    found["words"] = VECTORS["words"] | {"words": [words.word() for _ in VECTORS["words"]["words"]]}
    found["deals"] = [module.Words(key, row["stream"]).shuffled(row["items"]) for row in VECTORS["deals"]]
    found["below"] = {n: [lots.below(int(n)) for _ in row] for n, row in VECTORS["below"].items()
                      for lots in [module.Words(key, "deal:lot_drawn:1")]}  # fmt: skip
    found["clocks"] = [followed(module.Dials(row), row["appends"]) for row in VECTORS["clocks"]]
    for text in TEXTS + REFUSED:
        try:
            found["canonical"].append(module.canonical(json.loads(text)).decode())
        except Exception:
            found["canonical"].append(None)
    return found


def followed(dials: Any, appends: list[Any]) -> list[Any]:
    """After each append what the seats have left, and when they run out of time."""
    found = []
    for append in appends:
        dials.follow(append["entries"])
        seats = range(len(dials.banks))
        ends = [dials.runs_out(seat) if seat in dials.since else None for seat in seats]
        found.append([[*dials.banks], [*dials.reserves], ends])
    return found


@pytest.mark.parametrize("computed", [alone, javascript], ids=["Python", "JavaScript"])
def test_the_published_clocks_are_reproduced(computed: Any):
    for row, found in zip(VECTORS["clocks"], computed()["clocks"], strict=True):
        assert found == [[each["banks"], each["reserves"], ends(each)] for each in row["appends"]], row["about"]


def ends(append: Any) -> list[int | None]:
    """When the dials run out, in microseconds from 1970."""
    return [None if at is None else python().microseconds(at) for at in append["runs_out"]]


@pytest.mark.parametrize("computed", [alone, javascript], ids=["Python", "JavaScript"])
@pytest.mark.parametrize("field", ["commitment", "table_key", "words", "below", "first_head"])
def test_the_published_vectors_are_reproduced(computed: Any, field: str):
    assert computed()[field] == VECTORS[field]


@pytest.mark.parametrize("computed", [alone, javascript], ids=["Python", "JavaScript"])
def test_the_published_seals_are_reproduced(computed: Any):
    assert computed()["seals"] == VECTORS["sealed"]["seals"]


@pytest.mark.parametrize("computed", [alone, javascript], ids=["Python", "JavaScript"])
def test_the_published_shuffles_and_chain_are_reproduced(computed: Any):
    assert computed()["deals"] == [row["shuffled"] for row in VECTORS["deals"]]
    names = ("public", "secret", "head")
    assert computed()["chain"] == [{name: row[name] for name in names} for row in VECTORS["chain"]]


@pytest.mark.parametrize("computed", [alone, javascript], ids=["Python", "JavaScript"])
def test_canonical_bytes_are_those_of_rfc_8785(computed: Any):
    """Fractions, integers beyond 2^53 and unpaired surrogates are refused."""
    expected = [rfc8785(json.loads(text)) for text in TEXTS] + [None] * len(REFUSED)
    assert computed()["canonical"] == expected


def test_the_page_names_every_field_of_the_vectors():
    text = Path("docs/fairness-protocol.md").read_text().split("## Test vectors")[1]
    first = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert {name for cell in first for name in re.findall("`([a-z_0-9]+)`", cell)} == set(VECTORS)


def test_a_word_of_an_incomplete_multiple_is_skipped():
    """It would favour small numbers; it is so rare that no vector contains it."""
    words = python().Words(b"", "deal:dealt:0")
    words.left = b"".join(word.to_bytes(4, "big") for word in (2**32 - 1, 2**32 - 2, 5))
    assert words.below(6) == 5
