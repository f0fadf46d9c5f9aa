//===- LaunchNumbers.cpp - a model in launches whose numbers are known ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/BatchTest.cpp, test/unit/FusionTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Driver/LaunchNumbers.h"

#include "Frontend/clang/ClangParser.h"
#include "Report/JsonText.h"

#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

void answerLaunches(
    const std::string &path, const std::string &source, const Options &options,
    const std::string &problem, LaunchAnswer &answer,
    llvm::function_ref<void(const TranslationUnit &unit)> find) {
  ParseResult parsed = parseOpenCL(path, source, options.buildFlags);
  answer.diagnostics = std::move(parsed.diagnostics);
  answer.ok = parsed.unit != nullptr;
  if (!answer.ok)
    return;
  answer.problem = problem;
  try {
    if (problem.empty())
      find(*parsed.unit);
  } catch (const isl::exception &) {
    answer.problem = "the analysis exceeded its budget";
  }
}

std::string printAnswer(const LaunchAnswer &answer,
                        llvm::function_ref<void(llvm::json::OStream &)> fill) {
  return printJson([&](llvm::json::OStream &json) {
    if (answer.problem.empty())
      fill(json);
    else
      json.attribute("problem", jsonText(answer.problem));
  });
}

std::string numbersProblem(const LaunchNumbers &numbers) {
  const size_t rank = numbers.global.size();
  const auto fits = [&](const std::vector<int64_t> &sizes) {
    return sizes.empty() || sizes.size() == rank;
  };
  if (numbers.count < 1 || rank < 1 || rank > 3 || !fits(numbers.local) ||
      !fits(numbers.offset))
    return "the launches have no NDRange";
  for (int64_t size : numbers.local)
    if (size < 1)
      return "the launches have no NDRange";
  for (const LaunchedScalar &scalar : numbers.scalars) {
    const __int128 reach =
        static_cast<__int128>(scalar.step) * (numbers.count - 1);
    if (reach > INT64_MAX / 2 || reach < INT64_MIN / 2)
      return "'" + scalar.name + "' goes too far";
  }
  return "";
}

bool fromJSON(const llvm::json::Value &value, LaunchedScalar &scalar,
              llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  return map && map.map("name", scalar.name) &&
         map.map("first", scalar.first) && map.map("step", scalar.step);
}

bool mapRange(llvm::json::ObjectMapper &map, LaunchNumbers &numbers) {
  return map.map("global", numbers.global) &&
         map.mapOptional("local", numbers.local) &&
         map.mapOptional("offset", numbers.offset);
}

bool hasJsonField(const std::string &text, const std::string &name) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const llvm::json::Object *object = value->getAsObject();
  return object && object->get(name);
}

const Function *findKernel(const TranslationUnit &unit,
                           const std::string &name) {
  for (const auto &function : unit.functions)
    if (function->isKernel && function->name == name)
      return function.get();
  return nullptr;
}

ModelOptions modelOptionsFor(const LaunchNumbers &numbers,
                             const Options &options) {
  ModelOptions result;
  result.operationBudget = options.operationBudget;
  result.shareLoops = false;
  if (numbers.local.empty())
    return result;
  result.localSize = {1, 1, 1};
  for (size_t d = 0; d < numbers.local.size(); ++d)
    (*result.localSize)[d] = static_cast<unsigned>(numbers.local[d]);
  return result;
}

bool isShared(const KernelModel &model, const Access &access) {
  const AddressSpace space = model.arrays[access.array].space;
  return space != AddressSpace::Private && space != AddressSpace::Local;
}

std::string nameNotIn(const std::string &text, const std::string &stem) {
  std::string name = stem;
  for (unsigned i = 1; text.find(name) != std::string::npos; ++i)
    name = stem + "_" + std::to_string(i);
  return name;
}

KnownLaunches::KnownLaunches(const KernelModel &of, const LaunchNumbers &what)
    : model(of), numbers(what),
      launch(static_cast<SymbolId>(of.symbols.size())) {}

std::string KnownLaunches::problem() const {
  for (const Assumption &assumption : model.assumptions)
    if (!holds(assumption))
      return "the launches do not meet '" + assumption.text + "'";
  for (const Array &array : model.arrays)
    if (std::string reason = shapeProblem(array); !reason.empty())
      return reason;
  return "";
}

std::string KnownLaunches::shapeProblem(const Array &array) const {
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
                       "' is not the same in all launches";
}

