"""Rewrites what follows from the code: `python -m tests.docs`, or `make docs-tables`."""

from tests.docs.pages import pages
from tests.docs.rulebooks import books
from tests.docs.tables import PICTURE, current, parts, picture

for page in pages():
    if parts(page):
        page.write_text(current(page))
PICTURE.write_text(picture())
for file, text in books().items():
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
