"""The command `check`: plays games of a ruleset and reports which laws it breaks, or which golden games changed."""

import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from domain.game import Rules
from domain.registry import RULESETS, VERSIONS
from service.cli.exit_status import ExitStatus
from service.process import packages
from service.settings import InvalidSettings
from stammtisch.testing import Broken, check, frozen, golden
from stammtisch.testing.broken import LAWS


def run(arguments: Namespace) -> ExitStatus:
    """One line for each law, with the whole message of a broken one. Raises `InvalidSettings`."""
    rules = found(arguments.ruleset)
    if arguments.golden is not None:
        return golden_games(rules.name, Path(arguments.golden), arguments.game, write=arguments.write)
    if arguments.write or arguments.game is not None:
        raise InvalidSettings("--write and --game need --golden FOLDER")
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


def golden_games(ruleset: str, root: Path, game: str | None, *, write: bool) -> ExitStatus:
    """Compare the golden games in the folder; add the missing ones first if `write`. Raises `InvalidSettings`."""
    versions = [rules for rules in VERSIONS.values() if rules.name == ruleset]
    try:
        for rules in versions if write else ():
            for file in golden.freeze(golden.missing(rules, root)):
                sys.stdout.write(f"frozen   {file}\n")
        return compared(versions, root, game, {path.name for path in root.glob(f"{ruleset}-*")})
    except OSError as error:
        raise InvalidSettings(str(error)) from error


def compared(versions: Iterable[Rules], root: Path, game: str | None, folders: set[str]) -> ExitStatus:
    status, count = ExitStatus.OK, 0
    for rules in versions:
        files = [file for file in frozen.files_of(rules, root) if game in (None, file.stem)]
        broken = [each for each in (changed(rules, root, file) for file in files) if each is not None]
        count += len(files)
        folders.discard(golden.folder(rules, root).name)
        for each in broken:
            sys.stdout.write(f"BROKEN   golden\n{each}\n")
        if files and not broken:
            sys.stdout.write(f"ok       golden, {len(files)} files of {rules.rules}\n")
        status = ExitStatus.REJECTED if broken else status
    for name in sorted(folders):
        sys.stdout.write(
            f"BROKEN   golden\n{root / name}: the package has no such version; games that have it cannot go on\n"
        )
        status = ExitStatus.REJECTED
    if not count:
        raise InvalidSettings(f"{root} has no such golden games; --write adds those that are missing")
    return status


def changed(rules: Rules, root: Path, file: Path) -> Broken | None:
    try:
        frozen.obey(rules, root, file)
    except Broken as broken:
        return broken
    return None


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
