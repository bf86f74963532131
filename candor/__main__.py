"""Run the command from a checkout: `python -m candor`."""

import sys

from candor.cli import main

if __name__ == "__main__":
    sys.exit(main())
