"""A scripted agent for the arena and the league: it reads the table as text, and answers with the number of a move.

    python -m examples.scripted_agent 9000

It takes the place of a language model in tests and in the published league, so it has their habits: it sees nothing but
the text, and now and then it names a move that does not exist. The same text always has the same answer.
"""

import json
import re
import sys
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ERRS = 0.01
"""The share of its answers that name no move."""


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """`index` counts from 0, the moves in the text from 1."""
    text = asked["text"]
    drawn = int.from_bytes(sha256(text.encode()).digest()[:8]) / 2**64
    if drawn < ERRS and "refused" not in asked:
        return {"index": len(asked["legal"])}
    chosen = int(drawn * len(asked["legal"]))
    return {"index": chosen, "usage": {"words": len(re.findall(r"\w+", text))}}


class Agent(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.dumps(answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None: ...


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Agent).serve_forever()
