"""docs/adding-a-ruleset.md is followed literally: from an empty folder to two people who play."""

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from playwright.sync_api import expect

from stammtisch.testing.broken import LAWS, MOST
from tests.docs.pages import DOCS, blocks, section
from tests.package.served import ask, serving, watching
from tests.support import wheel

PAGE = (DOCS / "adding-a-ruleset.md").read_text()
ROOT = DOCS.parent
RULESET = "org.example.hearts"


class Reader:
    """Somebody who copies the blocks of the page into a shell and an editor."""

    def __init__(self, folder: Path, wheels: Path, tests: str) -> None:
        """`tests`: further options of pytest."""
        self.folder, self.wheels, self.tests = folder, wheels, tests

    def run(self, commands: str, status: int = 0) -> str:
        """What the commands print. They find the wheel of the service, and no package index."""
        bin_folder = self.folder.parent.joinpath(".venv", "bin") if self.folder.name == "hearts" else None
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("STAMMTISCH_", "PYTHON"))},
            "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.wheels), "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_QUIET": "1", "PYTHONDONTWRITEBYTECODE": "1",
            "PATH": os.pathsep.join([*([str(bin_folder)] if bin_folder else []), os.environ["PATH"]]),
        }  # fmt: skip
        shell = ["bash", "-euc", commands.replace("python -m pytest -q", f"python -m pytest -q {self.tests}")]
        done = subprocess.run(shell, cwd=self.folder, env=environment, capture_output=True, text=True)
        assert done.returncode == status, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout

    def begin(self, site: Path | None) -> None:
        """The blocks of the first section. `site`: where the service is installed; without it, pip is, and installs
        the service from the working copy."""
        install, new, check = blocks(section(PAGE, "Begin"), "sh")
        make, activate, add = install.splitlines()
        assert (activate, add) == (". .venv/bin/activate", "pip install ./stammtisch pytest")
        self.run(f"{make} --without-pip" if site else make)
        (packages,) = self.folder.glob(".venv/lib/python*/site-packages")
        for path in packages.glob("setuptools*"):  # that of the interpreter is too old to build with
            shutil.rmtree(path)
        for path in Path(sysconfig.get_path("purelib")).iterdir():  # in place of an index: what the service needs
            if "stammtisch" not in path.name and not packages.joinpath(path.name).exists():
                packages.joinpath(path.name).symlink_to(path)
        if site is None:
            self.folder.joinpath("stammtisch").symlink_to(ROOT)
            self.run(f"{activate}\n{add}")
        else:
            packages.joinpath("service.pth").write_text(f"{site}\n")
            for name, module in {"pip": "pip", "stammtisch": "stammtisch"}.items():
                command = self.folder / ".venv" / "bin" / name
                command.write_text(f'#!/bin/sh\nexec "{command.with_name("python")}" -P -m {module} "$@"\n')
                command.chmod(0o755)
        self.run(f"{activate}\n{new}")
        self.folder = self.folder / "hearts"
        found = self.run(check)
        assert " passed" in found and "BROKEN" not in found and found.count("ok  ") == len(LAWS)

    def replace(self, file: str, function: str) -> str:
        """Put the function in the place of the one with its name. Returns the text of the file before."""
        path = self.folder / file
        before = path.read_text()
        name = re.match(r"def (\w+)", function)
        assert name is not None
        old = re.search(rf"(?ms)^def {name[1]}\(.*?(?=^\S)", before)
        assert old is not None
        path.write_text(before.replace(old[0], f"{function}\n\n"))
        return before


@pytest.fixture(scope="module")
def reader(everything: bool, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """With `--everything` pip installs the service, which takes half of the time, and pytest repeats the laws, which
    `stammtisch check` has checked."""
    tests = "" if everything else "-k 'not laws'"
    reader = Reader(tmp_path_factory.mktemp("empty"), wheel.shared(tmp_path_factory), tests)
    reader.begin(None if everything else wheel.site(tmp_path_factory))
    return reader


RULES, TESTS = "src/hearts/__init__.py", "tests/test_hearts.py"


def test_a_rule_is_changed_and_tested(reader: Reader):
    rule, sentence = blocks(section(PAGE, "Change a rule"), "python")
    (check,) = blocks(section(PAGE, "Change a rule"), "sh")
    tests = reader.folder / TESTS
    tests.write_text(f"{tests.read_text()}\n\n{sentence}")
    assert "1 failed" in reader.run(f"{check.strip()} -k queen", status=1)
    reader.replace(RULES, rule)
    assert " passed" in reader.run(check)


def test_a_broken_law_reads_as_on_the_page(reader: Reader):
    text = section(PAGE, "Read a broken law")
    (fault,), (check,), (message,) = blocks(text, "python"), blocks(text, "sh"), blocks(text, "text")
    before = reader.replace(RULES, fault)
    found = reader.run(check, status=1)
    assert found == message
    assert len(message) <= MOST + len("BROKEN   conservation\n")
    (again,) = re.findall(r"again (stammtisch .*)", message)
    assert reader.run(again, status=1) == message
    (reader.folder / RULES).write_text(before)
    assert "ok" in reader.run(check)


def test_golden_games_notice_a_change(reader: Reader):
    text = section(PAGE, "Freeze games")
    (write, compare), (fault,), (message,) = blocks(text, "sh"), blocks(text, "python"), blocks(text, "text")
    frozen = reader.run(write)
    assert frozen.count("frozen   ") > 5 and "\nok       golden, " in frozen
    before = reader.replace(RULES, fault)
    assert reader.run(compare, status=1) == message
    (again,) = re.findall(r"again (stammtisch .*)", message)
    assert again == compare.strip().replace("hearts", RULESET, 1)
    (reader.folder / RULES).write_text(before)
    assert reader.run(compare).startswith("ok ")


@pytest.mark.by_default()  # `tests/package/test_examples.py` plays in a browser
def test_two_people_play(reader: Reader):
    """Each sees their own eight cards; one plays, then the other."""
    (serve,) = blocks(section(PAGE, "Play"), "sh")
    assert serve.split() == ["STAMMTISCH_PACKAGES=stammtisch-hearts", "stammtisch", "serve"]
    python = str(reader.folder.parent / ".venv" / "bin" / "python")
    with serving(reader.folder / "games.db", packages="stammtisch-hearts", python=python) as (url, _):
        ann, ben = (ask(url, "/v1/players", {"name": name}) for name in ("Ann", "Ben"))
        game = ask(url, f"/v1/games/{RULESET}", {"seats": 2}, ann["token"])
        ask(url, f"/v1/games/{RULESET}/{game['id']}/seats", {}, ben["token"])
        with watching(url, f"{RULESET}/{game['id']}", ann, ben) as pages:
            for page in pages:
                expect(page.locator(".hand .card")).to_have_count(8)
            for page in pages:
                page.locator(".legal").first.click()
                expect(page.locator(".hand .card")).to_have_count(7)


def test_the_types_of_the_picture_are_written(reader: Reader):
    (write,) = blocks(section(PAGE, "Draw the table"), "sh")
    assert reader.run(write) == "src/hearts/picture.js: the types of table.js\n"


def test_the_page_lists_all_laws():
    listed = re.findall(r"(?m)^\| `(\w+)` \| (.*) \|$", section(PAGE, "Laws that every ruleset must satisfy"))
    assert listed == [(name, law.says) for name, law in LAWS.items()]
