"""The page of the published league, opened as a file, in Chromium, with names that imitate HTML."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser

from agents.league.figures import Claims, Results
from agents.league.folder import CLAIMS, RESULTS, decoded
from agents.league.page import PAGES, pages
from tests.web.measures import inaccessible

PUBLISHED = Path(__file__).parents[1] / "league" / "scout"
HOSTILE = "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "x" * 60


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results, claims = decoded(PUBLISHED / RESULTS, Results), decoded(PUBLISHED / CLAIMS, Claims)
    named = [replace(each, name=name, kind=name) for each, name in zip(results.terms.entrant, HOSTILE, strict=False)]
    terms = replace(results.terms, entrant=(*named, *results.terms.entrant[len(named) :]))
    results = replace(results, terms=terms, boards=results.boards[:3])  # axe looks at everything
    folder = tmp_path_factory.mktemp("league")
    for name, text in pages(results, claims, {"x": "0" * 64}).items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.by_default("de")  # it has the longer words
@pytest.mark.parametrize("language", PAGES)
def test_the_page_of_a_league_is_accessible_fits_and_loads_nothing(
    browser: Browser, written: Path, language: str
) -> None:
    context = browser.new_context()
    shown, asked = context.new_page(), list[str]()
    shown.on("request", lambda request: asked.append(request.url))
    faults = list[str]()
    shown.on("console", lambda message: faults.append(message.text))
    shown.on("dialog", lambda dialog: faults.append(dialog.message))
    address = (written / PAGES[language]).as_uri()
    shown.goto(address)
    assert shown.get_by_role("row").count() > 6
    shown.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    for width in (1280, 390):
        shown.set_viewport_size({"width": width, "height": 800})
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)
        assert inaccessible(shown) == [], scheme
    assert asked == [address]
    context.close()
    assert faults == []
