# Everything a fresh machine needs is installed here; Python 3.11 or newer with pip is all that must be there.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: install serve test check openapi bench browser clean

install: .venv/installed

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/pip install --quiet --editable . --group dev
	@touch $@

serve: install  ## The service on its embedded database; settings are environment variables: see `stammtisch serve --help`
	$(BIN)/stammtisch serve

test: install browser  ## Every test
	$(BIN)/python -m pytest --quiet

check: install  ## Style, types, and whether the committed OpenAPI document is the one that is served
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m openapi.build --check

openapi: install  ## Write the transcripts of games and openapi/openapi.json
	$(BIN)/python -m tests.openapi.transcripts
	$(BIN)/python -m openapi.build

bench: install  ## Measure, and print every figure beside its floor
	$(BIN)/python -m tests.bench

# The tests look at the documentation page in a real browser.
browser:
	@command -v chromium chromium-browser google-chrome >/dev/null || $(MAKE) --no-print-directory .install-browser

.PHONY: .install-browser
.install-browser:
	@echo "No Chromium was found; installing Debian's package."
	@if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	$$sudo apt-get update -qq && $$sudo apt-get install -qq -y --no-install-recommends chromium >/dev/null

clean:
	rm -rf .venv build *.egg-info
