"""The hash chain: the published vectors, canonical bytes, and the effect of changes."""

import hmac
import json
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from domain.codec import canonical
from domain.fairness.chain import Link, commitment, entry, link, root
from domain.fairness.hashes import hmac_sha256
from domain.messages import Event
from domain.rulesets import RULESETS

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs" / "fairness.vectors.json").read_bytes())
SECRET = bytes.fromhex(VECTORS["secret"])


def hashed(row: dict[str, Any], event: Any, move: Any = UNSET) -> bytes:
    place = row["version"], row["at"], row["by"]
    if "more" not in row:  # as no entry of a record is
        return canonical(dict(zip(("version", "at", "by"), place, strict=True)) | {"event": event})
    return entry(*place, event, row["more"], row.get("acting", UNSET), move)


def links(chain: list[dict[str, Any]]) -> list[Link]:
    made, head = [], root(VECTORS["game_id"])
    for row in chain:
        shown, full = hashed(row, row["public_event"]), hashed(row, row["event"], row.get("move", UNSET))
        made.append(link(head, SECRET, row["version"], shown, full))
        head = made[-1].head
    return made


def test_the_commitment_is_the_hash_of_the_secret():
    assert commitment(SECRET).hex() == VECTORS["commitment"]


def test_the_first_head_is_the_games():
    assert root(VECTORS["game_id"]).hex() == VECTORS["first_head"]


def test_the_chain_comes_out_as_published():
    published = [(row["public"], row["secret"], row["head"]) for row in VECTORS["chain"]]
    assert [(each.public.hex(), each.secret.hex(), each.head.hex()) for each in links(VECTORS["chain"])] == published


def test_there_are_vectors_with_and_without_each_field():
    for name in ("more", "acting", "move"):
        assert {name in row for row in VECTORS["chain"]} == {True, False}
    assert {("acting" in row, "move" in row) for row in VECTORS["chain"] if "more" in row} == set(
        product([True, False], repeat=2)
    )


def test_any_change_changes_every_later_head():
    for number, row in enumerate(VECTORS["chain"]):
        for field in row.keys() - {"public", "secret", "head"}:
            forged = [dict(each) for each in VECTORS["chain"]]
            forged[number][field] = 77
            heads = [made.head.hex() for made in links(forged)]
            right = [head == each["head"] for head, each in zip(heads, VECTORS["chain"], strict=True)]
            assert right == [True] * number + [False] * (len(right) - number), (number, field)


def test_a_hidden_card_cannot_be_guessed_from_its_hash():
    """The salt derives from the secret; without it the fifteen numbers of a deck are quickly tried."""
    row = VECTORS["chain"][1]
    guesses = [hashed(row, {**row["event"], "card": card}) for card in range(-2, 13)]
    assert row["secret"] not in [sha256(guess).hexdigest() for guess in guesses]


def test_the_public_hash_does_not_depend_on_the_move():
    """Otherwise anybody could try the moves."""
    published = [row for row in VECTORS["chain"] if "more" in row]
    rows = [{**row, "move": {"type": "draw", "from": "elsewhere"}} for row in published]
    assert [made.public for made in links(rows)] == [made.public for made in links(published)]
    assert all(one.secret != other.secret for one, other in zip(links(rows), links(published), strict=True))


# --- canonical bytes ----------------------------------------------------------------------------------------------

SHORT = {"\b": r"\b", "\t": r"\t", "\n": r"\n", "\f": r"\f", "\r": r"\r", '"': r"\"", "\\": r"\\"}


def rfc8785(value: Any) -> str:
    """A reference implementation of RFC 8785 for the JSON of messages. Keys are sorted by their UTF-16 code units."""
    match value:
        case None | True | False:
            return {None: "null", True: "true", False: "false"}[value]
        case int():
            return str(value)
        case str():
            return '"' + "".join(SHORT.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in value) + '"'
        case list() | tuple():
            return "[" + ",".join(map(rfc8785, value)) + "]"
        case dict():
            keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
            return "{" + ",".join(f"{rfc8785(key)}:{rfc8785(value[key])}" for key in keys) + "}"
    raise TypeError(value)


ascii_keys = st.text(st.characters(max_codepoint=127), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ascii_keys, inner, max_size=4),
)


@given(values)
def test_canonical_bytes_are_those_of_rfc_8785(value: Any):
    assert canonical(value) == rfc8785(value).encode()


def test_the_published_example_is_canonical():
    assert canonical(json.loads(VECTORS["canonical_example"])).decode() == VECTORS["canonical_example"]
    assert rfc8785(json.loads(VECTORS["canonical_example"])) == VECTORS["canonical_example"]


def test_every_escaped_character_is_escaped_as_in_rfc_8785():
    awkward = "".join(map(chr, range(0x20))) + '"\\/\x7f\x80\u2028\u2029é😀'
    assert canonical(awkward) == rfc8785(awkward).encode()


class Sample(Event):
    """Its fields and its tag are written in another order than they are declared."""

    zebra: int
    ant: tuple[int | None, ...] = (None, -1)


def test_a_message_is_canonical_with_its_tag_in_its_place():
    assert canonical(Sample(-7)) == b'{"ant":[null,-1],"type":"sample","zebra":-7}'


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_decks_are_canonical(rules: Any):
    """Decks are part of `opened`, so they are hashed; msgspec sorts like RFC 8785 only if their keys are ASCII."""
    for deck in rules.decks.values():
        assert canonical(deck.data) == rfc8785(json.loads(canonical(deck.data))).encode()
        assert canonical(deck) == canonical(deck.name)


def test_our_hmac_is_the_standard_one() -> None:
    for size, text in product((0, 1, 32, 64), (b"", b"salt:1", b"x" * 1000)):
        key = bytes(range(size))
        assert hmac_sha256(key, text) == hmac.digest(key, text, "sha256") == hmac_sha256(key, text)
