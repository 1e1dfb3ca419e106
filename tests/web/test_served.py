"""What the service answers with for a browser: the pages and their files."""

import asyncio
import gzip
import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from service.pages.web import TYPES, imported, pages_of, read, shell_of, tight, uncommented
from tests.support.clients import Service, done, in_process, problem
from tests.web import limits
from tests.web.test_layers import FOLDERS

pytestmark = pytest.mark.anyio

PAGES = ("/", "/table", "/record", "/player", "/standings")
SAME = "etag", "vary", "cache-control"
"""What 200 would say, 304 says (RFC 9110, 15.4.5)."""
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html stammtisch"
)
PICTURE_POLICY = "default-src 'none'; frame-ancestors 'none'"


@pytest.fixture(scope="module", autouse=True)
def beside_a_browser() -> Iterator[None]:
    """The browser of other modules waits with its event loop."""
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    async with in_process(tmp_path_factory.mktemp("served") / "games.db", web="on") as running:
        running.http.headers["Accept"] = BROWSER
        yield running


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_is_revalidated_and_strict(service: Service, path: str) -> None:
    page = await service.stranger.get(path)
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"] == POLICY
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    assert page.headers["cache-control"] == "no-cache"
    again = await service.stranger.get(path, headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "<style" not in page.text
    assert " style=" not in page.text
    assert re.findall(r"<script(?! (?:type=\"module\" )?src=\"web/)", page.text) == []


@pytest.mark.parametrize("path", PAGES)
async def test_all_that_a_page_names_is_served_for_ever(service: Service, path: str) -> None:
    page = (await service.stranger.get(path)).text
    named = re.findall(r'(?:href|src)="(web/[^"]+)"', page)
    assert len(named) > 10
    for url in named:
        file = await service.stranger.get(f"/{url}", headers={"Origin": "http://localhost:1"})
        assert file.status_code == 200
        assert not any(name.startswith("access-control") for name in file.headers)  # nothing for other origins
        assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert file.headers["content-type"] == TYPES[Path(url).suffix]
        assert file.headers.get("content-security-policy") == (PICTURE_POLICY if url.endswith(".svg") else None)
        assert file.headers["x-content-type-options"] == "nosniff"
        name = url.split("/", 2)[2]
        [content] = [(folder / name).read_bytes() for folder in FOLDERS if (folder / name).exists()]
        content = uncommented(content) if url.endswith((".js", ".css")) else content
        assert file.content == (tight(content) if url.endswith(".css") else content)


COMMENTED = b"""/* one */ a { }
/**
 * Several * of / them.
 **/
b { } /* behind */
  // a line
c("//", "/*"); // behind
f("; // text", `) // text`);
  /* one */ /* another */
/** @type {D} */ (d).e((/** @type {F | any} */ { f }) => f);
"""
BARE = b"""/* one */ a { }



b { } /* behind */

c("//", "/*");
f("; // text", `) // text`);
/* one */ /* another */
(d).e(({ f }) => f);
"""


def test_comments_with_lines_of_their_own_are_not_served() -> None:
    """Nor is indentation. Lines keep their numbers. That no text of a template is taken for a comment: `lint.js`."""
    assert uncommented(COMMENTED) == BARE
    assert uncommented(COMMENTED.replace(b"\n", b"\r\n")).count(b"\n") == BARE.count(b"\n")


def test_spaces_that_mean_nothing_in_a_style_are_not_served() -> None:
    """A space in a selector or a value means something, and texts are left alone."""
    style = b"\n\na :is(b, c) > d { margin: 0 calc(1px + 2px); } /* why */\n@media (x) and (y) {\n"
    style += b'  e { color: red }\n  i::before { content: "; {  }"; }\n}\n'
    assert tight(style) == (
        b"a :is(b,c) > d{margin: 0 calc(1px + 2px);}\n@media (x) and (y){\ne{color: red}\n"
        b'  i::before { content: "; {  }"; }\n}'
    )


async def test_every_module_that_a_page_imports_is_preloaded(service: Service) -> None:
    """Otherwise each level of imports would cost a round trip."""
    page = (await service.stranger.get("/table")).text
    preloaded = re.findall(r'modulepreload" href="web/[0-9a-f]+/([^"]+)"', page)
    assert len(preloaded) == len(set(preloaded))
    files = read()
    assert {"core/compose.js", "vendor/lit-html/directive.js", "faces/glyphs.js"} <= {*preloaded}
    assert {*preloaded} == {*imported(files, "pages/table.js")}


async def test_the_preview_of_a_shared_link_names_the_game(tmp_path: Path) -> None:
    """As far as the link does, and only games that there are."""
    async with in_process(tmp_path / "games.db", web="on") as service:
        titles = {}
        for query in ("", "?g=scout/x", "?g=scout", "?g=%3Cb%3E/x", "?g=&g=scout/x", "?x=scout"):
            answer = await service.stranger.get(f"/table{query}", headers={"Accept": BROWSER})
            titles[query] = re.findall(r'og:title" content="([^"]*)"', answer.text)
            again = {"Accept": BROWSER, "If-None-Match": answer.headers["ETag"]}
            assert (await service.stranger.get(f"/table{query}", headers=again)).status_code == 304
        plain, named = ["A table is waiting for you"], ["SCOUT: A table is waiting for you"]
        assert titles[""] == titles["?g=%3Cb%3E/x"] == titles["?x=scout"] == plain
        assert titles["?g=scout/x"] == titles["?g=scout"] == named
        assert "table?" not in (await service.stranger.get("/sw.js")).text


async def test_icons_and_previews_have_the_size_that_is_said(tmp_path: Path) -> None:
    """Previews need an absolute URL: that of the service, if the settings say it."""
    async with in_process(tmp_path / "games.db", public_url="https://games.example/cards", web="on") as service:
        page = (await service.stranger.get("/table", headers={"Accept": BROWSER})).text
        preview, manifest = (
            re.findall(rf'{name}" (?:content|href)="([^"]+)"', page)[0] for name in ("og:image", "manifest")
        )
        assert preview.startswith("https://games.example/cards/web/")
        picture = await service.stranger.get(preview.removeprefix("https://games.example/cards"))
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
        icons = done(await service.stranger.get(f"/{manifest}"))["icons"]
        assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
        for icon in icons[1:]:
            content = (await service.stranger.get(f"/{manifest.rpartition('/')[0]}/{icon['src']}")).content
            size = "x".join(str(int.from_bytes(content[at : at + 4])) for at in (16, 20))
            assert (content[:4], size) == (b"\x89PNG", icon["sizes"])
        assert page.count('name="theme-color"') == 2
        assert "pictures/" not in (await service.stranger.get("/sw.js")).text


@pytest.mark.parametrize("path", [*PAGES, "/sw.js"])
async def test_answers_are_compressed_for_those_who_accept_it(service: Service, path: str) -> None:
    packed, plain = [await service.stranger.get(path, headers={"Accept-Encoding": how}) for how in ("gzip", "identity")]
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert plain.content == packed.content  # httpx decompresses
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert packed.headers["etag"] == f"W/{plain.headers['etag']}"  # other bytes
    for response in (packed, plain):
        assert "Accept-Encoding" in response.headers["vary"].split(", ")
        again = await service.stranger.get(path, headers={"If-None-Match": response.headers["etag"]})
        assert again.status_code == 304
        assert [again.headers[each] for each in SAME] == [response.headers[each] for each in SAME]


@pytest.mark.parametrize(
    "path",
    ["/web", "/web/0000000000000000/core/api.js", "/web/{digest}/nothing.js", "/web/{digest}/../pyproject.toml",
     "/web/{digest}/vendor/lit-html/LICENSE", "/web/{digest}//etc/passwd", "/web/{digest}/%2e%2e/service/app.py",
     "/index", "/table.html", "/table/x"],
)  # fmt: skip
async def test_nothing_else_is_served(service: Service, path: str) -> None:
    digest = re.findall(r"web/([0-9a-f]{16})/", (await service.stranger.get("/")).text)[0]
    problem(await service.stranger.get(path.format(digest=digest)), 404, "not-found")


async def test_without_pages_the_service_is_an_api_alone(tmp_path: Path) -> None:
    async with in_process(tmp_path / "games.db", web="off") as service:
        problem(await service.stranger.get("/table"), 404, "not-found")
        for accept in (BROWSER, "*/*"):
            assert done(await service.stranger.get("/", headers={"Accept": accept}))["api"] == "/v1"
        assert (await service.stranger.get("/v1/rulesets")).status_code == 200


@pytest.mark.parametrize("accept", ["*/*", "application/json", "", "application/problem+json, */*;q=0.1"])
async def test_programs_get_an_index_at_the_root(service: Service, accept: str) -> None:
    response = await service.stranger.get("/", headers={"Accept": accept})
    assert response.headers["content-type"] == "application/json"
    assert "Accept" in response.headers["vary"].split(", ")
    found = done(response)
    assert found["rulesets"] == [*RULESETS]
    for name, path in found["links"].items():
        assert (await service.stranger.get(path)).status_code == (405 if name == "register" else 200), path
    assert (await service.stranger.get("/table", headers={"Accept": accept})).status_code == 200


async def test_a_token_of_another_site_does_not_shut_out(service: Service) -> None:
    page = await service.stranger.get("/", headers={"Authorization": "Bearer nonsense"})
    assert page.status_code == 200


def test_a_first_visit_is_small() -> None:
    """All files that a table needs to be played, compressed, and of the lobby."""
    files = read()

    def size(path: str, *more: str) -> int:
        page = pages_of(files)[path]
        script = f"pages/{page.script}.js"
        names = {script, *imported(files, script), *(f"style/{name}.css" for name in page.styles), *more}
        shell = shell_of(files, page, "0" * 16, "")
        return sum(len(gzip.compress(content, mtime=0)) for content in (shell, *(files[name] for name in names)))

    tables = [name for name in files if re.fullmatch(r"tables/\w+\.js", name) and name != "tables/index.js"]
    assert len(tables) >= len(RULESETS)
    for table in tables:
        assert size("/table", table, *imported(files, table), "words/de.json", "icon.svg") <= limits.TABLE, table
    assert size("/", "words/de.json", "words/lobby.de.json", "icon.svg") <= limits.LOBBY


async def test_the_service_worker_is_revalidated(service: Service) -> None:
    script = await service.stranger.get("/sw.js")
    assert script.headers["content-type"] == TYPES[".js"]
    assert script.headers["cache-control"] == "no-cache"
    again = await service.stranger.get("/sw.js", headers={"If-None-Match": script.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    elsewhere = await service.stranger.get("/sw.js", headers={"Origin": "https://elsewhere.example"})
    assert "access-control-allow-origin" not in elsewhere.headers


async def test_the_service_worker_names_what_is_served(service: Service) -> None:
    text = (await service.stranger.get("/sw.js")).text
    assert "<!--" not in text
    named = [path for each in re.findall(r"JSON\.parse\(`(.*)`\)", text) for path in json.loads(each)]
    assert len(named) > 50 and not any(path.startswith("v1") for path in named)
    for path in named:
        assert (await service.stranger.get(f"/{path}")).status_code == 200
