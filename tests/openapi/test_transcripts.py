"""The transcripts in `openapi/examples`: every ruleset has one, and recording it again gives the same file."""

import json

import pytest

from domain.rulesets import RULESETS
from tests.openapi.transcripts import FOLDER, file, laid_out, recorded


def test_every_ruleset_has_a_transcript() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {file(ruleset).name for ruleset in RULESETS}, (
        "python -m tests.openapi.transcripts"
    )


@pytest.mark.anyio
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_transcript_recorded_again_is_the_same(ruleset: str) -> None:
    """Then `make openapi` changes nothing in a clean clone."""
    kept = file(ruleset).read_text()
    again = await recorded(ruleset)
    assert again == json.loads(kept)
    assert laid_out(again) + "\n" == kept


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_transcript_has_moves_a_repeated_request_a_problem_and_events(ruleset: str) -> None:
    exchanges = json.loads(file(ruleset).read_text())["exchanges"]
    answers = [exchange["answer"] for exchange in exchanges if exchange["answer"]["body"] is not None]
    assert sum(exchange["request"].get("operation") == f"{ruleset}_move" for exchange in exchanges) > 3
    assert any(answer["headers"].get("idempotency-replayed") == "true" for answer in answers)
    assert any(answer["body"].get("type") == "illegal-move" for answer in answers)
    assert any("patch" in item for answer in answers for item in answer["body"].get("items", ()))
    unanswered = [answer["body"] for answer in answers if answer["status"] >= 400]
    assert [body["type"] for body in unanswered] == ["illegal-move"], "all other requests succeed"


def test_long_values_are_laid_out_over_several_lines() -> None:
    value = {"cards": list(range(100)), "texts": ["one - two"] * 30, "rows": [[1, 2], [3]], "nothing": [], "ä": None}
    text = laid_out(value)
    assert json.loads(text) == value
    assert max(map(len, text.splitlines())) < 120
