//===- ModelOracleTest.cpp - the model against what really happens --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs small kernels with a plain interpreter and compares every statement
// instance, its place in the schedule, and every address with the model:
// exact accesses touch exactly the cells of their relation, others at most.
//
//===----------------------------------------------------------------------===//

#include "KernelInterpreter.h"

#include "Frontend/ClangParser.h"
#include "Frontend/ModelBuilder.h"

#include <gtest/gtest.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/union_map.h>

#include <algorithm>
#include <random>
#include <set>

using namespace clopt;
using namespace clopt::test;

namespace {

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
    for (const Assumption &assumption : model.assumptions)
      if (fix(assumption.condition).is_empty())
        return false;
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
        auto found = event.variables.find(symbol.var);
        EXPECT_NE(found, event.variables.end()) << symbol.name;
        result.push_back(found == event.variables.end() ? 0 : found->second);
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

  /// The cell of an address, by the shape of the model.
  Vector cellOf(const Array &array, int64_t flat) const {
    Vector cell(array.rank);
    for (unsigned dim = array.rank; dim-- > 1;) {
      int64_t extent = evaluate(array.extents[dim]);
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
    if (access.isExact) {
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

struct Outcome {
  size_t compared = 0; ///< launches under which all assumptions held
  size_t exactGlobal = 0;
  bool isUntouchable = false;
};

Outcome compare(const std::string &source, const std::vector<Launch> &launches,
                const std::vector<std::string> &flags = {}) {
  Outcome outcome;
  SCOPED_TRACE(source);
  ParseResult parsed = parseOpenCL("oracle.cl", source, flags);
  if (!parsed.unit) {
    ADD_FAILURE() << "does not parse";
    return outcome;
  }
  for (const auto &function : parsed.unit->functions) {
    if (!function->isKernel)
      continue;
    std::unique_ptr<KernelModel> model = buildModel(*parsed.unit, *function);
    outcome.isUntouchable |= model->isUntouchable;
    for (const Launch &launch : launches) {
      Comparison comparison(*model, launch);
      if (!comparison.assumptionsHold())
        continue;
      SCOPED_TRACE(printModel(*model));
      try {
        comparison.run();
      } catch (const RunsTooLong &) {
        // Only a loop that the model does not claim to know may do that.
        EXPECT_TRUE(std::any_of(
            model->statements.begin(), model->statements.end(),
            [](const Statement &known) { return known.isCompound; }));
        continue;
      }
      ++outcome.compared;
      outcome.exactGlobal += comparison.exactGlobal;
    }
  }
  return outcome;
}

Launch launchOf(std::array<int64_t, 3> size,
                std::map<std::string, int64_t> arguments,
                std::array<int64_t, 3> local = {1, 1, 1},
                std::array<int64_t, 3> offset = {0, 0, 0}) {
  Launch launch;
  launch.globalSize = size;
  launch.localSize = local;
  launch.globalOffset = offset;
  launch.arguments = std::move(arguments);
  return launch;
}

/// One dimension, n equal to its size, and a few others.
std::vector<Launch> lines() {
  std::vector<Launch> result;
  for (int64_t size : {1, 4, 6})
    for (int64_t n : {0, 1, 4, 6, 7})
      for (int64_t offset : {0, 3})
        result.push_back(launchOf({size, 1, 1}, {{"n", n}, {"m", 5}}, {2, 1, 1},
                                  {offset, 0, 0}));
  for (Launch &launch : result)
    if (launch.globalSize[0] % 2)
      launch.localSize[0] = 1;
  return result;
}

std::vector<Launch> planes() {
  std::vector<Launch> result;
  for (int64_t n : {1, 3, 4, 6})
    for (int64_t m : {1, 4, 5})
      result.push_back(launchOf({3, 4, 1}, {{"n", n}, {"m", m}}));
  return result;
}

/// The body in a kernel with two buffers and two sizes.
std::string kernel(const std::string &body) {
  return "__kernel void f(__global float *a, __global int *b, int n, int m) {" +
         body + "}";
}

} // namespace

//===-- Handwritten forms -------------------------------------------------===//

struct Form {
  const char *name;
  const char *body;
  bool isPlane;
  size_t atLeast; ///< exact global accesses over all launches
};

static void PrintTo(const Form &form, std::ostream *out) { *out << form.name; }

class ModelOracleForm : public testing::TestWithParam<Form> {};

TEST_P(ModelOracleForm, TouchesWhatTheModelSays) {
  const Form &form = GetParam();
  Outcome outcome =
      compare(kernel(form.body), form.isPlane ? planes() : lines());
  EXPECT_FALSE(outcome.isUntouchable);
  EXPECT_GT(outcome.compared, 0u);
  EXPECT_GE(outcome.exactGlobal, form.atLeast);
}

static const Form Forms[] = {
    {"Guard", "int i = get_global_id(0); if (i < n) a[i] = b[i + 2];", false,
     2},
    {"EarlyReturn",
     "int i = get_global_id(0); if (i >= n) return; a[i] = 1; a[i + m] = 2;",
     false, 2},
    {"NestedReturn",
     "int i = get_global_id(0); if (i > 1) { b[i] = 0; if (i >= n) return; "
     "a[i] = 1; } else { a[i + 9] = 3; } b[i + 20] = 1;",
     false, 4},
    {"Otherwise",
     "int i = get_global_id(0); if (i < n && i > 0 || i == 5) a[i] = 1; else "
     "b[i] = 2;",
     false, 2},
    {"Not", "int i = get_global_id(0); if (!(i < n || i == 3)) a[i] = 1;",
     false, 1},
    {"Loop",
     "int i = get_global_id(0); for (int k = 0; k < n; k++) a[i * n + k] = "
     "b[k];",
     false, 2},
    {"Downward",
     "int i = get_global_id(0); for (int k = n - 1; k >= 0; k--) a[k + i] = "
     "b[i];",
     false, 2},
    {"StepThree",
     "int i = get_global_id(0); for (int k = 1; k <= n; k += 3) a[k + 7 * i] "
     "= 1;",
     false, 1},
    {"DownwardStep",
     "int i = get_global_id(0); for (int k = n; k > i; k -= 2) a[k] = 1;",
     false, 1},
    {"NotEqual",
     "int i = get_global_id(0); for (int k = 0; k != n; ++k) a[k] = i;", false,
     1},
    {"NotEqualStep",
     "int i = get_global_id(0); for (int k = 0; k != n; k += 2) a[k] = i;",
     false, 1},
    {"Triangle",
     "int i = get_global_id(0); for (int k = 0; k < n; k++) for (int j = k; j "
     "< n; j++) a[j - k] = i;",
     false, 1},
    {"OuterVariable",
     "int i = get_global_id(0); int k; for (k = 0; k < n; k++) a[k] = i; for "
     "(k = 2; k < m; k++) b[k] = i;",
     false, 2},
    {"VariableReadLater",
     "int i = get_global_id(0); int k; for (k = 0; k < n; k++) a[k] = i; b[k] "
     "= 1;",
     false, 0},
    {"TwoInductionVariables",
     "int i = get_global_id(0); int p = i; for (int k = 0; k < n; k++) { a[p] "
     "= 1; p += 3; b[p] = 2; }",
     false, 2},
    {"CommaIncrement",
     "int i = get_global_id(0); for (int k = 0, q = 5; k < n; q += 2, k++) "
     "a[q + i] = 1;",
     false, 1},
    {"BackwardInduction",
     "int i = get_global_id(0); int p = 40; for (int k = 10; k > n; k -= 2) { "
     "a[p] = i; p--; }",
     false, 1},
    {"Continue",
     "int i = get_global_id(0); for (int k = 0; k < n; k++) { if (k == i) "
     "continue; a[k] = 1; }",
     false, 1},
    {"Break",
     "int i = get_global_id(0); for (int k = 0; k < n; k++) { if (k > i) "
     "break; a[k] = 1; } b[i] = 0;",
     false, 1},
    {"WhileLoop",
     "int i = get_global_id(0); int k = 0; while (k < b[i]) { a[k] = 1; k++; "
     "} b[i + 30] = k;",
     false, 1},
    {"DataBound",
     "int i = get_global_id(0); for (int k = b[i]; k < b[i + 1]; k++) a[k] = "
     "b[k];",
     false, 2},
    {"DataCondition",
     "int i = get_global_id(0); int x = i; if (b[i] > 1) x = 3; a[x] = 1; "
     "a[i] = 2;",
     false, 1},
    {"DataReturn",
     "int i = get_global_id(0); a[i] = 0; if (b[i] > 1) return; a[i + 9] = 1;",
     false, 1},
    {"ReturnInLoop",
     "int i = get_global_id(0); for (int k = 0; k < n; k++) { if (b[k] == i) "
     "return; a[k] = 1; } a[i + 30] = 2;",
     false, 0},
    {"Clamp",
     "int i = get_global_id(0); int x = i - 2; if (x < 0) x = 0; else if (x >= "
     "n) x = n - 1; a[x] = b[min(i, n)] + b[max(i, m)] + b[clamp(i, 1, 3)];",
     false, 4},
    {"Ternary",
     "int i = get_global_id(0); int x = i < n ? i : n; a[x] = i > 2 ? b[i - 3] "
     ": b[i];",
     false, 3},
    {"Division",
     "int i = get_global_id(0); a[i / 3] = b[i % 3] + b[(i - 2) / 2 + 5] + "
     "b[(i - 3) % 2 + 5];",
     false, 4},
    {"Shifts",
     "int i = get_global_id(0); a[(i << 2) + 1] = b[i >> 1] + b[i & 3] + b[i & "
     "~1] + b[(i - 3 >> 1) + 4];",
     false, 5},
    {"Unsigned",
     "uint i = get_global_id(0); uint k = n; if (i < k) a[i] = b[k - i];",
     false, 2},
    {"UnsignedWrap",
     "uint i = get_global_id(0); if (i - 1 < 2) a[i] = 1; else a[i + 1] = b[i "
     "% 3u];",
     false, 0},
    {"SizeT",
     "size_t i = get_global_id(0); if (i < n) for (size_t k = i; k > 0; k--) "
     "a[i * n + k - 1] = 1;",
     false, 0},
    {"UnsignedDownward",
     "int i = get_global_id(0); for (uint k = n; k > 0; k--) a[k - 1 + i] = 1;",
     false, 1},
    {"CharIterator",
     "int i = get_global_id(0); for (char k = 0; k < 5; k++) a[k + i] = 1;",
     false, 1},
    {"RowPointer",
     "int i = get_global_id(0); __global float *row = a + i * n; for (int k = "
     "0; k < n; k++) row[k] = *(row + k) + (&b[m])[k];",
     false, 3},
    {"MovingPointer",
     "int i = get_global_id(0); __global int *p = b + i; for (int k = 0; k < "
     "n; k++) { a[k] = *p; p += m; }",
     false, 1},
    {"MovingParameter",
     "int i = get_global_id(0); a += i * 8; b += 3; for (int k = 0; k < n; k++)"
     " a[k] = b[i];",
     false, 2},
    {"PointerIncrement",
     "int i = get_global_id(0); __global float *p = a; for (int k = 0; k < n; "
     "k++) *p++ = i; ",
     false, 0},
    {"UnknownPointer",
     "int i = get_global_id(0); __global float *p = a + i; if (b[i]) p = a + "
     "7; p[1] = 2; a[i] = 1;",
     false, 1},
    {"Vectors",
     "int i = get_global_id(0); __global float4 *v = (__global float4 *)a; "
     "v[i] = vload4(i + 1, a); vstore2((float2)(1.0f, 2.0f), i, a + 1); "
     "vstore3(vload3(i, a), 2, a);",
     false, 5},
    {"Swizzles",
     "int i = get_global_id(0); float4 x = vload4(i, a); x.y = 2.0f; x.zw = "
     "x.xy; a[i] = x.y;",
     false, 2},
    {"PrivateArray",
     "int i = get_global_id(0); int t[4]; int u[2][3]; for (int k = 0; k < 4; "
     "k++) t[k] = b[i + k]; u[1][2] = t[3]; u[i & 1][0] = 5; a[i] = u[1][i & "
     "1] + t[2];",
     false, 2},
    {"InitializedArray",
     "int i = get_global_id(0); int t[3] = {1, 2, 3}; a[i] = t[i % 3];", false,
     1},
    {"CommaAndLogic",
     "int i = get_global_id(0); int j = (b[i] = 1, i + 1); int c = i < n && "
     "b[i] > 0; a[j] = c;",
     false, 2},
    {"StoredCondition",
     "int i = get_global_id(0); int in = i > 0 && i < n; if (in) a[i] = 1;",
     false, 1},
    {"CompoundAssignment",
     "int i = get_global_id(0); b[i] += b[i + 1]; b[i]++; --b[i + 2]; a[i] *= "
     "2;",
     false, 8},
    {"GridStride",
     "for (int i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = 1;",
     false, 0},
    {"ReuseOfNames",
     "int i = get_global_id(0); for (int k = 0; k < 2; k++) a[k] = i; { int i "
     "= 4; a[i] = 2; } for (int k = 1; k < n; k++) b[k] = i;",
     false, 3},
    {"ProductBound",
     "int i = get_global_id(0); if (i < n * m) a[i] = 1; for (int k = 0; k < n "
     "* n; k++) b[k] = i;",
     false, 2},
    {"Plane",
     "int j = get_global_id(0), i = get_global_id(1); if (i < m && j < n) a[i "
     "* n + j] = b[j * m + i];",
     true, 2},
    {"Stencil",
     "int j = get_global_id(0), i = get_global_id(1); if (i > 0 && i < m - 1 "
     "&& "
     "j > 0 && j < n - 1) a[i * n + j] = b[(i - 1) * n + j + 1] + b[i * n + j "
     "- 1] + b[n * (i + 1) + j];",
     true, 4},
    {"Cube",
     "int j = get_global_id(0), i = get_global_id(1); for (int k = 0; k < 3; "
     "k++) if (j < n && i < m) a[k * (m * n) + i * n + j] = b[i * (n * 3) + j "
     "* 3 + k];",
     true, 2},
    {"Reverse",
     "int j = get_global_id(0), i = get_global_id(1); if (j < n && i < m) a[i "
     "* n + n - 1 - j] = b[(m - 1 - i) * n + j];",
     true, 2},
    {"PolynomialPitch",
     "int j = get_global_id(0), i = get_global_id(1); int p = n + 3; if (j < "
     "n) a[(i + 1) * p + j + 2] = 1;",
     true, 1},
    {"ColumnMajor",
     "int j = get_global_id(0), i = get_global_id(1); if (i < m && j < n) { "
     "__global float *c = a + j * m; c[i] = 2; }",
     true, 1},
    {"Planes",
     "int j = get_global_id(0), i = get_global_id(1); if (i < n && j < n) a[n "
     "* n + i * n + j] = b[i * n + j];",
     true, 2},
    {"NotAChain",
     "int j = get_global_id(0), i = get_global_id(1); a[i * n + j * m] = 1;",
     true, 0},
    {"ProductOfIds",
     "int j = get_global_id(0), i = get_global_id(1); a[i * j] = b[i];", true,
     1},
};

INSTANTIATE_TEST_SUITE_P(All, ModelOracleForm, testing::ValuesIn(Forms),
                         [](const testing::TestParamInfo<Form> &form) {
                           return form.param.name;
                         });

//===-- Groups ------------------------------------------------------------===//

TEST(ModelOracleTest, FoldsGroupTimesSizePlusLocal) {
  Outcome outcome = compare(
      kernel("int i = get_group_id(0) * get_local_size(0) + get_local_id(0) + "
             "get_global_offset(0); if (i < n) a[i] = b[i];"),
      lines());
  EXPECT_GT(outcome.exactGlobal, 0u);
}

TEST(ModelOracleTest, SplitsADimensionWithUnknownSize) {
  Outcome outcome = compare(
      kernel("int l = get_local_id(0); int g = get_group_id(0); if (l < n) "
             "a[l] = b[g * 3 + l];"),
      lines());
  EXPECT_GT(outcome.exactGlobal, 0u);
}

TEST(ModelOracleTest, SplitsADimensionWithKnownSize) {
  std::string source =
      "__kernel __attribute__((reqd_work_group_size(2, 1, 1))) void "
      "f(__global float *a, __global int *b, int n) { __local float t[4]; int "
      "l = get_local_id(0); int i = get_global_id(0); t[l] = b[i]; "
      "barrier(CLK_LOCAL_MEM_FENCE); if (i < n) a[i] = t[1 - l] + "
      "b[get_group_id(0)] + b[get_num_groups(0)]; }";
  std::vector<Launch> launches;
  for (int64_t size : {2, 4, 8})
    for (int64_t n : {0, 3, 8})
      launches.push_back(launchOf({size, 1, 1}, {{"n", n}}, {2, 1, 1}));
  Outcome outcome = compare(source, launches);
  EXPECT_EQ(outcome.compared, launches.size());
  EXPECT_GT(outcome.exactGlobal, 0u);
}

//===-- Random kernels ----------------------------------------------------===//

namespace {

/// Writes kernels with affine control and flattened subscripts.
class Generator {
public:
  /// With `isMixed`, ids and loop variables have any integer type.
  explicit Generator(unsigned seed, bool mixed = false)
      : random(seed), isMixed(mixed) {}

  std::string write() {
    std::string body = type() + " i = get_global_id(1);" + type() +
                       " j = get_global_id(0);" + type() + " x = i + j;";
    names = {"i", "j"};
    body += block(3);
    return kernel(body);
  }

private:
  int pick(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  }

  std::string type() {
    const char *types[] = {"int", "uint", "size_t", "long", "short", "uchar"};
    return isMixed ? types[pick(0, 5)] : types[0];
  }

  std::string name() { return names[pick(0, names.size() - 1)]; }

  std::string affine() {
    std::string text = std::to_string(pick(-3, 3));
    int terms = pick(1, 2);
    for (int at = 0; at < terms; ++at)
      text += (pick(0, 3) ? " + " : " - ") +
              (pick(0, 2) ? "" : std::to_string(pick(2, 3)) + " * ") +
              (pick(0, 4)   ? name()
               : pick(0, 1) ? "n"
                            : "x");
    return text;
  }

  std::string subscript() {
    switch (pick(0, 4)) {
    case 0:
      return affine();
    case 1:
      return name() + " * n + " + name();
    case 2:
      return "(" + affine() + ") * n + " + name();
    case 3:
      return name() + " * (n * m) + " + name() + " * n + " + name() + " + 1";
    default:
      return "4 * (" + affine() + ") + " + name();
    }
  }

  std::string condition() {
    const char *compare[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    return affine() + compare[pick(0, 5)] + affine();
  }

  std::string statement(int depth) {
    int kind = depth == 0 ? 0 : pick(0, 6);
    if (kind >= 5 && names.size() < 6) {
      std::string var(1, "pqrstuvw"[names.size()]);
      bool isUp = pick(0, 2);
      std::string step = std::to_string(pick(1, 3));
      std::string low = std::to_string(pick(-1, 2));
      std::string high = pick(0, 2) ? "n" : std::to_string(pick(2, 5));
      if (names.size() > 2 && pick(0, 2) == 0)
        low = names.back();
      std::string head = isUp ? "for (" + type() + " " + var + " = " + low +
                                    "; " + var + (pick(0, 1) ? " < " : " <= ") +
                                    high + "; " + var + " += " + step + ")"
                              : "for (" + type() + " " + var + " = " + high +
                                    "; " + var + (pick(0, 1) ? " > " : " >= ") +
                                    low + "; " + var + " -= " + step + ")";
      names.push_back(var);
      std::string text = head + block(depth - 1);
      names.pop_back();
      return text;
    }
    if (kind == 4)
      return "if (" + condition() +
             (pick(0, 2) ? "" : (pick(0, 1) ? " && " : " || ") + condition()) +
             ")" + block(depth - 1) +
             (pick(0, 1) ? "" : " else " + block(depth - 1));
    if (kind == 3)
      return "x = " + affine() + ";";
    if (kind == 2)
      return "b[" + subscript() + "] += 1;";
    return "a[" + subscript() + "] = b[" + subscript() + "];";
  }

  std::string block(int depth) {
    std::string text = "{";
    for (int count = pick(1, 3); count > 0; --count)
      text += statement(depth);
    return text + "}";
  }

  std::mt19937 random;
  bool isMixed;
  std::vector<std::string> names;
};

} // namespace

/// Compares random kernels; says how many launches and accesses took part.
static Outcome compareRandom(unsigned first, unsigned last, bool isMixed) {
  Outcome total;
  for (unsigned seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<Launch> launches;
    for (int64_t n : {3, 7})
      launches.push_back(launchOf({3, 2, 1}, {{"n", n}, {"m", 4}}));
    Outcome outcome = compare(Generator(seed, isMixed).write(), launches);
    EXPECT_FALSE(outcome.isUntouchable);
    total.compared += outcome.compared;
    total.exactGlobal += outcome.exactGlobal;
    if (testing::Test::HasFailure())
      break;
  }
  return total;
}

TEST(ModelOracleTest, RandomKernels) {
  Outcome total = compareRandom(1, 60, false);
  // The generator must not drift into kernels that say nothing.
  EXPECT_GT(total.compared, 30u);
  EXPECT_GT(total.exactGlobal, 100u);
}

TEST(ModelOracleTest, RandomKernelsOfMixedIntegerTypes) {
  Outcome total = compareRandom(1001, 1040, true);
  EXPECT_GT(total.compared, 30u);
  EXPECT_GT(total.exactGlobal, 40u);
}
