"""The problems of an extension are those of the application that has it."""

from pathlib import Path

import pytest

from service import extension
from service.api.problems import NotFinished, ProblemError
from service.app import rest_api
from service.extension import Extension, Serving
from service.runtime import Runtime
from service.settings import Settings


class Unripe(Exception):
    """What an extension raises."""


def test_applications_with_other_extensions_do_not_share_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving = Serving(problems={Unripe: lambda error: ProblemError(NotFinished(detail=str(error)))})
    fruit = Extension(name="fruit", home="service.extensions", serve=lambda _core, _rulesets: serving)
    settings = Settings(database=str(tmp_path / "unused.db"))
    with monkeypatch.context() as patch:
        patch.setitem(extension._registered, "fruit", fruit)
        having = rest_api(Runtime(settings))
    without = rest_api(Runtime(settings))
    answer = having.exception_handlers[Unripe](None, Unripe("too early"))  # type: ignore[arg-type]
    assert (answer.status_code, b"too early" in answer.content) == (409, True)
    assert Unripe not in without.exception_handlers
