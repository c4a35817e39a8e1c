"""Writes to every place that is not its own."""

from probe import answer, attempt, request, write

ask = request()
answer(ask, found={path: attempt(write, path) for path in ask["paths"]})
