"""A copy of the repository with a sixth ruleset, High Card, made by the steps of `docs/adding-a-ruleset.md` alone."""

import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns
from subprocess import PIPE, STDOUT

ROOT = Path(__file__).parents[2]
PARTS = Path(__file__).with_name("high_card")

FOLDERS = ("agents", "clients", "docs", "domain", "openapi", "projections", "service", "stammtisch", "tests", "web")
FILES = ("CHANGELOG.md", "Makefile", "README.md", "SECURITY.md", "pyproject.toml", "zensical.toml")

NAME = "high_card"
PLACES = {
    **{
        part: f"domain/rulesets/{NAME}/{part}"
        for part in ("__init__.py", "rules.py", "bots.py", "imagine.py", "deck.json")
    },
    "labels.json": f"domain/rulesets/{NAME}/labels.json",
    "sentences.py": f"tests/domain/test_{NAME}.py",
    "rules.md": f"docs/rules/{NAME}.md",
}
"""The new files: by part, where it goes."""

EDITS: tuple[tuple[str, str, str], ...] = (
    (
        "domain/rulesets/__init__.py",
        "from domain.rulesets.scandaroon import",
        "from domain.rulesets.high_card import HIGH_CARD\nfrom domain.rulesets.scandaroon import",
    ),
    ("domain/rulesets/__init__.py", "SCOPINION, SCANDAROON)", "SCOPINION, SCANDAROON, HIGH_CARD)"),
    (
        "zensical.toml",
        '        { "Scandaroon" = "rules/scandaroon.md" },\n',
        '        { "Scandaroon" = "rules/scandaroon.md" },\n        { "High Card" = "rules/high_card.md" },\n',
    ),
    (
        "docs/fairness-protocol.md",
        "### scandaroon/1\n",
        "### high_card/1\n\n- `dealt`: the numbers, rising, shuffled. Seat s gets cards 4s to 4s+3.\n\n"
        "### scandaroon/1\n",
    ),
    (
        "tests/campaigns/bots/bounds.py",
        '    "skyjo": Bounds',
        '    "high_card": Bounds(0.40, 0.40),\n    "skyjo": Bounds',
    ),
    ("docs/rules/index.md", "\n## How", "| [High Card](high_card.md) | `high_card` | HC | 2 to 4 |\n\n## How"),
    (
        "clients/verifiers/stammtisch_verify.py",
        'if __name__ == "__main__":\n',
        PARTS.joinpath("verifier.py").read_text() + '\n\nif __name__ == "__main__":\n',
    ),
    (
        "clients/verifiers/stammtisch-verify.mjs",
        'if (typeof process !== "undefined"',
        PARTS.joinpath("verifier.mjs").read_text() + 'if (typeof process !== "undefined"',
    ),
)
"""The lines that the guide asks for in existing files: file, text, what replaces it."""


def grow(folder: Path) -> None:
    """Write the copy into the folder."""
    for name in FOLDERS:
        copytree(ROOT / name, folder / name, ignore=ignore_patterns("__pycache__", "node_modules", NAME))
    for name in FILES:
        folder.joinpath(name).write_bytes(ROOT.joinpath(name).read_bytes())
    for part, place in PLACES.items():
        target = folder / place
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(PARTS.joinpath(part).read_bytes())
    for name, old, new in EDITS:
        file = folder / name
        text = file.read_text(encoding="utf-8")
        assert old in text, f"{name}: {old}"
        file.write_text(text.replace(old, new), encoding="utf-8")


def run(folder: Path, *arguments: str, answer: str = "") -> str:
    """The output of `python -m` with these arguments in the copy, which must succeed. `answer` is typed in."""
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=folder, input=answer, text=True, stdout=PIPE, stderr=STDOUT)
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout
