"""The rules that a table shows are those of docs/rules, word for word."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import DOCS
from tests.docs.rulebooks import FOLDER, blocks, book, books


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
    assert "".join(words(text(json.loads(file.read_text())))) == "".join(words(bare))
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
