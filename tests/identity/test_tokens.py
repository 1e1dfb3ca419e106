"""Tokens that an integrating site signs for its users, and tokens that nobody should believe."""

import hmac
import re
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import quote

import jwt
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from domain.rulesets import RULESETS
from service.identity import tokens
from service.identity.tokens import MAX_TOKEN, Tokens, Unauthenticated, site_keys
from service.live.subscriptions import Subscriptions
from service.settings import InvalidSettings, read
from tests.support.clients import Caller, Service, done, fewest, in_process, problem

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

SHARED = "a secret that the site and the service share"
HEADER = {"alg": "HS256", "typ": "JWT"}


class Key(NamedTuple):
    """What a site signs with, and what the operator configures."""

    algorithm: str
    signing: Any
    configured: str


def public(algorithm: str, private: Any) -> Key:
    pem = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return Key(algorithm, private, pem.decode())


KEYS = {
    "HS256": lambda: Key("HS256", SHARED, SHARED),
    "RS256": lambda: public("RS256", rsa.generate_private_key(65537, 2048)),
    "ES256": lambda: public("ES256", ec.generate_private_key(ec.SECP256R1())),
    "EdDSA": lambda: public("EdDSA", ed25519.Ed25519PrivateKey.generate()),
}


@pytest.fixture(scope="session", params=KEYS)
def key(request: pytest.FixtureRequest) -> Key:
    return KEYS[request.param]()


