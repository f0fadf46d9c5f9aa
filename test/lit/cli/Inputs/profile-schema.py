"""Changes each key of a profile; clopt and the schema agree on every one."""

import copy
import json
import pathlib
import subprocess
import sys

import jsonschema

clopt, schema, devices, kernel, scratch = sys.argv[1:]
document = json.loads(pathlib.Path(schema).read_text())
jsonschema.Draft7Validator.check_schema(document)
validator = jsonschema.Draft7Validator(document)
profiles = {path.stem: json.loads(path.read_text())
            for path in sorted(pathlib.Path(devices).glob("*.json"))}
assert sorted(profiles) == document["properties"]["base"]["enum"], profiles.keys()


def compare(profile, wanted=None):
    pathlib.Path(scratch).write_text(json.dumps(profile))
    taken = subprocess.run([clopt, "check", "--quiet", f"--target={scratch}", kernel],
                           capture_output=True, check=False).returncode == 0
    valid = validator.is_valid(profile)
    assert taken == valid, (taken, valid, profile)
    assert wanted is None or taken == wanted, (wanted, profile)


for profile in profiles.values():
    compare(profile, True)
for key in document["properties"]:
    start = profiles["nvidia-hopper"]
    for value in ("text", 0, True, None):
        changed = copy.deepcopy(start)
        if value is None:
            changed.pop(key, None)
        else:
            changed[key] = value
        compare(changed)
for key in ("global", "cached", "alu", "other"):
    changed = copy.deepcopy(profiles["cpu"])
    changed["latency"].pop(key, None)
    compare(changed)
    changed["latency"][key] = -1
    compare(changed, False)
for table in ({"4": {"1": 10}}, {"0": {"1": 10}}, {"4": {"x": 10}}, {"4": {"1": 0}}, {"4": 3}):
    compare({"base": "cpu", "name": "mine", "bandwidth": table})
compare({"base": "cpu", "name": "mine"}, True)
compare({"base": "cpu"}, False)
compare({"base": "mine", "name": "mine"}, False)
