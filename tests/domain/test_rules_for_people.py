"""The rules for people: programs read the parts of `rules.json` that they need, and languages fall back to English."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import ValidationError

from domain.bundled import RuleBox, boxes


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package without files, with a name of its own: modules stay in memory."""
    name = f"of_{tmp_path.name}"
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return name


def written(tmp_path: Path, home: str, content: Any) -> None:
    (tmp_path / home / "rules.json").write_text(json.dumps(content))


def test_what_only_pages_read_is_ignored(tmp_path: Path, home: str):
    """A package may have more in its file: `title` once kept the whole service from starting."""
    assert boxes(home) == ()
    box = {"title": {"en": "Three alike"}, "text": {"en": "They go."}, "rules": ["sk-28"], "picture": [{"sign": "or"}]}
    written(tmp_path, home, {"title": "A game", "boxes": [box], "sections": []})
    assert boxes(home) == (RuleBox({"en": "Three alike"}, {"en": "They go."}),)


@pytest.mark.parametrize("content", [{}, {"boxes": "none"}, {"boxes": [{"title": {"en": "x"}}]}, []])
def test_a_file_without_boxes_is_invalid(tmp_path: Path, home: str, content: Any):
    written(tmp_path, home, content)
    with pytest.raises(ValidationError):
        boxes(home)
