# The only requirement is Python 3.11 or newer with pip; everything else is installed here.
PYTHON ?= python3
BIN := .venv/bin
# Otherwise every process that a test starts compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE
# Tests write to memory where there is room: PostgreSQL copies a database for each test, SQLite syncs each move.
MEMORY := $(shell grep -qs ' /dev/shm .*noexec' /proc/mounts || df --output=avail /dev/shm 2>/dev/null \
	| awk 'NR == 2 && $$1 > 4e6 {print "TMPDIR=/dev/shm"}')
# What `clients.build` installs with npm.
TOOLS := build/generators/node/node_modules/.bin
# Two workers for each core: many tests wait. Files that mostly wait start among the others (tests/conftest.py).
WORKERS = 2
PYTEST = $(MEMORY) $(BIN)/python -m pytest --quiet --numprocesses $$($(BIN)/python -c 'import os; print(int($(WORKERS) * os.cpu_count()) or 1)') \
	--dist loadfile --no-loadscope-reorder

.PHONY: install lock serve docs docs-check docs-tables test test-quick test-all test-wheel compliance harnesses nightly check fuzz chaos \
	longrun walks bots mutants audit openapi clients interpreters golden bench pictures browser node vendor clean

install: .venv/installed

# All dependencies are locked with hashes, for every supported Python version and platform; see `make lock`.
# $(call install-from,FILE) installs the packages of a requirements file and this project.
define install-from
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/pip install --quiet --require-hashes --requirement $(1)
	@# setuptools warns of every editable installation in a working copy.
	PYTHONWARNINGS="ignore:Editable installation" $(BIN)/pip install --quiet --no-deps --no-build-isolation --editable . --editable clients/python
endef

.venv/installed: pyproject.toml requirements-dev.txt
	$(call install-from,requirements-dev.txt)
	@touch .venv/runtime $@

# What serving needs: less than half of what the tests need.
.venv/runtime: pyproject.toml requirements.txt
	$(call install-from,requirements.txt)
	@touch $@

COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make lock" $(UPGRADE)
LOCK := $(COMPILE) --extra webhooks --group build pyproject.toml

lock:  ## Rewrite the lock files after a change in pyproject.toml; `make lock UPGRADE=--upgrade` takes the newest versions
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/pip install --quiet --group lock
	$(LOCK) --output-file requirements.txt
	$(LOCK) --extra otel --extra train --extra tournament --group dev --group docs --constraint requirements.txt --output-file requirements-dev.txt
	$(COMPILE) --group generators --output-file requirements-generators.txt

serve: .venv/runtime  ## Run the service on an SQLite file; for its settings see `stammtisch serve --help`
	$(BIN)/stammtisch serve

docs: install  ## Serve the documentation at http://127.0.0.1:8001, rebuilt after each change
	$(BIN)/zensical serve --dev-addr 127.0.0.1:8001

docs-check: install  ## Build the documentation strictly; check links, anchors, navigation, generated tables and resources of pages
	$(BIN)/zensical build --clean --strict
	$(BIN)/python -m pytest --quiet --checked tests/docs/test_site.py tests/docs/test_links.py tests/docs/test_tables.py

docs-tables: install  ## Rewrite the tables in docs/ that are generated from the code: settings, problems, metrics, commands
	$(BIN)/python -m tests.docs

# Folders and files with quick tests. Tests and modules that are not quick are marked `slow`.
QUICK = examples/afternoon tests/domain tests/golden tests/projections tests/service/api tests/service/test_games.py tests/service/test_cached_games.py tests/service/test_unknown_outcomes.py tests/log/test_store.py
# Its tests do not wait, and each worker collects all of them.
test-quick: WORKERS = 1
test-quick: install  ## Rules, laws, one golden game of each ruleset, the API on SQLite; no servers, no browser
	$(PYTEST) --quick $(QUICK)

