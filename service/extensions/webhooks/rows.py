"""The table of webhooks. The functions run in `Mutable.query`, or in `Mutable.change` if they change anything."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, Row, case, delete, func, insert, literal, select, update

from domain.messages import Value
from service.tables.schema import players, webhooks

WebhookStatus: TypeAlias = Literal["unverified", "live", "disabled"]
WebhookCause: TypeAlias = Literal["owner", "gone", "failing", "banned"]
"""Why a webhook was disabled: its owner did it, its address answered 410, only failures for days, or the operator
banned its owner."""


class Hook(Value):
    id: str
    owner: str
    url: str
    types: tuple[str, ...]
    after: int
    created: int
    changed: int
    status: WebhookStatus = "unverified"
    cause: WebhookCause | None = None
    live: int | None = None
    number: int = 0
    rotated: int | None = None
    failing: int | None = None
    request: str | None = None
    rotation: str | None = None


class Barred(Exception):
    """The player was forgotten, or is banned, and can own nothing new."""

    def __init__(self, *, forgotten: bool) -> None:
        super().__init__("the player was forgotten" if forgotten else "the player is banned")
        self.forgotten = forgotten


class TooManyWebhooks(Exception):
    """The owner has as many webhooks as allowed."""


class Version(Value):
    """Changes whenever the table does."""

    rows: int
    changed: int


# --- queries ------------------------------------------------------------------------------------------------------


def version(connection: Connection) -> Version:
    rows, changed = connection.execute(select(func.count(), func.max(webhooks.c.changed))).one()
    return Version(rows, changed or 0)


def every(connection: Connection) -> list[Hook]:
    return _hooks(connection.execute(select(webhooks).order_by(webhooks.c.created, webhooks.c.id)))


def of(connection: Connection, owner: str) -> list[Hook]:
    query = select(webhooks).where(webhooks.c.owner == owner).order_by(webhooks.c.created, webhooks.c.id)
    return _hooks(connection.execute(query))


def find(connection: Connection, id: str) -> Hook | None:
    found = _hooks(connection.execute(select(webhooks).where(webhooks.c.id == id)))
    return found[0] if found else None


def _hooks(rows: Iterable[Row[Any]]) -> list[Hook]:
    return [Hook(**{**row._mapping, "types": tuple(row.types.split())}) for row in rows]


# --- changes ------------------------------------------------------------------------------------------------------


def create(connection: Connection, hook: Hook, most: int) -> Hook:
    """Insert a webhook, or return the one with this id. Raises `Barred`, `TooManyWebhooks`."""
    _check_owner(connection, hook.owner)
    if (known := find(connection, hook.id)) is not None:
        return known
    if len(of(connection, hook.owner)) >= most:
        raise TooManyWebhooks(f"There are {most} webhooks already.")
    connection.execute(insert(webhooks).values(**{**_row(hook), "changed": _later(hook.changed)}))
    return hook


def change(connection: Connection, id: str, now: int, values: Mapping[str, Any]) -> Hook | None:
    if "types" in values:
        values = {**values, "types": " ".join(values["types"])}
    connection.execute(update(webhooks).where(webhooks.c.id == id).values(**values, changed=_later(now)))
    return find(connection, id)


def revise(
    connection: Connection, owner: str, id: str, now: int, revised: Callable[[Hook], Mapping[str, Any]]
) -> Hook | None:
    """Change the columns that `revised` returns for the webhook of this owner, if any. Returns it; None if the owner
    has no such webhook. Raises `Barred`, and what `revised` raises."""
    _check_owner(connection, owner)
    hook = find(connection, id)
    if hook is None or hook.owner != owner:
        return None
    values = revised(hook)
    return change(connection, id, now, values) if values else hook


def change_at(connection: Connection, id: str, url: str, now: int, values: Mapping[str, Any]) -> None:
    """The same if the webhook still has this address."""
    hook = find(connection, id)
    if hook is not None and hook.url == url and hook.status != "disabled":
        change(connection, id, now, values)


def disable_of(connection: Connection, owner: str) -> None:
    chosen = webhooks.c.owner == owner
    connection.execute(update(webhooks).where(chosen).values(status="disabled", cause="banned", changed=_later(0)))


def delete_one(connection: Connection, id: str) -> None:
    connection.execute(delete(webhooks).where(webhooks.c.id == id))


def delete_of(connection: Connection, owner: str) -> None:
    connection.execute(delete(webhooks).where(webhooks.c.owner == owner))


def _check_owner(connection: Connection, owner: str) -> None:
    """Raises `Barred` if the owner was forgotten or is banned. `Mutable.change` runs nothing else meanwhile."""
    query = select(players.c.forgotten_at, players.c.banned_at).where(players.c.id == owner)
    row = connection.execute(query).first()
    if row is not None and (row.forgotten_at or row.banned_at):
        raise Barred(forgotten=row.forgotten_at is not None)


def _later(now: int) -> Any:
    """The time now, or the next microsecond after the last change of the table, whichever is later."""
    last = select(func.coalesce(func.max(webhooks.c.changed), 0) + 1).scalar_subquery()
    return case((last > now, last), else_=literal(now))


def _row(hook: Hook) -> dict[str, Any]:
    return {name: getattr(hook, name) for name in hook.__struct_fields__} | {"types": " ".join(hook.types)}
