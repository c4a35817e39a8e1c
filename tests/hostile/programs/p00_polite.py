# ruff: noqa: PTH109
"""A control: answers every request and does no harm."""

import os

from probe import STATE, answer, attempt, request, write

while True:
    ask = request()
    answer(ask, cwd=os.getcwd(), state=attempt(write, STATE + "/polite"), uid=os.getuid())
