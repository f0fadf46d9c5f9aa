# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels that use local memory and barriers, without data races.

A kernel is a sequence of phases with barriers between them, also inside loops that
all work-items of a group run alike. In a phase every local array is used in one way:

* owned: a work-item reads and writes only the cells that are its own, by one
  injective function of its local ids;
* read: every work-item may read every cell;
* atomic: every work-item may add to every cell, and nobody reads.

Every cell is written before it is read. Integers are masked, so nothing overflows.
"""

import random

from kernel import Kernel, Node

BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"


class Shared:
    """A local array: `cells` cells, flat or in rows, declared or an argument."""

    def __init__(self, name, element, rows, columns, isArgument):
        self.name, self.element = name, element
        self.rows, self.columns, self.isArgument = rows, columns, isArgument
        self.cells = (rows or 1) * columns
        self.isFloat = element == "float"
        self.extent = str(columns)  # as it is written

    def declaration(self):
        rows = f"[{self.rows}]" if self.rows else ""
        return f"__local {self.element} {self.name}{rows}[{self.extent}];"

    def at(self, index):
        """Cell number `index`, which is in range and may be any expression."""
        if not self.rows:
            return f"{self.name}[{index}]"
        return f"{self.name}[({index}) / {self.columns}][({index}) % {self.columns}]"


class GroupGenerator:
    def __init__(self, rng, kernel):
        self.rng, self.kernel = rng, kernel
        self.counter = 0
        self.loops, self.loopIndices = [], []
        self.values = []  # private variables, by type

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return self.rng.choice(items)

    def fresh(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    # -- the frame ----------------------------------------------------------

    def makeGroup(self):
        self.gx, self.gy = self.pick([(4, 1), (8, 1), (16, 1), (4, 4), (8, 2), (4, 2), (2, 4), (8, 8)])
        self.items = self.gx * self.gy
        self.isFlat = self.gy == 1
        self.item = "lx" if self.isFlat else f"ly * {self.gx} + lx"
        if self.chance(0.6):
            self.kernel.attributes = f"__attribute__((reqd_work_group_size({self.gx}, {self.gy}, 1)))\n"

    def makeShared(self):
        self.shared = []
        for _ in range(self.pick([1, 1, 2, 3])):
            element = self.pick(["int", "int", "uint", "float", "short", "uchar"])
            per = self.pick([1, 1, 1, 2, 2, 8])
            isArgument = self.chance(0.25)
            rows, columns = None, self.items * per
            if not isArgument and self.chance(0.5):
                columns = self.pick([c for c in (2, 4, 8, 16) if c <= columns])
                rows = self.items * per // columns
                if per == 8:  # a row of every work-item's own
                    rows, columns = self.items, per
            self.shared.append(Shared(self.fresh("t"), element, rows, columns, isArgument))

    def declare(self, body):
        kind = self.pick(["int", "const int", "uint", "size_t"])
        body.append(Node(f"{kind} lx = get_local_id(0);", fixed=True))
        group = "get_group_id(0)"
        self.globalX = self.pick([f"{group} * {self.gx} + lx", "get_global_id(0)"])
        body.append(Node(f"int i = {self.globalX};", fixed=True))
        self.place = "i"
        if not self.isFlat:
            body.append(Node(f"int ly = get_local_id(1);", fixed=True))
            body.append(Node(f"int j = get_group_id(1) * {self.gy} + ly;", fixed=True))
            self.place = "j * w + i"
        for array in self.shared:
            if array.isArgument:
                continue
            if self.chance(0.2):  # a macro, perhaps without parentheses
                words = [f"{array.columns}", f"1 ? {array.columns} : 3", f"{array.columns - 1} + 1", f"(0 ? 3 : {array.columns})"]
                array.extent = f"{self.kernel.name}_{array.name}_cells"
                self.kernel.prefix.append(f"#define {array.extent} {self.pick(words)}")
            body.append(Node(array.declaration(), fixed=True))
        if self.chance(0.15):
            body.append(Node("if (get_group_id(0) >= m) return;"))
        body.append(Node("float f = 0.5f;", fixed=True))
        body.append(Node("int v = 1;", fixed=True))
        if self.isFlat:
            body.append(Node(f"{self.pick(['int', 'const int', 'uint'])} size = get_local_size(0);", fixed=True))

    # -- expressions --------------------------------------------------------

    def input(self):
        return self.pick([f"in[{self.place}]", f"in[{self.place} + 1]", f"in[2 * ({self.place})]", "in[lx]",
                          f"in[{self.loops[-1]} + lx]" if self.loops else "in[3]"])

    def anyCell(self, array):
        """A number below array.cells."""
        mask = array.cells - 1
        inner = [f"{name}" for name in self.loops] or ["1"]
        loop = self.pick(inner)
        return self.pick([
            f"({self.item}) & {mask}", f"({self.item} + {loop}) & {mask}", f"{mask} - (({self.item}) & {mask})",
            f"({self.item} ^ {loop}) & {mask}", f"({loop} * 2 + 1) & {mask}", f"lx & {mask}",
            f"(({self.item}) * 2 + {loop}) % {array.cells}", f"(v & 7) & {mask}", f"{self.rng.randrange(array.cells)}"])

    def leaf(self, isFloat, readable):
        options = ["lx + 1", "v", self.input()] + list(self.loops)
        if isFloat:
            options += ["f", "0.25f"]
        for array in readable:
            options += [array.at(self.anyCell(array))] * 3
        text = self.pick(options)
        usesFloat = text == "f" or text == "0.25f" or text.startswith("in[") or any(
            a.isFloat and text.startswith(a.name + "[") for a in readable)
        if not isFloat and usesFloat:
            return f"convert_int_sat({text} * 16.0f)"
        return f"(float)({text})" if isFloat and not usesFloat else f"(int)({text})" if not isFloat else text

    def expr(self, isFloat, readable):
        left = self.leaf(isFloat, readable)
        if self.chance(0.4):
            return left
        right = self.leaf(isFloat, readable)
        if isFloat:
            return self.pick([f"{left} + {right}", f"{left} * 0.5f - {right}", f"fmax({left}, {right})",
                              f"(lx & 1 ? {left} : {right})"])
        # Every operand is below 2^31 / 16 once it is masked.
        left, right = f"(({left}) & 1023)", f"(({right}) & 1023)"
        return self.pick([f"{left} + {right}", f"{left} * 3 + {right}", f"({left} ^ {right})", f"max({left}, {right})",
                          f"(lx > 1 ? {left} : {right})"])

    def assign(self, target, array, readable, op="="):
        value = self.expr(array.isFloat, readable)
        if not array.isFloat:
            value = f"({value}) & 1023"
            if op == "+=":
                return f"{target} = ({target} + ({value})) & 4095;"
        return f"{target} {op} {value};"

    # -- phases -------------------------------------------------------------

    def loop(self, first, end, body, guard=None):
        name = self.fresh("k")
        count = self.pick([f"int {name} = {first}; {name} < {end}; {name}++"] * 3 +
                          [f"int {name} = {end} - 1; {name} >= {first}; {name}--"])
        node = Node(f"for ({count})", [], fixed=guard is not None)
        self.loops.append(name)
        body(node.body)
        self.loops.pop()
        return node

    def owner(self, array):
        """Own cells of a work-item, by the number r of the cell."""
        per = array.cells // self.items
        if array.rows and self.chance(0.5) and per == 1 and array.columns == self.gx and not self.isFlat:
            cell = self.pick([f"{array.name}[ly][lx]", f"{array.name}[{self.gy} - 1 - ly][lx]"])
            return lambda r: cell
        if array.rows and per == 1 and array.columns == self.gy and array.rows == self.gx and not self.isFlat:
            return lambda r: f"{array.name}[lx][ly]"
        if array.rows and per == array.columns:
            return lambda r: f"{array.name}[{self.item}][{r}]"
        form = self.pick(["{i} + {r} * {n}", "({i}) * {p} + {r}", "{n} - 1 - ({i}) + {r} * {n}"])
        return lambda r: array.at(form.format(i=self.item, r=r, p=per, n=self.items))

    def fill(self, body):
        """Writes every cell of every array."""
        for array in self.shared:
            own, per = self.owner(array), array.cells // self.items
            if self.chance(0.2):
                # In strides of the group.
                name, size = self.fresh("k"), str(self.items) if not self.isFlat else self.pick([str(self.items), "get_local_size(0)"])
                head = f"for ({self.pick(['int', 'uint', 'size_t'])} {name} = {self.item}; {name} < {array.cells}; {name} += {size})"
                body.append(Node(head, [Node(self.assign(array.at(name), array, []), fixed=True)], fixed=True))
                continue
            if per > 1 and self.chance(0.6):
                def write(inner):
                    inner.append(Node(self.assign(own(self.loops[-1]), array, []), fixed=True))
                body.append(self.loop(0, per, write, guard=True))
                continue
            for r in range(per):
                body.append(Node(self.assign(own(r), array, []), fixed=True))

    def phase(self, body):
        modes = {array: self.pick(["own", "own", "read", "read", "read", "atomic"]) for array in self.shared}
        for array in self.shared:
            if modes[array] == "atomic" and array.element not in ("int", "uint"):
                modes[array] = "read"
        readable = [a for a in self.shared if modes[a] == "read"]
        for array in self.shared:
            if modes[array] == "own":
                self.update(body, array, readable)
            elif modes[array] == "atomic" and self.chance(0.6):
                value = f"({self.expr(False, readable)}) & 15"
                body.append(Node(f"atomic_add(&{array.at(self.anyCell(array))}, {value});"))
        self.collect(body, readable)

    def update(self, body, array, readable):
        own, per = self.owner(array), array.cells // self.items
        r = self.rng.randrange(per)
        if self.chance(0.4):
            end = self.pick(["2", "3", "8", "m"])
            def write(inner):
                inner.append(Node(self.assign(own(r), array, readable, self.pick(["=", "+="]))))
            body.append(self.loop(0, end, write))
            return
        statement = Node(self.assign(own(r), array, readable, self.pick(["=", "+="])))
        if self.chance(0.3):
            body.append(Node(f"if ({self.pick(['lx < 2', 'i < n', 'v > 3', 'lx != 0'])})", [statement]))
        else:
            body.append(statement)

    def collect(self, body, readable):
        """Private values and global output from what may be read."""
        for _ in range(self.pick([1, 1, 2])):
            def add(inner):
                if self.chance(0.5):
                    inner.append(Node(f"f = f * 0.5f + ({self.expr(True, readable)});"))
                else:
                    inner.append(Node(f"v = (v + ({self.expr(False, readable)})) & 4095;"))
                if self.chance(0.3):
                    inner.append(Node(f"out[{self.place}] += f * 0.125f + v;"))
            if self.chance(0.6):
                body.append(self.loop(self.pick(["0", "1"]), self.pick(["4", "7", "8", "m", "n"]), add))
            else:
                add(body)

    def strides(self, body):
        """Every n-th cell of the input for a work-item, in steps of the group."""
        name, total = self.fresh("k"), self.fresh("s")
        sizes = [str(self.items), str(2 * self.items)] + (["get_local_size(0)"] * 2 + ["size"] * 2 if self.isFlat else [])
        kind = self.pick(["int", "int", "int", "size_t", "uint", "long"])
        head = f"for ({kind} {name} = {self.item}; {name} < n; {name} += {self.pick(sizes)})"
        value = self.pick([f"in[{name}]", f"in[{name}] * in[n - {name}]", f"in[(int){name} + m]", f"fmax({total}, in[{name}])"])
        add = f"{total} += {value};"
        if self.chance(0.3):
            add = f"float d = {value}; if (d > 0.25f) {total} += d;"
        elif self.chance(0.3):
            inner = self.fresh("k")
            add = f"for (int {inner} = 0; {inner} < m; {inner}++) {total} += {value} * in[{inner}];"
        body.append(Node(f"float {total} = f;", fixed=True))
        body.append(Node(head, [Node("{ " + add + " }", fixed=True)], fixed=True))
        body.append(Node(f"f = f * 0.5f + {total};", fixed=True))

    def halo(self, body):
        """A tile with a neighbour on either side, which the buffer has not for all groups."""
        tile, pad = self.fresh("h"), self.rng.randint(1, 2)
        self.kernel.root.body.insert(0, Node(f"__local float {tile}[{self.gx + 2 * pad}];", fixed=True))
        edge = self.pick(["0.0f", "in[0]", "f"])
        body.append(Node(f"{tile}[lx + {pad}] = i < n ? in[i] : {edge};", fixed=True))
        left = f"{tile}[lx] = i >= {pad} && i - {pad} < n ? in[i - {pad}] : {edge};"
        right = f"{tile}[lx + {2 * pad}] = i + {pad} < n ? in[i + {pad}] : {edge};"
        body.append(Node(f"if (lx < {pad})", [Node(left, fixed=True)], fixed=True))
        body.append(Node(f"if (lx >= {self.gx - pad})", [Node(right, fixed=True)], fixed=True))
        body.append(Node(BARRIER, fixed=True))
        if self.chance(0.5):
            name = self.fresh("k")
            body.append(Node(f"for (int {name} = -{pad}; {name} <= {pad}; {name}++)", [Node(f"f += {tile}[(int)lx + {pad} + {name}] * 0.5f;")]))
        else:
            body.append(Node(f"if (i < n) out[i] = {tile}[lx] - {tile}[lx + {2 * pad}] * 2.0f;"))
        body.append(Node(BARRIER, fixed=True))

    def tree(self, body):
        array = self.pick([a for a in self.shared])
        if array.cells & (array.cells - 1):
            return
        first, second = array.at(self.item), array.at(f"{self.item} + s")
        add = f"{first} += {second};" if array.isFloat else f"{first} = ({first} + {second}) & 4095;"
        if self.chance(0.6):
            size = self.pick(["get_local_size(0)", "size"]) if self.isFlat and self.chance(0.5) else str(self.items)
            head = f"for (int s = {size} / 2; s > 0; s >>= 1)"
            body.append(Node(head, [Node(f"if ({self.item} < s)", [Node(add)]), Node(BARRIER, fixed=True)], fixed=True))
        else:
            cell, other = array.at("2 * s * lx"), array.at("2 * s * lx + s")
            add = f"{cell} += {other};" if array.isFloat else f"{cell} = ({cell} + {other}) & 4095;"
            guard = f"2 * s * lx < {self.gx}" + ("" if self.isFlat else " && ly == 0")
            head = f"for (int s = 1; s < {self.gx}; s *= 2)"
            body.append(Node(head, [Node(f"if ({guard})", [Node(add)]), Node(BARRIER, fixed=True)], fixed=True))

    def phases(self, body, depth):
        for _ in range(self.pick([1, 2, 2, 3] if depth == 0 else [1, 2])):
            roll = self.rng.random()
            if roll < 0.2 and depth < 2:
                def inside(inner):
                    self.phases(inner, depth + 1)
                body.append(self.loop(0, self.pick(["2", "3", "m", "5"]), inside, guard=True))
            elif roll < 0.3:
                self.tree(body)
            elif roll < 0.36:
                inner = []
                self.phase(inner)
                inner.append(Node(BARRIER, fixed=True))
                body.append(Node(f"if ({self.pick(['m > 2', 'get_group_id(0) != 1', 'n != 5'])})", inner))
            elif roll < 0.48 and self.isFlat and depth == 0:
                self.halo(body)
            elif roll < 0.6:
                self.strides(body)
            else:
                self.phase(body)
                body.append(Node(BARRIER, fixed=True))

    # -- the whole ----------------------------------------------------------

    def run(self):
        self.makeGroup()
        self.makeShared()
        kernel, body = self.kernel, self.kernel.root.body
        self.declare(body)
        self.fill(body)
        body.append(Node(BARRIER, fixed=True))
        self.phases(body, 0)
        guard = self.pick([None, None, "if (i < n)"])
        store = Node(f"out[{self.place}] {self.pick(['=', '+='])} f + v;")
        body.append(Node(guard, [store]) if guard else store)
        self.finish()
        return kernel

    def finish(self):
        kernel = self.kernel
        restrict = self.pick(["restrict ", ""])
        width, height = f"roundup(n,{self.gx})", str(self.gy * self.pick([1, 2]))
        total = f"{width}*{height}"
        kernel.parameters = [f"__global const float *{restrict}in", f"__global float *{restrict}out"]
        arguments = [{"Name": "in", "Type": "float", "MemoryType": "Vector", "Size": f"2*{total}+64"},
                     {"Name": "out", "Type": "float", "MemoryType": "Vector", "Size": total}]
        for array in self.shared:
            if array.isArgument:
                kernel.parameters.append(f"__local {array.element} *{array.name}")
                arguments.append({"Name": array.name, "Type": array.element, "MemoryType": "Local",
                                  "Size": str(array.cells)})
        for name in ("n", "m") + (() if self.isFlat else ("w",)):
            kernel.parameters.append(f"int {name}")
            arguments.append({"Name": name, "Type": "int", "MemoryType": "Scalar"})
        kernel.spec = {"Language": "OpenCL", "KernelName": kernel.name, "KernelFile": "fuzz.cl",
                       "Sizes": {"n": [1, 2, 3, 5, 8, 17, 33], "m": self.pick(["1", "3", "4", "min(n,6)"]), "w": width},
                       "GlobalSizeType": "OpenCL", "GlobalSize": {"X": width, "Y": height if not self.isFlat else "1"},
                       "LocalSize": {"X": str(self.gx), "Y": str(self.gy)}, "Arguments": arguments}
        if self.isFlat:
            offset = self.rng.randint(1, 5) if "get_global_id" in self.globalX and self.chance(0.4) else 0
            arguments[0]["Size"] = f"2*({width}+{offset})+64"
            arguments[1]["Size"] = f"{width}+{offset}"
            if offset:
                kernel.spec["GlobalOffset"] = {"X": str(offset)}
            del kernel.spec["Sizes"]["w"]


def makeKernel(seed, index):
    rng = random.Random(f"clopt-groups-{seed}-{index}")
    return GroupGenerator(rng, Kernel(f"g{seed}_{index}")).run()
