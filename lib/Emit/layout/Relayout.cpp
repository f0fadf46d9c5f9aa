//===- Relayout.cpp - a kernel that works on converted buffers ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which cells are copied: the transform takes the cells that the kernel reads
// to the copy, and the box around their images is filled. Cells of the box that
// nobody reads come from between two addresses of the buffer that the kernel
// accesses, or are left out. Written cells have to be a box themselves, which
// is copied back, so that no other cell of the author's buffer is written.
//
// Rows of the copy are padded to whole segments of memory. The copy is a buffer
// of its own, so it is `restrict`; that the author's array does not overlap
// others that are written is a condition of the plan.
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/RelayoutImpl.h"

#include "Emit/frame/Guards.h"
#include "Emit/frame/PlannedKernel.h"
#include "Emit/lower/TileDomains.h"

#include <isl/ast_build.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

/// Rows begin at multiples of this many bytes.
static constexpr int64_t segmentBytes = 128;
/// Subscripts of the copy, and their lower bounds, stay below this.
static constexpr int64_t largestIndex = 1 << 30;

//===-- Which accesses ----------------------------------------------------===//

/// The second kernel stands at the end of the file, so everything in front of
/// it has to mean the same there.
bool LayoutWriter::checkFile() {
  const Function &function = *model.function;
  const std::vector<Directive> &directives = model.unit->directives;
  if (!function.isEditable)
    return fail("clopt-macro-body", "the kernel's body comes from a macro");
  if (!directives.empty() && directives.back().at > function.bodyRange.begin)
    return fail("clopt-macro-body",
                "a directive follows the beginning of the kernel",
                "move directives to the top of the file");
  return true;
}

bool LayoutWriter::checkAccess(const Access &access) {
  const Array &array = model.arrays[access.array];
  if (access.isOrdered)
    return fail("clopt-ordered-effect",
                "'" + array.name + "' has atomic or volatile accesses");
  if (access.subscripts.empty() || !access.isExact || !access.expr)
    return fail("clopt-non-affine-subscript",
                "not every access to '" + array.name + "' is known exactly");
  bool isPlain =
      access.expr->kind == ExprKind::Subscript ||
      (access.expr->kind == ExprKind::Unary && access.expr->op == Op::Deref);
  if (!isPlain || access.width != 1)
    return fail("clopt-not-profitable",
                "'" + array.name + "' is accessed in whole vectors");
  if (!access.expr->range.isEditable())
    return fail("clopt-macro-body",
                "an access to '" + array.name + "' comes from a macro");
  return true;
}

bool LayoutWriter::collect(const CopyRequest &request) {
  if (const Array &array = model.arrays[request.array]; array.isCast)
    return fail("clopt-not-profitable",
                "'" + array.name + "' is declared with another type");
  if (request.isImage)
    return collectImage(request);
  if (request.isConstant)
    return collectConstant(request);
  const Array &array = model.arrays[request.array];
  bool isParameter = array.var && array.var->isParam;
  if (!isParameter || array.space != AddressSpace::Global)
    return fail("clopt-not-profitable",
                "'" + array.name + "' is no buffer of the host");
  bool isKnownSize = array.elementBytes == 1 || array.elementBytes == 2 ||
                     array.elementBytes == 4 || array.elementBytes == 8;
  if (!array.elementType.isScalar() || !isKnownSize)
    return fail("clopt-not-profitable",
                "the elements of '" + array.name + "' are not scalars");
  if (request.space.sourceRank() != array.rank)
    return fail("clopt-not-profitable", "'" + array.name + "' has " +
                                            std::to_string(array.rank) +
                                            " dimensions");
  Copy copy;
  copy.array = request.array;
  copy.space = &request.space;
  copy.pad = request.pad;
  copy.name = options.fresh(array.name + "_t");
  result.copies.push_back(copy.name);
  copies.push_back(std::move(copy));
  return true;
}

std::optional<std::vector<Polynomial>>
LayoutWriter::subscriptsIn(const Copy &copy, const Access &access) {
  return copy.space->apply(access.subscripts, symbols);
}

/// True when no cell of the array that is read in the launch is written in it:
/// copies may serve the reads alone.
bool LayoutWriter::readsApart(unsigned array) const {
  std::optional<isl::set> cells[2];
  for (const Access &access : model.accesses) {
    if (access.array != array)
      continue;
    if (!access.isExact)
      return false;
    isl::set domain =
        model.statements[access.statement].domain.intersect_params(
            model.paramContext);
    isl::set own = isl::manage(isl_map_range(
        isl_map_intersect_domain(access.relation.copy(), domain.release())));
    std::optional<isl::set> &all = cells[access.isWrite];
    all = all ? all->unite(own) : own;
  }
  return cells[0] && cells[1] && cells[0]->is_disjoint(*cells[1]);
}

