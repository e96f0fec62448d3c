"""`python -m bench`; what it does stands in `running`, which loads nowhere but on Linux."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    if sys.platform != "linux":
        sys.exit("bench: only Linux tells what a process has used, so it can measure nothing here")
    from .running import main

    sys.exit(main())
