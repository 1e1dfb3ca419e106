"""Who is who: signed tokens (JWT). `sub` is the player's id, `name` how he is called.

Guests get theirs from us. An integrating site may sign its own with a key that the operator configures, so that its
users need no registration here. The key decides which algorithms a token may be signed with, never the token itself.
"""

import contextlib
import os
import re
import secrets
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from domain.game import Player
from domain.player import Name
from service.settings import Faulty, Settings

ISSUER = "stammtisch"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@|-]{0,127}")
_DAY = 24 * 60 * 60


class Unauthenticated(Exception):
    """The token proves nothing. The message says why, in terms of the token only."""


class Tokens:
    """Issues and reads tokens."""

    def __init__(self, settings: Settings) -> None:
        self._secret = settings.secret or kept_secret(settings.key_path)
        if len(self._secret) < 32:
            raise Faulty("STAMMTISCH_SECRET: must have at least 32 characters")
        self._lifetime = settings.token_days * _DAY
        self._site = settings.issuer
        self._site_key, self._site_algorithms = site_key(settings.issuer_key)
        self._read: OrderedDict[str, tuple[Player, int]] = OrderedDict()

    def issue(self, player: Player) -> str:
        """A guest's token."""
        now = int(time.time())
        claims = {"iss": ISSUER, "sub": player.id, "name": player.name, "iat": now, "exp": now + self._lifetime}
        return jwt.encode(claims, self._secret, algorithm="HS256")

    def read(self, token: str) -> Player:
        """The player whom the token names. Raises `Unauthenticated`."""
        known = self._read.get(token)
        if known is not None and known[1] > time.time():
            return known[0]
        claims = self._verified(token)
        player = _player(claims)
        self._read[token] = player, int(claims["exp"])
        if len(self._read) > 10_000:
            self._read.popitem(last=False)
        return player

    def _verified(self, token: str) -> dict[str, Any]:
        required = ["sub", "exp"]
        try:
            issuer = jwt.decode(token, options={"verify_signature": False}).get("iss")
            if issuer == ISSUER:
                claims = jwt.decode(token, self._secret, algorithms=["HS256"], options={"require": required})
            elif self._site_key is None:
                raise Unauthenticated("The token is from an issuer that is not known here.")
            else:
                claims = jwt.decode(
                    token,
                    self._site_key,
                    algorithms=self._site_algorithms,
                    issuer=self._site or None,
                    options={"require": required, "verify_aud": False},
                )
        except jwt.PyJWTError as error:
            raise Unauthenticated(f"The token is not valid: {error}.") from None
        return dict(claims)


def _player(claims: dict[str, Any]) -> Player:
    subject = claims["sub"]
    if not isinstance(subject, str) or not _ID.fullmatch(subject):
        raise Unauthenticated("The token's `sub` must be 1 to 128 letters, digits or any of . _ : @ | -")
    try:
        name = msgspec.convert(claims.get("name", subject[:40]), Name)
    except msgspec.ValidationError:
        raise Unauthenticated("The token's `name` must have 1 to 40 characters and no control characters.") from None
    return Player(subject, name)


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


def site_key(text: str) -> tuple[Any, list[str]]:
    """The integrating site's key, and the algorithms that go with a key of its kind. Raises `Faulty`."""
    if not text:
        return None, []
    if not text.lstrip().startswith("-----BEGIN"):
        if len(text) < 32:
            raise Faulty("STAMMTISCH_ISSUER_KEY: a shared secret must have at least 32 characters")
        return text, ["HS256"]
    try:
        key = load_pem_public_key(text.strip().encode())
    except ValueError as error:
        raise Faulty(f"STAMMTISCH_ISSUER_KEY: not a public key in PEM: {error}") from None
    if isinstance(key, EllipticCurvePublicKey) and key.curve.name != "secp256r1":
        raise Faulty(f"STAMMTISCH_ISSUER_KEY: ES256 needs a key on P-256, not on {key.curve.name}")
    for kind, algorithm in ((RSAPublicKey, "RS256"), (EllipticCurvePublicKey, "ES256"), (Ed25519PublicKey, "EdDSA")):
        if isinstance(key, kind):
            return key, [algorithm]
    raise Faulty(f"STAMMTISCH_ISSUER_KEY: keys of the kind {type(key).__name__} cannot be used")
