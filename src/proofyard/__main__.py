"""`python -m proofyard` is the `proofyard` command."""

from proofyard.cli import main

if __name__ == "__main__":
    main()
