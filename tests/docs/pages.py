"""The pages of docs/ as Markdown: their text, code blocks, links and anchors."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import tests

ROOT = Path(tests.__file__).parents[1]
DOCS = ROOT / "docs"

FENCE = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
ID = re.compile(r'<\w+ id="([\w-]+)">')
HEADING = re.compile(r"(?m)^#{1,6} (.+)$")


def pages() -> list[Path]:
    """All pages, sorted."""
    return sorted(DOCS.rglob("*.md"))


def section(text: str, heading: str) -> str:
    """What stands below a heading of the second level, up to the next one."""
    found = re.search(rf"(?ms)^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text)
    assert found, f"there is no section {heading!r}"
    return found[1]


def blocks(text: str, language: str) -> list[str]:
    """The code blocks of a language, in order."""
    return [code for kind, code in FENCE.findall(text) if kind == language]


def links(text: str) -> Iterator[str]:
    """The targets of all links and pictures outside of code."""
    prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
    yield from LINK.findall(prose)


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page: of its headings, as both the generator and GitHub make them, and ids that it names."""
    text = FENCE.sub("", page.read_text())
    return frozenset(anchor(heading) for heading in headings(text)) | frozenset(ID.findall(text))


def headings(text: str) -> list[str]:
    """The headings of a page, without its code."""
    return HEADING.findall(FENCE.sub("", text))


def anchor(heading: str) -> str:
    """`What a seat *sees*, and why` becomes `what-a-seat-sees-and-why`."""
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())
