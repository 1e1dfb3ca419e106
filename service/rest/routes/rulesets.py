"""The routes of rulesets, generated from their records: everything that a generic client needs."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Router, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import PathParameter
from litestar.types import ASGIApp
from msgspec import Meta

from domain.bundled import BotLabel, Lesson
from domain.codec import encode
from domain.deck import Deck
from domain.description import Description, description
from domain.game import Rules
from domain.messages import Value
from domain.ruleset import BotName, Difficulty
from service.api import problems
from service.api.contract import OPTIONAL, Answer, Contract, contract, contracts, problem
from service.api.description import Captions, Explained, Ruleset, SeatRange, described, explained
from service.api.problems import ProblemError
from service.api.resources import PageResource
from service.rest.input.parameters import OfRules
from service.rest.routing import operation, router, rules_of_request
from service.server.compression import CompressedResponse

DeckName = Annotated[str, PathParameter(description="The name of the deck.")]


class ListedLabels(Value):
    """The names of a ruleset and its bots, in one language."""

    title: str
    """The name of the game."""
    summary: str
    """A description of the game, in a sentence."""
    options: dict[str, str]
    """The options that a game can be opened with, by field."""
    values: dict[str, dict[str, str]]
    """The values of options that have names, by field."""
    bots: Annotated[dict[str, BotLabel], Meta(description="The bots, by their name and version.")]


class RulesetListed(Value):
    """A ruleset in the list of rulesets."""

    name: str
    """The name of the ruleset in paths."""
    rules: str
    """The ruleset and the version of the rules of new games, `NAME/N`."""
    seats: SeatRange
    minutes: int
    """The usual length of a game, in minutes, of people who know it."""
    difficulty: Difficulty
    """The difficulty to learn it."""
    default_options: dict[str, Any]
    """The options of a game that is opened without any."""
    bots: tuple[BotName, ...]
    """The bots that can play a seat, the weakest first."""
    labels: dict[str, ListedLabels]
    """Texts for people, by language: `en` and `de`."""
    lesson: bool
    """True: it has a guided first game."""
    href: str
    """The path of everything about the ruleset."""


def listed(rules: Rules) -> RulesetListed:
    seats = SeatRange(rules.seats[0], rules.seats[-1])
    labels = {
        language: ListedLabels(
            each.title, each.summary, each.options,
            {name: values for name, values in each.values.items() if name in each.options}, each.bots,
        )
        for language, each in rules.labels.items()
    }  # fmt: skip
    href = f"/v1/rulesets/{rules.name}"
    return RulesetListed(
        rules.name, rules.rules, seats, rules.minutes, rules.difficulty, msgspec.to_builtins(rules.options()),
        rules.house, labels, rules.lesson is not None, href,
    )  # fmt: skip


def ruleset_routes(registry: dict[str, Rules]) -> Router:
    """The responses never change while the service runs, so each is encoded once at most."""
    common = (
        problem(problems.Unauthenticated, "WWW-Authenticate"), problem(problems.TooManyRequests, "Retry-After")
    )  # fmt: skip

    @get(
        "/",
        operation_id="rulesets",
        security=OPTIONAL,
        summary="List the rulesets",
        opt=contract(Answer(200, PageResource[RulesetListed]), *common, cost=1),
    )
    async def rulesets() -> ASGIApp:
        """Returns all rulesets with what people need to choose one: titles, numbers of players, minutes, difficulty."""
        return all_rulesets

    all_rulesets = cacheable(PageResource([listed(rules) for rules in registry.values()], None))
    return router(
        "/v1/rulesets", [rulesets, *routes_of(registry, common)], tags=["Rulesets"],
        dependencies=rules_of_request(registry),
    )  # fmt: skip


def routes_of(registry: Mapping[str, Rules], common: Iterable[Answer]) -> list[HTTPRouteHandler]:
    descriptions = {name: cacheable(described(rules)) for name, rules in registry.items()}
    texts = {name: immutable(description(rules)) for name, rules in registry.items()}
    lessons = {name: cacheable(rules.lesson) for name, rules in registry.items() if rules.lesson is not None}

    def of_lesson(_: Rules) -> Contract:
        return Contract((Answer(200, Lesson), problem(problems.NotFound), *common))

    def of_deck(rules: Rules) -> Contract:
        return Contract((Answer(200, rules.deck.data_type), problem(problems.NotFound), *common))

    def by_deck(make: Callable[[Rules, Deck[Any]], Any]) -> Callable[[Rules, str], ASGIApp]:
        """The response about a deck. It is encoded when it is wanted first, and never again."""

        @cache
        def made(name: str, deck: str) -> ASGIApp:
            return cacheable(make(registry[name], registry[name].decks[deck]))

        def found(rules: Rules, deck: str) -> ASGIApp:
            if deck not in registry[rules.name].decks:
                raise ProblemError(problems.NotFound(detail="This deck does not exist."))
            return made(rules.name, deck)

        return found

    deck_response = by_deck(lambda _, deck: deck.data)
    captions_response = by_deck(lambda rules, deck: Captions(**rules.captions(deck)))
    rules_response = by_deck(explained)

    @get([f"/{name}" for name in registry], operation_id=operation("ruleset"), security=OPTIONAL,
        summary="Get the ruleset {title}", opt=contract(Answer(200, Ruleset), *common, cost=1),
    )  # fmt: skip
    async def ruleset(rules: OfRules) -> ASGIApp:
        """Returns numbers of players, options, decks, schemas of moves, events and views, and labels in English and
        German."""
        return descriptions[rules.name]

    @get([f"/{name}/description" for name in registry], operation_id=operation("description"), security=OPTIONAL,
        summary="Get the description of {title} for verifiers", opt=contract(Answer(200, Description), *common, cost=1),
    )  # fmt: skip
    async def described_rules(rules: OfRules) -> ASGIApp:
        """Returns what a verifier needs that does not know the rules: fields of events and moves, hidden fields, draws.

        `opened` of each game has the SHA-256 hash of these bytes."""
        return texts[rules.name]

    @get([f"/{name}/lesson" for name in registry], operation_id=operation("lesson"), security=OPTIONAL,
        summary="Get the guided first game of {title}", opt=contracts(of_lesson),
    )  # fmt: skip
    async def lesson(rules: OfRules) -> ASGIApp:
        """Returns the steps of the lesson, with its texts in English and German; 404 if the ruleset has none.

        `POST /v1/games/{ruleset}/lesson` opens its game."""
        if rules.name not in lessons:
            raise ProblemError(problems.NotFound(detail="This ruleset has no lesson."))
        return lessons[rules.name]

    @get([f"/{name}/decks/{{deck:str}}" for name in registry], operation_id=operation("deck"), security=OPTIONAL,
        summary="Get a deck of {title}", opt=contracts(of_deck),
    )  # fmt: skip
    async def deck(rules: OfRules, deck: DeckName) -> ASGIApp:
        """Returns the cards of a deck as data, for frontends."""
        return deck_response(rules, deck)

    @get([f"/{name}/decks/{{deck:str}}/captions" for name in registry], operation_id=operation("captions"),
        security=OPTIONAL, summary="Get what the cards of a deck of {title} do",
        opt=contract(Answer(200, Captions), problem(problems.NotFound), *common, cost=1),
    )  # fmt: skip
    async def captions(rules: OfRules, deck: DeckName) -> ASGIApp:
        """Returns what each card does, in English and German, for the cards that need it."""
        return captions_response(rules, deck)

    @get([f"/{name}/decks/{{deck:str}}/rules" for name in registry], operation_id=operation("rules"),
        security=OPTIONAL, summary="Read the rules of {title}, with the cards of a deck",
        opt=contract(Answer(200, Explained), problem(problems.NotFound), *common),
    )  # fmt: skip
    async def read_rules(rules: OfRules, deck: DeckName) -> ASGIApp:
        """Returns the rules as texts, and name, print and effect of each card, in English and German.

        A program or a language model that reads them once can play without any other page."""
        return rules_response(rules, deck)

    return [ruleset, described_rules, lesson, deck, captions, read_rules]


def cacheable(value: Any) -> ASGIApp:
    return immutable(encode(value))


def immutable(text: bytes) -> ASGIApp:
    return CompressedResponse(text, headers={"Cache-Control": "public, max-age=300"})
