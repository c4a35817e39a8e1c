"""Services, one module a tier; each is the `main.py` of an alternative (see the package above)."""
