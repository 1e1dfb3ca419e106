"""Bots over HTTP for the arena."""

import json
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Answering = Callable[[dict[str, Any]], bytes | tuple[int, bytes]]
"""From a question to the body of the answer, or its status and body."""


class Served:
    """A bot behind a real socket, and what it was asked."""

    def __init__(self, answer: Answering) -> None:
        asked: list[dict[str, Any]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                found = answer(asked[-1])
                status, text = found if isinstance(found, tuple) else (200, found)
                with suppress(ConnectionError):  # the arena may not have waited
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(text)))
                    self.send_header("Retry-After", "0")
                    self.end_headers()
                    self.wfile.write(text)

            def log_message(self, *_: Any) -> None: ...

        self.asked = asked
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
