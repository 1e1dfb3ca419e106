"""Icons of the app and the preview of shared links, drawn from the faces of the cards: `python -m tests.web.icons`."""

from pathlib import Path

from tests.web.browsers import chromium
from tests.web.pictures import ROOT, served

FOLDER = ROOT / "web" / "pictures"
ICONS = {"icon-180": (180, 0.08), "icon-192": (192, 0.0), "icon-512": (512, 0.0), "icon-maskable": (512, 0.18)}
"""Pixels, and how much of them is ground at each side: systems cut round what is maskable, and fill what is clear."""
PREVIEW = (1200, 630)


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(exist_ok=True)
    with served() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": PREVIEW[0], "height": PREVIEW[1]})
        page.goto(address)
        page.wait_for_function("window.ready")
        page.evaluate("preview()")
        page.screenshot(path=folder / "preview.jpg", type="jpeg", quality=80)
        for name, (size, ground) in ICONS.items():
            page.set_viewport_size({"width": size, "height": size})
            page.evaluate("([size, ground]) => icon(size, ground)", [size, ground])
            page.screenshot(path=folder / f"{name}.png", omit_background=not ground)


if __name__ == "__main__":
    main()
