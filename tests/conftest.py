"""For all tests: hypothesis measures no time, since machines that run tests are busy ones.

Programs under test save their games in a folder that goes with the tests, never in a real home.

And signals mean what they mean by default, also when the tests were started by `nohup` or in the
background of a script: the programs under test would inherit that they are ignored.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile

from hypothesis import HealthCheck, settings

settings.register_profile(
    "house",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("house")

_DATA = tempfile.mkdtemp(prefix="perudo-tests-")
atexit.register(shutil.rmtree, _DATA, ignore_errors=True)
os.environ["XDG_DATA_HOME"] = _DATA

for name, usual in (("SIGHUP", signal.SIG_DFL), ("SIGINT", signal.default_int_handler)):
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)
