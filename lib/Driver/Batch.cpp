//===- Batch.cpp - many launches of one shape as one ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#include "Driver/Batch.h"

#include "Driver/Remarks.h"
#include "Driver/TimeBudget.h"
#include "Emit/frame/PlannedKernel.h"
#include "Frontend/clang/ClangParser.h"
#include "Report/JsonText.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// The launches of a request, as far as a model knows their numbers.
class Launches {
public:
  Launches(const KernelModel &of, const BatchRequest &what)
      : model(of), request(what),
        launch(static_cast<SymbolId>(of.symbols.size())) {}

  /// Why the launches may not be merged, or empty.
  std::string problem() const {
    for (const Assumption &assumption : model.assumptions)
      if (!holds(assumption))
        return "the launches do not meet '" + assumption.text + "'";
    for (const Array &array : model.arrays)
      if (std::string reason = shapeProblem(array); !reason.empty())
        return reason;
    for (const Access &a : model.accesses)
      for (const Access &b : model.accesses)
        if (a.isWrite && a.array == b.array && isShared(a) && meet(a, b))
          return "launches depend on each other through '" +
                 model.arrays[a.array].name + "'";
    return "";
  }

private:
  bool isShared(const Access &access) const {
    const AddressSpace space = model.arrays[access.array].space;
    return space != AddressSpace::Private && space != AddressSpace::Local;
  }

  /// Cells have the same places in all launches.
  std::string shapeProblem(const Array &array) const {
    if (array.space == AddressSpace::Private ||
        array.space == AddressSpace::Local)
      return "";
    if (!array.var)
      return "it uses memory that has no name";
    if (array.rank <= 1)
      return "";
    bool isFixed = inLaunches(array.origin).asConstant().has_value();
    for (size_t d = 1; d < array.extents.size(); ++d)
      isFixed &= inLaunches(array.extents[d]).asConstant().has_value();
    return isFixed ? ""
                   : "the shape of '" + array.name +
                         "' is not the same in all "
                         "launches";
  }

  /// What is known of a symbol, over the number of the launch.
  std::optional<Polynomial> valueOf(const Symbol &symbol) const {
    const auto at = [&](const std::vector<int64_t> &sizes, int64_t otherwise) {
      return Polynomial(symbol.dim < sizes.size() ? sizes[symbol.dim]
                                                  : otherwise);
    };
    switch (symbol.kind) {
    case SymbolKind::Param:
      for (const BatchScalar &scalar : request.scalars)
        if (symbol.var && scalar.name == symbol.var->name)
          return Polynomial(scalar.first) +
                 Polynomial(scalar.step) * Polynomial::symbol(launch);
      return std::nullopt;
    case SymbolKind::Product:
      return inLaunches(symbol.first);
    case SymbolKind::GlobalSize:
      return at(request.global, 1);
    case SymbolKind::GlobalOffset:
      return at(request.offset, 0);
    case SymbolKind::LocalSize:
      if (request.local.empty())
        return std::nullopt;
      return at(request.local, 1);
    case SymbolKind::NumGroups:
      if (request.local.empty())
        return std::nullopt;
      return Polynomial(symbol.dim < request.global.size()
                            ? request.global[symbol.dim] /
                                  request.local[symbol.dim]
                            : 1);
    default:
      return std::nullopt;
    }
  }

  Polynomial inLaunches(Polynomial poly) const {
    for (SymbolId id : poly.symbols())
      if (id != launch)
        if (std::optional<Polynomial> value = valueOf(model.symbols[id]))
          poly = poly.substitute(id, *value);
    return poly;
  }

  /// `poly` as first + step * launch.
  std::optional<std::pair<int64_t, int64_t>>
  alongLaunches(const Polynomial &poly) const {
    if (poly.overflowed())
      return std::nullopt;
    std::pair<int64_t, int64_t> line(0, 0);
    for (const auto &[monomial, coefficient] : poly.terms)
      if (monomial.empty())
        line.first = coefficient;
      else if (monomial == Monomial{launch})
        line.second = coefficient;
      else
        return std::nullopt;
    return line;
  }

