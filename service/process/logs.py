"""The log of a serving process on standard error: lines of JSON, or plain text on a terminal.

The access log on standard output has lines of the same kind (`service.server.access_log`).
"""

import logging
import sys
from typing import Any, TextIO

import msgspec

OUR_LOGGER = __name__.removesuffix(".process.logs")
"""The parent of our loggers. They log from INFO on, those of libraries from WARNING on."""


class JsonFormatter(logging.Formatter):
    """`at` is in seconds since 1970. `exception` is a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": record.created, "level": record.levelname.lower(), "logger": record.name,
            "message": record.getMessage(),
        }  # fmt: skip
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


class StandardErrorHandler(logging.StreamHandler[TextIO]):
    """Writes to what `sys.stderr` is at that time: `service.process.output` replaces it."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        return sys.stderr


def configure() -> None:
    """Log to standard error. Called once in each process."""
    handler = StandardErrorHandler()
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    handler.setFormatter(logging.Formatter("%(message)s") if is_terminal else JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger(OUR_LOGGER).setLevel(logging.INFO)
