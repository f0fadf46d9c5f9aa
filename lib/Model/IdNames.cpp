//===- IdNames.cpp - variables that name a dimension ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ApplyTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/IdNames.h"

#include <map>
#include <vector>

namespace clopt {

/// True when the declaration gives its variable the id plus a constant.
static bool isShiftedId(const KernelModel &model, const Stmt *stmt,
                        SymbolId id) {
  if (!stmt || stmt->kind != StmtKind::Decl || !stmt->expr)
    return false;
  auto value = model.values.find(stmt->expr.get());
  if (value == model.values.end())
    return false;
  std::optional<int64_t> shift =
      (value->second - Polynomial::symbol(id)).asConstant();
  return shift && *shift != 0;
}

const Variable *shiftedIdVariable(const KernelModel &model, unsigned dim) {
  std::optional<SymbolId> id = model.symbols.find(SymbolKind::GlobalId, dim);
  if (!id || model.ndrange.findMapped(dim))
    return nullptr;
  std::map<const Variable *, unsigned> writes;
  std::vector<const Variable *> found;
  for (const Access &access : model.accesses) {
    const Array &array = model.arrays[access.array];
    if (!access.isWrite || !array.isPrivateScalar() || !array.var)
      continue;
    ++writes[array.var];
    if (array.var->type.isInteger() &&
        isShiftedId(model, model.statements[access.statement].stmt, *id))
      found.push_back(array.var);
  }
  const std::set<const Variable *> counted = loopVariables(model);
  for (const Variable *variable : found)
    if (writes[variable] == 1 && !counted.count(variable) &&
        !model.findLoop(variable->name))
      return variable;
  return nullptr;
}

std::set<const Variable *> loopVariables(const KernelModel &model) {
  std::set<const Variable *> variables;
  for (const Loop &loop : model.loops)
    if (loop.var)
      variables.insert(loop.var);
  return variables;
}

} // namespace clopt
