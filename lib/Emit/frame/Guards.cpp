//===- Guards.cpp - run-time conditions of optimized code -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// - Dimensions of the NDRange that the kernel never asks about have size 1.
// - Assumptions of the model (ranges of ids, subscripts within their row).
// - For the host, macros of the flags still have the value the model was made
//   for; on the device the preprocessor sees to it (ConfigurationText.h).
// - Footprints of arrays that must not overlap: from isl's minimum and maximum
//   of every subscript over the launch, as LLVM's loop vectorizer checks
//   pointer ranges.
//
// Tested by test/unit/GuardsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/frame/GuardMaker.h"

#include "Analysis/dependence/StrideLoops.h"
#include "Analysis/memory/TileLayout.h"
#include "Analysis/ranges/TripCount.h"
#include "Emit/body/BodyWriter.h"
#include "Emit/frame/MappedWork.h"
#include "Emit/frame/ProductGuards.h"
#include "Emit/frame/WorkMapping.h"
#include "Emit/lower/TileDomains.h"
#include "Emit/print/StatementPrinter.h"
#include "Model/ExprPrinter.h"
#include "Model/Operations.h"

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/val.h>

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace clopt {

GuardMaker::GuardMaker(
    const TransformedKernel &transformed,
    const std::vector<std::string> &parameters,
    const std::vector<std::string> &variables,
    const std::function<std::string(const std::string &)> &fresh,
    GuardScope guardScope, const LaunchNames &launchNames)
    : kernel(transformed), model(*transformed.model),
      dims(workCoordinates(*transformed.model)), endParameters(parameters),
      endVariables(variables), freshName(fresh), scope(guardScope),
      launch(launchNames),
      names(parameterNames(*transformed.model, true, launchNames)) {
  for (size_t i = 0; i < dims.size(); ++i)
    if (!endParameters[i].empty())
      names.names[endParameters[i]] = LinearForm::ofTerm(endVariables[i]);
  names.wideTerms.insert(endVariables.begin(), endVariables.end());
  names.mentioned = &result.mentioned;
  context = isl::manage(
      replaceSizes(model, dims, endParameters, model.paramContext.copy()));
}

template <typename Item>
static void addOnce(std::vector<Item> &list, const Item &item) {
  if (std::find(list.begin(), list.end(), item) == list.end())
    list.push_back(item);
}

void GuardMaker::add(const std::vector<Conjunct> &parts,
                     const std::string &reason, bool isAdvice) {
  result.conditions.push_back({parts, isAdvice});
  result.reasons.push_back(reason);
}

/// A dimension that the kernel does not know repeats its work: every layer of
/// groups does all of it, as the original does, and work-items that differ in
/// that dimension only access the same cells, in both versions. Where one of
/// them writes, all do, without order: a launch that means something then has
/// them write the same values. Only what is counted (atomics, sums that a group
/// shares) would be counted differently, and is asked for.
/// All work-items of the launch ask, and the sizes of such a dimension are slow
/// to come by: 7 % of a transposition, 5 % of a filter on an NVIDIA H100.
void GuardMaker::addRank() {
  unsigned rank = model.ndrange.launchRank();
  if (!kernel.isVirtual() || kernel.keepsGroups() || rank >= 3)
    return;
  bool counts = kernel.sharesWork() || model.hasAtomics ||
                model.hasOrderedEffects || !model.ndrange.mapped.empty();
  if (scope == GuardScope::Device && !counts)
    return;
  std::string reason = "the NDRange has " + std::to_string(rank) +
                       " dimension" + (rank == 1 ? "" : "s");
  std::string product;
  for (unsigned d = rank; d < 3; ++d) {
    std::string size = printWorkItem(WorkItemQuery::GlobalSize, d);
    product += (product.empty() ? "" : " * ") + size;
    if (kernel.groupStride() > 1)
      zeros.push_back("(" + size + " ^ 1)");
  }
  if (kernel.groupStride() > 1)
    result.reasons.push_back(reason);
  else
    add({product + " == 1"}, reason);
}

/// What makes one dimension do for several.
void GuardMaker::addFlatLaunch() {
  if (!model.ndrange.isFlat())
    return;
  const std::string offset = printWorkItem(WorkItemQuery::GlobalOffset, 0);
  add({offset + " == 0"}, "the launch has no offset");
  PrintEnvironment environment;
  environment.kernel = &kernel;
  environment.launch = launch;
  StatementPrinter printer(environment);
  for (const Condition &condition : model.ndrange.conditions) {
    // 0 <= more - less, as `less <= more`, or `less < more`.
    const bool isOrder = condition.kind == Condition::Kind::NonNegative;
    Polynomial more, less;
    for (const auto &[monomial, factor] : condition.poly.terms)
      (factor > 0 ? more : less).terms[monomial] = std::abs(factor);
    const bool isStrict = isOrder && less.asConstant() == 1;
    if (isStrict)
      less = Polynomial();
    const bool isName = more.asSymbol() && less.isZero();
    auto print = [&](const Polynomial &side) {
      return atLeast(printer.polynomial(side, {}, !isName), PrecAdditive);
    };
    const std::string text =
        isStrict ? print(more) + " > " + print(less)
                 : print(less) + (isOrder ? " <= " : " == ") + print(more);
    add({text}, "'" + text + "'");
  }
  for (const std::string &name : printer.uses())
    result.mentioned.insert(name);
}

/// True when the launch is asked for it as one of more dimensions.
bool GuardMaker::isOfFlatLaunch(const Polynomial &poly) const {
  auto isPositive = [&](const Polynomial &value) {
    return llvm::any_of(
        model.ndrange.conditions, [&](const Condition &condition) {
          return condition.kind == Condition::Kind::NonNegative &&
                 condition.poly == value - Polynomial(1);
        });
  };
  if (isPositive(poly))
    return true;
  // So are products of positive numbers.
  return poly.terms.size() == 1 && poly.terms.begin()->second > 0 &&
         llvm::all_of(poly.terms.begin()->first, [&](SymbolId id) {
           return isPositive(Polynomial::symbol(id));
         });
}

/// True when the sum is never negative, or never less than one, whatever the
/// arguments are.
static bool isAtLeast(const KernelModel &model, const Polynomial &poly,
                      int64_t least) {
  bool isPositive = false;
  for (const auto &[monomial, factor] : poly.terms) {
    bool isAllSizes = true;
    for (SymbolId id : monomial) {
      const Symbol &symbol = model.symbols[id];
      isAllSizes &= symbol.kind == SymbolKind::GlobalSize ||
                    symbol.kind == SymbolKind::LocalSize ||
                    symbol.kind == SymbolKind::NumGroups;
      if (symbol.minimum.value_or(-1) < 0)
        return false;
    }
    if (factor < 0)
      return false;
    isPositive |= isAllSizes;
  }
  return isPositive || least == 0;
}

/// What the model takes for granted of quotients, which C truncates.
void GuardMaker::addQuotients() {
  PrintEnvironment environment;
  environment.kernel = &kernel;
  environment.launch = launch;
  StatementPrinter printer(environment);
  for (const Symbol &symbol : model.symbols.all()) {
    if (!isQuotient(symbol))
      continue;
    for (const auto &[poly, least] :
         {std::pair(symbol.first, 0), std::pair(symbol.second, 1)}) {
      if (isAtLeast(model, poly, least) || isOfFlatLaunch(poly))
        continue;
      const std::string text =
          printer.polynomial(poly, {}, !poly.asSymbol()).text;
      const Conjunct condition{text + (least ? " > 0" : " >= 0")};
      if (llvm::none_of(result.conditions, [&](const GuardCondition &other) {
            return llvm::is_contained(other.parts, condition);
          }))
        add({condition},
            "'" + text + "' is " + (least ? "positive" : "not negative"));
    }
  }
  for (const std::string &name : printer.uses())
    result.mentioned.insert(name);
}

/// From OpenCL 2.0 on the last groups of a launch may be smaller.
void GuardMaker::addUniformGroups() {
  if (!kernel.isVirtual() || model.unit->openclVersion < 200)
    return;
  for (unsigned d = 0; d < model.ndrange.launchRank(); ++d) {
    std::string dim = std::to_string(d);
    add({"get_global_size(" + dim + ") % get_enqueued_local_size(" + dim +
         ") == 0"},
        "all work-groups have the same size");
  }
}

/// Groups with fewer work-items than a tile has side by side cannot share one.
void GuardMaker::addGroupSize() {
  for (unsigned d = 0; d < 3; ++d) {
    const std::string lanes = std::to_string(kernel.work[d].lanes);
    // Since OpenCL 2.0 the last groups may be smaller.
    const bool isKnown =
        model.ndrange.localSize[d] && model.unit->openclVersion < 200;
    if (model.ndrange.split[d] && kernel.work[d].lanes > 1 && !isKnown)
      add({printWorkItem(WorkItemQuery::LocalSize, d) + " % " + lanes +
           " == 0"},
          "work-groups have a multiple of " + lanes +
              " work-items along dimension " + std::to_string(d));
  }
  if (kernel.sharesWork()) {
    std::string lanes =
        std::to_string(kernel.cooperativeReductions.front().lanes);
    add({productOf(model.ndrange.launchRank(), WorkItemQuery::LocalSize) +
         " >= " + lanes},
        "a work-group has at least " + lanes + " work-items");
  }
  unsigned fewest = kernel.isGrouped() ? minWorkItems(kernel) : 1;
  unsigned asked = std::max(fewest, kernel.minGroupSize);
  // More than tiles need are asked for because fewer do not pay.
  if (asked > 1)
    add({productOf(model.ndrange.launchRank(), WorkItemQuery::LocalSize) +
         " >= " + std::to_string(asked)},
        "a work-group has at least " + std::to_string(asked) + " work-items",
        fewest == 1);
  if (kernel.groupsBelow)
    add({productOf(model.ndrange.launchRank(), WorkItemQuery::LocalSize) +
         " < " + std::to_string(kernel.groupsBelow)},
        "a work-group has fewer than " + std::to_string(kernel.groupsBelow) +
            " work-items",
        true);
  if (!kernel.isGrouped())
    return;
  // Positions of tiles and groups are computed in `int`: a group has `fewest`
  // work-items or more, a tile at least as many ids.
  uint64_t most = uint64_t(1073741824) * std::min(fewest, minTileIds(kernel));
  add({launchedItems(model.ndrange.launchRank()) + " < " +
       std::to_string(most)},
      "there are fewer than " + std::to_string(most) + " work-items");
}

/// On the device the preprocessor has compared integers; other numbers are for
/// the compiler, beside operators, too. One that became an integer is halved to
/// nothing.
void GuardMaker::addMacros() {
  const Configuration &configuration = model.function->configuration;
  if (scope == GuardScope::Host) {
    for (const auto &[name, value] : configuration.values)
      add({name + " == " + value}, "macro " + name + " is " + value);
    return;
  }
  for (const auto &[name, value] : configuration.reals)
    add({"(" + name + ") == " + value,
         "3 * " + name + " * 5 == 3 * " + value + " * 5",
         "1 / " + name + " == 1 / " + value,
         "sizeof(" + name + ") == sizeof(" + value + ")",
         "(" + name + " * 0 + 1) / 2 != 0"},
        "macro " + name + " is " + value);
}

/// get_global_size + get_global_offset has a variable in the output; symbols
/// beyond the model's stand for it.
ProductBound GuardMaker::withEnds(const ProductBound &bound) {
  ProductBound result = bound;
  for (size_t i = 0; i < dims.size(); ++i) {
    std::optional<SymbolId> size =
        model.symbols.find(SymbolKind::GlobalSize, dims[i]);
    std::optional<SymbolId> offset =
        model.symbols.find(SymbolKind::GlobalOffset, dims[i]);
    if (!size || !offset || endVariables[i].empty())
      continue;
    std::optional<Polynomial> bySize = result.poly.coefficientOf(*size);
    std::optional<Polynomial> byOffset = result.poly.coefficientOf(*offset);
    if (!bySize || !byOffset || *bySize != *byOffset || bySize->isZero())
      continue;
    result.poly = result.poly.substitute(*offset, Polynomial());
    SymbolId end = model.symbols.size() + i;
    result.poly = result.poly.substitute(*size, Polynomial::symbol(end));
  }
  return result;
}

std::string GuardMaker::symbolText(SymbolId id) const {
  PrintEnvironment environment;
  environment.kernel = &kernel;
  StatementPrinter printer(environment);
  return printer.polynomial(Polynomial::symbol(id), PrintSite(), false).text;
}

/// Text and maximum of a symbol, where `assumed` holds.
ProductFactor GuardMaker::factorOf(SymbolId id, const isl::set &assumed) const {
  ProductFactor factor;
  std::string sum, params;
  auto addParam = [&](SymbolId param) {
    const std::string &name = model.symbols[param].name;
    params += (params.empty() ? "" : ", ") + name;
    sum += (sum.empty() ? "" : " + ") + name;
  };
  if (id >= model.symbols.size()) {
    unsigned coordinate = id - model.symbols.size();
    factor.text = endVariables[coordinate];
    addParam(*model.symbols.find(SymbolKind::GlobalSize, dims[coordinate]));
    addParam(*model.symbols.find(SymbolKind::GlobalOffset, dims[coordinate]));
  } else {
    factor.text = symbolText(id);
    addParam(id);
  }
  for (uint64_t most : {uint64_t(1) << 31, uint64_t(UINT32_MAX)}) {
    isl::set small = isl::manage(isl_set_read_from_str(
        model.context.get(), ("[" + params + "] -> { : " + sum +
                              " <= " + std::to_string(most) + " }")
                                 .c_str()));
    if (factor.maximum != UINT64_MAX || !assumed.is_subset(small))
      continue;
    factor.maximum = most;
  }
  return factor;
}

void GuardMaker::addProducts(const std::vector<ProductBound> &bounds,
                             const isl::set &assumed) {
  for (const ProductBound &bound : bounds) {
    ProductBound simple = withEnds(bound);
    std::map<SymbolId, ProductFactor> factors;
    for (SymbolId id : simple.poly.symbols())
      factors[id] = factorOf(id, assumed);
    for (const Conjunct &condition : printProductBound(simple, factors)) {
      for (const auto &[id, factor] : factors)
        result.mentioned.insert(factor.text);
      addOnce(result.conditions, GuardCondition{{condition}});
    }
  }
}

void GuardMaker::addAssumptions() {
  isl_set *all = isl_set_universe(isl_set_get_space(model.paramContext.get()));
  std::vector<ProductBound> products;
  std::vector<isl::set> choices; // { : } of all, those with alternatives
  bool any = addIdRanges(all);
  any |= addLoopRanges(all);
  any |= addParameterRanges(all);
  for (unsigned i = 0; i < model.assumptions.size(); ++i) {
    const Assumption &assumption = model.assumptions[i];
    if (assumption.kind == Assumption::Kind::Subscript &&
        !kernel.usedAssumptions.count(i))
      continue;
    if (assumption.bounds.empty() &&
        isl_set_plain_is_universe(assumption.condition.get()) == isl_bool_true)
      continue;
    products.insert(products.end(), assumption.bounds.begin(),
                    assumption.bounds.end());
    if (isl_set_n_basic_set(assumption.condition.get()) > 1)
      choices.push_back(assumption.condition);
    else
      all = isl_set_intersect(all, assumption.condition.copy());
    addOnce(result.reasons, assumption.text);
    any = true;
  }
  if (asked) {
    all = isl_set_intersect(all, asked->copy());
    addOnce(result.reasons,
            std::string("at least one tile has all its ids, and does what "
                        "has been written for all of it"));
    any = true;
  }
  isl::set assumed = isl::manage(all); // { : }
  if (!any)
    return;
  addChoices(assumed, choices);
  for (const isl::set &choice : choices)
    assumed = assumed.intersect(choice);
  assumed = assumed.intersect(model.paramContext);
  if (result.error)
    return;
  addProducts(products, assumed);
}

/// Loops that are dimensions of the launch: iterations, of all of them
/// together, for each work-item of the launch on the average.
void GuardMaker::addLeastRounds() {
  unsigned least = 0;
  std::string iterations, items;
  const std::vector<MappedDimension> &mapped = model.ndrange.mapped;
  for (const MappedDimension &dimension : mapped) {
    if (!dimension.isLaunched)
      continue;
    auto known = kernel.minIterations.find(dimension.loop);
    if (known != kernel.minIterations.end())
      least = std::max(least, known->second);
    PrintedText range = printBound(model, dimension.end, true);
    PrintedText first = printBound(model, dimension.first, true);
    if (first.text != "0")
      range = {atLeast(range, PrecAdditive) + " - " +
                   atLeast(first, PrecMultiplicative),
               PrecAdditive};
    if (mapped.size() > 1)
      range = {"(long)" + atLeast(range, PrecUnary), PrecUnary};
    iterations += (iterations.empty() ? "" : " * ") + range.text;
    items +=
        " * (long)" + printWorkItem(WorkItemQuery::GlobalSize, dimension.dim);
  }
  if (least == 0)
    return;
  std::string count = std::to_string(least);
  add({iterations + " >= " + count + items},
      "every work-item has " + count + " iterations on the average");
}

/// Loops in steps of the launch's size: iterations of each work-item on the
/// average.
void GuardMaker::addStrides() {
  GroupValues values(*model.function);
  for (const auto &[statement, least] : kernel.minStrideIterations) {
    const StrideLoop loop = *readStrideLoop(*model.statements[statement].stmt);
    const std::string count = std::to_string(least);
    auto wide = [&](const ExprRef &expr) {
      return "(long)" + printOperand(values.atEntry(expr), PrecUnary);
    };
    add({wide(loop.bound) + " >= " + count + " * " + wide(loop.step)},
        "loop '" + loop.var->name + "' runs at least " + count + " times");
  }
}

/// Loops that run too seldom for what was made of them: the first thing to ask,
/// because such launches have little else to do.
void GuardMaker::addLeastIterations() {
  isl_set *all = isl_set_universe(isl_set_get_space(model.paramContext.get()));
  addLeastRounds();
  addStrides();
  for (const auto &[loop, count] : kernel.minIterations) {
    const bool isDimension =
        std::any_of(model.ndrange.mapped.begin(), model.ndrange.mapped.end(),
                    [&](const MappedDimension &dimension) {
                      return dimension.loop == loop;
                    });
    std::optional<isl::set> enough;
    if (!isDimension)
      enough = runsAtLeast(model, loop, count);
    if (!enough || isl_set_plain_is_universe(enough->get()) == isl_bool_true)
      continue;
    all = isl_set_intersect(all, enough->copy());
    result.reasons.push_back("loop '" + model.loops[loop].name +
                             "' runs at least " + std::to_string(count) +
                             " times");
  }
  isl::set conditions = launched(isl::manage(all)); // { : }
  addConditions(conditions);
  if (!result.error)
    context = context.intersect(conditions);
}

/// Their number, which has a name where several conditions ask for it.
std::string GuardMaker::launchedItems(unsigned rank) {
  const std::string product = productOf(rank, WorkItemQuery::GlobalSize);
  if (scope == GuardScope::Host || !kernel.isGrouped() ||
      kernel.minWorkItems < 2 || rank < 2 || rank != model.ndrange.launchRank())
    return product;
  if (items.empty()) {
    items = freshName("items");
    result.definitions.push_back({"size_t", items, product});
  }
  return items;
}

void GuardMaker::addLeastWorkItems() {
  if (kernel.minWorkItems < 2)
    return;
  const std::string size = launchedItems(model.ndrange.launchRank());
  std::string least = std::to_string(kernel.minWorkItems);
  add({size + " >= " + least}, "there are at least " + least + " work-items",
      true);
  std::string aligned = alignedRows();
  if (scope == GuardScope::Host || aligned.empty() ||
      kernel.original->usesLocalMemory)
    return;
  // Cells that are copied one at a time take longer to come: a device needs
  // more work to do while it waits. Not where the author's text copies them
  // one at a time, too.
  least = std::to_string(2 * kernel.minWorkItems);
  add({"(" + size + " >= " + least + " || " + aligned + ")"},
      "there are at least " + least +
          " work-items, or rows are copied in vectors",
      true);
}

/// Launches with fewer work-items than one does the work of have no whole
/// block: what there is would be done one after the other.
void GuardMaker::addWholeBlocks() {
  if (kernel.isGrouped() || kernel.keepsGroups() || kernel.sharesWork())
    return;
  for (unsigned d = 0; d < model.ndrange.launchRank(); ++d) {
    const WorkDimension &work = kernel.work[d];
    if (work.points < 2)
      continue;
    const std::string least = std::to_string(work.total());
    const std::string size = printWorkItem(WorkItemQuery::GlobalSize, d);
    Conjunct isEnough(size + " >= " + least);
    isEnough.computed = ComputedSide{"size_t", size, " >= " + least,
                                     "size" + std::to_string(d)};
    add({isEnough},
        "there are at least " + least + " work-items along dimension " +
            std::to_string(d),
        true);
  }
}

/// When the rows of all sections can be copied several cells at a time, as an
/// operand of ||.
std::string GuardMaker::alignedRows() const {
  std::set<std::string> strides;
  PrintEnvironment environment;
  environment.kernel = &kernel;
  StatementPrinter printer(environment);
  for (const ArrayTile &tile : kernel.sections()) {
    const Array &array = model.arrays[tile.array];
    unsigned width = tile.isPrivate() ? 1 : copiedAtOnce(kernel, tile);
    Polynomial stride(1);
    for (size_t d = tile.base.size(); width > 1 && d-- > 1;) {
      stride = stride * array.extents[d];
      std::optional<int64_t> constant = stride.asConstant();
      if (!constant || *constant % width != 0)
        strides.insert(
            atLeast(printer.polynomial(stride, PrintSite(), true), PrecUnary) +
            " % " + std::to_string(width) + " == 0");
    }
  }
  std::string text;
  for (const std::string &stride : strides)
    text += (text.empty() ? "" : " && ") + stride;
  return strides.size() > 1 ? "(" + text + ")" : text;
}

void GuardMaker::refuseContext() {
  result.error = {"clopt-non-affine-subscript",
                  "the subscripts leave their rows", ""};
}

/// What isl can say, as simple as the context allows.
void GuardMaker::addConditions(const isl::set &conditions) {
  if (conditions.intersect(context).is_empty())
    return refuseContext();
  isl::set simple = isl::manage(isl_set_coalesce(isl_set_remove_redundancies(
      isl_set_gist_params(conditions.copy(), context.copy()))));
  if (isl_set_plain_is_universe(simple.get()) == isl_bool_true)
    return;
  const isl::set rest = addCommonBound(simple);
  if (isl_set_plain_is_universe(rest.get()) != isl_bool_true)
    addPrinted(rest);
}

void GuardMaker::addPrinted(const isl::set &condition) {
  isl_ast_build *build = isl_ast_build_from_context(context.copy());
  isl::ast_expr expr =
      isl::manage(isl_ast_build_expr_from_set(build, condition.copy()));
  isl_ast_build_free(build);
  addOnce(result.conditions, GuardCondition{printConjuncts(expr, names)});
}

/// The least value of a subscript, or one past the greatest when it is the
/// last one.
/// Where subscripts have gaps, exact bounds may take isl a minute.
static constexpr uint64_t operationsOfBound = 20000;

std::optional<PrintedText> GuardMaker::bound(const isl::set &cells,
                                             unsigned dim, bool maximum) {
  auto extreme = [&](const isl::set &of) {
    return maximum ? isl_set_dim_max(of.copy(), static_cast<int>(dim))
                   : isl_set_dim_min(of.copy(), static_cast<int>(dim));
  };
  isl_pw_aff *value = nullptr;
  {
    const OperationLimit limit(model.context.get(), operationsOfBound);
    value = extreme(cells);
  }
  if (!value) {
    // A cell more than there is makes the guard stricter, no more.
    value = extreme(isl::manage(isl_set_remove_divs(cells.copy())));
  }
  if (!value)
    return std::nullopt;
  unsigned last = isl_set_dim(cells.get(), isl_dim_set) - 1;
  if (maximum && dim == last)
    value =
        isl_pw_aff_add_constant_val(value, isl_val_one(model.context.get()));
  value = isl_pw_aff_coalesce(
      isl_pw_aff_gist_params(value, isl_set_params(cells.copy())));
  // What the alternatives of the context have in common is enough to print a
  // bound, and with many of them isl takes seconds.
  isl_set *known = // { : }
      isl_set_intersect(context.copy(), isl_set_params(cells.copy()));
  if (isl_set_n_basic_set(known) > 1)
    known = isl_set_from_basic_set(isl_set_simple_hull(known));
  isl_ast_build *build = isl_ast_build_from_context(known);
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

/// Rows come one behind the other: where subscripts may leave their rows, an
/// argument that is an extent may be negative, and the last row be the first.
void GuardMaker::addDirections(const Array &array, const isl::set &cells) {
  isl::set known = context.intersect(cells.params()); // { : }
  const isl::space space = statementSpace(model, "", {}).params();
  for (unsigned d = 1; d < array.rank; ++d) {
    std::optional<isl::pw_aff> extent =
        toPwAff(model, space, {}, array.extents[d]); // { [] -> extent }
    if (!extent)
      continue;
    isl::set forward = isl::manage(isl_pw_aff_nonneg_set(extent->copy()));
    if (!known.is_subset(forward))
      addConditions(forward.intersect_params(context));
  }
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
  addDirections(info, all);
  std::string low, high;
  PrintEnvironment environment;
  environment.kernel = &kernel;
  StatementPrinter printer(environment);
  PrintSite nowhere;
  if (!info.origin.isZero())
    low = high = " + " + atLeast(printer.polynomial(info.origin, nowhere, true),
                                 PrecAdditive);
  for (unsigned d = 0; d < info.rank; ++d) {
    Polynomial stride(1);
    for (unsigned e = d + 1; e < info.rank; ++e)
      stride = stride * info.extents[e];
    std::optional<PrintedText> least = bound(all, d, false);
    std::optional<PrintedText> most = bound(all, d, true);
    if (!least || !most)
      return false;
    std::string factor, whole;
    if (stride != Polynomial(1)) {
      factor = " * " +
               atLeast(printer.polynomial(stride, nowhere, false), PrecUnary);
      whole = atLeast(printer.polynomial(stride, nowhere, true), PrecAdditive);
    }
    // Products of arguments may leave `int`.
    auto addTo = [&](std::string &sum, const PrintedText &value) {
      if (value.text == "0")
        return;
      sum += " + ";
      if (value.text == "1" && !whole.empty()) {
        sum += whole;
        return;
      }
      sum += factor.empty() ? atLeast(value, PrecAdditive)
                            : (value.isLong ? "" : "(long)") +
                                  atLeast(value, PrecUnary) + factor;
    };
    // Where no subscript is negative, the array's start will do.
    isl::set launched = all.intersect_params(context);
    if (isl_set_is_subset(launched.get(), nonNegative(all, d).get()) !=
        isl_bool_true)
      addTo(low, *least);
    addTo(high, *most);
  }
  const std::optional<PrintedText> start = startOfCells(info);
  if (!start)
    return false;
  first = low.empty() ? info.name : start->text + low;
  end = start->text + high;
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
  std::string low = "(size_t)" + name;
  if (first != name) {
    low = freshName(name + "_begin");
    result.definitions.push_back({"size_t", low, "(size_t)(" + first + ")"});
  }
  std::string high = freshName(name + "_end");
  result.definitions.push_back({"size_t", high, "(size_t)(" + end + ")"});
  footprints[array] = {low, high};
  return true;
}

void GuardMaker::addOverlaps(
    const std::set<std::pair<unsigned, unsigned>> &arrays) {
  for (const auto &[a, b] : arrays) {
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
    add({"(" + highA + " <= " + lowB + " || " + highB + " <= " + lowA + ")"},
        "'" + nameA + "' and '" + nameB + "' do not overlap");
  }
}

/// Vectors begin at a multiple of their size.
void GuardMaker::addAlignment() {
  if (kernel.alignedArrays.empty())
    return;
  std::map<unsigned, std::vector<std::string>> values; // by the power of two
  auto require = [&](unsigned size, const std::string &value) {
    values[size].push_back(value);
  };
  unsigned lanes = 1;
  for (unsigned d = 0; d < 3; ++d) {
    const WorkDimension &work = kernel.work[d];
    if (work.lanes > 1) {
      lanes = work.lanes;
      require(lanes, printWorkItem(WorkItemQuery::GlobalOffset, d));
    }
  }
  for (unsigned array : kernel.alignedArrays) {
    const Array &info = model.arrays[array];
    require(lanes * info.elementBytes, "(size_t)" + info.name);
    result.reasons.push_back("'" + info.name + "' is aligned to vectors");
  }
  for (SymbolId id : kernel.multiples) {
    const std::string &name = model.symbols[id].var->name;
    require(lanes, "(size_t)" + name);
    result.reasons.push_back("'" + name + "' is a multiple of " +
                             std::to_string(lanes));
  }
  for (const auto &[size, all] : values) {
    const std::string sum = llvm::join(all, " | ");
    zeros.push_back((all.size() == 1 ? "(" + sum : "((" + sum + ")") + " & " +
                    std::to_string(size - 1) + ")");
  }
}

/// Sizes and offsets of the launch below this together, where that is cheaper
/// to see than the condition itself.
static constexpr int commonBits = 29;

/// One comparison for the launch's dimensions where that is cheaper, and leaves
/// nothing to ask of them. Returns what is still to be asked.
isl::set GuardMaker::addCommonBound(const isl::set &condition) {
  if (kernel.groupStride() == 1)
    return condition;
  isl_set *bounded = context.copy();
  std::string all;
  std::set<std::string> ends, parameters;
  for (size_t i = 0; i < dims.size(); ++i) {
    int position = endParameters[i].empty()
                       ? -1
                       : isl_set_find_dim_by_name(bounded, isl_dim_param,
                                                  endParameters[i].c_str());
    if (position < 0)
      continue;
    ends.insert(endVariables[i]);
    parameters.insert(endParameters[i]);
    bounded = isl_set_upper_bound_si(bounded, isl_dim_param,
                                     static_cast<unsigned>(position),
                                     (1 << (commonBits + 1)) - 2);
    all += (all.empty() ? "" : " | ") +
           printWorkItem(WorkItemQuery::GlobalOffset, dims[i]) + " | " +
           printWorkItem(WorkItemQuery::GlobalSize, dims[i]);
  }
  isl::set rest = isl::manage(isl_set_coalesce(isl_set_remove_redundancies(
      isl_set_gist_params(condition.copy(), bounded))));
  for (const std::string &name : parameters) {
    int position =
        isl_set_find_dim_by_name(rest.get(), isl_dim_param, name.c_str());
    if (position >= 0 && isl_set_involves_dims(rest.get(), isl_dim_param,
                                               static_cast<unsigned>(position),
                                               1) != isl_bool_false)
      return condition;
  }
  if (all.empty())
    return condition;
  zeros.push_back("((" + all + ") >> " + std::to_string(commonBits) + ")");
  result.boundedEnds = std::move(ends);
  return rest;
}

/// The model takes unsigned numbers for what they are, the new text for `long`.
void GuardMaker::addWideArguments() {
  for (SymbolId id = 0; id < model.symbols.size(); ++id) {
    const Symbol &symbol = model.symbols[id];
    if (symbol.kind != SymbolKind::Param || !symbol.var ||
        !symbol.var->type.isScalar() ||
        symbol.var->type.scalar != ScalarKind::ULong)
      continue;
    add({"(long)" + symbolText(id) + " >= 0"},
        "'" + symbol.name + "' fits into a long");
    const int position = isl_set_find_dim_by_name(context.get(), isl_dim_param,
                                                  symbol.name.c_str());
    if (position >= 0)
      context = isl::manage(isl_set_upper_bound_val(
          context.release(), isl_dim_param, static_cast<unsigned>(position),
          isl_val_int_from_si(model.context.get(),
                              std::numeric_limits<int64_t>::max())));
  }
}

/// What must be zero, in one comparison: every launched work-item evaluates the
/// guard, most of them for nothing.
void GuardMaker::addZeros() {
  if (zeros.empty())
    return;
  std::string all;
  for (const std::string &zero : zeros)
    all += (all.empty() ? "" : " | ") + zero;
  result.conditions.insert(result.conditions.begin(),
                           GuardCondition{{"(" + all + ") == 0"}});
}

Guards GuardMaker::run() {
  // What is cheap to ask and says no most often comes first.
  addLeastIterations();
  addLeastWorkItems();
  addWholeBlocks();
  addRank();
  addFlatLaunch();
  if (scope == GuardScope::Device) {
    addUniformGroups();
    addGroupSize();
  }
  addWideArguments();
  addMacros();
  addAssumptions();
  addQuotients();
  addAlignment();
  addZeros();
  if (!result.error)
    addOverlaps(kernel.disjointArrays);
  result.known = context;
  for (size_t i = 0; i < dims.size(); ++i)
    if (!endVariables[i].empty() && !endParameters[i].empty())
      result.endParameters[endVariables[i]] = endParameters[i];
  return std::move(result);
}

Guards
GuardMaker::keepApart(const std::set<std::pair<unsigned, unsigned>> &arrays) {
  addOverlaps(arrays);
  return std::move(result);
}

Guards makeOverlapGuards(
    const TransformedKernel &kernel,
    const std::set<std::pair<unsigned, unsigned>> &arrays,
    const std::vector<std::string> &endParameters,
    const std::vector<std::string> &endVariables,
    const std::function<std::string(const std::string &)> &fresh) {
  return GuardMaker(kernel, endParameters, endVariables, fresh,
                    GuardScope::Device, LaunchNames())
      .keepApart(arrays);
}

Guards makeGuards(const TransformedKernel &kernel,
                  const std::vector<std::string> &endParameters,
                  const std::vector<std::string> &endVariables,
                  const std::function<std::string(const std::string &)> &fresh,
                  GuardScope scope, const LaunchNames &launch,
                  const std::optional<isl::set> &asked) {
  GuardMaker maker(kernel, endParameters, endVariables, fresh, scope, launch);
  maker.asked = asked;
  return maker.run();
}

} // namespace clopt
