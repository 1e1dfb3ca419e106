"""The guide is complete: a ruleset made by its steps alone passes every suite."""

from pathlib import Path

import pytest

from tests.docs.grown import NAME, grow, run

LAWS = [
    f"tests/domain/test_{name}.py"
    for name in ("annotations", "high_card", "imagine", "labels", "laws", "tally", "words")
]
API = [f"tests/service/api/test_{name}.py" for name in ("hotseat", "null_fields", "tally")]
ALL = [
    ["tests/domain", "tests/golden", "tests/projections", "tests/verifiers", "tests/docs/test_tables.py"],
    ["tests/openapi", "tests/campaigns/bots", "tests/campaigns/leaks", "tests/web"],
    ["tests/service", "--ignore", "tests/service/api"],
    ["tests/service/api", "--everything"],
]
"""Arguments of pytest."""


def suites(folder: Path, *arguments: str) -> str:
    """The tests of the new ruleset in these files."""
    return run(folder, "pytest", "--quiet", "-p", "no:cacheprovider", "-k", f"{NAME} and not golden_games", *arguments)


def test_a_ruleset_made_by_the_guide_obeys_the_laws_and_is_served(tmp_path: Path) -> None:
    grow(tmp_path)
    assert " passed" in suites(tmp_path, "--quick", *LAWS, *API)


@pytest.mark.by_default()
def test_a_ruleset_made_by_the_guide_passes_every_suite(tmp_path: Path) -> None:
    """After the commands of the guide, which change nothing of other rulesets."""
    grow(tmp_path)
    assert " passed" in suites(tmp_path, "--quick", *LAWS)
    kept = {path: path.read_bytes() for path in tmp_path.joinpath("openapi/examples").iterdir()}
    run(tmp_path, "tests.openapi.transcripts")
    assert all(path.read_bytes() == text for path, text in kept.items())
    run(tmp_path, "openapi.build")
    run(tmp_path, "tests.docs")
    golden = tmp_path / f"tests/golden/{NAME}-1"
    assert f"{NAME}-1/2-seats.jsonl" in run(tmp_path, "tests.golden", "--dry-run")
    run(tmp_path, "tests.golden")
    assert not golden.exists(), "nobody has agreed"
    run(tmp_path, "tests.golden", answer="y")
    assert golden.exists()
    for arguments in ALL:
        assert " passed" in run(tmp_path, "pytest", "--quiet", "-k", NAME, *arguments)
