"""The routes of rulesets, generated from their records: everything that a generic client needs."""

from collections.abc import Iterable
from typing import Annotated, Any

from litestar import Router, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter
from litestar.types import ASGIApp

from domain.codec import encode
from domain.game import Rules
from domain.messages import Value
from service.api import problems
from service.api.contract import OPTIONAL, Answer, contract, problem
from service.api.problems import ProblemError
from service.api.resources import PageResource
from service.api.routing import router
from service.description import Captions, Ruleset, SeatRange, described
from service.http.compression import CompressedResponse


class RulesetListed(Value):
    """A ruleset in the list of rulesets."""

    name: str
    """The name of the ruleset in paths."""
    rules: str
    """The ruleset and the version of the rules of new games, `NAME/N`."""
    title: str
    """The name of the game, in English."""
    summary: str
    """What the game is about, in a sentence."""
    seats: SeatRange
    href: str
    """The path of everything about the ruleset."""


def listed(rules: Rules) -> RulesetListed:
    labels = rules.labels["en"]
    seats = SeatRange(rules.seats[0], rules.seats[-1])
    return RulesetListed(rules.name, rules.rules, labels.title, labels.summary, seats, f"/v1/rulesets/{rules.name}")


def ruleset_routes(registry: dict[str, Rules]) -> Router:
    """The responses never change while the service runs, so each is encoded once."""
    common = (
        problem(problems.Unauthenticated, "WWW-Authenticate"), problem(problems.TooManyRequests, "Retry-After")
    )  # fmt: skip

    @get(
        "/",
        operation_id="rulesets",
        security=OPTIONAL,
        summary="List the rulesets",
        opt=contract(Answer(200, PageResource[RulesetListed]), *common),
    )
    async def rulesets() -> ASGIApp:
        """Returns all rulesets with their titles and numbers of players."""
        return all_rulesets

    all_rulesets = cacheable(PageResource([listed(rules) for rules in registry.values()], None))
    of_each = [route for rules in registry.values() for route in routes_of(rules, common)]
    return router("/v1/rulesets", [rulesets, *of_each], tags=["Rulesets"])


def routes_of(rules: Rules, common: Iterable[Answer]) -> list[HTTPRouteHandler]:
    name, title = rules.name, rules.labels["en"].title
    description = cacheable(described(rules))
    decks = {deck.name: cacheable(deck.data) for deck in rules.decks.values()}
    captions_by_deck = {name: cacheable(Captions(**rules.captions(deck))) for name, deck in rules.decks.items()}

    @get(f"/{name}", operation_id=f"{name}_ruleset", security=OPTIONAL, summary=f"Get the ruleset {title}",
        opt=contract(Answer(200, Ruleset), *common),
    )  # fmt: skip
    async def ruleset() -> ASGIApp:
        """Returns numbers of players, options, decks, schemas of moves, events and views, and labels in English and
        German."""
        return description

    @get(
        f"/{name}/decks/{{deck:str}}", operation_id=f"{name}_deck", security=OPTIONAL, summary=f"Get a deck of {title}",
        opt=contract(Answer(200, rules.deck.data_type), problem(problems.NotFound), *common) | {"ruleset": name},
    )  # fmt: skip
    async def deck(deck: Annotated[str, PathParameter(description="The name of the deck.")]) -> ASGIApp:
        """Returns the cards of a deck as data, for frontends."""
        if deck not in decks:
            raise ProblemError(problems.NotFound(detail="This deck does not exist."))
        return decks[deck]

    @get(
        f"/{name}/decks/{{deck:str}}/captions", operation_id=f"{name}_captions", security=OPTIONAL,
        summary=f"Get what the cards of a deck of {title} do",
        opt=contract(Answer(200, Captions), problem(problems.NotFound), *common),
    )  # fmt: skip
    async def captions(deck: Annotated[str, PathParameter(description="The name of the deck.")]) -> ASGIApp:
        """Returns what each card does, in English and German, for the cards that need it."""
        if deck not in captions_by_deck:
            raise ProblemError(problems.NotFound(detail="This deck does not exist."))
        return captions_by_deck[deck]

    return [ruleset, deck, captions]


def cacheable(value: Any) -> ASGIApp:
    return CompressedResponse(encode(value), headers={"Cache-Control": "public, max-age=300"})
