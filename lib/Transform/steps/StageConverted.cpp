//===- StageConverted.cpp - sections that hold converted cells ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices convert integers to floating types at a fraction of the rate of their
// arithmetic. When every use of a section converts the cell to one and the same
// type, it is converted once, when it is copied in.
//
// Tested by test/unit/StageConvertedTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Conversions.h"
#include "Transform/steps/Stager.h"

#include <algorithm>

namespace clopt {

/// Types that reads of integers are converted to, by access.
static std::map<unsigned, std::set<ScalarKind>>
conversionsIn(const KernelModel &model) {
  std::map<unsigned, std::set<ScalarKind>> result;
  for (const Statement &statement : model.statements) {
    if (!statement.stmt)
      continue;
    StmtRef alias(StmtRef(), statement.stmt);
    forEachExpr(alias, [&](const ExprRef &expr) {
      const Expr *cell = convertedInteger(*expr);
      auto read = cell ? model.reads.find(cell) : model.reads.end();
      if (read != model.reads.end())
        result[read->second].insert(expr->type.scalar);
    });
  }
  return result;
}

StepResult convertCells(const TransformedKernel &kernel,
                        std::vector<ArrayTile> &tiles) {
  const KernelModel &model = *kernel.model;
  if (kernel.hasLanes())
    return refuse("clopt-dependence",
                  "vectors are loaded before they are converted");
  auto conversions = conversionsIn(model);
  for (ArrayTile &tile : tiles) {
    std::set<ScalarKind> kinds;
    // A member that is converted leaves the others of its cell as they are.
    const Type &cell = model.arrays[tile.array].elementType;
    bool all = tile.copyIn && (cell.isScalar() || cell.isVector());
    for (unsigned id : tile.accesses) {
      all &= conversions.count(id) != 0;
      if (all)
        kinds.insert(conversions[id].begin(), conversions[id].end());
    }
    bool isKnown =
        kinds.count(ScalarKind::Float) || kinds.count(ScalarKind::Double);
    if (!all || kinds.size() != 1 || !isKnown)
      return refuse("clopt-not-profitable",
                    "'" + model.arrays[tile.array].name +
                        "' is not converted to one floating type wherever it "
                        "is read");
    tile.stored = *kinds.begin();
  }
  return std::nullopt;
}

} // namespace clopt
