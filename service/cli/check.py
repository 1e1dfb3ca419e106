"""The command `check`: plays games of a ruleset and reports which laws it breaks."""

import sys
from argparse import Namespace

from domain.game import Rules
from domain.rulesets import RULESETS
from service.cli.exit_status import ExitStatus
from service.process import packages
from service.settings import InvalidSettings
from stammtisch.testing import check
from stammtisch.testing.broken import LAWS


def run(arguments: Namespace) -> ExitStatus:
    """One line for each law, with the whole message of a broken one. Raises `InvalidSettings`."""
    rules = found(arguments.ruleset)
    laws = arguments.law or [*LAWS]
    if unknown := [law for law in laws if law not in LAWS]:
        raise InvalidSettings(f"there is no law {unknown[0]!r}; the laws are {', '.join(LAWS)}")
    if arguments.seats is not None and arguments.seats not in rules.seats:
        raise InvalidSettings(f"{rules.name} has {rules.seats[0]} to {rules.seats[-1]} seats, not {arguments.seats}")
    status = ExitStatus.OK
    for report in check(rules, arguments.games, laws, arguments.seats, arguments.seed):
        if report.broken is not None:
            status = ExitStatus.REJECTED
            sys.stdout.write(f"BROKEN   {report.law}\n{report.broken}\n")
        elif report.skipped:
            sys.stdout.write(f"skipped  {report.law}: {report.skipped}\n")
        else:
            sys.stdout.write(f"ok       {report.law}, {report.games} games\n")
        sys.stdout.flush()
    return status


def found(name: str) -> Rules:
    """The ruleset with this name, or the installed one whose name ends so. Raises `InvalidSettings`."""
    if name not in RULESETS:
        packages.load_ruleset(name)
    ours = [rules for each, rules in RULESETS.items() if each == name or each.endswith(f".{name}")]
    if len(ours) == 1:
        return ours[0]
    if ours:
        raise InvalidSettings(f"several rulesets are called {name!r}: {', '.join(each.name for each in ours)}")
    failed = "".join(f"; {each}: {reason}" for each, reason in packages.FAILED.items())
    raise InvalidSettings(f"no installed package has {name!r}; `pip install --editable .` installs one{failed}")
