"""Signed tokens (JWT). The claim `sub` identifies the player.

The service issues tokens to guests, with their id as `sub`. An integrating site may sign tokens for its own players
with a key that the operator configures; their ids are `namespace:sub`, and the claim `name` is their display name. With
the claim `"bot": true` the id is `namespace:bot:sub`. The key determines the algorithm, never the token. Both issuers
may have several keys, so that keys can be rotated while tokens are valid.
"""

import contextlib
import os
import re
import secrets
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any, NamedTuple

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from domain.player import BOT, SUBJECT, Name, is_guest, issued_id
from service.identity.display_names import InvalidName, normalized_name
from service.settings import InvalidSettings, Settings

ISSUER = "stammtisch"
MAX_TOKEN = 8 * 1024
MAX_CACHED = 20_000
"""Verified tokens in memory at most, each counted twice: as a token and as a header."""
FORGOTTEN = "The player of this token was forgotten. The token is invalid for ever."
"""Why the token of a former player is not valid."""
SIGNED_OUT = "The player has signed out everywhere since this token was issued."
"""Why a token of an earlier generation is not valid."""
_SUBJECT = re.compile(SUBJECT)
_PEM = re.compile(r"(?s)-----BEGIN.*?-----END[^\n]*-----|-----BEGIN.*")
LIFETIME = 365 * 24 * 60 * 60
"""Seconds for which a new token of a guest is valid."""


class Key(NamedTuple):
    """A key with the only algorithm that it is used with."""

    key: Any
    algorithm: str


class Banned(Exception):
    """The operator has banned the player."""


class Unauthenticated(Exception):
    """The token is invalid or missing. The message says why, and mentions nothing but the token."""


class Bearer:
    """The player of a verified token: the id and the generation of the token, and for a site's player also the name
    that the token shows and the time when it was issued (seconds since 1970; 0 if the token does not say)."""

    __slots__ = ("generation", "id", "issued", "name", "shown", "site")

    def __init__(
        self, player: str, name: str | None = None, issued: int = 0, generation: int = 0, *, site: bool = False
    ) -> None:
        self.id = player
        self.name = name
        self.issued = issued
        self.generation = generation
        self.site = site
        """Whether the token also acts for the integrating site itself."""
        self.shown = name is None
        """Whether the name is recorded, or there is none to record. `Players.show` sets it."""


LAST_SECOND = 253_402_300_799
"""The end of the year 9999, in seconds since 1970: no later time has a text."""

MAX_AHEAD = 24 * 60 * 60
"""Seconds by which the clock of an issuer may be ahead of ours."""


class Tokens:
    """Issues and verifies tokens. Raises `InvalidSettings` for unusable keys."""

    def __init__(self, settings: Settings) -> None:
        self._keys = guest_keys(settings.secret) if settings.secret else file_keys(settings.key_path)
        self._site = settings.issuer
        self._site_keys = site_keys(settings.issuer_key)
        self._namespace = settings.issuer_namespace
        if set(self._keys) & {key for key in self._site_keys if key.algorithm == self._keys[0].algorithm}:
            raise InvalidSettings(
                "STAMMTISCH_ISSUER_KEY: must not be a key of STAMMTISCH_SECRET, which signs the tokens of guests"
            )
        self._verified_tokens: OrderedDict[str | bytes, tuple[Bearer, int]] = OrderedDict()
        """The bearer and the expiry of valid tokens, by token, and by the header in which they were sent."""

    def issue(self, player: str, generation: int = 0) -> str:
        """Sign a token for a guest. `generation`: how often they have signed out everywhere."""
        now = int(time.time())
        claims = {"iss": ISSUER, "sub": player, "iat": now, "exp": now + LIFETIME}
        if generation:
            claims["gen"] = generation
        return jwt.encode(claims, self._keys[0].key, algorithm=self._keys[0].algorithm)

    @property
    def secrets(self) -> list[str]:
        """The keys of the service, the newest first, from which other secrets are derived."""
        return [str(key.key) for key in self._keys]

    @property
    def site(self) -> str:
        """Stands for the integrating site where others are players; no player has this id."""
        return issued_id(self._namespace, "")

    def known(self, text: str | bytes) -> Bearer | None:
        """The player of a valid token that was read before, by the token or the header in which it was sent."""
        known = self._verified_tokens.get(text)
        return known[0] if known is not None and known[1] > time.time() else None

    def read(self, token: str, header: bytes | None = None) -> Bearer:
        """The player of a valid token, which was sent in this header. Raises `Unauthenticated`.

        Verified tokens are cached until they expire.
        """
        bearer = self.known(token) or self._read(token)
        if header is not None:
            self._cache(header, self._verified_tokens[token])
        return bearer

    def _read(self, token: str) -> Bearer:
        if len(token) > MAX_TOKEN:
            raise Unauthenticated(f"The token has more than {MAX_TOKEN} characters.")
        claims = self._verified(token)
        expires_at = int(claims["exp"])
        if expires_at > LAST_SECOND:
            raise Unauthenticated("The token's `exp` is later than the year 9999; it must be in seconds since 1970.")
        bearer = self._bearer(claims)
        self._cache(token, (bearer, expires_at))
        return bearer

    def _cache(self, text: str | bytes, verified: tuple[Bearer, int]) -> None:
        self._verified_tokens[text] = verified
        if len(self._verified_tokens) > MAX_CACHED:
            self._verified_tokens.popitem(last=False)

    def expires_at(self, token: str) -> int:
        """When the token expires, in seconds since 1970. Raises `Unauthenticated`."""
        self.read(token)
        return self._verified_tokens[token][1]

    def _verified(self, token: str) -> dict[str, Any]:
        """The claims of the token, if a key of its issuer has signed it. Raises `Unauthenticated`."""
        try:
            is_ours = jwt.decode(token, options={"verify_signature": False}).get("iss") == ISSUER
        except jwt.PyJWTError as error:
            raise _invalid(error) from None
        if not is_ours and not self._site_keys:
            raise Unauthenticated("The token is from an unknown issuer.")
        failure: jwt.PyJWTError = jwt.InvalidSignatureError("Signature verification failed")
        for key, algorithm in self._keys if is_ours else self._site_keys:
            try:
                return dict(
                    jwt.decode(
                        token,
                        key,
                        algorithms=[algorithm],
                        issuer=ISSUER if is_ours else self._site or None,
                        # `iat` comes from another clock, which may be ahead of ours.
                        options={"require": ["sub", "exp"], "verify_aud": False, "verify_iat": False},
                    )
                )
            except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError):
                continue  # another key may have signed it
            except (jwt.PyJWTError, OverflowError) as error:
                raise _invalid(error) from None
        raise _invalid(failure)

    def _bearer(self, claims: dict[str, Any]) -> Bearer:
        subject = claims["sub"]
        if claims.get("iss") == ISSUER:
            if not isinstance(subject, str) or not is_guest(subject):
                raise Unauthenticated("The token's `sub` is not the id of a guest.")
            return Bearer(subject, generation=_count(claims.get("gen")))
        bot = claims.get("bot", False)
        if not isinstance(bot, bool):
            raise Unauthenticated("The token's `bot` must be true or false.")
        if bot and isinstance(subject, str):
            subject = BOT + subject.removeprefix(BOT)
        if not isinstance(subject, str) or not _SUBJECT.fullmatch(subject):
            raise Unauthenticated("The token's `sub` must be 1 to 128 letters, digits or any of . _ : @ | -")
        name = _name(claims.get("name", subject[:40]))
        issued = _count(claims.get("iat"))
        if issued > time.time() + MAX_AHEAD:  # no later token could change the name
            raise Unauthenticated("The token's `iat` is in the future; it must be in seconds since 1970.")
        return Bearer(issued_id(self._namespace, subject), name, issued, site=claims.get("site") is True)


