//===- Guards.cpp - run-time conditions of optimized code -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// - Dimensions of the NDRange that the kernel never asks about have size 1.
// - Assumptions of the model (ranges of ids, subscripts within their row).
// - Macros from the command line still have the value the model was made for.
// - Footprints of arrays that must not overlap: from isl's minimum and maximum
//   of every subscript over the launch, as LLVM's loop vectorizer checks
//   pointer ranges.
//
// Tested by test/unit/GuardsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/Guards.h"

#include "Emit/BodyWriter.h"
#include "Emit/StatementPrinter.h"
#include "Emit/TileDomains.h"

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <algorithm>
#include <cctype>

namespace clopt {

namespace {

class GuardMaker {
public:
  GuardMaker(const TransformedKernel &transformed,
             const std::vector<std::string> &parameters,
             const std::vector<std::string> &variables,
             const std::function<std::string(const std::string &)> &fresh);
  Guards run();

private:
  void addRank();
  void addUniformGroups();
  void addMacros();
  void addAssumptions();
  bool addIdRanges(isl_set *&all);
  void addOverlaps();
  bool footprint(unsigned array, std::string &first, std::string &end);
  bool declareFootprint(unsigned array);
  std::optional<PrintedText> bound(const isl::set &cells, unsigned dim,
                                   bool maximum);
  void add(const std::string &condition, const std::string &reason);

