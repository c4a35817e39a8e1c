"""Closes its output and hangs."""

import os
import time

from probe import request

request()
os.close(1)
os.close(2)
time.sleep(60)
