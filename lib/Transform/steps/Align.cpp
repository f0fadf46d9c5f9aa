//===- Align.cpp - contiguous accesses as aligned vectors -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `vectorize x:8 aligned` reads `a[y * w + x]` for eight x as one uchar8
// at an aligned address, where vload8 only promises the alignment of uchar. The
// offset must be a multiple of the number of lanes but for constants, for every
// tile: arguments that multiply an id or a loop variable (`w` here) have to be
// multiples, which a guard checks. Accesses for which no such argument can be
// named stay as they are.
//
// Reference: H. Jia et al., cross-platform optimization of Laplace image
// enhancement (vector width of loads and stores).
//
// Tested by test/unit/VectorizeTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/LaneForms.h"
#include "Analysis/access/Selections.h"

#include <algorithm>

namespace clopt {

/// The access without choices, if its address advances by one element per lane.
static std::optional<Polynomial>
contiguousOffset(const TransformedKernel &kernel, const Access &access,
                 SymbolId axis) {
  const KernelModel &model = *kernel.model;
  const Array &array = model.arrays[access.array];
  bool isPlain = isLaneType(array.elementType) &&
                 array.elementBytes == array.elementType.size &&
                 (array.space == AddressSpace::Global ||
                  array.space == AddressSpace::Constant);
  if (!isPlain || !access.offset || access.width != 1 || access.isOrdered)
    return std::nullopt;
  Polynomial offset = resolve(model, *access.offset, kernel.selections);
  std::optional<Polynomial> step = laneStride(model, offset, axis, 1);
  if (!step || *step != Polynomial(1))
    return std::nullopt;
  return offset;
}

/// Arguments that multiply something which is not constant in a tile; false
/// when a term has none.
static bool findMultiples(const KernelModel &model, const Polynomial &offset,
                          SymbolId axis, int64_t lanes,
                          std::set<SymbolId> &multiples) {
  // Terms with a single argument leave no choice; they come first.
  for (unsigned most : {1u, 3u})
    for (const auto &[monomial, coefficient] : offset.terms) {
      std::vector<SymbolId> arguments;
      bool isKnown = coefficient % lanes == 0 || monomial.empty();
      bool isIterator = true;
      for (SymbolId id : monomial) {
        const Symbol &symbol = model.symbols[id];
        isKnown |= multiples.count(id) || (id == axis && monomial.size() == 1);
        isIterator &= symbol.kind == SymbolKind::Iterator;
        if (symbol.kind == SymbolKind::Param && symbol.var)
          arguments.push_back(id);
      }
      // Loops that are written out have constants for iterators.
      if (isKnown || isIterator || arguments.size() > most)
        continue;
      if (arguments.empty())
        return false;
      multiples.insert(arguments.front());
    }
  return true;
}

StepResult alignAccesses(TransformedKernel &kernel, unsigned dim) {
  const KernelModel &model = *kernel.model;
  if (kernel.hasGroupLanes())
    return refuse("clopt-group-shape",
                  "where groups begin is not known to be aligned");
  SymbolId axis = *model.symbols.find(SymbolKind::GlobalId, dim);
  int64_t lanes = kernel.work[dim].lanes;
  for (const Access &access : model.accesses) {
    std::optional<Polynomial> offset = contiguousOffset(kernel, access, axis);
    if (!offset)
      continue;
    std::set<SymbolId> multiples = kernel.multiples;
    if (!findMultiples(model, *offset, axis, lanes, multiples))
      continue;
    kernel.multiples = std::move(multiples);
    kernel.alignedArrays.insert(access.array);
  }
  if (kernel.alignedArrays.empty())
    return refuse("clopt-not-profitable",
                  "no array is read or written in aligned vectors", "",
                  model.function->range);
  return std::nullopt;
}

} // namespace clopt
