//===- TileDomains.cpp - statement instances of one tile ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "All work-items agree" is computed as: an offset dimension is added, the
// instances of the work-item at that offset are subtracted from those of any
// work-item of the tile, and what is left marks the tiles that do not agree.
//
// Tested by test/unit/TileDomainsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/lower/TileDomains.h"

#include "Emit/lower/TileSets.h"

#include "Analysis/access/ArithmeticWork.h"
#include "Analysis/access/Selections.h"
#include "Analysis/ranges/TripCount.h"
#include "Emit/lower/DivergentInstances.h"
#include "Emit/lower/Lowering.h"
#include "Emit/lower/MaskedPoints.h"
#include "Emit/lower/TypicalTiles.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

std::vector<unsigned> workCoordinates(const KernelModel &model) {
  std::vector<unsigned> dims;
  if (model.statements.empty())
    return dims;
  for (SymbolId id : model.statements[0].coordinates)
    if (model.symbols[id].kind != SymbolKind::Iterator)
      dims.push_back(model.symbols[id].dim);
  return dims;
}

WorkDimension workOfCoordinate(const TransformedKernel &kernel,
                               const std::vector<unsigned> &dims,
                               size_t coordinate) {
  const unsigned dim = dims[coordinate];
  WorkDimension work = kernel.work[dim];
  if (!kernel.model->ndrange.split[dim])
    return work;
  const bool isLocal = coordinate > 0 && dims[coordinate - 1] == dim;
  if (!isLocal) {
    work.lanes = 1;
    return work;
  }
  WorkDimension within;
  within.lanes = work.lanes;
  return within;
}

//===-- Tiles
//---------------------------------------------------------------===//

namespace {

class TileMaker {
public:
  explicit TileMaker(const TransformedKernel &transformed)
      : kernel(transformed), model(*transformed.model),
        dims(workCoordinates(model)) {}
  TileDomains run();

private:
  void nameParameters();
  void makeContext();
  isl_set *boundGroupIds(isl_set *context, unsigned i) const;
  WorkDimension workOf(size_t coordinate) const {
    return workOfCoordinate(kernel, dims, coordinate);
  }
  isl::set wholeGroups(const isl::set &domain) const;
  isl::set forSomeItem(const isl::set &tiles) const;
  isl::set forAllItems(const isl::set &tiles) const;
  isl_set *useEnds(isl_set *set) const;
  isl_set *boundBase(isl_set *context, const MappedDimension &mapped,
                     const std::string &base) const;
  void addDomain(int key, const isl::set &domain);
  isl::set fixToBase(isl::set set) const;
  void narrowToHeaviest();
  isl::set tilesWithAny(const isl::set &instances) const;
  std::optional<isl::set> tilesAgainst(SymbolId atom) const;
  std::optional<isl::set> takingAllBranches() const;
  void requireSelections();
  void findDead();
  isl::set agreeing(const isl::set &domain, isl::set &partly) const;
  void findUniform();
  isl::set tilesPastEnd() const;
  void findParts();
  isl::set boxed(const isl::set &domain) const;
  std::string unique(const std::string &name) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  std::vector<unsigned> dims;
  TileDomains result;
  isl::set disagree, active; // { : } params
  MaskedPoints masked;
  /// { : } by key, those that run all of it, or would if any of their ids had
  /// work.
  DomainMap tilesOf;
  DomainMap partly; ///< { S[base..., i...] } what only some work-items have
};

} // namespace

std::string TileMaker::unique(const std::string &name) const {
  std::string candidate = name;
  for (unsigned n = 1;; ++n) {
    bool taken = false;
    for (SymbolId id = 0; id < model.symbols.size(); ++id)
      taken |= model.symbols[id].name == candidate;
    if (!taken)
      return candidate;
    candidate = name + std::to_string(n);
  }
}

