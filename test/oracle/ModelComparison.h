//===- ModelComparison.h - a model against a launch --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the instances, the order and the addresses of one launch with the
// model of its kernel.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_ORACLE_MODELCOMPARISON_H
#define CLOPT_TEST_ORACLE_MODELCOMPARISON_H

#include "KernelInterpreter.h"

#include "Model/KernelModel.h"

#include <gtest/gtest.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/union_map.h>

#include <set>

namespace clopt::test {

using Vector = std::vector<int64_t>;
/// (statement instance, cell) pairs
using Cells = std::set<std::pair<Vector, Vector>>;

/// One kernel under one launch.
class Comparison {
public:
  Comparison(const KernelModel &built, const Launch &launched)
      : model(built), launch(launched) {
    for (SymbolId id = 0; id < model.symbols.size(); ++id)
      if (isParameter(model.symbols[id]))
        params[model.symbols[id].name] = valueOf(model.symbols[id]);
  }

  bool assumptionsHold() const {
    for (const Assumption &assumption : model.assumptions) {
      if (fix(assumption.condition).is_empty())
        return false;
      for (const ProductBound &bound : assumption.bounds)
        if (evaluate(bound.poly) > bound.maximum)
          return false;
    }
    return !fix(model.paramContext).is_empty();
  }

  void run() {
    events = interpret(*model.function, launch);
    compareInstances();
    compareOrder();
    compareAccesses();
  }

  size_t exactGlobal = 0;

private:
  int64_t valueOf(const Symbol &symbol) const {
    switch (symbol.kind) {
    case SymbolKind::Param:
      return launch.arguments.at(symbol.name);
    case SymbolKind::GlobalSize:
      return launch.globalSize[symbol.dim];
    case SymbolKind::GlobalOffset:
      return launch.globalOffset[symbol.dim];
    case SymbolKind::LocalSize:
      return launch.localSize[symbol.dim];
    case SymbolKind::NumGroups:
      return launch.globalSize[symbol.dim] / launch.localSize[symbol.dim];
    default:
      return evaluate(symbol.first);
    }
  }

  /// Value of a polynomial of parameters.
  int64_t evaluate(const Polynomial &poly) const {
    int64_t sum = 0;
    for (const auto &[monomial, coefficient] : poly.terms) {
      int64_t product = coefficient;
      for (SymbolId id : monomial)
        product *= valueOf(model.symbols[id]);
      sum += product;
    }
    return sum;
  }

  isl::set fix(isl::set set) const {
    for (const auto &[name, value] : params) {
      int at = isl_set_find_dim_by_name(set.get(), isl_dim_param, name.c_str());
      if (at >= 0)
        set = isl::manage(
            isl_set_fix_val(set.copy(), isl_dim_param, at,
                            isl_val_int_from_si(model.context.get(), value)));
    }
    return set;
  }

  std::set<Vector> points(const isl::set &set) const {
    std::set<Vector> result;
    isl::set fixed = fix(set).project_out_all_params();
    fixed.foreach_point([&](isl::point point) {
      Vector coordinates;
      unsigned size = isl_set_dim(fixed.get(), isl_dim_set);
      for (unsigned at = 0; at < size; ++at) {
        isl::val value = isl::manage(
            isl_point_get_coordinate_val(point.get(), isl_dim_set, at));
        coordinates.push_back(isl_val_get_num_si(value.get()));
      }
      result.insert(coordinates);
    });
    return result;
  }

  /// The value of the author's variable; of a counter that the author does not
  /// have, the number of completed iterations.
  int64_t iterationOf(SymbolId iterator, const Event &event) const {
    auto found = event.variables.find(model.symbols[iterator].var);
    if (found != event.variables.end())
      return found->second;
    for (const Loop &loop : model.loops)
      if (loop.iterator == iterator && event.turns.count(loop.stmt))
        return event.turns.at(loop.stmt);
    ADD_FAILURE() << model.symbols[iterator].name;
    return 0;
  }

  Vector instanceOf(const Statement &statement, const Event &event) const {
    Vector result;
    for (SymbolId id : statement.coordinates) {
      const Symbol &symbol = model.symbols[id];
      switch (symbol.kind) {
      case SymbolKind::GlobalId:
        result.push_back(event.globalId[symbol.dim]);
        break;
      case SymbolKind::GroupId:
        result.push_back(event.groupId[symbol.dim]);
        break;
      case SymbolKind::LocalId:
        result.push_back(event.localId[symbol.dim]);
        break;
      default: {
        result.push_back(iterationOf(id, event));
      }
      }
    }
    return result;
  }

  /// One whose instances the interpreter reports: no kept loop, no part of the
  /// head of a loop.
  bool isPlain(const Statement &statement) const {
    for (const StmtRef &part : model.synthesized)
      if (part.get() == statement.stmt)
        return false;
    return !statement.isCompound;
  }

  const Statement *statementOf(const Stmt *stmt) const {
    for (const Statement &statement : model.statements)
      if (statement.stmt == stmt && isPlain(statement))
        return &statement;
    return nullptr;
  }

