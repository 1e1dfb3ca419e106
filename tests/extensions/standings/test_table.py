"""The games that count in the standings, and the pages of the standings."""

import re
from collections.abc import Callable, Iterator
from itertools import accumulate, cycle, islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as changed
from sqlalchemy import Engine, event, insert, text

from domain import game
from domain.game import questions
from domain.game.events import Voted
from domain.game.log import Stored
from domain.player import Player
from domain.ruleset import Result
from domain.rulesets import RULESETS
from projections.players import activity
from projections.projection import Projections
from projections.results import Points, Results
from service.extensions.standings.ratings import newcomer, places, ranked, rated
from service.extensions.standings.table import CURSOR, STANDINGS, Page, page, ranks, standings
from service.extensions.standings.table import results as counted
from service.log.mapper import Row
from tests.projections.conftest import Given
from tests.projections.histories import AT, Table, history, player, recorded
from tests.projections.test_projection import shape

pytestmark = [pytest.mark.turns("rulesets", "databases")]

RULES = next(iter(RULESETS.values()))
OTHER = list(RULESETS.values())[-1]


def played(table: Table, *who: str, seed: int = 1, **terms: Any) -> list[Row]:
    """The whole log of a game of these players."""
    rows = table.open(who[0], seats=len(who), **terms)
    for name in who[1:]:
        rows += table.join(name)
    return rows + table.play(Random(seed))


def results(engine: Engine, who: str) -> tuple[Results, ...]:
    with engine.begin() as connection:
        return counted(connection, f"id-{who}")


def shown(engine: Engine, ruleset: str = RULES.name) -> list[str]:
    return [standing.player.id for standing in page(engine, ruleset, limit=100).items]


def test_a_changed_table_has_a_new_version() -> None:
    assert (STANDINGS.version, shape(STANDINGS.tables)) == (5, "65e10f7b2923")


# --- games that count ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_a_finished_game_counts_for_all_its_players(engine: Engine, given: Given, rules: game.Rules) -> None:
    names = ("ada", "bob", "cem", "dora")[: max(3, min(rules.seats))]
    table = Table("g", rules)
    given(played(table, *names))
    result = table.game.result
    assert result is not None
    ratings = rated([newcomer()] * len(names), result)
    for seat, name in enumerate(names):
        points, won = result.scores[seat], int(seat in result.winners)
        assert results(engine, name) == (Results(rules.name, 1, won, Points(points, points, points), ratings[seat]),)


def test_every_game_counts_and_each_rating_follows_from_the_ones_before(engine: Engine, given: Given) -> None:
    tables = [Table(f"g{number}", RULES) for number in range(4)]
    for seed, table in enumerate(tables):
        given(played(table, "ada", "bob", seed=seed))
    outcomes = [table.game.result for table in tables if table.game.result is not None]
    ratings = [*accumulate(outcomes, rated, initial=[newcomer()] * 2)][-1]
    for seat, name in enumerate(("ada", "bob")):
        points = [outcome.scores[seat] for outcome in outcomes]
        wins = sum(seat in outcome.winners for outcome in outcomes)
        total = Points(sum(points), min(points), max(points))
        assert results(engine, name) == (Results(RULES.name, 4, wins, total, ratings[seat]),)


def test_every_ruleset_has_its_own_standings(engine: Engine, given: Given) -> None:
    few = ("ada", "bob", "cem", "dora")[: max(min(RULES.seats), min(OTHER.seats))]
    given(played(Table("g", RULES), *few))
    assert shown(engine, OTHER.name) == []
    given(played(Table("h", OTHER), *few))
    assert [each.ruleset for each in results(engine, "ada")] == sorted((RULES.name, OTHER.name))
    assert set(shown(engine, OTHER.name)) == {f"id-{name}" for name in few}
    assert page(engine, "none") == Page((), None)