void TileMaker::nameParameters() {
  for (unsigned i = 0; i < dims.size(); ++i) {
    result.baseNames.push_back(unique("base" + std::to_string(i)));
    const WorkDimension &work = kernel.work[dims[i]];
    result.strideNames.push_back(work.strided && work.points > 1 &&
                                         !kernel.isGrouped()
                                     ? unique("step" + std::to_string(i))
                                     : "");
    bool hasSize = !model.ndrange.split[dims[i]] &&
                   !model.ndrange.findMapped(dims[i]) &&
                   model.symbols.find(SymbolKind::GlobalSize, dims[i]);
    result.endNames.push_back(hasSize ? unique("end" + std::to_string(i)) : "");
    result.extentNames.push_back(kernel.work[dims[i]].threads() > 1
                                     ? unique("extent" + std::to_string(i))
                                     : "");
  }
}

isl_set *replaceSizes(const KernelModel &model,
                      const std::vector<unsigned> &dims,
                      const std::vector<std::string> &ends, isl_set *set) {
  for (unsigned i = 0; i < dims.size(); ++i) {
    if (ends[i].empty())
      continue;
    const std::string &size = model.symbols.name(
        *model.symbols.find(SymbolKind::GlobalSize, dims[i]));
    std::vector<LinearTerm> terms = {{size, -1, 1}, {ends[i], -1, -1}};
    if (auto offset = model.symbols.find(SymbolKind::GlobalOffset, dims[i]))
      terms.push_back({model.symbols.name(*offset), -1, 1});
    set = constrain(set, terms, 0, true);
    int position = isl_set_find_dim_by_name(set, isl_dim_param, size.c_str());
    set = isl_set_project_out(set, isl_dim_param, position, 1);
  }
  return set;
}

isl_set *TileMaker::useEnds(isl_set *set) const {
  return replaceSizes(model, dims, result.endNames, set);
}

/// The parameter is a multiple of `count`.
static isl_set *multipleOf(isl_set *context, const std::string &name,
                           int count) {
  context = withParameter(context, name);
  isl_aff *value = isl_aff_zero_on_domain(
      isl_local_space_from_space(isl_set_get_space(context)));
  const int position =
      isl_aff_find_dim_by_name(value, isl_dim_param, name.c_str());
  value = isl_aff_set_coefficient_si(value, isl_dim_param, position, 1);
  isl_val *size = isl_val_int_from_si(isl_set_get_ctx(context), count);
  value = isl_aff_mod_val(value, size);
  return isl_set_intersect(
      context, isl_set_from_basic_set(isl_aff_zero_basic_set(value)));
}

/// What is known of the group id (coordinate `i`) and of the local id next to
/// it; every launched work-item has such ids.
isl_set *TileMaker::boundGroupIds(isl_set *context, unsigned i) const {
  unsigned dim = dims[i];
  const std::string &base = result.baseNames[i];
  context = constrain(context, {{base, -1, 1}}, 0, false);
  auto name = [&](SymbolKind kind) {
    return model.symbols.name(*model.symbols.find(kind, dim));
  };
  std::optional<int64_t> known = model.ndrange.localSize[dim];
  bool isLocal = i > 0 && dims[i - 1] == dim;
  if (!isLocal && !known)
    return constrain(context,
                     {{base, -1, -1}, {name(SymbolKind::NumGroups), -1, 1}}, -1,
                     false);
  if (!isLocal)
    return context;
  // Guards see to it that all lanes are there.
  const int lanes = static_cast<int>(workOf(i).lanes);
  if (lanes > 1)
    context = multipleOf(context, base, lanes);
  if (lanes > 1)
    context = multipleOf(
        context, name(known ? SymbolKind::GlobalSize : SymbolKind::LocalSize),
        lanes);
  if (!known)
    return constrain(context,
                     {{base, -1, -1}, {name(SymbolKind::LocalSize), -1, 1}}, -1,
                     false);
  int size = static_cast<int>(*known);
  context = constrain(context, {{base, -1, -1}}, size - 1, false);
  return constrain(context,
                   {{base, -1, -1},
                    {result.baseNames[i - 1], -1, -size},
                    {name(SymbolKind::GlobalSize), -1, 1}},
                   -1, false);
}

