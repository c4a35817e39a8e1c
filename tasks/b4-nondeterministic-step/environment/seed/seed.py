"""Record the audits that there were: two draws of as many invoices, in one process."""

import os
import random
import sys


def main() -> None:
    os.chdir("/app")
    sys.path.insert(0, "/app")
    from audit import invoice_audit

    random.seed(20260131)
    for month in ("january", "february"):
        invoice_audit.with_options(run_name=f"audit-{month}")(n=12)


main()
