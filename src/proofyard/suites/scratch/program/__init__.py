"""The reference program of the scratch suite: standard library and relative imports only, so that the same files run here
(to compute expected outputs) and as a submission. One module a concern, each tier a thin layer over the one below.
"""

__all__: list[str] = []