/// { : first <= base < end } in the terms that are computed at run time.
isl_set *TileMaker::boundBase(isl_set *context, const MappedDimension &mapped,
                              const std::string &base) const {
  context = withParameter(context, base);
  isl_aff *value = isl_aff_zero_on_domain(
      isl_local_space_from_space(isl_set_get_space(context)));
  int position = isl_aff_find_dim_by_name(value, isl_dim_param, base.c_str());
  value = isl_aff_set_coefficient_si(value, isl_dim_param, position, 1);
  isl_pw_aff *at = isl_pw_aff_from_aff(value);
  isl_set *low = isl_pw_aff_ge_set(isl_pw_aff_copy(at), mapped.first.copy());
  isl_set *high = isl_pw_aff_lt_set(at, mapped.end.copy());
  context = isl_set_intersect(context, useEnds(isl_set_intersect(low, high)));
  return context;
}

/// Merged groups are whole ones: "the last id of the group is in the launch"
/// says the same for all their work-items.
isl::set TileMaker::wholeGroups(const isl::set &domain) const {
  isl_set *whole = domain.copy();
  isl_set *known = isl_set_universe(isl_set_get_space(whole));
  for (size_t i = 0; i < dims.size(); ++i) {
    std::optional<int64_t> size = model.ndrange.localSize[dims[i]];
    auto global = model.symbols.find(SymbolKind::GlobalSize, dims[i]);
    if (!model.ndrange.split[dims[i]] || workOf(i).total() == 1 || !size ||
        !global)
      continue;
    int items = static_cast<int>(*size);
    std::vector<LinearTerm> terms = {{"", static_cast<int>(i), -items},
                                     {model.symbols.name(*global), -1, 1}};
    known = constrain(known, terms, -items, false);
  }
  whole = isl_set_gist(whole, isl_set_copy(known));
  return isl::manage(isl_set_intersect(whole, known));
}

void TileMaker::makeContext() {
  isl_set *context = useEnds(model.paramContext.copy());
  isl_set *general = isl_set_copy(context);
  for (unsigned i = 0; i < dims.size(); ++i) {
    const std::string &base = result.baseNames[i];
    bool strided = kernel.isGrouped() && kernel.work[dims[i]].strided;
    for (isl_set **set : {&context, &general})
      if (!result.strideNames[i].empty())
        *set = constrain(*set, {{result.strideNames[i], -1, 1}}, -1, false);
    if (const std::string &extent = result.extentNames[i]; !extent.empty()) {
      int least = static_cast<int>(kernel.work[dims[i]].total());
      int most = static_cast<int>(kernel.work[dims[i]].groupIds);
      context = constrain(context, {{extent, -1, 1}}, -least, false);
      context = constrain(context, {{extent, -1, -1}}, most, false);
    }
    if (model.ndrange.split[dims[i]]) {
      context = boundGroupIds(context, i);
      general = boundGroupIds(general, i);
      continue;
    }
    if (const MappedDimension *mapped = model.ndrange.findMapped(dims[i])) {
      context = boundBase(context, *mapped, base);
      continue;
    }
    std::optional<SymbolId> size =
        model.symbols.find(SymbolKind::GlobalSize, dims[i]);
    std::optional<SymbolId> offset =
        model.symbols.find(SymbolKind::GlobalOffset, dims[i]);
    std::vector<LinearTerm> low = {{base, -1, 1}};
    if (offset)
      low.push_back({model.symbols.name(*offset), -1, -1});
    context = constrain(context, low, 0, false);
    general = constrain(general, low, 0, false);
    if (!size)
      continue;
    std::vector<LinearTerm> high = {{base, -1, -1},
                                    {result.endNames[i], -1, 1}};
    context = constrain(context, high, -1, false);
    if (kernel.work[dims[i]].threads() == 1 && !strided)
      general = constrain(general, high, -1, false);
  }
  for (const auto &[loop, count] : kernel.minIterations) {
    const std::vector<MappedDimension> &mapped = model.ndrange.mapped;
    bool isDimension = std::any_of(
        mapped.begin(), mapped.end(),
        [loop = loop](const MappedDimension &own) { return own.loop == loop; });
    std::optional<isl::set> enough;
    if (!isDimension)
      enough = runsAtLeast(model, loop, count);
    for (isl_set **set : {&context, &general})
      if (enough)
        *set = isl_set_intersect_params(*set, useEnds(enough->copy()));
  }
  result.context = isl::manage(context);
  result.generalContext = isl::manage(general);
}

