"""The built site: strict, complete, and it loads nothing from another host."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

from tests.docs.pages import DOCS, pages

LOADED = {
    ("script", "src"), ("img", "src"), ("img", "srcset"), ("iframe", "src"), ("source", "src"), ("source", "srcset"),
    ("video", "src"), ("audio", "src"), ("embed", "src"), ("object", "data"), ("link", "href"), ("form", "action"),
    ("use", "href"), ("base", "href"),
}  # fmt: skip
"""The attributes by which a page loads something, or sends something."""

CONDITIONAL = {"mermaid", "glightbox", "pyodide", "md-source"}
"""Classes for which the generator's script would load something from elsewhere: no page has them."""


class Page(HTMLParser):
    """What a page loads, and the classes of its elements."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.classes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if (tag, name) in LOADED and value:
                self.loads.append(value)
            if name == "style" and value:
                self.loads += urls(value)
            if name == "class" and value:
                self.classes |= set(value.split())


def urls(css: str) -> list[str]:
    """What a style sheet loads."""
    found = re.findall(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""", css)
    return [first or second for first, second in found]


def elsewhere(url: str) -> bool:
    return bool(urlsplit(url).netloc)


def test_every_page_and_file_is_built(site: Path) -> None:
    for page in pages():
        place = page.relative_to(DOCS).with_suffix("")
        assert (site / (place.parent if place.name == "index" else place) / "index.html").is_file(), page
    for file in DOCS.rglob("*.*"):
        if file.suffix != ".md":
            assert (site / file.relative_to(DOCS)).read_bytes() == file.read_bytes()


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    for file in site.rglob("*.html"):
        page = Page(file.read_text())
        assert page.loads
        assert [url for url in page.loads if elsewhere(url)] == [], file
        assert not page.classes & CONDITIONAL, file
    for file in site.rglob("*.css"):
        assert [url for url in urls(file.read_text()) if elsewhere(url)] == [], file


def test_what_loads_from_another_host_would_be_noticed() -> None:
    page = Page(
        '<link href="https://fonts.test/a.css"><script src="//cdn.test/x.js"></script><p style="a:url(http://b)">'
    )
    assert [url for url in page.loads if elsewhere(url)] == ["https://fonts.test/a.css", "//cdn.test/x.js", "http://b"]
    assert urls("@import 'https://a.test'; b { c: url(x.png) }") == ["https://a.test", "x.png"]


def test_the_search_index_has_every_page(site: Path) -> None:
    text = json.dumps(json.loads((site / "search.json").read_text()))
    for page in pages():
        title = re.sub(r"`(.+?)`", r"<code>\1</code>", page.read_text().splitlines()[0].removeprefix("# "))
        assert title in text, title
    assert "POSTGRES_ENABLE_DB_FUNCTIONS" in text, "a word that is deep in a page"