/// Every access takes the first copy in which its last subscript has no
/// constant, or the first that has its cell.
bool LayoutWriter::assignAccesses() {
  std::set<unsigned> apart;
  for (unsigned array = 0; array < model.arrays.size(); ++array)
    if (std::count_if(copies.begin(), copies.end(),
                      [&](const Copy &copy) {
                        return copy.array == array && !copy.image;
                      }) > 1 &&
        readsApart(array))
      apart.insert(array);
  for (const Access &access : model.accesses) {
    if (access.isWrite && apart.count(access.array))
      continue;
    std::optional<unsigned> chosen;
    bool isConverted = false, isWritten = false;
    for (const Access &other : model.accesses)
      isWritten |= other.array == access.array && other.isWrite &&
                   !apart.count(access.array);
    unsigned count = 0;
    for (unsigned at = 0; at < copies.size(); ++at) {
      if (copies[at].array != access.array || copies[at].image ||
          copies[at].isConstant)
        continue;
      isConverted = true;
      ++count;
      if (!checkAccess(access))
        return false;
      auto subscripts = subscriptsIn(copies[at], access);
      if (!subscripts)
        continue;
      const auto &terms = subscripts->back().terms;
      bool isAligned = terms.find({}) == terms.end();
      if (!chosen || isAligned) {
        bool isBetter =
            !chosen ||
            subscriptsIn(copies[*chosen], access)->back().terms.count({});
        chosen = isBetter ? at : *chosen;
      }
    }
    const std::string &name = model.arrays[access.array].name;
    if (isConverted && isWritten && count > 1)
      return fail("clopt-dependence", "'" + name +
                                          "' is written, and would have "
                                          "several copies to be kept alike");
    if (isConverted && isWritten && !chosen)
      return fail("clopt-dependence",
                  "'" + name + "' is written, and the copy has not all cells");
    if (!chosen)
      continue;
    copyOf[access.id] = *chosen;
    copies[*chosen].accesses.insert(access.id);
  }
  for (unsigned at = 0; at < copies.size(); ++at)
    if ((copies[at].image && !assignImage(at)) ||
        (copies[at].isConstant && !assignConstant(at)))
      return false;
  for (const Copy &copy : copies)
    if (copy.accesses.empty())
      return fail("clopt-not-profitable",
                  "no access to '" + arrayName(copy) + "' would use the copy");
  return true;
}

//===-- Which cells -------------------------------------------------------===//

/// Global sizes are written as the end of the launch, which has a name.
void LayoutWriter::nameEnds() {
  endParameters = computeTileDomains(kernel).endNames;
  for (size_t i = 0; i < dims.size(); ++i) {
    endVariables.emplace_back();
    if (endParameters[i].empty())
      continue;
    std::string dim = std::to_string(dims[i]);
    std::string name = options.fresh("end_" + std::string(1, "xyz"[dims[i]]));
    endVariables.back() = name;
    names.names[endParameters[i]] = LinearForm::ofTerm(name);
    names.wideTerms.insert(name);
    result.changes.definitions.push_back(
        {name, "(long)(get_global_offset(" + dim + ") + get_global_size(" +
                   dim + "))"});
  }
}

std::optional<isl::set> LayoutWriter::cellsOf(const Copy &copy,
                                              bool isWrite) const {
  isl_set *cells = nullptr;
  for (unsigned id : copy.accesses) {
    const Access &access = model.accesses[id];
    if (access.isWrite != isWrite)
      continue;
    isl::set domain =
        model.statements[access.statement].domain.intersect_params(
            model.paramContext);
    // { A[s] }
    isl_set *one = isl_map_range(
        isl_map_intersect_domain(access.relation.copy(), domain.release()));
    cells = cells ? isl_set_union(cells, one) : one;
  }
  if (!cells)
    return std::nullopt;
  return isl::manage(isl_set_coalesce(isl_set_remove_redundancies(
      replaceSizes(model, dims, endParameters, cells))));
}

/// { T[t] }
isl::set LayoutWriter::imageOf(const Copy &copy, const isl::set &cells) const {
  const char *tuple = isl_set_get_tuple_name(cells.get());
  isl::map relation(isl::ctx(model.context.get()),
                    copy.space->relation(tuple ? tuple : "", "T"));
  return isl::manage(
      isl_set_coalesce(isl_set_apply(cells.copy(), relation.release())));
}