isl::set TileMaker::fixToBase(isl::set set) const {
  isl_set *fixed = set.release();
  for (unsigned i = 0; i < dims.size(); ++i)
    fixed = constrain(
        fixed, {{"", static_cast<int>(i), 1}, {result.baseNames[i], -1, -1}}, 0,
        true);
  return isl::manage(fixed);
}

/// Instances that all work-items of the tile with this first work-item have;
/// `partial` becomes those that only some have.
isl::set TileMaker::agreeing(const isl::set &domain, isl::set &partial) const {
  isl::set all = domain;
  isl::set some = domain;
  for (unsigned i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = workOf(i);
    int position = static_cast<int>(i);
    if (kernel.isGrouped()) {
      unsigned count = std::max(work.groupIds, work.total());
      const std::string &extent = result.extentNames[i];
      if (count > 1) {
        some = existsInTile(some, position, extent, count);
        all = forAllInTile(all, position, extent, count);
      }
      continue;
    }
    unsigned consecutive = work.strided ? work.lanes : work.total();
    if (consecutive > 1) {
      isl::set any = existsShift(some, position, consecutive, 1);
      // { [x, o] : some has x, but x + o is not in all }, projected onto x.
      all = forAllShifts(all, position, consecutive, 1);
      some = any;
    }
    if (!work.strided)
      continue;
    isl_set *each = all.copy(), *either = some.copy();
    for (unsigned p = 1; p < work.points; ++p) {
      each = isl_set_intersect(each, translateByParameter(all, position,
                                                          result.strideNames[i],
                                                          static_cast<int>(p)));
      either = isl_set_union(either, translateByParameter(some, position,
                                                          result.strideNames[i],
                                                          static_cast<int>(p)));
    }
    all = isl::manage(each);
    some = isl::manage(either);
  }
  all = fixToBase(all);
  some = fixToBase(some);
  partial = isl::manage(isl_set_subtract(some.release(), all.copy()));
  return isl::manage(isl_set_coalesce(all.release()));
}

/// Instances of the work-items base <= w < base + total.
isl::set TileMaker::boxed(const isl::set &domain) const {
  isl_set *set = domain.copy();
  for (unsigned i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = workOf(i);
    int position = static_cast<int>(i);
    if (work.total() == 1) {
      set = constrain(set, {{"", position, 1}, {result.baseNames[i], -1, -1}},
                      0, true);
      continue;
    }
    int size = static_cast<int>(work.strided ? work.lanes : work.total());
    set = constrain(set, {{"", position, 1}, {result.baseNames[i], -1, -1}}, 0,
                    false);
    set = constrain(set, {{"", position, -1}, {result.baseNames[i], -1, 1}},
                    size - 1, false);
  }
  return isl::manage(set);
}

void TileMaker::addDomain(int key, const isl::set &domain) {
  isl::set plain = isl::manage(isl_set_coalesce(useEnds(domain.copy())));
  if (kernel.mergesGroups())
    plain = wholeGroups(plain);
  result.general[key] = boxed(plain);
  if (key >= 0)
    result.plain[key] = plain;
  if (!kernel.hasFastTiles())
    return;
  const auto box = masked.boxes.find(key);
  const bool hasBox = box != masked.boxes.end();
  isl::set different;
  isl::set all = agreeing(
      hasBox ? isl::manage(isl_set_coalesce(useEnds(box->second.copy())))
             : plain,
      different);
  disagree = disagree.unite(isl::manage(isl_set_params(different.copy())));
  tilesOf[key] = isl::manage(isl_set_params(all.copy()));
  active = active.unite(tilesOf.at(key));
  // Tiles of the box in which no id has work agree to do nothing.
  if (hasBox) {
    const isl::set tiles = tilesWithAny(domain);
    all = all.intersect_params(tiles).coalesce();
    different = different.intersect_params(tiles).coalesce();
  }
  if (auto mask = masked.masks.find(key); mask != masked.masks.end())
    result.masks[key] =
        isl::manage(isl_set_coalesce(useEnds(mask->second.copy())));
  if (!different.is_empty())
    partly[key] = different;
  result.full[key] = all;
}

