"""Runs a program with a terminal of its own: terminal.py PROGRAM ARGUMENT..."""

import os
import pty
import sys

os.environ["TERM"] = "xterm-256color"
pty.spawn(sys.argv[1:])
