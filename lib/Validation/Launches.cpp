//===- Launches.cpp - small launches that show a kernel -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes follow from the tiles of the steps. Integer arguments are chosen one
// after the other, each as the first candidate with which what the model
// assumes can still hold and most statements still run.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/Launches.h"

#include "Analysis/access/LaneAxis.h"
#include "Analysis/ranges/TripCount.h"
#include "Model/Operations.h"
#include "Validation/ParametricSet.h"

#include <isl/set.h>
#include <isl/val.h>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace clopt {

//===-- Parameters --------------------------------------------------------===//

std::optional<int64_t> valueOf(const KernelModel &model, const Polynomial &poly,
                               const std::map<std::string, int64_t> &values) {
  if (poly.overflowed())
    return std::nullopt;
  int64_t sum = 0;
  for (const auto &[monomial, coefficient] : poly.terms) {
    int64_t product = coefficient;
    for (SymbolId symbol : monomial) {
      auto found = values.find(model.symbols[symbol].name);
      if (found == values.end())
        return std::nullopt;
      product *= found->second;
    }
    sum += product;
  }
  return sum;
}

static std::optional<int64_t> launchValue(const Symbol &symbol,
                                          const SmallLaunch &launch) {
  unsigned d = symbol.dim;
  switch (symbol.kind) {
  case SymbolKind::GlobalSize:
    return launch.global[d == NDRange::flatDimension ? 0 : d];
  case SymbolKind::LocalSize:
    return launch.local[d];
  case SymbolKind::NumGroups:
    return launch.global[d] / launch.local[d];
  case SymbolKind::GlobalOffset:
    return launch.offset[d];
  case SymbolKind::Param: {
    auto found = launch.integers.find(integerOf(symbol));
    if (found != launch.integers.end())
      return found->second;
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

std::map<std::string, int64_t> parameterValues(const KernelModel &model,
                                               const SmallLaunch &launch) {
  std::map<std::string, int64_t> values;
  for (const Symbol &symbol : model.symbols.all())
    if (std::optional<int64_t> value = launchValue(symbol, launch))
      values[symbol.name] = *value;
  // Products may contain products.
  for (const Symbol &symbol : model.symbols.all())
    if (symbol.kind == SymbolKind::Product)
      if (auto value = valueOf(model, symbol.first, values)) {
        if (isQuotient(symbol)) {
          const auto by = valueOf(model, symbol.second, values);
          if (!by || *by <= 0)
            continue;
          *value /= *by;
        }
        values[symbol.name] = *value;
      }
  if (!model.ndrange.isFlat())
    return values;
  // Dimensions have sizes of their own.
  for (const Symbol &symbol : model.symbols.all()) {
    if (symbol.kind != SymbolKind::GlobalSize ||
        symbol.dim == NDRange::flatDimension)
      continue;
    values.erase(symbol.name);
    if (auto size = valueOf(model, model.ndrange.extents[symbol.dim], values))
      values[symbol.name] = *size;
  }
  return values;
}

std::string integerOf(const Symbol &parameter) {
  if (!parameter.var)
    return "";
  // What is made of an argument ends with it, in parentheses or not.
  const llvm::StringRef name = llvm::StringRef(parameter.var->name).rtrim(')');
  return name.substr(name.find_last_of("()") + 1).str();
}

std::vector<std::string> integerArguments(const KernelModel &model) {
  std::vector<std::string> names;
  for (const Variable *param : model.function->params)
    if (param->type.isInteger() && param->type.isScalar())
      names.push_back(param->name);
  for (const Symbol &symbol : model.symbols.all())
    if (symbol.kind == SymbolKind::Param && symbol.var &&
        !llvm::is_contained(names, integerOf(symbol)))
      names.push_back(integerOf(symbol));
  return names;
}

isl::set fixParameters(const isl::set &set,
                       const std::map<std::string, int64_t> &values) {
  // One intersection: each one simplifies all constraints.
  isl_set *point =
      isl_set_universe(isl_space_params(isl_set_get_space(set.get())));
  for (const auto &[name, value] : values) {
    int at = isl_set_find_dim_by_name(point, isl_dim_param, name.c_str());
    if (at >= 0)
      point = isl_set_fix_val(point, isl_dim_param, static_cast<unsigned>(at),
                              isl_val_int_from_si(isl_set_get_ctx(point),
                                                  static_cast<long>(value)));
  }
  return isl::manage(isl_set_intersect_params(set.copy(), point));
}

bool meetsAssumptions(const KernelModel &model, const SmallLaunch &launch) {
  std::map<std::string, int64_t> values = parameterValues(model, launch);
  if (fixParameters(model.paramContext, values).is_empty())
    return false;
  for (const Assumption &assumption : model.assumptions) {
    if (fixParameters(assumption.condition, values).is_empty())
      return false;
    for (const ProductBound &bound : assumption.bounds) {
      std::optional<int64_t> value = valueOf(model, bound.poly, values);
      if (!value || *value > bound.maximum)
        return false;
    }
  }
  return true;
}

//===-- Choices -----------------------------------------------------------===//

namespace {

/// Work-items of a group: the most, and as many as groups usually have.
constexpr int64_t mostItems = 1024, usualItems = 256;

class LaunchChooser {
public:
  explicit LaunchChooser(const TransformedKernel &transformed)
      : kernel(transformed), model(*transformed.model) {
    for (const Statement &statement : model.statements)
      domains.emplace_back(statement.domain);
  }

  std::vector<SmallLaunch> run();
  void addAll();
  void
  complete(SmallLaunch &launch,
           const std::map<std::string, std::vector<int64_t>> &values) const;
  std::vector<std::array<int64_t, 3>> groups();

private:
  /// Round: whole tiles of loops; Once: one where that is possible; Below: one
  /// iteration less. Few: loops of a few iterations, which fill no tile.
  enum class Arguments { Distinct, Round, Once, Below, Few, Small, Short };
  /// The work-item that statements are counted of.
  enum class Who { Last, Any };

  void chooseGroups();
  void add(const std::array<int64_t, 3> &extent, Arguments arguments,
           int64_t offset = 0);
  std::optional<std::array<int64_t, 3>> shapeOfRows(const Access &access) const;
  std::vector<std::array<int64_t, 3>> shapesOfArrays() const;
  std::vector<std::array<int64_t, 3>> ownGroups() const;
  void addOwnGroups();
  void addOtherGroups(const std::array<int64_t, 3> &extent);
  void addApart();
  void addFewest();
  void addStraddling(int64_t size);
  void addCut(const std::array<int64_t, 3> &full, int64_t size);
  void addBelow(const std::array<int64_t, 3> &full);
  void addZeros(const SmallLaunch &usual);
  void addBehind(SmallLaunch usual);
  void addOverlaps();
  void fill(SmallLaunch &launch, Arguments arguments) const;
  std::optional<size_t> choose(SmallLaunch &launch, const std::string &argument,
                               const std::vector<int64_t> &values,
                               const ParametricSet &possible,
                               std::optional<size_t> all,
                               Who who = Who::Last) const;
  void fillTogether(SmallLaunch &launch, const std::set<std::string> &arguments,
                    const std::vector<int64_t> &values,
                    std::optional<size_t> most,
                    const ParametricSet &possible) const;
  std::vector<int64_t> candidates(const SmallLaunch &launch,
                                  Arguments arguments, int64_t index) const;
  size_t reached(const SmallLaunch &launch, Who who = Who::Last) const;
  size_t maxReached() const;
  int64_t longestLoopTile() const;
  int64_t elementBytes() const;
  bool keepsGroups() const;
  bool hasFixedGroups() const;
  std::optional<int64_t> requiredLocal(unsigned dim) const;

  const TransformedKernel &kernel;
  const KernelModel &model;
  std::vector<ParametricSet> domains; ///< by statement
  unsigned dimensions = 1;
  std::array<int64_t, 3> local = {1, 1, 1};
  std::array<int64_t, 3> tile = {1, 1, 1}; ///< ids of a full tile
  int64_t fewest = 1; ///< work-items of a group that can share tiles
  std::vector<SmallLaunch> launches;
};

} // namespace

static int64_t longestTile(const ScheduleNode &node) {
  int64_t longest = node.pass();
  for (const ScheduleNode &child : node.children)
    longest = std::max(longest, longestTile(child));
  return longest;
}

/// Iterations that fill every tile of a loop once.
int64_t LaunchChooser::longestLoopTile() const {
  int64_t longest = longestTile(kernel.tree);
  for (const MappedDimension &mapped : model.ndrange.mapped)
    longest = std::max<int64_t>(longest, kernel.work[mapped.dim].total());
  return longest;
}

/// Of the largest elements of arrays, whole vectors.
int64_t LaunchChooser::elementBytes() const {
  int64_t bytes = 1;
  for (const Array &array : model.arrays) {
    const Type &type = array.elementType;
    bytes = std::max<int64_t>(bytes, array.elementBytes);
    if (type.isVector())
      bytes = std::max<int64_t>(bytes, static_cast<int64_t>(type.size));
  }
  return bytes;
}

/// The kernel depends on its groups.
bool LaunchChooser::keepsGroups() const {
  const NDRange &range = model.ndrange;
  bool isSplit = range.split[0] || range.split[1] || range.split[2];
  return model.usesLocalMemory || model.hasBarrier || isSplit;
}

/// What the kernel requires of its groups.
std::optional<int64_t> LaunchChooser::requiredLocal(unsigned dim) const {
  const int64_t required = model.function->requiredLocalSize[dim];
  if (model.ndrange.localSize[dim])
    return model.ndrange.localSize[dim];
  return required > 0 ? std::optional<int64_t>(required) : std::nullopt;
}

/// Groups of an odd shape, so that some sizes are not multiples of a tile; as
/// large as tiles of groups need.
void LaunchChooser::chooseGroups() {
  dimensions = std::max(1u, model.ndrange.launchRank());
  std::optional<unsigned> adaptive = kernel.adaptiveDimension();
  if (kernel.isGrouped())
    for (unsigned d = 0; d < 3; ++d)
      if (adaptive != d)
        fewest *= kernel.work[d].threads();
  int64_t wanted = kernel.isGrouped() ? 2 * fewest : 9, side = 1;
  if (fewest > 1)
    wanted = std::max<int64_t>(wanted, kernel.minGroupSize);
  while ((dimensions == 1 ? side : side * side) < wanted)
    side += 2;
  local = {side, dimensions > 1 ? side : 1, 1};
  for (unsigned d = 0; d < dimensions; ++d) {
    const WorkDimension &work = kernel.work[d];
    bool isAdaptive = kernel.isGrouped() && adaptive == d;
    tile[d] = isAdaptive      ? local[0] * local[1] / fewest * work.total()
              : work.groupIds ? work.groupIds
                              : work.total();
  }
  for (unsigned d = 0; d < 3; ++d)
    local[d] = requiredLocal(d).value_or(local[d]);
}

/// Values to try for the argument, best first.
std::vector<int64_t> LaunchChooser::candidates(const SmallLaunch &launch,
                                               Arguments arguments,
                                               int64_t index) const {
  int64_t largest = 1, smallest = INT64_MAX;
  for (unsigned d = 0; d < dimensions; ++d) {
    largest = std::max(largest, launch.global[d] + launch.offset[d]);
    smallest = std::min(smallest, launch.global[d] + launch.offset[d]);
  }
  int64_t longest = longestLoopTile();
  auto whole = [&](int64_t value) {
    int64_t step = value > 16 ? std::max<int64_t>(16, longest) : 16;
    return (value + step - 1) / step * step;
  };
  // Tiles of loops that begin with an id are whole behind those across it.
  const bool beginsWithId = llvm::any_of(model.loops, [&](const Loop &loop) {
    return llvm::any_of(loop.first.symbols(), [&](SymbolId symbol) {
      return isId(model.symbols[symbol]);
    });
  });
  int64_t least = (beginsWithId ? 2 : 1) * longest + 3;
  int64_t full = std::max(largest, least);
  std::vector<int64_t> values;
  for (int64_t value : {int64_t(4), least, full})
    if (arguments == Arguments::Distinct)
      values.insert(values.end(), {value + 1 + 2 * index, value + 1});
    else if (arguments == Arguments::Round || arguments == Arguments::Once)
      values.push_back(whole(value));
    else if (arguments == Arguments::Below)
      values.push_back(whole(value + 1) - 1);
    else if (arguments == Arguments::Few)
      values.push_back(value);
  if (arguments == Arguments::Once && longest > whole(1))
    values.insert(values.begin() + 1, longest);
  // One tile of a loop, where arguments may not be greater.
  if (arguments == Arguments::Round || arguments == Arguments::Below)
    values.push_back(longest - (arguments == Arguments::Below));
  // Loops that run often enough for what the recipe requires.
  for (const auto &[loop, least] : kernel.minIterations)
    for (int64_t count : {int64_t(1), largest})
      values.push_back(least * count +
                       (arguments == Arguments::Distinct ? 3 + 2 * index : 0));
  if (arguments == Arguments::Short)
    values = {std::max<int64_t>(1, smallest - 1)};
  for (int64_t value : {largest, smallest})
    values.push_back(value);
  for (unsigned d = 0; d < dimensions; ++d)
    values.push_back(launch.global[d]);
  values.insert(values.end(), {1, 2, 3, 4, 8, 16, 0, 64});
  return values;
}

static void collectChunks(const ScheduleNode &node,
                          std::map<unsigned, int64_t> &chunks) {
  if (node.kind == ScheduleNode::Kind::Loop)
    chunks[node.loop] = node.pass();
  for (const ScheduleNode &child : node.children)
    collectChunks(child, chunks);
}

/// How much a work-item does with these arguments: statements, and for each of
/// them loops around it that fill a tile.
size_t LaunchChooser::reached(const SmallLaunch &launch, Who who) const {
  std::map<std::string, int64_t> values = parameterValues(model, launch);
  std::map<unsigned, int64_t> chunks;
  collectChunks(kernel.tree, chunks);
  size_t count = 0;
  for (size_t s = 0; s < model.statements.size(); ++s) {
    const Statement &statement = model.statements[s];
    std::map<unsigned, int64_t> fixed; // coordinates
    std::vector<unsigned> asked;
    std::vector<int64_t> distances;
    for (unsigned i = 0; i < statement.coordinates.size(); ++i) {
      const Symbol &symbol = model.symbols[statement.coordinates[i]];
      unsigned d = symbol.dim;
      if (who == Who::Last && symbol.kind == SymbolKind::GlobalId &&
          d < dimensions && !model.ndrange.findMapped(d))
        fixed[i] = launch.offset[d] + launch.global[d] - 1;
    }
    for (unsigned i = 0; i < statement.coordinates.size(); ++i)
      for (const auto &[loop, size] : chunks)
        if (size > 1 &&
            model.loops[loop].iterator == statement.coordinates[i]) {
          asked.push_back(i);
          distances.push_back((size - 1) * std::abs(model.loops[loop].step));
        }
    auto spans = domains[s].spans(values, fixed, asked);
    if (!spans)
      continue;
    ++count;
    for (size_t i = 0; i < asked.size(); ++i)
      count += !(*spans)[i].isBelow(distances[i]);
  }
  return count;
}

/// What `reached` cannot exceed.
size_t LaunchChooser::maxReached() const {
  std::map<unsigned, int64_t> chunks;
  collectChunks(kernel.tree, chunks);
  size_t count = model.statements.size();
  for (const Statement &statement : model.statements)
    for (SymbolId coordinate : statement.coordinates)
      for (const auto &[loop, size] : chunks)
        count += size > 1 && model.loops[loop].iterator == coordinate;
  return count;
}

/// The argument becomes the first of the values with which most of `all` is
/// reached, or that is possible if nothing is asked of it. Returns what is
/// reached, nothing when no value is possible.
std::optional<size_t> LaunchChooser::choose(SmallLaunch &launch,
                                            const std::string &argument,
                                            const std::vector<int64_t> &values,
                                            const ParametricSet &possible,
                                            std::optional<size_t> all,
                                            Who who) const {
  launch.integers[argument] = values.front();
  SmallLaunch trial = launch;
  std::optional<size_t> most;
  std::set<int64_t> tried;
  for (int64_t value : values) {
    if (most && *most >= all.value_or(0))
      break;
    if (!tried.insert(value).second)
      continue;
    trial.integers[argument] = value;
    if (possible.isEmpty(parameterValues(model, trial)))
      continue;
    size_t count = all ? reached(trial, who) : 0;
    if (most && count <= *most)
      continue;
    most = count;
    launch = trial;
  }
  return most;
}

void LaunchChooser::complete(
    SmallLaunch &launch,
    const std::map<std::string, std::vector<int64_t>> &values) const {
  isl::set allowed = model.paramContext;
  for (const Assumption &assumption : model.assumptions)
    allowed = allowed.intersect(assumption.condition);
  const ParametricSet possible(allowed);
  const size_t all = model.statements.size();
  std::set<std::string> open;
  std::vector<int64_t> together;
  std::optional<size_t> most;
  for (const auto &[argument, list] : values)
    if (!launch.integers.count(argument) && !list.empty()) {
      open.insert(argument);
      together.insert(together.end(), list.begin(), list.end());
      most = choose(launch, argument, list, possible, all);
    }
  if (open.empty() || (most && *most >= all))
    return;
  fillTogether(launch, open, together, most, possible);
  // Where the last work-item is left out of something, others need not be.
  if (reached(launch, Who::Any) < all)
    for (const std::string &argument : open)
      choose(launch, argument, values.at(argument), possible, all, Who::Any);
}

/// Arguments as small as they can be without cutting the work short.
void LaunchChooser::fill(SmallLaunch &launch, Arguments arguments) const {
  isl::set allowed = model.paramContext;
  // Those that the guard refuses may be anything.
  if (arguments != Arguments::Short)
    for (const Assumption &assumption : model.assumptions)
      allowed = allowed.intersect(assumption.condition);
  if (arguments <= Arguments::Few)
    for (const auto &[loop, least] : kernel.minIterations)
      if (auto enough = runsAtLeast(model, loop, least))
        allowed = allowed.intersect(*enough);
  const ParametricSet possible(allowed);
  int64_t index = 0;
  const bool isAny = arguments == Arguments::Short;
  const size_t all = isAny                         ? 0
                     : arguments == Arguments::Few ? model.statements.size()
                                                   : maxReached();
  std::optional<size_t> most;
  const auto aim = isAny ? std::nullopt : std::optional<size_t>(all);
  for (const std::string &argument : integerArguments(model)) {
    most = choose(launch, argument, candidates(launch, arguments, index++),
                  possible, aim);
    // Rows of which a work-item has many cells.
    if (!most && !isAny)
      most = choose(launch, argument, {256, 1024}, possible, aim);
  }
  if (isAny || (most && *most >= all))
    return;
  std::set<std::string> every;
  for (const auto &argument : launch.integers)
    every.insert(argument.first);
  fillTogether(launch, every, candidates(launch, arguments, 0), most, possible);
}

/// Some arguments may be large only together: a row and its pitch, which has to
/// be larger still.
void LaunchChooser::fillTogether(SmallLaunch &launch,
                                 const std::set<std::string> &arguments,
                                 const std::vector<int64_t> &values,
                                 std::optional<size_t> most,
                                 const ParametricSet &possible) const {
  std::set<int64_t> large;
  for (int64_t value : values)
    if (value >= longestLoopTile())
      large.insert(value);
  const size_t all = maxReached();
  for (int64_t value : large)
    for (const std::string &alone : arguments)
      for (int64_t own : large) {
        if (most == all)
          return;
        SmallLaunch trial = launch;
        for (const std::string &argument : arguments)
          trial.integers[argument] = argument == alone ? own : value;
        if (possible.isEmpty(parameterValues(model, trial)))
          continue;
        size_t count = reached(trial);
        if (most && count <= *most)
          continue;
        most = count;
        launch = trial;
      }
}

void LaunchChooser::add(const std::array<int64_t, 3> &extent,
                        Arguments arguments, int64_t offset) {
  SmallLaunch launch;
  launch.dimensions = dimensions;
  for (unsigned d = 0; d < dimensions; ++d) {
    const int64_t side = requiredLocal(d).value_or(local[d]);
    launch.local[d] = side;
    launch.global[d] = (extent[d] + side - 1) / side * side;
    bool isWhole = launch.global[d] % kernel.work[d].total() == 0;
    if (arguments == Arguments::Distinct && isWhole)
      launch.global[d] += side;
    launch.offset[d] = offset ? offset + d : 0;
  }
  launch.hasShortLoops = arguments == Arguments::Few || model.loops.empty();
  fill(launch, arguments);
  launches.push_back(std::move(launch));
}

/// Groups have the shape that the kernel requires.
bool LaunchChooser::hasFixedGroups() const {
  return std::any_of(
      std::begin(model.ndrange.localSize), std::end(model.ndrange.localSize),
      [](const std::optional<int64_t> &size) { return size.has_value(); });
}

/// Sizes of a declared array, the innermost one first.
static std::vector<int64_t> extentsOf(const Variable &array) {
  std::vector<int64_t> extents;
  for (const Type *type = &array.type; type->isArray();
       type = type->element.get())
    extents.insert(extents.begin(), static_cast<int64_t>(type->extent));
  return extents;
}

static int64_t productOf(const std::vector<int64_t> &factors) {
  int64_t product = 1;
  for (int64_t factor : factors)
    product *= factor;
  return product;
}

/// Without the cell that keeps rows in different banks, or that is of the
/// neighbour.
static int64_t withoutPadding(int64_t cells) {
  return cells > 8 && llvm::isPowerOf2_64(static_cast<uint64_t>(cells - 1))
             ? cells - 1
             : cells;
}

/// The group whose work-items have a cell each of `t[ly * 16 + lx]`: rows are
/// 16 long, and there are as many as the array has, or where that is not
/// declared as many as are in a square. Nothing when rows do not have a
/// constant length, or too large a one.
std::optional<std::array<int64_t, 3>>
LaunchChooser::shapeOfRows(const Access &access) const {
  std::vector<std::pair<int64_t, unsigned>> strides; // and their dimensions
  for (const auto &[monomial, coefficient] : access.offset->terms)
    for (SymbolId id : monomial) {
      const Symbol &symbol = model.symbols[id];
      if (symbol.kind != SymbolKind::LocalId)
        continue;
      if (monomial.size() > 1 || symbol.dim >= dimensions)
        return std::nullopt;
      strides.emplace_back(std::abs(coefficient), symbol.dim);
    }
  llvm::sort(strides);
  if (strides.size() < 2 || strides[0].first != access.width)
    return std::nullopt;
  const Array &array = model.arrays[access.array];
  std::array<int64_t, 3> shape = {1, 1, 1};
  int64_t items = 1, row = 1;
  for (size_t i = 0; i + 1 < strides.size(); ++i) {
    if (strides[i + 1].first % strides[i].first != 0)
      return std::nullopt;
    row = withoutPadding(strides[i + 1].first / strides[i].first);
    shape[strides[i].second] = row;
    items *= row;
  }
  if (row == 1 || items > mostItems)
    return std::nullopt;
  const auto &[stride, dimension] = strides.back();
  const int64_t elements = productOf(extentsOf(*array.var)) *
                           static_cast<int64_t>(array.elementType.size) /
                           array.elementBytes;
  int64_t rows = array.var->type.isArray() ? elements / stride : row;
  rows = withoutPadding(std::max<int64_t>(1, rows));
  if (items * rows > mostItems)
    rows = std::max<int64_t>(1, usualItems / items);
  shape[dimension] = rows;
  return shape;
}

/// Groups with a work-item for each cell of a local array of the author's:
/// `__local float t[32]` may be meant for no others. Subscripts tell more than
/// declarations.
std::vector<std::array<int64_t, 3>> LaunchChooser::shapesOfArrays() const {
  std::vector<std::array<int64_t, 3>> shapes;
  auto add = [&](const std::array<int64_t, 3> &shape) {
    if (!llvm::is_contained(shapes, shape))
      shapes.push_back(shape);
  };
  auto isOwn = [](const Array &array) {
    return array.space == AddressSpace::Local && array.var;
  };
  for (const Access &access : model.accesses)
    if (isOwn(model.arrays[access.array]) && access.offset)
      if (const auto shape = shapeOfRows(access))
        add(*shape);
  for (const Array &array : model.arrays) {
    if (!isOwn(array))
      continue;
    const std::vector<int64_t> extents = extentsOf(*array.var);
    const int64_t cells = productOf(extents);
    if (cells <= 1 || cells > mostItems)
      continue;
    std::array<int64_t, 3> shape = {cells, 1, 1};
    if (dimensions > 1 && extents.size() > 1) {
      shape = {extents.front(), cells / extents.front(), 1};
    } else if (dimensions > 1) {
      int64_t side = 1;
      while (cells % (2 * side) == 0 && side * side < cells)
        side *= 2;
      shape = {side, cells / side, 1};
    }
    add(shape);
  }
  return shapes;
}

/// Kernels with local memory suit some groups only; the runs tell which.
std::vector<std::array<int64_t, 3>> LaunchChooser::ownGroups() const {
  if (hasFixedGroups())
    return {local};
  std::vector<std::array<int64_t, 3>> shapes = {
      {16, 1, 1}, {32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {256, 1, 1}};
  if (dimensions == 2)
    shapes = {{4, 4, 1}, {8, 8, 1}, {16, 4, 1}, {16, 16, 1}, {32, 8, 1}};
  if (dimensions == 3)
    shapes = {{4, 4, 2}, {8, 4, 2}, {8, 8, 4}};
  for (const std::array<int64_t, 3> &shape : shapesOfArrays())
    if (!llvm::is_contained(shapes, shape))
      shapes.push_back(shape);
  return shapes;
}

void LaunchChooser::addOwnGroups() {
  const std::vector<std::array<int64_t, 3>> shapes = ownGroups();
  for (const std::array<int64_t, 3> &shape : shapes) {
    local = shape;
    std::array<int64_t, 3> extent = shape;
    add(extent, Arguments::Round);
    extent[0] *= 2;
    if (dimensions > 1)
      extent[1] *= 2;
    add(extent, Arguments::Round);
    add(extent, Arguments::Distinct);
  }
}

/// A group that takes all tiles, and groups that are too small for one.
void LaunchChooser::addOtherGroups(const std::array<int64_t, 3> &extent) {
  if (!kernel.isGrouped())
    return;
  local = {1, 1, 1};
  add(extent, Arguments::Distinct);
  int64_t all = 1;
  for (unsigned d = 0; d < dimensions; ++d) {
    local[d] = extent[d];
    all *= extent[d];
  }
  if (all <= 1024)
    add(extent, Arguments::Distinct);
}

/// Groups that are as small as they can be to share tiles: their tiles are
/// full with the least of work.
void LaunchChooser::addFewest() {
  if (!kernel.isGrouped())
    return;
  const std::optional<unsigned> adaptive = kernel.adaptiveDimension();
  const int64_t size =
      fewest > 1 ? std::max<int64_t>(fewest, kernel.minGroupSize) : fewest;
  std::array<int64_t, 3> extent = {1, 1, 1};
  for (unsigned d = 0; d < dimensions; ++d)
    extent[d] = adaptive == d ? size / fewest * kernel.work[d].total()
                              : std::max<int64_t>(kernel.work[d].groupIds,
                                                  kernel.work[d].total());
  const std::array<int64_t, 3> before = local;
  local = {size, 1, 1};
  add(extent, Arguments::Round);
  addBehind(launches.back());
  add(extent, Arguments::Once);
  launches.back().misalignment = elementBytes();
  const std::array<int64_t, 3> full = extent;
  ++extent[0]; // and tiles that are cut, or overlap
  add(extent, Arguments::Below);
  // Groups of nearly two tiles run one after the other, with others around.
  local = {2 * size - 1, 1, 1};
  extent = {3 * local[0], 1, 1};
  for (unsigned d = 1; d < dimensions; ++d)
    extent[d] =
        adaptive == d ? 5 * kernel.work[d].total() : 2 * kernel.work[d].total();
  add(extent, Arguments::Round);
  addCut(full, size);
  local = before;
  addStraddling(size);
}

/// Tiles of groups that lack one work-item in a dimension: the launch has one
/// less, or an argument leaves out the last one. `size`: of the groups.
void LaunchChooser::addCut(const std::array<int64_t, 3> &full, int64_t size) {
  for (unsigned d = 0; d < dimensions; ++d) {
    std::array<int64_t, 3> extent = full;
    extent[d] = std::max<int64_t>(2, extent[d]);
    local = {size, 1, 1};
    add(extent, Arguments::Once);
    const SmallLaunch whole = launches.back();
    launches.pop_back();
    for (const std::string &argument : integerArguments(model)) {
      SmallLaunch exact = whole;
      exact.integers[argument] = extent[d];
      SmallLaunch cut = exact;
      cut.integers[argument] = extent[d] - 1;
      if (reached(cut) < reached(exact) && meetsAssumptions(model, cut))
        launches.push_back(std::move(cut));
    }
    if (full[d] < 2)
      continue;
    --extent[d];
    if (d == 0) {
      while (extent[0] < size)
        extent[0] += full[0];
      local[0] = extent[0];
    }
    add(extent, Arguments::Once);
  }
}

/// Tiles that are moved back by one work-item: blocks of points that belong to
/// two tiles, of which all but one are the first one's. `size`: of the group.
void LaunchChooser::addStraddling(int64_t size) {
  if (std::none_of(std::begin(kernel.work), std::end(kernel.work),
                   [](const WorkDimension &work) { return work.total() > 1; }))
    return;
  const std::array<int64_t, 3> before = local;
  const std::optional<unsigned> adaptive = kernel.adaptiveDimension();
  const unsigned own = adaptive.value_or(dimensions - 1);
  std::array<int64_t, 3> extent = {1, 1, 1};
  local = {1, 1, 1};
  for (unsigned d = 0; d < dimensions; ++d) {
    const WorkDimension &work = kernel.work[d];
    const int64_t total = work.total();
    const int64_t ids =
        adaptive == d ? total : std::max<int64_t>(work.groupIds, total);
    const int64_t least = d == own ? std::max(size, ids) : ids;
    extent[d] = (least + total - 1) / total * total + total - 1;
    if (d == own)
      local[d] = extent[d];
  }
  add(extent, Arguments::Few);
  local = before;
}

/// Launches that lack one work-item of a tile, or of two.
void LaunchChooser::addBelow(const std::array<int64_t, 3> &full) {
  const std::array<int64_t, 3> before = local;
  for (unsigned d = 0; d < dimensions; ++d) {
    if (full[d] < 2)
      continue;
    for (int64_t tiles : {1, 2}) {
      std::array<int64_t, 3> extent = full;
      extent[d] = tiles * full[d] - 1;
      local = {1, 1, 1};
      local[d] = extent[d];
      add(extent, Arguments::Round);
    }
  }
  local = before;
}

/// Kernels of which only some groups work, or that need whole vectors.
void LaunchChooser::addApart() {
  int64_t stride = kernel.groupStride();
  if (stride <= 1 && kernel.multiples.empty() && kernel.alignedArrays.empty())
    return;
  std::array<int64_t, 3> extent = {1, 1, 1};
  for (unsigned d = 0; d < dimensions; ++d) {
    local[d] = d == 0 ? kernel.work[0].total() : 3;
    extent[d] = local[d] * stride * (d == 0 ? 2 : 1);
  }
  add(extent, Arguments::Round);
  add(extent, Arguments::Round, kernel.work[0].total() * stride);
}

/// Loops without iterations.
void LaunchChooser::addZeros(const SmallLaunch &usual) {
  for (const auto &[name, value] : usual.integers) {
    launches.push_back(usual);
    launches.back().integers[name] = 0;
  }
}

/// The launch with ids that begin where an argument ends them: nobody has
/// anything to do, and no buffer has to exist.
void LaunchChooser::addBehind(SmallLaunch usual) {
  std::set<int64_t> ends;
  for (const auto &argument : usual.integers)
    ends.insert(std::max<int64_t>(0, argument.second));
  const size_t all = reached(usual, Who::Any);
  for (unsigned d = 0; d < dimensions; ++d)
    for (int64_t end : ends) {
      SmallLaunch behind = usual;
      behind.offset[d] = end;
      if (reached(behind, Who::Any) >= all)
        continue;
      launches.push_back(std::move(behind));
      break;
    }
}

/// Buffers that are one and the same where the steps need them apart, and
/// those that begin a cell, two, or a row later: that has a meaning where one
/// work-item does everything, one that has something to do.
void LaunchChooser::addOverlaps() {
  const SmallLaunch usual = launches.front();
  if (!hasFixedGroups())
    local = {1, 1, 1};
  add(local, Arguments::Once);
  SmallLaunch single = launches.back();
  add(local, Arguments::Once, 1);
  if (reached(launches.back()) > reached(single))
    single = launches.back();
  else
    launches.pop_back();
  std::set<int64_t> rows = {1, 2}; // in cells
  for (const auto &argument : single.integers)
    rows.insert(std::max<int64_t>(1, argument.second));
  for (const auto &[first, second] : kernel.disjointArrays) {
    const Variable *x = model.arrays[first].var, *y = model.arrays[second].var;
    if (!x || !y || !x->isParam || !y->isParam)
      continue;
    if (x->paramIndex > y->paramIndex)
      std::swap(x, y);
    SmallLaunch launch = usual;
    launch.sameAs[y->name] = x->name;
    launches.push_back(std::move(launch));
    const int64_t bytes = std::max<int64_t>(model.arrays[first].elementBytes,
                                            model.arrays[second].elementBytes);
    for (int64_t cells : rows)
      for (const auto &[later, earlier] : {std::pair(y, x), std::pair(x, y)}) {
        SmallLaunch shifted = single;
        shifted.sameAs[later->name] = earlier->name;
        shifted.overlapShift = cells * bytes;
        launches.push_back(std::move(shifted));
      }
  }
}

/// The important ones come first: when the work is used up, those that are
/// there have to do. A quarter of it is for running them.
std::vector<SmallLaunch> LaunchChooser::run() {
  isl_ctx *context = model.context.get();
  const uint64_t most = isl_ctx_get_max_operations(context);
  const uint64_t left = most - std::min(most, operationsDone(context));
  const OperationLimit limit(context, left - left / 4);
  try {
    addAll();
  } catch (const isl::exception &) {
    if (launches.empty())
      throw;
  }
  return std::move(launches);
}

void LaunchChooser::addAll() {
  chooseGroups();
  if (keepsGroups()) {
    addOwnGroups();
    addOverlaps();
    return;
  }
  std::array<int64_t, 3> few = {3, 2, 2}, full, cut;
  for (unsigned d = 0; d < 3; ++d) {
    full[d] = tile[d];
    cut[d] = tile[d] + kernel.work[d].total() + 1;
  }
  add(few, Arguments::Small);
  add(cut, Arguments::Distinct);
  SmallLaunch misaligned = launches.back();
  add(full, Arguments::Round, 3);
  add(full, Arguments::Round);
  add(full, Arguments::Below);
  SmallLaunch ties = launches.back();
  ties.data = 5;
  misaligned.misalignment = elementBytes();
  launches.push_back(std::move(misaligned));
  launches.push_back(std::move(ties));
  addFewest();
  if (!kernel.isGrouped())
    addBelow(full);
  const SmallLaunch usual = launches[1];
  if (!kernel.isGrouped())
    addBehind(usual);
  addZeros(usual);
  addOtherGroups(cut);
  addApart();
  local = {1, 1, 1};
  add(few, Arguments::Short);
  addOverlaps();
}

std::vector<std::array<int64_t, 3>> LaunchChooser::groups() {
  chooseGroups();
  if (!keepsGroups() && !hasFixedGroups())
    return {};
  if (hasFixedGroups())
    return {local};
  std::vector<std::array<int64_t, 3>> shapes = shapesOfArrays();
  for (const std::array<int64_t, 3> &shape : ownGroups())
    if (!llvm::is_contained(shapes, shape))
      shapes.push_back(shape);
  return shapes;
}

void completeLaunch(const TransformedKernel &kernel, SmallLaunch &launch,
                    const std::map<std::string, std::vector<int64_t>> &values) {
  LaunchChooser(kernel).complete(launch, values);
}

std::vector<std::array<int64_t, 3>>
suitedGroups(const TransformedKernel &kernel) {
  return LaunchChooser(kernel).groups();
}

std::vector<SmallLaunch> chooseLaunches(const TransformedKernel &kernel) {
  return LaunchChooser(kernel).run();
}

} // namespace clopt
