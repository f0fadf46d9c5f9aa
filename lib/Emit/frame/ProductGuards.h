//===- ProductGuards.h - checks of products that cannot wrap ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `rows * n + columns <= 4294967296` as conditions in `ulong`. Arithmetic of
// the check itself must not wrap: factors are brought below 2^32 first, and
// where a product or a sum could still leave 64 bits, its parts are checked one
// after the other.
//
// Tested by test/unit/ProductGuardsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_PRODUCTGUARDS_H
#define CLOPT_EMIT_PRODUCTGUARDS_H

#include "Emit/print/LinearForm.h"
#include "Model/KernelModel.h"

#include <map>
#include <string>
#include <vector>

namespace clopt {

/// A symbol of a bound as it is written.
struct ProductFactor {
  std::string text; ///< binds as tightly as a postfix expression
  /// It is at least 0 and at most this; 2^32 or more: not known.
  uint64_t maximum = UINT64_MAX;
};

/// Conditions to be joined by &&: together they imply the bound, and they hold
/// whenever the bound holds and no factor is 0 or above 2^32 - 1.
std::vector<Conjunct>
printProductBound(const ProductBound &bound,
                  const std::map<SymbolId, ProductFactor> &factors);

} // namespace clopt

#endif // CLOPT_EMIT_PRODUCTGUARDS_H
