# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random recipes for a kernel: most orders of steps that make sense are likely."""

import pathlib
import re

STEP_TABLE = pathlib.Path(__file__).resolve().parents[2] / "lib/Support/Steps.def"

# How a step of a recipe is made: name -> line of text. The other steps of the
# table are made in a general way.
STEPS = {
    "privatize": lambda g: f"privatize {g.array()}",
    "hoist": lambda g: f"hoist {g.pick([g.array(), g.loop(), g.loop()])}",
    "layout": lambda g: f"layout {g.array()}{g.pick(['', '', ' planes local', ' transpose local'])}",
    "vectorize": lambda g: g.vectorize(),
    "coarsen": lambda g: f"coarsen {g.work()}:{g.pick([2, 2, 3, 4, 8])}{g.pick(['', '', ' stride'])}",
    "unroll": lambda g: f"unroll {g.loop()}{g.pick(['', ':2', ':3', ':4', ' pragma'])}",
    "select": lambda g: f"select {g.value()}",
    "tile": lambda g: g.tile(),
    "stage": lambda g: g.stage(),
    "forward": lambda g: f"forward {g.array()}",
    "pad": lambda g: f"pad {g.array()}:{g.pick([1, 2, 5])}{g.pick(['', '', ' every=2', ' every=8'])}",
    "map": lambda g: f"map {g.loop()}{g.pick(['', '', ' slow'])}",
    "interchange": lambda g: g.pick([f"interchange {g.loop()} {g.loop()}", f"interchange {g.work()} {g.work()}"]),
    "split-reduction": lambda g: f"split-reduction {g.loop()}:{g.pick([2, 4, 8, 16])}",
    "strength": lambda g: f"strength {g.value()}{g.pick(['', ' mul24', ' add', ' add', ' rows', ' rows'])}",
    "rounds": lambda g: f"rounds {g.loop()}:{g.pick([2, 3, 4, 8])}{g.pick(['', ' together'])}",
    "symmetric": lambda g: f"symmetric {g.work()} {g.work()}",
    "otherwise": lambda g: "otherwise",
    "require": lambda g: f"require {g.loop()}:{g.pick([1, 2, 2, 3])}{g.pick(['', '', ' items=2', ' group=3', ' below=5'])}",
}

CHANGES = ["transpose", "transpose", "reverse", "offset:1", "offset:-2", "skew:1", "stride:2", "stride:3,1", ""]


def names(g, targets):
    """What makes a name of the kind of targets that the table of steps says."""
    return {
        "Arrays": g.array, "LocalArrays": g.array, "ArraysOrVariables": g.value, "Dimensions": g.work, "Axes": g.axis,
    }.get(targets, g.loop)()


def general(step, targets, flags):
    """Lines of a step that has no entry above: one or two targets, numbers or none."""
    def make(g):
        words = [step] + [names(g, targets) + g.pick(["", ":1", ":2", ":3"]) for _ in range(g.pick([1, 2]))]
        if g.chance(0.3):
            words = [word.split(":")[0] for word in words]
        return " ".join(words + [g.pick(["", *flags])]).rstrip()
    return make


def addOthers():
    """Steps of the table that have no entry yet."""
    entry = r'^CLOPT_STEP\(\w+, "([\w-]+)", (\w+), [\w |]+, "([^"]*)"'
    for step, targets, flags in re.findall(entry, STEP_TABLE.read_text(), flags=re.M):
        STEPS.setdefault(step, general(step, targets, flags.split()))


addOthers()