def test_a_game_does_not_count_for_a_player_who_left_before_it_began(engine: Engine, given: Given) -> None:
    table = Table("g", RULES)
    given(table.open("ada", seats=3), table.join("bob"), table.leave(0), table.join("cem"), table.join("dora"))
    given(table.play(Random(1)))
    assert set(shown(engine)) == {"id-bob", "id-cem", "id-dora"}
    assert results(engine, "ada") == ()


def of_a_hotseat() -> list[Row]:
    table = Table("other", RULES)
    return [*table.open("ada", hotseat=True), *table.play(Random(1))]


def of_a_branch() -> list[Row]:
    return branched(Table("g", RULES), rows=played(Table("g", RULES), "ada", "bob"), by="bob")


def with_a_bot() -> list[Row]:
    table, places = Table("other", RULES), (game.OPEN, game.SeatTerms(bot="careful/1"), game.OPEN)
    return [*table.open("ada", seats=3, places=places), *table.join("bob"), *table.play(Random(1))]


def unfinished() -> list[Row]:
    rows = played(Table("other", RULES), "ada", "cem")
    return rows[: next(number for number, row in enumerate(rows) if row.topic.endswith(".ended"))]


def aborted() -> list[Row]:
    table = Table("other", RULES)
    return [*table.open("ada"), *table.leave(0)]


def agreed() -> list[Row]:
    """Aborted by all players, who stayed."""
    table = Table("other", RULES)
    rows = table.open("ada", seats=2) + table.join("bob")
    for seat in range(2):
        rows += table._append(questions.voted(RULES, table.game, Voted(seat, "abort", yes=True)), AT)
    assert table.game.status == "aborted"
    return rows


def imported() -> list[Row]:
    rows = played(Table("other", RULES), "ada", "bob")
    assert all(isinstance(row.value, Stored) for row in rows)
    return [row._replace(value=changed(row.value, imported=True)) for row in rows]


@pytest.mark.parametrize(
    "other",
    [
        lambda: played(Table("other", RULES), "bob", "ada", private=True),
        lambda: played(Table("other", RULES), "cem", "ada", private=True),
        of_a_hotseat, of_a_branch, with_a_bot, unfinished, aborted, agreed, imported,
    ],
    ids=["private", "private with another", "hotseat", "branch", "bot", "unfinished", "aborted", "agreed", "imported"],
)  # fmt: skip
def test_other_games_do_not_count(engine: Engine, given: Given, other: Callable[[], list[Row]]) -> None:
    given(played(Table("g", RULES), "ada", "bob"))
    before = page(engine, RULES.name), results(engine, "ada"), results(engine, "cem")
    given(other())
    for viewer in (None, "id-ada", "id-bob"):
        assert activity(engine, "id-ada", viewer, [counted]).results == before[1]
    assert (page(engine, RULES.name), results(engine, "ada"), results(engine, "cem")) == before
    assert before[1] and not before[2]


def sitting(*who: str, **terms: Any) -> tuple[Table, list[Row]]:
    """A running game of these players, in which bots go on for those who leave, and its log so far."""
    table = Table("g", RULES)
    rows = table.open(who[0], seats=len(who), absent="random/1", **terms)
    for name in who[1:]:
        rows += table.join(name)
    return table, rows


def ranking(engine: Engine, *who: str) -> list[str]:
    """The names by the mean of their ratings, the best first."""
    return sorted(who, key=lambda name: -results(engine, name)[0].rating.mu)


def test_those_who_left_are_behind_those_who_stayed_the_last_one_first(engine: Engine, given: Given) -> None:
    table, rows = sitting("ada", "bob", "cem", "dora")
    rows += [*table.abandon(2), *table.abandon(0), *table.play(Random(1))]
    given(rows)
    assert table.game.result is not None
    scores = table.game.result.scores
    stayed = sorted(("bob", "dora"), key=lambda name: abs(scores["abcd".index(name[0])] - min(scores)))
    assert scores[1] != scores[3]
    assert ranking(engine, "ada", "bob", "cem", "dora") == [*stayed, "ada", "cem"]
    wins = {name: results(engine, name)[0].wins for name in ("ada", "bob", "cem", "dora")}
    assert wins == {**dict.fromkeys(wins, 0), stayed[0]: 1}
    assert results(engine, "ada")[0].points is None
    points = scores[1]
    assert results(engine, "bob")[0].points == Points(points, points, points)


