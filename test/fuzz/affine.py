#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes random affine kernels: nests that tiles, staging and lanes apply to.

Where generate.py tries the forms that C can have, this varies what the
polyhedral engine works on: subscripts, bounds, guards, halos, orders of loops.
All are affine, all dimensions have room for the halo, and a work-item writes
no cell that another one touches. A seed gives the same kernels everywhere.
"""

import random
import re

from kernel import Kernel, Node

# Families of element types: what is computed, and what memory may hold.
FAMILIES = [("float", ["float"]), ("float", ["float"]), ("float", ["float", "uchar", "short"]), ("double", ["double", "float"]),
            ("int", ["int"]), ("int", ["int", "uchar", "short"]), ("long", ["long", "int"]), ("float4", ["float4"]), ("float", ["float", "Pair"]),
            ("uint", ["uint", "ushort", "uchar"])]
IDS = [["x", "y", "z"], ["i", "j", "k"], ["col", "row", "layer"], ["gx", "gy", "gz"]]
LOOPS = ["l", "u", "v", "t"]
SIZES = ["w", "h", "d"]
GROUPS = {1: [[64], [7], [16]], 2: [[8, 8], [16, 4], [6, 5], [64, 1]], 3: [[4, 4, 2], [8, 2, 2], [3, 5, 2]]}
HALO = 3  # every dimension has so many cells before the first one
HOST = {"w": "n", "h": "max(n-1,1)", "d": "min(n,5)", "k": "min(n,6)+1"}


class Affine:
    def __init__(self, seed, index):
        self.rng = random.Random(f"affine-{seed}-{index}")
        self.tables = {}
        self.kernel = Kernel(f"a{seed}_{index}")
        self.compute, self.elements = self.pick(FAMILIES)
        self.inputs, self.outputs = [], []
        self.scalars = set()
        self.loops, self.counter = [], 0
        self.counted = {}  # the names that clopt gives to some of the loops
        self.ends = []  # sizes of the arrays that say where loops end
        self.used = []

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return self.rng.choice(items)

    # -- subscripts ---------------------------------------------------------

    def plus(self, text, constant):
        return text if constant == 0 else f"{text} {'+' if constant > 0 else '-'} {abs(constant)}"

    def subscript(self, iterators):
        """(text, extent): a value from -HALO on, and a bound of it; both texts of sums."""
        name, size = self.pick(iterators)
        offset = self.pick([0, 0, 0, 0, -1, 1, -2, 2])
        roll = self.rng.random()
        if roll < 0.6:
            return self.plus(f"{name}", offset), size
        if roll < 0.65:
            return f"({self.plus(name, offset)} + {size}) % ({size})", size
        if roll < 0.8 and len(iterators) > 1:
            other, span = self.pick([i for i in iterators if i[0] != name])
            return self.plus(f"{name} + {other}", offset), f"{size} + {span}"
        if roll < 0.86:
            return self.plus(f"{size} - 1 - {name}", offset), size
        if roll < 0.93:
            return self.border(name, size), size
        return self.plus(f"{self.pick([2, 3])} * {name}", offset), f"3 * {size}"

    def border(self, name, size):
        """A neighbour that is clamped, mirrored or wrapped at a border."""
        own, step = f"(int){name}", self.pick([1, 2])
        return self.pick([
            f"max({own} - {step}, 0)", f"min({own} + {step}, {size} - 1)", f"clamp({own} - {step}, 0, {size} - 1)",
            f"abs({own} - {step})", f"({own} + {step} < {size} ? {own} + {step} : 2 * {size} - 2 - {step} - {own})",
            f"({own} >= {step} ? {own} - {step} : {own} - {step} + {size} > 0 ? {own} - {step} + {size} : 0)",
            f"({own} + {step}) % {size}"])

    def flatten(self, subscripts, extents):
        text = f"{subscripts[0]} + {HALO}"
        for subscript, extent in zip(subscripts[1:], extents[1:]):
            text = f"({text}) * ({extent} + {2 * HALO}) + {subscript} + {HALO}"
        return text

    def makeArray(self, prefix, extents, element=None):
        self.counter += 1
        array = {"name": f"{prefix}{self.counter}", "extents": extents, "element": element or self.pick(self.elements)}
        (self.inputs if prefix == "in" else self.outputs).append(array)
        return array

    def reference(self, array, subscripts):
        text = f"{array['name']}[{self.flatten(subscripts, array['extents'])}]"
        return text + self.pick([".a", ".b"]) if array["element"] == "Pair" else text

    def load(self, iterators):
        """One cell of an input: a new one, or another reference to one that is there."""
        if self.inputs and self.chance(0.55):
            array = self.pick(self.inputs)
            last = array.get("last")
            if last and self.chance(0.7):
                # A neighbour of an earlier reference, if its names are still there.
                subscripts = [(t if self.chance(0.5) else t + self.pick([" + 1", " - 1", ""])) for t in last]
                if array["names"] <= {name for name, _ in iterators}:
                    return self.part(array, self.reference(array, subscripts), iterators)
        pairs = [self.subscript(iterators) for _ in range(self.pick([1, 2, 2, 3]))]
        array = self.makeArray("in", [extent for _, extent in pairs])
        array["last"] = [text for text, _ in pairs]
        array["names"] = {name for name, _ in iterators}
        return self.part(array, self.reference(array, array["last"]), iterators)

    def part(self, array, cell, iterators):
        """Some components of a vector, or a value of a table beside a scalar of the same type."""
        if array["element"] == "float4":
            return cell + self.pick(["", "", ".wzyx", ".y", ".s2", ".xxzw"])
        loops = [name for name, _ in iterators if name in self.loops]
        if array["element"] == "float" and loops and self.rng.random() < 0.06:
            name = f"t{len(self.tables) + 1}"
            self.tables[name] = [self.pick(["0.5f", "-1.0f", "2.0f", "0.25f"]) for _ in range(4)]
            return f"{cell} * {name}[{self.pick(loops)} & 3]"
        return cell

    # -- values -------------------------------------------------------------

    def value(self, iterators, terms=None):
        parts = []
        for _ in range(terms or self.pick([1, 2, 2, 3, 4])):
            roll = self.rng.random()
            if roll < 0.8:
                parts.append(self.load(iterators))
            elif roll < 0.9 or self.compute == "float4":
                self.scalars.add("q")
                parts.append("q")
            else:
                parts.append(f"({self.compute}){self.pick(iterators)[0]}")
        text = parts[0]
        for part in parts[1:]:
            text = f"{text} {self.pick(['+', '+', '-', '*'])} {part}"
        return f"({self.compute})({text})" if parts == ["q"] and self.compute == "float4" else text

    def store(self, out, array, subscripts, value, op="="):
        cell = self.reference(array, subscripts)
        small = array["element"] in ("uchar", "short", "ushort")
        if small and op == "=":
            value = f"({array['element']})({value})" if self.compute in ("int", "uint") else f"convert_{array['element']}_sat({value})"
        out.append(Node(f"{cell} {op} {value};"))

    def output(self, extra=()):
        """An array with a dimension per work-item id, and perhaps one of a loop."""
        dims = [(name, size) for name, size in self.ids]
        if self.chance(0.8):
            dims.reverse()
        place = self.rng.randint(0, len(dims))
        dims[place:place] = extra
        wide = [e for e in self.elements if e not in ("uchar", "short", "ushort", "Pair")]
        array = self.makeArray("out", [size for _, size in dims], None if self.chance(0.6) else self.pick(wide))
        if array["element"] == "Pair":
            array["element"] = "float"
        return array, [name for name, _ in dims]

    # -- statements ---------------------------------------------------------

    def loopHead(self, iterators):
        """Head of a loop, and the iterator with the size that its values stay below."""
        name = LOOPS[len(self.loops) % len(LOOPS)]
        if name in [i for i, _ in iterators]:
            name += "2"
        self.loops.append(name)
        outer, size = self.pick(iterators)
        step = self.pick([1, 1, 1, 1, 2, 3])
        inc = f"{name}++" if step == 1 else f"{name} += {step}"
        roll = self.rng.random()
        if roll < 0.4 and self.rng.random() < 0.15:
            # Counted: it ends where another variable, which starts at a product, does.
            walk, start = f"{name}w", f"(int){outer} * k"
            self.counted[name] = f"{walk}_turn"
            if self.rng.random() < 0.3:
                return (f"for (int {walk} = {start} + k, {name} = 0; {walk} > {start}; {name} += {step}, {walk} -= {step})",
                        (name, "k"))
            return (f"for (int {name} = 0, {walk} = {start}; {walk} < {start} + k; {walk} += {step}, {name} += {step})",
                    (name, "k"))
        if roll < 0.4 and self.rng.random() < 0.15:
            # As often as one argument divided by others, or what is left of it.
            whole, by = self.pick(self.ids)[1], self.pick(["k", "k", "(k + 1)", "2"])
            if self.rng.random() < 0.25:
                self.scalars.add("fk")
                return f"for (int {name} = 0; {name} < (int){self.pick(['fk', 'ceil(fk)', 'round(fk)', 'convert_int(fk)'])}; {inc})", (name, "k")
            if by == "k" and self.rng.random() < 0.3:
                return f"for (int {name} = 0; {name} < {whole} % k; {inc})", (name, "k")
            return f"for (int {name} = 0; {name} < {whole} / {by}; {inc})", (name, f"({whole} / {by})")
        if roll < 0.4 and self.rng.random() < 0.2:
            # As far as data says: alike for all that have the same `outer`.
            if size not in self.ends:
                self.ends.append(size)
            end = f"min(ends{self.ends.index(size)}[{outer}], (int)k)"
            return self.pick([f"for (int {name} = 0; {name} < {end}; {inc})"] * 2 +
                             [f"for (int {name} = {end} - 1; {name} >= 0; {name} -= {step})"]), (name, "k")
        if roll < 0.4:
            return f"for (int {name} = 0; {name} < k; {inc})", (name, "k")
        if roll < 0.55:
            count = self.pick([2, 3, 4, 5, 7])
            return f"for (int {name} = 0; {name} < {count}; {inc})", (name, str(count))
        if roll < 0.65:
            return f"for (int {name} = k - 1; {name} >= 0; {name}{'--' if step == 1 else f' -= {step}'})", (name, "k")
        if roll < 0.75:
            return f"for (int {name} = 0; {name} {self.pick(['<=', '<'])} {outer}; {inc})", (name, size)
        if roll < 0.85:
            return f"for (int {name} = {outer}{self.pick(['', ' + 1'])}; {name} < {size}; {inc})", (name, size)
        if roll < 0.93:
            return f"for (int {name} = max(0, (int){outer} - 2); {name} < min({size}, (int){outer} + 3); {inc})", (name, size)
        if roll < 0.96:
            dec = f"{name}--" if step == 1 else f"{name} -= {step}"
            return self.pick([f"for (int {name} = {outer}; {name} >= 0; {dec})",
                              f"for (int {name} = {size} - 1; {name} > (int){outer}; {dec})"]), (name, size)
        if roll < 0.98:
            return f"for (int {name} = 0; {name} != k; {name}++)", (name, "k")
        return f"for (int {name} = 1; {name} < k - 1; {inc})", (name, "k")

    def reduction(self, out, iterators, depth):
        self.counter += 1
        name = f"s{self.counter}"
        zero = {"float4": "(float4)(0.0f)"}.get(self.compute, "0")
        out.append(Node(f"{self.compute} {name} = {zero if self.chance(0.7) else self.value(iterators, 1)};"))
        place = out
        first = len(out)
        inner = list(iterators)
        for _ in range(depth):
            head, iterator = self.loopHead(inner)
            inner.append(iterator)
            body = []
            own = re.fullmatch(r"for \((int \w+ = [^;,]*;)(.*)", head)
            if own and place is not out and self.rng.random() < 0.2:
                # Set where the loop outside runs, and left behind by the one inside.
                place.append(Node(own[1]))
                head = f"for (;{own[2]}"
            place.append(Node(head, body))
            place = body
            if self.chance(0.15):
                place.append(Node(f"{name} += {self.value(inner, 1)};"))
        if self.chance(0.12):
            test, size = self.pick(inner)
            body = []
            place.append(Node(f"if ({test} {self.pick(['<', '>', '!='])} {self.pick(['1', '2', f'{size} / 2'])})", body))
            place = body
        value = self.value(inner)
        if self.rng.random() < 0.12:
            # Weights, one after the other.
            count = f"c{self.counter}"
            out.insert(first, Node(f"int {count} = 0;", fixed=True))
            weights = self.makeArray("in", ["*".join(f"({size})" for _, size in inner[len(iterators):])], self.compute)
            value = self.pick([f"{weights['name']}[{count}++] * ({value})", f"{value} - {weights['name']}[{count}++]"])
        place.append(Node(f"{name} {self.pick(['+=', '+=', '+=', '-='])} {value};"))
        return name

    def piece(self, out, depth=0):
        roll = self.rng.random()
        iterators = list(self.ids)
        if roll < 0.25:
            array, at = self.output()
            self.store(out, array, at, self.value(iterators, self.pick([2, 3, 4, 5])))
        elif roll < 0.6:
            name = self.reduction(out, iterators, self.pick([1, 1, 1, 1, 2, 2, 3]))
            array, at = self.output()
            self.store(out, array, at, name if self.chance(0.7) else f"{name} + {self.value(iterators, 1)}",
                       self.pick(["=", "=", "+="]) if array["element"] == self.compute else "=")
        elif roll < 0.72:
            # Accumulated in memory.
            array, at = self.output()
            array["element"] = self.compute
            head, iterator = self.loopHead(iterators)
            body = []
            self.store(body, array, at, self.value(iterators + [iterator]), self.pick(["+=", "-="]))
            out.append(Node(head, body))
        elif roll < 0.86:
            # Cells of a loop: independent, or each from the one before.
            head, iterator = self.loopHead(iterators)
            array, at = self.output([iterator])
            array["element"] = self.compute
            body = []
            value = self.value(iterators + [iterator])
            if self.chance(0.5):
                shift = self.pick([" - 1", " + 1", " - 2", ""])
                value += " + " + self.reference(array, [t + shift if t == iterator[0] else t for t in at])
            self.store(body, array, at, value)
            out.append(Node(head, body))
        else:
            # An imperfect nest.
            head, iterator = self.loopHead(iterators)
            body = []
            name = self.reduction(body, iterators + [iterator], 1)
            if self.chance(0.4):
                self.carried(out, body, name, iterator[0])
            array, at = self.output([iterator])
            self.store(body, array, at, name)
            out.append(Node(head, body))

    def carried(self, out, body, name, iterator):
        """A value that goes from one iteration to the next, in one statement or in two."""
        self.counter += 1
        most, place = f"most{self.counter}", f"place{self.counter}"
        isVector = self.compute == "float4"
        zero = "(float4)(0.0f)" if isVector else "0"
        out.append(Node(f"{self.compute} {most} = {zero};"))
        out.append(Node(f"int {place} = 0;"))
        part = f"{name}.y" if isVector else name
        whole = f"{most}.y" if isVector else most
        form = self.rng.random()
        if form < 0.35:
            body.append(Node(f"if ({part} > {whole})", [Node(f"{whole} = {part};"), Node(f"{place} = {iterator};")]))
        elif form < 0.55:
            body.append(Node(f"{most} = {most} * 2 + {name};"))
        elif form < 0.7:
            body.append(Node(f"{most} = max({most}, {name});"))
        elif form < 0.85:
            body.append(Node(f"if ({part} < 3)", [Node(f"{place}++;"), Node(f"{whole} -= {place};")]))
        else:
            body.append(Node(f"{most} += {name};"))
            body.append(Node(f"{place} = {iterator} + 1;"))
            if self.chance(0.3):
                body.append(Node(f"{name} = {most};"))
        array, at = self.output()
        self.after.append((array, at, f"{most} + {place}"))

    # -- the kernel ---------------------------------------------------------

    def guards(self, out):
        tests = [f"{name} < {size}" for name, size in self.ids]
        roll = self.rng.random()
        if roll < 0.15:
            tests = [f"{name} < {size} - 1" for name, size in self.ids] + [f"{name} > 0" for name, _ in self.ids]
        elif roll < 0.25:
            tests.append(f"{self.pick(self.ids)[0]} >= {self.pick(['1', '2', 'p'])}")
            self.scalars.add("p")
        elif roll < 0.33 and len(self.ids) > 1:
            tests.append(f"{self.ids[0][0]} <= {self.ids[1][0]}")
        elif roll < 0.38 and len(self.ids) > 1:
            tests.append(f"{self.ids[0][0]} + {self.ids[1][0]} < {self.ids[0][1]}")
        if self.chance(0.3):
            for test in tests:
                name, op, size = test.split(" ", 2)
                against = {"<": ">=", ">": "<=", ">=": "<", "<=": ">"}.get(op)
                if against is None:
                    out.append(Node(f"if (!({test})) return;", fixed=True))
                else:
                    out.append(Node(f"if ({name} {against} {size}) return;", fixed=True))
            return out
        body = []
        out.append(Node(f"if ({' && '.join(tests)})", body))
        return body

    def cells(self, array):
        return "*".join(f"({extent}+{2 * HALO})" for extent in array["extents"])

    def parameters(self):
        kernel, arguments = self.kernel, []
        text = kernel.text()
        restrict = "restrict " if self.chance(0.65) else ""
        for array in self.inputs + self.outputs:
            const = "const " if array in self.inputs else ""
            element = array["element"]
            kernel.parameters.append(f"__global {const}{element} *{restrict}{array['name']}")
            argument = {"Name": array["name"], "Type": element, "MemoryType": "Vector", "Size": self.cells(array)}
            if element == "Pair":
                argument["Members"] = ["float", "float"]
            elif element in ("int", "short", "long"):
                argument["FillRange"] = [-9, 9]
            elif element in ("uint", "ushort"):
                argument["FillRange"] = [0, 9]
            arguments.append(argument)
        if "Pair" in text or any("Pair" in p for p in kernel.parameters):
            kernel.prefix.append("#ifndef PAIR\n#define PAIR\ntypedef struct {\n  float a, b;\n} Pair;\n#endif")
        kind = {"float4": "float"}.get(self.compute, self.compute)
        if "q" in self.scalars:
            kernel.parameters.append(f"{kind} q")
            arguments.append({"Name": "q", "Type": kind, "MemoryType": "Scalar", "FillValue": 3 if kind in ("int", "uint", "long") else 0.75})
        if "p" in self.scalars:
            kernel.parameters.append("int p")
            arguments.append({"Name": "p", "Type": "int", "MemoryType": "Scalar", "FillValue": 2})
        if "fk" in self.scalars:
            kernel.parameters.append("float fk")
            arguments.append({"Name": "fk", "Type": "float", "MemoryType": "Scalar", "FillValue": "k"})
        for at, size in enumerate(self.ends):
            kernel.parameters.append(f"__global const int *{restrict}ends{at}")
            arguments.append({"Name": f"ends{at}", "Type": "int", "MemoryType": "Vector", "Size": size.replace(" ", ""), "FillRange": [0, 9]})
        inMemory = self.rng.sample(sorted(HOST), self.pick([1, 2])) if self.chance(0.12) else []
        if inMemory:
            self.settings(inMemory, arguments)
        for name in HOST:
            if name not in inMemory:
                kernel.parameters.append(f"int {name}")
                arguments.append({"Name": name, "Type": "int", "MemoryType": "Scalar"})
        return arguments

    def settings(self, names, arguments):
        """Sizes in memory that is only read, or may be written for all that is known."""
        kernel = self.kernel
        form = self.rng.random()
        if form < 0.4:
            kernel.prefix.append(f"typedef struct {{ int {', '.join(names)}; }} Settings_{kernel.name};")
            kernel.parameters.append(f"__constant Settings_{kernel.name} *settings")
            places = [f"settings->{name}" for name in names]
        else:
            kernel.parameters.append(self.pick(["__constant int *settings", "__global const int *restrict settings", "__global const int *settings"]))
            places = [f"settings[{at}]" for at in range(len(names))]
        for name, place in reversed(list(zip(names, places))):
            kernel.root.body.insert(0, Node(f"const int {name} = {place};", fixed=True))
        value = " + ".join(f"{name}*(1-min(1,abs(i-{at})))" for at, name in enumerate(names))
        arguments.append({"Name": "settings", "Type": "int", "MemoryType": "Vector", "Size": len(names), "FillType": "Generator", "DataSource": value})

    def flatIds(self, out):
        """One id that is taken apart; the last digit has no bound."""
        names = [name for name, _ in self.ids]
        sizes = [size if self.chance(0.85) else f"({size} + 1)" for _, size in self.ids]
        kind = self.kind.replace("const ", "")
        self.cellsOfLaunch = " * ".join(sizes)
        out.append(Node(f"{self.kind} id = get_global_id(0);", fixed=True))
        form = self.pick(["digits", "digits", "difference", "steps", "slowest"])
        if form == "steps":
            out.append(Node(f"{kind} left = id;", fixed=True))
            for name, size in zip(names[:-1], sizes):
                out.append(Node(f"{self.kind} {name} = left % {size};", fixed=True))
                out.append(Node(f"left /= {size};", fixed=True))
            out.append(Node(f"{self.kind} {names[-1]} = left;", fixed=True))
        elif form == "slowest":
            rest = "id"
            for at in range(len(names) - 1, 0, -1):
                below = " * ".join(sizes[:at])
                out.append(Node(f"{self.kind} {names[at]} = {rest} / ({below});", fixed=True))
                out.append(Node(f"{self.kind} rest{at} = {rest} % ({below});", fixed=True))
                rest = f"rest{at}"
            out.append(Node(f"{self.kind} {names[0]} = {rest};", fixed=True))
        else:
            above = "id"
            for name, size in zip(names[:-1], sizes):
                out.append(Node(f"{self.kind} over_{name} = {above} / {size};", fixed=True))
                value = f"{above} % {size}" if form == "digits" else f"{above} - over_{name} * {size}"
                out.append(Node(f"{self.kind} {name} = {value};", fixed=True))
                above = f"over_{name}"
            out.append(Node(f"{self.kind} {names[-1]} = {above};", fixed=True))
        self.kernel.digits = names
        roll = self.rng.random()
        if roll < 0.4:
            out.append(Node(f"if (id >= {self.cellsOfLaunch}) return;", fixed=True))
        elif roll < 0.6:
            body = []
            out.append(Node(f"if (id < {self.cellsOfLaunch})", body))
            return body
        return out

    def run(self):
        rank = self.pick([1, 2, 2, 2, 2, 3])
        names = self.pick(IDS)[:rank]
        if "k" in names:
            names = ["x", "y", "z"][:rank]
        self.ids = list(zip(names, SIZES))
        body = self.kernel.root.body
        self.after = []
        self.kind = self.pick(["int"] * 9 + ["const int", "size_t", "uint", "long"])
        order = list(range(rank))
        if self.chance(0.15):
            self.rng.shuffle(order)
        flat = rank > 1 and self.chance(0.25)
        if flat:
            body = self.flatIds(body)
        for position, (name, _) in enumerate(self.ids if not flat else []):
            body.append(Node(f"{self.kind} {name} = get_global_id({order[position]});", fixed=True))
        inner = self.guards(body)
        for _ in range(self.pick([1, 1, 1, 1, 2, 2, 3])):
            self.piece(inner)
            for array, at, value in self.after:
                self.store(inner, array, at, value)
            self.after = []
        for name, values in self.tables.items():
            body.insert(0, Node(f"const float {name}[4] = {{{', '.join(values)}}};", fixed=True))
        arguments = self.parameters()
        axes = "XYZ"
        sizes = {axes[order[i]]: size for i, (_, size) in enumerate(self.ids)}
        shape = {axes[d]: sizes[axes[d]] for d in range(rank)}
        self.kernel.spec = {
            "Language": "OpenCL", "KernelName": self.kernel.name, "KernelFile": "fuzz.cl",
            "Sizes": {"n": [1, 2, 3, 5, 8, 17, 33], **HOST}, "GlobalSize": {a: f"roundup({s},{l})" for (a, s), l in zip(shape.items(), self.group(rank))},
            "LocalSize": dict(zip(axes, self.shape)), "Arguments": arguments}
        if self.chance(0.3):
            others = [dict(zip(axes, shape)) for shape in GROUPS[rank] if shape != self.shape]
            self.kernel.spec["LocalSizes"] = self.rng.sample(others, 1) + self.pick([[], [None]])
        if flat:
            size, self.shape = self.cellsOfLaunch.replace(" ", ""), self.pick(GROUPS[1])
            exact = self.chance(0.4)
            self.kernel.spec["GlobalSize"] = {"X": size if exact else f"roundup({size},{self.shape[0]})"}
            self.kernel.spec["LocalSize"] = {"X": 1 if exact else self.shape[0]}
            self.kernel.spec.pop("LocalSizes", None)
            rank, order = 1, [0]
        if self.chance(0.15):
            self.kernel.spec["GlobalOffset"] = {axes[d]: self.pick([0, 1, 2]) for d in range(rank)}
        self.kernel.counted = self.counted
        return self.kernel

    def group(self, rank):
        self.shape = self.pick(GROUPS[rank])
        return self.shape


def makeKernel(seed, index):
    return Affine(seed, index).run()


if __name__ == "__main__":
    import sys
    print(makeKernel(int(sys.argv[1]), int(sys.argv[2])).text())
