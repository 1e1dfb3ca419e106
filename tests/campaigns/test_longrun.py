"""The campaign for a moment, without its picture."""

import pytest

from tests.campaigns import __main__ as campaigns
from tests.campaigns import longrun


@pytest.mark.by_default()
def test_every_figure_is_judged(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    drawn: list[longrun.Sample] = []
    monkeypatch.setattr(longrun, "SAMPLE", 1.0)
    monkeypatch.setattr(longrun, "draw", lambda found, _: drawn.extend(found))
    assert campaigns.main(["longrun", "--minutes", "0.1"]) in (0, 1)  # a moment says nothing about growth
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [*longrun.BOUNDS]
    assert drawn[-1].moves > 0
