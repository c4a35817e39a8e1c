"""What an operation raises; the envelope turns it into an error response."""

__all__ = ["DomainError", "InvalidArgsError"]


class InvalidArgsError(Exception):
    """An argument is missing, wrongly typed or out of range: error code `invalid_args`."""

    def __init__(self, message: str) -> None:
        self.message = message


class DomainError(Exception):
    """The arguments are fine but the operation cannot succeed: a code of the tier or of the family, and its extra fields."""

    def __init__(self, code: str, message: str, **extra: object) -> None:
        self.code = code
        self.message = message
        self.extra = extra
