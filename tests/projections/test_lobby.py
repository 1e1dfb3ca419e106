"""The games in the lobby, and who can see them."""

import re
from itertools import pairwise
from random import Random

import pytest
from sqlalchemy import Engine, event

from domain.game import OPEN, SeatTerms
from domain.player import Player
from projections.lobby import CURSOR, LobbyGame, LobbySeatAssignment, Page, Search, invited_games, page
from projections.players import unfinished
from tests.projections.conftest import Given
from tests.projections.histories import AT, Table

ALL = Search()
LATER = "2026-03-01T21:00:00.000000Z"


def shown(engine: Engine, search: Search = ALL, viewer: str | None = None) -> list[str]:
    return [listed.id for listed in page(engine, search, viewer).items]


def only(engine: Engine, viewer: str | None = None) -> LobbyGame:
    (listed,) = page(engine, ALL, viewer).items
    return listed


def test_an_opened_game_appears_in_the_lobby(engine: Engine, given: Given) -> None:
    table = Table("g")
    given(table.open("ada"))
    listed = only(engine)
    assert (listed.id, listed.ruleset, listed.rules) == ("g", table.rules.name, table.rules.rules)
    assert (listed.status, listed.created_at, listed.opener) == ("waiting", AT, "id-ada")
    assert [place.player for place in listed.seats] == [Player("id-ada"), *[None] * (len(listed.seats) - 1)]
    assert listed.open == len(listed.seats) - 1
    assert listed.deck == next(iter(table.rules.decks))
    assert isinstance(listed.options, dict)
    assert not listed.private
    assert not listed.hotseat
    assert listed.result is None
    assert listed.finished_at is None


def test_a_seat_shows_its_player_until_the_player_leaves(engine: Engine, given: Given) -> None:
    table = Table("g")
    last = table.rules.seats[-1] - 1
    given(table.open(seats=last + 1), table.join("bob", last))
    assert only(engine).seats[last] == LobbySeatAssignment(last, Player("id-bob"))
    given(table.leave(last))
    assert only(engine).seats[last] == LobbySeatAssignment(last, None)
    assert only(engine).open == last


def test_a_full_game_runs_and_a_finished_game_has_a_result(engine: Engine, given: Given) -> None:
    table = Table("g")
    given(table.open(seats=2), table.join("bob"))
    assert (only(engine).status, only(engine).open) == ("running", 0)
    given(table.play(Random(1), at=LATER))
    listed = only(engine)
    assert (listed.status, listed.result, listed.finished_at) == ("finished", table.game.result, LATER)


# --- search -------------------------------------------------------------------------------------------------------


def test_games_are_found_by_status(engine: Engine, given: Given) -> None:
    waiting, running, finished, aborted = (Table(name) for name in ("waiting", "running", "finished", "aborted"))
    given(
        waiting.open(), running.open(hotseat=True), finished.open(hotseat=True), finished.play(Random(1)),
        aborted.open(), aborted.leave(0, at=LATER),
    )  # fmt: skip
    for status in ("waiting", "running", "finished", "aborted"):
        assert shown(engine, Search(status=status)) == [status]
    assert shown(engine) == ["aborted", "finished", "running", "waiting"], "the newest first"
    assert shown(engine, Search(open=True)) == ["waiting"], "only waiting games have open seats"
    (over,) = page(engine, Search(status="aborted"), None).items
    assert (over.open, over.finished_at) == (0, LATER)
    assert shown(engine, Search(player="id-ada")) == ["aborted", "finished", "running", "waiting"], "each once"
    assert shown(engine, Search(ruleset="tarock")) == []


def test_games_are_found_by_a_player_who_sits_there_or_opened_them(engine: Engine, given: Given) -> None:
    sits, opened, neither = Table("sits"), Table("opened"), Table("neither")
    given(sits.open("ada", seats=sits.rules.seats[-1]), sits.join("bob"), opened.open("bob", sit=False))
    given(neither.open("ada"))
    assert shown(engine, Search(player="id-bob")) == ["opened", "sits"]


def test_games_that_a_player_left_are_found_only_if_the_player_opened_them(engine: Engine, given: Given) -> None:
    table = Table("g")
    given(table.open("ada", seats=3), table.join("bob"), table.leave(1))
    assert shown(engine, Search(player="id-bob")) == []
    given(table.join("bob"), table.leave(0))
    assert shown(engine, Search(player="id-ada")) == ["g"]


