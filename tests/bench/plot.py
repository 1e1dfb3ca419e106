"""Two charts in one file: moves by number of clients, and the times of a move and a read by number of stored games.
`make bench` installs matplotlib.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import tests
from tests.bench import growth
from tests.bench.growth import LOOK, MOVE, Grown
from tests.bench.http import load, served
from tests.bench.load import Figures, moves

FILE = Path(tests.__file__).parents[1] / "docs" / "pictures" / "figures.png"

CLIENTS = (1, 2, 4, 8, 16, 32, 64, 128)
STORED = (1_000, 5_000, 20_000)


def crowded(ruleset: str, seats: int, seconds: float) -> dict[int, Figures]:
    """Durable moves by this many concurrent clients on one server."""
    with (
        TemporaryDirectory() as folder,
        served("service.app:create", Path(folder), rate_limit="off", registration_rate_limit="off") as server,
    ):
        return {clients: load(moves, server, ruleset, seats, clients, seconds) for clients in CLIENTS}


def draw(made: dict[int, Figures], grown: Grown, file: Path) -> None:
    import matplotlib.pyplot as plt  # a dependency of the drawing only

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    left.plot(made.keys(), [each.rate for each in made.values()], "o-", color="tab:blue")
    left.set(xscale="log", xlabel="clients at once", ylabel="durable moves a second", title="Moves over HTTP")
    left.set_xticks(CLIENTS, CLIENTS)
    left.set_ylim(0)
    late = left.twinx()
    for name, style in (("p99", "s--"), ("p50", "^:")):
        late.plot(
            made.keys(), [getattr(each, name) * 1e3 for each in made.values()], style, color="tab:red", label=name
        )
    late.set(ylabel="milliseconds until the answer")
    late.set_ylim(0)
    late.legend(loc="upper left")
    for what, style in ((MOVE, "o-"), (LOOK, "s-")):
        right.plot(grown.sizes, [seconds * 1e3 for seconds in grown.of(what)], style, label=what)
    right.set(
        xscale="log", xlabel="games stored", ylabel=f"milliseconds, {growth.CLIENTS} clients at once", title="Growth"
    )
    right.set_xticks(grown.sizes, [f"{size:,}" for size in grown.sizes])
    right.minorticks_off()
    right.set_ylim(0)
    right.legend(loc="center right")
    figure.savefig(file, dpi=100)
