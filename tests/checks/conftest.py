from tests.engine.conftest import toy_plugins

__all__ = ["toy_plugins"]
