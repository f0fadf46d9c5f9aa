#!/usr/bin/env python3
"""Writes manual pages and completion of shells from what `clopt help --json` says.

    tools/scripts/manual.py --clopt build/bin/clopt --output FOLDER

FOLDER gets man/man1/clopt.1.gz, clopt-check.1.gz, ... and completions/clopt, _clopt, clopt.fish:
for bash, zsh and fish. Options and summaries come from the table, which is made of the same
texts as --help; exit codes, variables and files are sections of the pages in docs/.
"""

import argparse
import gzip
import json
import os
import re
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
DEFAULT = "optimize"  # what clopt does without a command

# (heading of a manual page, page of the documentation, heading there)
SECTIONS = {
    "optimize": [
        ("EXIT STATUS", "cli.md", "Exit status and failures"),
        ("FILES", "cli.md", "Files"),
    ],
    "check": [("EXIT STATUS", "check.md", "Exit codes")],
    "verify": [("EXIT STATUS", "launch-spec.md", "Exit codes of verify")],
    "run": [("ENVIRONMENT", "layer.md", "Environment")],
}
FILE_VALUES = {"file", "FILE", "FILE.md", "PATH"}
FOLDER_VALUES = {"folder", "DIR"}


def options(command):
    return [option for group in command["groups"] for option in group["options"]]


def flag(option):
    """The option as it is typed: -o, --alias."""
    return ("-" if len(option["name"]) == 1 else "--") + option["name"]


def values(option):
    """"file", "folder", a list of words, or None for a flag or any text."""
    value = option.get("value")
    if "choices" in option:
        return option["choices"]
    if value in FILE_VALUES:
        return "file"
    if value in FOLDER_VALUES:
        return "folder"
    return value.split("|") if re.fullmatch(r"[a-z]+(\|[a-z]+)+", value or "") else None


# Manual pages


