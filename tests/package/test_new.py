"""From `stammtisch new` to a card played in a browser, with the installed service and nothing of the repository."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.openapi.generators.tools import install_node, node_tool
from tests.package.served import ask, browsing, serving
from tests.package.test_public import MODULES
from tests.support import wheel

RULESET = "org.example.hearts"
MOST = 270
"""Lines of the package that is written."""


def run(folder: Path, *command: str, sites: tuple[Path, ...], status: int = 0) -> str:
    """The output of `python -m` in the folder; `sites` are where packages are installed."""
    environment = wheel.environment(*sites, PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run(
        [sys.executable, "-P", "-m", *command], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == status, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def project(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("new")
    run(folder, "stammtisch", "new", "hearts", sites=(site,))
    return folder / "hearts"


@pytest.fixture(scope="module")
def sites(site: Path, project: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Where the service and the new package are installed."""
    folder = tmp_path_factory.mktemp("built")
    return site, wheel.installed(wheel.built(project, folder), folder / "site")


def test_the_package_is_short(project: Path):
    written = [path for path in project.rglob("*") if path.is_file() and "egg-info" not in str(path)]
    lines = {path.name: len(path.read_text().splitlines()) for path in written if "build" not in path.parts}
    assert {"pyproject.toml", "README.md", "test_hearts.py", "__init__.py", "table.js", "labels.json"} <= lines.keys()
    assert sum(lines.values()) <= MOST, lines


def test_it_imports_the_public_modules_and_the_standard_library_alone(project: Path):
    for path in project.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            named += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            for name in named:
                package, _, module = name.partition(".")
                assert package in sys.stdlib_module_names or package == "hearts" or module in MODULES, (path, name)


@pytest.mark.by_default()  # tests/docs/test_adding_a_ruleset.py does so, too
def test_its_tests_pass(project: Path, sites: tuple[Path, Path]):
    """The laws, a case for each and number of seats, and the rules as sentences."""
    found = run(project, "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:schemathesis", sites=sites)
    assert "failed" not in found and "skipped" not in found


@pytest.mark.by_default()  # tests/docs/test_adding_a_ruleset.py does so, too
def test_its_laws_are_checked_and_a_broken_one_is_repeated(sites: tuple[Path, Path], tmp_path: Path):
    found = run(tmp_path, "stammtisch", "check", "hearts", "--games", "1", sites=sites)
    assert [line.split()[0] for line in found.splitlines()] == ["ok"] * len(found.splitlines())
    site, ours = sites
    faulty = wheel.installed(next(ours.parent.glob("*.whl")), tmp_path / "faulty")
    rules = faulty / "hearts" / "__init__.py"
    forgets = rules.read_text().replace("trick=(*state.trick, event.card)", "trick=state.trick[:1] or (event.card,)")
    rules.write_text(forgets)
    found = run(tmp_path, "stammtisch", "check", "hearts", "--law", "conservation", sites=(site, faulty), status=1)
    assert "breaks the law 'conservation'" in found and "missing: " in found
    again = found.split("again stammtisch ")[1].split()
    assert run(tmp_path, "stammtisch", *again, sites=(site, faulty), status=1) == found


@pytest.mark.by_default()  # tests/docs/test_adding_a_ruleset.py does so, too
def test_a_card_of_it_is_played_in_a_browser(sites: tuple[Path, Path], tmp_path: Path):
    with serving(tmp_path / "games.db", *sites, packages="stammtisch-hearts") as (url, errors):
        ann = ask(url, "/v1/players", {"name": "Ann"})
        game = ask(url, f"/v1/games/{RULESET}", {"seats": 2, "hotseat": True}, ann["token"])
        with browsing(url, ann, f"{RULESET}/{game['id']}") as page:
            page.get_by_role("button", name="I am Ann").click()
            expect(page.locator(".legal")).to_have_count(8)
            page.locator(".mine button").first.click()
            expect(page.get_by_text("Trick", exact=True)).to_be_visible()
        after = ask(url, f"/v1/games/{RULESET}/{game['id']}", token=ann["token"])
        assert len(after["view"]["trick"]) == 1
        assert "Traceback" not in errors.read_text()


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("../hearts", "is not the name of a game"),
        ("Hearts", "is not the name of a game"),
        ("org.example.class", "cannot be the name of a module"),
        ("json", "cannot be the name of a module"),
        ("a" * 80, "is not the name of a game"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_and_nothing_is_written(
    site: Path, tmp_path: Path, name: str, complaint: str
):
    assert complaint in run(tmp_path, "stammtisch", "new", name, sites=(site,), status=2)
    assert [*tmp_path.iterdir()] == []


def test_nothing_is_written_over(site: Path, tmp_path: Path):
    (tmp_path / "hearts").mkdir()
    assert "exists already" in run(tmp_path, "stammtisch", "new", "hearts", sites=(site,), status=2)
    assert [*(tmp_path / "hearts").iterdir()] == []


def test_every_name_of_the_template_is_replaced(site: Path, tmp_path: Path):
    run(tmp_path, "stammtisch", "new", "net.ann.whist_two", sites=(site,))
    for path in (tmp_path / "whist_two").rglob("*"):
        assert "hearts" not in path.name.lower()
        if path.is_file():
            assert "hearts" not in path.read_text().lower(), path


def test_what_checks_cannot_run_is_named(sites: tuple[Path, Path], tmp_path: Path):
    for arguments, complaint in (
        (["nothing"], "no installed package has 'nothing'"),
        (["hearts", "--law", "gravity"], "there is no law 'gravity'"),
        (["hearts", "--seats", "9"], "has 2 to 4 seats, not 9"),
    ):
        assert complaint in run(tmp_path, "stammtisch", "check", *arguments, sites=sites, status=2)


@pytest.mark.by_default()
def test_mypy_finds_nothing(project: Path, sites: tuple[Path, Path]):
    options = ["--strict", "--follow-imports=silent", "--no-error-summary", "--cache-dir", str(project / "build/mypy")]
    site, _ = sites
    command = [sys.executable, "-m", "mypy", *options, "src"]
    done = subprocess.run(
        command, cwd=project, env={**wheel.environment(), "MYPYPATH": str(site)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.by_default()  # a minute on a busy machine
def test_pyright_finds_nothing(project: Path, sites: tuple[Path, Path], tmp_path: Path):
    """The version that `make clients` uses, with everything that it can find fault with."""
    site, _ = sites
    install_node()
    src, tests = str(project / "src"), str(project / "tests")
    settings = {"typeCheckingMode": "strict", "include": [src, tests], "extraPaths": [str(site), src]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [node_tool("pyright"), "--project", tmp_path, "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0 errors, 0 warnings, 0 informations"), done.stdout
