"""The reference of each family, one module each; a submission holds only its own."""

__all__: list[str] = []