def test_a_bot_that_wins_for_a_leaver_leaves_the_victory_to_those_who_stayed() -> None:
    result = Result((10, 40, 30, 20), (0,))
    assert ranks(result, (0,), 4) == [32, 31, 21, 11]
    assert ranks(result, (), 4) == places(result)
    assert ranks(None, (2, 0, 1), 3) == [2, 1, 3]
    assert ranks(result, (), 4, {0}) == [32, 31, 21, 11]
    assert ranks(result, (3,), 4, {0, 3})[0] < ranks(result, (3,), 4, {0, 3})[3]


def test_the_last_one_to_leave_is_first(engine: Engine, given: Given) -> None:
    table, rows = sitting("ada", "bob", "cem")
    rows += [*table.abandon(1), *table.abandon(2), *table.abandon(0)]
    given(rows)
    assert table.game.status == "aborted"
    assert ranking(engine, "ada", "bob", "cem") == ["ada", "cem", "bob"]
    assert [results(engine, name)[0].wins for name in ("ada", "bob", "cem")] == [1, 0, 0]
    assert results(engine, "ada")[0].points is None
    assert page(engine, RULES.name).items[0].points is None


@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_who_left_and_came_back_is_behind_those_who_stayed(engine: Engine, given: Given, seat: int) -> None:
    """Otherwise players let a bot play, and come back if it wins."""
    table, rows = sitting("ada", "bob")
    given([*rows, *table.abandon(seat, moved=False), *table.rejoin(seat), *table.play(Random(1))])
    left, stayed = ("ada", "bob") if seat == 0 else ("bob", "ada")
    assert ranking(engine, "ada", "bob") == [stayed, left]
    assert [results(engine, name)[0].wins for name in (stayed, left)] == [1, 0]


def test_a_player_who_ran_out_of_time_and_came_back_is_placed_by_the_result(engine: Engine, given: Given) -> None:
    table, rows = sitting("ada", "bob")
    rows += [*table.abandon(0), *table.rejoin(0), *table.play(Random(1))]
    rows = [
        row._replace(value=changed(row.value, event=changed(row.value.event, cause="expired")))
        if isinstance(row.value.event, game.Gone) else row
        for row in rows
    ]  # fmt: skip
    given(rows)
    assert table.game.result is not None
    after = rated([newcomer()] * 2, table.game.result)
    assert [results(engine, name)[0].rating for name in ("ada", "bob")] == after


def test_a_player_who_left_without_a_move_is_last(engine: Engine, given: Given) -> None:
    table, rows = sitting("ada", "bob", "cem")
    given([*rows, *table.abandon(1, moved=False), *table.play(Random(1))])
    assert table.game.status == "finished"
    assert ranking(engine, "ada", "bob", "cem")[-1] == "bob"


def test_who_leaves_a_game_that_its_terms_abort_has_lost_to_each_of_the_others(engine: Engine, given: Given) -> None:
    """Nothing is decided between those who stayed."""
    table = Table("g", RULES)
    given(table.open("ada", seats=3, absent="abort"), table.join("bob"), table.join("cem"), table.abandon(0))
    assert table.game.status == "aborted"
    assert [results(engine, name)[0].wins for name in ("ada", "bob", "cem")] == [0, 1, 1]
    assert results(engine, "ada")[0].points is None
    won, _ = ranked([newcomer()] * 2, [0, 1])
    assert [results(engine, name)[0].rating for name in ("bob", "cem")] == [won, won]
    assert results(engine, "ada")[0].rating == ranked([newcomer()] * 3, [1, 0, 0])[0]


