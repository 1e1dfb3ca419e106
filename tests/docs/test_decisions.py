"""Decisions: few lines for what carries the house, each number once, and the table says where each one is."""

import re
from collections import Counter

from tests.docs.pages import DOCS

TEXT = (DOCS / "decisions.md").read_text()
PAGES = {path.name: re.findall(r"(?m)^###? (\d+)\. ", path.read_text()) for path in DOCS.glob("*.md")}
"""The numbers of the decisions of each page. Steps of a guide are not below a heading `Decisions`."""
ON_PAGES = {
    name: re.findall(r"(?m)^### (\d+)\. ", (DOCS / name).read_text().partition("\n## Decisions\n")[2]) for name in PAGES
}


def test_the_page_is_short() -> None:
    assert TEXT.count("\n") <= 250


def test_each_number_is_decided_once() -> None:
    numbers = Counter([*PAGES["decisions.md"], *(number for numbers in ON_PAGES.values() for number in numbers)])
    assert not [number for number, times in numbers.items() if times > 1]


def test_the_table_says_where_each_one_is() -> None:
    said = {
        page: numbers.split(", ") for numbers, page in re.findall(r"(?m)^\| \[([\d, ]+)\]\((\S+)#decisions\)", TEXT)
    }
    assert said == {name: numbers for name, numbers in ON_PAGES.items() if numbers}
