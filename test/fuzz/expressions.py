# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions of the kernels that generate.py makes.

Integers that come from memory are kept small, and floating-point values
become integers by saturating conversions only.
"""

from shapes import Array, Dim

SIGNED = {"char", "short", "int", "long"}
FLOATS = {"float", "double"}
SMALL = {"char", "uchar", "short", "ushort"}
PROMOTED = {"size_t": "ulong", "short": "int", "char": "int", "uchar": "int", "ushort": "int"}


class Expressions:
    """A part of the generator."""

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
        return self.fromCell(*self.cell(array), array.isOwned, kind)

    def fromCell(self, text, have, isOwned, kind):
        """The value of a cell, as a `kind`."""
        have = {"ELEM": "float", "half": "float"}.get(have, have)
        if isOwned and have not in FLOATS:
            # Grows from iteration to iteration otherwise.
            text = self.pick([f"({text} & 127)", f"({text} % 61)", f"({text} & 127)"])
            have = self.computeType(have)
        elif isOwned:
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
            owned = [a for a in self.arrays if a.isOwned and not a.isHidden]
            if owned:
                return self.fromMemory(self.pick(owned), kind)
        if roll < 0.76 and self.locals:
            name, have = self.pick(self.locals)
            text = name if have in FLOATS else f"({name} & 1023)"
            return self.cast(text, have, kind)
        if roll < 0.82 and self.privates:
            array, have = self.pick(self.privates)
            text = self.lvalue(array, self.place(array))[0]
            text = text if have in FLOATS else f"({text} % 97)"
            return self.cast(text, have, kind)
        if roll < 0.9:
            index = self.pick(self.indices)
            return self.cast(index.name, PROMOTED.get(index.kind, index.kind), kind)
        if roll < 0.95:
            name = self.pick(["alpha", "p"])
            kinds = {"alpha": ["float", "float", "double"], "p": ["int", "uint", "uchar"]}
            have, _ = self.scalars.setdefault(name, (self.pick(kinds[name]), {"alpha": 0.75, "p": 3}[name]))
            return self.cast(name, have, kind)
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
        if "guarded" in self.taste and roll < 0.7:
            return self.guardedTest()
        if roll < 0.6 and depth > 0:
            return f"({self.condition(0)}) {self.pick(['&&', '||'])} ({self.condition(0)})"
        kind = self.pick(["float", "int", "int", "uint"])
        return f"{self.leaf(kind)} {self.pick(['<', '>', '<=', '>='])} {self.leaf(kind)}"

    def expr(self, kind, depth):
        if depth <= 0 or self.chance(0.12):
            return self.leaf(kind)
        if "guarded" in self.taste and self.chance(0.3):
            return self.guardedValue(kind, depth)
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
                          f"({a} / (fabs(({kind})({b})) + 1.0{suffix}))", f"(-({a}))", f"floor(({kind})({a}))",
                          f"clamp(({kind})({a}), -1.0{suffix}, 1.0{suffix})", f"copysign(({kind})({a}), ({kind})({b}))"])

    def helper(self):
        body = f"static float h_{self.tag}(float a, float b) {{ return a * b + 0.5f; }}"
        if self.kernel.prefix.count(body) == 0:
            self.kernel.prefix.append(body)

    # -- accesses that are only there under a condition ---------------------

    def beyond(self):
        """A neighbour of a cell of an array without room for it: text, element, and when it is there."""
        index = self.pick(self.indices)
        name, by = index.name, self.rng.randint(1, 3)
        if self.chance(0.25):
            return self.switched(index)
        side = self.pick([(f"{name} + {by}", f"{name} + {by} < {index.size}"), (f"{name} - {by}", f"{name} >= {by}"),
                          (f"{name} - {by}", f"{name} + 2 > {by + 1}"), (f"{name} - 1", f"{name} > 0"), (f"{name} - 1", f"{name} != 0")])
        tight = [a for a in self.arrays if a.isTight and a.dims[-1].size == index.size
                 and (len(a.dims) == 1 or any(i.size == a.dims[0].size for i in self.indices))]
        if not tight or self.chance(0.3):
            dims = [Dim(index.size)]
            if self.chance(0.4):
                dims.insert(0, Dim(self.pick(self.indices).size))
            tight = [Array(self.fresh("in"), self.element(), dims)]
            tight[0].isTight = True
            self.makeFields(tight[0])
            self.arrays.append(tight[0])
        array = self.pick(tight)
        row = [self.pick([i.name for i in self.indices if i.size == d.size]) for d in array.dims[:-1]]
        return self.read(array, self.flat(array, row + [side[0]], array.dims)) + (side[1],)

    def switched(self, index):
        """A cell of an array of which the host only passes anything when a flag says so."""
        if self.flagged is None:
            self.flagName, value = self.fresh("flag"), self.pick([0, 0, 1])
            self.scalars[self.flagName] = (self.pick(["int", "float", "uint"]), value)
            self.flagged = Array(self.fresh("opt"), self.element(), [Dim(index.size if value else "1")])
            self.flagged.isHidden = True
            self.makeFields(self.flagged)
            self.flaggedIndex = index.size
            self.arrays.append(self.flagged)
        names = [i.name for i in self.indices if i.size == self.flaggedIndex] or ["0"]
        test = self.pick([f"{self.flagName} != 0", f"{self.flagName} > 0", f"(int){self.flagName}"])
        return self.read(self.flagged, self.pick(names)) + (test,)

    def guardedValue(self, kind, depth):
        text, element, test = self.beyond()
        value, other = self.fromCell(text, element, False, kind), self.expr(kind, depth - 1)
        return self.pick([f"({test} ? {value} : {other})", f"({test} ? {value} : {other})", f"(!({test}) ? {other} : {value})"])

    def guardedTest(self):
        text, element, test = self.beyond()
        kind = self.pick(["float", "int"])
        compare = f"{self.fromCell(text, element, False, kind)} {self.pick(['<', '>'])} {self.leaf(kind)}"
        return self.pick([f"({test} && {compare})", f"(!({test}) || {compare})", f"({test} ? {compare} : {self.condition(0)})"])

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
                          f"abs_diff({self.strict(a, kind)}, {self.strict(b, kind)})" if unsigned else f"(-({a}))",
                          f"clamp({self.strict(a, kind)}, ({kind})2, ({kind})90)",
                          f"rotate({self.strict(a, kind)}, ({kind})3)" if unsigned else f"({a} << 1)",
                          f"({kind})popcount({self.strict(a, kind)})"])

    def strict(self, text, kind):
        return f"({kind})({text})"
