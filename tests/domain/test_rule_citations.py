"""The pages of `docs/rules` and everything that cites them: code, tests and other pages."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from domain.rulesets import RULESETS
from tests.kit.rule_pages import (
    BESIDE,
    LINK,
    NAMED,
    PAGES,
    PREFIXES,
    ROOT,
    SECTION,
    UNASSIGNED,
    VECTORS,
    Page,
    beside,
    numbered,
    pages,
)
from tests.kit.worked import CASES, titles

TEXT = {".cjs", ".go", ".html", ".java", ".js", ".md", ".mjs", ".py", ".rs", ".sh", ".ts", ".tsx", ".txt"}
FOREIGN = {"node_modules", "target", "dist", "build", "site", "venv", "__pycache__"}
"""Folders of other people's files and of built ones."""
THIS = Path(__file__)

pytestmark = pytest.mark.slow

each_page = pytest.mark.parametrize("page", pages(), ids=lambda page: page.path.stem)


def files(folder: Path = ROOT) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in FOREIGN or path == PAGES:
            continue
        if path.is_dir():
            yield from files(path)
        elif path.suffix in TEXT and path != THIS:
            yield path


@cache
def texts() -> dict[str, str]:
    """Every text file of the repository that can cite a rule, by its path."""
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8", errors="replace") for path in files()}


def game(text: str) -> str | None:
    """The prefix of the one game that the text is about."""
    games = {each.split("-")[0] for each in numbered(text)}
    return games.pop() if len(games) == 1 else None


def cited(text: str, about: str | None = None) -> set[str]:
    """The rules, edge cases and invariants that the text cites. A number alone belongs to the game it is about."""
    return {*numbered(text), *NAMED.findall(text), *(beside(text, about) if about else ())}


def examples_cited() -> dict[str, set[str]]:
    """What each file of worked examples cites in the brackets of its titles, in the short forms it may use."""
    found = {}
    for page in pages():
        titles = re.findall(r"\[([^\]]*)\] ::", VECTORS.joinpath(f"{page.path.stem}.txt").read_text(encoding="utf-8"))
        short = {f"{page.prefix}-{n}" for title in titles for n in re.findall(r"(?<![\w-])(?<!edge )\d+", title)}
        found[page.path.stem] = short | {
            each for title in titles for each in (*numbered(title), *beside(title, page.prefix))
        }
    return found


@cache
def cited_by_tests() -> set[str]:
    """What the docstrings of all tests cite, and the sentences that are tested."""
    found: set[str] = set()
    for page in pages():
        for title in titles(CASES / "sentences" / f"{page.path.stem}.txt"):
            found |= cited(title.partition(":")[0], page.prefix)
    for path, text in texts().items():
        if re.search(r"(^|/)test_\w+\.py$", path):
            about = game(text)
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                    found |= cited(ast.get_docstring(node) or "", about)
    return found


# --- the pages ----------------------------------------------------------------------------------------------------


@each_page
def test_a_page_has_every_rule_once_at_its_own_anchor(page: Page):
    assert [rule for rule, times in Counter(page.rules).items() if times > 1] == []
    assert page.rules, "the page has no rules"
    for anchor, rule in page.labels:
        assert anchor == rule.lower().replace(" ", "-")
        assert rule.startswith(page.prefix)


@each_page
def test_every_rule_of_a_page_is_a_block_of_its_own(page: Page):
    """What looks like a rule is one: its anchor stands at the beginning of a line, after an empty line."""
    assert page.text.count("<a id=") == len(page.labels)
    lines = page.text.splitlines()
    assert [line for before, line in pairwise(lines) if line.startswith("<a id=") and before] == []


@each_page
def test_numbers_that_are_not_assigned_are_listed(page: Page):
    """No rule is missing in silence: up to the last one each number has its rule or stands in the list, never both."""
    listed = {each for line in UNASSIGNED.findall(page.text) for each in numbered(line)}
    rules = {rule for rule in page.rules if "-" in rule}
    last = max(int(rule.split("-")[1]) for rule in rules)
    assert rules & listed == set()
    assert rules | listed == {f"{page.prefix}-{number}" for number in range(1, last + 1)}


@each_page
@pytest.mark.parametrize("kind", list(BESIDE))
def test_edge_cases_and_invariants_are_numbered_without_gaps(page: Page, kind: str):
    numbers = [int(rule.rpartition(" ")[2]) for rule in page.rules if kind in rule]
    assert numbers == list(range(1, len(numbers) + 1))


