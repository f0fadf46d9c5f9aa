"""The table of `clopt help --json` names every option that --help of its command shows."""

import json
import re
import subprocess
import sys

table = json.load(open(sys.argv[1], encoding="utf-8"))
commands = {command["name"]: command for command in table["commands"]}
expected = ["optimize", "check", "skeleton", "verify", "bench", "compare", "ladder", "tune",
            "probe", "run"]
assert list(commands) == expected, list(commands)
# The rest of LLVM's help on help is of no use in a manual.
IGNORED = {"help-list"}
for name, command in commands.items():
    text = subprocess.run([sys.argv[2], "help", name], capture_output=True, text=True,
                          check=True).stdout
    shown = set(re.findall(r"^  --?([\w-]+)", text, re.M)) - IGNORED
    listed = {option["name"]: option for group in command["groups"]
              for option in group["options"]}
    if name in ("optimize", "check", "skeleton"):
        listed.pop("help-list", None)
    assert shown == set(listed), (name, shown ^ set(listed))
    for option in listed.values():
        assert option["help"].split("\n")[0] in text, (name, option)
    assert command["summary"] and command["usage"].startswith("clopt "), command


def choices(command, option):
    return [o.get("choices") for group in commands[command]["groups"]
            for o in group["options"] if o["name"] == option][0]


assert choices("optimize", "alias") == ["check", "none", "strict"]
assert "cpu" in choices("check", "target") and "native" in choices("check", "target")
assert "vectorize" in choices("optimize", "print-after")
assert "clopt-race" in choices("check", "explain-check")
assert "verify" in table["topics"] and "clopt-race" in table["topics"] and "tile" in table["topics"]
