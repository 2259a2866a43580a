# Works with GNU make 3.81. Choose the interpreter with PYTHON=..., single benchmarks or evidence with NAMES="...".
PYTHON ?= python3
NAMES ?=

VENV := .venv
RUN := $(VENV)/bin/python
INSTALL := $(RUN) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# One process per core, each with one thread for its matrix products.
SPREAD := --numprocesses auto --dist worksteal
PYTEST := OMP_NUM_THREADS=1 $(RUN) -m pytest $(SPREAD)
NEEDS := $(VENV)/.made pyproject.toml constraints.txt

.PHONY: help tour quick test test-all test-rest test-kernels slow check format budget bench evidence pages docs clean
.NOTPARALLEL:

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

tour: $(VENV)/.core-plots ## judge the five sheets, say what was found, write report.html and report.json
	$(RUN) -m headwright tour

quick: $(VENV)/.test ## run the rules of the house and a few tests of every file, for the inner loop
	$(PYTEST) --cases quick

test: $(VENV)/.test ## run every test that needs no extra, but for the slow ones, and name what was not run
	$(PYTEST) --cases usual

test-all: $(VENV)/.all ## run every test, with torch, jax, matplotlib, notebooks and a browser
	HEADWRIGHT_TEST_ALL=1 $(PYTEST)

test-rest: $(VENV)/.all ## run what `make test` leaves out: the slow tests, and those that need an extra
	HEADWRIGHT_TEST_ALL=1 $(PYTEST) --cases rest

test-kernels: $(VENV)/.test ## run designs, geometry, programs and commands once more under two other BLAS kernels
	OMP_NUM_THREADS=1 $(RUN) -m tests.kernels $(SPREAD) --cases usual

slow: $(VENV)/.test ## run what needs no extra, and name the slowest tests in tests/slow_tests.txt
	$(PYTEST) --name-slow

check: $(VENV)/.dev ## check format, lint and types
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy

format: $(VENV)/.dev ## rewrite the files in the house format
	$(RUN) -m ruff format .
	$(RUN) -m ruff check --fix .

budget: $(VENV)/.test ## print how large the house is beside its limits; what is above its limit must not grow
	$(RUN) -m evidence.budget

bench: $(VENV)/.test ## measure every claim in benchmarks/, on one thread
	OMP_NUM_THREADS=1 $(RUN) -m benchmarks $(NAMES)

evidence: $(VENV)/.test ## run the full-size counts in evidence/; resumes where it was stopped
	$(RUN) -m evidence $(NAMES)

pages: $(VENV)/.docs ## write today's figures, tables, pictures and the list of commands into the pages of docs/
	$(RUN) -m handbook.written

docs: $(VENV)/.docs ## build the handbook into site/; a broken link or anchor is an error
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --strict
	@echo "The handbook is in site/index.html. For its search: $(RUN) -m http.server --directory site"

clean: ## remove the environment, caches and reports; evidence and its partial results stay
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov build dist site report.html report.json
	find src tests benchmarks evidence -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made:
	@command -v "$(PYTHON)" >/dev/null || { \
	  echo "headwright needs Python 3.11 or newer, and there is no '$(PYTHON)'. Name one: make PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "headwright needs Python 3.11 or newer, and '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1). Name another: make PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "'$(PYTHON)' lacks venv, which headwright's environment is made with. Install it (Debian, Ubuntu: python3-venv), or name another: make PYTHON=python3.12" >&2; exit 1; }
	"$(PYTHON)" -m venv $(VENV)
	@touch $@

$(VENV)/.core-plots: $(NEEDS)
	$(INSTALL) --editable '.[plots]'
	@touch $@

$(VENV)/.test: $(NEEDS)
	$(INSTALL) --editable '.[test]'
	@touch $@

# torch first and alone: its build is settled before anything else asks for it.
$(VENV)/.all: $(NEEDS)
	$(INSTALL) torch
	$(INSTALL) --editable '.[test-all]'
	@touch $@

$(VENV)/.docs: $(NEEDS)
	$(INSTALL) --editable '.[docs]'
	@touch $@

$(VENV)/.dev: $(NEEDS)
	$(INSTALL) --editable '.[dev]'
	@touch $@
