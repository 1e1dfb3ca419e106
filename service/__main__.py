"""The command line: `python -m service`, installed as `stammtisch`."""

import contextlib
import os
import sys
from collections.abc import Sequence

from service import terminal
from service.cli.parser import parser
from service.settings import InvalidSettings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Returns the exit status: 2 if the command fails, after one line on stderr; 130 after Ctrl-C."""
    given = parser().parse_args(arguments)
    try:
        status: int = given.run(given)
        if sys.stdout is not None:
            sys.stdout.flush()  # a failure at the exit of the interpreter could not be caught
    except InvalidSettings as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except OSError as error:
        discard_stdout()
        place = "standard output" if error.filename is None else terminal.one_line(str(error.filename))
        sys.stderr.write(f"{place}: {error.strerror or error}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    return status


def discard_stdout() -> None:
    """Redirect standard output to the null device, or the interpreter writes what is buffered once more at exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
