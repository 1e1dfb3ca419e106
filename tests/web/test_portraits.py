"""Faces of people and of the house: each is drawn, has its words, and can be chosen. And the style of cards, which the
settings draw on every page."""

import re
from functools import cache
from typing import get_args

from domain.player import Face
from domain.rulesets import RULESETS
from service.pages.web import FOLDER, Page, pages_of, read
from tests.web.test_layers import CODE, MODULES, imports, words

HOUSE = {
    strength: re.findall(r'"([^"]+)"', names)
    for strength, names in re.findall(r"^  (\w+): \[([^\]]+)\],$", MODULES["core/house.js"], re.MULTILINE)
}
"""Names by strength."""


def test_every_face_is_drawn_offered_and_named() -> None:
    drawn = re.findall(r'<view id="(\w+)"', (FOLDER / "faces/people.svg").read_text())
    (offered,) = re.findall(r'const FACES = "([a-z ]+)"\.split', MODULES["pages/forms.js"])
    assert drawn == offered.split() == sorted(get_args(Face))
    for language in ("en", "de"):
        named = [key.removeprefix("ui.face_") for key in words(language, "more.") if key.startswith("ui.face_")]
        assert [each for each in named if each] == drawn


def test_everybody_of_the_house_has_a_portrait_words_and_phrases() -> None:
    style = (FOLDER / "style/base.css").read_text()
    faces, characters = (CODE.sub("", MODULES[name]) for name in ("faces/house.js", "pages/characters.js"))
    assert sum(map(len, HOUSE.values())) >= 10
    for strength, names in HOUSE.items():
        assert {f"house.{strength}", f"house.{strength}_is"} <= words("de", "", "lobby.").keys()
        for name in names:
            key = name.lower().replace("ä", "a")
            assert f"\n  {key}: [" in faces and f".p-{key} {{" in style, name
            assert f"\n  {name}: {{ good:" in characters and f"house.{name}" in words("de", "lobby."), name


def test_every_bot_that_rulesets_publish_is_offered_but_the_one_at_random() -> None:
    """A bot without a name of the house would not be offered, and would be shown by its raw name."""
    published = {bot.partition("/")[0] for rules in RULESETS.values() for bot in rules.house}
    assert published - {"random"} == HOUSE.keys()


@cache
def draws_cards(module: str) -> bool:
    """Whether the module takes from `table/card.js` what draws cards."""
    code = CODE.sub("", MODULES[module])
    taken = re.findall(r'import \{([^}]*)\} from "([^"]+)"', code)
    cards = [names for names, path in taken if path.endswith(("/table/card.js", "./card.js"))]
    return not module.startswith("faces/") and bool(re.search(r"\b(card|drawFace|drawBack)\b", " ".join(cards)))


def unstyled(pages: dict[str, Page]) -> list[str]:
    """The pages without the style of cards that draw cards, at once or with a module that is loaded later."""
    found = []
    for path, page in pages.items():
        reached, new = set[str](), {f"pages/{page.script}.js"}
        while new:
            reached |= new
            new = {each for name in new for each in imports(name, MODULES[name]) if each in MODULES} - reached
        if "cards" not in page.styles and any(map(draws_cards, reached)):
            found.append(path)
    return found


def test_every_page_that_draws_cards_has_their_style() -> None:
    pages = pages_of(read())
    assert unstyled(pages) == []
    bare = {path: Page(page.script, tuple(each for each in page.styles if each != "cards"), page.body)
            for path, page in pages.items()}  # fmt: skip
    assert unstyled(bare) == [*pages]
