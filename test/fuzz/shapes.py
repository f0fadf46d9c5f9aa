# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays, their dimensions, and the variables that index them."""


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
        self.isHidden = False  # only the form that made it accesses it
        self.isTight = False  # only accessed under a condition
        self.isWritten = False  # without an owner: by atomic operations
        self.declared = None  # what the parameter points to, where accesses are cast
        self.fields = []  # of structs: pairs of a name and a type


class Index:
    def __init__(self, name, size, kind):
        self.name, self.size, self.kind = name, size, kind
        self.isUnsigned = kind in ("uint", "ulong", "size_t")
