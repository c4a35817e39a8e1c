"""Named sets of tasks. Each suite turns a task id into a `Task`; loading one executes nothing that was submitted."""

__all__: list[str] = []
