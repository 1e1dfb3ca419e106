"""What can be played: each ruleset described for programs that have never heard of it. Made from the records."""

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Router, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter
from litestar.types import ASGIApp

from domain.bundled import Labels
from domain.codec import encode
from domain.deck import Deck
from domain.deck import Name as DeckName
from domain.game import Rules
from domain.messages import Value
from service.api import problems
from service.api.contract import Answer, contract, problem
from service.api.openapi import OPTIONAL
from service.api.problems import Refusal
from service.api.resources import DeckNamed, Page
from service.api.routing import routed
from service.http.raw_response import RawResponse


class SeatRange(Value):
    """How many may play."""

    least: int
    most: int


class Ruleset(Value, kw_only=True):
    """A set of rules, with everything that a frontend needs. `schemas` are JSON Schemas."""

    name: str
    rules: str
    seats: SeatRange
    default_options: dict[str, Any]
    decks: tuple[DeckNamed, ...]
    labels: dict[str, Labels]
    schemas: dict[str, Any]


class RulesetListed(Value):
    """A set of rules in the list of all."""

    name: str
    rules: str
    title: str
    summary: str
    seats: SeatRange
    href: str


def described(rules: Rules) -> Ruleset:
    types = {
        "options": rules.options,
        "move": rules.move,
        "event": rules.event,
        "view": rules.state,
        "deck": rules.deck.data_type,
    }
    return Ruleset(
        name=rules.name,
        rules=rules.rules,
        seats=SeatRange(rules.seats[0], rules.seats[-1]),
        default_options=msgspec.to_builtins(rules.options()),
        decks=tuple(DeckNamed(deck.name, deck.data.provenance) for deck in rules.decks.values()),
        labels=rules.labels,
        schemas={name: schema_of(kind) for name, kind in types.items()},
    )


@cache
def schema_of(kind: Any) -> dict[str, Any]:
    """The JSON Schema of the type."""
    return msgspec.json.schema(kind, schema_hook=_deck_by_name)


def _deck_by_name(kind: type) -> dict[str, Any]:
    if not issubclass(kind, Deck):
        raise NotImplementedError
    return msgspec.json.schema(DeckName)


def listed(rules: Rules) -> RulesetListed:
    labels = rules.labels["en"]
    seats = SeatRange(rules.seats[0], rules.seats[-1])
    return RulesetListed(rules.name, rules.rules, labels.title, labels.summary, seats, f"/v1/rulesets/{rules.name}")


def ruleset_routes(registry: dict[str, Rules]) -> Router:
    """Nothing here changes while the service runs, so every answer is written once."""
    refused = (
        problem(problems.Unauthenticated, "WWW-Authenticate"), problem(problems.TooManyRequests, "Retry-After")
    )  # fmt: skip

    @get(
        "/",
        operation_id="rulesets",
        security=OPTIONAL,
        summary="What can be played",
        opt=contract(Answer(200, Page[RulesetListed]), *refused),
    )
    async def rulesets() -> ASGIApp:
        """All rulesets."""
        return every

    every = lasting(Page([listed(rules) for rules in registry.values()], None))
    of_each = [route for rules in registry.values() for route in routes_of(rules, refused)]
    return routed("/v1/rulesets", [rulesets, *of_each], tags=["Rulesets"])


def routes_of(rules: Rules, refused: Iterable[Answer]) -> list[HTTPRouteHandler]:
    name, title = rules.name, rules.labels["en"].title
    description = lasting(described(rules))
    decks = {deck.name: lasting(deck.data) for deck in rules.decks.values()}

    @get(f"/{name}", operation_id=f"{name}_ruleset", security=OPTIONAL, summary=f"{title} described",
        opt=contract(Answer(200, Ruleset), *refused),
    )  # fmt: skip
    async def ruleset() -> ASGIApp:
        """Seats, options, decks, schemas of moves, events and views, and labels in English and German."""
        return description

    @get(f"/{name}/decks/{{deck:str}}", operation_id=f"{name}_deck", security=OPTIONAL, summary=f"A deck of {title}",
        opt=contract(Answer(200, rules.deck.data_type), problem(problems.NotFound), *refused) | {"ruleset": name},
    )  # fmt: skip
    async def deck(deck: Annotated[str, PathParameter(description="Which deck, by name.")]) -> ASGIApp:
        """The cards as data, for frontends to draw."""
        if deck not in decks:
            raise Refusal(problems.NotFound(detail="There is no such deck."))
        return decks[deck]

    return [ruleset, deck]


def lasting(value: Any) -> ASGIApp:
    return RawResponse(encode(value), headers={"Cache-Control": "public, max-age=300"})
