"""Runs a command and ends, with SIGSEGV, the process of its that waits for a pipe to be written:
end-child.py PIPE COMMAND...  The pipe stands in for whatever could end the work on one file."""

import os
import signal
import subprocess
import sys
import time

pipe = sys.argv[1]
os.mkfifo(pipe)
command = subprocess.Popen(sys.argv[2:])


def waiting():
    """The child in the open call, or nothing: all others have ended or still compute."""
    path = f"/proc/{command.pid}/task/{command.pid}/children"
    found = [int(word) for word in open(path).read().split()]
    return found[0] if len(found) == 1 else None


# Once the other files are done, one child is left for good.
last, since = None, time.time()
while time.time() - since < 2:
    time.sleep(0.05)
    if waiting() is None or waiting() != last:
        last, since = waiting(), time.time()
os.kill(last, signal.SIGSEGV)
sys.exit(command.wait())
