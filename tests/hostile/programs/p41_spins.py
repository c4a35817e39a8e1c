"""Burns the processor."""

from probe import request

request()
while True:
    pass