@pytest.mark.parametrize("mode", ["free", "agreed"])
def test_a_game_counts_unless_a_move_was_taken_back_by_agreement(engine: Engine, given: Given, mode: str) -> None:
    table = Table("g", RULES)
    given(table.open("ada", undo=mode), table.join("bob"))
    before = table.game.version
    made = table.move(Random(1))
    given(made, table.take_back(made[0].value.by, before), table.play(Random(1)))
    assert table.game.taken_back
    assert bool(shown(engine)) == (mode == "free")


def branched(original: Table, rows: list[Row], by: str) -> list[Row]:
    """A branch of the game that is played to its end."""
    table = Table("branch", original.rules)
    begun = next(number for number, row in enumerate(rows) if row.topic.endswith(".begun"))
    entries = [row.value for row in rows[: begun + 1]]
    entries += [row.value for row in rows[begun + 1 :] if row.value.by is None and row.version <= begun + 2]
    decided = game.branch(
        table.rules,
        table.id,
        original.id,
        [e.event for e in entries],
        [e.by for e in entries],
        [e.move for e in entries],
        player(by),
    )
    return table._append(decided, rows[0].value.at) + table.play(Random(2))


@pytest.mark.by_default("sqlite-0", "postgresql-2")
@pytest.mark.parametrize("seed", range(3))
def test_the_standings_equal_those_computed_from_the_whole_log(
    engine: Engine, projections: Projections, seed: int
) -> None:
    """For any division of the log into batches."""
    random = Random(seed)
    log = recorded(*history(random, games=25))
    position = 0
    while position < log[-1].position:
        upto = min(log[-1].position, position + random.randint(1, 400))
        projections.apply([each for each in log if position < each.position <= upto], position, upto)
        position = upto
    for name in RULESETS:
        shown = {standing.player.id: standing for standing in page(engine, name, limit=100).items}
        counted: dict[str, list[tuple[int | None, bool]]] = {}
        for who, points, won in outcomes(log, name):
            counted.setdefault(who, []).append((points, won))
        assert shown.keys() == counted.keys()
        for who, all_ in counted.items():
            total = [points for points, _ in all_ if points is not None]
            assert (shown[who].games, shown[who].wins) == (len(all_), sum(won for _, won in all_))
            assert shown[who].points == (Points(sum(total), min(total), max(total)) if total else None)


def outcomes(log: list[Any], ruleset: str) -> Iterator[tuple[str, int | None, bool]]:
    """Each result that counts, computed without the projection: the player, their points, whether they won."""
    for stream in dict.fromkeys(each.stream for each in log):
        events = [each.value.event for each in log if each.stream == stream and hasattr(each.value, "event")]
        if not events or events[0].ruleset != ruleset or events[0].private or events[0].hotseat:
            continue
        state = game.fold(RULESETS[ruleset], game.Game(stream), events)
        result, present = state.result, state.present
        left = {each.seat for each in events if isinstance(each, game.Gone) and each.cause == "left"}
        over = result is not None or (state.cause in ("absent", "agreed") and state.gone)
        if not over or None in state.players:
            continue
        if any(isinstance(each, game.TakenBack) and each.agreed for each in events):
            continue
        ahead = set(present) - left or set(present)
        for seat, who in enumerate(state.players):
            assert who is not None
            if result is None or not present:
                yield who, None, seat in ahead if present else seat == state.gone[-1]
            elif seat in state.gone:
                yield who, None, False
            else:
                winners = set(result.winners) & ahead
                best = min(abs(result.scores[each] - result.scores[result.winners[0]]) for each in ahead)
                nearest = abs(result.scores[seat] - result.scores[result.winners[0]]) == best
                yield who, result.scores[seat], seat in ahead and (seat in winners if winners else nearest)


# --- pages --------------------------------------------------------------------------------------------------------


