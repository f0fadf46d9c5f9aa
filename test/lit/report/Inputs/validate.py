"""Validates a JSON file against a JSON schema: validate.py SCHEMA FILE."""

import json
import sys

import jsonschema

schema, document = (json.load(open(path)) for path in sys.argv[1:3])
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.Draft202012Validator(schema).validate(document)
print("valid")
