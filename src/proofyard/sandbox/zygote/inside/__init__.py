"""What runs inside the outer sandbox: the warm process, the init it forks for every sample, and the sample's start.

Standard library only. The sources travel over the runner's socket; nothing of it is a file that a sample could open.
"""

__all__: list[str] = []
