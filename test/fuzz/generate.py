#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes random OpenCL kernels without data races, and how to launch them.

A seed gives the same kernels on every machine. What makes them fit for a
comparison of two versions:

* Every array has dimensions. A dimension that is owned by a work-item's id is
  only ever indexed by an injective function of that id, so nothing that one
  work-item writes is touched by another. Arrays without owned dimensions are
  read only.
* Every subscript stays inside its dimension: index variables have a class (the
  number of values from 0 on), dimensions have a class and padding.
* Integers that come from memory are kept small, and floating-point values
  become integers by saturating conversions only.

Kernels are trees of nodes, so that the driver can leave out parts of them.
"""

import argparse
import json
import random
import sys

FLAGS = ["-DRR=5", "-DELEM=float"]
SIGNED = {"char", "short", "int", "long"}
FLOATS = {"float", "double"}
SMALL = {"char", "uchar", "short", "ushort"}
RANK = {"int": 0, "uint": 1, "long": 2, "ulong": 3}


class Node:
    """A line, or a head with a body and possibly an else branch."""

    def __init__(self, text, body=None, other=None, fixed=False):
        self.text, self.body, self.other, self.fixed = text, body, other, fixed

    def render(self, depth, lines):
        pad = "  " * depth
        if self.body is None:
            lines.append(pad + self.text)
            return
        lines.append(pad + (self.text + " {" if self.text else "{"))
        for child in self.body:
            child.render(depth + 1, lines)
        if self.other is not None:
            lines.append(pad + "} else {")
            for child in self.other:
                child.render(depth + 1, lines)
        lines.append(pad + "}")

    def lists(self):
        """Every list of nodes below this one."""
        for items in (self.body, self.other):
            if items is not None:
                yield items
                for child in items:
                    yield from child.lists()


class Dim:
    def __init__(self, size, pad=0, stride=1, owner=None, reverse=False):
        self.size, self.pad, self.stride = size, pad, stride
        self.owner, self.reverse = owner, reverse
        self.based = False  # a pointer already skipped the padding

    def extent(self):
        text = self.size if self.stride == 1 else f"{self.stride}*{self.size}"
        return text if self.pad == 0 else f"({text} + {2 * self.pad})"


class Array:
    def __init__(self, name, element, dims, shift=0, macro=None):
        self.name, self.element, self.dims = name, element, dims
        self.shift = shift  # this view begins so many cells into the buffer
        self.macro = macro  # name of an index macro of two dimensions
        self.isOwned = any(dim.owner for dim in dims)
        self.alias = None
        self.space = "__global"
        self.range = None
        self.isParameter = True


class Index:
    def __init__(self, name, size, kind):
        self.name, self.size, self.kind = name, size, kind
        self.isUnsigned = kind not in ("int", "long", "short")


class Kernel:
    """What the driver needs to write, launch and shrink one kernel."""

    def __init__(self, name):
        self.name = name
        self.prefix = []  # helpers and macros before the kernel
        self.attributes = ""
        self.parameters = []  # text
        self.root = Node("", [])
        self.spec = {}
        self.steps = []  # (step, targets) that might be tried

    def text(self):
        lines = list(self.prefix)
        head = ",\n    ".join(self.parameters)
        lines.append(f"{self.attributes}__kernel void {self.name}(\n    {head}) {{")
        for node in self.root.body:
            node.render(1, lines)
        lines.append("}")
        return "\n".join(lines) + "\n"


class Generator:
    def __init__(self, seed, index, only=None):
        self.rng = random.Random(f"clopt-{seed}-{index}")
        self.kernel = Kernel(f"f{seed}_{index}")
        self.tag = f"F{seed}_{index}"
        self.arrays, self.scalars = [], {}
        self.counter = 0
        self.budget = self.rng.choice([3, 5, 8, 12])
        self.indices, self.locals, self.privates = [], [], []
        self.loopNames = []
        self.only = only

    # -- small choices ------------------------------------------------------

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return self.rng.choice(items)

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    # -- sizes and ids ------------------------------------------------------

    def sizes(self):
        self.sizeM = self.pick(["n", "max(n//2,1)", "n+1", "min(n,7)", "6"])
        argument = self.pick(["int", "int", "int", "uint", "long", "ulong"])
        self.sizeType = {"n": argument, "m": self.pick(["int", argument])}
        self.sizeNames = ["n", "m"] + self.pick([["RR"], ["4"], ["RR", "3"], ["8"]])

    def makeIds(self):
        rank = self.pick([1, 1, 1, 2, 2, 3])
        names = self.pick([["i", "j", "k"], ["x", "y", "z"], ["tx", "ty", "tz"]])[:rank]
        self.ids = []
        self.guard = self.pick(["exact", "return", "wrap", "wrap"])
        self.offset = None
        if self.guard != "exact" and self.chance(0.12):
            self.offset = self.rng.randint(1, 3)
        self.stridden = self.guard != "exact" and rank == 1 and self.chance(0.08)
        kinds = ["int", "int", "int", "size_t", "uint", "long"]
        kind = self.pick(kinds)
        order = list(range(rank))
        if self.chance(0.2):
            self.rng.shuffle(order)
        self.idDims = {}
        for position, name in enumerate(names):
            size = "n" if position == 0 else self.pick(["n", "m", "3"] if rank == 2 else ["3", "m", "2"])
            if self.chance(0.25):
                kind = self.pick(kinds)
            index = Index(name, size, kind)
            self.ids.append(index)
            self.idDims[name] = order[position]
        self.rank = rank
        self.indices = list(self.ids)

    def idText(self, dim):
        if self.offset is None and self.chance(0.15):
            return self.pick([
                f"get_group_id({dim}) * get_local_size({dim}) + get_local_id({dim})",
                f"get_local_id({dim}) + get_local_size({dim}) * get_group_id({dim})"])
        return f"get_global_id({dim})"

    def declareIds(self, out):
        if self.stridden:
            index = self.ids[0]
            kind = index.kind
            body = []
            out.append(Node(f"for ({kind} {index.name} = get_global_id(0); {index.name} < "
                            f"{index.size}; {index.name} += get_global_size(0))", body))
            return body
        for index in self.ids:
            const = "const " if self.chance(0.4) else ""
            out.append(Node(f"{const}{index.kind} {index.name} = {self.idText(self.idDims[index.name])};", fixed=True))
        if self.guard == "exact":
            return out
        if self.guard == "return":
            tests = [f"{i.name} >= {i.size}" for i in self.ids]
            if self.chance(0.3):
                for test in tests:
                    out.append(Node(f"if ({test}) return;", fixed=True))
            else:
                out.append(Node(f"if ({' || '.join(tests)}) return;", fixed=True))
            return out
        tests = [f"{i.name} < {i.size}" for i in self.ids]
        if self.chance(0.2):
            tests = [f"{i.size} > {i.name}" for i in self.ids]
        if self.chance(0.3):
            for test in tests:
                body = []
                out.append(Node(f"if ({test})", body))
                out = body
            return out
        body = []
        out.append(Node(f"if ({' && '.join(tests)})", body))
        return body

    # -- arrays -------------------------------------------------------------

    def element(self):
        return self.pick(["float"] * 8 + ["int"] * 4 + ["uchar", "uchar", "char", "short", "ushort", "uint",
                                                        "long", "double", "ELEM", "ulong"])

    def makeInput(self):
        rank = self.pick([1, 1, 1, 2, 2, 3])
        names = [i.size for i in self.indices]
        dims = []
        for _ in range(rank):
            stride = self.pick([1] * 8 + [2, 3])
            dims.append(Dim(self.pick(names), self.pick([0, 0, 1, 2]), stride))
        return self.addArray(Array(self.fresh("in"), self.element(), dims))

    def makeOutput(self):
        dims = [Dim(i.size, 0, self.pick([1] * 10 + [2, 3]), i, self.chance(0.1)) for i in self.ids]
        if self.chance(0.8):
            dims.reverse()
        block = [i.size for i in self.indices[len(self.ids):]]
        if self.chance(0.5) or (block and self.chance(0.4)):
            size = self.pick(block + [self.pick(self.sizeNames)])
            place = self.rng.randint(0, len(dims))
            dims.insert(place, Dim(size, self.pick([0, 0, 1, 2, 3])))
        elif self.chance(0.15):
            dims[-1].pad = 1
        return self.addArray(Array(self.fresh("out"), self.element(), dims))

    def addArray(self, array):
        if len(array.dims) == 2 and self.chance(0.12):
            array.macro = f"{self.tag}_{array.name}".upper()
        self.arrays.append(array)
        self.maybeAlias(array)
        return array

    def maybeAlias(self, array):
        if not self.chance(0.18):
            return
        last = array.dims[-1]
        shift = 0
        if not last.owner and last.stride == 1 and not array.macro and self.chance(0.2):
            # Devices want a part of a buffer to begin at a multiple of 128 bytes.
            size = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "long": 8, "ulong": 8, "double": 8}
            shift = 128 // size.get(array.element, 4)
            last.pad = shift
        view = Array(self.fresh("view"), array.element, array.dims, shift)
        view.alias = array
        self.arrays.append(view)

    def input(self):
        have = [a for a in self.arrays if not a.isOwned]
        sizes = {i.size for i in self.indices}
        have = [a for a in have if any(d.size in sizes for d in a.dims)]
        if have and (self.chance(0.6) or len(self.arrays) > 7):
            return self.pick(have)
        return self.makeInput()

    def output(self):
        rows = [r for r in self.rows if r in self.arrays and r.isOwned]
        if rows and self.chance(0.4):
            return self.pick(rows)
        have = [a for a in self.arrays if a.isOwned]
        if have and (self.chance(0.55) or len(self.arrays) > 8):
            return self.pick(have)
        return self.makeOutput()

    # -- subscripts ---------------------------------------------------------

    def plus(self, text, constant):
        if constant == 0:
            return text
        if constant < 0:
            return f"{text} - {-constant}"
        return self.pick([f"{text} + {constant}", f"{text} + {constant}", f"{constant} + {text}",
                          f"{text} + {constant + 1} - 1"])

    def indirect(self, size):
        index = self.pick(self.indices)
        for array in self.arrays:
            if array.range == size and array.dims[0].size == index.size:
                return f"{array.name}[{index.name}]"
        array = Array(self.fresh("ix"), "int", [Dim(index.size)])
        array.range = size
        self.arrays.append(array)
        return f"{array.name}[{index.name}]"

    def baseSubscript(self, dim, signed):
        """Text of a value from 0 to size-1, and whether it is one name."""
        size = dim.size
        mine = [i for i in self.indices if i.size == size and not (signed and i.isUnsigned)]
        if not mine:
            if size.isdigit():
                return str(self.rng.randrange(int(size))), True
            return self.pick(["0", f"({size} - 1)"]) , True
        index = self.pick(mine[-2:] if self.chance(0.7) else mine)
        name = index.name
        roll = self.rng.random()
        if roll < 0.72:
            return name, True
        if roll < 0.82:
            return self.pick([f"({size} - 1 - {name})", f"({size} - {name} - 1)"]), True
        if roll < 0.86 and not signed:
            return self.indirect(size), True
        if signed:
            return name, True
        return self.pick([f"({name} / 2)", f"({name} % 3 < {size} ? {name} % 3 : 0)", f"(({name} + 1) % {size})",
                          f"({name} >> 1)", f"({name} > 0 ? {name} - 1 : 0)", f"({name} & ~1)",
                          f"min((int){name} + 1, (int){size} - 1)"]), True

    def subscript(self, dim, view):
        if dim.owner:
            name = dim.owner.name
            text = f"({dim.size} - 1 - {name})" if dim.reverse else name
            if dim.stride > 1:
                return self.plus(f"{dim.stride} * {text}", self.rng.randrange(dim.stride) + dim.pad)
            return self.plus(text, dim.pad)
        signed = dim.based
        text, _ = self.baseSubscript(dim, signed)
        constant = 0
        low = -dim.pad + (view.shift if dim is view.dims[-1] else 0)
        high = dim.pad
        if dim.pad and self.chance(0.6) and text in {i.name for i in self.indices}:
            constant = self.rng.randint(low, high)
        if dim.stride > 1:
            text = f"{dim.stride} * {text}"
            constant = constant + self.rng.randrange(dim.stride) if dim.stride * 1 else constant
            constant = min(constant, dim.pad + dim.stride - 1)
        elif view.shift and dim is view.dims[-1]:
            constant = max(constant, low)
        return self.plus(text, constant + (0 if dim.based else dim.pad))

    def flat(self, array, subscripts, dims):
        if array.macro and len(dims) == 2:
            return f"{array.macro}({subscripts[0]}, {subscripts[1]})"
        text = subscripts[0]
        if self.chance(0.3) and len(dims) == 3:
            return (f"({subscripts[0]}) * ({dims[1].extent()} * {dims[2].extent()}) + ({subscripts[1]}) * "
                    f"{dims[2].extent()} + {subscripts[2]}")
        for sub, dim in zip(subscripts[1:], dims[1:]):
            head = text if text.isidentifier() else f"({text})"
            text = self.pick([f"{head} * {dim.extent()} + {sub}", f"{head} * {dim.extent()} + {sub}",
                              f"{sub} + {dim.extent()} * {head}"])
            if "?" in sub and not sub.startswith("("):
                text = f"{head} * {dim.extent()} + ({sub})"
        return text

    def access(self, array):
        subscripts = [self.subscript(dim, array) for dim in array.dims]
        text = self.flat(array, subscripts, array.dims)
        if array.shift:
            text = f"{text} - {array.shift}"
        form = self.rng.random()
        if form < 0.04:
            return f"*({array.name} + ({text}))"
        return f"{array.name}[{text}]"

    def rowPointer(self, out):
        """A pointer to a row of a 2-D or 3-D array."""
        candidates = [a for a in self.arrays if len(a.dims) >= 2 and not a.shift and not a.macro
                      and not a.alias and a.isParameter]
        if not candidates:
            return
        array = self.pick(candidates)
        last = array.dims[-1]
        subs = [self.subscript(d, array) for d in array.dims[:-1]]
        zero = str(last.pad) if last.pad and not last.owner and self.chance(0.5) else "0"
        text = self.flat(array, subs + [zero], array.dims)
        row = Dim(last.size, last.pad, last.stride, last.owner, last.reverse)
        row.based = zero != "0"
        if row.based and not any(i.size == row.size and not i.isUnsigned for i in self.indices):
            row.based = False
            text = self.flat(array, subs + ["0"], array.dims)
        name = self.fresh("row")
        const = "" if array.isOwned else "const "
        out.append(Node(f"__global {const}{array.element} *{name} = {array.name} + {text};"))
        view = Array(name, array.element, [row])
        view.isOwned = array.isOwned
        view.isParameter = False
        self.arrays.append(view)
        self.rows.append(view)

    # -- expressions --------------------------------------------------------

    def computeType(self, element):
        if element == "ELEM":
            return "float"
        return "int" if element in SMALL else element

    def cast(self, text, have, want):
        if have == want:
            return text
        if want in FLOATS:
            return f"({want})({text})" if self.chance(0.7) or have in FLOATS else f"({text})"
        if have in FLOATS:
            return f"convert_{want}_sat{self.pick(['', '', '_rte', '_rtz'])}({text})"
        if have in SMALL and want == "int" and self.chance(0.5):
            return text
        return f"({want})({text})"

    def literal(self, kind):
        if kind == "float":
            return self.pick(["0.5f", "2.0f", "-1.25f", "0.1f", "3.0f"])
        if kind == "double":
            return self.pick(["0.5", "2.0", "-1.25", "0.1"])
        value = str(self.pick([0, 1, 2, 3, 5, 7, 100]))
        return {"int": value, "uint": value + "u", "long": value + "L", "ulong": value + "UL"}[kind]

    def fromMemory(self, array, kind):
        text = self.access(array)
        have = "float" if array.element == "ELEM" else array.element
        if array.isOwned and have not in FLOATS:
            # Grows from iteration to iteration otherwise.
            text = self.pick([f"({text} & 127)", f"({text} % 61)", f"({text} & 127)"])
            have = self.computeType(have)
        elif array.isOwned:
            text = f"{text} * 0.25{'f' if have == 'float' else ''}"
        return self.cast(text, have, kind)

    def leaf(self, kind):
        roll = self.rng.random()
        rows = [r for r in self.rows if r in self.arrays]
        if rows and self.chance(0.35):
            return self.fromMemory(self.pick(rows), kind)
        if roll < 0.5:
            return self.fromMemory(self.input(), kind)
        if roll < 0.62:
            owned = [a for a in self.arrays if a.isOwned]
            if owned:
                return self.fromMemory(self.pick(owned), kind)
        if roll < 0.76 and self.locals:
            name, have = self.pick(self.locals)
            text = name if have in FLOATS else f"({name} & 1023)"
            return self.cast(text, have, kind)
        if roll < 0.82 and self.privates:
            array, have = self.pick(self.privates)
            text = self.access(array)
            text = text if have in FLOATS else f"({text} % 97)"
            return self.cast(text, have, kind)
        if roll < 0.9:
            index = self.pick(self.indices)
            return self.cast(index.name, {"size_t": "ulong", "short": "int"}.get(index.kind, index.kind), kind)
        if roll < 0.95:
            name = self.pick(["alpha", "p"])
            self.scalars.setdefault(name, {"alpha": self.pick(["float", "float", "double"]), "p": self.pick(["int", "uint", "uchar"])}[name])
            return self.cast(name, self.scalars[name], kind)
        return self.literal(kind)

    def condition(self, depth=1):
        roll = self.rng.random()
        compare = self.pick(["<", ">", "<=", ">=", "==", "!="])
        if roll < 0.4:
            a = self.pick(self.indices).name
            b = self.pick([self.pick(self.indices).name, str(self.rng.randint(0, 4)), "n / 2"])
            return f"{a} {compare} {b}"
        if roll < 0.5:
            return f"{self.pick(self.indices).name} % {self.pick([2, 3])} == {self.pick([0, 1])}"
        if roll < 0.6 and depth > 0:
            return f"({self.condition(0)}) {self.pick(['&&', '||'])} ({self.condition(0)})"
        kind = self.pick(["float", "int", "int", "uint"])
        return f"{self.leaf(kind)} {self.pick(['<', '>', '<=', '>='])} {self.leaf(kind)}"

    def expr(self, kind, depth):
        if depth <= 0 or self.chance(0.12):
            return self.leaf(kind)
        if self.chance(0.06):
            return f"({self.condition(0)} ? {self.expr(kind, depth - 1)} : {self.expr(kind, depth - 1)})"
        if kind in FLOATS:
            return self.floatExpr(kind, depth)
        return self.intExpr(kind, depth)

    def floatExpr(self, kind, depth):
        a, b = self.expr(kind, depth - 1), self.expr(kind, depth - 1)
        suffix = "f" if kind == "float" else ""
        roll = self.rng.random()
        if roll < 0.7:
            return f"({a} {self.pick(['+', '-', '*'])} {b})"
        if roll < 0.78 and depth > 1:
            return f"fma(({kind})({a}), ({kind})({b}), ({kind})({self.leaf(kind)}))"
        if roll < 0.82 and kind == "float":
            self.helper()
            return f"h_{self.tag}({a}, {b})"
        return self.pick([f"fmin(({kind})({a}), ({kind})({b}))", f"fmax(({kind})({a}), ({kind})({b}))", f"fabs(({kind})({a}))", f"sqrt(fabs(({kind})({a})))",
                          f"({a} / (fabs(({kind})({b})) + 1.0{suffix}))", f"(-{a})", f"floor(({kind})({a}))",
                          f"clamp(({kind})({a}), -1.0{suffix}, 1.0{suffix})", f"copysign(({kind})({a}), ({kind})({b}))"])

    def helper(self):
        body = f"static float h_{self.tag}(float a, float b) {{ return a * b + 0.5f; }}"
        if self.kernel.prefix.count(body) == 0:
            self.kernel.prefix.append(body)

    def intExpr(self, kind, depth):
        a, b = self.expr(kind, depth - 1), self.expr(kind, depth - 1)
        roll = self.rng.random()
        unsigned = kind not in SIGNED
        if roll < 0.5:
            return f"({a} {self.pick(['+', '-', '+', '-', '*'] if depth == 1 or unsigned else ['+', '-'])} {b})"
        if roll < 0.62:
            return f"({a} {self.pick(['&', '|', '^'])} {b})"
        if roll < 0.72:
            return f"({a} {self.pick(['/', '%'])} {self.pick(['3', '7', '(' + kind + ')5'])})"
        if roll < 0.78:
            return f"({a} >> {self.pick(['1', '3'])})"
        if roll < 0.84:
            return f"(({a}) {self.pick(['/', '%', '>>'])} ({kind})(({b} & 7) + 1))"
        if roll < 0.92:
            return f"{self.pick(['min', 'max'])}({self.strict(a, kind)}, {self.strict(b, kind)})"
        return self.pick([f"(~{a})", f"({kind})({a} < {b})", f"({kind})(!{a})", f"({kind})abs({self.strict(a, kind)})",
                          f"abs_diff({self.strict(a, kind)}, {self.strict(b, kind)})" if unsigned else f"(-{a})",
                          f"clamp({self.strict(a, kind)}, ({kind})2, ({kind})90)",
                          f"rotate({self.strict(a, kind)}, ({kind})3)" if unsigned else f"({a} << 1)",
                          f"({kind})popcount({self.strict(a, kind)})"])

    def strict(self, text, kind):
        return f"({kind})({text})"

    # -- statements ---------------------------------------------------------

    def store(self, out):
        array = self.output()
        target = self.access(array)
        kind = self.computeType(array.element)
        depth = self.pick([1, 1, 2, 2, 3])
        op = self.pick(["=", "=", "=", "+=", "+=", "-="])
        source = kind
        if self.chance(0.12):
            source = self.pick(["float", "int", "uint"])
        value = self.expr(source, depth)
        if source in FLOATS and array.element not in FLOATS | {"ELEM"}:
            value = f"convert_{array.element}_sat({value})"
        elif self.chance(0.1) and op == "=":
            value = f"({array.element})({value})"
        out.append(Node(f"{target} {op} {value};"))

    def local(self, out):
        name = self.fresh("t")
        kind = self.pick(["float", "float", "float", "int", "int", "uint", "long", "double"])
        value = self.expr(kind, self.pick([0, 1, 2]))
        const = "const " if self.chance(0.3) else ""
        out.append(Node(f"{const}{kind} {name} = {value};"))
        if const:
            self.locals.append((name, kind))
        else:
            self.locals.append((name, kind))
            self.writable.append((name, kind))

    def assign(self, out):
        if not self.writable:
            return self.local(out)
        name, kind = self.pick(self.writable)
        op = self.pick(["=", "+=", "+=", "-="])
        out.append(Node(f"{name} {op} {self.expr(kind, self.pick([1, 2]))};"))

    def privateArray(self, out):
        kind = self.pick(["float", "int", "float", "uint"])
        size = self.pick(["4", "RR", "3"])
        array = Array(self.fresh("q"), kind, [Dim(size)])
        array.isParameter = False
        counter = self.fresh("l")
        index = Index(counter, size, "int")
        self.indices.append(index)
        value = self.expr(kind, 1)
        self.indices.pop()
        out.append(Node(f"{kind} {array.name}[{size}];"))
        out.append(Node(f"for (int {counter} = 0; {counter} < {size}; {counter}++)",
                        [Node(f"{array.name}[{counter}] = {value};")]))
        self.loopNames.append(counter)
        self.privates.append((array, kind))

    def loopHead(self, name, size, kind):
        step = self.pick([1] * 8 + [2, 3])
        up = f"{name} += {step}" if step > 1 else self.pick([f"{name}++", f"++{name}", f"{name} += 1"])
        outer = [i for i in self.indices if i.size == size and i.kind == kind]
        roll = self.rng.random()
        if roll < 0.16 and outer:
            other = self.pick(outer).name
            return self.pick([f"for ({kind} {name} = 0; {name} < {other}; {up})",
                              f"for ({kind} {name} = 0; {name} <= {other}; {up})",
                              f"for ({kind} {name} = {other}; {name} < {size}; {up})",
                              f"for ({kind} {name} = {other} + 1; {name} < {size}; {up})"])
        if roll < 0.26 and kind in ("int", "long"):
            down = f"{name} -= {step}" if step > 1 else f"{name}--"
            return f"for ({kind} {name} = {size} - 1; {name} >= 0; {down})"
        if roll < 0.33 and kind in ("uint", "size_t") and step == 1:
            return f"for ({kind} {name} = {size}; {name}-- > 0;)"
        if roll < 0.4 and step == 1:
            return f"for ({kind} {name} = 0; {name} != {size}; {up})"
        start = self.pick([0, 0, 0, 1, 2])
        return self.pick([f"for ({kind} {name} = {start}; {name} < {size}; {up})"] * 3 +
                         [f"for ({kind} {name} = {start}; {name} <= ({kind}){size} - 1; {up})"
                          if kind in ("int", "long") else
                          f"for ({kind} {name} = {start}; {name} < {size}; {up})"])

    def loop(self, out, depth):
        name = self.fresh("r")
        size = self.pick(self.sizeNames)
        kind = self.pick(["int"] * 6 + ["uint", "size_t", "long"])
        head = self.loopHead(name, size, kind)
        if self.chance(0.25):
            self.accumulator(out, head, Index(name, size, kind), depth)
            return
        body = []
        self.scope(body, depth + 1, [Index(name, size, kind)])
        if self.chance(0.05):
            body.insert(0, Node(f"if ({name} == {self.pick([1, 2, 3])}) {self.pick(['continue', 'continue', 'break'])};"))
        self.loopNames.append(name)
        pragma = self.chance(0.05)
        if pragma:
            out.append(Node("#pragma unroll"))
        out.append(Node(head, body))

    def accumulator(self, out, head, index, depth):
        name = self.fresh("s")
        kind = self.pick(["float", "float", "int", "uint", "double"])
        out.append(Node(f"{kind} {name} = {self.literal(kind)};"))
        self.indices.append(index)
        body = [Node(f"{name} {self.pick(['+=', '+=', '-='])} {self.expr(kind, 2)};")]
        if self.chance(0.3):
            self.budget -= 1
            self.store(body)
        self.indices.pop()
        self.loopNames.append(index.name)
        out.append(Node(head, body))
        self.locals.append((name, kind))
        self.store(out)

    def scope(self, out, depth, added=()):
        saved = (list(self.indices), list(self.locals), list(self.writable), list(self.privates))
        arrays = [a for a in self.arrays]
        self.indices += added
        self.statements(out, depth)
        self.indices, self.locals, self.writable, self.privates = saved
        # Row pointers end with their scope, parameters stay.
        self.arrays = [a for a in self.arrays if a.isParameter or a in arrays]

    def statements(self, out, depth):
        for _ in range(self.pick([1, 1, 2, 3] if depth else [1, 2, 3, 4])):
            if self.budget <= 0 and out:
                break
            self.budget -= 1
            roll = self.rng.random()
            if roll < 0.4 or (roll < 0.67 and depth >= 3):
                self.store(out)
            elif roll < 0.67:
                self.loop(out, depth)
            elif roll < 0.77:
                body, other = [], None
                test = self.condition()
                self.scope(body, depth + 1)
                if self.chance(0.35):
                    other = []
                    self.scope(other, depth + 1)
                out.append(Node(f"if ({test})", body, other))
            elif roll < 0.86:
                self.local(out)
            elif roll < 0.91:
                self.assign(out)
            elif roll < 0.95:
                self.privateArray(out)
            else:
                self.rowPointer(out)
        if not any(a.isOwned for a in self.arrays) or self.chance(0.3):
            self.store(out)

    # -- the kernel ---------------------------------------------------------

    def globalSize(self, dim, which):
        index = next(i for i in self.ids if self.idDims[i.name] == dim)
        size = self.hostSize(index.size)
        if self.guard == "exact":
            return size
        if self.stridden:
            return self.pick(["3", "n", "max(n//2,1)", "n+5"])
        if which == "fixed":
            return f"roundup({size},{[4, 2, 1][dim]})"
        return self.pick([size, f"{size}+{self.rng.randint(1, 9)}"])

    def hostSize(self, size):
        return {"RR": "5"}.get(size, size)

    def ranges(self):
        axes = "XYZ"
        result = []
        which = self.pick(["fixed", "free", "free"])
        for _ in range(self.pick([1, 1, 2])):
            entry = {"GlobalSize": {axes[d]: self.globalSize(d, which) for d in range(self.rank)}}
            if which == "fixed":
                if self.guard == "exact":
                    sizes = [self.hostSize(next(i for i in self.ids if self.idDims[i.name] == d).size)
                             for d in range(self.rank)]
                    entry["LocalSize"] = {axes[d]: f"gcd({sizes[d]},{[4, 2, 1][d]})" for d in range(self.rank)}
                elif not self.stridden:
                    entry["LocalSize"] = {axes[d]: str([4, 2, 1][d]) for d in range(self.rank)}
            if self.offset is not None:
                entry["GlobalOffset"] = {axes[d]: str(self.offset) for d in range(self.rank)}
            result.append(entry)
            which = "free" if which == "fixed" else "fixed"
        return result

    def cells(self, array):
        return "*".join(
            f"({dim.stride}*({self.hostSize(dim.size)})+{2 * dim.pad})" for dim in array.dims)

    def fill(self, array, argument):
        if array.range:
            argument["FillRange"] = [0, f"{self.hostSize(array.range)}-1"]
        elif array.element in ("int", "long", "short"):
            argument["FillRange"] = [-100, 100]

    def finish(self):
        kernel = self.kernel
        arguments = []
        buffers = [a for a in self.arrays if a.isParameter]
        aliased = {a.alias.name for a in buffers if a.alias}
        restrict = self.chance(0.4)
        for array in buffers:
            if array.macro:
                kernel.prefix.append(f"#define {array.macro}(r, c) ((r) * ({array.dims[1].extent()}) + (c))")
            const = "const " if not array.isOwned and self.chance(0.8) else ""
            qualifier = "restrict " if restrict and not array.alias and array.name not in aliased else ""
            kernel.parameters.append(f"__global {const}{array.element} *{qualifier}{array.name}")
            argument = {"Name": array.name, "Type": array.element.replace("ELEM", "float"), "MemoryType": "Vector"}
            if array.alias:
                argument["SameBufferAs"] = array.alias.name
                if array.shift:
                    argument["Offset"] = str(array.shift)
            else:
                argument["Size"] = self.cells(array)
                self.fill(array, argument)
            arguments.append(argument)
        values = {"alpha": 0.75, "p": 3}
        for name, kind in self.scalars.items():
            kernel.parameters.append(f"{kind} {name}")
            arguments.append({"Name": name, "Type": kind, "MemoryType": "Scalar", "FillValue": values[name]})
        for name in ("n", "m"):
            kernel.parameters.append(f"{self.sizeType[name]} {name}")
            arguments.append({"Name": name, "Type": self.sizeType[name], "MemoryType": "Scalar"})
        # An alias must follow what it names.
        kernel.spec = {"Language": "OpenCL", "KernelName": kernel.name, "KernelFile": "fuzz.cl",
                       "Sizes": {"n": [1, 2, 3, 5, 8, 17, 33], "m": self.sizeM},
                       "GlobalSizeType": "OpenCL", "GlobalSize": self.rangeList[0]["GlobalSize"],
                       "NDRanges": self.rangeList, "Arguments": arguments}
        self.collectSteps(buffers)

    def collectSteps(self, buffers):
        axes = [i.name for i in self.ids] + [f"w{d}" for d in range(self.rank)]
        loops = self.loopNames
        for name in axes:
            for count in (2, 4, 8, 16):
                self.kernel.steps.append(f"vectorize {name}:{count}")
            for count in (2, 3, 4, 5):
                self.kernel.steps.append(f"coarsen {name}:{count}")
                self.kernel.steps.append(f"coarsen {name}:{count} stride")
        for name in loops:
            for count in (2, 4, 8):
                self.kernel.steps.append(f"vectorize {name}:{count}")
                self.kernel.steps.append(f"unroll {name}:{count - 1}")
            self.kernel.steps.append(f"unroll {name}")
            self.kernel.steps.append(f"vectorize {name}:4 load={self.pick([1, 2, 4, 8])}")
        for name in axes + loops:
            for count in (2, 4, 8, 12):
                self.kernel.steps.append(f"tile {name}:{count}")
        for array in buffers:
            self.kernel.steps.append(f"stage {array.name} pad={self.pick([0, 1, 4])}")
            self.kernel.steps.append(f"privatize {array.name}")
            self.kernel.steps.append(f"layout {array.name}")

    def run(self):
        self.writable, self.rows = [], []
        self.sizes()
        if self.chance(0.08):
            return self.groupKernel()
        self.makeIds()
        body = self.declareIds(self.kernel.root.body)
        self.rangeList = self.ranges()
        self.statements(body, 0)
        self.finish()
        return self.kernel

    # -- kernels that use their group ---------------------------------------

    def groupKernel(self):
        """Local memory, filled by the group and read after a barrier."""
        size = self.pick([4, 8])
        kernel, body = self.kernel, self.kernel.root.body
        element = self.pick(["float", "int", "uchar"])
        asArgument = self.chance(0.4)
        if self.chance(0.5):
            kernel.attributes = f"__attribute__((reqd_work_group_size({size}, 1, 1)))\n"
        body += [Node("int i = get_global_id(0);", fixed=True), Node("int l = get_local_id(0);", fixed=True)]
        if not asArgument:
            body.append(Node(f"__local {element} tile[{size}];", fixed=True))
        value = self.pick(["in[i]", "in[i + 1]", "in[2 * i]", "i < n ? in[i] : 0"])
        read = self.pick([f"tile[(l + 1) % {size}]", f"tile[{size} - 1 - l]", "tile[l] + tile[l ^ 1]", f"tile[l & {size - 2}]"])
        zero = "0.0f" if element == "float" else "0"
        kind = "float" if element == "float" else "int"
        body.append(Node(f"tile[l] = {value};"))
        body.append(Node("barrier(CLK_LOCAL_MEM_FENCE);", fixed=True))
        if self.chance(0.5):
            body.append(Node(f"{kind} s = {zero};"))
            body.append(Node(f"for (int r = 0; r < {size}; r++)", [Node("s += tile[r];")]))
            body.append(Node(f"out[i] = s + {read};"))
        else:
            body.append(Node(f"out[i] = {read};"))
        if self.chance(0.4):
            body.append(Node("barrier(CLK_LOCAL_MEM_FENCE);", fixed=True))
            body.append(Node("tile[l] = in[i] + 1;"))
            body.append(Node("barrier(CLK_LOCAL_MEM_FENCE);", fixed=True))
            body.append(Node(f"out[i] += {read};"))
        total = f"roundup(n,{size})"
        kernel.parameters = [f"__global const {element} *in", f"__global {element} *out", "int n"]
        arguments = [{"Name": "in", "Type": element, "MemoryType": "Vector", "Size": f"2*{total}+2"},
                     {"Name": "out", "Type": element, "MemoryType": "Vector", "Size": total},
                     {"Name": "n", "Type": "int", "MemoryType": "Scalar"}]
        if asArgument:
            kernel.parameters.append(f"__local {element} *tile")
            arguments.append({"Name": "tile", "Type": element, "MemoryType": "Local", "Size": str(size)})
        kernel.spec = {"Language": "OpenCL", "KernelName": kernel.name, "KernelFile": "fuzz.cl",
                       "Sizes": {"n": [1, 2, 3, 5, 8, 17, 33]}, "GlobalSizeType": "OpenCL",
                       "GlobalSize": {"X": total}, "LocalSize": {"X": str(size)}, "Arguments": arguments}
        kernel.steps = ["vectorize i:4", "coarsen i:2", "unroll r:2", "vectorize r:2", "privatize out",
                        "vectorize l:4", "coarsen i:2 stride"]
        return kernel


def makeKernel(seed, index):
    return Generator(seed, index).run()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed")
    parser.add_argument("--kernels", type=int, default=4)
    parser.add_argument("-o", default="fuzz", help="writes NAME.cl and NAME.launch.json")
    options = parser.parse_args()
    kernels = [makeKernel(options.seed, i) for i in range(options.kernels)]
    with open(options.o + ".cl", "w") as file:
        file.write("\n".join(k.text() for k in kernels))
    with open(options.o + ".launch.json", "w") as file:
        json.dump([{"General": {"FormatVersion": 1}, "KernelSpecification": k.spec} for k in kernels], file, indent=1)
    print("flags: " + " ".join(FLAGS), file=sys.stderr)


if __name__ == "__main__":
    main()
