//===- HandModel.h - kernel models without a kernel -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Analyses are functions of a model. Tests that want one particular access, or
// thousands of random ones, build the model here instead of through Clang.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_HANDMODEL_H
#define CLOPT_TEST_HANDMODEL_H

#include "Model/KernelModel.h"

#include <string>
#include <vector>

namespace clopt {

/// One statement over a box. Coordinates are added first, then the statement,
/// then its accesses.
class HandModel {
public:
  HandModel() {
    model.context = std::shared_ptr<isl_ctx>(isl_ctx_alloc(), isl_ctx_free);
  }

  SymbolId globalId(unsigned dim) {
    Symbol symbol;
    symbol.kind = SymbolKind::GlobalId;
    symbol.name = "w" + std::to_string(dim);
    symbol.dim = dim;
    model.ndrange.rank = std::max(model.ndrange.rank, dim + 1);
    coordinates.push_back(model.symbols.add(symbol));
    return coordinates.back();
  }

  SymbolId coordinate(const Symbol &symbol) {
    coordinates.push_back(model.symbols.add(symbol));
    return coordinates.back();
  }

  SymbolId iterator(const std::string &name,
                    const Polynomial &first = Polynomial(), int64_t step = 1) {
    Symbol symbol;
    symbol.kind = SymbolKind::Iterator;
    symbol.name = name;
    coordinates.push_back(model.symbols.add(symbol));
    Loop loop;
    loop.iterator = coordinates.back();
    loop.name = name;
    loop.first = first;
    loop.step = step;
    loops.push_back(model.loops.size());
    model.loops.push_back(loop);
    return coordinates.back();
  }

  SymbolId param(const std::string &name) {
    Symbol symbol;
    symbol.kind = SymbolKind::Param;
    symbol.name = name;
    return model.symbols.add(symbol);
  }

  SymbolId unknown(bool isVarying) {
    Symbol symbol;
    symbol.kind = SymbolKind::Unknown;
    symbol.name = "u";
    symbol.varying = isVarying;
    return model.symbols.add(symbol);
  }

  unsigned array(const std::string &name, std::vector<Polynomial> extents,
                 unsigned elementBytes = 4) {
    Array result;
    result.name = name;
    result.space = AddressSpace::Global;
    result.rank = extents.size();
    result.extents = std::move(extents);
    result.elementBytes = elementBytes;
    model.arrays.push_back(result);
    return model.arrays.size() - 1;
  }

  /// `condition` in isl's syntax, "0 <= w0 < n and 0 <= k < 8".
  unsigned statement(const std::string &condition) {
    Statement result;
    result.name = "S" + std::to_string(model.statements.size());
    result.coordinates = coordinates;
    result.loops = loops;
    isl::space space = statementSpace(model, result.name, result.coordinates);
    std::string params, tuple;
    for (SymbolId id = 0; id < model.symbols.size(); ++id)
      if (isParameter(model.symbols[id]))
        params += (params.empty() ? "" : ", ") + model.symbols.name(id);
    for (SymbolId id : coordinates)
      tuple += (tuple.empty() ? "" : ", ") + model.symbols.name(id);
    // { S[w..., i...] : condition }
    result.domain =
        isl::set(isl::ctx(model.context.get()), "[" + params + "] -> { " +
                                                    result.name + "[" + tuple +
                                                    "] : " + condition + " }")
            .intersect(isl::set(isl::manage(isl_set_universe(space.copy()))));
    model.statements.push_back(result);
    return model.statements.size() - 1;
  }

  /// An access with the given subscripts, outermost first; the flat offset
  /// follows from the extents of the array.
  unsigned access(unsigned array, std::vector<Polynomial> subscripts,
                  bool isWrite = false, unsigned width = 1) {
    Access result;
    result.id = model.accesses.size();
    result.array = array;
    result.statement = model.statements.size() - 1;
    result.isWrite = isWrite;
    result.width = width;
    Polynomial flat;
    for (unsigned dim = 0; dim < subscripts.size(); ++dim)
      flat = (dim ? flat * model.arrays[array].extents[dim] : flat) +
             subscripts[dim];
    result.offset = flat;
    result.subscripts = std::move(subscripts);
    model.statements.back().accesses.push_back(result.id);
    setRelation(result);
    model.accesses.push_back(std::move(result));
    return model.accesses.back().id;
  }

  KernelModel model;

private:
  /// { S[w..., i...] -> A[s...] }, all of A where a subscript is not affine.
  void setRelation(Access &access) {
    const Statement &statement = model.statements[access.statement];
    const Array &array = model.arrays[access.array];
    isl::space space =
        statementSpace(model, statement.name, statement.coordinates);
    isl_map *relation = nullptr;
    for (const Polynomial &subscript : access.subscripts) {
      std::optional<isl::pw_aff> value =
          toPwAff(model, space, statement.coordinates, subscript);
      isl_map *part =
          value ? isl_map_from_pw_aff(value->copy())
                : isl_map_universe(isl_space_add_dims(
                      isl_space_from_domain(space.copy()), isl_dim_out, 1));
      relation = relation ? isl_map_flat_range_product(relation, part) : part;
    }
    access.isExact = access.width == 1;
    relation =
        isl_map_set_tuple_name(relation, isl_dim_out, array.name.c_str());
    access.relation = isl::manage(relation).intersect_domain(statement.domain);
  }

  std::vector<SymbolId> coordinates;
  std::vector<unsigned> loops;
};

inline Polynomial sym(SymbolId id) { return Polynomial::symbol(id); }
inline Polynomial num(int64_t value) { return Polynomial(value); }

} // namespace clopt

#endif // CLOPT_TEST_HANDMODEL_H
