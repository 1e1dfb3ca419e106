"""What the pages say about the code follows from the code."""

import re
from pathlib import Path
from typing import get_args

import pytest

from domain.game import Rules
from domain.messages import Dealing
from domain.rulesets import VERSIONS
from service import settings
from service.cli.parser import parser
from service.limits import Limits
from tests.docs.pages import DOCS, ROOT, pages
from tests.docs.tables import PICTURE, TABLES, commands, current, kind, name, parts, picture, served_metrics
from tests.support.every import every_problem

REWRITE = "run `make docs-tables`"


@pytest.mark.parametrize("page", [page for page in pages() if parts(page)], ids=lambda page: page.stem)
def test_the_tables_of_a_page_are_as_the_code_says(page: Path) -> None:
    assert page.read_text() == current(page), REWRITE


def test_the_picture_of_a_moves_way_is_as_the_steps_say() -> None:
    assert PICTURE.read_text() == picture(), REWRITE


def test_every_table_stands_on_exactly_one_page() -> None:
    assert sorted(part for page in pages() for part in parts(page)) == sorted(TABLES)


def test_every_setting_problem_command_and_metric_has_its_row() -> None:
    """Whatever makes the tables: nothing is missing in them."""
    rows = {page: re.findall(r"(?m)^\| .*\|$", (DOCS / f"{page}.md").read_text()) for page in
            ("configuration", "api", "commands", "operations")}  # fmt: skip
    for field in settings.fields():
        default = settings.default(field)
        start = f"| `{settings.variable(field.name)}` | {f'`{default}`' if default else 'none'} | "
        assert sum(row.startswith(start) and len(row) > len(start) + 20 for row in rows["configuration"]) == 1, start
    for limit in Limits.__struct_fields__:
        assert sum(row.startswith(f"| `{limit}` | ") for row in rows["configuration"]) == 1, limit
    problems = every_problem()
    for problem in problems:
        assert sum(f" | `{kind(problem)}` | " in row for row in rows["api"]) == 1, problem
    assert len(problems) > 20
    for command, *_ in commands(parser()):
        assert sum(row.startswith(f"| `stammtisch {command}` | ") for row in rows["commands"]) == 1, command
    for metric in served_metrics():
        assert sum(row.startswith(f"| `{name(metric)}` | ") for row in rows["operations"]) == 1, metric


@pytest.mark.parametrize("rules", VERSIONS.values(), ids=list(VERSIONS))
def test_the_protocol_says_what_every_dealing_event_shuffles(rules: Rules) -> None:
    told = (DOCS / "fairness-protocol.md").read_text().partition(f"### {rules.rules}\n")[2].partition("\n#")[0]
    dealing = {each.__struct_config__.tag for each in get_args(rules.event) if issubclass(each, Dealing)}
    assert dealing
    assert set(re.findall(r"(?m)^- `(\w+)`: ", told)) == dealing


def test_every_setting_that_is_named_exists() -> None:
    known = {settings.variable(field.name) for field in settings.fields()}
    for page in [*pages(), ROOT / "README.md"]:
        named = set(re.findall(r"\bSTAMMTISCH_[A-Z][A-Z_]*\b", page.read_text()))
        assert named <= known, page


def test_every_limit_that_is_named_exists() -> None:
    """What is named like a limit: `max_streams`, `client_timeout`, `address_rate_limit`."""
    first = "|".join({name.split("_")[1] for name in Limits.__struct_fields__ if name.startswith("max_")})
    named = rf"`(max_(?:{first})[a-z_]*|[a-z]+_timeout|[a-z]+_rate_limit)`"
    found = [set(re.findall(named, page.read_text())) for page in [*pages(), ROOT / "README.md", ROOT / "SECURITY.md"]]
    assert set().union(*found) <= {*Limits.__struct_fields__}
    assert len(set().union(*found)) > 10


def test_every_make_target_that_is_named_exists() -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text()))
    for page in [*pages(), ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "CHANGELOG.md"]:
        assert set(re.findall(r"`make ([a-z-]+)", page.read_text())) <= targets, page
    assert len(targets) > 15


def test_every_command_that_is_named_exists() -> None:
    known = {re.match(r"[a-z ]+", command)[0].strip() for command, *_ in commands(parser())} | {"deck"}  # type: ignore[index]
    for page in [*pages(), ROOT / "README.md"]:
        named = r"(?m)(?:^|`)(?:\.venv/bin/)?stammtisch ((?:(?:deck|player|game) )?[a-z]+)"
        for command in re.findall(named, page.read_text()):
            assert command in known, (page, command)
