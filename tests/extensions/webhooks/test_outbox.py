"""The outbox: what is due is found without reading what waits, and no owner can fill it."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine, func, select, text

from projections.database import claiming, reading
from projections.projection import Projections
from service.extensions.webhooks import outbox
from service.extensions.webhooks.outbox import OUTBOX, PING, Delivery, deliveries

NOW = 10_000_000


@pytest.fixture(autouse=True)
def prepared(engine: Engine) -> Iterator[None]:
    Projections(engine, (OUTBOX,)).prepare()
    yield
    with claiming(engine) as connection:
        connection.execute(deliveries.delete())


def waiting(owner: str, hook: str, number: int, *, at: int = 0, kind: str = "game.over") -> Delivery:
    return Delivery(f"{hook} {number}", owner, hook, kind, "g", 1, None, None, "{}", at + number, at + number)


def insert(engine: Engine, *added: Delivery) -> None:
    with claiming(engine) as connection:
        outbox.add(connection, added)


def counts(engine: Engine) -> dict[tuple[str, str], int]:
    query = select(deliveries.c.owner, deliveries.c.status, func.count())
    with reading(engine) as connection:
        found = connection.execute(query.group_by(deliveries.c.owner, deliveries.c.status))
        return {(owner, status): count for owner, status, count in found}


def test_each_hook_is_due_once_and_pings_first(engine: Engine):
    insert(engine, *[waiting("many", "a", number) for number in range(500)], waiting("late", "b", 0, at=NOW + 1))
    insert(
        engine, waiting("one", "c", 0), waiting("one", "d", 0, kind=PING), waiting("x", "e", 0, at=NOW + 9, kind=PING)
    )
    assert [*outbox.due(engine, NOW)] == [("d", "d 0"), ("a", None), ("c", None), ("d", None)]
    claimed = outbox.claim(engine, {"a": 2, "c": 4}, ["d 0"], NOW, NOW + 20)
    assert sorted(each.id for each in claimed) == ["a 0", "a 1", "c 0", "d 0"]
    assert [each.id for each in outbox.claim(engine, {"a": 1, "c": 4}, ["d 0"], NOW, NOW + 20)] == ["a 2"]
    assert outbox.due(engine, NOW)[0].ping is None, "a ping that is claimed is not due"


def plan(engine: Engine, statement: str, **given: object) -> str:
    sqlite = engine.dialect.name == "sqlite"
    with engine.connect() as connection:
        if not sqlite:  # the planner prefers a scan for tables as small as here
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        explained = "EXPLAIN QUERY PLAN " if sqlite else "EXPLAIN "
        return "\n".join(str(row[-1]) for row in connection.execute(text(explained + statement), given))


def test_what_is_due_is_found_in_indexes(engine: Engine):
    """Not by reading what waits: each step is a search in an index, so 400,000 rows cost what 400 do."""
    insert(engine, *[waiting("o", f"h{number % 7}", number) for number in range(2000)])
    insert(engine, *[waiting("o", f"h{number % 7}", number, kind=PING) for number in range(2000, 2020)])
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE deliveries"))
    hooks, pings = plan(engine, str(outbox._HOOKS), now=NOW), plan(engine, str(outbox._PINGS), now=NOW, most=10)
    assert "deliveries_due" in hooks
    assert "deliveries_pings" in pings
    for found in (hooks, pings):
        assert "SCAN deliveries" not in found.replace("SCAN deliveries USING INDEX deliveries_pings", "")
        assert "Seq Scan on deliveries" not in found
    own = "status = 'pending' AND hook = 'h1' AND next <= 9 AND claimed <= 9"
    claimed = plan(engine, f"SELECT id FROM deliveries WHERE {own} ORDER BY next LIMIT 4")
    assert "deliveries_due" in claimed
    assert not any(sort in claimed for sort in ("TEMP B-TREE", "Sort"))


def test_the_oldest_pending_deliveries_of_an_owner_are_dead_beyond_the_limit(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
):
    """And no other owner notices."""
    monkeypatch.setattr(outbox, "MAX_OF_PLAYER", 10)
    monkeypatch.setattr(outbox, "MAX_OF_SITE", 30)
    for first in range(0, 40, 8):
        added = [waiting(who, f"{who} {n % 3}", n) for n in range(first, first + 8) for who in ("flood", "site:")]
        assert outbox.record(engine, outbox.position(engine), first + 8, [*added, waiting("calm", "c", first)], ())
    expected = {("flood", "pending"): 10, ("flood", "dead"): 30, ("site:", "pending"): 30, ("site:", "dead"): 10}
    assert counts(engine) == expected | {("calm", "pending"): 5}
    with reading(engine) as connection:
        own = deliveries.c.owner == "flood", deliveries.c.status == "pending"
        assert connection.execute(select(func.min(deliveries.c.created)).where(*own)).scalar() == 30, "the newest wait"
    outbox.clean(engine, 0, 0)
    assert counts(engine)[("flood", "dead")] == 10
    assert counts(engine)[("calm", "pending")] == 5


def test_nobody_fills_the_webhook_of_another_player_with_invitations(engine: Engine, monkeypatch: pytest.MonkeyPatch):
    """An opener is told of five times a day, all together fifty times. Nothing else is held back."""
    day = outbox.DAY

    def invitations(opener: str, numbers: range, at: int = day) -> list[Delivery]:
        return [
            replace(waiting("victim", "h", number, at=at, kind="game.invited"), player="victim", opener=opener)
            for number in numbers
        ]

    monkeypatch.setattr(outbox, "MAX_OF_PLAYER", 10_000)
    turns = [waiting("victim", "h", number, at=day) for number in range(9000, 9100)]
    position = 0
    for batch in (
        invitations("one", range(3)), [*invitations("one", range(3, 900)), *turns],
        invitations("friend", range(900, 901)),
        *[invitations(f"guest {n}", range(1000 + 10 * n, 1010 + 10 * n)) for n in range(100)],
    ):  # fmt: skip
        assert outbox.record(engine, position, position + 1, batch, ())
        position += 1
    with reading(engine) as connection:
        query = select(deliveries.c.opener, func.count()).where(deliveries.c.type == "game.invited")
        told = {row[0]: row[1] for row in connection.execute(query.group_by(deliveries.c.opener))}
    assert (told["one"], told["friend"], told["guest 0"]) == (5, 1, 5)
    assert sum(told.values()) == 50
    assert counts(engine)["victim", "pending"] == 150
    assert outbox.record(engine, position, position + 1, invitations("one", range(5000, 5001), at=3 * day), ())
    assert counts(engine)["victim", "pending"] == 151, "on another day"
