# One command each. `make build` and `make test` work in a bare clone with Python 3.11 or newer; with
# Node 20 or newer the tests of the TypeScript output and with the TypeScript SDK run too.
#
#   make build      set up, then bring generated/ up to date
#   make test       lint, types and the quick tests
#   make test-all   the same with the slow sweeps
#   make lint | format | bench | clean
#
# PYTHON chooses the interpreter for .venv; JOBS the number of test processes.

PYTHON ?= python3
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help build check node test test-slow test-all lint format bench clean

help:
	@sed -n 's/^#   \(make\)/\1/p' Makefile

# The stamp holds what the environment was made from: a re-run with the same does nothing.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with PYTHON=..." >&2; exit 2; }
	@echo "Setting up $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

build: $(STAMP)
	@$(BIN)/acp-codegen build

check: $(STAMP)
	@$(BIN)/acp-codegen check --full

lint: $(STAMP)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary
	@cd generated/python && ../../$(BIN)/mypy --no-error-summary --strict --config-file= \
	  --cache-dir=../../.mypy_cache/generated -p acp_bindings
	@echo "Lint and types: fine"

# Packages of the tests that need Node. Without Node they do not run, and say so.
node: $(STAMP)
	@$(BIN)/python tests/interop/interop_setup.py
	@$(BIN)/python tests/typescript/node_setup.py

# By file, so that what the tests of a file share is made once.
test: lint node
	@$(BIN)/pytest -n $(JOBS) --dist loadfile

test-slow: node
	@$(BIN)/pytest -n $(JOBS) -m slow

test-all: lint node
	@$(BIN)/pytest -n $(JOBS) -m 'slow or not slow'

format: $(STAMP)
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format .

bench: $(STAMP)
	@$(BIN)/python benchmarks/run.py

clean:
	@rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
	@rm -rf tests/interop/node_modules tests/typescript/node_modules tests/typescript/build
