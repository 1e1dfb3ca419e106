"""Registration of guests, names and profiles."""

from pathlib import Path

import pytest

from tests.support.clients import Caller, Service, done, in_process, play_to_the_end, problem

pytestmark = pytest.mark.anyio


async def test_a_guest_registers_with_a_name_only(stranger: Caller) -> None:
    answer = await stranger.post("/v1/players", {"name": "Änne 🃏"})
    guest = done(answer, 201)
    assert set(guest) == {"id", "name", "token"}
    assert answer.headers["location"] == f"/v1/players/{guest['id']}"
    assert answer.headers["cache-control"] == "no-store"
    assert done(await stranger.get(answer.headers["location"])) == {
        "id": guest["id"],
        "name": "Änne 🃏",
        "games": [],
        "results": [],
    }


@pytest.mark.parametrize(
    ("wish", "shown"),
    [("  Ann   Lee ", "Ann Lee"), ("A\u0308nne", "\u00c4nne"), ("\u0410\u043d\u043d\u0430", "\u0410\u043d\u043d\u0430")]
    + [(name, name) for name in ("👨‍👩‍👧", "❤️", "❤️‍🔥", "🇩🇪", "नमस्ते", "สวัสดี", "محمد", "Tiếng Việt", "Ира Tom")]
    # Persian and Hindi with joiners, keycaps, and the flags of England, Scotland and Wales
    + [
        (name, name)
        for name in (
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
            "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
            "क्\u200dष",
            "न्\u200d",
            "ක්\u200dෂ",
            "1️⃣",
            "#️⃣ Ann",
            "*️⃣2️⃣",
        )
    ]
    + [(name, name) for name in ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Ann", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🏴‍☠️")],
)
async def test_a_name_is_shown_composed_and_with_single_spaces(stranger: Caller, wish: str, shown: str) -> None:
    guest = done(await stranger.post("/v1/players", {"name": wish}), 201)
    assert guest["name"] == shown
    me = Caller(stranger.http, guest["token"])
    assert done(await me.get("/v1/players/me"))["name"] == shown
    assert done(await me.patch("/v1/players/me", {"name": wish}))["name"] == shown


@pytest.mark.parametrize(
    "wish",
    ["", " ", "\u00a0", "\u3000", "\u2003 ", "x" * 41, "a\nb", "\u0085", "\u2028", "\u200b", "A\u200bnn", "A\u00adnn"]
    + ["\u202eAnn", "\u2066Ann\u2069", "\ufeffAnn", "A\u200dnn", "A\ufe0fnn", "❤\u200d", "❤\ufe0f\ufe0f", "\u3164"]
    + [
        "\u115f", "\u2800", "A\u034fnn", "\U000e0041nn", "\ue000", "\u0378", "\uffff", "Z" + "\u0301\u0300" * 3,
        "\u0301a",
    ]
    + [
        # joiners where they shape nothing
        "A\u200cnn", "\u200c\u0645\u06cc", "\u0645\u06cc\u200c", "\u062f\u200c\u0645", "\u0915\u200d\u0937",
        "\u0378\u200d",
        "\u0915\u094d\u200d\u200d", "\u0915\u094d\u200d\ufe0f", "\u0645\u200c\u200c\u06cc",
        # parts of keycaps and flags, and flags that no font has
        "1\ufe0f", "A\ufe0f\u20e3", "1\ufe0f\u20e3\ufe0f", "1\ufe0f\u20e3\u200d", "\U0001f3f4\U000e0067\U000e007f",
        "\U0001f3f4\U000e0064\U000e0065\U000e0062\U000e0065\U000e007f", "\U000e0067\U000e0062\U000e007f",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067",
    ]
    + ["\u0410nn", "Ann\u03bf", "\u0391\u0410", "\ufdfa" * 41],
    ids=ascii,
)  # fmt: skip
async def test_invisible_and_misleading_names_are_rejected(ann: Caller, stranger: Caller, wish: str) -> None:
    for answer in (
        await stranger.post("/v1/players", {"name": wish}), await ann.patch("/v1/players/me", {"name": wish}),
    ):  # fmt: skip
        (fault,) = problem(answer, 400, "malformed")["errors"]
        assert fault["path"] == "$.name"


async def test_text_that_no_database_can_hold_is_no_name(stranger: Caller) -> None:
    for name in (b'"a\\u0000b"', b'"\\ud800"', b'"a\\udfff"', b'"\xed\xa0\x80"'):
        problem(await stranger.post("/v1/players", b'{"name":' + name + b"}"), 400, "malformed")


async def test_a_profile_counts_the_games_of_a_player(
    service: Service, ruleset: str, players: list[Caller], game: str
) -> None:
    await play_to_the_end(players, game)
    await service.table(ruleset, players)
    await players[0].open(ruleset, sit=False)  # opened, not played
    games = done(await service.stranger.get(f"/v1/players/{players[0].id}"))["games"]
    assert {(each["status"], each["games"]) for each in games} == {("finished", 1), ("running", 1)}


async def test_private_games_count_in_the_own_profile_only(ann: Caller, bob: Caller, ruleset: str) -> None:
    await ann.open(ruleset, private=True)
    assert [each["games"] for each in done(await ann.get("/v1/players/me"))["games"]] == [1]
    assert [each["games"] for each in done(await ann.get(f"/v1/players/{ann.id}"))["games"]] == [1]
    assert done(await bob.get(f"/v1/players/{ann.id}"))["games"] == []


async def test_only_the_owner_can_read_the_key_file(database: Path) -> None:
    async with in_process(database):
        assert database.with_suffix(".key").stat().st_mode & 0o777 == 0o600


async def test_a_token_of_another_installation_is_rejected(database: Path, ann: Caller) -> None:
    async with in_process(database) as elsewhere:
        problem(await ann.at(elsewhere).get("/v1/players/me"), 401, "unauthenticated")
