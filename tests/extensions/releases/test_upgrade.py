"""Two releases of the service answer every request in turn, as during an upgrade."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from domain.rulesets import RULESETS
from service.pages.web import FOLDER
from tests.support.clients import Server
from tests.support.servers import Postgres
from tests.web.browsers import Visitor, opened
from tests.web.cable import Balancer

pytestmark = pytest.mark.checked

ROOT = FOLDER.parent


def another_release(place: Path) -> Path:
    """A copy of the service with pages that cannot be mixed with those of this one: a function has another name."""
    place.mkdir()
    for each in ROOT.iterdir():
        if each.name not in {"web", ".git", ".venv"}:
            (place / each.name).symlink_to(each)
    shutil.copytree(FOLDER, place / "web")
    for module in (place / "web").rglob("*.js"):
        module.write_text(re.sub(r"\bexplained\b", "elucidated", module.read_text()))
    return place


@pytest.fixture(scope="module")
def releases(postgres: Postgres, migrated: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The addresses of two releases on one database."""
    folder = tmp_path_factory.mktemp("releases")
    how = {"rate_limit": "off", "secret": "x" * 32}
    source = another_release(folder / "source")
    with (
        postgres.database(migrated) as name,
        Server(postgres.url(name), output=folder / "one", **how) as one,
        Server(postgres.url(name), output=folder / "other", source=source, **how) as other,
    ):
        yield one.url, other.url


@pytest.fixture
def upgraded(releases: tuple[str, str]) -> Iterator[Balancer]:
    """The service behind a balancer, while it is upgraded."""
    balancer = Balancer(*releases)
    yield balancer
    balancer.close()


def releases_of(visitors: list[Visitor]) -> set[str]:
    """The releases from which their pages had files."""
    return {url.partition("/web/")[2][:16] for visitor in visitors for url in visitor.asked if "/web/" in url}


def test_every_first_visit_is_drawn_while_two_releases_answer(
    browser: Browser, upgraded: Balancer, visitors: list[Visitor], everything: bool
) -> None:
    for number in range(20 if everything else 4):
        visitor = Visitor(browser, upgraded.url, f"Ann {number}")
        visitors.append(visitor)
        if number % 2:
            page = visitor.at(opened(visitor, hotseat=True))
            expect(page.locator("main button[data-thing]").first).to_be_visible()
        else:
            page = visitor.visit()
            expect(page.locator(".game.panel")).to_have_count(len(RULESETS) + 1)
    assert len(releases_of(visitors)) == 2


WORKER = """async () => {
  globalThis.policy ??= trustedTypes.createPolicy("stammtisch", { createScriptURL: (url) => url });
  const script = policy.createScriptURL("sw.js");
  const { installing } = await navigator.serviceWorker.register(script, { updateViaCache: "none" });
  await new Promise((done) => installing.addEventListener("statechange", done));
  const kept = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (!request.url.includes("/web/")) kept.push([name, await (await cache.match(request)).text()]);
    }
  }
  return [installing.state, kept];
}"""


def test_the_service_worker_keeps_pages_of_its_own_release_only(
    browser: Browser, upgraded: Balancer, visitors: list[Visitor]
) -> None:
    visitors.append(visitor := Visitor(browser, upgraded.url, service_workers="allow"))
    page = visitor.visit("standings")  # which does not register it
    state, kept = page.evaluate(WORKER)
    assert (state, kept) == ("redundant", [])  # pages of both releases were read
    upgraded.targets = upgraded.targets[:1]
    page.reload()
    state, kept = page.evaluate(WORKER)
    assert state in {"installed", "activated"}
    assert len(kept) > len(("/", "/table", "/record"))
    assert all(name.removeprefix("stammtisch-") in text for name, text in kept)
