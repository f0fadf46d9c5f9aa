"""Writes the example of a rule's page to a file: example.py PAGE FILE."""

import re
import sys

page = open(sys.argv[1]).read()
example = re.search(r"^## Example\n\n```c\n(.*?)^```$", page, re.S | re.M)
with open(sys.argv[2], "w") as file:
    file.write(example.group(1))