test: install browser  ## Every kind of test; long ones are left to check, repetitions on more rulesets and databases to test-all
	$(PYTEST)

test-all: install browser  ## Every test on every database and for every ruleset; random play is long
	$(PYTEST) --everything

test-wheel: install  ## The quick tests against the installed wheel, outside of the working copy
	$(MEMORY) $(BIN)/python -m tests.package.suite $(QUICK) --quiet --numprocesses auto

compliance: install  ## Send the play channel the frames of RFC 6455, section by section, as the Autobahn suite does
	$(MEMORY) $(BIN)/python -m pytest --quiet --everything tests/server/test_frames.py

# Each has an environment of its own: OpenEnv needs 480 MB of packages.
harnesses: install  ## Test the examples for OpenEnv and TextArena, each with its harness installed
	@for name in openenv textarena; do \
		$(PYTHON) -m venv build/$$name && \
		build/$$name/bin/pip install --quiet --editable . --editable examples/$$name pytest && \
		build/$$name/bin/python -m pytest --quiet -p no:cacheprovider -c examples/$$name/pyproject.toml examples/$$name || exit 1; \
	done

nightly: install browser  ## test-all with 200 concurrent games, 1,000 games in two worlds and in environments, then interpreters, fuzz, chaos, longrun and walks
	TEST_GAMES=200 $(PYTEST) --everything
	LEAKS_GAMES=1000 $(BIN)/python -m pytest --quiet --numprocesses auto tests/campaigns/leaks/test_leaks.py
	TRAIN_GAMES=1000 $(BIN)/python -m pytest --quiet --everything --numprocesses auto tests/agents/test_training.py -k laws
	$(MAKE) interpreters
	$(MAKE) test-wheel
	$(MAKE) harnesses
	$(MAKE) fuzz
	$(MAKE) chaos
	$(MAKE) longrun
	$(MAKE) walks

check: install browser clients  ## Check style, types, contract, generated clients, documentation, packages, dependencies; run the long tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/deno check --quiet --config tests/web/deno.json web tests/web service/extensions/*/web
	$(BIN)/deno lint --quiet --config tests/web/deno.json web tests/web service/extensions/*/web
	$(BIN)/deno fmt --quiet --check --config tests/web/deno.json web tests/web service/extensions/*/web
	$(BIN)/python -m openapi.build --check
	$(BIN)/zensical build --clean --strict
	$(BIN)/python -m pytest --quiet tests/domain/test_layers.py tests/domain/test_figures.py
	$(PYTEST) --checked
	$(BIN)/deptry .
	$(BIN)/python .ci/audit

clients: install node  ## Check the types and units of the client packages, and that they are generated from the document; other generators
	$(BIN)/python -m clients.build --check
	cd clients/python && ../../$(BIN)/mypy src/stammtisch_client tests
	cd clients/python && ../../$(TOOLS)/pyright --pythonpath ../../$(BIN)/python
	cd clients/typescript && ../../$(TOOLS)/tsc --project tsconfig.types.json
	$(BIN)/python -m pytest --quiet clients/python/tests
	$(MEMORY) $(BIN)/python -m tests.openapi.generators

interpreters: install  ## Install the Python client on Python 3.11, 3.12 and 3.13, test it and play; list those missing on this machine
	$(MEMORY) $(BIN)/python -m tests.clients.interpreters

fuzz: install  ## Send a million garbage requests and 100,000 messages over channels, different ones each time; FUZZ_SEED repeats a run
	$(BIN)/python -m tests.campaigns fuzz --requests $${FUZZ_REQUESTS:-1000000} --messages $${FUZZ_MESSAGES:-100000} --seed $${FUZZ_SEED:-$$(date +%s)}

chaos: install  ## Inject a thousand faults under load, with one process on SQLite, two on PostgreSQL and Redis, and four with a standby; fifteen minutes
	$(BIN)/python -m tests.campaigns chaos --faults 1000 --minutes 20

