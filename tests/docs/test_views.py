"""What docs/views.md says of cards."""

import re

import pytest

from domain.codec import encode
from domain.rulesets import VERSIONS
from tests.docs.pages import DOCS
from tests.verifiers import samples

ROWS = re.findall(r"(?m)^    \| (\w[\w ]*) \| .* \| `(.*)` \|$", (DOCS / "views.md").read_text())


def test_every_game_has_an_example_of_a_card() -> None:
    assert [title for title, _ in ROWS] == [rules.labels["en"].title for rules in VERSIONS.values()]


@pytest.mark.parametrize(
    ("rules", "example"), [*zip(VERSIONS.values(), dict(ROWS).values(), strict=True)], ids=dict(ROWS)
)
def test_the_example_is_in_views(rules: object, example: str) -> None:
    played = samples.decisions(rules, 3, 0)  # type: ignore[arg-type]
    assert any(example in encode(each.game.state).decode() for each in played)
