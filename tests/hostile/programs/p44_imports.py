# ruff: noqa: PTH208
"""Imports the product, its tools and what else is installed."""

import importlib
import os
import site
import sys
import sysconfig

from probe import answer, attempt, request

ask = request()
found = {name: attempt(importlib.import_module, name) for name in ask["modules"]}
folders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), site.getusersitepackages()}
folders |= {path for path in sys.path if "-packages" in path} | set(ask["folders"])
there = {}
for folder in sorted(folders):
    try:
        there[folder] = len([name for name in os.listdir(folder) if not name.startswith(("README", "__pycache__"))])
    except OSError as error:
        there[folder] = type(error).__name__
answer(ask, found=found, there=there)