def test_all_search_criteria_must_hold(engine: Engine, given: Given) -> None:
    hers, his, full = Table("hers"), Table("his"), Table("full")
    given(hers.open("ada"), his.open("bob"), full.open("ada", hotseat=True))
    name = hers.rules.name
    assert shown(engine, Search(ruleset=name, status="waiting", player="id-ada", open=True)) == ["hers"]
    assert shown(engine, Search(ruleset=name, status="running", player="id-ada", open=True)) == []
    assert shown(engine, Search(status="running", player="id-ada")) == ["full"]


# --- private games ------------------------------------------------------------------------------------------------

SEARCHES = [
    ALL, Search(status="waiting"), Search(open=True), Search(player="id-ada"), Search(player="id-bob"),
    Search(ruleset=Table("g").rules.name), Search(ruleset=Table("g").rules.name, status="waiting"),
]  # fmt: skip


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("viewer", [None, "id-mallory", ""])
def test_a_private_game_is_never_shown_to_other_players(
    engine: Engine, given: Given, search: Search, viewer: str | None
) -> None:
    private, public = Table("private"), Table("public")
    given(private.open("ada", private=True, seats=3), private.join("bob"), public.open("mallory"))
    assert "private" not in shown(engine, search, viewer)


@pytest.mark.parametrize("search", [search for search in SEARCHES if search.player is None])
def test_a_private_game_is_shown_to_its_players_among_the_public_games(
    engine: Engine, given: Given, search: Search
) -> None:
    table = Table("private")
    given(Table("before").open("mallory"), table.open("ada", private=True, seats=3), table.join("bob"))
    given(Table("after").open("mallory"))
    for viewer in ("id-ada", "id-bob"):
        assert shown(engine, search, viewer) == ["after", "private", "before"]


def test_a_search_by_a_player_shows_only_private_games_of_the_viewer(engine: Engine, given: Given) -> None:
    ours, hers = Table("ours"), Table("hers")
    given(ours.open("ada", private=True, seats=3), ours.join("bob"), hers.open("ada", private=True, sit=False))
    assert page(engine, ALL, None) == Page((), None)
    assert shown(engine, Search(player="id-ada"), "id-bob") == ["ours"]
    assert shown(engine, Search(player="id-ada"), "id-ada") == shown(engine, ALL, "id-ada") == ["hers", "ours"]
    given(ours.leave(1))
    assert shown(engine, ALL, "id-bob") == [], "one who left does not see it"


# --- pages --------------------------------------------------------------------------------------------------------


def test_pages_have_every_game_once_while_others_are_opened_between_them(engine: Engine, given: Given) -> None:
    random = Random(7)
    names = [f"game-{number}" for number in range(57)]
    given(*(Table(name).open("ada", private=random.random() < 0.3) for name in names))
    seen: list[str] = []
    cursor, more = None, 0
    while True:
        found = page(engine, ALL, "id-ada", cursor, limit=random.randint(1, 9))
        seen += [listed.id for listed in found.items]
        more += 1
        given(Table(f"new-{more}").open("ada"))
        if found.next is None:
            break
        cursor = found.next
    assert seen == names[::-1]


def test_a_game_that_changes_between_pages_keeps_its_place(engine: Engine, given: Given) -> None:
    tables = [Table(name) for name in "abcd"]
    given(*(table.open() for table in tables))
    first = page(engine, ALL, None, limit=2)
    given(tables[0].leave(0), tables[3].leave(0))
    second = page(engine, ALL, None, first.next, limit=2)
    assert [listed.id for listed in first.items + second.items] == ["d", "c", "b", "a"]
    assert second.next is None, "a full last page has no cursor"