bool isIdDeclaration(const KernelModel &model, const Statement &statement) {
  if (!statement.stmt || statement.stmt->kind != StmtKind::Decl)
    return false;
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    if (statement.stmt->var == idVariable(model, d))
      return true;
  return false;
}

/// { : } tiles that have some of the instances { S[w..., i...] }.
isl::set TileMaker::tilesWithAny(const isl::set &instances) const {
  isl::set some = isl::manage(isl_set_coalesce(useEnds(instances.copy())));
  for (unsigned i = 0; i < dims.size(); ++i) {
    const WorkDimension &work = workOf(i);
    int position = static_cast<int>(i);
    if (kernel.isGrouped()) {
      unsigned count = std::max(work.groupIds, work.total());
      if (count > 1)
        some = existsInTile(some, position, result.extentNames[i], count);
      continue;
    }
    some = existsShift(some, position, work.strided ? work.lanes : work.total(),
                       1);
    if (!work.strided)
      continue;
    isl_set *either = some.copy();
    for (unsigned p = 1; p < work.points; ++p)
      either = isl_set_union(either, translateByParameter(some, position,
                                                          result.strideNames[i],
                                                          static_cast<int>(p)));
    some = isl::manage(either);
  }
  return isl::manage(isl_set_params(fixToBase(some).release()));
}

/// { : } tiles in which some instance does not take the atom's branch.
std::optional<isl::set> TileMaker::tilesAgainst(SymbolId atom) const {
  isl::set tiles =
      isl::manage(isl_set_empty(isl_set_get_space(result.context.get())));
  for (const Statement &statement : model.statements) {
    if (!selectsOf(model, statement, result.selections).count(atom))
      continue;
    std::optional<isl::set> against =
        instancesAgainst(model, statement, atom, result.selections.at(atom));
    if (!against)
      return std::nullopt;
    tiles = tiles.unite(tilesWithAny(*against));
  }
  return tiles;
}

/// The tiles of `uniform` in which every atom takes its branch, or nothing
/// where there is none. Those that agree are looked for among those that take
/// the branches: work-items disagree in many ways near borders, and in few or
/// none away from them.
std::optional<isl::set> TileMaker::takingAllBranches() const {
  isl::set taking = active.coalesce().intersect(result.context);
  for (const auto &[atom, value] : result.selections) {
    std::optional<isl::set> against = tilesAgainst(atom);
    if (!against)
      return std::nullopt;
    taking = taking.subtract(against->coalesce()).coalesce();
  }
  isl_set *left =
      isl_set_subtract(isl_set_intersect(taking.copy(), active.copy()),
                       isl_set_intersect(taking.copy(), disagree.copy()));
  if (kernel.mergesGroups())
    left = isl_set_intersect(left, result.uniform.copy());
  isl::set tiles = isl::manage(isl_set_coalesce(left));
  if (tiles.is_empty())
    return std::nullopt;
  return tiles;
}

/// Narrows `uniform` to tiles in which every atom takes its branch. An atom for
/// which no tile is left goes back to being one, and the others are looked at
/// again: they may matter in more places now.
void TileMaker::requireSelections() {
  result.selections = kernel.selections;
  if (result.selections.empty())
    return;
  if (std::optional<isl::set> tiles = takingAllBranches()) {
    result.uniform = *tiles;
    return;
  }
  result.uniform = result.uniform.coalesce();
  isl::set all = result.uniform;
  for (auto it = result.selections.begin(); it != result.selections.end();) {
    std::optional<isl::set> against = tilesAgainst(it->first);
    isl::set left = against ? result.uniform.subtract(*against) : isl::set();
    if (against && !left.is_empty()) {
      result.uniform = left.coalesce();
      ++it;
      continue;
    }
    result.selections.erase(it);
    result.uniform = all;
    it = result.selections.begin();
  }
}

