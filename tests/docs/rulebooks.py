"""The pages of docs/rules as data that a page of the web table draws, without a Markdown parser in the browser.

A book is `{"title", "boxes", "sections": [{"title", "blocks"}]}`; the first section has no title. Its boxes are the
rules for people, `rules.json` in the folder of the ruleset (docs/labels.md). A block is one of

    {"p": spans, "id": "sk-1"}   a paragraph; a numbered rule has an id
    {"ul": [item...]}  {"ol": [item...]}   an item is a list of blocks
    {"head": [spans...], "rows": [[spans...]...]}   a table
    {"pre": text}

and spans are a list of texts and of pairs: ["b", spans], ["i", spans], ["code", text], ["a", id, spans].
"""

import json
import re
from pathlib import Path
from typing import Any

from domain.rulesets import RULESETS
from tests.docs.pages import DOCS, ROOT

FOLDER = ROOT / "web" / "tables" / "rules"

_ID = re.compile(r'<a id="([\w-]+)"></a>')
_SPAN = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<b>.+?)\*\*|(?<![\w*\\])\*(?P<i>[^*\s](?:[^*]*[^*\s])?)\*(?!\w)"
    r"|\[(?P<text>[^\]]+)\]\((?P<to>[^)]+)\)"
)
_ITEM = re.compile(r"( *)(-|\d+\.) (.*)")

Block = dict[str, Any]


def book(page: str) -> dict[str, Any]:
    """The data of a page in Markdown, as the pages of docs/rules are written."""
    first, *rest = re.split(r"(?m)^## ", page)
    title, _, text = first.partition("\n")
    sections = [("", text), *((each.partition("\n")[0], each.partition("\n")[2]) for each in rest)]
    found = [{"title": name, "blocks": blocks(body.split("\n"))} for name, body in sections]
    return {"title": title.removeprefix("# ").strip(), "sections": found}


def blocks(lines: list[str]) -> list[Block]:
    found: list[Block] = []
    while lines:
        line, *rest = lines
        if not line.strip():
            lines = rest
        elif line.startswith("```"):
            end = rest.index("```")
            found.append({"pre": "\n".join(rest[:end])})
            lines = rest[end + 1 :]
        elif line.startswith("|"):
            taken = _while(lines, lambda each: each.startswith("|"))
            head, _, *rows = [_cells(each) for each in taken]
            found.append({"head": head, "rows": rows})
            lines = lines[len(taken) :]
        elif _ITEM.match(line):
            taken = _while(lines, lambda each: bool(_ITEM.match(each)) or each.startswith("  "))
            found.append(_list(taken))
            lines = lines[len(taken) :]
        else:
            taken = _while(lines, lambda each: bool(each.strip()) and not each.startswith(("|", "```")))
            found.append(_paragraph(" ".join(taken)))
            lines = lines[len(taken) :]
    return found


def _while(lines: list[str], holds: Any) -> list[str]:
    count = next((index for index, line in enumerate(lines) if not holds(line)), len(lines))
    return lines[:count]


def _paragraph(text: str) -> Block:
    if heading := re.match(r"#+ (.*)", text):
        return {"h": spans(heading[1])}
    found = _ID.match(text)
    return {"p": spans(_ID.sub("", text))} | ({"id": found[1]} if found else {})


def _list(lines: list[str]) -> Block:
    """Items may hold items that are indented."""
    first = _ITEM.match(lines[0])
    assert first
    indent, items = len(first[1]), list[list[Block]]()
    inner: list[str] = []
    for line in [*lines, " " * indent + "- "]:
        item = _ITEM.match(line)
        if item and len(item[1]) == indent:
            if inner:
                items[-1] += blocks(inner)
            inner = []
            items.append([_paragraph(item[3])])
        else:
            inner.append(line[indent:])
    return {"ul" if first[2] == "-" else "ol": items[:-1]}


def _cells(row: str) -> list[list[Any]]:
    return [spans(cell.replace("\\|", "|").strip()) for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))]


def spans(text: str) -> list[Any]:
    found: list[Any] = []
    at = 0
    for match in _SPAN.finditer(text):
        found.append(_plain(text[at : match.start()]))
        kind, inside = next((kind, inside) for kind, inside in match.groupdict().items() if inside is not None)
        if kind == "code":
            found.append(["code", inside])
        elif kind in ("b", "i"):
            found.append([kind, spans(inside)])
        else:
            page, _, anchor = match["to"].partition("#")
            found += spans(match["text"]) if page else [["a", anchor, spans(match["text"])]]
        at = match.end()
    return [each for each in [*found, _plain(text[at:])] if each]


def _plain(text: str) -> str:
    return re.sub(r"\\([*|_\\])", r"\1", text)


def boxes(name: str) -> list[Any]:
    """The rules of the ruleset for people; [] if it has none."""
    file = ROOT / "domain" / "rulesets" / name / "rules.json"
    return list(json.loads(file.read_text())["boxes"]) if file.exists() else []


def books() -> dict[Path, str]:
    """The files by their path, with what they should hold."""
    return {
        FOLDER / f"{name}.json": json.dumps(
            {"boxes": boxes(name), **book((DOCS / "rules" / f"{name}.md").read_text())},
            ensure_ascii=False, separators=(",", ":"),
        ).replace('{"title"', '\n{"title"').strip() + "\n"
        for name in RULESETS
    }  # fmt: skip
