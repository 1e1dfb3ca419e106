"""The page that `stammtisch review --page` writes, opened as a file, in Chromium."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from agents.review.document import document
from agents.review.page import page
from agents.review.played import of_record
from agents.review.wording import Wording
from domain.fairness import record
from domain.rulesets import RULESETS
from tests.agents.same_review import weighed
from tests.golden import folder, read
from tests.web.measures import inaccessible

RULES = RULESETS["scout"]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    golden, _ = read(RULES, folder(RULES) / "3-seats.jsonl")
    whole = record.of(golden.id, golden.log)
    played = of_record(whole)
    found = document(played, weighed(played), "standard", final=True)
    file = tmp_path_factory.mktemp("page") / "review.html"
    file.write_text(page(found, Wording(RULES, whole.deck, "de", ["Ann", "Ben", "Cem"]), "de"))
    return file


def test_the_page_of_a_review_is_accessible_fits_and_loads_nothing(browser: Browser, written: Path) -> None:
    context = browser.new_context()
    shown, asked = context.new_page(), list[str]()
    shown.on("request", lambda request: asked.append(request.url))
    faults = list[str]()
    shown.on("console", lambda message: faults.append(message.text))
    shown.goto(written.as_uri())
    assert shown.locator("li strong").count() > 0
    shown.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    for width in (1280, 360):
        shown.set_viewport_size({"width": width, "height": 800})
        assert shown.evaluate("document.documentElement.scrollWidth") <= width
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)
        assert inaccessible(shown) == [], scheme
    assert asked == [written.as_uri()]
    context.close()
    assert faults == []
