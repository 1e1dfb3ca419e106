"""What the modules of the pages may import, which words exist, and how large everything may become."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import pytest

from domain.codec import builtins
from domain.rulesets import RULESETS
from service.extension import REGISTERED
from service.pages.web import FOLDER, read

FOLDERS = [FOLDER, *sorted(FOLDER.parent.glob("service/extensions/*/web"))]
MODULES = {
    path.relative_to(folder).as_posix(): path.read_text()
    for folder in FOLDERS
    for path in sorted(folder.rglob("*.js"))
    if "vendor" not in path.parts
}
"""Those of the pages and of the extensions, as they are served."""
BELOW = {
    "core": {"core"},
    "faces": {"faces", "core/types.js"},
    "tables": {"tables", "faces", "core/types.js", "core/later.js"},
    "table": {"table", "faces", "core"},
    "worker.js": {"verify.mjs"},
    "pages": {"pages", "table", "tables/index.js", "faces", "core"},
    "sw.js": set(),
    "embed.js": set(),
}
"""What each folder, and each script that is started by its URL, may import: folders and single modules."""
CODE = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
_IMPORTED = re.compile(r"""\b(?:import|export)\b[^'";]*?["'](\.[^"']+)["']""")


def imports(name: str, source: str) -> list[str]:
    found = _IMPORTED.findall(CODE.sub("", source))
    return [normpath(join(dirname(name), path)) for path in found]


def forbidden(name: str, source: str) -> list[str]:
    room = name.partition("/")[0]
    allowed = BELOW[room]
    found = imports(name, source)
    library = [path for path in found if path.startswith("vendor/")]
    ours = [path for path in found if path not in library]
    wrong = [path for path in ours if not {path, path.partition("/")[0]} & allowed]
    renders = [path for path in ours if room == "core" and path == "core/html.js"]
    return wrong + renders + (library if name not in {"core/html.js", "core/keyed.js"} else [])


def test_a_module_imports_only_what_is_below() -> None:
    assert {name: wrong for name, source in MODULES.items() if (wrong := forbidden(name, source))} == {}


def test_types_of_the_pages_of_extensions_are_checked() -> None:
    """An extension imports modules of the core by the paths at which they are served."""
    config = FOLDER.parent / "tests/web/deno.json"
    roots = json.loads(config.read_text())["compilerOptions"]["rootDirs"]
    assert [(config.parent / root).resolve() for root in roots] == FOLDERS


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("core/x.js", 'import { table } from "../table/table.js";'),
        ("core/x.js", 'import { html } from "./html.js";'),
        ("tables/x.js", 'import { areas } from "../core/areas.js";'),
        ("pages/x.js", 'import { html } from "../vendor/lit-html/lit-html.js";'),
        ("pages/x.js", 'import skyjo from "../tables/skyjo.js";'),
        ("table/x.js", 'export * from "../pages/page.js";'),
        ("table/x.js", 'const late = () => import("../pages/page.js");'),
    ],
)
def test_an_import_of_what_is_above_is_noticed(name: str, source: str) -> None:
    assert forbidden(name, source)


