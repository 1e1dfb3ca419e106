"""The results of a league as one self-contained page: no script, no request, readable on a phone, in light and dark."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from itertools import combinations

import msgspec

from agents.arena.boards import WORLDS
from agents.arena.statistics import FEWEST, Interval
from agents.league.figures import Claims, Pair, Results, Row, pairs, rows, typical
from agents.league.terms import commitment
from agents.review.page import Scale
from domain.searching import ruler

PAGES = {"en": "index.html", "de": "index.de.html"}
MOST_BOARDS = 200
"""That the page lists."""
SHORTEST_P = 0.001

STYLE = """
:root { color-scheme: light dark; --line: #8886; --points: #1b5e8c; --own: #a2520a }
@media (prefers-color-scheme: dark) { :root { --points: #7cc0ee; --own: #f0a45e } }
html { background: Canvas; color: CanvasText }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top }
h1, li, tbody th, td { overflow-wrap: anywhere } small { font-weight: normal } code, .hash { overflow-wrap: anywhere }
svg { height: 24px; width: 200px } line { stroke-width: 2 } .points { fill: var(--points); stroke: var(--points) }
.own { fill: var(--own); stroke: var(--own) } .zero { stroke: var(--line) } .warn { border-left: 4px solid var(--own);
padding-left: .6rem } .key::before { content: "● " } .key.points::before { color: var(--points) }
.key.own::before { color: var(--own) }
@media (max-width: 60rem) {
table, tbody, tr, th, td { display: block } thead { display: none } th, td { border: 0; padding: .1rem 0 }
tr { border-bottom: 1px solid var(--line); padding: .5rem 0 } td::before { content: attr(data-of) ": " }
td:empty { display: none }
}
"""


@cache
def words(language: str) -> Mapping[str, str]:
    text = files(__package__).joinpath("words.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, dict[str, str]])[language]


def pages(results: Results, claims: Claims, hashes: Mapping[str, str]) -> dict[str, str]:
    """By name, as HTML; everything that is not ours is escaped. `hashes`: by name of a file beside them."""
    found, compared = rows(results), pairs(results)
    return {name: page(Page(results, claims, found, compared, language), hashes) for language, name in PAGES.items()}


def page(written: "Page", hashes: Mapping[str, str]) -> str:
    said, language = written.words, written.language
    title = f"{said['league']}: {escape(written.results.terms.title)}"
    body = [
        f'<p lang="{"de" if language == "en" else "en"}"><a href="{said["other_file"]}">{said["other"]}</a></p>',
        f"<h1>{title}</h1>", *written.summary(), f"<h2>{said['standing']}</h2>", *written.standing(),
        f"<h2>{said['read']}</h2>", *written.reading(), f"<h2>{said['pairs']}</h2>", *written.pairs(),
        f"<h2>{said['rules']}</h2>", *written.rules(), f"<h2>{said['proof']}</h2>", *written.proof(),
        f"<h2>{said['files']}</h2>", *listed([
            f"<code>{escape(name)}</code> <small class=hash>SHA-256 {digest}</small>" for name, digest in hashes.items()
        ]),
        f"<h2>{said['boards']}</h2>", *written.boards(),
    ]  # fmt: skip
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{title}</title><style>{STYLE}</style></head>\n"
        f"<body><main>\n{chr(10).join(body)}\n</main></body></html>\n"
    )


class Page:
    """The parts of the page, in one language."""

    def __init__(
        self, results: Results, claims: Claims, found: Sequence[Row], compared: Sequence[Pair], language: str
    ) -> None:
        self.results, self.claims, self.found, self.compared = results, claims, found, compared
        self.language, self.words = language, words(language)
        self.names = [escape(each.name) for each in results.terms.entrant]

    def summary(self) -> Iterator[str]:
        terms, boards = self.results.terms, self.results.counted
        yield paragraph(self.words["summary"].format(
            game=escape(terms.rules.labels[self.language].title), seats=terms.seats, boards=self.whole(len(boards)),
            games=self.whole(len(boards) * terms.tables),
        ))  # fmt: skip
        if len(boards) < FEWEST:
            yield f'<p class="warn">{self.words["few"].format(fewest=FEWEST)}</p>'
        if void := len(self.results.boards) - len(boards):
            missed = [f"{self.names[each]} ({self.whole(many)})" for each, many in self.results.missed.items()]
            names = ", ".join(missed) or self.words["dash"]
            yield f'<p class="warn">{self.words["void"].format(boards=self.whole(void), names=names)}</p>'

    # --- tables ---

    def standing(self) -> Iterator[str]:
        said, weighed = self.words, self.results.weighed
        heads = ["points", *["own"] * weighed, "picture", "rating", "games", "choice", "replaced", "forfeits"]
        heads += ["usage"] * any(self.claims.usage)
        span = scale_of(self.found)
        body = []
        for number, row in enumerate(self.found, 1):
            entrant = self.results.terms.entrant[row.entrant]
            kind = ", ".join(filter(None, [escape(entrant.kind), said["fills"] if entrant.fills else ""]))
            cells = [self.interval(row.points), *[self.interval(row.own)] * weighed, self.picture(row, span)]
            cells += [self.interval(row.rating, 0), self.whole(row.games), self.pace(row.entrant)]
            choices = self.whole(self.claims.choices[row.entrant])
            cells += [f"{self.whole(row.replaced)} {said['of']} {choices}", self.whole(row.forfeits)]
            if any(self.claims.usage):
                used = self.claims.usage[row.entrant].items()
                cells.append(", ".join([f"{self.whole(round(many))} {escape(unit)}" for unit, many in used]))
            code = f" <small><code>{escape(entrant.bot)}</code></small>" if entrant.bot != entrant.name else ""
            said_kind = f" <small>{kind}</small>" if kind else ""
            body.append((f"{number}. {self.names[row.entrant]}{code}{said_kind}", cells))
        yield from self.table(["entrant", *heads], body)

    def pairs(self) -> Iterator[str]:
        weighed = self.results.weighed
        body = []
        for each in self.compared:
            head = self.words["less"].format(one=self.names[each.one], other=self.names[each.other])
            cells = [self.interval(each.points), self.small(each.p)]
            if weighed:
                cells += [
                    self.interval(each.own),
                    self.words["dash"]
                    if each.saves is None
                    else f"{self.number(each.saves, 1)} {self.words['factor']}",
                ]
            body.append((head, cells))
        yield from self.table(["pair", "points", "p", *["own", "boards_for"] * weighed], body)

    def table(self, heads: Sequence[str], body: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
        """With the roles written out: on a phone a row is shown as a block, which would take them away."""
        titles = [self.words[each] for each in heads]
        cells = "".join([f'<th role="columnheader" scope="col">{title}</th>' for title in titles])
        yield f'<table role="table"><thead role="rowgroup"><tr role="row">{cells}</tr></thead><tbody role="rowgroup">'
        for head, row in body:
            cells = "".join([
                f'<td role="cell" data-of="{escape(title)}">{cell}</td>'
                for title, cell in zip(titles[1:], row, strict=True)
            ])  # fmt: skip
            yield f'<tr role="row"><th role="rowheader" scope="row">{head}</th>{cells}</tr>'
        yield "</tbody></table>"

    def picture(self, row: Row, span: Scale) -> str:
        """Both intervals, one above the other; the figures are in the cells beside it."""
        kinds = [("points", row.points, 8), *([("own", row.own, 17)] if row.own is not None else [])]
        lines = "".join([
            f'<line class="{kind}" x1="{span.at(found.low):.1f}" x2="{span.at(found.high):.1f}" y1="{y}" y2="{y}"/>'
            f'<circle class="{kind}" cx="{span.at(found.mean):.1f}" cy="{y}" r="3"/>'
            for kind, found, y in kinds
        ])  # fmt: skip
        zero = f'<line class="zero" x1="{span.at(0):.1f}" x2="{span.at(0):.1f}" y1="0" y2="24"/>'
        return f'<svg viewBox="0 0 200 24" aria-hidden="true">{zero}{lines}</svg>'

    # --- words ---

    def reading(self) -> Iterator[str]:
        said, results = self.words, self.results
        lines = [f'<span class="key points">{said["read_points"]}</span>']
        if results.weighed:
            text = said["read_own"].format(house=ruler(results.terms.rules), worlds=WORLDS)
            lines.append(f'<span class="key own">{text}</span>')
        if (times := typical(self.compared)) is not None:
            lines.append(said["saves" if times > 1 else "blunter"].format(times=self.number(times, 1)))
        zero = next(row for row in self.found if row.rating.low == row.rating.high == 0)
        lines.append(said["read_rating"].format(zero=self.names[zero.entrant]))
        yield from listed([*lines, said["read_interval"]])

    def rules(self) -> Iterator[str]:
        said, terms = self.words, self.results.terms
        think = self.number(terms.think, 0 if terms.think == int(terms.think) else 1)
        lines = [said["rule_think"].format(think=think, retries=terms.retries)]
        lines.append(said["rule_strikes"].format(strikes=terms.strikes))
        lines += [said["rule_people"].format(think=think)] * terms.has_people
        lines += [said["rule_owner"]] * any(each.owner for each in terms.entrant)
        yield from listed([*lines, said["meetings"].format(**evenness(self.results))])

    def proof(self) -> Iterator[str]:
        said = self.words
        digest = f'<code class="hash">{commitment(self.results.secret)}</code>'
        of = "_people" if self.results.terms.has_people else ""
        yield from listed([
            said[f"proof_deals{of}"].format(commitment=digest), said["proof_records"], said[f"proof_house{of}"],
            said["proof_not"],
        ])  # fmt: skip

    def boards(self) -> Iterator[str]:
        boards = self.results.boards
        for board in boards[:MOST_BOARDS]:
            tables = [
                ", ".join(
                    [f"{self.names[each]} {points}" for each, points in zip(game.seating, game.scores, strict=True)]
                    if game.scores
                    else [f"{self.names[each]} {self.words['dash']}" for each in game.seating]
                )
                for game in board.games
            ]
            title = self.words["board"].format(number=self.whole(board.number + 1))
            yield f"<details><summary>{title}</summary>{''.join(listed(tables))}</details>"
        if len(boards) > MOST_BOARDS:
            yield paragraph(self.words["more_boards"].format(many=self.whole(len(boards) - MOST_BOARDS)))

    # --- figures ---

    def number(self, figure: float, digits: int) -> str:
        text = f"{figure:.{digits}f}"
        text = text.lstrip("-") if float(text) == 0 else text
        return text.replace("-", self.words["minus"]).replace(".", self.words["point"])

    def whole(self, figure: int) -> str:
        return f"{figure:,}".replace(",", self.words["group"])

    def signed(self, figure: float, digits: int) -> str:
        text = self.number(figure, digits)
        return text if text.startswith(self.words["minus"]) or not text.strip("0.,") else f"+{text}"

    def interval(self, found: Interval | None, digits: int = 2) -> str:
        if found is None:
            return self.words["dash"]
        low, high = self.signed(found.low, digits), self.signed(found.high, digits)
        return f"{self.signed(found.mean, digits)} <small>({low} {self.words['to']} {high})</small>"

    def small(self, p: float) -> str:
        """A probability, which is never 0."""
        return f"&lt; {self.number(SHORTEST_P, 3)}" if p < SHORTEST_P else self.number(p, 3 if p < 0.01 else 2)

    def pace(self, entrant: int) -> str:
        seconds = self.claims.seconds[entrant] / max(1, self.claims.choices[entrant])
        return f"{self.number(seconds, 1)} s" if seconds >= 1 else f"{self.number(1000 * seconds, 1)} ms"


def scale_of(found: Sequence[Row]) -> Scale:
    """All intervals, and 0."""
    shown = [each for row in found for each in (row.points, row.own) if each is not None]
    return Scale(min(0.0, *[each.low for each in shown]), max(0.0, *[each.high for each in shown]), 4, 196)


def evenness(results: Results) -> dict[str, int]:
    """The fewest and the most boards that a pair met on, and that an entrant had a seat on."""
    entrants, seats = range(len(results.terms.entrant)), range(results.terms.seats)
    met, sat = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for board in results.counted:
        for game in board.games:
            met.update(combinations(sorted(game.seating), 2))
            sat.update(enumerate(game.seating))
    meetings = [met[pair] for pair in combinations(entrants, 2)]
    sittings = [sat[seat, entrant] for seat in seats for entrant in entrants]
    return {"low": min(meetings), "high": max(meetings), "least": min(sittings), "most": max(sittings)}


def paragraph(text: str) -> str:
    return f"<p>{text}</p>"


def listed(items: Sequence[str]) -> Iterator[str]:
    yield "<ul>"
    yield from [f"<li>{item}</li>" for item in items]
    yield "</ul>"
