"""The function that docs/streams.md prints applies patches: golden games give the view of every version."""

from pathlib import Path

import msgspec
import pytest

from domain.codec import encode
from domain.game import Game, Rules
from domain.game.log import redacted
from domain.rulesets import RULESETS
from projections import patches
from tests.docs.pages import DOCS, blocks, section
from tests.golden import folder, read
from tests.verifiers.standalone import in_node

CHECK = """
import { readFileSync } from "node:fs";
const { lines, views } = JSON.parse(readFileSync(0, "utf-8"));
let frames = 0, before;
for (const { version, view } of film(lines)) {
  if (JSON.stringify(view) !== views[version - 1]) throw new Error(`version ${version}`);
  if (view?.options !== undefined && before?.options !== undefined && view.options !== before.options) {
    throw new Error(`version ${version}: a part that did not change is another object`);
  }
  [before, frames] = [view, frames + 1];
}
console.log(frames);
"""


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_the_printed_function_applies_the_patches_of_a_game(rules: Rules, tmp_path: Path) -> None:
    (printed,) = blocks(section((DOCS / "streams.md").read_text(), "Patches"), "js")
    script = tmp_path / "film.mjs"
    script.write_text(printed + CHECK)
    log = read(rules, min(folder(rules).glob("*.jsonl")))[0].log
    seen, lines, views = Game(""), [], []
    for entry in log:
        seen, patch = patches.step(rules, seen, redacted(rules, entry, 0).event)
        lines.append(encode({"version": entry.version, "patch": patch}).decode())
        views.append(encode(seen.state).decode())
    assert in_node(script, msgspec.json.encode({"lines": lines, "views": views}).decode()) == f"{len(log)}\n"


def test_the_printed_program_is_short() -> None:
    (printed,) = blocks(section((DOCS / "streams.md").read_text(), "Patches"), "js")
    assert len(printed.splitlines()) <= 25
