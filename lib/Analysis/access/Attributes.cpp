//===- Attributes.cpp - reuse, read-only, unpredictable, uniform ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/AttributesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/Attributes.h"

#include "Analysis/access/AccessPattern.h"

#include <algorithm>

using namespace clopt;

/// What is known of the address: the subscripts, else the offset.
static std::vector<Polynomial> addressOf(const Access &access) {
  auto isKnown = [](const Polynomial &poly) { return !poly.overflow; };
  if (!access.subscripts.empty() &&
      std::all_of(access.subscripts.begin(), access.subscripts.end(), isKnown))
    return access.subscripts;
  if (access.offset && isKnown(*access.offset))
    return {*access.offset};
  return {};
}

static bool isDataDependent(const KernelModel &model, SymbolId id) {
  const Symbol &symbol = model.symbols[id];
  auto inside = [&](const Polynomial &poly) {
    std::vector<SymbolId> symbols = poly.symbols();
    return std::any_of(symbols.begin(), symbols.end(), [&](SymbolId part) {
      return isDataDependent(model, part);
    });
  };
  if (symbol.kind == SymbolKind::Unknown)
    return symbol.varying;
  return inside(symbol.first) || inside(symbol.second);
}

static bool isUnpredictable(const KernelModel &model,
                            const std::vector<Polynomial> &address) {
  if (address.empty())
    return true;
  for (const Polynomial &row : address)
    for (SymbolId symbol : row.symbols())
      if (isDataDependent(model, symbol))
        return true;
  return false;
}

/// True when several instances touch one cell, as far as ranks tell.
static bool hasReuse(const KernelModel &model, const Access &access) {
  AccessMatrix matrix = accessMatrix(model, access);
  RationalMatrix moving;
  for (const std::vector<Ratio> &row : matrix.entries)
    moving.emplace_back(row.begin(), row.begin() + matrix.varyingColumns);
  // Columns of data-dependent values do not count: nothing says that they
  // differ between instances.
  for (unsigned column = 0; column < matrix.varyingColumns; ++column)
    for (SymbolId symbol : matrix.columns[column])
      if (isDataDependent(model, symbol))
        for (std::vector<Ratio> &row : moving)
          row[column] = Ratio();
  const Statement &statement = model.statements[access.statement];
  return rankOf(moving) < statement.coordinates.size();
}

/// True when no id within the group moves the address.
static bool isUniform(const KernelModel &model, const Access &access) {
  const Statement &statement = model.statements[access.statement];
  std::vector<Polynomial> address = addressOf(access);
  for (SymbolId coordinate : statement.coordinates) {
    SymbolKind kind = model.symbols[coordinate].kind;
    if (kind != SymbolKind::GlobalId && kind != SymbolKind::LocalId)
      continue;
    for (const Polynomial &row : address)
      if (dependsOn(model, inLockstep(model, statement, row, coordinate),
                    coordinate))
        return false;
  }
  return !isUnpredictable(model, address);
}

std::vector<AccessAttributes>
clopt::accessAttributes(const KernelModel &model) {
  std::vector<unsigned> references(model.arrays.size()), writes = references;
  for (const Access &access : model.accesses) {
    ++references[access.array];
    writes[access.array] += access.isWrite;
  }
  std::vector<AccessAttributes> result;
  for (const Access &access : model.accesses) {
    AccessAttributes attributes;
    attributes.isReused =
        references[access.array] > 1 || hasReuse(model, access);
    attributes.isReadOnly = writes[access.array] == 0;
    attributes.isUnpredictable = isUnpredictable(model, addressOf(access));
    attributes.isUniform = isUniform(model, access);
    result.push_back(attributes);
  }
  return result;
}

std::vector<ArrayAttributes> clopt::arrayAttributes(const KernelModel &model) {
  std::vector<AccessAttributes> accesses = accessAttributes(model);
  std::vector<ArrayAttributes> result(model.arrays.size());
  std::vector<unsigned> writes(model.arrays.size());
  for (ArrayAttributes &array : result)
    array.isUniform = true;
  for (const Access &access : model.accesses) {
    ArrayAttributes &array = result[access.array];
    const AccessAttributes &own = accesses[access.id];
    ++array.references;
    writes[access.array] += access.isWrite;
    array.isReused |= own.isReused;
    array.isUnpredictable |= own.isUnpredictable;
    array.isUniform &= own.isUniform;
  }
  for (unsigned index = 0; index < result.size(); ++index) {
    ArrayAttributes &array = result[index];
    array.isReadOnly = array.references > 0 && writes[index] == 0;
    array.isWriteOnly =
        array.references > 0 && writes[index] == array.references;
    array.isUniform &= array.references > 0;
  }
  return result;
}
