"""My page: behind the own name, with the latest games, how it stands with others, and the same people again."""

from playwright.sync_api import expect

from tests.support.clients import Server
from tests.web.browsers import FIRST, Player, Visitor, ask, opened, played_out
from tests.web.measures import inaccessible


def test_my_page_has_the_latest_games_and_one_tap_asks_the_same_people(server: Server, ann: Visitor) -> None:
    ben = Player(server.url, "Ben")
    short = {"target_points": 1}
    together = opened(ann, FIRST, seats=2, options=short)
    ask(server.url, f"games/{FIRST}/{together['id']}/seats", {"seat": 1}, ben.token)
    over = played_out(together, ann, ben)
    played_out(opened(ann, FIRST, seats=["me", "random/1"], options=short), ann)
    ask(server.url, f"games/{FIRST}/lesson", token=ann.token, method="POST")
    page = ann.visit()
    page.locator(".bar .me").click()
    expect(page.get_by_role("heading", name="Latest games")).to_be_visible()
    rows = page.locator(".latest li")
    expect(rows).to_have_count(2)  # the lesson is none
    expect(rows.nth(1)).to_contain_text("Ben")
    won, lost = (int(seat in over["result"]["winners"]) for seat in (0, 1))
    expect(rows.nth(1)).to_contain_text("You won" if won else "Place 2 of 2")
    expect(rows.nth(1)).to_contain_text(" : ".join(map(str, over["result"]["scores"])))
    expect(rows.nth(1).locator(".who")).to_have_count(2)
    people = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Ben"))
    expect(people).to_contain_text(f"{won - (won and lost)} to {lost - (won and lost)}")
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert inaccessible(page) == []
    people.get_by_role("button", name="Play again").click()
    page.wait_for_url("**/table?g=**")
    again = ask(server.url, f"games/{page.url.partition('g=')[2].partition('#')[0]}", token=ann.token)
    assert again["options"] == over["options"]
    assert [each.get("reserved", {}).get("name") for each in again["seats"]][1] == "Ben"
    assert ask(server.url, "games?invited=me", token=ben.token)["items"][0]["id"] == again["id"]
