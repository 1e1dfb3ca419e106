"""A web server for the files of a folder, on this machine alone: another site than the service."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class Handler(SimpleHTTPRequestHandler):
    added: Mapping[str, str] = {}

    def end_headers(self) -> None:
        for header in self.added.items():
            self.send_header(*header)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def static(folder: Path, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """The URL at which the files of the folder are served, with these headers."""
    kind = type("Files", (Handler,), {"added": headers or {}})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(kind, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
