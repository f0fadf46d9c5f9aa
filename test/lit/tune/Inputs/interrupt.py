# Interrupts a command when it has written a file, and says how it ended and how many results the file has.

import json
import os
import signal
import subprocess
import sys
import time

results, command = sys.argv[1], sys.argv[2:]
process = subprocess.Popen(command, start_new_session=True)
deadline = time.monotonic() + 120
while not os.path.exists(results) and process.poll() is None and time.monotonic() < deadline:
    time.sleep(0.1)
# As a terminal does it: to the whole process group.
os.killpg(process.pid, signal.SIGINT)
code = process.wait(timeout=120)
with open(results, encoding="utf-8") as file:
    print(f"exit code {code}, {len(json.load(file)['results'])} results")