/// Without the local ids of merged groups: { : } tiles in `tiles` for some
/// work-item.
isl::set TileMaker::forSomeItem(const isl::set &tiles) const {
  isl_set *set = tiles.copy();
  for (size_t i = 1; i < dims.size() && kernel.mergesGroups(); ++i) {
    int position = isl_set_find_dim_by_name(set, isl_dim_param,
                                            result.baseNames[i].c_str());
    if (dims[i - 1] == dims[i] && position >= 0)
      set = isl_set_project_out(set, isl_dim_param,
                                static_cast<unsigned>(position), 1);
  }
  return isl::manage(isl_set_coalesce(set));
}

/// The tiles that are in `tiles` for all work-items of a group: the choice of a
/// version must not part those that meet at a barrier.
isl::set TileMaker::forAllItems(const isl::set &tiles) const {
  isl::set outside = forSomeItem(result.context.subtract(tiles));
  return forSomeItem(tiles.subtract(outside));
}

/// What runs in no tile of `uniform` is left out: isl writes no code for
/// conditions that its context rules out where both have several pieces.
void TileMaker::findDead() {
  for (auto &[key, domain] : result.full)
    if (domain.intersect_params(result.uniform).is_empty()) {
      domain = isl::manage(isl_set_empty(isl_set_get_space(domain.get())));
      if (!result.selections.empty())
        result.dead.insert(key);
    }
}

/// Kernels that treat borders apart have several kinds of tiles whose
/// work-items agree. One version is written for those that run the most deeply
/// nested statements, of these the longest; the general version has the rest.
void TileMaker::narrowToHeaviest() {
  if (isl_set_n_basic_set(result.uniform.get()) <= 1)
    return;
  using Weight = std::pair<size_t, int64_t>; // loops, instructions
  std::vector<std::pair<Weight, int>> byWeight;
  for (const auto &[key, domain] : result.full)
    if (key >= 0 && !isPartKey(key)) {
      const Statement &statement = model.statements[key];
      byWeight.push_back(
          {{statement.loops.size(),
            statement.stmt ? instructionsOf(*statement.stmt) : 0},
           key});
    }
  std::stable_sort(
      byWeight.begin(), byWeight.end(),
      [](const auto &a, const auto &b) { return a.first > b.first; });
  for (const auto &[weight, key] : byWeight) {
    isl::set own = tilesOf.at(key);
    if (auto part = result.full.find(partKey(key)); part != result.full.end())
      own = own.unite(isl::manage(isl_set_params(part->second.copy())));
    isl::set narrower = isl::manage(
        isl_set_intersect(result.uniform.copy(), forSomeItem(own).release()));
    if (isl_set_is_empty(narrower.get()) != isl_bool_true)
      result.uniform = isl::manage(isl_set_coalesce(narrower.release()));
    if (isl_set_n_basic_set(result.uniform.get()) <= 1)
      return;
  }
}

//===-- Parts -------------------------------------------------------------===//

void TileMaker::findUniform() {
  // Tiles that disagree are mostly among those that do something: one piece is
  // left in place of dozens, of which pairs are formed later.
  result.touched = active.coalesce().intersect(result.context);
  const isl::set others = disagree.intersect(result.context);
  if (isl_set_is_subset(others.get(), result.touched.get()) != isl_bool_true)
    result.touched = result.touched.unite(others);
  isl_set *uniform = isl_set_subtract(
      isl_set_intersect(active.copy(), result.context.copy()), disagree.copy());
  // With selections most pieces go away before they are looked at.
  if (kernel.selections.empty())
    uniform = isl_set_coalesce(uniform);
  result.uniform = isl::manage(uniform);
  result.agreed = result.uniform;
}

