"""The command line: `python -m service`, installed as `stammtisch`."""

import contextlib
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from service import extensions as extensions  # registers them
from service.cli import terminal
from service.cli.exit_status import ExitStatus
from service.cli.parser import parser
from service.process import packages
from service.process.interpreter import ROOT
from service.settings import InvalidSettings


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Returns the exit status. A command that fails writes one line to stderr."""
    arguments = sys.argv[1:] if arguments is None else arguments
    given = parser(arguments).parse_args(arguments)
    packages.load()
    try:
        run = given.run or import_module(f"{ROOT}service.cli.{given.module}").run
        status: int = run(given)
        if sys.stdout is not None:
            sys.stdout.flush()  # a failure while the interpreter exits could not be handled
    except InvalidSettings as error:
        sys.stderr.write(f"{error}\n")
        return ExitStatus.UNUSABLE
    except OSError as error:
        discard_stdout()
        place = "standard output" if error.filename is None else terminal.one_line(str(error.filename))
        sys.stderr.write(f"{place}: {error.strerror or error}\n")
        return ExitStatus.UNUSABLE
    except KeyboardInterrupt:
        return ExitStatus.INTERRUPTED
    return status


def discard_stdout() -> None:
    """Redirect standard output to the null device. Otherwise the interpreter flushes its buffer again at exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
