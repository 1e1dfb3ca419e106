"""Generates the types of the client packages from `openapi/openapi.json`: `python -m clients.build [--check]`.

* `models.py`, by datamodel-code-generator: a msgspec Struct for each schema.
* `problems.py` and `rulesets.py`: an exception for each problem, and for each ruleset a record of its types.
* `schema.ts`, by openapi-typescript: a type for each schema.
* `problems.ts` and `rulesets.ts`: the same as in Python.
* `telling.py`: a copy of `domain/telling.py`.

`--check` writes nothing and fails if a file differs.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from openapi import build
from tests.openapi.generators.tools import PLACE, Failed, install_node, install_python, node_tool, run, tool

Json: TypeAlias = dict[str, Any]

HERE = Path(__file__).parent
PYTHON = HERE / "python" / "src" / "stammtisch_client"
TYPESCRIPT = HERE / "typescript" / "src"
HEADER = "Generated from openapi/openapi.json by `python -m clients.build`. Do not edit."

CONSTRAINTS = {
    "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems",
    "maxItems", "x-card", "x-at", "x-seat", "x-by-seat", "x-empty",
}  # fmt: skip
"""Keywords that a client does not check: the service has. A newer service may also allow more."""

TELLING = HERE.parent / "domain" / "telling.py"
"""The table as text: the client imports nothing of the service, so it has a copy."""

OPEN = ("GameMove", "GameView", "GameOptions", "GameEvent")
"""Schemas of the routes for any ruleset: objects whose fields the client does not know."""


# --- the schemas, as the generators take them -----------------------------------------------------------------------


def schemas(document: Json) -> Json:
    """The schemas of the document without constraints, and with a name for each union in a nullable field.

    Generators recognize a discriminated union only where it is not a part of another one.
    """
    found: Json = {name: _plain(schema) for name, schema in document["components"]["schemas"].items()}
    for name in OPEN:
        found[name] = {"type": "object", "additionalProperties": True, "description": found[name]["description"]}
    hoisted: Json = {}
    for name, schema in found.items():
        for field, value in schema.get("properties", {}).items():
            several = value.get("anyOf", ())
            for place, part in enumerate(several):
                if "discriminator" in part:
                    union = name + field.title().replace("_", "")
                    hoisted[union] = part
                    several[place] = {"$ref": f"#/components/schemas/{union}"}
    return dict(sorted((found | hoisted).items()))


def _plain(node: Any, *, fields: bool = False) -> Any:
    """The schema without constraints. In `properties` the keys are names of `fields`."""
    match node:
        case list():
            return [_plain(item) for item in node]
        case dict():
            kept = {key: value for key, value in node.items() if fields or key not in CONSTRAINTS}
            return {key: _plain(value, fields=not fields and key == "properties") for key, value in kept.items()}
    return node


def rulesets(document: Json) -> dict[str, str]:
    """The names of the rulesets, and what the names of their schemas begin with."""
    names = [
        path.removeprefix("/v1/rulesets/") for path in document["paths"] if re.fullmatch(r"/v1/rulesets/\w+", path)
    ]
    return {name: "".join(word.title() for word in name.split("_")) for name in sorted(names)}


def problems(document: Json) -> Iterator[tuple[str, str, str]]:
    """The problems: name of the exception, type, description. Those of a ruleset are cases of one for any ruleset."""
    prefixes = tuple(rulesets(document).values())
    for name, schema in sorted(document["components"]["schemas"].items()):
        if name.endswith("Problem") and not name.startswith(prefixes):
            about = " ".join(schema["description"].split())
            yield name.removesuffix("Problem"), schema["properties"]["type"]["const"], about


# --- Python -----------------------------------------------------------------------------------------------------------

OPTIONS = (
    "--input-file-type", "openapi", "--output-model-type", "msgspec.Struct", "--target-python-version", "3.11",
    "--use-standard-collections", "--use-union-operator", "--use-msgspec-tagged-unions", "--keyword-only",
    "--enum-field-as-literal", "all", "--use-schema-description", "--disable-timestamp", "--formatters", "builtin",
    "--use-double-quotes", "--disable-warnings",
)  # fmt: skip


def python_models(trimmed: Path, folder: Path) -> str:
    output = folder / "models.py"
    run(
        tool("datamodel-codegen"),
        "--input",
        trimmed,
        "--output",
        output,
        "--custom-file-header",
        f"# {HEADER}",
        *OPTIONS,
    )
    return output.read_text()


def python_problems(document: Json) -> str:
    classes, table = [], []
    for name, kind, about in problems(document):
        classes.append(f'class {name}(Problem):\n    """{about}"""\n\n    document: models.{name}Problem\n')
        table.append(f'    "{kind}": ({name}, models.{name}Problem),')
    return "\n\n".join(
        [
            f'# {HEADER}\n"""An exception for each problem that the service answers with."""\n\n'
            "from msgspec import Struct\n\nfrom . import models\nfrom .errors import Problem as Problem\n",
            *classes,
            "PROBLEMS: dict[str, tuple[type[Problem], type[Struct]]] = {\n" + "\n".join(table) + "\n}\n"
            '"""The exceptions and their documents by the `type` of the problem."""\n',
        ]
    )


def python_rulesets(document: Json) -> str:
    prefixes = rulesets(document)
    parts = [
        f'# {HEADER}\n"""The types of each ruleset."""\n\nfrom typing import Any\n\nfrom . import models\n'
        "from .ruleset import Ruleset\n"
    ]
    for name, prefix in prefixes.items():
        types = [f"models.{prefix}{kind}" for kind in ("Game", "View", "Move", "EventItem", "OptionsInput")]
        parts.append(f'{name.upper()} = Ruleset[\n    {", ".join(types)}\n](\n    "{name}", {", ".join(types[:4])}\n)')
    table = "".join(f'    "{name}": {name.upper()},\n' for name in prefixes)
    parts.append(f"RULESETS: dict[str, Ruleset[Any, Any, Any, Any, Any]] = {{\n{table}}}")
    parts.append('"""The rulesets by name."""\n')
    return "\n".join(parts)


# --- TypeScript -----------------------------------------------------------------------------------------------------


def typescript_schema(trimmed: Path, folder: Path) -> str:
    output = folder / "schema.ts"
    run(node_tool("openapi-typescript"), trimmed, "--output", output, "--root-types", "--root-types-no-schema-prefix")
    text = output.read_text()
    return f"// {HEADER}\n" + re.sub(r"(?s)^/\*\*.*?\*/\n", "", text)


def typescript_problems(document: Json) -> str:
    parts = [f'// {HEADER}\n\nimport {{ Problem }} from "./errors.js";\nimport type * as schema from "./schema.js";\n']
    table = []
    for name, kind, about in problems(document):
        parts.append(
            f"/** {about} */\nexport class {name} extends Problem {{\n"
            f"  declare readonly document: schema.{name}Problem;\n}}\n"
        )
        table.append(f'  "{kind}": {name},\n')
    parts.append(
        "/** The exceptions by the `type` of the problem. */\n"
        f"export const PROBLEMS: Readonly<Record<string, typeof Problem>> = {{\n{''.join(table)}}};\n"
    )
    return "\n".join(parts)


def typescript_rulesets(document: Json) -> str:
    def types(prefix: str) -> Iterable[str]:
        kinds = {"game": "Game", "view": "View", "move": "Move", "item": "EventItem", "options": "OptionsInput"}
        return [f"{field}: schema.{prefix}{kind};" for field, kind in kinds.items()]

    several = "\n".join(f"  {name}: {{ {' '.join(types(prefix))} }};" for name, prefix in rulesets(document).items())
    return (
        f'// {HEADER}\n\nimport type * as schema from "./schema.js";\n\n/** The types of each ruleset. */\n'
        f"export interface Rulesets {{\n{several}\n}}\n"
    )


def copied(source: Path) -> str:
    header = f"# A copy of {source.parent.name}/{source.name}, by `python -m clients.build`. Do not edit.\n"
    return header + source.read_text(encoding="utf-8")


# --- all of it --------------------------------------------------------------------------------------------------------


def generated() -> dict[Path, str]:
    """The text of each generated file. Raises `Failed`."""
    document: Json = json.loads(build.FILE.read_text())
    with TemporaryDirectory(dir=PLACE) as temporary, ThreadPoolExecutor(2) as pool:
        folder = Path(temporary)
        trimmed = folder / "openapi.json"
        components = {"schemas": schemas(document)}
        parts = {"openapi": "3.1.0", "info": document["info"], "paths": {}, "components": components}
        trimmed.write_text(json.dumps(parts))
        models, schema = pool.submit(python_models, trimmed, folder), pool.submit(typescript_schema, trimmed, folder)
        return {
            PYTHON / "models.py": models.result(),
            PYTHON / "problems.py": python_problems(document),
            PYTHON / "rulesets.py": python_rulesets(document),
            PYTHON / "telling.py": copied(TELLING),
            TYPESCRIPT / "schema.ts": schema.result(),
            TYPESCRIPT / "problems.ts": typescript_problems(document),
            TYPESCRIPT / "rulesets.ts": typescript_rulesets(document),
        }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a file differs, and write nothing")
    check = parser.parse_args(arguments).check
    PLACE.mkdir(parents=True, exist_ok=True)
    install_python()
    install_node()
    different = [
        (path, text)
        for path, text in generated().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in different:
        if check:
            sys.stderr.write(f"{path.relative_to(HERE.parent)} differs: run `python -m clients.build`\n")
        else:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(HERE.parent)} written\n")
    return 1 if check and different else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failed:
        sys.exit(str(failed))