/// { : } tiles of which only some ids are launched.
isl::set TileMaker::tilesPastEnd() const {
  isl_space *space = isl_space_set_alloc(model.context.get(), 0,
                                         static_cast<unsigned>(dims.size()));
  isl::set partial; // { [base...] }
  agreeing(isl::manage(launchedIds(model, result, isl_set_universe(space))),
           partial);
  return isl::manage(isl_set_params(partial.release()));
}

/// Where tiles in which all work-items agree to run statements in loops are
/// rare because of conditions there, these get parts, and count as agreeing.
/// (`for (k = 0; k < n - i; k++)`: that all of a tile have no iteration is no
/// use.)
void TileMaker::findParts() {
  std::map<int, isl::set> mixed; // tiles of which all run some instance, { : }
  isl::set agreed =
      isl::manage(isl_set_empty(isl_set_get_space(result.context.get())));
  for (const auto &[key, part] : partly) {
    if (!mayBeGuarded(kernel, key))
      continue;
    isl::set own = isl::manage(isl_set_params(result.full.at(key).copy()));
    // No other version has what is left to lanes within groups.
    if (kernel.hasGroupLanes()) {
      mixed.emplace(key, own);
      continue;
    }
    if (own.intersect(isl::manage(isl_set_params(part.copy()))).is_empty())
      continue;
    agreed = agreed.unite(own);
    mixed.emplace(key, own);
  }
  agreed = agreed.intersect(result.agreed).coalesce();
  std::optional<bool> isRare;
  std::set<int> guarded;
  for (const auto &[key, own] : mixed) {
    const isl::set &part = partly.at(key);
    if (kernel.hasGroupLanes()) {
      guarded.insert(key);
      continue;
    }
    isl::set some = result.full.at(key).unite(part).intersect_params(own);
    bool inEvery = haveSameIterations(result, some);
    if (!inEvery && !isRare)
      isRare = agreed.is_empty() || areInNoUsualLaunch(kernel, result, agreed);
    if (!inEvery && !*isRare)
      continue;
    result.hasVaryingRanges |=
        !inEvery &&
        !runsMostlyTogether(kernel, result, result.full.at(key), part);
    guarded.insert(key);
  }
  if (guarded.empty())
    return;
  disagree = tilesPastEnd();
  for (const auto &[key, part] : partly) {
    isl::set tiles = isl::manage(isl_set_params(part.copy()));
    if (!guarded.count(key)) {
      disagree = disagree.unite(tiles);
      continue;
    }
    active = active.unite(tiles);
    result.full[partKey(key)] = part.coalesce();
  }
  findUniform();
  for (int key : guarded) {
    isl::set &part = result.full.at(partKey(key));
    part = part.intersect_params(result.uniform).coalesce();
  }
}

TileDomains TileMaker::run() {
  nameParameters();
  makeContext();
  disagree =
      isl::manage(isl_set_empty(isl_set_get_space(result.context.get())));
  active = disagree;
  masked = findMaskedPoints(kernel);
  for (unsigned s = 0; s < model.statements.size(); ++s)
    if (!isIdDeclaration(model, model.statements[s]))
      addDomain(static_cast<int>(s), model.statements[s].domain);
  for (unsigned c = 0; c < kernel.copies.size(); ++c) {
    const ArrayTile &copy = kernel.tiles[kernel.copies[c].tile];
    IdLabel label;
    label.node.kind = EmitNode::Kind::Copy;
    label.node.index = c;
    addDomain(copyKey(c), named(copiedCells(copy, kernel.copies[c]),
                                "Copy" + std::to_string(c) + "_", label));
  }
  findUniform();
  if (!partly.empty())
    findParts();
  if (kernel.mergesGroups())
    result.uniform = forAllItems(result.uniform);
  requireSelections();
  narrowToHeaviest();
  findDead();
  return std::move(result);
}

TileDomains computeTileDomains(const TransformedKernel &kernel) {
  return TileMaker(kernel).run();
}

} // namespace clopt
