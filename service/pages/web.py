"""The pages: serves the files of `web/`. They are read, freed of comments, compressed and hashed once, when the
application is made.

A page is `no-cache` with an ETag. Every other file is below `web/DIGEST/`, where DIGEST is a hash of all files, and
can be cached for ever; files of other digests are those of other releases. All URLs are relative, so the pages also
work below a path prefix of a reverse proxy.
"""

import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib import resources
from pathlib import Path, PurePosixPath
from posixpath import normpath
from types import MappingProxyType
from typing import Any

import msgspec
from litestar import Router, get
from litestar.enums import MediaType
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.types import ASGIApp

from domain.codec import encode
from domain.messages import Value
from domain.registry import RULESETS
from service.extension import REGISTERED, Serving
from service.pages.index import VARY, wants_page
from service.process import packages
from service.rest.routing import router
from service.server.compression import CompressedResponse, current_document
from service.server.raw_response import RawResponse, content_etag
from service.server.request import LazyRequest

FOLDER = Path(__file__).parents[2] / "web"

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript",  # modules and workers are UTF-8, other scripts have the encoding of their page
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webmanifest": "application/manifest+json",
}

BINARY = "application/octet-stream"
"""Of a kind of files that another release has."""

PLACEHOLDER = "web/-/"
"""What the shell has instead of the URL of the files."""

# For pages and workers. Other files obey the policy of the page that loads them.
POLICY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html stammtisch",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
PICTURE_POLICY = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"}
"""Of a drawing, which can be opened as a page and could run scripts there."""
WORKERS = {"worker.js", "sw.js"}
TABLE = "/table"
UNKEPT = {"sw.js", "shell.html", "pages.json"}
"""What a browser never asks for below the URL of the files."""
PICTURES = "pictures/"
"""Icons and the preview: systems and other sites ask for them, pages do not."""
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}

Places = Mapping[str, Sequence[Mapping[str, Any]]]
NOWHERE: Places = {}

# Of lines of their own, in modules and styles: with them a first visit would have a third more bytes. And types, and
# what stands behind the code of a line: tests/web/lint.js keeps templates free of what looks like that.
_COMMENT = re.compile(
    rb"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//.*)$|/\*\* @type [^*\n]*\*/ ?|(?<=[;{},(\])]) +//[^\n\"'`]*$", re.MULTILINE
)
_SPACE = re.compile(rb"(?<=[;{}]) */\*[^*\n]*\*/ *$|^[ \t]+|(?<=[{};,]) +| +(?=[{}])")
_INDENTATION = re.compile(rb"^[ \t]+", re.MULTILINE)
_IMPORT = re.compile(r"""(?:^|;)(?:import|export)\b[^'";()]*["'](\.[^"']+)["'](?=;)""", re.MULTILINE)


class Page(Value):
    """What is a page's own in the shell of all pages: `web/pages.json`."""

    script: str
    """The name of its module in `web/pages`."""
    styles: tuple[str, ...]
    body: str
    """Classes."""


def pages_of(files: dict[str, bytes]) -> dict[str, Page]:
    """The pages by their paths."""
    ours = msgspec.json.decode(files["pages.json"], type=dict[str, Page])
    theirs = {name: page for each in REGISTERED.values() for name, page in each.pages.items()}
    return {f"/{name}": page for name, page in (ours | msgspec.convert(theirs, dict[str, Page])).items()}


def read(folder: Path = FOLDER) -> dict[str, bytes]:
    """The files as they are served, by their path below the folder, with those of extensions and of installed
    packages. An extension adds words to a file of the core by one of the same name: so its words cost no request."""
    folders = folder, *(Path(str(resources.files(each.home))) / "web" for each in REGISTERED.values())
    content: dict[str, bytes] = {}
    for root in folders:
        for path in sorted(root.rglob("*")):
            if path.suffix in TYPES:
                file = path.relative_to(root).as_posix()
                content[file] = joined(file, content[file], path) if file in content else path.read_bytes()
    ours = set(content)
    content |= {name: uncommented(text) for name, text in content.items() if name.endswith(".js")}
    content |= {name: tight(uncommented(text)) for name, text in content.items() if name.endswith(".css")}
    content |= packages.web_files()
    tables = [name for name in content if name.startswith("tables/") and name not in ours and name.endswith(".js")]
    for table in tables:
        name = PurePosixPath(table)
        told = f"tables/rules/{name.stem}.json" in content
        added = f'\nTABLES["{name.stem}"] = () => import("./{name.name}");\n'
        content["tables/index.js"] += (added + ("" if told else f'UNTOLD.add("{name.stem}");\n')).encode()
    return content


def joined(name: str, before: bytes, path: Path) -> bytes:
    """The words of both files. Raises `ValueError` for other files, and if both have a word."""
    if name.startswith("words/"):
        words, more = msgspec.json.decode(before), msgspec.json.decode(path.read_bytes())
        if not words.keys() & more.keys():
            return msgspec.json.encode(words | more)
    raise ValueError(f"another folder has the same as {path}")


