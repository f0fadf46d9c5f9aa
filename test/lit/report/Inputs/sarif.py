"""Checks what code scanning services require of SARIF: sarif.py FILE."""

import json
import re
import sys

LEVELS = {"note", "warning", "error"}


def require(condition, what):
    if not condition:
        sys.exit(f"sarif: {what}")


def strings(value, path="$"):
    if isinstance(value, str):
        require(value, f"{path} is an empty string")
    elif isinstance(value, list):
        for index, element in enumerate(value):
            strings(element, f"{path}[{index}]")
    elif isinstance(value, dict):
        for key, element in value.items():
            strings(element, f"{path}.{key}")


def check_rule(rule):
    for key in ("shortDescription", "fullDescription", "help"):
        text = rule[key]["text"]
        require(len(text) <= 1024, f"{rule['id']}: {key} is too long")
    require(rule["defaultConfiguration"]["level"] in LEVELS, f"{rule['id']}: level")
    properties = rule["properties"]
    require(len(properties["tags"]) <= 20, f"{rule['id']}: too many tags")
    require(properties["precision"] in {"very-high", "high", "medium", "low"}, "precision")
    require(
        properties["problem.severity"] in {"error", "warning", "recommendation"},
        "problem.severity",
    )
    require("security-severity" not in properties, "these are no security findings")


def check_result(result, rules):
    rule = rules[result["ruleIndex"]]
    require(rule["id"] == result["ruleId"], "ruleIndex and ruleId differ")
    require(result["level"] in LEVELS, "level")
    require(result["message"]["text"], "message")
    physical = result["locations"][0]["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    require(not uri.startswith(("/", "file:", ".")), f"{uri} is not relative")
    require(re.fullmatch(r"[A-Za-z0-9._~/%-]+", uri), f"{uri} is not encoded")
    region = physical["region"]
    require(1 <= region["startLine"] <= region["endLine"], "lines")
    if region["startLine"] == region["endLine"]:
        require(1 <= region["startColumn"] < region["endColumn"], "columns")
    prints = result.get("partialFingerprints", {})
    require("primaryLocationLineHash" not in prints, "that key is the service's")


def main():
    log = json.load(open(sys.argv[1]))
    require(log["version"] == "2.1.0" and "sarif" in log["$schema"], "version")
    strings(log)
    require(len(log["runs"]) == 1, "one run")
    run = log["runs"][0]
    driver = run["tool"]["driver"]
    require(driver["name"] == "clopt", "name")
    require(re.fullmatch(r"\d+\.\d+\.\d+", driver["semanticVersion"]), "semanticVersion")
    require(run["automationDetails"]["id"].endswith("/"), "automationDetails.id")
    for rule in driver["rules"]:
        check_rule(rule)
    for result in run["results"]:
        check_result(result, driver["rules"])
        place = result["locations"][0]["physicalLocation"]
        region = place["region"]
        print(
            result["level"],
            result["ruleId"],
            f"{region['startLine']}:{region['startColumn']}-{region['endColumn']}",
            "suppressed" if "suppressions" in result else "",
            result.get("baselineState", ""),
        )
    print("valid,", len(run["results"]), "results")


main()
