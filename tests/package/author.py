"""A package of another author: High Card with an installed package's name, imports and project file."""

import re
from pathlib import Path

PARTS = Path(__file__).with_name("high_card")
NAME = "org.example.high_card"
DISTRIBUTION = "stammtisch-high-card"
PUBLIC = {
    "domain.bots": "stammtisch.bots",
    "domain.cards": "stammtisch.cards",
    "domain.deck": "stammtisch.cards",
    "domain.fairness.chance": "stammtisch.rules",
    "domain.features": "stammtisch.features",
    "domain.imagining": "stammtisch.imagining",
    "domain.messages": "stammtisch.rules",
    "domain.ruleset": "stammtisch.rules",
}
"""Where an author finds what is in our modules."""

PROJECT = f"""
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{DISTRIBUTION}"
version = "0.1.0"
dependencies = ["stammtisch"]

[project.entry-points."stammtisch.rulesets"]
"{NAME}" = "high_card:HIGH_CARD"

[tool.setuptools.package-data]
high_card = ["*.json", "*.js"]
"""

TABLE = """/** @type {import("./picture.js").Table} */
export default {
  grid: "hands", cloth: "plum", weave: "lattice", centre: ["played"], private: true,
  zones: { hands: { per: "seat", kind: "list", hand: true }, played: { kind: "list" }, draw: { kind: "pile" } },
  moves: { play: ({ slot }, you) => [`hands/${you}/${slot}`] },
  face: (card) => ({ text: String(card), tint: "t1" }),
  name: (card) => String(card),
  score: { total: "totals", rounds: "rounds", best: "highest" },
  marks: ["round_scored"],
};
"""


def written(folder: Path) -> Path:
    """The project's folder."""
    home = folder / "src" / "high_card"
    home.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT)
    (home / "table.js").write_text(TABLE)
    (home / "rules.json").write_text('{"title": "High Card", "boxes": [], "sections": []}')
    for part in ("__init__.py", "rules.py", "bots.py", "imagine.py", "deck.json", "labels.json"):
        text = (PARTS / part).read_text()
        text = re.sub(r"\bdomain\.rulesets\.high_card\b", "high_card", text)
        text = re.sub(r"^from (domain[\w.]*)", lambda found: f"from {PUBLIC[found[1]]}", text, flags=re.MULTILINE)
        text = text.replace('name="high_card"', f'name="{NAME}"').replace(
            '"ruleset": "high_card"', f'"ruleset": "{NAME}"'
        )
        (home / part).write_text(text)
    return folder


def faulty(folder: Path, distribution: str, ruleset: str, module: str, source: str, target: str) -> None:
    """Install a package by hand: its module, and the metadata with its entry point."""
    (folder / f"{module}.py").write_text(source)
    metadata = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[stammtisch.rulesets]\n{ruleset} = {module}:{target}\n")
