# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forms that real kernels are written in, one method each.

A form is drawn by its name; those without a method of their own (guarded, narrow,
structs, overlap, macros) change what the generator draws elsewhere.
"""

from expressions import FLOATS
from kernel import Node
from shapes import Array, Dim, Index

FORMS = ["walk", "walk", "guarded", "guarded", "capture", "helpers", "switch", "loops", "loops", "exits", "narrow", "structs", "overlap", "macros", "configured",
         "vectors", "plain", "plain", "partners", "windows", "windows",
         "swaps", "halves", "orbits", "orbits", "bytes", "others", "batches"]
METHODS = {"walk": ["walk"], "guarded": ["guardedStore"], "capture": ["capture"], "helpers": ["memoryHelper"], "switch": ["choice"],
           "loops": ["geometric", "steps", "jump"], "exits": ["exit"], "narrow": ["smallLocal"], "structs": ["wholeStruct"],
           "configured": ["configured", "numbered"], "vectors": ["vectors"], "plain": ["counters", "several"], "partners": ["partners"],
           "windows": ["window", "window", "window", "near"], "swaps": ["swaps"], "halves": ["halfWindow"],
           "orbits": ["orbit"], "bytes": ["castRows"], "others": ["others"], "batches": ["batches"]}


class Forms:
    """A part of the generator."""

    def form(self, out, depth):
        """One statement, or some, in a form that this kernel has; False: none."""
        methods = [m for name in sorted(self.taste) for m in METHODS.get(name, []) if depth < 3 or m in ("guardedStore", "exit", "smallLocal")]
        if not methods:
            return False
        getattr(self, self.pick(methods))(out, depth)
        return True

    # -- arrays of their own ------------------------------------------------

    def ownRow(self, size, element, turns=1):
        """An output with a row of `size` cells (times `turns`) for every work-item."""
        dims = [Dim(i.size, 0, 1, i) for i in self.ids] + [Dim(size, 0, turns)]
        array = Array(self.fresh("row"), element, dims)
        array.isHidden = True
        self.arrays.append(array)
        return array

    def rowStart(self, array, at="0"):
        return self.flat(array, [self.subscript(d, array) for d in array.dims[:-1]] + [at], array.dims)

    def hiddenInput(self, dims, element=None):
        array = Array(self.fresh("src"), element or self.pick(["float", "float", "int", "uchar", "ELEM"]), dims)
        array.isHidden = True
        self.arrays.append(array)
        return array

    # -- loops --------------------------------------------------------------

    def turns(self, out, size, fill):
        """A loop of exactly `size` iterations, in one of the forms that C has."""
        name, kind = self.fresh("c"), self.pick(["int", "int", "int", "uint", "size_t", "short"])
        form = self.pick(["for", "for", "for", "while", "do", "ever", "down", "unequal"])
        if form == "down" and kind in ("uint", "size_t"):
            kind = "int"
        declared = f"{kind} {name}"
        isSpent = form in ("for", "down", "unequal") and bool(self.spent) and self.chance(0.8)
        if isSpent:
            name = declared = self.spent.pop()
            kind = "int"
        body, start, up = [], Node(f"{kind} {name} = 0;", fixed=True), Node(self.pick([f"{name}++;", f"++{name};", f"{name} += 1;"]), fixed=True)
        self.nesting.append("while")  # nothing may continue, cells are counted
        self.indices.append(Index(name, size, kind))
        fill(body, self.indices[-1])
        self.indices.pop()
        self.nesting.pop()
        if isSpent:
            self.spent.append(name)
        if form == "for":
            out.append(Node(f"for ({declared} = 0; {name} < {size}; {name}++)", body))
        elif form == "unequal":
            out.append(Node(f"for ({declared} = 0; {name} != {size}; ++{name})", body))
        elif form == "down":
            out.append(Node(f"for ({declared} = ({kind}){size} - 1; {name} >= 0; {name}--)", body))
        elif form == "while":
            out.append(start)
            out.append(Node(f"while ({name} < {size})", body + [up], fixed=False))
        elif form == "do":
            out.append(start)
            out.append(Node("do", body, tail=f" while (++{name} < {size});"))
        else:
            out.append(start)
            out.append(Node("for (;;)", [Node(f"if ({name} >= {size}) break;", fixed=True)] + body + [up]))

    def geometric(self, out, depth):
        name, size = self.fresh("d"), self.pick(self.sizeNames)
        kind = self.pick(["int", "int", "uint", "long"])
        head = self.pick([f"{kind} {name} = 1; {name} < {size}; {name} *= 2", f"{kind} {name} = 1; {name} < {size}; {name} <<= 1",
                          f"{kind} {name} = ({kind}){size} - 1; {name} > 0; {name} /= 2", f"{kind} {name} = ({kind}){size} - 1; {name} > 0; {name} >>= 1",
                          f"{kind} {name} = 1; {name} < {size}; {name} = {name} * 3 + 1", f"{kind} {name} = 1; {name} < {size}; {name} += {name}"])
        if size.isdigit() or size == "RR":
            limit = int(self.hostSize(size))
            top = self.pick([1, 2, limit // 2 or 1])
            head = self.pick([head, f"{kind} {name} = {top}; {name} > 0; {name} >>= 1", f"{kind} {name} = 1; {name} <= {limit - 1}; {name} *= 2"])
        body = []
        if self.chance(0.4):
            self.accumulator(out, f"for ({head})", Index(name, size, kind), depth)
            return
        self.within("for", body, depth + 1, [Index(name, size, kind)])
        out.append(Node(f"for ({head})", body))

    def steps(self, out, depth):
        """A while loop that advances by what it reads, perhaps beside an outer variable of the same name."""
        name, size, step = self.fresh("at"), self.pick(self.sizeNames), self.fresh("step")
        kind = self.pick(["int", "int", "uint", "size_t"])
        index = Index(name, size, kind)
        out.append(Node(f"{kind} {name} = 0;", fixed=True))
        if self.chance(0.5):
            out.append(Node(f"int {step} = {self.pick([2, 7])};", fixed=True))
            self.locals.append((step, "int"))
        source = self.hiddenInput([Dim(size)], "int")
        constant = self.chance(0.4)
        value = str(self.pick([1, 2, 3])) if constant else f"({source.name}[{name}] & 3) + 1"
        total = self.fresh("s")
        out.append(Node(f"int {total} = 0;"))
        body = [Node(f"int {step} = {value};", fixed=True), Node(f"{total} += {step} + {source.name}[{name}];")]
        self.within("while", body, depth + 1, [index])
        body.append(Node(f"{name} += {step};", fixed=True))
        out.append(Node(f"while ({name} < {size})", body))
        self.locals.append((total, "int"))
        self.store(out)

    def partners(self, out, depth):
        """A loop over all ids of a dimension, of which an id leaves out some: itself, those before or behind it."""
        own, name, total = self.pick(self.ids), self.fresh("o"), self.fresh("s")
        kind = self.pick(["int", "int", own.kind])
        source = self.hiddenInput([Dim(own.size)], "float")
        other = self.hiddenInput([Dim(own.size)]) if self.chance(0.5) else source
        test = self.pick([f"{name} != {own.name}", f"{name} != {own.name}", f"{name} < {own.name}", f"{name} > {own.name}",
                          f"{name} <= {own.name}", f"{name} >= {own.name}", f"{name} + 1 != {own.name}", f"{name} / 4 != {own.name} / 4"])
        value = self.pick([f"{source.name}[{name}]", f"({source.name}[{name}] - {source.name}[{own.name}])"])
        body = [Node(f"{total} += {value} * {other.name}[{name}];")]
        if self.chance(0.3):
            self.within("for", body, depth + 1, [Index(name, own.size, kind)])
        inner = [Node(f"if ({test})", body)] if self.chance(0.7) else [Node(f"if (!({test})) continue;", fixed=True)] + body
        out.append(Node(f"float {total} = 0.0f;", fixed=True))
        out.append(Node(f"for ({kind} {name} = 0; {name} < {own.size}; {name}++)", inner))
        self.locals.append((total, "float"))
        self.store(out)

    def window(self, out, depth):
        """A loop that counts from an id: the cells around it as far as there are any, and their sum or an extreme of them."""
        own, name, total = self.pick(self.ids), self.fresh("k"), self.fresh("s")
        form = self.pick(["clipped", "clipped", "tested", "set", "down", "ahead", "wrapped"])
        kind = "uint" if form == "wrapped" else self.pick(["int", "int", "int", "long"])
        at = own.name if own.kind == kind == "int" else f"({kind}){own.name}"
        size, reach = f"({kind}){own.size}", self.pick([1, 2, 3])
        source = self.hiddenInput([Dim(own.size)], self.pick(["float", "int", "uchar"]))
        cell = f"{source.name}[{name}]"
        element = "float" if source.element == "float" else "int"
        update = self.pick([f"{total} += {cell};", f"{total} = {cell} > {total} ? {cell} : {total};", f"if ({cell} > {total}) {total} = {cell};",
                            f"if ({total} > {cell}) {{ {total} = {cell}; }}", f"{total} = {total} <= {cell} ? {total} : {cell};"])
        low, high = f"{at} - {reach}", f"{at} + {reach}"
        first, last = f"max({low}, ({kind})0)", f"min({high}, {size} - 1)"
        body = [Node(update)]
        if self.chance(0.3):
            self.within("for", body, depth + 1, [Index(name, own.size, kind)])
        out.append(Node(f"{element} {total} = 0;", fixed=True))
        if form in ("tested", "wrapped"):  # without a sign, windows that would begin below zero are empty
            test = f"{name} < {size}" if form == "wrapped" else f"{name} >= 0 && {name} < {size}"
            head, body = f"{kind} {name} = {low}; {name} <= {high}; {name}++", [Node(f"if ({test})", body)]
        elif form == "set":
            begin, end = self.fresh("low"), self.fresh("high")
            out += [Node(f"{kind} {begin} = {low}, {end} = {high};", fixed=True), Node(f"if ({begin} < 0) {begin} = 0;", fixed=True),
                    Node(f"if ({end} >= {size}) {end} = {size} - 1;", fixed=True)]
            head = f"{kind} {name} = {begin}; {name} <= {end}; {name}++"
        elif form == "down":
            head = f"{kind} {name} = {last}; {name} >= {first}; {name}--"
        elif form == "ahead":
            head = f"{kind} {name} = {at}; {name} < min({high}, {size}); ++{name}"
        else:
            head = f"{kind} {name} = {first}; {name} <= {last}; {name}++"
        out.append(Node(f"for ({head})", body))
        self.locals.append((total, element))
        self.store(out)

    def halfWindow(self, out, depth):
        """A window of an argument's half on either side, counted from an id with or without a sign, or from its beginning."""
        own, size, name, total = self.pick(self.ids), self.pick(self.sizeNames), self.fresh("k"), self.fresh("s")
        kind = self.pick(["int", "int", "uint", "size_t", "long"])
        source = self.hiddenInput([Dim(own.size), Dim(size)], self.pick(["float", "int"]))
        element = source.element
        reach, turn = self.fresh("half"), self.fresh("n")
        half = self.pick([f"{size} / 2", f"{size} >> 1", f"({size} - 1) / 2", f"{size} / 2 + {size} % 2"])
        out += [Node(f"{element} {total} = 0;", fixed=True), Node(f"{kind} {reach} = {half};", fixed=True), Node(f"int {turn};", fixed=True),
                Node(f"{turn} = 0;", fixed=True)]
        at, end = f"({kind}){own.name}", f"({kind}){own.size}"
        form = self.pick(["ahead", "inside", "around"])
        cell = f"{source.name}[({kind}){own.name} * {size} + {turn}]"
        body, step = [Node(f"{total} += {cell};")], self.pick([f"{name}++, {turn}++", f"{turn}++, ++{name}"])
        if self.chance(0.3):
            self.within("for", body, depth + 1, [])
        if form == "ahead":
            loop = Node(f"for ({kind} {name} = {at}; {name} < {at} + {reach}; {step})", body)
        elif form == "inside":
            loop = Node(f"if ({at} >= {reach} && {at} + {reach} < {end})",
                        [Node(f"for ({kind} {name} = {at} - {reach}; {name} < {at} + {reach}; {step})", body)])
        else:
            loop = Node(f"for (int {name} = 0; {name} < (int){reach}; {step})", body)
        out.append(loop)
        self.locals.append((total, element))
        self.store(out)

    def near(self, out, depth):
        """What all work-items read, under a condition that each decides for itself."""
        own, size, name, total = self.pick(self.ids), self.pick(self.sizeNames), self.fresh("k"), self.fresh("s")
        places = self.hiddenInput([Dim(own.size)], "float")
        others, weights = self.hiddenInput([Dim(size)], "float"), self.hiddenInput([Dim(size)], self.pick(["float", "float", "uchar"]))
        d, w = self.fresh("d"), f"{weights.name}[{name}]"
        update = self.pick([f"{total} += {w} * {d};", f"{{ float {d}w = {w}; {total} += {d}w; }}", f"{total} = {w};",
                            f"if ({w} > {d}) {total} += {w}; else {total} -= {d};", f"{{ {total} += {w}; if ({d} > 1.0f) {total} -= {others.name}[{name}]; }}"])
        body = [Node(f"float {d} = {others.name}[{name}] - {places.name}[{own.name}];", fixed=True)]
        test = self.pick([f"{d} < 2.0f", f"{d} * {d} < 4.0f", f"{d} > 0.0f && {d} < 8.0f", f"{w} > {d}"])
        body.append(self.pick([Node(f"if ({test}) {update}"), Node(f"if ({test}) {update}"),
                               Node(f"{total} += {w} < {d} ? {w} : {d};"), Node(f"{total} += ({w} - {d} < 0 ? -({w} - {d}) : ({w} - {d}));")]))
        out.append(Node(f"float {total} = 0.0f;", fixed=True))
        out.append(Node(f"for (int {name} = 0; {name} < {size}; {name}++)", body))
        self.locals.append((total, "float"))
        self.store(out)

    def orbit(self, out, depth):
        """A loop that every work-item leaves when its own values say so, and what happens in it under conditions."""
        own, x, y, k, v = self.pick(self.ids), self.fresh("x"), self.fresh("y"), self.fresh("k"), self.fresh("v")
        start, table = self.hiddenInput([Dim(own.size)], "float"), self.hiddenInput([Dim(self.pick(self.sizeNames))], "float")
        row, limit = self.ownRow(1, self.pick(["int", "float", "uchar"])), self.pick([3, 7, 20])
        cell, kind = f"{row.name}[{self.rowStart(row)}]", self.pick(["int", "int", "uint", "short", "ulong"])
        whole = self.chance(0.4)
        out.append(Node(f"float {x} = {start.name}[{own.name}] * 0.25f, {y} = 0.5f;", fixed=True))
        out.append(Node(f"{kind} {k} = 0;", fixed=True))
        if whole:
            out.append(Node(f"float4 {v} = (float4)(0.0f);", fixed=True))
        far = self.pick([f"{x} * {x} + {y} * {y} > 4.0f", f"{x} > 2.0f || {y} < -1.0f", f"fabs({x} - {y}) > 1.5f", f"{x} > {table.name}[0]"])
        near = self.pick([f"{x} < {y}", f"({k} & 1) == 0", f"{x} > 0.5f && {k} > 1", f"{k} % 3 == 1"])
        j, t = self.fresh("j"), self.fresh("t")
        parts = [f"{x} = {x} * 1.25f + {y} * 0.5f;", f"{y} -= {x} * 0.75f;", f"{{ float {t} = {x}; {x} = {y} + 0.5f; {y} = {t} * 1.5f; }}",
                 f"if ({near}) {y} += {table.name}[0]; else {x} += 0.25f;", f"if ({near}) continue;", f"if ({far}) break;",
                 f"if ({near}) {{ {x} *= 1.5f; if ({far}) break; {y} = {x} + {table.name}[0]; }}",
                 f"for (int {j} = 0; {j} < 3; {j}++) {{ {x} += 0.125f; if ({far}) break; {y} += 0.25f; }}",
                 f"for (int {j} = 0; {j} < (int){k}; {j}++) {y} += 0.125f;", f"if ({near}) {cell} = {self.pick([k, '1', x + ' > 0.0f'])};"]
        if whole:
            parts += [f"if ({near}) {v} += (float4)({x}, {y}, 1.0f, {x}) * {y};", f"{v}.y = {x};", f"{v} = {v} + {x};", f"if ({near}) {v} = {v}.yzwx;"]
        body = [Node(self.pick(parts)) for _ in range(self.pick([2, 3, 4, 5]))]
        up = Node(f"{self.pick([k + '++', '++' + k, k + ' += 1'])};", fixed=True)
        form = self.pick(["while", "while", "for", "do", "ever"])
        if form == "while":
            out.append(Node(f"while ({self.pick([f'{k} < {limit} && !({far})', f'!({far}) && {k} < {limit}'])})", [up] + body))
        elif form == "for":
            counter = self.fresh("c")
            head = self.pick([f"int {counter} = 0; {counter} < {limit}; {counter}++", f"; {k} < {limit}; {k}++"])
            out.append(Node(f"for ({head})", body + [Node(f"if ({far}) break;", fixed=True)] + ([up] if counter in head else [])))
        elif form == "do":
            out.append(Node("do", [up] + body, tail=f" while ({k} < {limit} && !({far}));"))
        else:
            out.append(Node("for (;;)", [up, Node(f"if ({k} > {limit}) break;", fixed=True)] + body))
        for name in [x, y] + ([f"{v}.{self.pick('xyzw')}"] if whole else []):
            self.locals.append((name, "float"))
        self.locals.append((k, "int"))
        self.store(out)
        del self.locals[-(4 if whole else 3):]

    def others(self, out, depth):
        """What all others do to one, in vectors, where what memory says decides about each of them."""
        own, j, f, d = self.pick(self.ids), self.fresh("j"), self.fresh("f"), self.fresh("d")
        place, kinds = self.hiddenInput([Dim(own.size)], "float"), self.hiddenInput([Dim(own.size)], self.pick(["int", "uchar", "short"]))
        kind, i = self.pick(["float4", "float2"]), f"(int){own.name}"
        end = self.pick([f"(int){own.size}", f"(int){own.size}", i, f"{i} + 1"])
        skip = self.pick([f"if ({j} == {i}) continue;", f"if ({j} == {i}) continue;", f"if ({j} > {i}) break;", ""])
        number = self.pick(["7", "100", "-3", "40"])
        test = self.pick([f"{kinds.name}[{j}] == {number}", f"{kinds.name}[{j}] > 30", f"{kinds.name}[{j}] != 12 && {j} != 2", f"{place.name}[{j}] < 1.0f"])
        update = self.pick([f"{f} += {d};", f"{f} += {d};", f"{f} = {f} - {d};", f"{{ {f} = {d}; {f}.x += 1.0f; }}", f"{f}.xy += {d}.xy;", f"{f} = {f}.yxxy + {d};" if kind == "float4" else f"{f} = {f}.yx;"])
        other = self.pick(["", "", f" else {f} -= {d};"])
        moved = f"{place.name}[{j}] - {place.name}[{i}]"
        value = f"({kind})({moved}, {place.name}[{j}], 1.0f, {moved})" if kind == "float4" else f"({kind})({moved}, {place.name}[{j}])"
        body = ([Node(skip, fixed=True)] if skip else []) + [Node(f"{kind} {d} = {value};", fixed=True), Node(f"if ({test}) {update}{other}", fixed=True)]
        out.append(Node(f"{kind} {f} = ({kind})(0.0f);", fixed=True))
        out.append(Node(f"for (int {j} = 0; {j} < {end}; {j}++)", body))
        self.locals.append((f"{f}.x", "float"))
        self.locals.append((f"{f}.y", "float"))
        self.store(out)
        del self.locals[-2:]

    def batches(self, out, depth):
        """A sum of products, of cells and of weights that some ids have in common."""
        size, k, total = self.pick(self.sizeNames), self.fresh("k"), self.fresh("s")
        element = self.pick(["float", "float", "int", "double"])

        def factor():
            ids = [i for i in self.ids if self.chance(0.6)]
            names = [(i.size, f"(int){i.name}") for i in ids]
            names.insert(self.pick(range(len(names) + 1)), (size, k))
            array = self.hiddenInput([Dim(extent) for extent, _ in names], element)
            return f"{array.name}[{self.flat(array, [name for _, name in names], array.dims)}]"

        target = self.ownRow("1", element)
        out.append(Node(f"{element} {total} = 0;", fixed=True))
        out.append(Node(f"for (int {k} = 0; {k} < {size}; {k}++)", [Node(f"{total} += {factor()} * {factor()};")]))
        out.append(Node(f"{target.name}[{self.rowStart(target)}] {self.pick(['=', '+=', '='])} {total};"))

    def castRows(self, out, depth):
        """Rows of numbers in buffers of bytes, as far apart as an argument says."""
        own, size, name, total = self.pick(self.ids), self.pick(self.sizeNames), self.fresh("k"), self.fresh("s")
        element, count = self.pick([("int", 4), ("float", 4), ("short", 2), ("uint", 4), ("double", 8)])
        source = self.hiddenInput([Dim(own.size), Dim(size)], element)
        target = self.ownRow(self.pick(["1", "2", size]), element)
        source.declared, target.declared = self.pick(["uchar", "char", "uchar"]), "uchar"
        kind, pitch = self.pick(["int", "int", "uint", "long"]), self.fresh("pitch")
        self.scalars[pitch] = (kind, f"{count}*({self.hostSize(size)})")
        start, row = f"{source.name} + ({kind}){own.name} * {pitch}", self.fresh("row")
        read = f"__global const {element} *"
        if self.chance(0.4):
            out.append(Node(f"{read}{row} = ({read})({start});", fixed=True))
            cell = self.pick([f"{row}[{name}]", f"*({row} + {name})"])
        else:
            cell = f"*({read})({start} + {self.pick([f'{name} * {count}', f'sizeof({element}) * {name}'])})"
        if self.chance(0.15):
            cell = f"*({read})({source.name} + {count} * ((int){own.name} * {size} + {name}))"
        result = f"*(__global {element} *)({target.name} + {count} * ({self.rowStart(target)}))"
        out.append(Node(f"{element} {total} = 0;", fixed=True))
        out.append(Node(f"for (int {name} = 0; {name} < {size}; {name}++)", [Node(f"{total} += {cell};")]))
        out.append(Node(f"{result} {self.pick(['=', '+=', '='])} {total};"))

    def swaps(self, out, depth):
        """A small array of the work-item's own that is put in order, in part or in whole."""
        own, name = self.pick(self.ids), self.fresh("v")
        count, element = self.pick([3, 4, 5, 9]), self.pick(["float", "int", "uchar"])
        source = self.hiddenInput([Dim(own.size), Dim(count)], element)
        i, j, t = self.fresh("i"), self.fresh("j"), self.fresh("t")
        out.append(Node(f"{element} {name}[{count}];", fixed=True))
        outer = self.chance(0.4)
        if outer:
            out.append(Node(f"{element} {t};", fixed=True))
        out.append(Node(f"for (int {i} = 0; {i} < {count}; {i}++)", [Node(f"{name}[{i}] = {source.name}[{own.name} * {count} + {i}];", fixed=True)], fixed=True))
        form = self.pick(["pairs", "bubbles", "insert", "same"])
        a, b = {"pairs": (f"{name}[{i}]", f"{name}[{j}]"), "bubbles": (f"{name}[{j}]", f"{name}[{j} + 1]"), "insert": (f"{name}[{j}]", f"{name}[{i}]"),
                "same": (f"{name}[{i}]", f"{name}[({i} + {j}) % {count}]")}[form]
        head = f"{t} = {a};" if outer else f"{element} {t} = {a};"
        swap = self.pick([f"{head} {a} = {b}; {b} = {t};", f"{head} {a} = {b}; {b} = {t};", f"{a} = {b};", f"{a} = {b}; {b} = {self.pick(['1', '0'])};"])
        test = self.pick([f"{a} > {b}", f"{a} > {b}", f"{b} < {a}", f"{a} > {b} && {a} > 1"])
        first, last = {"pairs": (f"{i} + 1", str(count)), "bubbles": ("0", f"{count - 1} - {i}"), "insert": ("0", i), "same": ("0", str(count))}[form]
        inner = Node(f"for (int {j} = {first}; {j} < {last}; {j}++)", [Node(f"if ({test}) {{ {swap} }}", fixed=True)], fixed=True)
        out.append(Node(f"for (int {i} = 0; {i} < {count}; {i}++)", [inner], fixed=True))
        self.locals.append((f"{name}[{self.pick([0, count // 2, count - 1])}]", "float" if element == "float" else "int"))
        self.store(out)
        self.locals.pop()

    def jump(self, out, depth):
        """Counted loops in other forms than `for`, with anything in them."""
        def fill(body, index):
            self.scope(body, depth + 1)
        self.turns(out, self.pick(self.sizeNames), fill)

    def exit(self, out, depth):
        innermost = self.nesting[-1:] or ["none"]
        loops = [n for n in self.nesting if n != "switch"][-1:]
        jumps = ["return"] if self.chance(0.4) or innermost == ["none"] else ["break"]
        if loops == ["for"]:
            jumps += ["continue"]
        test, jump = self.condition(), self.pick(jumps)
        if self.chance(0.3):
            body = []
            self.store(body)
            out.append(Node(f"if ({test})", body + [Node(f"{jump};")]))
        else:
            out.append(Node(f"if ({test}) {jump};"))

    # -- pointers that move -------------------------------------------------

    def walk(self, out, depth):
        size, turns = self.pick(self.sizeNames), self.pick([1, 1, 1, 2])
        element = self.pick(["float", "float", "int", "short", "double"])
        row = self.ownRow(size, element, turns)
        isBackward = self.chance(0.2)
        q = self.fresh("q")
        start = self.rowStart(row) if not isBackward else f"{self.rowStart(row)} + {row.dims[-1].extent()}"
        isCounted = self.chance(0.35)
        if isCounted:
            out.append(Node(f"int {q} = {start};", fixed=True))
        elif self.chance(0.25) and not self.nesting:
            q = row.name
            out.append(Node(f"{q} += {start};", fixed=True))
        else:
            out.append(Node(f"__global {element} *{q} = {row.name} + {start};", fixed=True))
        source, move = self.movingInput(out, size)
        write = self.pick(["*{q}++ = {v};", "*{q}++ = {v};", "*({q}++) = {v};", "*{q} = {v}, {q}++;", "{q}[0] = {v}; {q} += 1;"])
        if isBackward:
            write = self.pick(["*--{q} = {v};", "{q} -= 1; *{q} = {v};"])
        if isCounted:
            write = row.name + self.pick(["[--{q}] = {v};", "[{q} -= 1] = {v};"] if isBackward else
                                         ["[{q}++] = {v};", "[{q}++] = {v};", "[{q}] = {v}, {q}++;", "[(++{q}) - 1] = {v};"])
        isSure = self.chance(0.7)
        for turn in range(turns):
            if turn and self.chance(0.5):
                source, move = self.movingInput(out, size)
            elif turn:
                source, move = self.leaf("float"), []
            self.turns(out, size, lambda body, index: self.walkStep(body, (write, q, element, isSure), source, move))
        if isSure and not isBackward and self.chance(0.4):
            kind = self.computeType(element)
            self.locals.append((f"{row.name}[{q} - 1]" if isCounted else f"{q}[-1]", kind))
            self.store(out)
            self.locals.pop()

    def walkStep(self, body, target, source, move):
        write, q, element, isSure = target
        value = source if self.chance(0.5) else f"({source}) * 2" if self.chance(0.5) else f"{source} + {self.leaf('float')}"
        if element in ("int", "short"):
            value = f"convert_{element}_sat((float)({value}))"
        node = Node(write.format(q=q, v=value))
        if not isSure:
            other = Node(write.format(q=q, v=1))
            node = Node(f"if ({self.condition()})", [node], [other] if self.chance(0.5) else None)
        body += [node] + [Node(text) for text in move]
        if self.chance(0.15):
            self.store(body)

    def movingInput(self, out, size):
        """A pointer to a row or a column of an input, or a counter, what it points to, and how it moves."""
        index, p = self.pick(self.indices), self.fresh("p")
        isColumn = self.chance(0.6)
        dims = [Dim(size), Dim(index.size)] if isColumn else [Dim(index.size), Dim(size)]
        array = self.hiddenInput(dims)
        start = index.name if isColumn else f"{index.name} * {size}"
        by = index.size if isColumn else "1"
        form = self.pick(["after", "after", "within", "before", "subscript"])
        if isColumn and form == "within":
            form = "after"
        if self.chance(0.3):
            out.append(Node(f"int {p} = {start}{f' - {by}' if form == 'before' else ''};", fixed=True))
            if form == "before":
                return f"{array.name}[{p} += {by}]", []
            return (f"{array.name}[{p}++]", []) if form == "within" else (f"{array.name}[{p}]", [f"{p} += {by};"])
        if form == "before":
            out.append(Node(f"__global const {array.element} *{p} = {array.name} + {start} - {by};", fixed=True))
            return self.pick([f"*({p} += {by})", f"{p}[{by}]"]), []
        out.append(Node(f"__global const {array.element} *{p} = {array.name} + {start};", fixed=True))
        if form == "within":
            return f"*{p}++", []
        value = f"*{p}" if form == "after" else f"{p}[0]"
        return value, [f"{p} += {by};" if by != "1" else self.pick([f"{p}++;", f"++{p};", f"{p} += 1;"])]

    # -- writes under a condition -------------------------------------------

    def guardedStore(self, out, depth):
        """Writes of a row without room around it; the condition keeps them inside."""
        size = self.pick([i.size for i in self.indices[len(self.ids):]] or self.sizeNames)
        names = [i for i in self.indices[len(self.ids):] if i.size == size]
        array = self.ownRow(size, self.pick(["float", "float", "int"]))
        kind = self.computeType(array.element)
        by = self.rng.randint(1, 3)
        if names:
            name = self.pick(names).name
            at, test = self.pick([(f"{name} + {by}", f"{name} + {by} < {size}"), (f"{name} - {by}", f"{name} >= {by}"), (f"{name} - 1", f"{name} > 0")])
        else:
            name, at, test = "0", str(by), f"{size} > {by}"
        target, other = f"{array.name}[{self.rowStart(array, at)}]", f"{array.name}[{self.rowStart(array, name)}]"
        value, second = self.expr(kind, 1), self.expr(kind, 1)
        form = self.pick(["and", "and", "or", "choice", "if", "test"])
        if form == "and":
            out.append(Node(f"(void)({test} && ({target} = {value}));"))
        elif form == "or":
            out.append(Node(f"(void)(!({test}) || ({target} = {value}));"))
        elif form == "choice":
            out.append(Node(f"{test} ? ({target} = {value}) : ({other} = {second});"))
        elif form == "if":
            out.append(Node(f"if ({test})", [Node(f"{target} = {value};")]))
        else:
            out.append(Node(f"if ({test} && ({target} = {value}) > 0)", [Node(f"{other} = {second};")]))

    # -- helpers ------------------------------------------------------------

    def capture(self, out, depth):
        """A helper that means something else by a name that the kernel has for a variable."""
        name, call = f"{self.pick(['base', 'step', 'scale'])}_{self.fresh(self.tag + '_')}", f"plus_{self.fresh(self.tag + '_')}"
        ways = {
            "constant": [f"__constant int {name} = 5;", f"static int {call}(int x) {{ return x + {name}; }}"],
            "enum": [f"enum {{ {name} = 3, {name}_more = 7 }};", f"static int {call}(int x) {{ return x * {name} + {name}_more; }}"],
            "typedef": [f"typedef int {name};", f"static int {call}(int x) {{ {name} y = x * 2; return ({name})(y + 1); }}"],
            "macro": [f"#define {name} 4", f"static int {call}(int x) {{ return x + {name}; }}", f"#undef {name}"],
            "late": [f"#define {call}(x) ((x) * 2 + {name})"],
            "table": [f"__constant int {name}[4] = {{3, 1, 4, 1}};", f"static int {call}(int x) {{ return {name}[x & 3]; }}"],
            "function": [f"static int {name}(int x) {{ return x - 1; }}", f"static int {call}(int x) {{ return {name}(x) * 2; }}"],
            "local": [f"static int {call}(int x) {{ int {name} = x & 3; if (x > 2) {name} += 5; return {name} + x; }}"],
            "parameter": [f"static int {call}(int {name}) {{ if ({name} > 2) return {name} - 2; return {name}; }}"],
        }
        self.kernel.prefix += self.ways(ways)
        size, kind = self.pick(self.sizeNames), self.pick(["int", "int", "uint", "short"])
        if self.chance(0.6):
            body = []
            uses = [(f"{call}((int){name})", "int")]
            saved = list(self.locals)
            self.locals += uses * 2
            self.indices.append(Index(name, size, kind))
            self.nesting.append("for")
            if self.chance(0.5):
                self.accumulator(body, f"for (int {self.fresh('r')} = 0; r{self.counter} < {size}; r{self.counter}++)", Index(f"r{self.counter}", size, "int"), depth)
            else:
                self.scope(body, depth + 1)
            self.nesting.pop()
            self.indices.pop()
            self.locals = saved
            out.append(Node(f"for ({kind} {name} = 0; {name} < {size}; {name}++)", body))
            return
        out.append(Node(f"int {name} = {self.leafInt()} & 15;", fixed=True))
        self.locals += [(f"{call}({name})", "int"), (name, "int")]
        self.store(out)

    def ways(self, ways):
        return ways[self.pick(sorted(ways))]

    def leafInt(self):
        return f"({self.leaf('int')})"

    def memoryHelper(self, out, depth):
        """Helpers that read, write or sum what a pointer shows them; their names are the kernel's, too."""
        call = f"h_{self.fresh(self.tag + '_')}"
        index, size = self.pick(self.indices), self.pick(self.sizeNames)
        id0 = self.ids[0].name
        form = self.pick(["get", "put", "sum", "split", "first"])
        prefix = self.kernel.prefix
        if form == "put":
            array = self.ownRow("2", "float")
            body = self.pick(["p[n] = v;", "if (v > 0) p[n] = v; else p[n + 1] = -v;", "*(p + n) = v; p[n + 1] += 1.0f;"])
            prefix.append(f"static void {call}(__global float *p, int n, float v) {{ {body} }}")
            out.append(Node(f"{call}({array.name}, (int)({self.rowStart(array)}), {self.expr('float', 1)});"))
            return
        if form == "split":
            first, second = self.fresh("u"), self.fresh("v")
            prefix.append(f"static void {call}(int {id0}, int *{first}, int *{second}) {{ *{first} = {id0} / 4; *{second} = {id0} % 4; }}")
            out.append(Node(f"int {first}, {second};", fixed=True))
            out.append(Node(f"{call}((int){index.name}, &{first}, &{second});", fixed=True))
            self.locals += [(first, "int"), (second, "int")]
        else:
            dims = [Dim(index.size), Dim(size)]
            array = self.hiddenInput(dims, "float")
            start = self.flat(array, [index.name, "0"], dims)
            bodies = {"get": "return n > 1 ? p[n - 1] : p[0];",
                      "sum": f"float s = 0.0f; for (int {id0} = 0; {id0} < n; {id0}++) s += p[{id0}]; return s;",
                      "first": f"for (int {id0} = 0; {id0} < n; {id0}++) if (p[{id0}] > 0.5f) return p[{id0}]; return 0.0f;"}
            prefix.append(f"static float {call}(__global const float *p, int n) {{ {bodies[form]} }}")
            value = self.fresh("t")
            out.append(Node(f"float {value} = {call}({array.name} + {start}, (int){size});", fixed=True))
            self.locals.append((value, "float"))
        self.store(out)

    # -- other statements ---------------------------------------------------

    def choice(self, out, depth):
        """A switch, whose groups mostly end in a break."""
        index, count = self.pick(self.indices), self.pick([2, 3, 4])
        name = self.fresh("w")
        out.append(Node(f"int {name} = {self.pick([0, 1, 5])};"))
        self.locals.append((name, "int"))
        cases = []
        for value in range(count):
            label = "default:" if value == count - 1 and self.chance(0.7) else f"case {value}:"
            body = []
            self.nesting.append("switch")
            if self.chance(0.5):
                body.append(Node(f"{name} {self.pick(['=', '+='])} {self.leafInt()} & 63;"))
            if self.chance(0.6) or not body:
                self.store(body)
            if self.chance(0.15):
                self.exit(body, depth)
            self.nesting.pop()
            if self.chance(0.8):
                body.append(Node("break;"))
            cases.append(Node(label, body))
        out.append(Node(f"switch ({index.name} % {count})", cases))
        self.store(out)

    def smallLocal(self, out, depth):
        """A variable of a narrow type, which wraps."""
        name, kind = self.fresh("b"), self.pick(["uchar", "ushort", "char", "short"])
        out.append(Node(f"{kind} {name} = ({kind})({self.expr('int', 1)});"))
        self.locals.append((name, "int"))
        if self.chance(0.5):
            size = self.pick(self.sizeNames)
            self.turns(out, size, lambda body, index: body.append(Node(f"{name} {self.pick(['+=', '-=', '^='])} ({kind})({self.expr('int', 1)});")))
        self.store(out)

    def wholeStruct(self, out, depth):
        """A structure that is copied, changed and stored."""
        sources = [a for a in self.arrays if a.fields and a.isParameter and not a.isHidden and not a.shift]
        if not sources:
            array = Array(self.fresh("in"), "struct", [Dim(self.pick(self.indices).size)])
            self.makeFields(array)
            self.arrays.append(array)
            sources = [array]
        source, name = self.pick(sources), self.fresh("e")
        out.append(Node(f"{source.element} {name} = {source.name}[{self.place(source)}];", fixed=True))
        field, kind = self.pick(source.fields)
        value = self.expr("float", 1) if kind in FLOATS else self.expr("int", 1)
        out.append(Node(f"{name}.{field} {'+=' if kind in FLOATS else '='} {value};"))
        self.locals.append((f"{name}.{field}", kind if kind in FLOATS else "int"))
        target = self.ownRow(self.pick(["1", "2"]), source.element)
        target.fields = source.fields
        out.append(Node(f"{target.name}[{self.rowStart(target)}] = {name};"))
        self.store(out)

    def configured(self, out, depth):
        """Statements that are only there with some flags."""
        name = f"CFG_{self.fresh(self.tag + '_')}"
        marks, flag, other = self.pick([
            (f"#ifdef {name}", f"-D{name}", None), (f"#ifdef {name}", None, f"-D{name}"), (f"#ifndef {name}", f"-D{name}", None),
            (f"#if {name} > 1", f"-D{name}=2", f"-D{name}=1"), (f"#if defined({name}) && {name} == 3", f"-D{name}=4", f"-D{name}=3")])
        self.configure(flag, other)
        first, second = [], []
        self.scope(first, depth + 1)
        if self.chance(0.6):
            self.scope(second, depth + 1)
        # A block: what they declare ends with them.
        out.append(Node("", [Node("", first, second or None, marks=(marks, "#else", "#endif"))]))

    def numbered(self, out, depth):
        """A number of the flags beside operators; other flags have the same number in another way."""
        name, value = f"NUM_{self.fresh(self.tag + '_')}", self.pick([2, 3, 4, 8])
        other = self.pick([f"{value - 1}+1", f"1?{value}:9", f"{value}|{value}", f"{value * 2}/2", f"{value}*1", f"({value})", f"{value}u",
                           f"{value + 1}"])
        self.configure(f"-D{name}={value}", f"-D{name}={other}")
        total, count = self.fresh("t"), self.fresh("c")
        out.append(Node(f"float {total} = 0;", fixed=True))
        # i < 2 * 3|3 is (i < 6) | 3: that loop has to end as well.
        end = f" && {count} < 20" if "|" in other or "?" in other else ""
        out.append(Node(f"for (int {count} = 0; {count} < 2 * {name}{end}; {count}++)", [Node(f"{total} += {self.expr('float', 1)} * {count};")]))
        self.locals += [(total, "float"), (f"(7 - {name} * 2)", "int")]

    def vectors(self, out, depth):
        width = self.pick([2, 4, 4, 8])
        index, name = self.pick(self.indices), self.fresh("v")
        source, target = self.hiddenInput([Dim(index.size), Dim(str(width))], "float"), self.ownRow(str(width), "float")
        kind = f"float{width}"
        row = self.flat(target, [self.subscript(d, target) for d in target.dims[:-1]], target.dims[:-1])
        read = self.pick([f"vload{width}({index.name}, {source.name})", f"((__global const {kind} *){source.name})[{index.name}]"])
        out.append(Node(f"{kind} {name} = {read};", fixed=True))
        swizzle = {2: [".yx", ""], 4: [".wzyx", ".xxyy", ""], 8: [".s76543210", ""]}[width]
        parts = ", ".join(self.pick([f"{name}.{'xy'[c % 2]} * 0.5f - {name}.y * 0.25f", f"{name}.x", self.leaf("float"), f"{name}.y * {self.leaf('float')}"])
                          for c in range(width))
        change = self.pick([f"{name} = {name}{self.pick(swizzle)} * 0.5f + ({kind})({self.leaf('float')});", f"{name}.{self.pick('xy')} += {self.expr('float', 1)};",
                            f"{name} += ({kind})({self.leaf('float')});", f"{name} = fmax({name}, ({kind})(0.25f));",
                            f"{name} {self.pick(['=', '+=', '-='])} ({kind})({parts});", f"{name}.xy = {name}.yx * 0.5f + {self.leaf('float')};",
                            f"if ({name}.x < {self.leaf('float')}) {self.pick([f'{name}.y = {name}.x', f'{name} = -{name} * 0.5f'])};",
                            f"{name} += {name}.x * {name}.y > 1.0f ? -{name} : {name} * 0.125f;"])
        if self.chance(0.5):
            self.turns(out, self.pick(self.sizeNames), lambda body, _: body.append(Node(change)))
        else:
            out.append(Node(change))
        out.append(Node(self.pick([f"vstore{width}({name}, {row}, {target.name});", f"((__global {kind} *){target.name})[{row}] = {name};"])))
        self.locals.append((f"{name}.{self.pick('xy')}", "float"))

    def counters(self, out, depth):
        """Atomic operations, the results of which nobody looks at."""
        array = Array(self.fresh("count"), self.pick(["int", "uint"]), [Dim("4")])
        array.isHidden = array.isWritten = True
        self.arrays.append(array)
        at = f"&{array.name}[{self.pick(self.indices).name} & 3]"
        out.append(Node(self.pick([f"atomic_add({at}, 1);", f"atomic_inc({at});", f"atomic_or({at}, 2);", f"atomic_max({at}, 40);"])))

    def several(self, out, depth):
        """Several declarators, two variables of a loop, and values by commas."""
        first, second, size = self.fresh("x"), self.fresh("y"), self.pick(self.sizeNames)
        out.append(Node(f"int {first} = {self.leafInt()} & 31, {second} = {self.pick([0, 3])};", fixed=True))
        self.locals += [(first, "int"), (second, "int")]
        name = self.fresh("r")
        body = []
        saved = list(self.writable)
        self.within("for", body, depth + 1, [Index(name, size, "int")])
        self.writable = saved
        out.append(Node(self.pick([f"for (int {name} = 0; {name} < {size}; {name}++, {second} += 2)",
                                   f"for ({second} = 1, {first}++; {second} < 6; {second}++) for (int {name} = 0; {name} < {size}; {name}++)"]), body))
        self.store(out)
