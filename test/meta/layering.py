"""Dependencies point downward only, and the foreign libraries stay where they belong."""

import re

from repository import CPP, Findings, code_only, files, includes, read

# The tiers of lib/, from the ground up. A component may use its own tier only where
# lib/CMakeLists.txt says so.
TIERS = [
    ["Plan"],
    ["Support"],
    ["Model"],
    ["Target", "Analysis"],
    ["Frontend", "Planning", "Transform", "Emit", "Validation", "Report"],
    ["Driver"],
]
RANK = {name: rank for rank, tier in enumerate(TIERS) for name in tier}

def is_public(path):
    return path.startswith("include/clopt/")


def is_runtime(path):
    return bool(
        re.match(r"lib/(Plan|Runtime|Layer)/|tools/clopt-rt/|test/unit/Runtime", path)
        or path.startswith(("test/integration/", "test/layer/"))
    )


# Which folders may include which foreign headers. Clang is the front end's; the
# run-time must not load LLVM, because OpenCL drivers bring another one along.
FOREIGN = [
    (r"clang(-c)?/", lambda path: path.startswith(("lib/Frontend/clang/", "test/"))),
    (r"llvm/", lambda path: not is_public(path) and not is_runtime(path)),
    (r"isl/", lambda path: not is_public(path) and not is_runtime(path)),
    (r"ppl(_c)?\.(hh|h)$", lambda path: path.endswith(".cpp") and not is_runtime(path)),
    (r"CL/", lambda path: is_runtime(path) or path == "include/clopt/Runtime.h"),
]


def declared():
    """component -> set of components that it may include, from lib/CMakeLists.txt."""
    direct = {}
    text = read("lib/CMakeLists.txt")
    for name, rest in re.findall(r"^clopt_add_component\((\w+)([^)]*)\)", text, re.M):
        direct[name] = {word[len("clopt"):] for word in rest.split()}
    allowed = {}
    for name in direct:
        todo, seen = [name], set()
        while todo:
            for used in direct.get(todo.pop(), ()):
                if used not in seen:
                    seen.add(used)
                    todo.append(used)
        allowed[name] = seen & set(direct)
    return allowed


def check_declared(allowed, findings):
    for name, used in allowed.items():
        if name in used:
            findings.add("lib/CMakeLists.txt", 1, f"{name} depends on itself")
        for other in used:
            if name in RANK and RANK.get(other, 99) > RANK[name]:
                findings.add("lib/CMakeLists.txt", 1, f"{name} depends upward on {other}")


def check_component(path, allowed, findings):
    own = path.split("/")[1]
    for line, header, quoted in includes(path):
        other = header.split("/")[0] if quoted else ""
        if other not in allowed or other == own or other in allowed[own]:
            continue
        # The configuration is macros only, and free of LLVM.
        if header != "Support/Config.h":
            findings.add(path, line, f"{own} must not include {header}")


def check_tool(path, findings):
    for line, header, quoted in includes(path):
        component = header.split("/")[0]
        # The launch plan is what both sides share.
        if is_runtime(path) and quoted and component in RANK and component != "Plan":
            if header != "Support/Config.h":
                findings.add(path, line, f"the run-time must not include {header}")


def check_foreign(path, findings):
    for line, header, _ in includes(path):
        for pattern, may in FOREIGN:
            if re.match(pattern, header) and not may(path):
                findings.add(path, line, f"{header} must not be included here")


def check_public(path, findings):
    for number, line in enumerate(code_only(read(path)).splitlines(), 1):
        if re.search(r"\bisl(::|_\w)|\bclang::|\bllvm::|Parma_Polyhedra", line):
            findings.add(path, number, "a foreign type in the public interface")


def main():
    findings = Findings()
    allowed = declared()
    check_declared(allowed, findings)
    paths = files(["include", "lib", "tools", "test"], CPP)
    for path in paths:
        check_foreign(path, findings)
        if path.startswith("lib/"):
            check_component(path, allowed, findings)
        if path.startswith("tools/"):
            check_tool(path, findings)
        if is_public(path):
            check_public(path, findings)
    findings.finish(len(paths))


main()
