"""What a page says when a file that it loads on use does not come, as after an upgrade, and how it goes on."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.clients import Server
from tests.web.browsers import FIRST, Visitor, opened, somebody

NEWER, BROKEN = "A newer version is here.", "A part of the page was not loaded."
FILES = re.compile(r"/web/[0-9a-f]{16}/")


class Release:
    """The files of the release whose page is open: while it is `gone`, the service has none of them."""

    def __init__(self, page: Page) -> None:
        self.gone, self.replaced, self.refused = False, False, 0
        self.page = page
        page.route(FILES, self.answer)
        page.route(re.compile(r"/(\?.*)?$|/(table|rules|standings|player|record)(\?.*)?$"), self.shell)

    def answer(self, route: Route) -> None:
        self.refused += self.gone
        if self.gone:
            route.fulfill(status=404, content_type="application/problem+json", body="{}")
        else:
            route.continue_()

    def shell(self, route: Route) -> None:
        if not self.replaced or route.request.is_navigation_request():
            return route.continue_()
        body = re.sub("web/[0-9a-f]{16}/", "web/0123456789abcdef/", route.fetch().text())
        return route.fulfill(content_type="text/html", body=body)

    def press(self, selector: str) -> None:
        """Press a button while the files are gone; the page says so, and goes on when they are there again."""
        self.gone, before = True, self.refused
        self.page.locator(selector).first.click()
        message = self.page.locator("#unloaded")
        expect(message).to_contain_text(BROKEN)
        assert self.refused >= before + 2  # it was tried twice
        self.gone = False
        message.get_by_role("button", name="Try again").click()
        expect(message).to_have_count(0)


def lobby(visitor: Visitor) -> Page:
    page = visitor.visit()
    page.locator(".game.panel .learn").first.wait_for()
    return page


def table(visitor: Visitor) -> Page:
    page = visitor.at(opened(visitor, FIRST, hotseat=True))
    page.wait_for_load_state("networkidle")
    return page


@pytest.mark.by_default("lobby-.hero", "text=Moves")  # one of each page
@pytest.mark.parametrize(("where", "button"), [
    (lobby, ".bar .user"), (lobby, ".hero .btn.quiet"),
    (table, ".bar .user"), (table, ".bar button >> text=Rules"), (table, ".bar nav > :nth-last-child(2)"),
    pytest.param(table, ".bar button >> text=Moves", marks=pytest.mark.checked),
])  # fmt: skip
def test_a_button_goes_on_when_its_files_are_there_again(
    browser: Browser, server: Server, visitors: list[Visitor], where: object, button: str
) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes()
    page = where(visitor)  # type: ignore[operator]
    Release(page).press(button)
    expect(page.locator("dialog[open] form h2")).to_be_visible()


@pytest.mark.checked
@pytest.mark.by_default(".learn")
@pytest.mark.parametrize("button", [".hero .btn.main", ".game .learn"])
def test_a_button_that_leads_to_a_table_leads_there_after_all(
    browser: Browser, server: Server, visitors: list[Visitor], button: str
) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes()
    page = lobby(visitor)
    Release(page).press(button)
    page.locator("[data-ready] main .board").first.wait_for()


@pytest.mark.checked
def test_a_page_of_an_older_release_offers_to_load_the_newer_one(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes()
    page = lobby(visitor)
    release = Release(page)
    release.gone = release.replaced = True
    page.locator(".bar .user").click()
    message = page.locator("#unloaded")
    expect(message).to_contain_text(NEWER)
    page.locator(".hero .btn.quiet").click()
    expect(message).to_have_count(1)
    release.gone = False
    message.get_by_role("button", name="Reload").click()
    page.locator(".game.panel .learn").first.wait_for()
    expect(message).to_have_count(0)


def test_a_page_whose_own_files_are_gone_is_not_blank(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    visitor = somebody(browser, server, visitors, "Ann", locale="de-DE")
    visitor.provokes()
    page = visitor.page
    page.route("**/core/api.js", lambda route: route.fulfill(status=404))
    visitor.visit()
    message = page.locator("#unloaded")
    expect(message).to_contain_text("nicht geladen")
    page.unroute_all()
    message.get_by_role("button", name="Neu laden").click()
    page.locator(".game.panel .learn").first.wait_for()


def test_a_file_that_fails_once_is_loaded_without_a_word(
    browser: Browser, server: Server, visitors: list[Visitor]
) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes()
    page = lobby(visitor)
    failed = []

    def once(route: Route) -> None:
        url = route.request.url
        if url in failed:
            return route.continue_()
        failed.append(url)
        return route.abort()

    page.route(re.compile(r"/settings\.js$|/words/more|/dialogs\.css$"), once)
    page.locator(".bar .user").click()
    expect(page.locator("dialog[open] form h2")).to_be_visible()
    assert len(failed) == 3
    assert page.locator("#unloaded").count() == 0


@pytest.mark.checked
def test_a_message_in_a_dialog_can_be_clicked(browser: Browser, server: Server, visitors: list[Visitor]) -> None:
    visitor = somebody(browser, server, visitors, "Ann")
    visitor.provokes()
    page = lobby(visitor)
    page.locator(".bar .user").click()
    page.locator("dialog details summary").click()
    Release(page).press('dialog [value="hand_over"]')
    expect(page.locator("dialog[open]")).to_have_count(2)