/// What is known of a symbol, over the number of the launch.
std::optional<Polynomial> KnownLaunches::valueOf(const Symbol &symbol) const {
  const auto at = [&](const std::vector<int64_t> &sizes, int64_t otherwise) {
    return Polynomial(symbol.dim < sizes.size() ? sizes[symbol.dim]
                                                : otherwise);
  };
  switch (symbol.kind) {
  case SymbolKind::Param:
    for (const LaunchedScalar &scalar : numbers.scalars)
      if (symbol.var && scalar.name == symbol.var->name)
        return Polynomial(scalar.first) +
               Polynomial(scalar.step) * Polynomial::symbol(launch);
    return std::nullopt;
  case SymbolKind::Product: {
    const Polynomial value = inLaunches(symbol.first);
    if (!isQuotient(symbol))
      return value;
    const std::optional<int64_t> number = value.asConstant(),
                                 by = inLaunches(symbol.second).asConstant();
    return number && by && *number >= 0 && *by > 0
               ? std::optional(Polynomial(*number / *by))
               : std::nullopt;
  }
  case SymbolKind::GlobalSize:
    return at(numbers.global, 1);
  case SymbolKind::GlobalOffset:
    return at(numbers.offset, 0);
  case SymbolKind::LocalSize:
    if (numbers.local.empty())
      return std::nullopt;
    return at(numbers.local, 1);
  case SymbolKind::NumGroups:
    if (numbers.local.empty())
      return std::nullopt;
    return Polynomial(symbol.dim < numbers.global.size()
                          ? numbers.global[symbol.dim] /
                                numbers.local[symbol.dim]
                          : 1);
  default:
    return std::nullopt;
  }
}

Polynomial KnownLaunches::inLaunches(Polynomial poly) const {
  for (SymbolId id : poly.symbols())
    if (id != launch)
      if (std::optional<Polynomial> value = valueOf(model.symbols[id]))
        poly = poly.substitute(id, *value);
  return poly;
}

/// `poly` as first + step * launch.
std::optional<std::pair<int64_t, int64_t>>
KnownLaunches::alongLaunches(const Polynomial &poly) const {
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

/// param = first + step * launch
static isl_constraint *equation(isl_set *set, int param, unsigned launchAt,
                                std::pair<int64_t, int64_t> line) {
  isl_ctx *context = isl_set_get_ctx(set);
  isl_constraint *result = isl_constraint_alloc_equality(
      isl_local_space_from_space(isl_set_get_space(set)));
  result = isl_constraint_set_coefficient_si(result, isl_dim_param, param, -1);
  result = isl_constraint_set_coefficient_val(
      result, isl_dim_param, static_cast<int>(launchAt),
      isl_val_int_from_si(context, line.second));
  return isl_constraint_set_constant_val(
      result, isl_val_int_from_si(context, line.first));
}

isl::set KnownLaunches::constrain(const isl::set &of) const {
  isl_set *set = of.copy();
  const unsigned params =
      static_cast<unsigned>(isl_set_dim(set, isl_dim_param));
  set = isl_set_add_dims(set, isl_dim_param, 1);
  set = isl_set_set_dim_name(set, isl_dim_param, params, "launch#");
  set = isl_set_lower_bound_si(set, isl_dim_param, params, 0);
  set = isl_set_upper_bound_val(
      set, isl_dim_param, params,
      isl_val_int_from_si(isl_set_get_ctx(set), numbers.count - 1));
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
  return isl::manage(set);
}

bool KnownLaunches::holds(const Assumption &assumption) const {
  for (const ProductBound &bound : assumption.bounds) {
    const auto line = alongLaunches(inLaunches(bound.poly));
    if (!line)
      return false;
    const __int128 first = line->first;
    const __int128 last =
        first + static_cast<__int128>(line->second) * (numbers.count - 1);
    if (std::max(first, last) > bound.maximum)
      return false;
  }
  // [params, launch] -> { : }
  isl::set known = constrain(isl::manage(
      isl_set_universe(isl_set_get_space(assumption.condition.get()))));
  return known.is_subset(assumption.condition);
}

std::optional<isl::map> KnownLaunches::cells(const Access &access) const {
  const Statement &statement = model.statements[access.statement];
  const Array &array = model.arrays[access.array];
  // { S[w, i] -> A[s] }
  isl::map map = access.relation.intersect_domain(statement.domain);
  if (array.rank == 1 && !array.origin.isZero()) {
    std::optional<isl::pw_aff> origin = toPwAff(
        model, statementSpace(model, statement.name, statement.coordinates),
        statement.coordinates, array.origin);
    if (!origin)
      return std::nullopt;
    // { S[w, i] -> A[origin] }
    isl_map *shift = isl_map_set_tuple_id(
        isl_map_from_pw_aff(origin->release()), isl_dim_out,
        isl_map_get_tuple_id(map.get(), isl_dim_out));
    map = isl::manage(isl_map_sum(map.release(), shift));
  }
  return constrain(map.wrap()).unwrap();
}

} // namespace clopt