longrun: install  ## Play steadily for two hours; draw docs/pictures/longrun.png; fail if memory, files or times grow
	$(BIN)/pip install --quiet --group bench
	$(BIN)/python -m tests.campaigns longrun --minutes $${MINUTES:-120}

walks: install browser  ## Walk through 100 random games in five windows, and check what is drawn; a walk that was cut goes on (WALKS)
	$(BIN)/python -m tests.campaigns walks --games $${WALKS_GAMES:-20} --seed $${WALKS_SEED:-1} $${WALKS:+--resume $$WALKS}

bots: install  ## Play the arenas of docs/bots.md: strength of the published bots, whether their games end, times; half an hour
	$(BIN)/python -m tests.campaigns bots

mutants: install  ## Test the domain tests with mutants; `make mutants MUTANTS="--again RULESET"` runs some of them
	$(BIN)/pip install --quiet --group mutants
	$(BIN)/python -m tests.campaigns mutants $(MUTANTS)

audit: install  ## Check the locked dependencies for known vulnerabilities
	$(BIN)/python .ci/audit

openapi: install  ## Write the transcripts of games and openapi/openapi.json
	$(BIN)/python -m tests.openapi.transcripts
	$(BIN)/python -m openapi.build

vendor: install  ## Fetch the library that the pages import, at the locked version
	$(BIN)/python -m tests.web.vendor

# With ALL=1 also every drawn state of tables, pages and moments in build/pictures: five windows, both languages; an hour.
pictures: install browser  ## Take the pictures of the README and the documentation; with ALL=1 of every state
	$(BIN)/python -m tests.web.icons
	$(MEMORY) $(BIN)/python -m tests.web.screens
	$(if $(ALL),$(MEMORY) $(BIN)/python -m tests.web.pictures build/pictures)
	$(if $(ALL),$(MEMORY) $(BIN)/python -m tests.web.screens build/pictures)

golden: install  ## Play missing golden games, after asking; `make golden DRY=1` only lists them; existing ones are never rewritten
	$(BIN)/python -m tests.golden $(if $(DRY),--dry-run)

bench: install  ## Run the benchmarks, print every figure beside its floor, and draw docs/pictures/figures.png
	$(BIN)/pip install --quiet --group bench
	$(BIN)/python -m tests.bench

bench-peers: install  ## Compare with other software; needs node, npm and two cores
	$(BIN)/python -m tests.bench peers

# The tests need a browser (documentation), Node (JavaScript verifier), jq (tutorial) and Caddy (load balancer).
browser: node
	@command -v jq >/dev/null || $(MAKE) --no-print-directory .debian-jq
	@command -v chromium-headless-shell >/dev/null || $(MAKE) --no-print-directory .debian-chromium-headless-shell || \
		command -v chromium chromium-browser google-chrome >/dev/null
	@command -v caddy >/dev/null || test -x $(BIN)/caddy || $(MAKE) --no-print-directory $(BIN)/caddy

# Debian's package npm depends on Node.
node:
	@command -v npm >/dev/null || $(MAKE) --no-print-directory .debian-npm

.PHONY: .debian-%
.debian-%:
	@echo "Installing Debian's package $*, which the tests need."
	@if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; \
	$$sudo apt-get update -qq && $$sudo apt-get install -qq -y --no-install-recommends $* >/dev/null

# Extracted, not installed: the installed package would start a server.
$(BIN)/caddy:
	@echo "Fetching caddy from Debian's package, which the tests need."
	@if [ "$$(id -u)" = 0 ]; then sudo=; else sudo=sudo; fi; $$sudo apt-get update -qq
	@cd .venv && apt-get download -qq caddy && \
		dpkg-deb --fsys-tarfile caddy_*.deb | tar -x -C bin --strip-components=3 ./usr/bin/caddy && rm caddy_*.deb

clean:
	rm -rf .venv build site .cache *.egg-info