def roff(text):
    """Plain text as troff takes it."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def marked(text):
    """Markdown within a line: code is bold, links are their texts."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    parts = re.split(r"`([^`]*)`", text)
    return "".join(f"\\fB{roff(part)}\\fR" if index % 2 else roff(part)
                   for index, part in enumerate(parts))


def section(page, heading):
    """A section of a page in docs/: paragraphs, lists, and tables of two columns."""
    with open(os.path.join(ROOT, "docs", page), encoding="utf-8") as stream:
        text = stream.read()
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.M | re.S)
    if not found:
        raise SystemExit(f"manual.py: docs/{page} has no section '{heading}'")
    result = []
    for block in re.split(r"\n\n+", found.group(1).strip()):
        if block.startswith("|"):
            for row in block.splitlines()[2:]:
                first, rest = re.split(r"(?<!\\)\|", row.strip().strip("|"), maxsplit=1)
                result += [".TP", marked(first.strip()), marked(rest.strip())]
            result.append(".PP")
        elif block.startswith("- "):
            for item in re.split(r"^- ", block, flags=re.M)[1:]:
                result += [".IP \\(bu 2", marked(" ".join(item.split()))]
            result.append(".PP")
        else:
            result += [marked(block), ".PP"]
    # Before what begins a paragraph itself, there is none to begin.
    return [line for line, after in zip(result, result[1:] + [".SH"])
            if line != ".PP" or not after.startswith((".TP", ".IP", ".SH"))]


def described(option):
    """The head of an option in a manual page."""
    text = f"\\fB{roff(flag(option))}\\fR"
    if "value" not in option:
        return text
    value = f"\\fI{roff(option['value'])}\\fR"
    if option.get("isOptional"):
        return f"{text}[={value}]"
    return f"{text} {value}" if len(option["name"]) == 1 else f"{text}={value}"


def page_name(command):
    return "clopt" if command["name"] == DEFAULT else "clopt-" + command["name"]


def manual_page(command, table):
    name = page_name(command)
    others = [page_name(other) for other in table["commands"] if other is not command]
    lines = [f'.TH {name.upper()} 1 "" "clopt {table["version"]}" "clopt"',
             ".SH NAME", f"{roff(name)} \\- {roff(command['summary'])}", ".SH SYNOPSIS"]
    shown = table["commands"] if command["name"] == DEFAULT else [command]
    for index, one in enumerate(shown):
        lines += [".br"] * (index > 0) + [roff(one["usage"])]
    if command["name"] == DEFAULT:
        lines += [".br", "clopt help [command|rule\\-id|\\-\\-json]", ".SH COMMANDS"]
        for one in table["commands"]:
            text = (roff(one["summary"]) + f" (\\fB{roff(page_name(one))}\\fR(1))"
                    if one is not command else "what clopt does without a command")
            lines += [".TP", f"\\fB{roff(one['name'])}\\fR", text]
    if command.get("notes"):
        lines += [".SH DESCRIPTION", roff(command["notes"])]
    lines.append(".SH OPTIONS")
    for group in command["groups"]:
        if len(command["groups"]) > 1:
            lines.append(f".SS {roff(group['title'])}")
        for option in group["options"]:
            lines += [".TP", described(option), roff(option["help"])]
    for heading, source, title in SECTIONS.get(command["name"], []):
        lines += [f".SH {heading}"] + section(source, title)
    lines += [".SH SEE ALSO", ", ".join(f"\\fB{roff(other)}\\fR(1)" for other in others) + ".",
              ".PP", "All pages of the documentation are installed in share/doc/clopt/docs."]
    return "\n".join(lines) + "\n"


# Completion


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash(table):
    cases, words = [], []
    for command in table["commands"]:
        name = command["name"]
        words.append(f"    {name}) words={quoted(' '.join(map(flag, options(command))))} ;;")
        for option in options(command):
            kind = values(option)
            if kind is None and "value" not in option:
                continue
            action = ("compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")"
                      if kind == "file" else
                      "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")"
                      if kind == "folder" else
                      f"mapfile -t COMPREPLY < <(compgen -W {quoted(' '.join(kind))} -- \"$cur\")"
                      if kind else ":")
            cases.append(f"    {name}:{option['name']}) {action}; return ;;")
    names = "|".join(c["name"] for c in table["commands"])
    topics = " ".join(table["topics"])
    return f"""# Completion of clopt for bash, written by tools/scripts/manual.py.
_clopt() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} command={DEFAULT} option= words=
  COMPREPLY=()
  if ((COMP_CWORD > 1)); then
    case ${{COMP_WORDS[1]}} in {names}|help) command=${{COMP_WORDS[1]}} ;; esac
  fi
  # Bash takes = for a word of its own.
  if [[ $cur == = ]]; then
    option=${{COMP_WORDS[COMP_CWORD-1]}} cur=
  elif [[ ${{COMP_WORDS[COMP_CWORD-1]}} == = ]]; then
    option=${{COMP_WORDS[COMP_CWORD-2]}}
  elif [[ ${{COMP_WORDS[COMP_CWORD-1]}} == -* ]]; then
    option=${{COMP_WORDS[COMP_CWORD-1]}}
  fi
  option=${{option#-}}
  case $command:${{option#-}} in
    help:*) mapfile -t COMPREPLY < <(compgen -W {quoted(topics)} -- "$cur"); return ;;
{chr(10).join(cases)}
  esac
  case $command in
{chr(10).join(words)}
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    if ((COMP_CWORD == 1)); then
      mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(
        compgen -W {quoted(names.replace("|", " ") + " help")} -- "$cur")
    fi
  fi
}}
complete -F _clopt clopt
"""


def zsh_option(option):
    text = re.sub(r"([\[\]:\\])", r"\\\1", option["help"])
    name, value = flag(option), option.get("value")
    if value is None:
        return quoted(f"{name}[{text}]")
    kind = values(option)
    action = ("_files" if kind == "file" else "_files -/" if kind == "folder" else
              f"({' '.join(kind)})" if kind else " ")
    # -o FILE and -DNAME, --alias=NAME and --alias NAME
    mark = "+" if len(name) == 2 else "=-" if option.get("isOptional") else "="
    separator = "::" if option.get("isOptional") else ":"
    shown = re.sub(r"([\[\]:\\])", r"\\\1", value)
    return quoted(f"*{name}{mark}[{text}]{separator}{shown}:{action}")


def zsh(table):
    cases = []
    for command in table["commands"]:
        specs = [zsh_option(option) for option in options(command)]
        rest = ("'*::application:_normal'" if command["name"] == "run" else
                "'*:file:_files'")
        cases.append(f"  {command['name']})\n    _arguments \\\n      " +
                     " \\\n      ".join(specs + [rest]) + " ;;")
    commands = "\n".join(
        "    " + quoted(f"{c['name']}:{c['summary']}") for c in table["commands"])
    names = "|".join(c["name"] for c in table["commands"])
    return f"""#compdef clopt
# Completion of clopt for zsh, written by tools/scripts/manual.py.
local command={DEFAULT}
local -a commands=(
{commands}
    'help:says more of a command or a rule'
)
if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
  _describe command commands
  _files
  return
fi
case $words[2] in
  {names}|help) command=$words[2]; shift words; (( CURRENT-- )) ;;
esac
case $command in
  help) _values topic {' '.join(map(quoted, table["topics"]))} ;;
{chr(10).join(cases)}
esac
"""


def fish(table):
    names = [c["name"] for c in table["commands"]]
    others = " ".join(name for name in names if name != DEFAULT) + " help"
    lines = ["# Completion of clopt for fish, written by tools/scripts/manual.py."]
    for command in table["commands"]:
        lines.append(f"complete -c clopt -n __fish_use_subcommand -a {command['name']} "
                     f"-d {fish_quoted(command['summary'])}")
    lines.append("complete -c clopt -n __fish_use_subcommand -a help -d "
                 "'says more of a command or a rule'")
    lines.append("complete -c clopt -n '__fish_seen_subcommand_from help' -x -a "
                 + fish_quoted(" ".join(table["topics"])))
    for command in table["commands"]:
        condition = (f"not __fish_seen_subcommand_from {others}"
                     if command["name"] == DEFAULT
                     else f"__fish_seen_subcommand_from {command['name']}")
        for option in options(command):
            kind = values(option)
            letter = "-s" if len(option["name"]) == 1 else "-l"
            line = (f"complete -c clopt -n {fish_quoted(condition)} {letter} {option['name']} "
                    f"-d {fish_quoted(option['help'])}")
            if kind == "file":
                line += " -r -F"
            elif kind == "folder":
                line += " -x -a '(__fish_complete_directories)'"
            elif kind:
                line += f" -x -a {fish_quoted(' '.join(kind))}"
            elif "value" in option and not option.get("isOptional"):
                line += " -x"
            lines.append(line)
    return "\n".join(lines) + "\n"


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    data = text.encode()
    if name.endswith(".gz"):
        data = gzip.compress(data, mtime=0)  # the same bytes every time
    with open(os.path.join(folder, name), "wb") as stream:
        stream.write(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--clopt", required=True)
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()
    output = subprocess.run([arguments.clopt, "help", "--json"], check=True,
                            capture_output=True, text=True).stdout
    table = json.loads(output)
    for command in table["commands"]:
        # The commands are a section of their own.
        text = command.get("description") or ""
        command["notes"] = text.split("\n\n")[-1] if command["name"] == DEFAULT else text
        write(os.path.join(arguments.output, "man", "man1"), page_name(command) + ".1.gz",
              manual_page(command, table))
    # What is usually typed as clopt is its own program, too.
    write(os.path.join(arguments.output, "man", "man1"), "clopt-rt.1.gz", ".so man1/clopt.1\n")
    completions = os.path.join(arguments.output, "completions")
    write(completions, "clopt", bash(table))
    write(completions, "_clopt", zsh(table))
    write(completions, "clopt.fish", fish(table))


if __name__ == "__main__":
    main()