@each_page
def test_every_link_within_a_page_leads_to_the_rule_it_names(page: Page):
    anchors = dict(page.labels)
    for text, anchor in LINK.findall(page.text):
        assert anchor in anchors, f"no anchor {anchor}"
        assert anchors[anchor] in (text, f"{page.prefix} {text}")


@each_page
def test_every_id_on_a_page_is_one_of_its_rules(page: Page):
    prose = UNASSIGNED.sub("", page.text)
    assert set(numbered(LINK.sub(r"\1", prose))) <= set(page.rules)


def test_the_index_links_to_every_page():
    index = PAGES.joinpath("index.md").read_text(encoding="utf-8")
    assert sorted(set(re.findall(r"\]\((\w+\.md)\)", index))) == sorted(
        path.name for path in PAGES.glob("*.md") if path.stem != "index"
    )
    known = {rule for page in pages() for rule in page.rules}
    assert set(numbered(index)) <= known


@each_page
def test_the_worked_examples_of_a_page_are_the_ones_that_are_tested(page: Page):
    """Else run `python -m tests.kit.rule_pages`."""
    assert page.examples == VECTORS.joinpath(f"{page.path.stem}.txt").read_text(encoding="utf-8")


@each_page
def test_a_page_names_the_options_of_its_ruleset(page: Page):
    section = re.search(r"^## 3 .+?(?=^## )", page.text, re.M | re.S)
    assert section is not None
    named = set(re.findall(r"`([a-z_]+)`", section[0]))
    assert {field.name for field in msgspec.structs.fields(RULESETS[page.path.stem].options)} <= named


def test_every_ruleset_has_a_page():
    assert set(RULESETS) == set(PREFIXES.values()) == {path.stem for path in PAGES.glob("*.md")} - {"index"}


# --- who cites them -----------------------------------------------------------------------------------------------


@pytest.mark.checked
def test_every_citation_is_a_rule():
    known = {rule for page in pages() for rule in page.rules}
    unknown = {path: sorted(wrong) for path, text in texts().items() if (wrong := cited(text, game(text)) - known)}
    assert unknown == {}
    assert {name: sorted(ids - known) for name, ids in examples_cited().items() if ids - known} == {}


@pytest.mark.checked
def test_every_section_that_a_ruleset_and_its_tests_cite_exists():
    sections = {page.prefix: set(SECTION.findall(page.text)) for page in pages()}
    unknown = []
    for path, text in texts().items():
        if path.startswith(("domain/rulesets/", "tests/domain/")) and (about := game(text)):
            found = re.findall(r"\bsection (\d+(?:\.\d+)?)", text)
            unknown += [(path, number) for number in found if number not in sections[about]]
    assert unknown == []


@pytest.mark.checked
@each_page
def test_every_rule_is_cited_by_a_test(page: Page):
    """In its docstring, or before its sentence."""
    named = cited_by_tests()
    assert [rule for rule in page.rules if rule not in named] == []


@pytest.mark.checked
def test_the_citations_are_found():
    """The tests above read something: thousands of files would pass if none of them were read."""
    assert set(PREFIXES) <= {each.split("-")[0] for text in texts().values() for each in numbered(text)}
    assert {path.split("/")[0] for path, text in texts().items() if cited(text)} >= {"domain", "tests"}
    assert all(examples_cited().values())


CITATIONS = [
    ("(SC-24)", {"SC-24"}),
    ("SC-40 to SC-42, SC-9", {"SC-40", "SC-41", "SC-42", "SC-9"}),
    ("SA-25.4 and SA-30", {"SA-25", "SA-30"}),
    ("SA-47, edge 11", {"SA-47", "SA edge case 11"}),
    ("SK-51, edge case 14; Invariants 3 and 8", {"SK-51", "SK edge case 14", "SK invariant 3", "SK invariant 8"}),
    ("SA-47, edge 11, SK-1, invariant 2", {"SA-47", "SK-1"}),
    ("SHA-256, USP-3, the edge case 7 of no game", set()),
]


@pytest.mark.parametrize(("text", "ids"), CITATIONS)
def test_a_citation_is_understood(text: str, ids: set[str]):
    assert cited(text, game(text)) == ids
