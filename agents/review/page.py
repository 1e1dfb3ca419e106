"""A review as one self-contained page: no script, no file beside it, readable in light and dark."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from msgspec import UNSET

from agents.review.wording import Wording, worst
from domain.review import HALF, Account, Choice, Point, Review
from domain.ruleset import Seat

PARTS = ("luck", "errors", "finds", "others")
WIDTH, HEIGHT, MARGIN = 640, 180, 44
MARKS = {"inaccuracy": "▁", "mistake": "▃", "blunder": "▆"}
"""Three heights: not told by colour alone."""

STYLE = """
:root { color-scheme: light dark; --line: #8888; --good: #2a7; --bad: #c43; --even: #57c }
body { font: 16px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 46rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem; text-align: right; vertical-align: top }
th:first-child, td:first-child, td.text { text-align: left }
svg { width: 100%; height: auto } svg text { fill: currentColor; font-size: 11px }
.level { stroke: var(--line) } .curve { fill: none; stroke: var(--even); stroke-width: 2 } circle { fill: var(--even) }
.good { fill: var(--good) } .bad { fill: var(--bad) } .whisker { stroke: currentColor; stroke-width: 1.5 }
.scroll { overflow-x: auto } li { margin: .5rem 0 } footer { font-size: .8rem; overflow-wrap: anywhere }
"""


class Scale(NamedTuple):
    """From figures to places on a line."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, figure: float) -> float:
        return self.begin + (self.end - self.begin) * (figure - self.low) / ((self.high - self.low) or 1)


def page(review: Review[Any], wording: Wording, language: str) -> str:
    """The final review as HTML. All names are escaped."""
    said, title = wording.words, wording.labels.title
    body = [
        f"<h1>{said['title']}: {escape(title)}</h1>", f"<p>{said['about']}</p>",
        f"<h2>{said['split']}</h2>", *split(review, wording),
        f"<h2>{said['moments']}</h2>", *moments(review, wording),
        f"<h2>{said['curve']}</h2>", *curves(review, wording),
        f"<h2>{said['choices']}</h2>", *choices(review, wording),
        f"<footer><p>{escape(review.rules)} · {said['plan']}: {review.plan} · {said['house']}: {escape(review.house)} "
        f"· {review.format}<br>{review.head}</p></footer>",
    ]  # fmt: skip
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{said['title']}: {escape(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><main>\n{chr(10).join(body)}\n</main></body></html>\n"
    )


# --- the split --------------------------------------------------------------------------------------------------------


def split(review: Review[Any], wording: Wording) -> Iterator[str]:
    """A picture for each seat, and a table with the same figures."""
    said = wording.words
    heads = "".join([f'<th scope="col">{said[part]}</th>' for part in ("result", *PARTS)])
    yield f'<div class="scroll" tabindex="0"><table><tr><th scope="col">{said["player"]}</th>{heads}</tr>'
    for name, row in zip(wording.names, review.accounts, strict=True):
        cells = [signed(wording, row.result), f"{signed(wording, row.luck)} ± {wording.number(HALF * row.error)}"]
        cells += [signed(wording, getattr(row, part)) for part in PARTS[1:]]
        figures = "".join([f"<td>{cell}</td>" for cell in cells])
        yield f'<tr><th scope="row">{escape(name)}</th>{figures}</tr>'
    yield "</table></div>"
    most = max([1.0, *[abs(getattr(row, part)) + HALF * row.error for row in review.accounts for part in PARTS]])
    for name, row in zip(wording.names, review.accounts, strict=True):
        yield bars(row, wording, name, most)


def bars(row: Account, wording: Wording, name: str, most: float) -> str:
    """One bar for each part, from a common zero; luck with its interval of 95 %."""
    scale, high = Scale(-most, most, 130, WIDTH - 10), 22 * (len(PARTS) + 1)
    zero = scale.at(0)
    drawn = [f'<line class="level" x1="{zero:.1f}" x2="{zero:.1f}" y1="22" y2="{high}"/>', label(0, 14, name)]
    for place, part in enumerate(PARTS, 1):
        figure, top = getattr(row, part), 22 * place + 4
        begin, end = sorted((zero, scale.at(figure)))
        kind = "good" if figure >= 0 else "bad"
        drawn.append(label(12, top + 11, wording.words[part]))
        drawn.append(f'<rect class="{kind}" x="{begin:.1f}" y="{top}" width="{end - begin:.1f}" height="14"/>')
        if part == "luck":
            drawn.append(whisker(scale, figure, HALF * row.error, top + 7))
    return f'<svg viewBox="0 0 {WIDTH} {high + 6}" aria-hidden="true">{"".join(drawn)}</svg>'


def whisker(scale: Scale, figure: float, half: float, level: float) -> str:
    low, high = scale.at(figure - half), scale.at(figure + half)
    return f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{level:.1f}" y2="{level:.1f}"/>'


def label(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def signed(wording: Wording, figure: float) -> str:
    return f"{'+' if figure > 0 else ''}{wording.number(figure)}"


# --- moments and choices ----------------------------------------------------------------------------------------------


def moments(review: Review[Any], wording: Wording) -> Iterator[str]:
    """What is claimed, by seat: the most costly first."""
    claimed = [choice for choice in worst(review) if choice.category is not UNSET]
    if not claimed:
        yield f"<p>{wording.words['none']}</p>"
    most = max([choice.loss + HALF * choice.error for choice in claimed], default=1.0)
    for seat, name in enumerate(wording.names):
        if own := [choice for choice in claimed if choice.seat == seat]:
            yield f"<details open><summary>{escape(name)}: {len(own)}</summary><ul>"
            yield from (moment(choice, wording, most) for choice in own)
            yield "</ul></details>"


def moment(choice: Choice[Any], wording: Wording, most: float) -> str:
    assert choice.category is not UNSET
    scale = Scale(0, most, 0, WIDTH)
    drawn = (
        f'<rect class="bad" x="0" y="2" width="{scale.at(choice.loss):.1f}" height="8"/>'
        f"{whisker(scale, choice.loss, HALF * choice.error, 6)}"
    )
    kind = f"{MARKS[choice.category]} {wording.words[choice.category]}"
    where = wording.words["at"].format(version=choice.version)
    return (
        f"<li><strong>{kind}</strong> · {where}<br>{escape(wording.sentence(choice))}"
        f'<svg viewBox="0 0 {WIDTH} 12" aria-hidden="true">{drawn}</svg></li>'
    )


def choices(review: Review[Any], wording: Wording) -> Iterator[str]:
    """Every choice in a table."""
    said = wording.words
    heads = ("version", "player", "made", "expected", "best", "loss")
    yield f'<details><summary>{len(review.choices)}</summary><div class="scroll" tabindex="0"><table><tr>'
    yield "".join([f'<th scope="col">{said[head]}</th>' for head in heads]) + "</tr>"
    for choice in review.choices:
        best, lost = "", ""
        if choice.best is not UNSET:
            half = HALF * choice.error
            best, lost = wording.move(choice.best), f"{wording.number(choice.loss)} ± {wording.number(half)}"
        yield (
            f'<tr><td>{choice.version}</td><td class="text">{escape(wording.names[choice.seat])}</td>'
            f'<td class="text">{escape(wording.move(choice.made))}</td><td>{signed(wording, choice.expected)}</td>'
            f'<td class="text">{escape(best)}</td><td>{lost}</td></tr>'
        )
    yield "</table></div></details>"


# --- the curve --------------------------------------------------------------------------------------------------------


def curves(review: Review[Any], wording: Wording) -> Iterator[str]:
    """For each seat what it could expect at each of its choices, the rounds one after the other."""
    for seat, name in enumerate(wording.names):
        points, before = list[float](), 0.0
        for round_ in review.rounds:
            points += [before + point.expected for point in round_.curves[seat]]
            before += round_.accounts[seat].result
        yield f"<figure><figcaption>{escape(name)}</figcaption>{curve(points, wording)}</figure>"
        yield from steps(review, wording, seat)


def curve(points: Sequence[float], wording: Wording) -> str:
    low, high = min([0.0, *points]), max([0.0, *points])
    across = Scale(0, len(points) - 1, MARGIN, WIDTH - 10)
    down = Scale(low, high, HEIGHT - 12, 12)
    places = [(across.at(place), down.at(figure)) for place, figure in enumerate(points)]
    path = " ".join([f"{x:.1f},{y:.1f}" for x, y in places])
    dots = "".join([f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in places])
    levels = "".join([label(MARGIN - 6, down.at(figure) + 4, wording.number(figure), "end") for figure in (low, high)])
    zero = f'<line class="level" x1="{MARGIN}" x2="{WIDTH}" y1="{down.at(0):.1f}" y2="{down.at(0):.1f}"/>'
    shapes = f'{zero}<polyline class="curve" points="{path}"/>{dots}{levels}'
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{shapes}</svg>'


def steps(review: Review[Any], wording: Wording, seat: Seat) -> Iterator[str]:
    """The same as a table."""
    said = wording.words
    heads = "".join([f'<th scope="col">{said[head]}</th>' for head in ("version", "expected", "luck")])
    yield f'<details><summary>{said["figures"]}</summary><div class="scroll" tabindex="0"><table><tr>{heads}</tr>'
    for round_ in review.rounds:
        yield from (step(point, wording) for point in round_.curves[seat])
    yield "</table></div></details>"


def step(point: Point, wording: Wording) -> str:
    where = str(point.version) if point.version else wording.words["end"]
    return f"<tr><td>{where}</td><td>{signed(wording, point.expected)}</td><td>{signed(wording, point.luck)}</td></tr>"
