"""The command line: `python -m service`, installed as `stammtisch`."""

import sys
from collections.abc import Sequence

from service.cli.parser import parser
from service.settings import InvalidSettings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Returns the exit status."""
    given = parser().parse_args(arguments)
    try:
        status: int = given.run(given)
    except InvalidSettings as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
