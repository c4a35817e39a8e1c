"""The families of instances, a module each with what it draws and how that becomes files."""

__all__: list[str] = []
