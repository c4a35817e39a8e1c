"""proofyard tells whether a model or a coding agent can build working software, and whether that answer can be believed."""

__version__ = "0.1.0"