/// The least or the greatest coordinate.
std::optional<HostNumber> LayoutWriter::bound(const isl::set &cells, int dim,
                                              bool isLow) {
  isl_pw_aff *value = isLow ? isl_set_dim_min(cells.copy(), dim)
                            : isl_set_dim_max(cells.copy(), dim);
  if (!value) {
    isl_ctx_reset_error(model.context.get());
    return std::nullopt;
  }
  isl::set params = isl::manage(isl_set_params(cells.copy()));
  value = isl_pw_aff_coalesce(isl_pw_aff_gist_params(value, params.copy()));
  isl_ast_build *build = isl_ast_build_from_context(params.release());
  isl::ast_expr expr =
      isl::manage(isl_ast_build_expr_from_pw_aff(build, value));
  isl_ast_build_free(build);
  PrintedText printed = printAst(expr, names);
  if (std::optional<int64_t> number = asNumber(printed.text))
    return HostNumber::of(*number);
  return HostNumber{atLeast(printed, PrecUnary), {}};
}

HostNumber LayoutWriter::define(const std::string &name,
                                const std::string &value) {
  result.changes.definitions.push_back({name, "(long)(" + value + ")"});
  return {name, {}};
}

void LayoutWriter::require(const std::string &condition,
                           const std::string &reason) {
  for (const PlanCondition &other : result.changes.conditions)
    if (other.expression == condition)
      return;
  result.changes.conditions.push_back({condition, reason});
}

/// high - low
std::string distanceText(const HostNumber &low, const HostNumber &high) {
  if (low.value == 0)
    return high.text;
  bool isPlain = !low.value || *low.value > 0;
  return high.text + " - " + (isPlain ? low.text : "(" + low.text + ")");
}

bool LayoutWriter::makeBox(const isl::set &image, const std::string &stem,
                           Box &box) {
  int rank = static_cast<int>(isl_set_dim(image.get(), isl_dim_set));
  for (int r = 0; r < rank; ++r) {
    std::optional<HostNumber> low, high;
    try {
      low = bound(image, r, true);
      high = bound(image, r, false);
    } catch (const isl::exception_invalid &) {
    }
    if (!low || !high)
      return fail("clopt-unguardable-footprint",
                  "the cells that are used are not bounded by the launch");
    std::string suffix = std::to_string(r);
    if (!low->value)
      low = define(stem + "_low" + suffix, low->text);
    HostNumber count;
    if (low->value && high->value)
      count = HostNumber::of(*high->value - *low->value + 1);
    else
      count = define(stem + "_n" + suffix, distanceText(*low, *high) + " + 1");
    box.low.push_back(*low);
    box.count.push_back(count);
  }
  return true;
}

/// Launches that access nothing are not for this variant.
void LayoutWriter::requireCells(const isl::set &cells) {
  isl_set *params = isl_set_params(cells.copy());
  isl_set *context =
      replaceSizes(model, dims, endParameters, model.paramContext.copy());
  context = isl_set_params(context);
  params = isl_set_coalesce(isl_set_remove_redundancies(
      isl_set_gist_params(params, isl_set_copy(context))));
  if (isl_set_plain_is_universe(params) == isl_bool_true) {
    isl_set_free(params);
    isl_set_free(context);
    return;
  }
  isl_ast_build *build = isl_ast_build_from_context(context);
  isl::ast_expr expr = isl::manage(isl_ast_build_expr_from_set(build, params));
  isl_ast_build_free(build);
  require(printAst(expr, names).text, "there are cells to copy");
}

/// The length of a row with its zeros.
HostNumber plusZeros(const HostNumber &count, const HostNumber &zeros) {
  if (zeros.value == 0)
    return count;
  if (count.value && zeros.value)
    return HostNumber::of(*count.value + *zeros.value);
  return {count.text + " + " + zeros.text, {}};
}

