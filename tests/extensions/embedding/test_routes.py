"""The page for frames, and the script for pages of other sites, as the service answers with them."""

from pathlib import Path

import pytest

from service import settings
from service.pages.web import TYPES
from service.settings import InvalidSettings
from tests.support.clients import in_process
from tests.web.test_served import BROWSER, PAGES

pytestmark = pytest.mark.anyio
ORIGINS = "https://a.example, https://b.example:8443"


async def test_only_the_embedded_table_can_be_framed_and_only_by_named_origins(tmp_path: Path) -> None:
    async with in_process(tmp_path / "games.db", embed_origins=ORIGINS, web="on") as service:
        service.http.headers["Accept"] = BROWSER
        for path in (*PAGES, "/embed"):
            page = await service.stranger.get(path)
            allowed = "https://a.example https://b.example:8443" if path == "/embed" else "'none'"
            assert f"frame-ancestors {allowed};" in page.headers["content-security-policy"]
            assert ("https://a.example" in page.text) == (path == "/embed")
        assert "embed" not in (await service.stranger.get("/sw.js")).text.split("FILES")[0], "a frame is not kept"


async def test_the_script_is_revalidated_and_any_site_may_load_it(tmp_path: Path) -> None:
    """Without origins in the settings, too: then nobody may frame the page that it shows."""
    async with in_process(tmp_path / "games.db", web="on") as service:
        script = await service.stranger.get("/embed.js")
        assert script.headers["content-type"] == TYPES[".js"]
        assert script.headers["cache-control"] == "no-cache"
        assert script.headers["cross-origin-resource-policy"] == "cross-origin"
        again = await service.stranger.get("/embed.js", headers={"If-None-Match": script.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        elsewhere = {"Origin": "https://elsewhere.example"}
        here = {"Origin": "http://localhost:1"}  # CORS allows it, too: there is one header all the same
        for headers, allowed in ((elsewhere, "*"), (here, "http://localhost:1"), ({}, "*")):
            script = await service.stranger.get("/embed.js", headers=headers)
            assert script.headers.get_list("access-control-allow-origin") == [allowed]
        page = await service.stranger.get("/embed", headers={"Accept": BROWSER})
        assert "frame-ancestors 'none';" in page.headers["content-security-policy"]


@pytest.mark.parametrize("origins", ["*", "a.example", "https://a.example/x", "https://a.example;", "https://a 'self'"])
def test_other_origins_are_refused(origins: str) -> None:
    with pytest.raises(InvalidSettings, match="EMBED_ORIGINS"):
        settings.read({"STAMMTISCH_EMBED_ORIGINS": origins})