  const TransformedKernel &kernel;
  const KernelModel &model;
  std::vector<unsigned> dims;
  const std::vector<std::string> &endParameters;
  const std::vector<std::string> &endVariables;
  const std::function<std::string(const std::string &)> &freshName;
  std::map<unsigned, std::pair<std::string, std::string>> footprints;
  AstNames names;
  isl::set context; ///< { : } what is known of arguments and launch
  Guards result;
};

} // namespace

GuardMaker::GuardMaker(
    const TransformedKernel &transformed,
    const std::vector<std::string> &parameters,
    const std::vector<std::string> &variables,
    const std::function<std::string(const std::string &)> &fresh)
    : kernel(transformed), model(*transformed.model),
      dims(workCoordinates(*transformed.model)), endParameters(parameters),
      endVariables(variables), freshName(fresh),
      names(parameterNames(*transformed.model, true)) {
  for (size_t i = 0; i < dims.size(); ++i)
    if (!endParameters[i].empty())
      names.names[endParameters[i]] = LinearForm::ofTerm(endVariables[i]);
  names.wideTerms.insert(endVariables.begin(), endVariables.end());
  context = isl::manage(
      replaceSizes(model, dims, endParameters, model.paramContext.copy()));
}

void GuardMaker::add(const std::string &condition, const std::string &reason) {
  result.conditions.push_back(condition);
  result.reasons.push_back(reason);
}

void GuardMaker::addRank() {
  if (!kernel.isVirtual() || model.ndrange.rank >= 3)
    return;
  std::string product;
  for (unsigned d = model.ndrange.rank; d < 3; ++d)
    product += (product.empty() ? "" : " * ") +
               printWorkItem(WorkItemQuery::GlobalSize, d);
  add(product + " == 1", "the NDRange has " +
                             std::to_string(model.ndrange.rank) + " dimension" +
                             (model.ndrange.rank == 1 ? "" : "s"));
}

/// From OpenCL 2.0 on the last groups of a launch may be smaller.
void GuardMaker::addUniformGroups() {
  if (!kernel.isVirtual() || model.unit->openclVersion < 200)
    return;
  for (unsigned d = 0; d < model.ndrange.rank; ++d) {
    std::string dim = std::to_string(d);
    add("get_global_size(" + dim + ") % get_enqueued_local_size(" + dim +
            ") == 0",
        "all work-groups have the same size");
  }
}

void GuardMaker::addMacros() {
  for (const MacroDependence &macro : model.unit->commandLineMacros) {
    bool isNumber =
        !macro.value.empty() &&
        std::all_of(macro.value.begin(), macro.value.end(),
                    [](unsigned char c) { return std::isdigit(c); });
    if (isNumber)
      add(macro.name + " == " + macro.value,
          "macro " + macro.name + " is " + macro.value);
  }
}

/// Largest global id that emitted arithmetic in `int` can still add to.
static constexpr int largestIntId = 2147480000;

/// Ids that are computed in `int` stay clear of its end.
bool GuardMaker::addIdRanges(isl_set *&all) {
  bool any = false;
  for (unsigned d = 0; d < 3; ++d) {
    const Variable *variable =
        kernel.work[d].total() > 1 ? idVariable(model, d) : nullptr;
    if (!variable || variable->type.size > 4)
      continue;
    std::string sum, params;
    for (SymbolKind kind : {SymbolKind::GlobalSize, SymbolKind::GlobalOffset})
      if (std::optional<SymbolId> id = model.symbols.find(kind, d)) {
        params += (params.empty() ? "" : ", ") + model.symbols.name(*id);
        sum += (sum.empty() ? "" : " + ") + model.symbols.name(*id);
      }
    if (sum.empty())
      continue;
    std::string text = "[" + params + "] -> { : " + sum +
                       " <= " + std::to_string(largestIntId) + " }";
    all = isl_set_intersect(
        all, isl_set_read_from_str(model.context.get(), text.c_str()));
    any = true;
  }
  return any;
}

void GuardMaker::addAssumptions() {
  isl_set *all = isl_set_universe(isl_set_get_space(model.paramContext.get()));
  bool any = addIdRanges(all);
  for (unsigned i = 0; i < model.assumptions.size(); ++i) {
    const Assumption &assumption = model.assumptions[i];
    if (assumption.kind == Assumption::Kind::Subscript &&
        !kernel.usedAssumptions.count(i))
      continue;
    if (isl_set_plain_is_universe(assumption.condition.get()) == isl_bool_true)
      continue;
    all = isl_set_intersect(all, assumption.condition.copy());
    if (std::find(result.reasons.begin(), result.reasons.end(),
                  assumption.text) == result.reasons.end())
      result.reasons.push_back(assumption.text);
    any = true;
  }
  isl::set conditions = isl::manage(
      isl_set_coalesce(replaceSizes(model, dims, endParameters, all)));
  if (!any)
    return;
  isl::set inContext =
      isl::manage(isl_set_intersect(conditions.copy(), context.copy()));
  if (isl_set_is_empty(inContext.get()) == isl_bool_true) {
    result.error = {"clopt-non-affine-subscript",
                    "the subscripts leave their rows", ""};
    return;
  }
  isl::set simple = isl::manage(isl_set_coalesce(isl_set_remove_redundancies(
      isl_set_gist_params(conditions.copy(), context.copy()))));
  if (isl_set_plain_is_universe(simple.get()) == isl_bool_true)
    return;
  isl_ast_build *build = isl_ast_build_from_context(context.copy());
  isl::ast_expr expr =
      isl::manage(isl_ast_build_expr_from_set(build, simple.copy()));
  isl_ast_build_free(build);
  PrintedText text = printAst(expr, names);
  result.conditions.push_back(atLeast(text, PrecLAnd));
}

/// The least value of a subscript, or one past the greatest when it is the
/// last one.
std::optional<PrintedText> GuardMaker::bound(const isl::set &cells,
                                             unsigned dim, bool maximum) {
  isl_pw_aff *value =
      maximum ? isl_set_dim_max(cells.copy(), static_cast<int>(dim))
              : isl_set_dim_min(cells.copy(), static_cast<int>(dim));
  if (!value)
    return std::nullopt;
  unsigned last = isl_set_dim(cells.get(), isl_dim_set) - 1;
  if (maximum && dim == last)
    value =
        isl_pw_aff_add_constant_val(value, isl_val_one(model.context.get()));
  value = isl_pw_aff_coalesce(
      isl_pw_aff_gist_params(value, isl_set_params(cells.copy())));
  isl_ast_build *build = isl_ast_build_from_context(
      isl_set_intersect(context.copy(), isl_set_params(cells.copy())));
  isl::ast_expr expr =
      isl::manage(isl_ast_build_expr_from_pw_aff(build, value));
  isl_ast_build_free(build);
  return printAst(expr, names);
}

/// The space of `cells` with coordinate `dim` at least 0.
static isl::set nonNegative(const isl::set &cells, unsigned dim) {
  return isl::manage(isl_set_lower_bound_si(
      isl_set_universe(isl_set_get_space(cells.get())), isl_dim_set, dim, 0));
}

/// First cell and one past the last that the kernel touches, in elements.
bool GuardMaker::footprint(unsigned array, std::string &first,
                           std::string &end) {
  isl_set *cells = nullptr;
  for (const Access &access : model.accesses) {
    if (access.array != array)
      continue;
    isl_set *one = isl_map_range(isl_map_intersect_domain(
        access.relation.copy(),
        model.statements[access.statement].domain.copy()));
    cells = cells ? isl_set_union(cells, one) : one;
  }
  isl::set all = isl::manage(
      isl_set_coalesce(replaceSizes(model, dims, endParameters, cells)));
  const Array &info = model.arrays[array];
  std::string low, high;
  PrintEnvironment environment;
  environment.kernel = &kernel;
  StatementPrinter printer(environment);
  PrintSite nowhere;
  for (unsigned d = 0; d < info.rank; ++d) {
    Polynomial stride(1);
    for (unsigned e = d + 1; e < info.rank; ++e)
      stride = stride * info.extents[e];
    std::optional<PrintedText> least = bound(all, d, false);
    std::optional<PrintedText> most = bound(all, d, true);
    if (!least || !most)
      return false;
    std::string factor;
    if (stride != Polynomial(1))
      factor = " * " +
               atLeast(printer.polynomial(stride, nowhere, false), PrecUnary);
    // Products of arguments may leave `int`.
    auto addTo = [&](std::string &sum, const PrintedText &value) {
      if (value.text == "0")
        return;
      sum += " + ";
      bool isLong = value.text.compare(0, 6, "(long)") == 0;
      sum += factor.empty() ? atLeast(value, PrecAdditive)
                            : (isLong ? "" : "(long)") +
                                  atLeast(value, PrecUnary) + factor;
    };
    // Where no subscript is negative, the array's start will do.
    if (isl_set_is_subset(all.get(), nonNegative(all, d).get()) !=
        isl_bool_true)
      addTo(low, *least);
    addTo(high, *most);
  }
  first = info.name + low;
  end = info.name + high;
  return printer.failure().empty();
}

/// Declares the addresses of the first cell and of one past the last; false
/// when they are not bounded by the launch.
bool GuardMaker::declareFootprint(unsigned array) {
  if (footprints.count(array))
    return true;
  std::string first, end;
  try {
    if (!footprint(array, first, end))
      return false;
  } catch (const isl::exception_invalid &) {
    return false; // an unbounded footprint has no maximum
  }
  const std::string &name = model.arrays[array].name;
  std::string low = freshName(name + "_begin");
  std::string high = freshName(name + "_end");
  result.declarations.push_back("const size_t " + low + " = (size_t)(" + first +
                                ");");
  result.declarations.push_back("const size_t " + high + " = (size_t)(" + end +
                                ");");
  footprints[array] = {low, high};
  return true;
}

void GuardMaker::addOverlaps() {
  for (const auto &[a, b] : kernel.disjointArrays) {
    const std::string &nameA = model.arrays[a].name;
    const std::string &nameB = model.arrays[b].name;
    if (!declareFootprint(a) || !declareFootprint(b)) {
      result.error = {"clopt-unguardable-footprint",
                      "'" + nameA + "' and '" + nameB +
                          "' may overlap, and the cells used are not bounded "
                          "by the launch",
                      "add `restrict` to `" + nameA + "`"};
      return;
    }
    const auto &[lowA, highA] = footprints[a];
    const auto &[lowB, highB] = footprints[b];
    add("(" + highA + " <= " + lowB + " || " + highB + " <= " + lowA + ")",
        "'" + nameA + "' and '" + nameB + "' do not overlap");
  }
}

Guards GuardMaker::run() {
  addRank();
  addUniformGroups();
  addMacros();
  addAssumptions();
  if (!result.error)
    addOverlaps();
  return std::move(result);
}

Guards
makeGuards(const TransformedKernel &kernel,
           const std::vector<std::string> &endParameters,
           const std::vector<std::string> &endVariables,
           const std::function<std::string(const std::string &)> &fresh) {
  return GuardMaker(kernel, endParameters, endVariables, fresh).run();
}

} // namespace clopt
