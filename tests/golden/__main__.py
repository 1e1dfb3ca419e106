"""Adds the golden games and choices that are missing: `python -m tests.golden`, or `make golden`.

It lists them and asks first, because a frozen game can never change. `--dry-run` only lists them.
"""

import sys
from argparse import ArgumentParser

from domain.rulesets import VERSIONS
from tests.golden import choices, freeze, missing

ASK = """These games and choices do not exist yet. Once they are committed they are frozen for ever: freeze them only
when options, moves, events and bots are final. Write {} files? [y/N] """


def main(arguments: list[str]) -> None:
    parser = ArgumentParser(prog="python -m tests.golden", description="Plays the missing golden games.")
    parser.add_argument("--dry-run", action="store_true", help="list what is missing and write nothing")
    dry = parser.parse_args(arguments).dry_run
    found = [each for rules in VERSIONS.values() for each in (*missing(rules), *choices.missing(rules))]
    for file, _ in found:
        sys.stdout.write(f"{file.parent.name}/{file.name}\n")
    if not found:
        sys.stdout.write("No golden game is missing.\n")
    elif not dry:
        sys.stdout.write(ASK.format(len(found)))
        sys.stdout.flush()
        agreed = sys.stdin.readline().strip().lower() in ("y", "yes")  # at the end of the input: no
        sys.stdout.write(f"{len(freeze(found)) if agreed else 'No'} files written.\n")


if __name__ == "__main__":
    main(sys.argv[1:])
