//===- Vectorizability.cpp - which accesses of a statement vectorize ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/VectorizabilityTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Vectorizability.h"

#include <isl/map.h>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

using namespace clopt;

/// { S[x] -> S[y] } instances that lanes execute together: equal, or equal but
/// for the coordinate of a loop.
static isl::map instancesTogether(const KernelModel &model,
                                  const Statement &statement, SymbolId axis) {
  isl::space space =
      statementSpace(model, statement.name, statement.coordinates);
  isl_map *pairs = isl_map_universe(isl_space_map_from_set(space.copy()));
  for (unsigned at = 0; at < statement.coordinates.size(); ++at) {
    SymbolId coordinate = statement.coordinates[at];
    if (coordinate == axis && model.symbols[axis].kind == SymbolKind::Iterator)
      continue;
    pairs = isl_map_equate(pairs, isl_dim_in, at, isl_dim_out, at);
  }
  return isl::manage(pairs);
}

bool clopt::areDependent(const KernelModel &model, const Access &first,
                         const Access &second, SymbolId axis) {
  if (first.array != second.array || !(first.isWrite || second.isWrite))
    return false;
  const Statement &statement = model.statements[first.statement];
  // { S[x] -> S[y] : x and y touch the same cell }
  isl::map sameCell = first.relation.apply_range(second.relation.reverse());
  return !sameCell.intersect(instancesTogether(model, statement, axis))
              .is_empty();
}

/// Accesses of the statement to memory that work-items share.
static std::vector<unsigned> nodesOf(const KernelModel &model,
                                     unsigned statement) {
  std::vector<unsigned> nodes;
  for (unsigned access : model.statements[statement].accesses)
    if (model.arrays[model.accesses[access].array].space !=
        AddressSpace::Private)
      nodes.push_back(access);
  return nodes;
}

static std::optional<unsigned> findConflict(const KernelModel &model,
                                            const std::vector<unsigned> &nodes,
                                            unsigned access, SymbolId axis) {
  for (unsigned other : nodes)
    if (other != access && areDependent(model, model.accesses[access],
                                        model.accesses[other], axis))
      return other;
  return std::nullopt;
}

std::vector<ColoredAccess> clopt::colorAccesses(const KernelModel &model,
                                                unsigned statement,
                                                SymbolId axis, int64_t step) {
  std::vector<unsigned> nodes = nodesOf(model, statement);
  std::vector<ColoredAccess> result;
  for (unsigned access : nodes) {
    ColoredAccess node;
    node.access = access;
    node.pattern = classify(model, model.accesses[access], axis, step);
    if (node.pattern.isCompatible || node.pattern.has(PatternKind::Broadcast)) {
      node.conflict = findConflict(model, nodes, access, axis);
      if (node.conflict)
        node.color = AccessColor::Dependent;
      else if (node.pattern.isCompatible)
        node.color = AccessColor::Vectorizable;
    }
    result.push_back(std::move(node));
  }
  return result;
}

std::vector<std::string>
clopt::vectorizableArrays(const KernelModel &model,
                          const std::vector<ColoredAccess> &accesses) {
  std::vector<unsigned> arrays, refused;
  for (const ColoredAccess &node : accesses) {
    unsigned array = model.accesses[node.access].array;
    if (!llvm::is_contained(arrays, array))
      arrays.push_back(array);
    if (node.color != AccessColor::Vectorizable)
      refused.push_back(array);
  }
  std::vector<std::string> names;
  for (unsigned array : arrays)
    if (!llvm::is_contained(refused, array))
      names.push_back(model.arrays[array].name);
  return names;
}
