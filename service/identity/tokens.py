"""Who is who: signed tokens (JWT). `sub` says who the player is, `name` how others see them.

Guests get theirs from us, with their id as `sub`. An integrating site may sign its own with a key that the operator
configures, so that its users need no registration here; their ids are `namespace:sub`. A key decides which algorithm a
token may be signed with, never the token itself. Both may have several keys, so that they can be changed while tokens
are about.
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

from domain.game import Player
from domain.player import SUBJECT, Name, is_guest, issued_id
from service.identity.display_names import Unpresentable, presentable
from service.settings import InvalidSettings, Settings

ISSUER = "stammtisch"
MAX_TOKEN = 8 * 1024
_SUBJECT = re.compile(SUBJECT)
_PEM = re.compile(r"(?s)-----BEGIN.*?-----END[^\n]*-----|-----BEGIN.*")
_DAY = 24 * 60 * 60


class Key(NamedTuple):
    """A key, and the only algorithm that may be used with it."""

    key: Any
    algorithm: str


class Unauthenticated(Exception):
    """The token proves nothing. The message says why, in terms of the token only."""


class Tokens:
    """Issues and reads tokens."""

    def __init__(self, settings: Settings) -> None:
        self._keys = own_keys(settings.secret or kept_secret(settings.key_path))
        self._lifetime = settings.token_days * _DAY
        self._site = settings.issuer
        self._site_keys = site_keys(settings.issuer_key)
        self._namespace = settings.issuer_namespace
        if set(self._keys) & {key for key in self._site_keys if key.algorithm == self._keys[0].algorithm}:
            raise InvalidSettings(
                "STAMMTISCH_ISSUER_KEY: must not be a secret of STAMMTISCH_SECRET, which guests' tokens have"
            )
        self._read: OrderedDict[str, tuple[Player, int]] = OrderedDict()

    def issue(self, player: Player) -> str:
        """A guest's token."""
        now = int(time.time())
        claims = {"iss": ISSUER, "sub": player.id, "name": player.name, "iat": now, "exp": now + self._lifetime}
        return jwt.encode(claims, self._keys[0].key, algorithm=self._keys[0].algorithm)

    def read(self, token: str) -> Player:
        """The player whom the token names. Raises `Unauthenticated`."""
        known = self._read.get(token)
        if known is not None and known[1] > time.time():
            return known[0]
        if len(token) > MAX_TOKEN:
            raise Unauthenticated(f"The token has more than {MAX_TOKEN} characters.")
        claims = self._verified(token)
        player = self._player(claims)
        self._read[token] = player, int(claims["exp"])
        if len(self._read) > 10_000:
            self._read.popitem(last=False)
        return player

    def _verified(self, token: str) -> dict[str, Any]:
        """What the token claims, if one of the keys has signed it that may."""
        try:
            ours = jwt.decode(token, options={"verify_signature": False}).get("iss") == ISSUER
        except jwt.PyJWTError as error:
            raise _invalid(error) from None
        if not ours and not self._site_keys:
            raise Unauthenticated("The token is from an issuer that is not known here.")
        wrong: jwt.PyJWTError = jwt.InvalidSignatureError("Signature verification failed")
        for key, algorithm in self._keys if ours else self._site_keys:
            try:
                return dict(
                    jwt.decode(
                        token,
                        key,
                        algorithms=[algorithm],
                        issuer=ISSUER if ours else self._site or None,
                        # When it was signed is told by another machine's clock, which may be ahead of ours.
                        options={"require": ["sub", "exp"], "verify_aud": False, "verify_iat": False},
                    )
                )
            except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError):
                continue  # another key may have signed it
            except jwt.PyJWTError as error:
                raise _invalid(error) from None
        raise _invalid(wrong)

    def _player(self, claims: dict[str, Any]) -> Player:
        subject = claims["sub"]
        if claims.get("iss") == ISSUER:
            if not isinstance(subject, str) or not is_guest(subject):
                raise Unauthenticated("The token's `sub` is no guest's.")
            return Player(subject, claims["name"])  # looked at when it was given
        if not isinstance(subject, str) or not _SUBJECT.fullmatch(subject):
            raise Unauthenticated("The token's `sub` must be 1 to 128 letters, digits or any of . _ : @ | -")
        return Player(issued_id(self._namespace, subject), _name(claims.get("name", subject[:40])))


def _invalid(error: jwt.PyJWTError) -> Unauthenticated:
    return Unauthenticated(f"The token is not valid: {error}.")


def _name(claimed: Any) -> str:
    """The name of a site's player, if others may see it. Raises `Unauthenticated`."""
    try:
        return presentable(msgspec.convert(claimed, Name))
    except msgspec.ValidationError:
        raise Unauthenticated("The token's `name` must have 1 to 40 characters and no control characters.") from None
    except Unpresentable as error:
        raise Unauthenticated(f"The token's `name` {error}.") from None


def kept_secret(path: Path) -> str:
    """The secret in the file; made there, readable for its owner only, if there is none."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(48))
        # Linked, not renamed: of several processes that start at once the first one's secret stays.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text().strip()


def own_keys(text: str) -> list[Key]:
    """The secrets, one a line: the first signs, all are believed. Raises `InvalidSettings`."""
    return [_shared(line, "STAMMTISCH_SECRET") for line in text.splitlines() if line.strip()] or [_shared("")]


def site_keys(text: str) -> list[Key]:
    """The integrating site's keys: shared secrets, one a line, and public keys in PEM. Raises `InvalidSettings`."""
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
    raise InvalidSettings(f"STAMMTISCH_ISSUER_KEY: keys of the kind {type(key).__name__} cannot be used")