/// Box, pitch and size of the copy.
bool LayoutWriter::makeGeometry(Copy &copy) {
  copy.reads = cellsOf(copy, false);
  copy.writes = cellsOf(copy, true);
  isl::set all = copy.reads && copy.writes ? copy.reads->unite(*copy.writes)
                 : copy.reads              ? *copy.reads
                                           : *copy.writes;
  requireCells(all);
  if (!makeBox(imageOf(copy, all), copy.name, copy.box))
    return false;
  const Array &array = model.arrays[copy.array];
  const int64_t segment = segmentBytes / array.elementBytes;
  size_t rank = copy.box.count.size();
  HostNumber row = plusZeros(copy.box.count.back(), copy.zeros);
  if (rank > 1 && row.value)
    row = HostNumber::of((*row.value + segment - 1) / segment * segment);
  else if (rank > 1)
    row = define(copy.name + "_pitch",
                 "roundup(" + row.text + ", " + std::to_string(segment) + ")");
  copy.steps.assign(rank, HostNumber::of(1));
  HostNumber step = HostNumber::of(1);
  for (size_t r = rank; r-- > 0;) {
    copy.steps[r] = step;
    const HostNumber &count = r + 1 == rank ? row : copy.box.count[r];
    std::string text = product(step.text, count);
    step = step.value && count.value
               ? HostNumber::of(*step.value * *count.value)
               : HostNumber{text, {}};
    const HostNumber &low = copy.box.low[r];
    if (!low.value)
      require(low.text + " >= -" + std::to_string(largestIndex) + " && " +
                  low.text + " <= " + std::to_string(largestIndex),
              "subscripts of the copy stay within int");
    if (!copy.box.count[r].value)
      require(copy.box.count[r].text + " >= 1 && " + copy.box.count[r].text +
                  " <= " + std::to_string(largestIndex),
              "subscripts of the copy stay within int");
  }
  std::string cells = define(copy.name + "_cells", step.text).text;
  require(cells + " <= 2147483647", "subscripts of the copy stay within int");
  result.changes.buffers.push_back(
      {copy.name, array.name,
       cells + " * " + std::to_string(array.elementBytes)});
  return true;
}

/// What the model relied on, and that nobody else writes to the cells.
bool LayoutWriter::makeConditions() {
  TransformedKernel guarded = kernel;
  std::set<unsigned> converted;
  for (const Copy &copy : copies)
    if ((copy.image || copy.isConstant) && !requireApart(copy.array))
      return false;
    else if (!copy.image && !copy.isConstant)
      converted.insert(copy.array);
  auto isWritten = [&](unsigned array) {
    return std::any_of(model.accesses.begin(), model.accesses.end(),
                       [&](const Access &access) {
                         return access.array == array && access.isWrite;
                       });
  };
  std::set<unsigned> involved = converted;
  for (const Copy &copy : copies)
    if (copy.image && copy.form.isPlane)
      involved.insert(copy.array); // subscripts stay within their rows
  for (unsigned array : converted)
    for (unsigned other = 0; other < model.arrays.size(); ++other) {
      if (other == array || areDisjoint(model, array, other) ||
          (!isWritten(array) && !isWritten(other)))
        continue;
      if (options.alias == AliasMode::None)
        continue;
      if (options.alias == AliasMode::Strict)
        return fail("clopt-may-alias",
                    "'" + model.arrays[array].name + "' and '" +
                        model.arrays[other].name + "' may overlap",
                    "add `restrict`");
      guarded.disjointArrays.insert(std::minmax(array, other));
      involved.insert(other);
    }
  for (unsigned at = 0; at < model.assumptions.size(); ++at)
    if (involved.count(static_cast<unsigned>(model.assumptions[at].array)))
      guarded.usedAssumptions.insert(at);
  Guards guards = makeGuards(guarded, endParameters, endVariables,
                             options.fresh, GuardScope::Host);
  if (guards.error) {
    error = *guards.error;
    return false;
  }
  addGuards(guards, result.changes);
  return true;
}

std::optional<RelaidKernel> LayoutWriter::run() {
  symbols = model.symbols;
  result.name = options.fresh(model.function->name + "_layout");
  if (!checkFile())
    return std::nullopt;
  for (const CopyRequest &request : requests)
    if (!collect(request))
      return std::nullopt;
  if (!assignAccesses())
    return std::nullopt;
  nameEnds();
  if (!makeConditions() || !padSums())
    return std::nullopt;
  for (Copy &copy : copies)
    if (copy.isConstant)
      makeConstant(copy);
    else if (copy.image ? !makeImage(copy) : !makeBuffer(copy))
      return std::nullopt;
  if (!error.message.empty() || !replaceAccesses() || !writeKernel())
    return std::nullopt;
  return std::move(result);
}

std::optional<RelaidKernel> relayKernel(const TransformedKernel &start,
                                        const std::vector<CopyRequest> &copies,
                                        const RelayoutOptions &options,
                                        LoweringError &error) {
  error = LoweringError();
  return LayoutWriter(start, copies, options, error).run();
}

} // namespace clopt
