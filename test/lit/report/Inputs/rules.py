"""Prints the rules that a report names, one per line: rules.py FILE."""

import json
import sys

rules = set()
for source in json.load(open(sys.argv[1]))["inputs"]:
    rules.update(remark.get("rule", "") for remark in source["remarks"])
    for kernel in source["kernels"]:
        for access in kernel["accesses"]:
            rules.add(access.get("finding", {}).get("rule", ""))
print("\n".join(sorted(rules)))
