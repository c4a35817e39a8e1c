"""The runner: a long-lived process that holds one sandbox at a time. It is started by the path of `boot.py`, imports the
standard library and the other modules of `proofyard.sandbox` that are written for it (never proofyard's nouns), sets up its
own namespaces, and then serves its controller over one socket. When that socket closes it kills everything and exits.
"""

__all__: list[str] = []
