"""The pages of `docs/rules` as data: their rules, sections and worked examples, and what a citation looks like.

`python -m tests.kit.rule_pages` writes the worked examples of `tests/domain/vectors` into the pages.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "rules"
VECTORS = ROOT / "tests" / "domain" / "vectors"

PREFIXES = {"SK": "skyjo", "SA": "skyjo_action", "SC": "scout", "SP": "scopinion", "SD": "scandaroon"}
"""The ruleset of each kind of rule id."""

ID = rf"(?:{'|'.join(PREFIXES)})-\d+"
LABEL = re.compile(
    rf'^<a id="([a-z0-9-]+)"></a>\*\*((?:{ID})|(?:{"|".join(PREFIXES)}) (?:edge case|invariant) \d+)\*\*', re.M
)
UNASSIGNED = re.compile(r"^Unassigned numbers: (.+)\.$", re.M)
EXAMPLES = re.compile(r"^## 10 .*?^```\n(.*?)^```$", re.M | re.S)
SECTION = re.compile(r"^##+ (\d+(?:\.\d+)?) ", re.M)
NUMBERED = re.compile(rf"\b({'|'.join(PREFIXES)})-(\d+)(?: to (?:{'|'.join(PREFIXES)})-(\d+))?")
NAMED = re.compile(rf"\b(?:{'|'.join(PREFIXES)}) (?:edge case|invariant) \d+")
BESIDE = {
    "edge case": re.compile(r"\bedge(?: case)? (\d+)"),
    "invariant": re.compile(r"\b[Ii]nvariants? (\d+)(?: and (\d+))?"),
}
LINK = re.compile(r"\[([^\]]+)\]\(#([^)]+)\)")


class Page(NamedTuple):
    prefix: str
    path: Path
    text: str

    @property
    def labels(self) -> list[tuple[str, str]]:
        """Anchor and label of each rule, in the order of the page."""
        return LABEL.findall(self.text)

    @property
    def rules(self) -> list[str]:
        """`SK-1`, `SK edge case 1`, `SK invariant 1`, in the order of the page."""
        return [label for _, label in self.labels]

    @property
    def examples(self) -> str:
        (text,) = EXAMPLES.findall(self.text)
        return str(text)


def pages() -> list[Page]:
    paths = {prefix: PAGES / f"{ruleset}.md" for prefix, ruleset in PREFIXES.items()}
    return [Page(prefix, path, path.read_text(encoding="utf-8")) for prefix, path in paths.items()]


def numbered(text: str) -> Iterator[str]:
    """The ids that the text cites; `SC-40 to SC-46` is seven."""
    for prefix, first, last in NUMBERED.findall(text):
        yield from (f"{prefix}-{number}" for number in range(int(first), int(last or first) + 1))


def beside(text: str, prefix: str) -> Iterator[str]:
    """The edge cases and invariants that the text cites by their number alone."""
    for kind, pattern in BESIDE.items():
        for found in pattern.finditer(text):
            yield from (f"{prefix} {kind} {number}" for number in found.groups() if number)


def write_examples() -> None:
    for page in pages():
        examples = VECTORS.joinpath(f"{page.path.stem}.txt").read_text(encoding="utf-8")
        page.path.write_text(page.text.replace(page.examples, examples), encoding="utf-8")


if __name__ == "__main__":
    write_examples()
