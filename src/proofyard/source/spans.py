"""Where the nodes of a syntax tree stand in their source, in bytes."""

import ast
import re

__all__ = ["Spans"]

_COMMENT = re.compile(rb"#[^\n]*")


class Spans:
    """The source of a module in UTF-8, and the spans of nodes in it."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self._starts = [0]
        for line in self.data.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def of(self, node: ast.AST) -> tuple[int, int]:
        """Start and end of a node. A slice has no parentheses of its own, a tuple or a generator has."""
        start = self._starts[getattr(node, "lineno", 1) - 1] + getattr(node, "col_offset", 0)
        end = self._starts[getattr(node, "end_lineno", 1) - 1] + getattr(node, "end_col_offset", 0)
        return start, end

    def slice(self, start: int, end: int) -> str:
        """The text from `start` to `end`."""
        return self.data[start:end].decode()

    def text(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.slice(*self.of(node))

    def between(self, left: ast.AST, right: ast.AST, pattern: str) -> tuple[int, int]:
        """Where an operator stands between two operands.

        Raises:
            ValueError: it is not there.

        """
        begin, end = self.of(left)[1], self.of(right)[0]
        gap = _COMMENT.sub(lambda comment: b" " * len(comment.group()), self.data[begin:end])
        found = re.search(pattern.encode(), gap)
        if found is None:
            raise ValueError(f"no {pattern!r} in {gap!r}")
        return begin + found.start(), begin + found.end()

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte, both from 1; columns count code points."""
        line = self.data.count(b"\n", 0, offset) + 1
        return line, len(self.data[self._starts[line - 1] : offset].decode()) + 1

    def holds(self, node: ast.expr) -> bool:
        """Whether the text at the place of an expression is that expression: not always so within f-strings."""
        try:
            found = ast.parse(f"({self.text(node)}\n)", mode="eval").body
        except (SyntaxError, UnicodeDecodeError):
            return False
        return ast.dump(found) == ast.dump(node)
