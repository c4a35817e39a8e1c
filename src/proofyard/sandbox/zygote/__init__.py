"""Rung 2: a warm process that has imported an image's modules, and a fork of it in fresh namespaces for every sample.

`launcher` belongs to the runner and starts samples; `warm` is the runner's side of one warm process; `inside` is what runs
in it. A warm process serves many sandboxes of the same image and is thrown away on any doubt.
"""

__all__: list[str] = []
