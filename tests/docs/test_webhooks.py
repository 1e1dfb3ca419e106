"""The receiver of the tutorial runs as it is printed, against a real service that delivers."""

import os
import socketserver
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_string, policy
from pathlib import Path
from threading import Thread

import anyio
import jwt
import pytest

from tests.docs.pages import DOCS, blocks
from tests.support.clients import Caller, Server, done, served
from tests.support.receivers import NETWORKS
from tests.support.servers import free_port

PAGE = (DOCS / "webhooks-tutorial.md").read_text()
KEY = "0123456789abcdef" * 2


class MailServer(socketserver.StreamRequestHandler):
    """Takes any mail, by the least of SMTP."""

    mails: list[str]

    def handle(self) -> None:
        self.wfile.write(b"220 mail\r\n")
        while line := self.rfile.readline().strip():
            if line.upper() == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                text = b""
                while (part := self.rfile.readline()) != b".\r\n":
                    text += part
                self.mails.append(text.decode())
            self.wfile.write(b"221 bye\r\n" if line.upper() == b"QUIT" else b"250 ok\r\n")


@contextmanager
def mail_server() -> Iterator[tuple[str, list[str]]]:
    mails: list[str] = []
    handler = type("Handler", (MailServer,), {"mails": mails})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_address[1]}", mails
        server.shutdown()


@contextmanager
def running(program: Path, environment: dict[str, str]) -> Iterator[None]:
    with subprocess.Popen([sys.executable, "-I", str(program)], env=os.environ | environment) as process:
        try:
            yield
        finally:
            process.kill()


def test_the_receiver_has_sixty_lines() -> None:
    assert len("\n".join(blocks(PAGE, "python")).splitlines()) <= 60


@pytest.mark.anyio
async def test_the_receiver_mails_each_turn_once(tmp_path: Path) -> None:
    program = tmp_path / "mailer.py"
    program.write_text("\n".join(blocks(PAGE, "python")))
    port = free_port()
    given = {"issuer_key": KEY, "webhook_networks": NETWORKS, "access_log": False}
    server = Server(tmp_path / "games.db", arguments=["--deliver"], **given)
    with mail_server() as (address, mails):
        environment = {"API": server.url, "SITE_KEY": KEY, "HOOK": f"http://localhost:{port}/", "PORT": str(port)}
        environment |= {"AFTER": "0", "MAIL_SERVER": address}
        with running(program, environment):
            try:
                async with served(server.url) as service:
                    claims = {"sub": "mailer", "site": True, "exp": int(time.time()) + 600}
                    site = Caller(service.http, jwt.encode(claims, KEY, "HS256"))
                    with anyio.fail_after(60):
                        while not await is_live(site):  # noqa: ASYNC110 - HTTP sends no notification
                            await anyio.sleep(0.1)
                        ada, bob = (
                            Caller(service.http, jwt.encode(claims | {"sub": name, "site": False}, KEY, "HS256"))
                            for name in ("ada", "bob")
                        )
                        game = await service.table("scout", [ada, bob])
                        while not mails:  # noqa: ASYNC110 - another thread receives them
                            await anyio.sleep(0.1)
                    acting = done(await ada.get(game))["to_act"]
                    link = server.url + game.replace("/v1/games/", "/table?g=")
                    page = await service.http.get(link, headers={"Accept": "text/html"})
                    assert page.headers["content-type"].startswith("text/html")
            finally:
                server.stop()
    messages = [message_from_string(mail, policy=policy.default) for mail in mails]
    assert all(str(each.get_content()).split()[-1] == link for each in messages), "a link that works in a mail"
    assert {each["Subject"] for each in messages} == {"Your turn at scout"}
    assert {each["To"] for each in messages} == {["ada@example.com", "bob@example.com"][seat] for seat in acting}
    assert len(mails) == len(acting)
    assert "Traceback" not in server.errors


async def is_live(site: Caller) -> bool:
    hooks = done(await site.get("/v1/webhooks"))["items"]
    return bool(hooks) and hooks[0]["status"] == "live"
