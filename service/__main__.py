"""The command line: `python -m service`, installed as `stammtisch`."""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import msgspec

from service import settings
from service.settings import Faulty, Settings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    given = parser().parse_args(arguments)
    try:
        status: int = given.run(given)
    except Faulty as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return status


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="stammtisch", description="Hosts card games over REST.")
    commands = whole.add_subparsers(required=True, metavar="COMMAND")
    serve_ = commands.add_parser(
        "serve", help="serve games", formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Settings are environment variables; the options above win over them.\n\n" + described_settings(),
    )  # fmt: skip
    serve_.add_argument("--host", help="the address to listen on")
    serve_.add_argument("--port", type=int, help="the port to listen on; 0 takes a free one")
    serve_.add_argument("--database", help="the path of an SQLite file")
    serve_.add_argument("--workers", type=int, help="how many processes serve")
    serve_.set_defaults(run=serve)
    return whole


def serve(given: argparse.Namespace) -> int:
    # Imported here: the other commands do not need a server.
    from service.server import run

    names = ("host", "port", "database", "workers")
    run(settings.read(**{name: getattr(given, name) for name in names}))
    return 0


def described_settings() -> str:
    """Every setting with its default and meaning, one a paragraph."""
    return "\n".join(
        f"{settings.variable(field.name)} (default: {_shown(field.default)})\n    {_meaning(field)}"
        for field in msgspec.inspect.type_info(Settings).fields  # type: ignore[attr-defined]
    )


def _shown(default: Any) -> str:
    return settings.text(default) or "none"


def _meaning(field: Any) -> str:
    return str(field.type.extra_json_schema["description"])


if __name__ == "__main__":
    sys.exit(main())
