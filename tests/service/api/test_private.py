"""Private games: only members and holders of the invite code can see and join them."""

import hmac
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import asdict, replace

from domain.codec import encode
from domain.fairness import record
from domain.fairness.verification import verify
from domain.game.log import Stored
from domain.rulesets import RULESETS
from service.cli.database import open_store
from service.cli.export import export_games
from service.cli.import_ import import_games
from service.games.topics import tag
from service.log.mapper import Row
from service.settings import read
from tests.support.clients import Caller, done, in_process, play_to_the_end, problem
from tests.verifiers import samples

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

NOWHERE = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"


@pytest.fixture
async def private(players: list[Caller], ruleset: str) -> str:
    """Opened by Ann; the others are not there yet."""
    return await players[0].open(ruleset, private=True)


async def invite(member: Caller, game: str) -> str:
    code: str = (await member.look(game))["invite"]
    return code


async def test_the_invite_lets_a_caller_see_and_join_the_game(
    players: list[Caller], stranger: Caller, private: str
) -> None:
    code = await invite(players[0], private)
    assert "invite" not in await stranger.look(private, invite=code)
    for player in players[1:]:
        assert "invite" not in await player.look(private, invite=code)
        assert (await player.sit(private, invite=code))["invite"] == code
        assert (await player.look(private))["invite"] == code
    assert (await stranger.look(private, invite=code))["status"] == "running"
    assert len(await stranger.events(private, invite=code, limit=2)) > 2


async def test_an_invite_opens_one_game_only_and_nothing_else_of_it(
    ann: Caller, bob: Caller, private: str, ruleset: str
) -> None:
    other = await ann.open(ruleset, private=True)
    code = await invite(ann, private)
    assert code != await invite(ann, other)
    problem(await bob.get(other, invite=code), 404, "not-found")
    problem(await bob.get(private, invite=code, as_=0), 403, "forbidden")
    problem(await bob.get(private, invite=code, as_="all"), 403, "forbidden")
    problem(await bob.get(f"{private}/moves", invite=code), 403, "not-seated")
    problem(await bob.delete(f"{private}/seats/0", invite=code), 403, "not-seated")


async def test_a_private_game_stays_private_when_it_is_over(
    players: list[Caller], eve: Caller, stranger: Caller, private: str
) -> None:
    code = await invite(players[0], private)
    for player in players[1:]:
        await player.sit(private, invite=code)
    await play_to_the_end(players, private)
    for who in (eve, stranger):
        problem(await who.get(private), 404, "not-found")
        problem(await who.get(f"{private}/events"), 404, "not-found")
        assert (await who.look(private, invite=code, as_="all"))["status"] == "finished"


async def test_the_lobby_lists_a_private_game_for_its_members_only(
    players: list[Caller], eve: Caller, stranger: Caller, private: str, ruleset: str
) -> None:
    ann, bob = players[:2]

    async def listed(who: Caller) -> bool:
        """Whatever is asked for."""
        wishes = ({}, {"player": ann.id}, {"ruleset": ruleset}, {"player": ann.id, "open": "true"})
        pages = [await who.every("/v1/games", limit=100, **wish) for wish in wishes]
        return any(f"{each['ruleset']}/{each['id']}" in private for page in pages for each in page)

    assert await listed(ann)
    assert not any([await listed(who) for who in (bob, eve, stranger)])
    await bob.sit(private, invite=await invite(ann, private))
    assert await listed(bob)
    assert not any([await listed(who) for who in (eve, stranger)])
    for item in await ann.every("/v1/games", player=ann.id):
        assert "invite" not in item


async def test_an_invite_cannot_be_derived_from_public_data(players: list[Caller], private: str) -> None:
    code = await invite(players[0], private)
    for player in players[1:]:
        await player.sit(private, invite=code)
    await play_to_the_end(players, private)
    record = done(await players[0].get(f"{private}/record"))
    assert code not in str(record)
    secret = bytes.fromhex(record["secret"])
    assert code != hmac.digest(secret, b"invite", "sha256").hex()[:32]
    assert (await players[0].look(private))["invite"] == code


async def test_an_imported_private_game_has_an_invite_of_its_own(tmp_path: Path, database: Path, ruleset: str) -> None:
    async with in_process(database, secret="x" * 32) as house:
        (ann,) = await house.guests("Ann")
        game = await ann.open(ruleset, private=True, hotseat=True)
        code = await invite(ann, game)
        await play_to_the_end([ann] * 5, game)
    file, elsewhere = str(tmp_path / "games.ndjson"), tmp_path / "elsewhere.db"
    assert (await export_games(read({}, database=str(database)), [], file)).games == 1
    assert code not in Path(file).read_text()  # noqa: ASYNC240
    assert (await import_games(read({}, database=str(elsewhere)), [file])).games == 1
    new = ""
    for _ in range(2):  # also after a restart
        async with in_process(elsewhere, secret="x" * 32) as house:
            problem(await house.stranger.get(game), 404, "not-found")
            problem(await house.stranger.get(game, invite=code), 404, "not-found")
            again = await invite(ann.at(house), game)
            assert new in ("", again)
            new = again
            assert (await house.stranger.look(game, invite=new))["imported"] is True