  /// [params, launch] -> { ... } of [params] -> { ... }: with what is known of
  /// the parameters. The launch is the last one.
  isl_set *constrain(isl_set *set) const {
    const unsigned params =
        static_cast<unsigned>(isl_set_dim(set, isl_dim_param));
    set = isl_set_add_dims(set, isl_dim_param, 1);
    set = isl_set_lower_bound_si(set, isl_dim_param, params, 0);
    set = isl_set_upper_bound_val(
        set, isl_dim_param, params,
        isl_val_int_from_si(isl_set_get_ctx(set), request.count - 1));
    for (const Symbol &symbol : model.symbols.all()) {
      if (!isParameter(symbol))
        continue;
      const int at =
          isl_set_find_dim_by_name(set, isl_dim_param, symbol.name.c_str());
      const std::optional<Polynomial> value = valueOf(symbol);
      const auto line = value ? alongLaunches(*value) : std::nullopt;
      if (at >= 0 && line)
        set = isl_set_add_constraint(set, equation(set, at, params, *line));
    }
    return set;
  }

  static isl_constraint *equation(isl_set *set, int param, unsigned launchAt,
                                  std::pair<int64_t, int64_t> line) {
    isl_ctx *context = isl_set_get_ctx(set);
    isl_constraint *result = isl_constraint_alloc_equality(
        isl_local_space_from_space(isl_set_get_space(set)));
    result =
        isl_constraint_set_coefficient_si(result, isl_dim_param, param, -1);
    result = isl_constraint_set_coefficient_val(
        result, isl_dim_param, static_cast<int>(launchAt),
        isl_val_int_from_si(context, line.second));
    return isl_constraint_set_constant_val(
        result, isl_val_int_from_si(context, line.first));
  }

  bool holds(const Assumption &assumption) const {
    for (const ProductBound &bound : assumption.bounds) {
      const auto line = alongLaunches(inLaunches(bound.poly));
      if (!line)
        return false;
      const __int128 first = line->first;
      const __int128 last =
          first + static_cast<__int128>(line->second) * (request.count - 1);
      if (std::max(first, last) > bound.maximum)
        return false;
    }
    // [params, launch] -> { : }
    isl::set known = isl::manage(constrain(
        isl_set_universe(isl_set_get_space(assumption.condition.get()))));
    isl::set wanted = isl::manage(
        isl_set_add_dims(assumption.condition.copy(), isl_dim_param, 1));
    return known.is_subset(wanted);
  }

  /// { [launch] -> A[s] }; parameters without a number may have any, another
  /// one in every launch. Nothing if the first cell of the array is not known.
  std::optional<isl::map> cells(const Access &access) const {
    const Statement &statement = model.statements[access.statement];
    const Array &array = model.arrays[access.array];
    // { S[w, i] -> A[s] }
    isl_map *map = isl_map_intersect_domain(access.relation.copy(),
                                            statement.domain.copy());
    if (array.rank == 1 && !array.origin.isZero()) {
      std::optional<isl::pw_aff> origin = toPwAff(
          model, statementSpace(model, statement.name, statement.coordinates),
          statement.coordinates, array.origin);
      if (!origin) {
        isl_map_free(map);
        return std::nullopt;
      }
      // { S[w, i] -> A[origin] }
      isl_map *shift = isl_map_set_tuple_id(
          isl_map_from_pw_aff(origin->release()), isl_dim_out,
          isl_map_get_tuple_id(map, isl_dim_out));
      map = isl_map_sum(map, shift);
    }
    isl_set *set = constrain(isl_map_range(map));
    const unsigned params =
        static_cast<unsigned>(isl_set_dim(set, isl_dim_param)) - 1;
    set = isl_set_project_out(set, isl_dim_param, 0, params);
    return isl::manage(isl_map_move_dims(isl_map_from_range(set), isl_dim_in, 0,
                                         isl_dim_param, 0, 1));
  }

