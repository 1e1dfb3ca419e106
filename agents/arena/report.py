"""The report: a table for the terminal, a page, pictures."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from statistics import fmean

from agents.arena.boards import Arena
from agents.arena.statistics import (
    FEWEST,
    Difference,
    Interval,
    Standing,
    Weighed,
    by_t,
    differences,
    lengths,
    likelihood,
    paired,
    standings,
    weighed,
)
from domain.codec import encode

WIDTH, HEIGHT, MARGIN = 640, 320, 48


class Report:
    """All figures of an arena. The times are those of this run: they are not in `results.json`."""

    def __init__(self, arena: Arena, times: Sequence[Counter[int]], sprt: tuple[float, float] | None = None) -> None:
        self.arena, self.sprt = arena, sprt
        self.times = dict(zip(arena.terms.bots, times, strict=True))
        self.standings = standings(arena)
        self.differences = differences(arena)

    @property
    def title(self) -> str:
        terms, boards = self.arena.terms, self.arena.boards
        games, options = sum([len(board.games) for board in boards]), dict(sorted(terms.options.items()))
        said = "".join([f", {name}={value}" for name, value in options.items()])
        return f"{terms.rules}{said}, {terms.seats} seats, {len(boards):,} boards, {games:,} games, seed {terms.seed}"

    def lines(self) -> list[str]:
        """The table of the terminal."""
        width = max([len(each.bot) for each in self.standings] + [3])
        head = f"{'bot':{width}}  points/game         95 %   victories   rating         95 %   ms/choice (p99)"
        found = [self.title, head]
        for each in self.standings:
            mean, late = self.milliseconds(each.bot)
            points, rating = each.points, each.rating
            found.append(
                f"{each.bot:{width}}  {points.mean:+11.2f}  {span(points, 2):>15}   {each.victories.mean:7.1%}  "
                f"{rating.mean:+7.0f}  {span(rating, 0):>11}   {mean:9.2f} ({late:.2f})" + forfeited(each)
            )
        return [*found, *self.notes()]

    def notes(self) -> list[str]:
        """What is said below the table."""
        by_points, by_choices = map(self.compared, self.differences), map(self.without_luck, weighed(self.arena))
        return [*by_points, *by_choices, self.moves(), *self.warnings()]

    def without_luck(self, each: Weighed) -> str:
        saves = "the bots choose alike" if each.saves is None else f"as precise as {each.saves:.1f} times the boards"
        said = f"{each.one} - {each.other}  {each.points.mean:+.2f} points by choices alone ({span(each.points, 2)})"
        return f"{said}, {saves}"

    def moves(self) -> str:
        found = lengths(self.arena)
        given_up = f"; {found.given_up} given up" if found.given_up else ""
        return f"Moves in a game: median {found.median:g}, longest {found.longest}{given_up}."

    def compared(self, each: Difference) -> str:
        worth = (
            "the bots play alike" if each.worth is None else f"duplicating was worth {each.worth:.1f} times the games"
        )
        said = f"{each.one} - {each.other}  {each.points.mean:+.2f} points ({span(each.points, 2)}), "
        said += f"ahead in {each.ahead.mean:.1%} ({each.ahead.low:.1%} to {each.ahead.high:.1%}), "
        return said + f"bootstrap ({span(each.bootstrap, 2)}), p {each.p:.2g}; {worth}"

    def warnings(self) -> list[str]:
        found = []
        if len(self.arena.boards) < FEWEST:
            found.append(f"Fewer than {FEWEST} boards: the intervals are rough.")
        found += [
            f"{each.one} - {each.other}: the two intervals differ by more than 20 %."
            for each in self.differences
            if each.points.half and abs(each.bootstrap.half / each.points.half - 1) > 0.2
        ]
        if self.sprt is not None:
            low, high = self.sprt
            ratio = likelihood(paired(self.arena.boards, 0, 1), low, high)
            found.append(f"Sequential test: the log likelihood ratio of {high:g} to {low:g} points is {ratio:+.2f}.")
        return found

    def milliseconds(self, bot: str) -> tuple[float, float]:
        """A choice of the bot takes: the mean, the 99th percentile."""
        times = self.times[bot]
        if not times:
            return 0.0, 0.0
        late, left = 0, times.total() // 100
        for late in sorted(times, reverse=True):
            left -= times[late]
            if left < 0:
                break
        return sum([time * many for time, many in times.items()]) / times.total() / 1000, late / 1000

    def page(self) -> str:
        """The report as Markdown."""
        lines = [f"# {self.title}", ""]
        lines += ["| Bot | Points a game | 95 % | Victories | 95 % | Rating | 95 % | Choice | p99 | Forfeits |"]
        lines += ["|---|---|---|---|---|---|---|---|---|---|"]
        for each in self.standings:
            lines.append(f"| {' | '.join(self.cells(each))} |")
        lines += ["", *[f"- {note}" for note in self.notes()]]
        pictures = [f"![{words}]({name}.svg)" for name, words in PICTURES.items()]
        return "\n".join([*lines, "", *pictures, ""])

    def cells(self, each: Standing) -> list[str]:
        wins, (mean, late) = each.victories, self.milliseconds(each.bot)
        return [
            f"`{each.bot}`", f"{each.points.mean:+.2f}", span(each.points, 2),
            f"{wins.mean:.1%}", f"{wins.low:.1%} to {wins.high:.1%}",
            f"{each.rating.mean:+.0f}", span(each.rating, 0),
            f"{mean:.2f} ms", f"{late:.2f} ms", str(each.forfeits),
        ]  # fmt: skip

    def write(self, folder: Path) -> None:
        """`report.md`, `results.json` and the pictures, into a folder that exists."""
        folder.joinpath("report.md").write_text(self.page(), encoding="utf-8")
        folder.joinpath("results.json").write_bytes(encode(self.arena) + b"\n")
        sample = paired(self.arena.boards, 0, 1)
        folder.joinpath("boards.svg").write_text(boards_picture(sample), encoding="utf-8")
        folder.joinpath("interval.svg").write_text(interval_picture(sample), encoding="utf-8")
        folder.joinpath("ratings.svg").write_text(ratings_picture(self.standings), encoding="utf-8")


def span(interval: Interval, digits: int) -> str:
    return f"{interval.low:.{digits}f} to {interval.high:.{digits}f}"


def forfeited(each: Standing) -> str:
    return f", {each.forfeits} forfeits" if each.forfeits else ""


# --- pictures -----------------------------------------------------------------------------------------------------

PICTURES = {
    "boards": "The difference of the first two bots on each board, rising, and its mean",
    "interval": "The 95 % interval of that difference, by number of boards",
    "ratings": "The ratings of all bots with their 95 % intervals",
}


class Axes:
    """A drawing area for numbers."""

    def __init__(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        self.x, self.y = x, (y[0], y[1] if y[1] > y[0] else y[0] + 1)

    def at(self, x: float, y: float) -> tuple[float, float]:
        wide, high = WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN
        across = (x - self.x[0]) / ((self.x[1] - self.x[0]) or 1)
        return MARGIN + wide * across, HEIGHT - MARGIN - high * (y - self.y[0]) / (self.y[1] - self.y[0])

    def line(self, points: Sequence[tuple[float, float]], colour: str, width: float = 1.5) -> str:
        path = " ".join([f"{x:.1f},{y:.1f}" for x, y in (self.at(*point) for point in points)])
        return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'

    def drawn(self, title: str, parts: Sequence[str]) -> str:
        """The picture with the extreme values of its axes."""
        level = self.line([(self.x[0], 0), (self.x[1], 0)], "#999", 0.8) if self.y[0] <= 0 <= self.y[1] else ""
        words = [text(MARGIN, 24, title, "start", 14)]
        words += [text(MARGIN - 6, self.at(self.x[0], y)[1] + 4, f"{y:.1f}", "end") for y in self.y]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'font-family="sans-serif"><rect width="100%" height="100%" fill="#fff"/>'
            f"{''.join([*words, level, *parts])}</svg>\n"
        )


def text(x: float, y: float, words: str, anchor: str = "middle", size: int = 11) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{escape(words)}</text>'


def boards_picture(sample: Sequence[float]) -> str:
    axes = Axes((0, len(sample)), (min([0, *sample]), max([0, *sample])))
    mean = fmean(sample)
    parts = [
        axes.line([(place + 0.5, 0), (place + 0.5, value)], "#4477aa") for place, value in enumerate(sorted(sample))
    ]
    return axes.drawn(
        f"{PICTURES['boards']}: {mean:+.2f} points", [*parts, axes.line([(0, mean), (len(sample), mean)], "#ee6677")]
    )


def interval_picture(sample: Sequence[float]) -> str:
    first = min(10, max(2, len(sample)))
    grown = [(many, by_t(sample[:many])) for many in range(first, len(sample) + 1)] or [(1, by_t(sample))]
    low, high = min([0, *[each.low for _, each in grown]]), max([0, *[each.high for _, each in grown]])
    axes = Axes((grown[0][0], grown[-1][0]), (low, high))
    parts = [
        axes.line([(many, getattr(each, field)) for many, each in grown], colour)
        for field, colour in (("low", "#4477aa"), ("high", "#4477aa"), ("mean", "#ee6677"))
    ]
    return axes.drawn(PICTURES["interval"], parts)


def ratings_picture(found: Sequence[Standing]) -> str:
    rated = [each.rating for each in found]
    axes = Axes((0, len(found)), (min([0, *[each.low for each in rated]]), max([0, *[each.high for each in rated]])))
    parts = []
    for place, each in enumerate(found):
        x, rating = place + 0.5, each.rating
        across, down = axes.at(x, rating.mean)
        parts += [
            axes.line([(x, rating.low), (x, rating.high)], "#4477aa", 3),
            f'<circle cx="{across:.1f}" cy="{down:.1f}" r="5" fill="#ee6677"/>',
            text(across, HEIGHT - 16, each.bot),
        ]
    return axes.drawn(PICTURES["ratings"], parts)
