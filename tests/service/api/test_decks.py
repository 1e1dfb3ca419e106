"""Decks of the operator's own, from a folder: offered, chosen, recorded in the game; and what is wrong with one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.fairness.record import decode
from domain.fairness.verification import verify
from domain.game import Rules
from domain.messages import pascal
from domain.rulesets import RULESETS
from service import settings
from service.__main__ import main
from service.app import create_app
from service.settings import InvalidSettings
from tests.support.clients import done, fewest, in_process, play_to_the_end, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

Json = dict[str, Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "decks"
    made.mkdir()
    return made


@pytest.fixture
def own(rules: Rules) -> Json:
    """The deck that comes with us, under another name."""
    shipped: Json = msgspec.json.decode(msgspec.json.encode(next(iter(rules.decks.values())).data))
    return shipped | {"name": "mine", "provenance": "From the printed game on my shelf."}


def write(file: Path, deck: Json) -> Path:
    file.write_bytes(msgspec.json.encode(deck))
    return file


async def test_a_deck_in_the_folder_is_offered_and_chosen(
    database: Path, folder: Path, rules: Rules, own: Json
) -> None:
    write(folder / "any name.json", own)
    (folder / "notes.txt").write_text("not a deck")
    path = f"/v1/rulesets/{rules.name}"
    async with in_process(database, decks=folder) as service:
        ann = await service.guest("Ann")
        named = [deck["name"] for deck in done(await ann.get(path))["decks"]]
        assert named == [*rules.decks, "mine"]
        assert done(await ann.get(f"{path}/decks/mine")) == own
        opened = await ann.look(await ann.open(rules.name, deck="mine"))
        assert opened["deck"] == {"name": "mine", "provenance": own["provenance"]}
        refused = await ann.post(f"/v1/games/{rules.name}", {"seats": fewest(rules.name), "deck": "hers"})
        assert problem(refused, 400, "malformed")["errors"][0]["path"] == "$.deck"
        for other in RULESETS.keys() - {rules.name}:
            assert [deck["name"] for deck in done(await ann.get(f"/v1/rulesets/{other}"))["decks"]] != named


@pytest.mark.checked
async def test_the_document_lists_the_decks_of_the_folder(
    database: Path, folder: Path, rules: Rules, own: Json
) -> None:
    write(folder / "mine.json", own)
    async with in_process(database, decks=folder) as service:
        schemas = done(await service.stranger.get("/schema/openapi.json"))["components"]["schemas"]
        names = schemas[f"{pascal(rules.name)}GameRequest"]["properties"]["deck"]["enum"]
        assert sorted(names) == sorted([*rules.decks, "mine"])


async def test_a_game_goes_on_and_verifies_when_its_file_has_gone(
    database: Path, folder: Path, rules: Rules, own: Json
) -> None:
    file = write(folder / "mine.json", own)
    async with in_process(database, decks=folder) as service:
        ann = await service.guest("Ann")
        game = await ann.open(rules.name, hotseat=True, deck="mine")
        await ann.move(game, (await ann.look(game))["legal_moves"][0])
    file.unlink()
    async with in_process(database) as service:
        ann = ann.at(service)
        refused = await ann.post(f"/v1/games/{rules.name}", {"seats": fewest(rules.name), "deck": "mine"})
        problem(refused, 400, "malformed")
        assert (await ann.look(game))["deck"]["name"] == "mine"
        await play_to_the_end([ann] * fewest(rules.name), game)
        record = await ann.get(f"{game}/record")
        assert (
            record.json()["deck"]["cards" if "cards" in own else "name"] == own["cards" if "cards" in own else "name"]
        )
        assert all(check.ok for check in verify(decode(record.content)))


def faults(own: Json) -> dict[str, tuple[bytes, str]]:
    """Files that are no decks, and what must be said of them."""
    text = msgspec.json.encode
    return {
        "no JSON": (b"{", "Input data was truncated"),
        "no object": (b"[]", "Expected `object`, got `array`"),
        "no text": (b'{"ruleset":"\xff"}', "invalid"),
        "nested": (b'{"ruleset":' + b"[" * 100_000, ""),
        "no ruleset": (text({"name": "mine"}), "missing required field `ruleset`"),
        "another ruleset": (text(own | {"ruleset": "chess"}), "there is no ruleset 'chess'; the rulesets are skyjo, "),
        "a name in capitals": (text(own | {"name": "Mine"}), "- at `$.name`"),
        "an unknown field": (text(own | {"colour": "red"}), "unknown field `colour`"),
        "no provenance": (text({key: own[key] for key in own if key != "provenance"}), "missing required field"),
        "too large": (text(own | {"provenance": "x" * 300_000}), "at most 256 KiB"),
        "a name that is taken": (text(own | {"name": next(iter(RULESETS[own["ruleset"]].decks))}), "already"),
    }


@pytest.mark.parametrize("fault", faults({"ruleset": "skyjo"}))
def test_the_service_does_not_start_with_a_faulty_deck_and_says_why(
    fault: str, database: Path, folder: Path, own: Json
) -> None:
    text, told = faults(own)[fault]
    (folder / "mine.json").write_bytes(text)
    with pytest.raises(InvalidSettings, match=r"mine\.json: ") as raised:
        create_app(settings.read({}, database=str(database), decks=str(folder)))
    assert told in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


def test_a_folder_that_is_missing_is_named(database: Path) -> None:
    with pytest.raises(InvalidSettings, match="STAMMTISCH_DECKS: '/missing' is not a folder"):
        create_app(settings.read({}, database=str(database), decks="/missing"))


# --- the command line ---


@pytest.fixture
def stammtisch(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def run(*arguments: object) -> tuple[int, str]:
        status = main([*map(str, arguments)])
        told = capsys.readouterr()
        return status, told.out + told.err

    return run


def test_a_deck_that_is_shown_can_be_changed_and_checked(
    stammtisch: Callable[..., tuple[int, str]], folder: Path, rules: Rules
) -> None:
    status, shown = stammtisch("deck", "show", rules.name)
    assert status == 0
    file = write(folder / "mine.json", msgspec.json.decode(shown) | {"name": "mine"})
    status, told = stammtisch("deck", "check", file)
    assert (status, told.partition(", for ")[0]) == (0, f"{file}: deck 'mine' of {rules.name}")
    assert told.endswith(f"{rules.seats[-1]} players\n")


def test_each_faulty_file_is_named_and_so_are_the_good_ones(
    stammtisch: Callable[..., tuple[int, str]], folder: Path, own: Json
) -> None:
    good, bad = write(folder / "good.json", own), write(folder / "bad.json", own | {"name": ""})
    status, told = stammtisch("deck", "check", bad, good, folder / "none.json")
    assert status == 1
    assert [line.partition(": ")[0] for line in told.splitlines()] == [str(bad), str(good), str(folder / "none.json")]


def test_the_schema_of_deck_files_is_written_down(stammtisch: Callable[..., tuple[int, str]], rules: Rules) -> None:
    status, told = stammtisch("deck", "schema", rules.name)
    assert status == 0
    definitions = msgspec.json.decode(told)["$defs"]
    assert any({"ruleset", "name", "provenance"} <= set(each.get("properties", ())) for each in definitions.values())


def test_an_unknown_ruleset_or_deck_is_refused(stammtisch: Callable[..., tuple[int, str]]) -> None:
    name = next(iter(RULESETS))
    assert stammtisch("deck", "show", "chess")[0] == stammtisch("deck", "schema", "chess")[0] == 2
    assert stammtisch("deck", "show", name, "none")[0] == 2
