"""The families once more, one module each; each is the `family.py` of an alternative (see the package above)."""
