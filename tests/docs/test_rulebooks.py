"""The rules that a table shows are those of docs/rules, word for word."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from domain.codec import encode
from domain.rulesets import RULESETS
from tests.docs.pages import DOCS
from tests.docs.rulebooks import FOLDER, blocks, book, books, boxes


@pytest.mark.parametrize("file", books(), ids=lambda file: file.stem)
def test_the_books_follow_from_the_pages(file: Path) -> None:
    assert file.read_text() == books()[file], "run `make docs-tables`"
    assert {*FOLDER.iterdir()} == {*books()}


def text(node: Any) -> str:
    """All words of a book, without its markup."""
    if isinstance(node, str):
        return node
    if isinstance(node, dict):
        return "\n".join(text(each) for key, each in node.items() if key != "id")
    if len(node) == 3 and node[0] == "a" and isinstance(node[1], str):
        return text(node[2])
    if len(node) == 2 and node[0] in ("b", "i", "code") and isinstance(node[0], str):
        return text(node[1])
    return "".join(text(each) for each in node)


def words(found: str) -> list[str]:
    """Letters and digits: all that is no markup."""
    return re.findall(r"[^\W_]+", found)


@pytest.mark.parametrize("file", books(), ids=lambda file: file.stem)
def test_nothing_of_a_page_is_lost(file: Path) -> None:
    page = (DOCS / "rules" / f"{file.stem}.md").read_text()
    bare = re.sub(r'<a id="[^"]*"></a>|\]\([^)\s]+\)|^```\w*$', "", page, flags=re.MULTILINE)
    bare = re.sub(r"(?m)^ *\d+\. ", "", bare)  # numbers of list items are counted by the browser
    assert "".join(words(text(json.loads(file.read_text()) | {"boxes": []}))) == "".join(words(bare))
    assert re.findall(r'"id":"([\w-]+)"', file.read_text()) == re.findall(r'<a id="([^"]+)"', page)


def test_lists_in_lists_and_tables() -> None:
    assert blocks(["- a", "  - b `c|d`", "- **e**", "", "| x | y |", "|---|---|", "| 1 \\| 2 | [R](#r-1) |"]) == [
        {"ul": [[{"p": ["a"]}, {"ul": [[{"p": ["b ", ["code", "c|d"]]}]]}], [{"p": [["b", ["e"]]]}]]},
        {"head": [["x"], ["y"]], "rows": [[["1 | 2"], [["a", "r-1", ["R"]]]]]},
    ]
    assert book('# T\n\nLead.\n\n## 1 A\n\n<a id="t-1"></a>**T-1** (A\\*) Text.\n') == {
        "title": "T",
        "sections": [
            {"title": "", "blocks": [{"p": ["Lead."]}]},
            {"title": "1 A", "blocks": [{"p": [["b", ["T-1"]], " (A*) Text."], "id": "t-1"}]},
        ],
    }


MOST_WORDS = 60


def faults(box: dict[str, Any], ids: set[str], cards: set[str]) -> list[str]:
    """What is wrong with a box of the rules for people. `cards`: of the deck, as JSON."""
    texts = [box["title"], box["text"], *(part["label"] for part in box["picture"] if "label" in part)]
    drawn = [
        encode(card).decode() for part in box["picture"] for card in part.get("cards", []) if card not in (None, "")
    ]
    return [
        *(f"{each} has not both languages" for each in texts if not (each.get("en") and each.get("de"))),
        *(f"too long in {name}" for name, each in box["text"].items() if len(each.split()) > MOST_WORDS),
        *(f"no rule {each}" for each in box["rules"] if each not in ids),
        *(f"no card {each}" for each in drawn if each not in cards),
        *(["cites no rule"] if not box["rules"] else []),
        *(["has no picture"] if not box["picture"] else []),
    ]


def cards_of(name: str) -> set[str]:
    """Every card of the default deck as views show it, and the signs that are drawn like cards."""
    rules = RULESETS[name]
    data = to_builtins(next(iter(rules.decks.values())).data)
    listed = [each for card in data.get("cards", []) for each in _faces(card)]
    kinds = [*data.get("actions", {}), *(["star"] if data.get("stars") else [])]
    signs = ["stone stone", *(f"trump {symbol}" for symbol in data["stone"])] if "stone" in data else []
    return {encode(each).decode() for each in [*map(int, data.get("numbers", {})), *listed, *kinds, *signs]}


def _faces(card: dict[str, Any]) -> list[Any]:
    """A card of two numbers lies one way up or the other."""
    return [card["id"]] if "id" in card else [card["numbers"], card["numbers"][::-1]]


@pytest.mark.parametrize("name", RULESETS)
def test_the_rules_for_people_are_short_and_cite_rules_that_exist(name: str) -> None:
    found = boxes(name)
    ids = set(re.findall(r'<a id="([^"]+)"', (DOCS / "rules" / f"{name}.md").read_text()))
    assert 5 <= len(found) <= 7
    assert [(box["title"]["en"], wrong) for box in found if (wrong := faults(box, ids, cards_of(name)))] == []


def test_faults_of_a_box_are_found() -> None:
    both = {"en": "a", "de": "b"}
    box = {"title": both, "text": both, "rules": ["x-1"], "picture": [{"cards": [1, None, ""]}]}
    assert faults(box, {"x-1"}, {"1"}) == []
    assert faults(box, set(), set()) == ["no rule x-1", "no card 1"]
    long, half = {"en": "a " * 61, "de": "b"}, {"number": "1", "label": {"en": "a"}}
    assert len(faults(box | {"text": long, "picture": [half]}, {"x-1"}, set())) == 2
    assert len(faults(box | {"rules": [], "picture": []}, {"x-1"}, set())) == 2
