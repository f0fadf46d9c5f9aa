#!/usr/bin/env python3
"""Checks every launch specification below the given folders against the schema."""

import json
import pathlib
import sys

import jsonschema


def main():
    schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    files = [file for folder in sys.argv[2:]
             for file in sorted(pathlib.Path(folder).rglob("*.launch.json"))]
    bad = 0
    for file in files:
        for error in validator.iter_errors(json.loads(file.read_text())):
            bad += 1
            print(f"{file}: error: {error.message}")
    print(f"{len(files)} specifications, {bad} errors")
    sys.exit(1 if bad or not files else 0)


if __name__ == "__main__":
    main()
