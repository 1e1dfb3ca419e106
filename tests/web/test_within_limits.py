"""What pages ask for stays within the default limits, also of a family behind one address."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Response, expect

from service.server.rate_limit import parse_policy
from service.settings import Settings
from tests.support.clients import Server
from tests.web.browsers import CLICK, FIRST, Visitor, now, opened, played_out, somebody

POLICY = parse_policy(Settings().rate_limit)
assert POLICY is not None
VISIT = POLICY.quota // 2
"""What one visit of a page counts for at most: a second tab or a reload is allowed at once."""
MOVES = 8


@pytest.fixture
def limited(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "games.db", rate_limit=request.param) as started:
        yield started


def left(server: Server, who: Visitor) -> int:
    """How many requests the visitor has left."""
    headers = {"Authorization": f"Bearer {who.token}"} if who.token else {}
    answer = who.context.request.get(f"{server.url}/v1/rulesets", headers=headers)
    return int(re.findall(r'"requests";r=(\d+)', answer.headers["ratelimit"])[0])


@pytest.mark.checked
@pytest.mark.parametrize("limited", ["1/10000"], indirect=True)
def test_a_visit_of_the_lobby_counts_for_half_of_the_limit_at_most(
    browser: Browser, limited: Server, visitors: list[Visitor]
) -> None:
    """Also the first one, that of a player with tables, and one again at once. Hardly anything is restored meanwhile,
    so it does not matter how fast the machine is."""
    stranger, ann = somebody(browser, limited, visitors), somebody(browser, limited, visitors, "Ann")

    def visit(who: Visitor, shown: str) -> int:
        """What it counts for, until the lists were read again: the lobby is followed by then."""
        before, known = left(limited, who), len(who.asked)
        who.visit().wait_for_selector(shown)
        while sum("status=running" in url for url in who.asked[known:]) < 2:
            who.page.wait_for_timeout(20)
        who.page.wait_for_load_state("networkidle")
        return before - left(limited, who)

    costs = [visit(stranger, ".two"), visit(stranger, ".two"), visit(ann, ".two")]
    opened(ann, hotseat=True)
    costs.append(visit(ann, ".tile .felt *"))
    assert min(costs) > 0
    assert max(costs) <= VISIT, costs


@pytest.mark.by_default()
@pytest.mark.parametrize("limited", [Settings().rate_limit], indirect=True)
def test_a_family_behind_one_address_is_never_refused(
    browser: Browser, limited: Server, visitors: list[Visitor]
) -> None:
    """The lobby, a game that is faster than people play, its end and its review, and the own page."""
    statuses = set[int]()

    def answered(response: Response) -> None:
        statuses.add(response.status)

    people = [somebody(browser, limited, visitors, name) for name in ("Ann", "Ben", "Cem", "Dora")]
    for each in people:
        each.page.on("response", answered)
        each.visit().wait_for_selector(".hero .btn")
    game = opened(people[0], seats=4, options={"target_points": 1})
    for each in people[1:]:
        each.visit(f"table?g={FIRST}/{game['id']}").get_by_role("button", name="Sit down").first.click()
        each.page.wait_for_selector(".waitroom, [data-ready] .rail")
    pages, dice = [each.at(game) for each in people], Random(4)
    for _ in range(MOVES):
        seat = now(people[0], game)["to_act"][0]
        while pages[seat].evaluate(CLICK, dice.random()) != "clicked":
            pass
        pages[seat].wait_for_selector(".rail:not(.busy)")
    played_out(game, *people)
    for page in pages:
        page.wait_for_selector(".result-line, .finale")
    with pages[0].expect_response(re.compile(r"/review$")):
        pages[0].get_by_role("button", name="Review the game").click()
    pages[1].goto(f"{limited.url}/player")
    expect(pages[1].get_by_role("heading", name="Latest games")).to_be_visible()
    assert 429 not in statuses
