"""Every link leads somewhere: in the pages, and in the documents beside them."""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from domain.rulesets import RULESETS
from tests.docs.pages import DOCS, ROOT, anchor, anchors, blocks, headings, links, pages

BESIDE = [ROOT / name for name in ("README.md", "SECURITY.md", "CHANGELOG.md")]

MOST_ELSEWHERE = 5
"""Links to other sites in all pages together: the pages explain, they do not refer."""


def found_in(find: Callable[[str], Iterable[Any]]) -> Iterator[tuple[Path, Any]]:
    """Each page, and what is found in its text."""
    for page in (*pages(), *BESIDE):
        for each in find(page.read_text()):
            yield page, each


def external(link: str) -> bool:
    return re.match(r"[a-z]+:", link) is not None


def local(link: str) -> bool:
    """Whether it is of a service that the reader runs."""
    return link.startswith("http://127.0.0.1:")


def test_every_link_of_a_page_leads_to_a_file_and_a_heading() -> None:
    for page, link in found_in(links):
        if external(link):
            continue
        path, _, place = link.partition("#")
        target = page if not path else (page.parent / path).resolve()
        assert target.is_file(), (page, link)
        if page.is_relative_to(DOCS):
            assert target.is_relative_to(DOCS), f"{page}, {link}: the site has pages of docs/ only"
        if place:
            assert place in anchors(target), (page, link)


def test_links_to_other_sites_are_few() -> None:
    found = [link for page in pages() for link in links(page.read_text()) if external(link) and not local(link)]
    assert len(found) <= MOST_ELSEWHERE, found


def test_no_two_headings_of_a_page_have_the_same_anchor() -> None:
    for page in pages():
        found = [anchor(heading) for heading in headings(page.read_text())]
        assert len(found) == len(set(found)), page


def test_every_page_is_in_the_navigation_and_all_of_it_is_there() -> None:
    nav = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]
    listed = [*paths(nav)]
    assert sorted(listed) == sorted(str(page.relative_to(DOCS)) for page in pages())


def paths(nav: Any) -> Any:
    if isinstance(nav, str):
        yield nav
    for part in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from paths(part)


def test_a_page_begins_with_its_title_and_has_no_other() -> None:
    for page in pages():
        text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text())
        assert text.startswith("# "), page
        assert len(re.findall(r"(?m)^# ", text)) == 1, page


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


def test_every_file_and_folder_that_a_page_names_is_there() -> None:
    rooms = "agents|clients|docs|domain|openapi|projections|service|tests|web"
    for page, path in found_in(re.compile(rf"`((?:{rooms})/[\w./-]*)`").findall):
        assert "NAME" in path or (ROOT / path).exists(), (page, path)


CONTRACT: dict[str, Any] = json.loads((ROOT / "openapi" / "openapi.json").read_text())["paths"]
CHANNEL = "/v1/channel"
"""The upgrade to a web socket: it is in `asyncapi.json`."""
OPERATION = re.compile(r"(?:\b(GET|HEAD|POST|PUT|PATCH|DELETE) )?(\.\.\./|/v1\b)((?:[\w.-]|\{\w+\}|/(?=[\w{]))*)")


def documented(method: str, start: str, rest: str) -> bool:
    """Whether the contract has the operation. `.../` stands for the path of a game or another resource."""
    parts = (
        f"({next(iter(RULESETS))}|{{}})" if part == "{ruleset}"
        else "[^/]+" if "{" in part or part.endswith("...") or part.count("-") == 4  # an id
        else re.escape(part)
        for part in re.sub(r"(?<!\.)\.$", "", rest).split("/")
    )  # fmt: skip
    wanted = re.compile((r"/v1" if start == "/v1" else r".*/") + "/".join(parts))
    for known, operations in CONTRACT.items():
        shown = "/".join("{}" if "{" in part else part for part in known.split("/"))
        if wanted.fullmatch(shown) and (method.lower() or "get") in {*operations, "head", "" if method else "get"}:
            return True
    return False


def test_every_operation_that_a_page_names_is_in_the_contract() -> None:
    for page, (method, start, rest) in found_in(OPERATION.findall):
        if (start == "..." and not method) or start + rest in ("/v1", CHANNEL):
            continue
        assert documented(method, start, rest), f"{page}: {method} {start}{rest}"


def test_operations_that_do_not_exist_are_noticed() -> None:
    for method, path in (("GET", "/v1/players/all"), ("PUT", "/v1/players/me"), ("", "/v1/game")):
        assert not documented(method, "/v1", path.removeprefix("/v1"))


def test_pages_that_use_the_command_say_where_it_is() -> None:
    for page in pages():
        text = page.read_text()
        if any(re.search(r"(?m)^stammtisch ", code) for code in blocks(text, "sh")):
            assert page.name == "commands.md" or "commands.md" in text, page
