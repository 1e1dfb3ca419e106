"""How the net of a published bot is trained."""

import msgspec
import numpy as np
import pytest

from agents.training import values
from domain.nets import Net
from domain.rulesets.scout import SCOUT
from domain.rulesets.scout.trained import after, player, published_net


def error(net: Net, samples: values.Samples) -> float:
    """The mean square error of what the net expects, in points."""
    expected = [net.value(seen.astype(int).tolist()) / net.unit for seen in samples.numbers]
    return float(np.square(np.array(expected) - samples.gains).mean())


@pytest.fixture(scope="module")
def fresh() -> values.Samples:
    return values.rounds(SCOUT, after, SCOUT.bots["careful/1"], 60, seed=9)


@pytest.mark.by_default()  # 360 rounds
def test_a_net_expects_more_rightly_than_the_mean_in_rounds_that_it_has_not_seen(fresh: values.Samples) -> None:
    net = values.fitted(values.rounds(SCOUT, after, SCOUT.bots["careful/1"], 300, seed=1))
    assert error(net, fresh) < float(np.var(fresh.gains))


def test_the_published_net_has_the_shape_of_one_that_is_trained_now(fresh: values.Samples) -> None:
    net, published = values.fitted(fresh), published_net()
    assert (net.unit, len(net.layer), len(net.layer[0])) == (
        published.unit, len(published.layer), len(published.layer[0]),
    )  # fmt: skip
    assert error(published, fresh) < float(np.var(fresh.gains))


@pytest.mark.checked
def test_the_command_prints_a_net_that_plays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["values", "scout", "--rounds", "20", "--own", "4"])
    values.main()
    net = msgspec.json.decode(capsys.readouterr().out, type=Net)
    assert values.rounds(SCOUT, after, player(net), 1, 1).gains.size
