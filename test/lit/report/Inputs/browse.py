"""Opens a page in headless Chromium: its messages, and the number of pictures in what it made of the page."""

import os
import subprocess
import sys

page, profile = sys.argv[1:]
result = subprocess.run(
    [
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        f"--user-data-dir={profile}",
        "--dump-dom",
        "file://" + os.path.abspath(page),
    ],
    capture_output=True,
    text=True,
    timeout=120,
    check=True,
)
messages = [line for line in result.stderr.splitlines() if ":CONSOLE" in line]
pictures = result.stdout.count("<svg")
print("; ".join(messages) or "no messages", f"{pictures} pictures", sep=", ")