  /// Two launches touch one cell by these accesses.
  bool meet(const Access &a, const Access &b) const {
    const std::optional<isl::map> first = cells(a), second = cells(b);
    if (!first || !second)
      return true;
    // { [launch] -> [launch'] : a cell of both }
    isl_map *both =
        isl_map_apply_range(first->copy(), isl_map_reverse(second->copy()));
    isl_map *earlier =
        isl_map_order_lt(isl_map_copy(both), isl_dim_in, 0, isl_dim_out, 0);
    isl_map *later = isl_map_order_gt(both, isl_dim_in, 0, isl_dim_out, 0);
    return !isl::manage(isl_map_union(earlier, later)).is_empty();
  }

  const KernelModel &model;
  const BatchRequest &request;
  const SymbolId launch; ///< of polynomials: the number of the launch
};

//===-- What a kernel sees of the launch ----------------------------------===//

/// One more dimension changes what the query gives.
static bool changesWith(const Expr &expr, const BatchRequest &request) {
  switch (expr.query) {
  case WorkItemQuery::WorkDim:
  case WorkItemQuery::GlobalLinearId:
    return true;
  case WorkItemQuery::LocalLinearId:
    return request.local.empty();
  case WorkItemQuery::GlobalId:
  case WorkItemQuery::GlobalSize:
  case WorkItemQuery::GlobalOffset:
    return expr.dim >= request.global.size();
  default: // of groups, which would reach across launches
    return request.local.empty() || expr.dim >= request.global.size();
  }
}

static std::string formProblem(const TranslationUnit &unit,
                               const KernelModel &model,
                               const BatchRequest &request) {
  if (std::optional<Refusal> reason = untouchableReason(model))
    return reason->message;
  if (model.isUntouchable)
    return unmodelledReason(model).message;
  if (model.hasAtomics || model.hasOrderedEffects || model.usesImages)
    return "it has atomic accesses, effects whose order counts, or images";
  if (request.local.empty() && (model.hasBarrier || model.usesLocalMemory))
    return "groups of unknown shape would reach across launches";
  if (!model.function->isEditable ||
      !model.function->parameterRange.isEditable())
    return "macros or directives have a part in it";
  std::string problem;
  for (const auto &function : unit.functions) {
    forEachStmt(function->asWritten(), [&](const StmtRef &stmt) {
      if (stmt->kind == StmtKind::Opaque || stmt->kind == StmtKind::Switch)
        problem = "it has statements that are not looked into";
    });
    forEachExpr(function->asWritten(), [&](const ExprRef &expr) {
      if (expr->kind == ExprKind::Opaque)
        problem = "it has expressions that are not looked into";
      const bool isQuery =
          expr->kind == ExprKind::WorkItem
              ? changesWith(*expr, request)
              : expr->kind == ExprKind::Call &&
                    llvm::StringRef(expr->text).starts_with("get_");
      if (isQuery)
        problem = "it asks for what another dimension changes";
    });
  }
  return problem;
}

//===-- The text ----------------------------------------------------------===//

/// A name that begins so and occurs nowhere in the text.
static std::string freshName(const std::string &stem, const std::string &text) {
  std::string name = stem;
  for (unsigned i = 1; text.find(name) != std::string::npos; ++i)
    name = stem + "_" + std::to_string(i);
  return name;
}

static void writeText(const KernelModel &model, const BatchRequest &request,
                      BatchAnswer &answer) {
  const Function &function = *model.function;
  const TranslationUnit &unit = *model.unit;
  answer.kernel = freshName(function.name + "_batch", unit.text);
  std::vector<std::string> parameters;
  std::string additions;
  for (const BatchScalar &scalar : request.scalars)
    if (scalar.step != 0) {
      const std::string step = freshName(scalar.name + "_step", unit.text);
      parameters.push_back("long " + step);
      additions += "\n    " + scalar.name + " += " + step +
                   " * (long)get_global_id(" +
                   std::to_string(request.global.size()) + ");";
      answer.stepped.push_back(scalar.name);
    }
  const std::optional<std::string> head =
      kernelHead(model, answer.kernel, parameters);
  if (!head) {
    answer.problem = "macros or directives have a part in it";
    return;
  }
  const int64_t end = function.range.end, body = function.bodyRange.begin + 1;
  answer.text = unit.spelling(0, end) + "\n\n" + *head + "{" + additions +
                unit.spelling(body, end) +
                unit.spelling(end, static_cast<int64_t>(unit.text.size()));
}