@pytest.mark.parametrize(
    "cursor", ["", "0", "nonsense", "AAAAAAAAAAF", "AAAAAAAAAAE=", " AAAAAAAAAAE", "AAAA\nAAAAAAE",
               "ÄAAAAAAAAAE", "AAAAAAAAAAE" * 50],
)  # fmt: skip
def test_a_cursor_that_comes_from_no_page_is_rejected(cursor: str) -> None:
    assert re.search(CURSOR, cursor) is None


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)  # the plans of PostgreSQL depend on the contents
@pytest.mark.parametrize("viewer", [None, "id-ada"])
@pytest.mark.parametrize("search", [*SEARCHES, Search(status="waiting", player="id-bob", open=True)])
def test_a_page_is_read_in_the_order_of_an_index(
    engine: Engine, given: Given, search: Search, viewer: str | None
) -> None:
    given(Table("g").open())
    statements: list[tuple[str, tuple[object, ...]]] = []
    event.listen(engine, "before_cursor_execute", lambda _c, _u, text, values, *_: statements.append((text, values)))
    page(engine, search, viewer, "AAAAAAAAAAE")
    ((text, values),) = [(text, values) for text, values in statements if text.startswith("SELECT")]
    with engine.begin() as connection:
        plan = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values)]
    steps = [step for step in plan if "games" in step or "members" in step]
    assert steps
    assert all(step.startswith("SEARCH") for step in steps), plan
    # Only the merged streams are sorted, each of the length of a page; never the rows that they come from.
    sorted_ = [before for before, step in pairwise(plan) if "TEMP B-TREE" in step]
    assert all(step.startswith("SCAN anon") for step in sorted_), plan


# --- bots, kept seats and leavers ---------------------------------------------------------------------------------


def test_the_lobby_says_who_each_seat_is_for(engine: Engine, given: Given) -> None:
    table = Table("g")
    kept, bot = SeatTerms(player="id-bob"), SeatTerms(bot="random/1")
    given(table.open("ada", seats=4, places=(SeatTerms(player="id-ada"), kept, bot, OPEN), absent="random/1"))
    seats = only(engine).seats
    assert seats[0] == LobbySeatAssignment(0, Player("id-ada"))
    assert seats[1] == LobbySeatAssignment(1, None, reserved=Player("id-bob"))
    assert seats[2] == LobbySeatAssignment(2, None, "random/1")
    assert (only(engine).open, open_games(engine)) == (1, ["g"])
    given(table.join("cem"))
    assert (only(engine).open, open_games(engine), invited(engine, "bob")) == (0, [], ["g"])
    given(table.decline(1))
    assert (only(engine).open, open_games(engine), invited(engine, "bob")) == (1, ["g"], [])
    given(table.join("dora"))
    assert (only(engine).status, only(engine).open) == ("running", 0)
    given(table.abandon(0))
    assert only(engine).seats[0] == LobbySeatAssignment(0, Player("id-ada"), "random/1", gone=True)
    given(table.rejoin(0))
    assert only(engine).seats[0] == LobbySeatAssignment(0, Player("id-ada"))


def test_an_invitation_ends_when_the_player_sits_down_or_the_game_is_over(engine: Engine, given: Given) -> None:
    elsewhere, taken, cancelled = (Table(name) for name in ("elsewhere", "taken", "cancelled"))
    for table in (elsewhere, taken, cancelled):
        given(table.open("ada", seats=3, sit=False, places=(SeatTerms(player="id-bob"), OPEN, OPEN)))
    assert invited(engine, "bob") == ["cancelled", "taken", "elsewhere"]
    given(elsewhere.join("bob", 2), taken.join("bob"), cancelled.cancel())
    assert invited(engine, "bob") == []
    assert page(engine, Search(open=True), None).items[-1].open == 2


def test_an_invitation_is_no_open_game_and_no_game_of_the_player(engine: Engine, given: Given) -> None:
    for private in (False, True):
        given(Table(f"g{private}").open("ada", private=private, places=(OPEN, SeatTerms(player="id-bob"))))
    assert invited(engine, "bob") == ["gTrue", "gFalse"]
    assert unfinished(engine, "id-bob") == 0
    assert page(engine, Search(player="id-bob"), "id-bob") == Page((), None)
    assert invited(engine, "ada") == []


def test_unknown_names_have_no_invitations(engine: Engine) -> None:
    assert invited_games(engine, "id-bob", Search(player="\0"), None, 20) == Page((), None)


def invited(engine: Engine, who: str) -> list[str]:
    return [listed.id for listed in invited_games(engine, f"id-{who}", Search(), None, 20).items]


def open_games(engine: Engine) -> list[str]:
    return [listed.id for listed in page(engine, Search(open=True), None).items]
