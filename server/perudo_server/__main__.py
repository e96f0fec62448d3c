"""`python -m perudo_server` is `perudo-server`."""

import sys

from .cli import main

sys.exit(main())