def own(folder: Path) -> dict[str, str]:
    """The code of the modules of a folder."""
    found = {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*.js"))}
    return {name: CODE.sub("", source) for name, source in found.items() if not name.startswith("vendor/")}


def keys(folder: Path) -> set[str]:
    return {key for file in folder.glob("words/*.json") for key in json.loads(file.read_text())}


def named(code: str) -> set[str]:
    """What names an extension in this code: its name, a link to its page, a path of the API, a word of it."""
    code = re.sub(r'\b(from|import)\b[ (]*"[^"]*"', "", code)
    found = {each for each in REGISTERED if re.search(rf"""["'`/]{each}["'`/?]""", code)}
    pages = {page for extension in REGISTERED.values() for page in extension.pages}
    found |= {each for each in pages if re.search(rf"""\bhref ?=.{{0,3}}["'`]{each}["'`?#]""", code)}
    found |= {each for each in ROOTS if re.search(rf"""["'`]{each}["'`/]""", code)}
    found |= {each for each in SEGMENTS if re.search(rf"""/{each}["'`/?]""", code)}
    return found | {key for key in THEIR_WORDS if f'"{key}"' in code}


def segments() -> tuple[set[str], set[str]]:
    """The parts of paths of the API that only extensions have: the first ones, and those below an id."""
    paths = json.loads((FOLDER.parent / "openapi/openapi.json").read_text())["paths"]
    theirs = tuple(f"_{each}" for extension in REGISTERED.values() for each in extension.operations)
    parts: dict[bool, list[set[str]]] = {True: [set(), set()], False: [set(), set()]}
    for path, item in paths.items():
        ids = {each["operationId"] for each in item.values() if isinstance(each, dict)}
        roots, below = parts[all(f"_{each}".endswith(theirs) for each in ids)]
        known = [part for part in path.removeprefix("/v1").split("/")[1:] if "{" not in part]
        roots |= {*known[:1]}
        below |= {*known[1:]}
    (roots, below), (ours, others) = parts[True], parts[False]
    return roots - ours, below - others


ROOTS, SEGMENTS = segments()
THEIR_WORDS = {key for folder in FOLDERS[1:] for key in keys(folder)}


def test_no_page_of_the_core_names_an_extension() -> None:
    """An extension has its places on pages of the core from `Serving.places`: without it they are gone."""
    assert {"puzzles", "pairings", "films"} <= ROOTS
    assert {"hints", "reviews", "blocks"} <= SEGMENTS
    assert {name: found for name, code in own(FOLDER).items() if (found := named(code))} == {}


@pytest.mark.parametrize(
    "code",
    [
        'api.request("puzzles/today")',
        "`games/${path}/hints`",
        'href="puzzle?g=x"',
        'say("review.title")',
        '"players/me/reviews"',
    ],
)  # fmt: skip
def test_the_name_of_an_extension_is_noticed(code: str) -> None:
    assert named(code)


def test_an_extension_has_what_it_imports_and_says_of_the_core_or_of_itself() -> None:
    words = keys(FOLDER)
    for folder in FOLDERS:
        mine, said = own(folder), words | keys(folder)
        for name, code in mine.items():
            found = imports(name, code)
            assert [path for path in found if not ((FOLDER / path).exists() or (folder / path).exists())] == [], name
            asked = re.findall(r'\bsay0?\(\s*"([^"]+)"', code)
            assert [key for key in asked if key not in said and not key.startswith("labels.")] == [], name
            styles = [f"style/{each}.css" for each in re.findall(r'\bstyled\("(\w+)"', code)]
            assert [each for each in styles if not ((FOLDER / each).exists() or (folder / each).exists())] == [], name


def test_only_tables_name_a_ruleset_and_they_are_short() -> None:
    for name, source in MODULES.items():
        if name.startswith("tables/"):
            assert len(source.splitlines()) <= 200, name
        else:
            code = CODE.sub("", source)
            assert [ruleset for ruleset in RULESETS if re.search(rf"\b{ruleset}\b", code)] == [], name


WORDS = {
    name.removeprefix("words/"): json.loads(content) for name, content in read().items() if name.startswith("words/")
}
"""The files of words, as they are served."""
PARTS = sorted(name.removesuffix("en.json") for name in WORDS if name.endswith("en.json"))


def words(language: str, *parts: str) -> dict[str, str]:
    """Of all files, or of some: "" for those of the first visit, "more.", "lobby." and those of pages for the
    others."""
    return {key: text for part in parts or PARTS for key, text in WORDS[f"{part}{language}.json"].items()}


def test_words_are_sorted() -> None:
    for folder in FOLDERS:
        for file in folder.glob("words/*.json"):
            known = list(json.loads(file.read_text()))
            assert known == sorted(known), file


FORMAL = re.compile(r"\b(Sie (können|müssen|dürfen|sollen|möchten|haben|werden)|Ihnen)\b")


def test_german_words_say_du() -> None:
    """Everybody is addressed alike, by pages and by rulesets. `Sie` as *they* goes with other verbs here."""
    own = {
        f"{name} {key}": text for name, rules in RULESETS.items() for key, text in texts(builtins(rules.labels["de"]))
    }
    assert len(own) > 500
    assert FORMAL.search("Sie können fragen.")
    assert {key: text for key, text in (words("de") | own).items() if FORMAL.search(text)} == {}


def texts(labels: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """All texts in labels, with their keys."""
    if isinstance(labels, str):
        yield at, labels
    for key, value in labels.items() if isinstance(labels, dict) else ():
        yield from texts(value, f"{at} {key}")


@pytest.mark.parametrize("part", PARTS)
def test_both_languages_have_the_same_words_with_the_same_fields(part: str) -> None:
    english, german = words("en", part), words("de", part)
    assert list(english) == list(german)

    def fields(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    assert [key for key in english if fields(english[key]) != fields(german[key])] == []
    assert [key for key in english if ("|" in english[key]) != ("|" in german[key])] == []


def test_every_word_is_used_and_every_used_word_exists() -> None:
    values = [path.read_text() for folder in FOLDERS[1:] for path in folder.parent.glob("*.py")]
    source = CODE.sub("", "\n".join(MODULES.values())) + "".join(values)
    computed = set(re.findall(r"`([a-z]+[._][a-z_]*[._]?)\$\{", source))
    known = words("en")
    unused = [key for key in known if f'"{key}"' not in source and not key.startswith(tuple(computed))]
    assert unused == []
    asked = re.findall(r'\bsay0?\(\s*"([^"]+)"', source)
    assert len(asked) > 50
    assert [key for key in asked if key not in known and not key.startswith("labels.")] == []


def test_no_template_has_what_the_policy_forbids() -> None:
    for name, source in MODULES.items():
        assert not re.search(r"""<[^>]*\sstyle=|\son\w+=["']|innerHTML|insertAdjacentHTML|\beval\(""", source), name


LATER = set(re.findall(r'styled\("(\w+)"\)', "\n".join(MODULES.values())))
"""Style sheets that are loaded on use: which others are there already differs from visit to visit."""


def bare(style: str) -> set[str]:
    """Classes that have rules of their own in a style sheet, wherever they are used. Print is left out."""
    style = re.sub(r"/\*.*?\*/|@media print \{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style, flags=re.DOTALL)
    selectors = re.split(r",(?![^(]*\))", ",".join(re.findall(r"([^{}]+)\{", style)))
    return {found[1] for each in selectors if (found := re.fullmatch(r"\.([\w-]+)", each.strip()))}


def test_a_style_sheet_that_is_loaded_on_use_changes_no_class_of_another() -> None:
    """The end of a round had a class `ends` as dialogs do: on phones that lay, dialogs then lost their buttons."""
    sheets = {path.stem: bare(path.read_text()) for folder in FOLDERS for path in folder.glob("style/*.css")}
    assert len(sheets) > 10
    assert sheets.keys() >= LATER >= {"moments", "dialogs"}
    shared = {
        (later, other): both
        for later in LATER
        for other in sheets
        if later != other and (both := sheets[later] & sheets[other])
    }
    assert shared == {}
