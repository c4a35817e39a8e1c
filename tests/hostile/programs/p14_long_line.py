"""One line of 8 MB."""

import sys

from probe import request

request()
sys.stdout.write("x" * (8 << 20) + "\n")
sys.stdout.flush()