  void compareInstances() {
    std::map<const Statement *, std::set<Vector>> executed;
    for (const Event &event : events)
      if (event.kind == Event::Kind::Statement)
        if (const Statement *statement = statementOf(event.stmt))
          executed[statement].insert(instanceOf(*statement, event));
    for (const Statement &statement : model.statements)
      if (isPlain(statement)) {
        EXPECT_EQ(points(statement.domain), executed[&statement])
            << statement.name << " line " << statement.stmt->range.line;
      }
  }

  void compareOrder() {
    isl::union_map schedule = model.schedule.map();
    std::map<const Statement *, std::map<Vector, Vector>> times;
    for (const Statement &statement : model.statements) {
      isl::union_map one =
          schedule.intersect_domain(isl::union_set(fix(statement.domain)));
      if (one.is_empty())
        continue;
      size_t size = statement.coordinates.size();
      isl::map flat = one.as_map();
      isl::set wrapped = isl::manage(isl_map_wrap(flat.copy())).flatten();
      for (const Vector &point : points(wrapped))
        times[&statement][Vector(point.begin(), point.begin() + size)] =
            Vector(point.begin() + size, point.end());
    }
    std::map<std::array<int64_t, 3>, Vector> last;
    for (const Event &event : events) {
      if (event.kind != Event::Kind::Statement)
        continue;
      const Statement *statement = statementOf(event.stmt);
      if (!statement)
        continue;
      const Vector &time = times[statement][instanceOf(*statement, event)];
      auto [before, isFirst] = last.try_emplace(event.globalId, time);
      if (!isFirst) {
        EXPECT_LT(before->second, time) << statement->name;
      }
      before->second = time;
    }
  }

  /// The cell of an address, by the shape of the model. Rows without cells are
  /// only reached by accesses of which nothing is known.
  Vector cellOf(const Array &array, int64_t flat) const {
    Vector cell(array.rank);
    flat -= evaluate(array.origin);
    for (unsigned dim = array.rank; dim-- > 1;) {
      int64_t extent = evaluate(array.extents[dim]);
      extent = extent == 0 ? 1 : extent;
      int64_t digit = ((flat % extent) + extent) % extent;
      cell[dim] = digit;
      flat = (flat - digit) / extent;
    }
    if (array.rank > 0)
      cell[0] = flat;
    return cell;
  }

  void compareAccesses() {
    std::vector<Cells> touched(model.accesses.size());
    for (const Event &event : events) {
      if (event.kind == Event::Kind::Statement || !event.expr)
        continue;
      bool isWrite = event.kind == Event::Kind::Write;
      const auto &known = isWrite ? model.writes : model.reads;
      auto found = known.find(event.expr);
      if (found == known.end()) {
        EXPECT_TRUE(isCovered(event)) << "line " << event.expr->range.line;
        continue;
      }
      const Access &access = model.accesses[found->second];
      const Array &array = model.arrays[access.array];
      ASSERT_EQ(array.var, event.base) << event.expr->range.line;
      Vector instance = instanceOf(model.statements[access.statement], event);
      int64_t last = event.offset + event.size - 1;
      if (array.rank == 0) {
        touched[access.id].insert({instance, {}});
        continue;
      }
      for (int64_t at = event.offset; at <= last; at += array.elementBytes) {
        int64_t flat = at / static_cast<int64_t>(array.elementBytes);
        touched[access.id].insert({instance, cellOf(array, flat)});
      }
    }
    for (const Access &access : model.accesses)
      if (access.expr)
        compareAccess(access, touched[access.id]);
  }

  /// Memory that is named by no access of its own: a variable that is no part
  /// of the model (arguments, iterators, conditions), or a whole array.
  bool isCovered(const Event &event) const {
    if (!event.isPointee && event.base->space == AddressSpace::Private)
      return true;
    for (const Access &access : model.accesses)
      if (model.arrays[access.array].var == event.base && !access.isExact)
        return true;
    return false;
  }

  void compareAccess(const Access &access, const Cells &actual) {
    const Array &array = model.arrays[access.array];
    const Statement &statement = model.statements[access.statement];
    std::string where = array.name + " in " + statement.name + " line " +
                        std::to_string(access.range.line);
    isl::set wrapped = access.relation.wrap();
    isl::set fixed = fix(wrapped);
    if (!isl_set_is_bounded(fixed.get())) {
      EXPECT_FALSE(access.isExact) << where;
      return;
    }
    Cells expected;
    size_t size = statement.coordinates.size();
    for (const Vector &point : points(wrapped.flatten()))
      expected.insert({Vector(point.begin(), point.begin() + size),
                       Vector(point.begin() + size, point.end())});
    // A choice sets its variable to what it has where the author sets nothing.
    const bool isKept = access.isWrite &&
                        array.space == AddressSpace::Private &&
                        !statement.isCompound && !isPlain(statement);
    if (access.isExact && !isKept) {
      EXPECT_EQ(expected, actual) << where;
      exactGlobal += array.space == AddressSpace::Global;
      return;
    }
    for (const auto &pair : actual)
      EXPECT_TRUE(expected.count(pair)) << where;
  }

  const KernelModel &model;
  const Launch &launch;
  std::map<std::string, int64_t> params;
  std::vector<Event> events;
};

} // namespace clopt::test

#endif // CLOPT_TEST_ORACLE_MODELCOMPARISON_H