def places_of(parts: Iterable[Serving]) -> Places:
    """What all extensions have on pages of the core, by place, in their order."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for part in parts:
        for place, entries in part.places.items():
            found.setdefault(place, []).extend(entries)
    return found


def digest_of(files: Mapping[str, bytes]) -> str:
    """A hash of all files, in the order in which `read` returns them."""
    return sha256(b"".join(name.encode() + b"\0" + sha256(files[name]).digest() for name in files)).hexdigest()[:16]


def file_response(name: str, content: bytes, compressed: bytes) -> CompressedResponse:
    """A file of a release, whose URL has a hash of all files of that release."""
    kind = PurePosixPath(name).suffix
    policy = POLICY if name in WORKERS else PICTURE_POLICY if kind == ".svg" else {}
    headers = FOREVER | policy
    return CompressedResponse(content, headers=headers, media_type=TYPES.get(kind, BINARY), compressed=compressed)


def page_response(content: bytes, media_type: str, headers: Mapping[str, str]) -> CompressedResponse:
    """What may change with the next start of the service."""
    headers = {**VARY, **headers, "Cache-Control": "no-cache", "ETag": content_etag(content)}
    return CompressedResponse(content, headers=headers, media_type=media_type, compressed=gzipped(content))


@cache
def uncommented(text: bytes) -> bytes:
    """The module or style without types, comments and indentation. The lines of a module keep their numbers."""
    return _INDENTATION.sub(b"", _COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), text))


@cache
def tight(style: bytes) -> bytes:
    """The style without spaces and lines that mean nothing, but in lines with a text in quotes."""
    lines = [line if b'"' in line else _SPACE.sub(b"", line) for line in style.split(b"\n")]
    return b"\n".join(filter(None, lines))


def imported(files: dict[str, bytes], module: str, seen: set[str] | None = None) -> Iterator[str]:
    """The modules that the module imports, directly or not, statically."""
    seen = {module} if seen is None else seen
    for path in imports(files[module]):
        name = normpath(PurePosixPath(module).parent / path)
        if name not in seen:
            seen.add(name)
            yield name
            yield from imported(files, name, seen)


@cache
def imports(content: bytes) -> list[str]:
    """The paths of the modules that this one imports statically."""
    return _IMPORT.findall(content.decode())


@cache
def gzipped(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def shell_of(
    files: dict[str, bytes],
    page: Page,
    digest: str,
    origins: str,
    address: str = "",
    places: Places = NOWHERE,
    game: str = "",
) -> bytes:
    """The HTML of the page, with the URLs of its files and of all modules that it imports.

    `address`: of the service, or "". Other sites need it for the picture beside a shared link. `places`: as in
    `Serving`. `game`: what the link is about, for its title there.
    """
    styles = [f'<link rel="stylesheet" href="{PLACEHOLDER}style/{each}.css">' for each in page.styles]
    modules = imported(files, f"pages/{page.script}.js")
    preloads = [f'<link rel="modulepreload" href="{PLACEHOLDER}{each}">' for each in modules]
    framed = f'\n<meta name="origins" content="{origins}">' if origins else ""
    parts = {
        "styles": "\n".join(styles), "modulepreload": "\n".join(preloads), "body": page.body, "script": page.script,
        "origins": framed, "address": address, "places": escape(encode(places).decode()),
        "game": escape(f"{game}: ") if game else "",
    }  # fmt: skip
    return filled(files["shell.html"], parts).replace(PLACEHOLDER, f"web/{digest}/").encode()


def filled(template: bytes, parts: dict[str, str]) -> str:
    """The template with these texts in place of the comments that name them."""
    text = template.decode()
    for name, value in parts.items():
        text = text.replace(f"<!-- {name} -->", value)
    return text


def service_worker(files: dict[str, bytes], shells: Iterable[str], digest: str) -> bytes:
    """The service worker with the digest and the paths of all that it keeps."""
    kept = [f"web/{digest}/{name}" for name in files if name not in UNKEPT and not name.startswith(PICTURES)]
    parts = {"digest": digest, "shells": encode([path[1:] for path in shells]).decode(), "files": encode(kept).decode()}
    return filled(files["sw.js"], parts).encode()


def framable(origins: Sequence[str]) -> dict[str, str]:
    """The policy of a page that pages of these origins may frame."""
    allowed = " ".join(origins) or "'none'"
    policy = POLICY["Content-Security-Policy"].replace("frame-ancestors 'none'", f"frame-ancestors {allowed}")
    return POLICY | {"Content-Security-Policy": policy}


def web_routes(
    index: RawResponse,
    folder: Path = FOLDER,
    address: str = "",
    *,
    places: Places = NOWHERE,
    framed: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Router:
    """The pages. `index` is the response at `/` for programs. `places`, `framed`: of all extensions, as in
    `Serving`."""
    files = read(folder)
    digest = digest_of(files)
    base = f"{address.rstrip('/')}/" if address else ""
    known = pages_of(files)
    pages = {
        path: shell_of(files, page, digest, " ".join(framed.get(path, ())), base, places)
        for path, page in known.items()
    }
    tables = {  # by the query that names the ruleset
        f"{TABLE}?{name}": shell_of(files, known[TABLE], digest, "", base, places, rules.labels["en"].title)
        for name, rules in RULESETS.items()
    }
    shells = {
        path: page_response(page, TYPES[".html"], framable(framed[path]) if path in framed else POLICY)
        for path, page in (pages | tables).items()
    }
    kept = [path for path in pages if path not in framed]
    worker = page_response(service_worker(files, kept, digest), TYPES[".js"], POLICY)
    responses = {name: file_response(name, content, gzipped(content)) for name, content in files.items()}

    @get([*pages], media_type=MediaType.HTML)
    async def shell(request: LazyRequest) -> ASGIApp:
        path = request.scope["path_template"]
        if path == "/" and not wants_page(request):
            return index
        named = f"{path}?{request.query_params.get('g', '').partition('/')[0]}"
        return current_document(request, shells[named if named in tables else path])

    @get("/sw.js")
    async def script(request: LazyRequest) -> ASGIApp:
        return current_document(request, worker)

    @get(f"/web/{digest}/{{name:path}}")
    async def file(name: FromPath[str]) -> ASGIApp:
        if (found := responses.get(name.removeprefix("/"))) is None:
            raise NotFoundException
        return found

    return router("/", [shell, script, file], include_in_schema=False)