async def test_an_invite_follows_the_pages_of_events_and_is_not_let_out_of_a_url(
    ann: Caller, stranger: Caller, private: str, ruleset: str
) -> None:
    code = await invite(ann, private)
    page = done(await stranger.get(f"{private}/events", invite=code, limit=1))
    assert len(done(await stranger.get(page["next"]))["items"]) == 1
    # In a public game an invite means nothing, whatever is in it.
    public = await ann.open(ruleset)
    for odd in ("x\r\nSet-Cookie: a=b", "€", "a&as=all", 'x>; rel="next"', "a b"):
        answer = await stranger.get(f"{public}/events", invite=odd, limit=1)
        assert len(done(await stranger.get(done(answer)["next"]))["items"]) == 1
        link = answer.headers["link"]
        assert link == f'<{answer.json()["next"]}>; rel="next"'
        assert link.isascii()
        assert not any(sign in answer.json()["next"] for sign in '\r\n <>"')
        assert "set-cookie" not in answer.headers


# --- the invite in a header ---------------------------------------------------------------------------------------


async def test_the_invite_can_be_sent_in_a_header(players: list[Caller], stranger: Caller, private: str) -> None:
    code = await invite(players[0], private)
    headers = {"Invite": code}
    for player in players[1:]:
        assert (await player.get(private, headers=headers)).content == (await player.get(private, invite=code)).content
        assert done(await player.post(f"{private}/seats", {}, headers=headers))["invite"] == code
    assert done(await stranger.get(private, headers=headers))["status"] == "running"
    for path in ("/events", "/record", "/audit"):
        by_header = await stranger.get(f"{private}{path}", headers=headers)
        by_query = await stranger.get(f"{private}{path}", invite=code)
        assert (by_header.status_code, by_header.headers["content-type"]) == (
            by_query.status_code,
            by_query.headers["content-type"],
        )
        assert by_header.status_code != 404


async def test_a_wrong_header_opens_nothing(players: list[Caller], eve: Caller, private: str) -> None:
    nowhere = f"{private.rpartition('/')[0]}/{NOWHERE}"
    code = await invite(players[0], private)
    for sent in ("0" * 32, code[:-1], code.upper() + "x"):
        headers = {"Invite": sent}
        found = [await eve.get(place, headers=headers) for place in (private, nowhere)]
        assert found[0].status_code == 404
        assert found[0].content == found[1].content
        problem(await eve.get(private, headers=headers, invite=code), 404, "not-found")
        assert done(await eve.get(private, headers={"Invite": code}, invite=sent))["private"]


@pytest.mark.parametrize("sent", ["", "x" * 65, "a b", "a\tb"])
async def test_a_malformed_header_is_refused(eve: Caller, private: str, sent: str) -> None:
    problem(await eve.get(private, headers={"Invite": sent}), 400, "malformed")


async def test_pages_that_are_read_with_the_header_have_no_invite_in_their_links(
    players: list[Caller], stranger: Caller, private: str
) -> None:
    code = await invite(players[0], private)
    page = done(await stranger.get(f"{private}/events", headers={"Invite": code}, limit=1))
    assert page["next"] is not None
    assert code not in page["next"]
    assert code in done(await stranger.get(f"{private}/events", invite=code, limit=1))["next"]
    answer = await stranger.get(f"{private}/events", headers={"Invite": code}, limit=1)
    assert "Invite" in answer.headers["vary"]


# --- common deals -------------------------------------------------------------------------------------------------


async def test_cards_of_a_common_deal_stay_hidden_until_its_secret_is_revealed(database: Path, ruleset: str) -> None:
    """Also when the game is over: at other tables the same cards are still being played."""
    rules = RULESETS[ruleset]
    async with in_process(database) as service:
        ann = await service.guest("Ann")
    text = encode(samples.with_deal(rules)["deal"]).replace(b'"deal 0"', b'"%b"' % ann.id.encode())
    whole = record.hashed(record.decode(text))
    seen = record.seen(rules, replace(whole, events=whole.events[:-1]), 0)
    rows = [Row(whole.id, each.version, f"{rules.rules}.{tag(each.event)}", Stored(**asdict(each)))
            for each in whole.events]  # fmt: skip
    game = f"/v1/games/{ruleset}/{whole.id}"
    async with open_store(read({}, database=str(database))) as store:
        await store.append(rows[:-1])
    async with in_process(database) as service:
        ann, eve = ann.at(service), await service.guest("Eve")
        over = await ann.look(game)
        assert (over["status"], over["you"], over["deal"]["id"]) == ("finished", 0, samples.DEAL.id)
        assert over["result"] is not None
        for query in ({"as_": "all"}, {"as_": "1"}, {"as_": "all", "at": 8}):
            problem(await ann.get(game, **query), 403, "forbidden")
        for part in ("events", "record"):
            problem(await ann.get(f"{game}/{part}", as_="all"), 403, "forbidden")
        assert await ann.events(game) == msgspec.json.decode(encode(seen.events))
        redacted = done(await ann.get(f"{game}/record"))
        assert (redacted["secret"], redacted["events"]) == (None, msgspec.json.decode(encode(seen.events)))
        problem(await ann.get(f"{game}/film"), 409, "not-finished")
        problem(await ann.post(f"{game}/branches", {"at": 8}), 409, "not-finished")
        for part in ("", "/events", "/record", "/film"):
            problem(await eve.get(f"{game}{part}"), 404, "not-found")
    async with open_store(read({}, database=str(database))) as store:
        await store.append(rows[-1:])
    async with in_process(database) as service:
        ann = ann.at(service)
        assert "deal" not in await ann.look(game)
        assert done(await ann.get(game, as_="all"))["view"] is not None
        opened = record.decode((await ann.get(f"{game}/record")).content)
        assert all(check.ok for check in verify(opened)), verify(opened)
