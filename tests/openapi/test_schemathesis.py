"""schemathesis against the whole application, with all its checks: what the document promises is what happens.

Every operation is asked with examples, with values at and beyond the limits of its schema, and at random, about games
that exist. Then stories follow the document's links, from the opening of a game to its moves. All of this is
the same each time, so a red build is red at home too; `--everything` asks more at random, and tells more stories. What
schemathesis is known to miss (lax bodies, lost limits) is tested by hand in `tests/service/api`.

Wherever a request or a check is changed below, a comment says why. Nothing else may deviate from the document.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from litestar.types import ASGIApp
from schemathesis import AuthContext, BaseSchema, Case, Response
from schemathesis.core.parameters import ParameterLocation
from schemathesis.filters import HasAPIOperation
from schemathesis.python import asgi

from domain.ruleset import InvalidSetup
from domain.rulesets import RULESETS
from service import settings as service_settings
from service.app import create_app
from service.identity.display_names import InvalidName, normalized_name
from tests.conftest import FIRST
from tests.openapi.chance import no_chance
from tests.support.clients import any_of, fewest

pytest_plugins = "schemathesis.pytest.plugin"  # only here: it takes half a second to load, and looks at each test
pytestmark = [pytest.mark.checked, pytest.mark.turns("ends")]

Json = dict[str, Any]
EVERYTHING = "x-everything"
"""In the document: whether `--everything` was given."""


def config(everything: bool) -> schemathesis.Config:
    return schemathesis.Config.from_dict(
        {
            "seed": 1,
            "request-timeout": 120,  # seconds; the default is too short for a busy machine
            "generation": {"deterministic": True, "max-examples": 30 if everything else 1, "database": "none"},
            # Stories use well-formed requests only: with others no game is even opened. Ill-formed ones are
            # sent operation by operation.
            "phases": {"stateful": {"generation": {"mode": "positive"}}},
            "checks": {
                # A schema says which requests are well formed. That an `If-Match` is of another time (412) or that an
                # `Idempotency-Key` was used for something else (422) is no matter of form.
                "positive_data_acceptance": {
                    "expected-statuses": ["2XX", "3XX", "401", "403", "404", "409", "412", "422", "429", "5XX"]
                },
                # A game that was cancelled stays: a client that has its commitment can ask for its secret.
                "use_after_free": {"enabled": False},
            },
        }
    )


def house(folder: Path) -> ASGIApp:
    """The application on a database of its own. A token from one house is valid in all."""
    given = {"secret": "s" * 32, "rate_limit": "off", "access_log": False}
    return create_app(service_settings.read({}, database=str(folder / "games.db"), **given))


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory, everything: bool) -> Iterator[BaseSchema]:
    """The document as the application serves it. schemathesis starts the application with the first request."""
    schema = schemathesis.openapi.from_asgi(
        "/schema/openapi.json", house(tmp_path_factory.mktemp("schemathesis")), config=config(everything), timeout=120
    )
    schema.raw_schema[EVERYTHING] = everything
    for link in links(schema.raw_schema):
        if "requestBody" in link:  # it is the whole body, not something to mix into a random one
            link["x-schemathesis"] = {"merge_body": False}
    with no_chance():
        tokens = {name: register(schema, name)["token"] for name in ("Ann", "Bob")}

        @schema.auth(refresh_interval=None)
        class Guests:
            """Bob sits down, Ann does everything else: so games begin that are not played at a hotseat."""

            def get(self, case: Case, _: AuthContext) -> str:
                return tokens["Bob" if operation(case).endswith("_sit_down") else "Ann"]

            def set(self, case: Case, token: str, _: AuthContext) -> None:
                case.headers["Authorization"] = f"Bearer {token}"

        yield schema
    asgi.shutdown_lifespans()


def links(document: Json) -> Iterator[Json]:
    for path in document["paths"].values():
        for stated in path.values():
            for response in stated["responses"].values():
                yield from response.get("links", {}).values()


def register(api: BaseSchema, name: str) -> Json:
    guest: Json = api["/v1/players"]["POST"].Case(body={"name": name}).call().json()
    return guest


def operation(case: Case) -> str:
    """The id of the operation that is asked."""
    name: str = case.operation.definition.raw["operationId"]
    return name


def but_for_what_no_schema_says(case: Case) -> None:
    """Changes the request."""
    seat = str(case.query.get("as"))
    if seat.isdecimal() and case.meta.generation.mode.is_positive:
        # How many seats a game has is not in the schema, and `?as=` a seat that it does not have is malformed.
        case.query["as"] = str(int(seat) % 2)
    if case.query.get("after") and case.meta.generation.mode.is_positive:
        # Nor is how many events it has, and events after the last one are malformed too.
        case.query["after"] = int(case.query["after"]) % 2
    if "state" in str(case.query.get("with")) and case.meta.generation.mode.is_positive:
        # Nor that a state comes with live streams only.
        case.query["with"] = "patch"
    if operation(case).endswith("_branch") and case.meta.generation.mode.is_positive:
        # Nor are the versions at which a game can be continued; these can in every game that is over.
        case.body["at"] = 8 + case.body["at"] % 8
    if operation(case).endswith("_open") and case.meta.generation.mode.is_positive:
        # Nor is who can share a table, and which options go with how many seats.
        be_seated(case.body)
        if not is_fit(case):
            del case.body["options"]
    if operation(case) in ("register", "rename") and case.meta.generation.mode.is_positive:
        # Which characters can be seen is in the tables of Unicode.
        with suppress(InvalidName):
            normalized_name(case.body.get("name", "Ann"))
            return
        case.body["name"] = "Ann"


def be_seated(asked: Json) -> None:
    """Change who the seats are for: nobody has two, players exist, and one of the seats is a player's."""
    is_list = isinstance(asked["seats"], list)
    if is_list:
        several = ["open" if isinstance(each, dict) else each for each in asked["seats"]]
        first = several.index("me") if "me" in several else 0
        several = ["open" if each == "me" and number != first else each for number, each in enumerate(several)]
        asked["seats"] = several if {"me", "open"} & {*several} else ["open", *several[1:]]
    if "absent" in asked or "clock" in asked or is_list:
        asked.pop("hotseat", None)
    if asked.get("sealed"):
        for name in ("entropy", "hotseat", "sit"):
            asked.pop(name, None)
    if asked.get("puzzles"):
        for name in ("private", "hotseat"):
            asked.pop(name, None)
    if not (is_list and len([each for each in asked["seats"] if each in ("me", "open")]) == 1):
        asked.pop("hints", None)