static std::string numbersProblem(const BatchRequest &request) {
  const size_t rank = request.global.size();
  if (request.count < 2 || rank < 1 || rank > 2 ||
      (!request.local.empty() && request.local.size() != rank) ||
      (!request.offset.empty() && request.offset.size() != rank))
    return "there is no room for another dimension";
  for (const BatchScalar &scalar : request.scalars) {
    const __int128 reach =
        static_cast<__int128>(scalar.step) * (request.count - 1);
    if (reach > INT64_MAX / 2 || reach < INT64_MIN / 2)
      return "'" + scalar.name + "' goes too far";
  }
  return "";
}

static void batchKernel(const TranslationUnit &unit, const Function &function,
                        const std::string &path, const BatchRequest &request,
                        Options options, BatchAnswer &answer) {
  options.timeBudget = 0;
  TimeBudget time(unit, options);
  time.begin(function.name);
  try {
    const std::unique_ptr<KernelModel> model = time.build(unit, function);
    time.limitToShare(*model);
    answer.problem = formProblem(unit, *model, request);
    if (answer.problem.empty())
      answer.problem = Launches(*model, request).problem();
    if (answer.problem.empty())
      writeText(*model, request, answer);
  } catch (const isl::exception &) {
    answer.problem = "the analysis exceeded its budget";
  }
  time.finish();
  if (!answer.problem.empty())
    return;
  // A parameter may be const, or a macro.
  if (!parseOpenCL(path, answer.text, options.buildFlags).unit)
    answer.problem = "the new kernel is not OpenCL C";
}

BatchAnswer makeBatch(const std::string &path, const std::string &source,
                      const BatchRequest &request, const Options &options) {
  BatchAnswer answer;
  ParseResult parsed = parseOpenCL(path, source, options.buildFlags);
  answer.diagnostics = std::move(parsed.diagnostics);
  if (!parsed.unit)
    return answer;
  answer.ok = true;
  answer.problem = numbersProblem(request);
  if (!answer.problem.empty())
    return answer;
  answer.problem = "there is no kernel '" + request.kernel + "'";
  for (const auto &function : parsed.unit->functions)
    if (function->isKernel && function->name == request.kernel)
      batchKernel(*parsed.unit, *function, path, request, options, answer);
  return answer;
}

//===-- JSON --------------------------------------------------------------===//

static bool fromJSON(const llvm::json::Value &value, BatchScalar &scalar,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("name", scalar.name) &&
         map.map("first", scalar.first) && map.map("step", scalar.step);
}

static bool fromJSON(const llvm::json::Value &value, BatchRequest &request,
                     llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("kernel", request.kernel) &&
         map.map("count", request.count) && map.map("global", request.global) &&
         map.map("local", request.local) && map.map("offset", request.offset) &&
         map.map("scalars", request.scalars);
}

llvm::Expected<BatchRequest> parseBatchRequest(const std::string &text) {
  return llvm::json::parse<BatchRequest>(text, "batch");
}

std::string printBatch(const BatchAnswer &answer) {
  return printJson([&](llvm::json::OStream &json) {
    if (!answer.problem.empty())
      return json.attribute("problem", jsonText(answer.problem));
    json.attribute("kernel", answer.kernel);
    json.attributeArray("stepped", [&] {
      for (const std::string &name : answer.stepped)
        json.value(name);
    });
    json.attribute("text", jsonText(answer.text));
  });
}

} // namespace clopt
