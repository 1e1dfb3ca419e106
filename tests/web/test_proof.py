"""The badge of a finished game: what the verifier finds in the browser, and what the page says about it."""

import json
from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from domain.rulesets import RULESETS, VERSIONS
from tests.support.clients import Server
from tests.verifiers import samples
from tests.verifiers.samples import Json, forgeries, plain
from tests.web.browsers import Visitor, now, opened, play, somebody

RULES = list(VERSIONS.values())

VERIFIED = """async ([text, head]) => {
  const base = document.querySelector("script[type=module]").src.replace(/pages.*/, "");
  return await (await import(`${base}pages/proof.js`)).verified(text, head);
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of the service, with its policy."""
    visitor = Visitor(browser, server.url)
    yield visitor.visit()
    visitor.assert_content()
    visitor.context.close()


def wrong(page: Page, record: Json, head: str | None = None) -> list[str]:
    checks = page.evaluate(VERIFIED, [json.dumps(record), head])
    assert checks
    return [check["name"] for check in checks if check["ok"] is not True]


@pytest.mark.by_default("scout/1")
@pytest.mark.parametrize("rules", RULES, ids=list(VERSIONS))
def test_records_are_right_and_every_forgery_is_found(page: Page, rules: samples.Rules) -> None:
    original = plain(samples.shortest(rules, rules.seats[0]))
    assert wrong(page, original, samples.heads(original)[5]) == []
    assert wrong(page, original, "0" * 64) == ["receipt"]
    made = forgeries(original, Random(7), len(samples.DEEDS))
    assert [deed for deed, forged in made if not wrong(page, forged)] == []
    assert page.evaluate(VERIFIED, ["{", None])[0]["ok"] is False


@pytest.fixture(scope="module")
def over(browser: Browser, server: Server) -> tuple[str, Json]:
    """A finished game with a house player, and its player's token."""
    visitor = Visitor(browser, server.url, "Ann")
    rules = next(iter(RULESETS))
    game = opened(visitor, rules, seats=["me", "random/1"], options={"target_points": 1})
    play(visitor.at(game), Random(2))
    expect(visitor.page.locator(".proof.right")).to_contain_text(f"contains version {now(visitor, game)['version']}")
    visitor.assert_content()
    visitor.context.close()
    return visitor.token, now(visitor, game)


def tampered(route: Route) -> None:
    """The head is another one."""
    record = route.fetch().json()
    record["head"] = "0" * 64
    route.fulfill(json=record)


def test_the_badge_and_what_it_does_not_show(
    browser: Browser, server: Server, visitors: list[Visitor], over: tuple[str, Json]
) -> None:
    """Each check unfolds. Choices of house players are not checked here; the server's word is marked as such."""
    _, game = over
    visitor = somebody(browser, server, visitors)
    page = visitor.at(game)
    proof = page.get_by_role("region", name="Proof of the deal")
    checks = proof.locator(".check")
    expect(proof).to_contain_text("10 of 10 checked in your browser")
    expect(proof).to_contain_text("saw nothing of the game before")
    expect(proof).to_contain_text("not checked here, checked by stammtisch verify")
    proof.get_by_text("What was checked").click()
    assert checks.count() == 10
    checks.last.locator("summary").click()
    expect(checks.last).to_contain_text("the last head that this browser kept")
    proof.get_by_role("button", name="What does the server say").click()
    expect(proof).to_contain_text("Its own word")
    expect(proof.locator(".check").last).to_contain_text("House players chose as published")


def test_a_forged_record_is_said(
    browser: Browser, server: Server, visitors: list[Visitor], over: tuple[str, Json]
) -> None:
    """In German; without a secure context the page says that it cannot check."""
    _, game = over
    visitor = somebody(browser, server, visitors, locale="de-DE")
    visitor.context.route("**/record", tampered)
    page = visitor.at(game)
    expect(page.locator(".proof.wrong")).to_contain_text("Das Protokoll ist falsch")
    expect(page.locator(".check.wrong").first).to_be_visible()
    other = somebody(browser, server, visitors)
    other.context.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")
    expect(other.at(game).locator(".proof")).to_contain_text("only over HTTPS")