def is_fit(case: Case) -> bool:
    """Whether a game can be played with these seats, options and deck."""
    rules, asked = RULESETS[operation(case).removesuffix("_open")], with_integers(case.body)
    options = msgspec.convert(asked.get("options", {}), rules.options)
    deck = rules.decks[asked.get("deck", next(iter(rules.decks)))]
    with suppress(InvalidSetup):
        rules.initial(asked["seats"] if isinstance(asked["seats"], int) else len(asked["seats"]), options, deck)
        return True
    return False


def with_integers(value: Any) -> Any:
    """The value as the service understands it: 7.0 is an integer."""
    match value:
        case dict():
            return {key: with_integers(item) for key, item in value.items()}
        case list():
            return [with_integers(item) for item in value]
        case float() if value.is_integer():
            return int(value)
    return value


# --- operation by operation ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def known(api: BaseSchema) -> dict[str, dict[str, Iterator[str]]]:
    """By operation or ruleset what its paths name, in turn: games that wait, are played, are over; players; decks."""

    def post(path: str, **parts: Any) -> Json:
        case = api[path]["POST"].Case(**parts)
        api.auth.set(case, AuthContext(operation=case.operation, app=None))
        answer: Json = case.call().json()
        return answer

    def opened(ruleset: str, **terms: Any) -> Json:
        return post(f"/v1/games/{ruleset}", body={"seats": fewest(ruleset), **terms})

    def over(ruleset: str) -> Json:
        game, dice = opened(ruleset, hotseat=True), Random(1)
        place = {"path_parameters": {"game_id": game["id"]}}
        while game["legal_moves"]:
            chosen = any_of(game["legal_moves"], dice)
            game = post(f"/v1/games/{ruleset}/{{game_id}}/moves", body=chosen, **place)["game"]
        assert game["status"] == "finished"
        return game

    players = cycle([register(api, "Cem")["id"], "nobody"])
    found: dict[str, dict[str, Iterator[str]]] = {}
    for name, rules in RULESETS.items():
        finished = over(name)
        games, others = ([opened(name), opened(name, hotseat=True), finished] for _ in range(2))
        found[name] = {
            "game_id": cycle([game["id"] for game in games]),
            "player_id": players,
            "deck": cycle([*rules.decks, "none"]),
            "ruleset": cycle([name, "none"]),
        }
        # Where the only player stands up, and where it is cancelled, the game is aborted, and can be continued from no
        # version.
        for ending in ("stand_up", "cancel"):
            found[f"{name}_{ending}"] = found[name] | {"game_id": cycle([game["id"] for game in others])}
    return found


