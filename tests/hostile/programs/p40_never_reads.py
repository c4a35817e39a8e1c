"""Never reads its input."""

import time

time.sleep(60)