def _invalid(error: Exception) -> Unauthenticated:
    return Unauthenticated(f"The token is not valid: {error}.")


def _name(claimed: Any) -> str:
    """The normalized name of an issued player. Raises `Unauthenticated`."""
    try:
        return normalized_name(msgspec.convert(claimed, Name))
    except msgspec.ValidationError:
        raise Unauthenticated("The token's `name` must have 1 to 40 characters and no control characters.") from None
    except InvalidName as error:
        raise Unauthenticated(f"The token's `name` {error}.") from None


def _count(claimed: Any) -> int:
    """The claim as an integer, as far as it is a number; 0 otherwise."""
    return int(claimed) if type(claimed) in (int, float) and 0 <= claimed < 2**53 else 0


def load_or_create_secret(path: Path) -> str:
    """The secret in the file. A missing file is created with a random secret, readable by its owner only."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
        # A hard link, not a rename: if several processes start at once, the secret of the first one stays.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text().strip()


def file_keys(path: Path) -> list[Key]:
    """The keys for guests' tokens in the file, which is created if it is missing. Raises `InvalidSettings`."""
    try:
        return guest_keys(load_or_create_secret(path))
    except (InvalidSettings, UnicodeDecodeError):
        raise InvalidSettings(
            f"{path}: the file of the secret is damaged: each of its lines must have at least 32 characters. Restore "
            "it from a backup; if you delete it, all guests lose their tokens."
        ) from None


def guest_keys(text: str) -> list[Key]:
    """The keys for guests' tokens, one per line: the first signs, all are accepted. Raises `InvalidSettings`."""
    return [_shared(line, "STAMMTISCH_SECRET") for line in text.splitlines() if line.strip()] or [_shared("")]


def site_keys(text: str) -> list[Key]:
    """The integrating site's keys: shared secrets, one per line, and public keys in PEM. Raises `InvalidSettings`."""
    keys = [_public(pem) for pem in _PEM.findall(text)]
    return keys + [_shared(line, "STAMMTISCH_ISSUER_KEY") for line in _PEM.sub("", text).splitlines() if line.strip()]


def _shared(secret: str, setting: str = "STAMMTISCH_SECRET") -> Key:
    if len(secret) < 32:
        raise InvalidSettings(f"{setting}: a shared secret must have at least 32 characters")
    return Key(secret, "HS256")


def _public(pem: str) -> Key:
    try:
        key = load_pem_public_key(pem.encode())
    except ValueError as error:
        raise InvalidSettings(f"STAMMTISCH_ISSUER_KEY: not a public key in PEM: {error}") from None
    if isinstance(key, EllipticCurvePublicKey) and key.curve.name != "secp256r1":
        raise InvalidSettings(f"STAMMTISCH_ISSUER_KEY: ES256 needs a key on P-256, not on {key.curve.name}")
    for kind, algorithm in ((RSAPublicKey, "RS256"), (EllipticCurvePublicKey, "ES256"), (Ed25519PublicKey, "EdDSA")):
        if isinstance(key, kind):
            return Key(key, algorithm)
    raise InvalidSettings(f"STAMMTISCH_ISSUER_KEY: keys of type {type(key).__name__} are not supported")