def is_repeated(context: HasAPIOperation) -> bool:
    """Of most rulesets those operations only are asked that each has in its own form, unless there is time for more.

    The filter must stand here: schemathesis forgets those of the fixture.
    """
    others = "|".join(set(RULESETS) - {FIRST})
    alike = re.match(rf"/v1/games/({others})/(?!{{game_id}}/moves$)", context.operation.path)
    return bool(alike and not context.operation.schema.raw_schema[EVERYTHING])


# `/v1/games/{ruleset}` stands for the rulesets' own routes once more. What they take is not all that its schemas allow:
# which options and moves there are only the rulesets' own schemas say. The clients in `generators` play through it.
rest = schemathesis.pytest.from_fixture("api").exclude(path_regex=r"^/v1/games/\{ruleset\}").exclude(is_repeated)


@rest.parametrize()
def test_every_operation_does_what_the_document_says(case: Case, known: dict[str, dict[str, Iterator[str]]]) -> None:
    but_for_what_no_schema_says(case)
    if not case.meta.is_negative_at(ParameterLocation.PATH):
        asked = operation(case)
        names = known.get(asked, known.get(asked.partition("_")[0], known[next(iter(known))]))
        for parameter in case.path_parameters.keys() & names.keys():
            # What does not exist is not found, whatever else is asked.
            case.path_parameters[parameter] = next(names[parameter])
    case.call_and_validate()


# --- stories ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_links_lead_from_opening_games_to_their_moves(
    api: BaseSchema, ruleset: str, everything: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    happened: Counter[str] = Counter()

    def step(case: Case) -> str:
        return operation(case).removeprefix(f"{ruleset}_")

    class Story(api.include(path_regex=f"^/v1/games/{ruleset}(/|$)").as_state_machine()):  # type: ignore[misc]
        """Begins in an empty house where nothing is left to chance: what led somewhere once leads there again."""

        def setup(self) -> None:
            self.tables, self.turns = cycle((True, False)), cycle((True, True, False))
            self.end = ExitStack()
            self.end.enter_context(no_chance())
            self.end.callback(asgi.shutdown_lifespans)
            self.aborted: set[str] = set()
            self.begun: str | None = None
            self.house = house(tmp_path_factory.mktemp("story"))

        def teardown(self) -> None:
            self.end.close()

        def get_call_kwargs(self, _: Case) -> Json:
            return {"app": self.house}

        def before_call(self, case: Case) -> None:
            but_for_what_no_schema_says(case)
            match step(case):
                case "open" if next(self.tables):
                    # The tables of others often wait for players until the story ends.
                    case.body["hotseat"] = True
                    case.body.pop("absent", None)
                    case.body.pop("clock", None)
                    case.body.pop("sealed", None)
                    case.body.pop("puzzles", None)
                    case.body.pop("hints", None)
                    if isinstance(case.body["seats"], list):
                        case.body["seats"] = len(case.body["seats"])
                case "move" if next(self.turns) and self.begun is not None:
                    # A seat at random is seldom the one to act, a version at random is never the present one, and most
                    # moves at random are illegal.
                    case.query.pop("as", None)
                    case.headers.pop("If-Match", None)
                    case.path_parameters["game_id"] = self.begun
                    look = api[f"/v1/games/{ruleset}/{{game_id}}"]["GET"].Case(path_parameters={"game_id": self.begun})
                    api.auth.set(look, AuthContext(operation=look.operation, app=None))
                    case.body = next(iter(look.call(app=self.house).json()["legal_moves"]), case.body)
                case "branch" if case.path_parameters["game_id"] in self.aborted:
                    # It can be continued from no version, which no schema says.
                    case.path_parameters["game_id"] = "none"

        def after_call(self, response: Response, case: Case) -> None:
            super().after_call(response, case)
            happened[f"{step(case)} {response.status_code}"] += 1
            ends = step(case) in ("stand_up", "cancel", "vote") and response.status_code == 200
            if ends and response.json()["status"] == "aborted":
                self.aborted.add(response.json()["id"])
            if step(case) == "open" and response.status_code == 201:
                game = response.json()
                if game["hotseat"] and game["status"] == "running":
                    self.begun = game["id"]
                    happened["begun"] += 1

    # Few at first, and not always the same: what Hypothesis chooses depends on the modules that are imported.
    for stories in (8, 16, 32) if everything else (5, 10, 20):
        Story.run(
            settings=settings(max_examples=stories, stateful_step_count=100, suppress_health_check=list(HealthCheck))
        )
        if happened["begun"] and happened["move 200"]:
            break
    assert happened["open 201"] + happened["learn 201"] >= stories, happened
    assert happened["begun"], happened
    assert happened["move 200"], happened