def filled(engine: Engine, ordinals: list[float]) -> None:
    """Inserts standings with these ordinals. The ids of the players are unrelated to them."""
    rows = [
        {"player": f"p{number * 7919 % 10_007:05}", "bot": False, "ruleset": RULES.name, "games": 1, "wins": 0,
         "total": 1, "lowest": 1, "highest": 1, "mu": ordinal + 3, "sigma": 1.0, "ordinal": ordinal}
        for number, ordinal in enumerate(ordinals)
    ]  # fmt: skip
    with engine.begin() as connection:
        connection.execute(insert(standings), rows)


def test_the_best_come_first(engine: Engine, given: Given) -> None:
    given(played(Table("g", RULES), "ada", "bob"))
    first, second = page(engine, RULES.name).items
    assert (first.rank, second.rank) == (1, 2)
    assert first.rating.ordinal > second.rating.ordinal
    assert {first.player, second.player} == {Player("id-ada"), Player("id-bob")}


@pytest.mark.usefixtures("projections")
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_pages_of_any_size_make_up_the_whole(engine: Engine, limit: int) -> None:
    ordinals = [*islice(cycle([2.5, -1.25, 0.0, 2.5, 13.0001, -0.0001]), 25)]
    filled(engine, ordinals)
    found, cursor = [], None
    while True:
        some = page(engine, RULES.name, cursor, limit)
        assert 0 < len(some.items) <= limit
        found += some.items
        if (cursor := some.next) is None:
            break
    assert [each.rating.ordinal for each in found] == sorted(ordinals, reverse=True)
    assert len({each.player.id for each in found}) == len(ordinals)
    # Players with the same rating share a rank; the ranks after it are skipped.
    assert [each.rank for each in found] == [
        1 + sum(other > each.rating.ordinal for other in ordinals) for each in found
    ]


@pytest.mark.usefixtures("projections")
def test_a_page_is_read_in_the_order_of_an_index(engine: Engine) -> None:
    filled(engine, [number / 16 for number in range(5000)])
    statements: list[tuple[str, Any]] = []
    event.listen(engine, "before_cursor_execute", lambda _c, _u, text, values, *_: statements.append((text, values)))
    page(engine, RULES.name, "20~20~200.0000~p00001")
    ((query, values),) = [(text, values) for text, values in statements if text.startswith("SELECT standings")]
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            plan = "\n".join(row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", values))
            # By the primary key: the rows of a page are stored next to each other, however many there are.
            assert "SEARCH standings USING PRIMARY KEY (ruleset=? AND (ordinal,player)<(?,?))" in plan
            assert "TEMP B-TREE" not in plan
        else:
            connection.execute(text("ANALYZE"))
            plan = "\n".join(row[0] for row in connection.exec_driver_sql(f"EXPLAIN {query}", values))
            assert "Index Scan Backward using standings_pkey" in plan
            assert "Sort" not in plan


@pytest.mark.usefixtures("projections")
@pytest.mark.parametrize(
    "cursor",
    ["", "0", "1~1~1.0000", "1~1~1.0000~", "0~1~1.0000~p", "1~1~nan~p", "1~1~1e9~p", "1~1~1.0000~p\n", "1~1~1.0000~\0",
     "1~1~1.0000~ä", "1~1~1.00000~p", "1~1~1.0000~p~q", "9999999999~1~1.0000~p", "1~1~1.0000~" + "p" * 193],
)  # fmt: skip
def test_a_cursor_that_comes_from_no_page_is_rejected(cursor: str) -> None:
    assert re.search(CURSOR, cursor) is None


def test_the_ids_of_other_sites_are_valid_in_cursors(engine: Engine, given: Given) -> None:
    given(played(Table("g", RULES), "x.y:z@w|v_u-1", "bob"))
    cursor = page(engine, RULES.name, limit=1).next
    assert cursor is not None
    assert len(page(engine, RULES.name, cursor).items) == 1
