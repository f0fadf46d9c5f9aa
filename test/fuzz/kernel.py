# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every generator makes: a kernel as a tree, with its surroundings and launches.

Kernels are trees of nodes, so that the driver can leave out parts of them.
"""

import re
import zlib


class Node:
    """A line, or a head with a body and possibly an else branch.

    `tail` ends the body instead of a plain brace; `marks` are three lines of the
    preprocessor that stand in the place of head, else and end."""

    def __init__(self, text, body=None, other=None, fixed=False, tail="", marks=None):
        self.text, self.body, self.other, self.fixed = text, body, other, fixed
        self.tail, self.marks = tail, marks
        self.bare = False  # without braces where that means the same

    def render(self, depth, lines):
        pad = "  " * depth
        if self.body is None:
            lines.append(pad + self.text)
            return
        if self.marks:
            self.renderMarked(depth, lines)
            return
        if self.bare and self.other is None and len(self.body) == 1 and self.body[0].isStatement():
            lines.append(pad + self.text)
            self.body[0].render(depth + 1, lines)
            return
        lines.append(pad + (self.text + " {" if self.text else "{"))
        for child in self.body:
            child.render(depth + 1, lines)
        if self.other is not None:
            lines.append(pad + "} else {")
            for child in self.other:
                child.render(depth + 1, lines)
        lines.append(pad + "}" + self.tail)

    def renderMarked(self, depth, lines):
        first, middle, last = self.marks
        lines.append(first)
        for child in self.body:
            child.render(depth, lines)
        if self.other is not None:
            lines.append(middle)
            for child in self.other:
                child.render(depth, lines)
        lines.append(last)

    def lines(self):
        lines = []
        self.render(0, lines)
        return lines

    def isStatement(self):
        """Whether this is one plain statement: an assignment, a call, or a jump."""
        return self.body is None and self.text.count(";") == 1 and bool(
            re.match(r"[*(]*\w+[\[(.)]|[*(]*\w+(\+\+|--)? ?[-+*]?=[^=]|(break|continue|return);", self.text))

    def lists(self):
        """Every list of nodes below this one."""
        for items in (self.body, self.other):
            if items is not None:
                yield items
                for child in items:
                    yield from child.lists()


class Kernel:
    """What the driver needs to write, launch and shrink one kernel."""

    def __init__(self, name):
        self.name = name
        self.prefix = []  # helpers and macros before the kernel
        self.suffix = []  # and after it
        self.attributes = ""
        self.parameters = []  # text
        self.root = Node("", [])
        self.spec = {}
        self.flags = []  # of clBuildProgram
        self.otherFlags = None  # flags of a later build, which the result has to bear, too
        self.digits = []  # what the work-items are called where their id is taken apart
        self.counted = {}  # the names that clopt gives to some of the loops

    def text(self):
        lines = list(self.prefix)
        head = ",\n    ".join(self.parameters)
        # Projects have a name of their own for the type of their data.
        named = f"real_{self.name}"
        if zlib.crc32(self.name.encode()) % 4 == 0 and "float *" in head:
            lines.append(f"typedef float {named};")
            head = head.replace("float *", f"{named} *")
        lines.append(f"{self.attributes}__kernel void {self.name}(\n    {head}) {{")
        for node in self.root.body:
            node.render(1, lines)
        lines.append("}")
        return "\n".join(lines + self.suffix) + "\n"

    def names(self):
        """The names that steps of a recipe can have, from the text."""
        text = self.text()
        text = text[text.index(f"void {self.name}("):]
        work = self.digits or re.findall(r"\b(\w+) = get_global_id\(", text)
        loops = re.findall(r"\bfor \((?:[\w ]+ )?(\w+) = ", text) + re.findall(r"\bwhile \((\w+) <", text)
        buffers = [a for a in self.spec["Arguments"] if a["MemoryType"] == "Vector"]
        local = re.findall(r"__local \w+ \*?(\w+)", text)
        written = set(re.findall(r"^\s*\*?\(?\*?(\w+)\b[^;=]*[-+]?=[^=]", text, re.M))
        constant = re.findall(r"__global const \w+ \*(?:restrict )?(\w+)", self.head())
        return {
            "work": list(dict.fromkeys(work)) + ["w0", "w1"][:max(1, min(2, text.count("get_global_id(1") + 1))],
            "loops": [self.counted.get(name, name) for name in dict.fromkeys(loops)],
            "arrays": [a["Name"] for a in buffers] + local,
            "inputs": [a["Name"] for a in buffers if a["Name"] in constant or a["Name"] not in written],
            "private": re.findall(r"^\s*(?:float4?|int|uint|double|long) (\w+) = ", text, re.M),
            "vectors": [a["Name"] for a in buffers if a["Type"] == "float4"],
            "waits": "barrier(" in text,
            "tables": re.findall(r"const float (\w+)\[\d+\] = ", text),
        }

    def head(self):
        return ",\n".join(self.parameters)