@pytest.fixture(scope="session")
async def house(key: Key, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    """A service that trusts the site."""
    database = tmp_path_factory.mktemp("site") / "games.db"
    async with in_process(database, issuer_key=key.configured, issuer="https://club.example") as running:
        yield running


by_any_site = pytest.mark.parametrize("key", ["HS256"], indirect=True)
"""Where the kind of key makes no difference."""


def claims(**changed: Any) -> dict[str, Any]:
    """What a site says of its user. None: it does not say it."""
    said = {"iss": "https://club.example", "sub": "user|17", "name": "Uwe", "exp": time.time() + 60, **changed}
    return {name: value for name, value in said.items() if value is not None}


def signed(key: Key, **changed: Any) -> str:
    return jwt.encode(claims(**changed), key.signing, algorithm=key.algorithm)


def by_hand(header: Any, payload: Any, secret: bytes = b"") -> str:
    """A token that no library would make, signed with HMAC."""
    parts = [part if isinstance(part, bytes) else msgspec.json.encode(part) for part in (header, payload)]
    text = b".".join(urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    signature = hmac.digest(secret, text, "sha256") if secret else b""
    return (text + b"." + urlsafe_b64encode(signature).rstrip(b"=")).decode()


async def asks(service: Service, token: str) -> Any:
    return await Caller(service.http, token).get("/v1/players/me")


async def disbelieved(service: Service, token: str) -> None:
    """It is refused everywhere, also where no token is needed; and no response contains what was in it."""
    problem(await asks(service, token), 401, "unauthenticated")
    problem(await Caller(service.http, token).get("/v1/games"), 401, "unauthenticated")


async def test_a_user_of_the_site_plays_without_registering(house: Service, key: Key) -> None:
    uwe = Caller(house.http, signed(key), id="site:user|17")
    assert done(await uwe.get("/v1/players/me")) == {"id": uwe.id, "name": "Uwe", "games": [], "results": []}
    ann = await house.guest("Ann")
    for ruleset in RULESETS:
        game = await house.table(ruleset, [ann, uwe, *await house.guests(*["Cem"] * (fewest(ruleset) - 2))])
        assert (await uwe.look(game))["seats"][1]["player"] == {"id": uwe.id, "name": "Uwe"}
        assert (await ann.look(game))["you"] == 0
    for written in ("site:user%7C17", "site%3Auser%7C17", "site%3auser|17"):
        assert done(await ann.get(f"/v1/players/{written}"))["name"] == "Uwe"
    problem(await ann.get("/v1/players/user%7C17"), 404, "not-found")
    found = await ann.every("/v1/games", player=uwe.id)
    assert len(found) == len(RULESETS)


async def test_the_site_names_its_users_and_nobody_else_does(house: Service, key: Key) -> None:
    uwe = Caller(house.http, signed(key, sub="user|18"))
    problem(await uwe.patch("/v1/players/me", {"name": "Otto"}), 403, "forbidden")
    assert done(await uwe.get("/v1/players/me"))["name"] == "Uwe"
    assert done(await asks(house, signed(key, sub="user|18", name=None)))["name"] == "user|18"


@by_any_site
async def test_a_subject_may_be_as_long_as_is_told_and_is_found_like_any_other(house: Service, key: Key) -> None:
    subject = "U" + "._:@|-aZ9" * 14 + "x"
    assert len(subject) == 128
    uwe = Caller(house.http, signed(key, sub=subject), id=f"site:{subject}")
    assert done(await uwe.get("/v1/players/me"))["id"] == uwe.id
    game = await uwe.open(next(iter(RULESETS)))
    stranger = house.stranger
    assert done(await stranger.get(f"/v1/players/{quote(uwe.id, safe='')}"))["id"] == uwe.id
    (listed,) = await stranger.every("/v1/games", player=uwe.id)
    assert game.endswith(listed["id"])
    again = await uwe.post(game.rpartition("/")[0], {"seats": 3, "sit": False}, headers={"Idempotency-Key": "k"})
    assert done(again, 201)["id"] != listed["id"]


@by_any_site
@pytest.mark.parametrize("private", [True, False])
async def test_a_site_cannot_speak_for_a_guest_whose_id_it_knows(house: Service, key: Key, private: bool) -> None:
    ann = await house.guest("Ann")
    game = await ann.open(next(iter(RULESETS)), private=private)
    eve = Caller(house.http, signed(key, sub=ann.id, name="Ann"))
    assert done(await eve.get("/v1/players/me")) == {"id": f"site:{ann.id}", "name": "Ann", "games": [], "results": []}
    seen = await eve.get(game)
    if private:
        problem(seen, 404, "not-found")
    else:
        assert done(seen)["you"] is None
    stood = await eve.delete(f"{game}/seats/0")
    problem(stood, *((404, "not-found") if private else (403, "not-seated")))
    renamed = await eve.patch("/v1/players/me", {"name": "Eve"})
    problem(renamed, 403, "forbidden")
    assert set(renamed.json()) == {"type", "title", "status", "detail"}
    assert done(await ann.get("/v1/players/me"))["name"] == "Ann"
    assert (await ann.look(game))["you"] == 0


@by_any_site
async def test_a_site_cannot_speak_for_the_players_of_another_namespace(database: Path, key: Key) -> None:
    """Nor for itself under the former one."""
    async with in_process(database, issuer_key=SHARED, issuer_namespace="club-1") as house:
        uwe = Caller(house.http, signed(key, sub="17"))
        assert done(await uwe.get("/v1/players/me"))["id"] == "club-1:17"
        game = await uwe.open(next(iter(RULESETS)), private=True)
    async with in_process(database, issuer_key=SHARED, issuer_namespace="club") as house:
        for subject in ("17", "club-1:17", "1:17", "-1:17"):
            eve = Caller(house.http, signed(key, sub=subject))
            assert (await eve.get(game)).status_code in (401, 404)


@pytest.mark.parametrize("namespace", ["", "bot", "a:b", "Site", "1a", "-", "a b", "a" * 33, "site\n", "ä"])
def test_a_namespace_is_a_short_plain_word(namespace: str) -> None:
    with pytest.raises(InvalidSettings, match="STAMMTISCH_ISSUER_NAMESPACE"):
        read({}, issuer_namespace=namespace)


def test_the_site_must_not_sign_with_our_secret() -> None:
    """It could sign tokens of ours."""
    for ours, theirs in ((SHARED, SHARED), (f"{'x' * 32}\n{SHARED}", f"{'y' * 32}\n{SHARED}")):
        with pytest.raises(InvalidSettings, match="STAMMTISCH_ISSUER_KEY"):
            Tokens(read({}, secret=ours, issuer_key=theirs))


def test_a_token_of_ours_is_a_guests() -> None:
    tokens = Tokens(read({}, secret=SHARED))
    for subject in ("site:17", "user", "127.0.0.1", "3DFBA943-F75F-4660-8892-3587FE466175"):
        forged = jwt.encode(claims(iss="stammtisch", sub=subject), SHARED, algorithm="HS256")
        with pytest.raises(Unauthenticated):
            tokens.read(forged)


@by_any_site
async def test_the_budget_of_an_issued_player_is_nobody_elses(database: Path, key: Key) -> None:
    """Whatever the subject says: not an address's, a guest's or another player's."""
    async with in_process(database, issuer_key=SHARED, rate_limit="1/50", registration_rate_limit="off") as house:
        ann = await house.guest("Ann")
        for subject in ("127.0.0.1", ann.id, "address:127.0.0.1", f"player:{ann.id}"):
            eve = Caller(house.http, signed(key, sub=subject, name="Eve"))
            while (answer := await eve.get("/v1/rulesets")).status_code != 429:
                assert answer.status_code == 200
        for who in (house.stranger, ann):
            left = re.search("r=([0-9]+)", (await who.get("/v1/rulesets")).headers["ratelimit"])
            assert left is not None and int(left[1]) >= 48


@by_any_site
async def test_the_streams_of_an_issued_player_are_nobody_elses(database: Path, key: Key) -> None:
    async with in_process(database, issuer_key=SHARED) as house:
        ann = await house.guest("Ann")
    hub = Subscriptions(per_caller=1)
    for subject in ("127.0.0.1", ann.id):
        player = Tokens(read({}, secret=SHARED[::-1], issuer_key=SHARED)).read(signed(key, sub=subject)).id
        with ExitStack() as streams:
            for who in (player, None, ann.id):
                streams.enter_context(hub.subscribe("game", who, "127.0.0.1"))
            assert hub.open == 3
    with hub.subscribe("game", "127.0.0.1", "192.0.2.1"), hub.subscribe("game", None, "127.0.0.1"):
        assert hub.open == 2


async def test_a_token_must_be_in_force_of_the_site_and_signed_with_its_key(house: Service, key: Key) -> None:
    done(await asks(house, signed(key, iat=time.time() + 60)))  # the clock of the site may be ahead
    for wrong in (
        {"exp": time.time() - 1}, {"exp": None}, {"exp": "soon"}, {"nbf": time.time() + 60}, {"iss": None},
        {"iss": "https://elsewhere.example"}, {"iss": ""}, {"iss": "stammtisch"},
    ):  # fmt: skip
        await disbelieved(house, signed(key, **wrong))
    other = KEYS[key.algorithm]()
    await disbelieved(house, signed(other._replace(signing=SHARED[::-1]) if other.signing == SHARED else other))
    first, _, _ = signed(key).rpartition(".")
    await disbelieved(house, f"{first}.")
    await disbelieved(house, f"{first}.{signed(key, sub='other').rpartition('.')[2]}")
    telling = by_hand(HEADER, claims(sub="a-telling-name"), b"wrong")
    refused = await asks(house, telling)
    assert "a-telling-name" not in refused.text and telling not in refused.text


@by_any_site
async def test_a_token_that_was_believed_is_not_after_it_has_expired(
    house: Service, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = signed(key, exp=int(time.time()) + 600)
    done(await asks(house, token))
    assert (await Caller(house.http, token).get("/v1/games")).status_code == 200
    later = time.time() + 601
    monkeypatch.setattr(tokens, "time", SimpleNamespace(time=lambda: later))
    monkeypatch.setattr("jwt.api_jwt.datetime", SimpleNamespace(now=lambda tz: datetime.fromtimestamp(later, tz)))
    await disbelieved(house, token)


async def test_the_key_decides_on_the_algorithm_and_never_the_token(house: Service, key: Key) -> None:
    await disbelieved(house, jwt.encode(claims(), None, algorithm="none"))
    await disbelieved(house, by_hand({"alg": "None", "typ": "JWT"}, claims()))
    for other in KEYS.values():
        stranger = other()
        if stranger.algorithm != key.algorithm:
            await disbelieved(house, signed(stranger))
    if key.algorithm != "HS256":  # the public key is no shared secret
        for secret in (key.configured, key.configured.strip()):
            await disbelieved(house, by_hand(HEADER, claims(), secret.encode()))
    else:
        for algorithm in ("HS384", "HS512"):
            await disbelieved(house, jwt.encode(claims(), SHARED * 2, algorithm=algorithm))


@by_any_site
@pytest.mark.parametrize("sub", [None, "", " ", "a b", "x" * 129, "-a", "a/b", "é", "a\n", "a\0", 17, ["a"], {}])
async def test_a_player_id_is_a_plain_word(house: Service, sub: Any) -> None:
    await disbelieved(house, by_hand(HEADER, claims(sub=sub), SHARED.encode()))


@by_any_site
@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\nb", "a\0b", "\u2028", "\u202eUwe", "\u200b", 17, ["Uwe"]])
async def test_a_site_names_its_users_as_guests_may_be_named(house: Service, name: Any) -> None:
    await disbelieved(house, by_hand(HEADER, claims(name=name), SHARED.encode()))


@pytest.mark.parametrize(
    "configured",
    [
        "too short", "-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----",
        public("ES256", ec.generate_private_key(ec.SECP384R1())).configured,
        public("EdDSA", ed448.Ed448PrivateKey.generate()).configured,
    ],
    ids=["short", "nonsense", "other curve", "other kind"],
)  # fmt: skip
def test_a_key_that_cannot_be_used_is_refused_at_the_start(configured: str) -> None:
    with pytest.raises(InvalidSettings, match="STAMMTISCH_ISSUER_KEY"):
        site_keys(configured)


async def test_a_site_may_have_several_keys_of_several_kinds(database: Path) -> None:
    keys = [make() for make in KEYS.values()]
    unknown = KEYS["ES256"]()
    async with in_process(database, issuer_key="\n".join(key.configured for key in keys)) as house:
        for number, key in enumerate(keys):
            assert done(await asks(house, signed(key, sub=f"user{number}")))["id"] == f"site:user{number}"
            assert (
                done(await asks(house, jwt.encode(claims(), key.signing, key.algorithm, {"kid": "any"})))["name"]
                == "Uwe"
            )
            problem(await asks(house, signed(key, exp=1)), 401, "unauthenticated")
        await disbelieved(house, signed(unknown))
        await disbelieved(house, jwt.encode(claims(), None, algorithm="none"))
        for public_key in keys[1:]:
            await disbelieved(house, by_hand(HEADER, claims(), public_key.configured.encode()))


async def test_our_secret_is_changed_while_tokens_are_about(database: Path) -> None:
    old, new = "the old secret " * 3, "the new secret " * 3
    async with in_process(database, secret=old) as house:
        ann = await house.guest("Ann")
    async with in_process(database, secret=f"{new}\n{old}\n") as house:
        assert done(await ann.at(house).get("/v1/players/me"))["name"] == "Ann"
        bob = await house.guest("Bob")
    async with in_process(database, secret=new) as house:
        assert done(await bob.at(house).get("/v1/players/me"))["name"] == "Bob"
        await disbelieved(house, ann.token)
    async with in_process(database, secret=old) as house:
        await disbelieved(house, bob.token)


async def test_without_a_site_only_our_own_tokens_count(service: Service) -> None:
    await disbelieved(service, signed(KEYS["HS256"]()))
    await disbelieved(service, jwt.encode(claims(iss="stammtisch"), SHARED, algorithm="HS256"))
    await disbelieved(service, jwt.encode(claims(iss="stammtisch"), None, algorithm="none"))


OURS = {"iss": "stammtisch"}


@pytest.mark.parametrize(
    "token",
    [
        "", "x", "a.b.c", "a.b.c.d", "é", "\xff\xfe", "x" * 10_000, ".." , "null",
        by_hand(HEADER, b"[" * 20_000), by_hand(b"[" * 20_000, OURS), by_hand(HEADER, b'{"iss":' * 10_000),
        by_hand(HEADER, []), by_hand(HEADER, None), by_hand(HEADER, b"\xff"), by_hand(b"\xff", OURS), by_hand([], OURS),
        by_hand(HEADER, b'{"iss":' + b"9" * 5000 + b"}"), by_hand(HEADER, {"iss": {"a": 1}}),
        by_hand({"alg": ["HS256"]}, OURS), by_hand({"alg": {}}, OURS), by_hand({"alg": None}, OURS), by_hand({}, OURS),
        by_hand({"alg": "HS256", "kid": 1}, OURS), by_hand({"alg": "HS256", "crit": 1}, OURS),
        by_hand({"alg": "HS256", "b64": False}, OURS),
    ],
    ids=lambda token: repr(token[:24]),
)  # fmt: skip
async def test_no_token_however_odd_is_more_than_refused(service: Service, token: str) -> None:
    for scheme in ("Bearer ", "bearer ", "Basic ", ""):
        headers = [("Authorization", (scheme + token).encode("latin-1"))]
        problem(await service.stranger.get("/v1/players/me", headers=headers), 401, "unauthenticated")


@by_any_site
async def test_not_even_the_site_makes_us_stumble(house: Service, key: Key) -> None:
    for claim in ("exp", "nbf", "iat"):
        for value in (b"1e400", b"Infinity", b"NaN", b"-1", b"1.5", b"true", b'"x"', b"[]", b"9" * 30, b"9" * 400):
            payload = msgspec.json.encode(claims() | {claim: 0})
            marked = b'"%b":' % claim.encode()
            token = by_hand(HEADER, payload.replace(marked + b"0", marked + value), key.signing.encode())
            assert (await asks(house, token)).status_code in (200, 401), (claim, value)
    done(await asks(house, by_hand(HEADER, msgspec.json.encode(claims()), key.signing.encode())))


@by_any_site
async def test_times_that_no_clock_can_show_are_refused(house: Service, key: Key) -> None:
    """In milliseconds, for example. Such an `iat` would keep later tokens from changing the name for ever."""
    for claim, value in (("exp", 253_402_300_800), ("exp", 10**15), ("iat", time.time() * 1000)):
        await disbelieved(house, signed(key, **{claim: value}))
    done(await asks(house, signed(key, exp=253_402_300_799)))
    done(await asks(house, signed(key, iat=time.time() + 3600, name="Uwe B.")))
    assert done(await asks(house, signed(key, iat=time.time() + 3601, name="Uwe C.")))["name"] == "Uwe C."


@pytest.mark.parametrize("content", [b"short", b"\xff\xfe" * 30, b"", b"x" * 40 + b"\nshort"])
def test_a_damaged_file_of_the_secret_is_named(tmp_path: Path, content: bytes) -> None:
    """And not the setting, which is not used."""
    given = read({}, database=str(tmp_path / "games.db"))
    given.key_path.write_bytes(content)
    with pytest.raises(InvalidSettings, match="the file of the secret is damaged") as refused:
        Tokens(given)
    assert str(given.key_path) in str(refused.value)
    assert "STAMMTISCH_SECRET" not in str(refused.value)


@by_any_site
async def test_a_token_has_a_size(house: Service, key: Key) -> None:
    """It is read before anything is counted, so it must not take long."""
    later = time.time() + 60  # the same in all, for times differ in their digits
    room = (MAX_TOKEN - len(signed(key, exp=later, more=""))) * 3 // 4
    done(await asks(house, signed(key, exp=later, more="x" * (room - 3))))
    refused = await asks(house, signed(key, exp=later, more="x" * (room + 3)))
    assert problem(refused, 401, "unauthenticated")["detail"] == f"The token has more than {MAX_TOKEN} characters."
