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
* Arrays that are tight or hidden are only accessed by the form that made them,
  which has a condition or a pointer of its own to stay inside.
* No loop is endless: what counts in it cannot be skipped or left out.

Every kernel has a taste, a few of the forms of forms.py, so that they meet each
other and kernels stay small. affine.py makes what the polyhedral engine works on,
groups.py what groups share.
"""

import argparse
import json
import random
import re

from expressions import FLOATS, Expressions
from forms import FORMS, Forms
from kernel import Kernel, Node
from shapes import Array, Dim, Index

FLAGS = ["-DRR=5", "-DELEM=float"]

# Macros with the names of what clopt may write; none of them means what OpenCL says.
FUNCTION_MACROS = {
    "get_global_size(d)": "7", "get_local_size(d)": "3", "get_group_id(d)": "2", "get_local_id(d)": "1", "get_num_groups(d)": "2",
    "get_global_offset(d)": "9", "barrier(x)": "", "min(a, b)": "((a) < (b) ? (b) : (a))", "max(a, b)": "(a)", "fma(a, b, c)": "(c)",
    "mad(a, b, c)": "(c)", "vload4(i, p)": "((float4)(1.0f))", "vload2(i, p)": "((float2)(1.0f))", "vstore4(v, i, p)": "",
    "vstore2(v, i, p)": "", "select(a, b, c)": "(a)", "convert_int(x)": "7", "convert_float4(x)": "(x)", "clamp(a, b, c)": "(b)",
    "mul24(a, b)": "(a)", "mad24(a, b, c)": "(c)", "abs(a)": "(a)"}
PLAIN_MACROS = {"ulong": "uint", "size_t": "uint", "long": "int", "float4": "float2", "int4": "int2", "item": "7", "lane": "3",
                "runs": "0", "bool": "char", "i0": "1", "j0": "2", "CLK_LOCAL_MEM_FENCE": "77", "uint": "int", "float2": "int"}


class Generator(Forms, Expressions):
    def __init__(self, seed, index):
        self.rng = random.Random(f"clopt-{seed}-{index}")
        self.kernel = Kernel(f"f{seed}_{index}")
        self.tag = f"F{seed}_{index}"
        self.arrays, self.scalars = [], {}
        self.counter = 0
        self.budget = self.rng.choice([3, 5, 8, 12])
        self.indices, self.locals, self.privates = [], [], []
        self.taste = set(self.rng.sample(FORMS, self.rng.choice([1, 2, 2, 3])))
        self.nesting = []  # what a break or continue would leave
        self.flagged = None

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
        self.hostSizes = {"RR": "5"}
        if "configured" in self.taste and self.chance(0.5):
            # Other flags make it smaller, so buffers suffice.
            name = f"SZ_{self.tag}"
            self.sizeNames.append(name)
            self.hostSizes[name] = "5"
            self.configure(f"-D{name}=5", f"-D{name}={self.pick([2, 3, 4])}")

    def configure(self, flag, other):
        """A flag of the kernel, and what a later build may have in its place; None: nothing."""
        kernel = self.kernel
        if kernel.otherFlags is None:
            kernel.otherFlags = []
        kernel.flags += [flag] if flag else []
        kernel.otherFlags += [other] if other else []

    def makeIds(self):
        rank = self.pick([1, 1, 1, 2, 2, 3])
        names = self.pick([["i", "j", "k"], ["x", "y", "z"], ["tx", "ty", "tz"]])[:rank]
        self.ids = []
        self.guard = self.pick(["exact", "return", "wrap", "wrap"])
        self.offset = None
        if self.guard != "exact" and self.chance(0.2):
            self.offset = self.rng.randint(1, 3)
        self.stridden = self.guard != "exact" and rank == 1 and self.chance(0.08)
        kinds = ["int"] * 5 + ["size_t", "uint", "long"] + (["short", "ushort", "uchar"] if "narrow" in self.taste else [])
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
        self.isSplit = rank == 2 and self.guard == "exact" and self.chance(0.3)
        self.indices = list(self.ids)
        self.spent = []

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
        if self.isSplit:
            first, second = self.ids
            out.append(Node(f"const int id = get_global_id(0);", fixed=True))
            out.append(Node(f"const int {first.name} = id / (int){second.size}, {second.name} = id % (int){second.size};", fixed=True))
            return out
        for index in self.ids:
            const, value = "const " if self.chance(0.4) else "", self.idText(self.idDims[index.name])
            if self.chance(0.15):
                # The variable that had the id counts loops later.
                self.spent.append(self.fresh("q"))
                out.append(Node(f"int {self.spent[-1]} = {value};", fixed=True))
                value = self.spent[-1]
            out.append(Node(f"{const}{index.kind} {index.name} = {value};", fixed=True))
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
        if "narrow" in self.taste and self.chance(0.7):
            return self.pick(["uchar", "char", "short", "ushort", "half"])
        if "structs" in self.taste and self.chance(0.6):
            return "struct"
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
        self.makeFields(array)
        if len(array.dims) == 2 and self.chance(0.4 if "macros" in self.taste else 0.1):
            array.macro = f"{self.tag}_{array.name}".upper()
        self.arrays.append(array)
        self.maybeAlias(array)
        return array

    def makeFields(self, array):
        """Structures: one type per kernel."""
        if array.element != "struct":
            return
        array.element = f"S_{self.tag}"
        if not self.fields:
            self.fields = [(f"m{n}", self.pick(["float", "float", "int", "uchar", "short", "double"])) for n in range(self.pick([1, 2, 3, 4]))]
            members = " ".join(f"{kind} {name};" for name, kind in self.fields)
            self.kernel.prefix.append(f"typedef struct {{ {members} }} {array.element};")
        array.fields = self.fields

    def maybeAlias(self, array):
        if array.fields or not self.chance(0.6 if "overlap" in self.taste else 0.1):
            return
        last = array.dims[-1]
        shift = 0
        if not last.owner and last.stride == 1 and not array.macro and self.chance(0.2):
            # Devices want a part of a buffer to begin at a multiple of 128 bytes, or of 512.
            size = {"char": 1, "uchar": 1, "short": 2, "ushort": 2, "half": 2, "long": 8, "ulong": 8, "double": 8}
            shift = 512 // size.get(array.element, 4)
            last.pad = shift
        view = Array(self.fresh("view"), array.element, array.dims, shift)
        view.alias = array
        self.arrays.append(view)

    def input(self):
        have = [a for a in self.arrays if not a.isOwned and not a.isHidden and not a.isTight]
        sizes = {i.size for i in self.indices}
        have = [a for a in have if any(d.size in sizes for d in a.dims)]
        if have and (self.chance(0.6) or len(self.arrays) > 7):
            return self.pick(have)
        return self.makeInput()

    def output(self):
        rows = [r for r in self.rows if r in self.arrays and r.isOwned]
        if rows and self.chance(0.4):
            return self.pick(rows)
        have = [a for a in self.arrays if a.isOwned and not a.isHidden]
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
        if size.startswith("SZ_"):
            return "0"  # smaller with other flags
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

    def place(self, array):
        """A subscript of some cell of the array, flat."""
        subscripts = [self.subscript(dim, array) for dim in array.dims]
        text = self.flat(array, subscripts, array.dims)
        return f"{text} - {array.shift}" if array.shift else text

    def cell(self, array):
        """Some cell of the array, to be read, and its type."""
        return self.read(array, self.place(array))

    def read(self, array, place):
        if array.element == "half":
            return f"vload_half({place}, {array.name})", "half"
        return self.lvalue(array, place)

    def lvalue(self, array, place):
        if array.fields:
            name, kind = self.pick(array.fields)
            return (f"({array.name} + ({place}))->{name}" if self.chance(0.1) else f"{array.name}[{place}].{name}"), kind
        if self.chance(0.04):
            return f"*({array.name} + ({place}))", array.element
        return f"{array.name}[{place}]", array.element

    def rowPointer(self, out):
        """A pointer to a row of a 2-D or 3-D array."""
        candidates = [a for a in self.arrays if len(a.dims) >= 2 and not a.shift and not a.macro
                      and not a.alias and a.isParameter and not a.isHidden and not a.isTight and a.element != "half"]
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
        address = f"&{array.name}[{text}]" if self.chance(0.2) else f"{array.name} + {text}"
        out.append(Node(f"__global {const}{array.element} *{name} = {address};"))
        view = Array(name, array.element, [row])
        view.isOwned, view.fields = array.isOwned, array.fields
        view.isParameter = False
        self.arrays.append(view)
        self.rows.append(view)

    # -- expressions --------------------------------------------------------

    # -- statements ---------------------------------------------------------

    def store(self, out):
        array = self.output()
        if array.element == "half":
            out.append(Node(f"vstore_half((float)({self.expr('float', 1)}), {self.place(array)}, {array.name});"))
            return
        target, element = self.lvalue(array, self.place(array))
        kind = self.computeType(element)
        depth = self.pick([1, 1, 2, 2, 3])
        op = self.pick(["=", "=", "=", "+=", "+=", "-="])
        source = kind
        if self.chance(0.12):
            source = self.pick(["float", "int", "uint"])
        value = self.expr(source, depth)
        if source in FLOATS and element not in FLOATS | {"ELEM"}:
            value = f"convert_{element}_sat({value})"
        elif self.chance(0.1) and op == "=":
            value = f"({element})({value})"
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
        kind = self.pick(["int"] * 6 + ["uint", "size_t", "long"] + (["uchar", "short", "char", "ushort"] if "narrow" in self.taste else []))
        head = self.loopHead(name, size, kind)
        if self.chance(0.25):
            self.accumulator(out, head, Index(name, size, kind), depth)
            return
        body = []
        self.within("for", body, depth + 1, [Index(name, size, kind)])
        if self.chance(0.05):
            body.insert(0, Node(f"if ({name} == {self.pick([1, 2, 3])}) {self.pick(['continue', 'continue', 'break'])};"))
        if self.chance(0.05):
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

    def within(self, what, out, depth, added=()):
        """A scope that break or continue may leave."""
        self.nesting.append(what)
        self.scope(out, depth, added)
        self.nesting.pop()

    def statements(self, out, depth):
        for _ in range(self.pick([1, 1, 2, 3] if depth else [1, 2, 3, 4])):
            if self.budget <= 0 and out:
                break
            self.budget -= 1
            if self.chance(0.5) and self.form(out, depth):
                continue
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
        if self.isSplit:
            return f"({self.hostSize(self.ids[0].size)})*({self.hostSize(self.ids[1].size)})"
        if self.guard == "exact":
            return size
        if self.stridden:
            return self.pick(["3", "n", "max(n//2,1)", "n+5"])
        if which == "fixed":
            return f"roundup({size},{[4, 2, 1][dim]})"
        return self.pick([size, f"{size}+{self.rng.randint(1, 9)}"])

    def hostSize(self, size):
        return self.hostSizes.get(size, size)

    def ranges(self):
        axes = "XYZ"
        result = []
        if self.isSplit:
            return [{"GlobalSize": {"X": self.globalSize(0, "free")}}]
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
        if array.fields:
            argument["Members"] = [kind for _, kind in array.fields]
        elif array.range:
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
            if array.macro and not array.alias:
                kernel.prefix.append(f"#define {array.macro}(r, c) ((r) * ({array.dims[1].extent()}) + (c))")
            const = "const " if not array.isOwned and not array.isWritten and self.chance(0.8) else ""
            qualifier = "restrict " if restrict and not array.alias and array.name not in aliased else ""
            kernel.parameters.append(f"__global {const}{array.declared or array.element} *{qualifier}{array.name}")
            argument = {"Name": array.name, "Type": array.element.replace("ELEM", "float"), "MemoryType": "Vector"}
            if array.alias:
                argument["SameBufferAs"] = array.alias.name
                if array.shift:
                    argument["Offset"] = str(array.shift)
            else:
                argument["Size"] = self.cells(array)
                self.fill(array, argument)
            arguments.append(argument)
        for name, (kind, value) in self.scalars.items():
            kernel.parameters.append(f"{kind} {name}")
            arguments.append({"Name": name, "Type": kind, "MemoryType": "Scalar", "FillValue": value})
        for name in ("n", "m"):
            kernel.parameters.append(f"{self.sizeType[name]} {name}")
            arguments.append({"Name": name, "Type": self.sizeType[name], "MemoryType": "Scalar"})
        # An alias must follow what it names.
        kernel.spec = {"Language": "OpenCL", "KernelName": kernel.name, "KernelFile": "fuzz.cl",
                       "Sizes": {"n": [1, 2, 3, 5, 8, 17, 33], "m": self.sizeM},
                       "GlobalSizeType": "OpenCL", "GlobalSize": self.rangeList[0]["GlobalSize"],
                       "NDRanges": self.rangeList, "Arguments": arguments}
        for items in kernel.root.lists():
            for node in items:
                node.bare = bool(node.body) and not node.tail and bool(re.match("if|for|while", node.text)) and self.chance(0.5)
        if "macros" in self.taste:
            self.hostileMacros()

    def hostileMacros(self):
        """Macros over names that this kernel does not use, but that a result might."""
        kernel, words = self.kernel, set(re.findall(r"\w+", self.kernel.text()))
        candidates = {**FUNCTION_MACROS, **PLAIN_MACROS}
        free = [head for head in candidates if head.split("(")[0] not in words]
        for head in self.rng.sample(free, min(len(free), self.pick([1, 1, 2, 4]))):
            name = head.split("(")[0]
            kernel.prefix += [f'#pragma push_macro("{name}")', f"#undef {name}", f"#define {head} {candidates[head]}"]
            kernel.suffix += [f"#undef {name}", f'#pragma pop_macro("{name}")']

    def run(self):
        self.writable, self.rows, self.fields = [], [], []
        self.sizes()
        self.makeIds()
        body = self.declareIds(self.kernel.root.body)
        self.rangeList = self.ranges()
        self.nesting = ["for"] if self.stridden else []
        self.statements(body, 0)
        self.finish()
        return self.kernel


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
    print("flags: " + " ".join(FLAGS + [flag for k in kernels for flag in k.flags]))


if __name__ == "__main__":
    main()
