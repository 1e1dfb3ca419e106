"""The interpreter that runs the benchmarks and the servers in them."""

import platform
import sysconfig

import service.app  # noqa: F401  (its modules are counted)
from service.process.interpreter import compiled_modules

OPTIMIZATIONS = {"PGO": "--enable-optimizations", "LTO": "--with-lto"}
"""Options of `configure`. With PGO the same code takes 0.92 to 0.95 of the time."""


def interpreter() -> str:
    """Name, version and compiler, whether it was built with PGO and LTO, and which modules it runs compiled."""
    name = f"{platform.python_implementation()} {platform.python_version()} ({platform.python_compiler()})"
    return f"{name}, {build(sysconfig.get_config_var('CONFIG_ARGS'))}, {modules(compiled_modules())}"


def modules(compiled: str) -> str:
    return f"compiled: {compiled}" if compiled else "nothing compiled"


def build(options: str | None) -> str:
    """The build with these options of `configure`; None if they are unknown."""
    if options is None:
        return "of an unknown build"
    made = [f"{'with' if option in options else 'without'} {name}" for name, option in OPTIMIZATIONS.items()]
    return f"built {' and '.join(made)}"
