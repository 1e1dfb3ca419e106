"""Text that the databases cannot store (NUL, lone surrogates) matches nothing and is rejected in bodies."""

import pytest

from domain.rulesets import RULESETS
from tests.support.clients import Caller, done, problem

pytestmark = pytest.mark.anyio

NUL, HALF = "%00", "%ED%A0%80"

unstorable = pytest.mark.parametrize("text", [NUL, f"a{NUL}b", HALF, f"{HALF}a"])


@unstorable
async def test_unstorable_text_in_a_path_is_not_found(ann: Caller, text: str) -> None:
    ruleset = next(iter(RULESETS))
    for path in (f"/v1/games/{ruleset}/{text}", f"/v1/games/{ruleset}/{text}/events", f"/v1/players/{text}"):
        problem(await ann.get(path), 404, "not-found")
    problem(await ann.post(f"/v1/games/{ruleset}/{text}/seats", {}), 404, "not-found")
    problem(await ann.post(f"/v1/games/{ruleset}/{text}/moves", {}), 404, "not-found")


@unstorable
async def test_unstorable_text_in_a_filter_matches_nothing(ann: Caller, text: str) -> None:
    for query in (f"player={text}", f"ruleset={text}", f"player={ann.id}&ruleset={text}"):
        answer = await ann.get(f"/v1/games?{query}")
        assert answer.status_code == 400 or done(answer)["items"] == []


@pytest.mark.parametrize("name", [b'"a\\u0000b"', b'"\\ud800"', b'"a\\udfff"', b'"\xed\xa0\x80"'])
async def test_unstorable_text_is_rejected_as_a_name(stranger: Caller, name: bytes) -> None:
    problem(await stranger.post("/v1/players", b'{"name":' + name + b"}"), 400, "malformed")
