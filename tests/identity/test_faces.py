"""The faces that players choose: others see them wherever they see the name, and nowhere else."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import jwt
import pytest

from domain.player import Face
from tests.support.clients import QUICKEST, Caller, done, in_process, problem

pytestmark = pytest.mark.anyio

SITE_KEY = "k" * 32


async def test_a_face_is_seen_where_the_name_is(database: Path) -> None:
    async with in_process(database) as service:
        ann, bob = await service.guest("Ann"), await service.guest("Bob")
        game = await ann.open(QUICKEST, 2, private=False)
        before = (await bob.get(game)).headers["etag"]
        changed = done(await ann.patch("/v1/players/me", {"face": "fox"}))
        plain, shown = {"id": bob.id, "name": "Bob"}, {"id": ann.id, "name": "Ann", "face": "fox"}
        assert changed == shown
        assert done(await bob.get(game, headers={"If-None-Match": before}))["seats"][0]["player"] == shown
        await bob.sit(game)
        (listed,) = await bob.every("/v1/games", player=ann.id)
        for seats in (listed["seats"], (await bob.look(game))["seats"]):
            assert [seat["player"] for seat in seats] == [shown, plain]
        profile = done(await service.stranger.get(f"/v1/players/{ann.id}"))
        assert (profile["name"], profile["face"]) == ("Ann", "fox")
        code = done(await ann.post("/v1/players/me/codes"), 201)["code"]
        assert done(await service.stranger.post("/v1/players/tokens", {"code": code}))["face"] == "fox"
        assert "fox" not in str(await bob.events(game))
        assert b"fox" not in (await bob.get(f"{game}/record")).content
        assert done(await ann.patch("/v1/players/me", {"name": "Anna"})) == {**shown, "name": "Anna"}
        assert done(await ann.patch("/v1/players/me", {"face": None})) == {"id": ann.id, "name": "Anna"}
        assert (await bob.look(game))["seats"][0]["player"] == {"id": ann.id, "name": "Anna"}


async def test_only_faces_that_are_drawn_can_be_chosen(database: Path) -> None:
    async with in_process(database) as service:
        ann = await service.guest("Ann")
        for wrong in ("", "Fox", "dragon", "fox\n", "../fox", 7, ["fox"]):
            for answer in (
                await ann.patch("/v1/players/me", {"face": wrong}),
                await service.stranger.post("/v1/players", {"name": "Cem", "face": wrong}),
            ):
                problem(answer, 400, "malformed")
        assert done(await ann.patch("/v1/players/me", {})) == {"id": ann.id, "name": "Ann"}
        for face in get_args(Face):
            made = done(await service.stranger.post("/v1/players", {"name": "Cem", "face": face}), 201)
            assert made["face"] == face
        assert "face" not in done(await service.stranger.post("/v1/players", {"name": "Cem", "face": None}), 201)


async def test_a_player_of_a_site_chooses_the_face_and_not_the_name(database: Path) -> None:
    claims: dict[str, Any] = {"iss": "site", "sub": "uwe", "name": "Uwe", "exp": time.time() + 60}
    async with in_process(database, issuer_key=SITE_KEY) as service:
        uwe = Caller(service.http, jwt.encode(claims, SITE_KEY))
        assert done(await uwe.patch("/v1/players/me", {"face": "owl"}))["face"] == "owl"
        problem(await uwe.patch("/v1/players/me", {"face": "pig", "name": "Ute"}), 403, "forbidden")
        known = done(await uwe.get("/v1/players/me"))
        assert (known["name"], known["face"]) == ("Uwe", "owl")
        renamed = Caller(service.http, jwt.encode(claims | {"name": "Uwe B"}, SITE_KEY))
        known = done(await renamed.get("/v1/players/me"))
        assert (known["name"], known["face"]) == ("Uwe B", "owl")


async def test_the_face_that_an_older_release_left_to_a_forgotten_player_is_not_shown(database: Path) -> None:
    """During an upgrade a process without faces can forget somebody: it erases the columns that it knows."""
    async with in_process(database) as service:
        ann = await service.guest("Ann")
        done(await ann.patch("/v1/players/me", {"face": "fox"}))
        assert (await ann.delete("/v1/players/me")).status_code == 204
    with closing(sqlite3.connect(database)) as connection, connection:
        assert connection.execute("SELECT face FROM stammtisch_players").fetchall() == [(None,)]
        connection.execute("UPDATE stammtisch_players SET face = 'fox'")
    async with in_process(database) as service:
        assert "face" not in done(await service.stranger.get(f"/v1/players/{ann.id}"))
