# Two commands: `make demo` and `make test`. Both set up what they need first.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
RUN ?= runs/demo-$(shell date +%Y%m%d-%H%M%S)
# One family a category; `make demo FAMILIES=all` grades all of them.
FAMILIES ?= word-frequency csv-aggregate date-arithmetic matrix-ops shortest-path round-robin double-entry convex-hull \
	expression-eval lru-cache
CHOSEN = $(if $(filter-out all,$(FAMILIES)),$(addprefix --family ,$(FAMILIES)))
PYTEST_ARGS ?= -n auto --dist loadgroup

.PHONY: help setup setup-dev demo demo-model test lint bench verify-tasks clean

help:
	@echo "make demo   set up, grade the references of ten families in four tiers in the sandbox, print the table"
	@echo "make demo-model DATA=HumanEval.jsonl.gz   a small real model, installed as a package, writes code and is graded"
	@echo "make test   set up and pass the tests"
	@echo "make verify-tasks   prove the framework tasks: everything several times; QUICK=1 once; TASKS=tasks/ID one of them"
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
	@$(BIN)/proofyard run scratch $(CHOSEN) --agent oracle --attempts 1 --output $(RUN)
	@echo
	@$(BIN)/proofyard score $(RUN)
	@$(if $(CHOSEN),echo "Ten families of 65 (so INCOMPLETE); make demo FAMILIES=all grades every task.")
	@echo
	@echo "The run is in $(RUN)   (look again: $(BIN)/proofyard score $(RUN))"

# HumanEval's own tasks, for demo-model.
DATA ?= $(HUMANEVAL_OVERRIDE_PATH)

demo-model: setup
	@scripts/demo-model "$(DATA)"

test: setup-dev
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: setup-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: setup-dev
	@for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

# What is written: the report, by default not the committed one.
TASKS ?= tasks
REPORT ?= runs/verify-tasks.json

verify-tasks: setup
	@mkdir -p $(dir $(REPORT))
	@$(BIN)/proofyard verify $(TASKS) $(if $(QUICK),--quick) --output $(REPORT)
	@echo "report: $(REPORT)"

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
