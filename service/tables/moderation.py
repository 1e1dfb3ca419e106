"""The table of what the operator did. The functions run in `Mutable.query` and `Mutable.change`."""

from sqlalchemy import Connection, insert, select, update

from domain.messages import Value
from service.tables.schema import moderation


class Deed(Value):
    at: str
    action: str
    reason: str | None


def record(
    connection: Connection, action: str, subject: str, reason: str | None, at: str, *, open: bool = False
) -> int:
    """Record a deed and return its number. `open`: a running service has to do it."""
    row = {"at": at, "action": action, "subject": subject, "reason": reason, "open": open}
    (number,) = connection.execute(insert(moderation).returning(moderation.c.number), row).one()
    return int(number)


def of(connection: Connection, subject: str) -> tuple[Deed, ...]:
    columns = moderation.c.at, moderation.c.action, moderation.c.reason
    query = select(*columns).where(moderation.c.subject == subject).order_by(moderation.c.number)
    return tuple(Deed(*row) for row in connection.execute(query))


def waiting(connection: Connection) -> list[tuple[int, str]]:
    """The deeds that a running service has to do: their numbers and subjects."""
    query = select(moderation.c.number, moderation.c.subject).where(moderation.c.open).order_by(moderation.c.number)
    return [(number, subject) for number, subject in connection.execute(query)]


def is_open(connection: Connection, number: int) -> bool:
    return bool(connection.execute(select(moderation.c.open).where(moderation.c.number == number)).scalar())


def done(connection: Connection, number: int) -> None:
    connection.execute(update(moderation).where(moderation.c.number == number).values(open=False))
    connection.commit()


def forget(connection: Connection, player: str) -> None:
    """Erase the reasons, which may say who a former player is."""
    connection.execute(update(moderation).where(moderation.c.subject == player).values(reason=None))