class Recipes:
    """Random steps on the names of one kernel."""

    def __init__(self, rng, kernel):
        self.rng, self.names = rng, kernel.names()

    def pick(self, items):
        return self.rng.choice(items)

    def chance(self, p):
        return self.rng.random() < p

    def work(self):
        return self.pick(self.names["work"])

    def loop(self):
        return self.pick(self.names["loops"] or ["none"])

    def axis(self):
        return self.pick(self.names["work"] + self.names["loops"])

    def array(self):
        return self.pick(self.names["arrays"])

    def value(self):
        """Of an array or of a private variable."""
        return self.pick(self.names["private"]) if self.names["private"] and self.chance(0.4) else self.array()

    def tile(self):
        """One axis, or several loops, which are a block where they are nested."""
        loops = self.names["loops"]
        if len(loops) > 1 and self.chance(0.3):
            return "tile " + " ".join(f"{name}:{self.pick([2, 3, 4, 8])}" for name in loops[:3])
        return f"tile {self.axis()}:{self.pick([2, 3, 4, 6, 8, 16, 32])}"

    def vectorize(self):
        """Lanes along work-items or a loop; aligned vectors are for work-items."""
        if self.chance(0.2):
            return f"vectorize {self.work()}:{self.pick([2, 4])} aligned"
        return f"vectorize {self.axis()}:{self.pick([2, 4, 8, 16])}{self.pick(['', '', '', ' load=2', ' load=4'])}"

    def stage(self):
        """A section of an input, or a table of constants."""
        tables = self.names["tables"]
        if tables and self.chance(0.5):
            return f"stage {self.pick(tables)} constant"
        return f"stage {self.input()}{self.pick(['', '', ' pad=1', ' pad=3', ' private', ' converted'])}"

    def input(self):
        return self.pick(self.names["inputs"] or self.names["arrays"])

    def staged(self):
        """Tiles of work-items and loops, a few points each, staged inputs."""
        lines = []
        for name in self.names["work"]:
            points = self.pick([1, 1, 2, 2, 4])
            if points > 1:
                step = "vectorize" if self.chance(0.2) else "coarsen"
                aligned = " aligned" if step == "vectorize" and self.chance(0.5) else ""
                lines.append(f"{step} {name}:{points}{aligned}")
            if self.chance(0.85):
                lines.append(f"tile {name}:{points * self.pick([2, 4, 8, 8, 16])}")
        loops = self.names["loops"]
        if len(loops) > 1 and self.chance(0.4):
            # One block of nested loops, for sections of its tiles.
            lines.append("tile " + " ".join(f"{name}:{self.pick([2, 3, 4])}" for name in loops[:3]))
        else:
            lines += [f"tile {name}:{self.pick([2, 4, 5, 8])}" for name in loops if self.chance(0.5)]
        for name in self.names["inputs"]:
            if self.chance(0.8):
                lines.append(f"stage {name}{self.pick(['', '', ' pad=1', ' converted', ' private'])}")
                if name in self.names["vectors"] and self.chance(0.4):
                    lines.append(f"layout {name} planes local")
        return lines + [f"stage {name} constant" for name in self.names["tables"] if self.chance(0.5)]

    def along(self):
        """Registers first, then lanes or points, as the planner does it."""
        lines = [f"privatize {name}" for name in self.names["arrays"] if self.chance(0.5)]
        lines += [f"select {self.value()}" for _ in range(self.pick([0, 0, 1]))]
        lines.append(self.vectorize() if self.chance(0.7) else f"map {self.loop()}")
        lines += [f"coarsen {self.work()}:{self.pick([2, 4])}" for _ in range(self.pick([0, 1, 1]))]
        return lines + [f"unroll {self.loop()}{self.pick(['', ':2', ':4'])}" for _ in range(self.pick([0, 1]))]

    def shared(self):
        """Registers, then loops that the same number of work-items share."""
        lines = [f"privatize {name}" for name in self.names["arrays"] if self.chance(0.7)]
        lanes = self.pick([2, 4, 4, 8, 16])
        for name in self.names["loops"]:
            if self.chance(0.2):
                lines.append(f"unroll {name}:{self.pick([2, 3])}")
            lines.append(f"split-reduction {name}:{lanes}")
        return lines

    def make(self):
        roll = self.rng.random()
        if roll > 0.94 and self.names["loops"]:
            return self.shared()
        if self.names["waits"] and self.chance(0.4):
            step = STEPS[self.pick(sorted(STEPS))](self)
            return [f"vectorize {self.work()}:{self.pick([2, 4, 8, 8])}"] + [step] * self.pick([0, 0, 1])
        lines = self.staged() if roll < 0.4 else self.along() if roll < 0.7 else []
        for _ in range(self.pick([0, 1, 2, 3] if lines else [1, 2, 3, 4, 5])):
            line = STEPS[self.pick(sorted(STEPS))](self)
            lines.insert(self.rng.randint(0, len(lines)), line)
        return lines

    def copies(self):
        """For the kernel of a plan: buffers in other layouts first, then other steps; or loops that are shared."""
        if self.names["loops"] and self.chance(0.3):
            return self.shared()
        lines = []
        for _ in range(self.pick([1, 1, 2])):
            change = self.pick(CHANGES)
            if not change:
                lines.append(f"layout {self.array()} image")
            else:
                pad = self.pick(["", "", "", " pad=4"])
                lines.append(f"layout {self.array()} {change}{pad} buffer")
        return lines + self.make()[:self.pick([0, 1, 2, 4])]
