"""The command line: `python -m stammtisch`, installed as `stammtisch`."""

import sys

from service.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
