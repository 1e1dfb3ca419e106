#!/usr/bin/env python3
"""Compiles modules for the interpreter that runs this, with Cython: `make accelerate`. `--remove`: `make pure`.

modules.py lists them. They go into a package of the interpreter's environment, not beside the sources; finder.py says
when they are used.
"""

import os
import shlex
import shutil
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path

import finder
import modules

SITE = Path(sysconfig.get_path("platlib"))
FOLDER = SITE / "stammtisch_accelerated"
STARTER = SITE / "stammtisch_accelerated.pth"
START = "from pathlib import Path\n\nfrom .finder import install\n\ninstall(Path(__file__).parent)\n"


def main(arguments: list[str]) -> int:
    if arguments == ["--remove"]:
        remove()
        tell("Everything runs as pure Python.")
        return 0
    if lack := missing():
        sys.stderr.write(f"Compiling needs {lack}. Without it everything runs as pure Python.\n")
        return 1
    wanted = sources()
    new = {file: each for file, each in wanted.items() if not (FOLDER / file).exists()}
    if new:
        tell(f"Compiling {len(new)} of {len(wanted)} modules; all of them take four minutes of one core.")
        compile_all(new)
    install(set(wanted))
    tell(f"{len(wanted)} modules are compiled. `make pure` removes them; PURE_PYTHON=1 ignores them.")
    return 0


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def missing() -> str:
    """What is not on this machine; empty if everything is."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"a C compiler ({compiler}; on Debian: apt-get install gcc)"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "the C headers of Python (on Debian: apt-get install python3-dev)"
    return ""


def home() -> Path:
    """The folder with the package that this interpreter imports."""
    spec = find_spec(modules.PACKAGE)
    if spec is None or spec.origin is None:
        raise SystemExit(f"this interpreter has no package {modules.PACKAGE}")
    return Path(spec.origin).parent.parent


def sources() -> dict[str, tuple[str, Path]]:
    """By the name of the compiled file: the name of the module, and the path of the source."""
    root = home()
    found = modules.compiled(root)
    return {finder.file_name(name, (root / path).read_bytes()): (name, path) for name, path in found.items()}


def compile_all(chosen: dict[str, tuple[str, Path]]) -> None:
    from Cython import __version__
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    if __version__ != finder.CYTHON:
        raise SystemExit(f"Cython {finder.CYTHON} is needed, this is {__version__}")
    os.chdir(home())  # tracebacks name sources relative to it
    with tempfile.TemporaryDirectory() as scratch:
        options = [*finder.OPTIONS, "-w"]  # warnings would be about Cython's code
        extensions = [Extension(name, [str(path)], extra_compile_args=options) for name, path in chosen.values()]
        command = build_ext(Distribution({"ext_modules": cythonize(
            extensions, nthreads=os.cpu_count() or 1, build_dir=scratch, quiet=True,
            compiler_directives=finder.DIRECTIVES,
        )}))  # fmt: skip
        command.build_lib, command.build_temp, command.parallel = scratch, scratch, os.cpu_count()
        command.ensure_finalized()
        command.run()
        FOLDER.mkdir(exist_ok=True)
        for file, (name, _) in chosen.items():
            shutil.move(command.get_ext_fullpath(name), FOLDER / file)


def install(wanted: set[str]) -> None:
    """Remove what is not wanted any more, then let every interpreter start with the finder."""
    for file in FOLDER.iterdir():
        if file.suffix != ".py" and file.is_file() and file.name not in wanted:
            file.unlink()
    shutil.copy(finder.__file__, FOLDER / "finder.py")
    (FOLDER / "__init__.py").write_text(START)
    STARTER.write_text("import stammtisch_accelerated\n")


def remove() -> None:
    STARTER.unlink(missing_ok=True)
    shutil.rmtree(FOLDER, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
