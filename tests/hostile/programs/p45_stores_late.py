# ruff: noqa: PTH123
"""Answers first and stores afterwards."""

import os

from probe import STATE, answer, request

ask = request()
answer(ask, stored=True)
with open(STATE + "/stored", "wb") as file:
    file.write(b"stored")
    file.flush()
    os.fsync(file.fileno())
