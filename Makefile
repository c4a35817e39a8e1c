# Two commands: `make demo` and `make test`. Both set up what they need first.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
RUN ?= runs/demo-$(shell date +%Y%m%d-%H%M%S)

.PHONY: help setup setup-dev demo test lint bench clean

help:
	@echo "make demo   set up, grade all references of the scratch suite in the sandbox, print the table"
	@echo "make test   set up and pass the tests"
	@echo "make lint   static checks: ruff, mypy, import contracts"
	@echo "make bench  the benchmarks, as ratios"

setup: $(VENV)/.setup
setup-dev: $(VENV)/.setup-dev

$(VENV)/.setup: requirements/core.txt requirements/build.txt pyproject.toml scripts/setup
	@PYTHON="$(PYTHON)" scripts/setup core

$(VENV)/.setup-dev: $(VENV)/.setup requirements/dev.txt
	@PYTHON="$(PYTHON)" scripts/setup dev

demo: setup
	@$(BIN)/proofyard doctor --short
	@$(BIN)/proofyard run scratch --agent oracle --attempts 1 --output $(RUN)
	@echo
	@$(BIN)/proofyard score $(RUN)
	@echo
	@echo "The run is in $(RUN)   (look again: $(BIN)/proofyard score $(RUN))"

test: setup-dev
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: setup-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: setup-dev
	@for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
