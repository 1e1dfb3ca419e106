"""From `stammtisch new` to a card of the new game in a browser: the seconds of each step, at most 60 together.

What an author does once is not counted: the environment with the service in it, as `pip install stammtisch` makes it.
Afterwards the tests of the new package run, at most 10 seconds.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import sysconfig
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from tests.package.served import serving
from tests.support import wheel
from tests.support.chromium import chromium_binary

MOST, MOST_OF_TESTS = 60, 10
"""Seconds of all steps, and seconds of the processor for the tests."""


class Author:
    """The environment and the working directory of somebody who begins."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.steps: dict[str, float] = {}
        self.url = ""
        subprocess.run([sys.executable, "-m", "venv", str(folder / ".venv")], check=True)
        (packages,) = folder.glob(".venv/lib/python*/site-packages")
        for path in packages.glob("setuptools*"):  # that of the interpreter is too old to build with
            shutil.rmtree(path)
        for path in Path(sysconfig.get_path("purelib")).iterdir():  # in place of an index: what the service needs
            if "stammtisch" not in path.name and not packages.joinpath(path.name).exists():
                packages.joinpath(path.name).symlink_to(path)
        wheel.installed(wheel.built(wheel.ROOT, folder), packages)
        self.python = str(folder / ".venv" / "bin" / "python")

    def step(self, name: str, do: Callable[[], object]) -> None:
        begin = perf_counter()
        do()
        self.steps[name] = perf_counter() - begin
        sys.stdout.write(f"{len(self.steps)}. {name}: {self.steps[name]:.1f} s\n")
        sys.stdout.flush()

    def run(self, *arguments: str, at: str = ".") -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        subprocess.run([self.python, "-m", *arguments], cwd=self.folder / at, env=environment, check=True)


def options(parser: ArgumentParser) -> None:
    """There are none."""


def main(_: Namespace) -> int:
    with TemporaryDirectory() as scratch, sync_playwright() as playwright:
        author = Author(Path(scratch))
        author.step("stammtisch new hearts", lambda: author.run("stammtisch", "new", "hearts"))
        install = "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--editable", "."
        author.step("pip install --editable .", lambda: author.run(*install, at="hearts"))
        served: Any = serving(author.folder / "games.db", packages="stammtisch-hearts", python=author.python)
        author.step("stammtisch serve", lambda: setattr(author, "url", served.__enter__()[0]))
        try:
            browser = playwright.chromium.launch(executable_path=chromium_binary(), args=["--no-sandbox"])
            page = browser.new_page()
            author.step("open a table with the house", lambda: table(page, author.url))
            author.step("play a card", lambda: card(page))
            browser.close()
        finally:
            served.__exit__(None, None, None)
        total = sum(author.steps.values())
        sys.stdout.write(f"{len(author.steps)} steps, {total:.1f} s; at most {MOST}\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = perf_counter()
        author.run("pytest", "-q", "-p", "no:schemathesis", "-p", "no:cacheprovider", at="hearts")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        text = f"its tests: {perf_counter() - begin:.1f} s, {took:.1f} s of the processor; at most {MOST_OF_TESTS}"
        sys.stdout.write(f"{text}\n")
        return int(total > MOST or took > MOST_OF_TESTS)


def table(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Open a table").first.click()
    form = page.get_by_role("dialog")
    form.get_by_role("radio", name="Hearts", exact=True).check(force=True)
    form.get_by_role("radio", name="The house").check(force=True)
    form.get_by_role("radio", name="2", exact=True).check(force=True)
    form.get_by_role("button", name=re.compile("Deal the cards")).click()
    introduced(page)
    expect(page.locator(".hand .card")).to_have_count(8)


def introduced(page: Page) -> None:
    page.get_by_label("Name").fill("Ann")
    page.get_by_role("button", name="OK").click()


def card(page: Page) -> None:
    page.locator(".legal").first.click()
    expect(page.locator(".hand .card")).to_have_count(7)
