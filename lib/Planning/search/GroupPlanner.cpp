//===- GroupPlanner.cpp - plans in which groups share tiles ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is staged: a read that moves with a long loop and
//   - is the same for all work-items along a dimension (reuse in the group), or
//   - jumps from one work-item to the next along dimension 0 (no coalescing).
// In kernels without loops: an access that jumps along dimension 0 while it
// moves by one cell along another dimension (a transposition).
//
// How large: every work-item does several points of the dimensions along which
// reads are reused, as many as its registers hold; 16 work-items stand side by
// side along dimension 0 and what the launch gives along dimension 1; the tile
// of the loop is the longest whose sections fit the local memory that leaves
// several groups on a compute unit.
//
// Register blocks: V. Volkov, J. Demmel: Benchmarking GPUs to tune dense linear
// algebra, SC 2008. Their size is bounded so that a work-item keeps within 64
// registers: launches of 1,024 work-items per group need that on devices with
// 65,536 registers.
//
// Tested by test/unit/GroupPlannerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Planning/search/GroupPlanner.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/access/ArithmeticWork.h"
#include "Analysis/access/CellPart.h"
#include "Analysis/access/Divergence.h"
#include "Analysis/memory/BankConflict.h"
#include "Planning/cost/BankConflictCost.h"
#include "Planning/cost/LoopWork.h"
#include "Planning/cost/Placement.h"
#include "Planning/cost/TileShapes.h"
#include "Planning/search/ConstantTables.h"
#include "Planning/search/PlannerImpl.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <cstdlib>

namespace clopt {

/// Loops of fewer iterations are not cut into tiles.
static constexpr int64_t minIterations = 64;
/// Values that a work-item accumulates at most; with vectors: words, and the
/// same and the operands of one iteration.
static constexpr unsigned maxAccumulators = 16, maxWords = 40;
/// Bytes of a row that one load takes of local memory: wider ones take turns.
static constexpr unsigned loadBytes = 16;
/// Iterations that are worth the barriers around a tile that is cut. (Sums
/// of 8 to 20 iterations on an NVIDIA H100: 0.3-0.7 of the original.)
static constexpr unsigned minStaged = 16;
/// Work-items side by side along dimension 0 of a tile with two dimensions.
static constexpr unsigned threadsAlongRows = 16;
/// Bytes of local memory that leave several groups on a compute unit; the same
/// when cells are converted on the way.
static constexpr int64_t preferredBytes = 24576,
                         preferredConvertedBytes = 32768;
/// Work-items of a group at most when cells are converted on the way.
static constexpr unsigned maxConverting = 128;
/// Virtual work-items per compute unit below which register blocks leave too
/// few of them to hide latencies.
static constexpr unsigned minPerUnit = 120;
/// The same where the author has tiles of his own. In a kernel that has the
/// registers of the blocks his text runs at 0.76 to 0.85 of its speed. (H200,
/// products of 384, 448 and 512 rows by tiles of 16 x 16: 0.92, 1.04 and 1.25.)
static constexpr unsigned minAgainstTiles = 60;
/// The same where the blocks keep sums in registers that were in memory, and
/// where cells are converted: those were read one by one, in any cache line.
static constexpr unsigned minWithSums = 15, minConverting = 4;
/// Iterations that are written out; with more of them compilers load ahead
/// into more than 64 registers. (H100, 11 products: 8 and 16 take the same.)
static constexpr unsigned maxCopies = 8;
/// Instructions of a loop's body that is written out several times. (The
/// sines and cosines of a beamformer, 16 times: 0.9 of the original on an
/// NVIDIA H100, four times: 1.1.)
static constexpr int64_t maxUnrolled = 2600;
/// Instructions for a cell up to which copies of it cost what they save.
static constexpr int64_t fewInstructions = 2;
/// Edge of a tile that is transposed; of vectors as much shorter as they need.
static constexpr unsigned transposedEdge = 64;
/// Work-items of a group that transpose tiles faster than the caches do.
static constexpr int64_t minTransposing = 128;

namespace {

class GroupPlanner {
public:
  GroupPlanner(const TransformedKernel &transformed,
               const DeviceProfile &deviceProfile, AliasMode aliasMode)
      : start(transformed), kernel(transformed), model(*transformed.model),
        profile(deviceProfile), alias(aliasMode) {}
  std::optional<Plan> run();

private:
  struct Candidates {
    std::set<unsigned> arrays;
    bool reused[3] = {false, false, false};
    bool isShared = false; ///< some cells are read by several work-items
    bool isForAll = true;  ///< all cells are read by all work-items
  };

  bool take(const std::string &name, const std::string &target,
            std::optional<int64_t> count = std::nullopt,
            const std::string &flag = "", int64_t pad = 0);
  void reset();
  std::optional<SymbolId> idOf(unsigned dim) const;
  bool moves(const Access &access, SymbolId symbol) const;
  bool jumps(const Access &access, std::optional<SymbolId> along) const;
  bool isStageable(const Access &access) const;
  bool isForLocalMemory(unsigned array) const;
  bool fitsLocalMemory(unsigned array) const;
  Candidates candidatesIn(unsigned loop) const;
  Candidates candidatesIn(unsigned loop, bool isJoined) const;
  unsigned accumulatorsIn(unsigned loop) const;
  unsigned wordsAtOnce(unsigned array) const;
  bool hasVectors(const Candidates &candidates) const;
  void blockVectors(const Candidates &candidates, unsigned loop,
                    unsigned (&points)[3]) const;
  void privatizeIn(unsigned loop);
  bool takeLanes(unsigned lanes);
  bool shapeGroups(const Candidates &candidates, unsigned loop,
                   unsigned adaptive);
  bool shapeConvertingGroups(const Candidates &candidates, unsigned adaptive);
  bool stageArrays(const Candidates &candidates, unsigned loop,
                   unsigned iterations);
  bool streamsFromMemory(const Candidates &candidates, unsigned loop) const;
  bool decidesTime(unsigned loop) const;
  bool isPartOfSum(unsigned loop) const;
  bool hidesCopies(const Candidates &candidates, unsigned loop) const;
  void requireLaunch(int64_t itemsPerUnit, int64_t group = 0);
  bool isOfLaunch(unsigned loop) const;
  void requireWork(const Candidates &candidates, unsigned loop,
                   unsigned iterations);
  int64_t padOf(unsigned array, std::optional<unsigned> loop) const;
  int64_t padOfVector(unsigned array, unsigned loop) const;
  bool planLoop(unsigned loop);
  bool planSizes(const Candidates &candidates, unsigned loop);
  bool othersJump(unsigned array) const;
  bool planTransposition();

  const TransformedKernel &start;
  TransformedKernel kernel;
  const KernelModel &model;
  const DeviceProfile &profile;
  AliasMode alias;
  Placement placement;
  std::vector<Step> steps;
  bool converting = false; ///< narrow cells are converted when copied in
  bool tooLarge = false;   ///< a section did not fit local memory
};

} // namespace

bool GroupPlanner::take(const std::string &name, const std::string &target,
                        std::optional<int64_t> count, const std::string &flag,
                        int64_t pad) {
  Step step = makeStep(name, target, count);
  if (!flag.empty())
    step.flags.push_back(flag);
  if (pad)
    step.parameters.emplace_back("pad", pad);
  if (StepResult refusal = applyStep(kernel, step, alias)) {
    tooLarge |= refusal->ruleId == "clopt-local-memory";
    return false;
  }
  steps.push_back(step);
  return true;
}

void GroupPlanner::reset() {
  kernel = start;
  steps.clear();
  tooLarge = false;
}

std::optional<SymbolId> GroupPlanner::idOf(unsigned dim) const {
  return model.symbols.find(SymbolKind::GlobalId, dim);
}

bool GroupPlanner::moves(const Access &access, SymbolId symbol) const {
  for (const Polynomial &subscript : access.subscripts)
    if (subscript.contains(symbol))
      return true;
  return false;
}

/// True when neighbours along a dimension or a loop use cells far apart.
bool GroupPlanner::jumps(const Access &access,
                         std::optional<SymbolId> along) const {
  if (!along || !access.offset || !moves(access, *along))
    return false;
  std::optional<Polynomial> stride =
      laneStride(model, *access.offset, *along, 1);
  std::optional<int64_t> constant =
      stride ? stride->asConstant() : std::nullopt;
  unsigned bytes = model.arrays[access.array].elementBytes;
  return !constant || std::llabs(*constant) * bytes > profile.segmentBytes;
}

bool GroupPlanner::isStageable(const Access &access) const {
  const Array &array = model.arrays[access.array];
  bool isMemory = array.space == AddressSpace::Global ||
                  array.space == AddressSpace::Constant;
  return isMemory && array.rank > 0 && hasWholeCells(array) &&
         takesWholeCells(array, access) && !access.subscripts.empty() &&
         !access.isOrdered;
}

/// What the placement gives to local memory when the host does not help; what
/// is declared in constant memory is not for it to say.
bool GroupPlanner::isForLocalMemory(unsigned array) const {
  const ArrayPlacement *place = placement.find(array);
  return !place || place->dropIn == MemoryKind::Local ||
         model.arrays[array].space != AddressSpace::Global;
}

/// True when its cells fit, even where one work-item alone reads them as fast
/// from a cache.
bool GroupPlanner::fitsLocalMemory(unsigned array) const {
  const ArrayPlacement *place = placement.find(array);
  return isForLocalMemory(array) || place->in(MemoryKind::Local).clocks > 0;
}

/// What is best in local memory by itself. In a block of both dimensions the
/// other operand joins it: a work-item reads its rows there as vectors.
GroupPlanner::Candidates GroupPlanner::candidatesIn(unsigned loop) const {
  Candidates alone = candidatesIn(loop, false);
  if (alone.arrays.empty() || !streamsFromMemory(alone, loop))
    return alone;
  Candidates joined = candidatesIn(loop, true);
  return joined.reused[0] && joined.reused[1] ? joined : alone;
}

/// `isJoined`: all that fits, not only what gains by itself.
GroupPlanner::Candidates GroupPlanner::candidatesIn(unsigned loop,
                                                    bool isJoined) const {
  Candidates result;
  SymbolId iterator = model.loops[loop].iterator;
  std::set<unsigned> written;
  for (const Access &access : model.accesses)
    if (access.isWrite)
      written.insert(access.array);
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      if (access.isWrite || written.count(access.array) ||
          !isStageable(access) || !moves(access, iterator) ||
          !(isJoined ? fitsLocalMemory(access.array)
                     : isForLocalMemory(access.array)))
        continue;
      unsigned moving = 0, fixed = 0;
      for (unsigned d = 0; d < model.ndrange.rank; ++d)
        if (std::optional<SymbolId> own = idOf(d))
          ++(moves(access, *own) ? moving : fixed);
      if (!fixed && !jumps(access, idOf(0)))
        continue;
      // One cell for all work-items comes as fast from memory as from there,
      // unless neighbouring cells come with it and, where caches hold them,
      // there are few work-items to wait for it. (Pixels against a palette on
      // an NVIDIA H100: 0.93 with local memory; bodies against bodies: 3.)
      const bool isCached = profile.latency.cached < profile.latency.global;
      if (!moving && ((fixed > 1 && isCached) || jumps(access, iterator)))
        continue;
      result.arrays.insert(access.array);
      result.isShared |= fixed > 0;
      result.isForAll &= moving == 0;
      for (unsigned d = 0; d < model.ndrange.rank; ++d)
        if (std::optional<SymbolId> own = idOf(d))
          result.reused[d] |= moving && !moves(access, *own);
    }
  return result;
}

/// Registers of the values of one work-item that the loop carries on. What
/// every iteration sets anew is an operand.
unsigned GroupPlanner::accumulatorsIn(unsigned loop) const {
  return std::max(1u, wordsCarriedBy(kernel, loop));
}

/// Words that the loop reads of the array at once.
unsigned GroupPlanner::wordsAtOnce(unsigned array) const {
  unsigned width = 1;
  for (const Access &access : model.accesses)
    if (access.array == array)
      width = std::max(width, access.width);
  return width * cellWords(model.arrays[array]);
}

bool GroupPlanner::hasVectors(const Candidates &candidates) const {
  return std::any_of(candidates.arrays.begin(), candidates.arrays.end(),
                     [&](unsigned array) {
                       const Array &info = model.arrays[array];
                       return !info.elementType.isScalar() ||
                              wordsAtOnce(array) > cellWords(info);
                     });
}

/// The block of points that loads the fewest words per point while its sums and
/// operands fit the registers: a vector that is loaded once more weighs more
/// than a scalar.
void GroupPlanner::blockVectors(const Candidates &candidates, unsigned loop,
                                unsigned (&points)[3]) const {
  const unsigned values = accumulatorsIn(loop);
  const unsigned most[2] = {candidates.reused[0] ? 4u : 1u,
                            candidates.reused[1] ? 4u : 1u};
  double least = 0;
  for (unsigned rows = most[1]; rows > 0; rows /= 2)
    for (unsigned columns = most[0]; columns > 0; columns /= 2) {
      unsigned words = 0, widest = 0, all = 0;
      for (unsigned array : candidates.arrays) {
        const unsigned own = wordsAtOnce(array);
        bool along[2] = {false, false};
        for (const Access &access : model.accesses)
          for (unsigned d = 0; d < 2; ++d)
            along[d] |= access.array == array && idOf(d) &&
                        moves(access, model.loops[loop].iterator) &&
                        moves(access, *idOf(d));
        const unsigned loads =
            own * (along[0] ? columns : 1) * (along[1] ? rows : 1);
        words += loads;
        // Of the side with more words one cell at a time is enough.
        if (loads > widest) {
          all += widest;
          widest = loads;
        } else {
          all += loads;
        }
      }
      const unsigned sums = rows * columns * values;
      const double perPoint = double(words) / (rows * columns);
      if ((sums > maxAccumulators || sums + all > maxWords) &&
          rows * columns > 1)
        continue;
      if (least > 0 && perPoint >= least)
        continue;
      least = perPoint;
      points[0] = columns;
      points[1] = rows;
    }
}

/// Keeps what the loop accumulates in memory in registers.
void GroupPlanner::privatizeIn(unsigned loop) {
  SymbolId iterator = model.loops[loop].iterator;
  std::set<unsigned> arrays;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      if (access.isWrite && isStageable(access) && !moves(access, iterator))
        arrays.insert(access.array);
    }
  for (unsigned array : arrays)
    take("privatize", model.arrays[array].name);
}

/// Register blocks, and the tile of a group: up to `adaptive` work-items along
/// its last dimension.
bool GroupPlanner::shapeGroups(const Candidates &candidates, unsigned loop,
                               unsigned adaptive) {
  unsigned rank = model.ndrange.rank;
  if (converting)
    return shapeConvertingGroups(candidates, adaptive);
  const bool isNarrow = std::any_of(
      candidates.arrays.begin(), candidates.arrays.end(),
      [&](unsigned array) { return model.arrays[array].elementBytes < 4; });
  unsigned points[3] = {1, 1, 1};
  // Of wide elements fewer are a load, and rows make up for it. (An H200,
  // products of doubles of 1008, 2048 and 4096 in tiles of 64 x 128: 2 x 8
  // points 2.8, 3.0 and 4.0 times as fast as one, 4 x 4 points 2.0, 2.0 and -,
  // 4 x 2 1.4, 1.5 and -.)
  const bool isWide = hasVectors(candidates);
  unsigned widest = 4;
  if (!isWide)
    for (unsigned array : candidates.arrays)
      widest = std::max(widest, model.arrays[array].elementBytes);
  const unsigned lanes = std::max(1u, std::min(4u, loadBytes / widest));
  const bool isBlock = candidates.reused[0] && candidates.reused[1];
  if (rank > 1) {
    points[0] = isBlock ? lanes : candidates.reused[0] ? 4 : 1;
    points[1] = isBlock ? 16 / lanes : candidates.reused[1] ? 4 : 1;
    const unsigned words = accumulatorsIn(loop);
    const unsigned most = maxAccumulators * (isBlock ? 4 / lanes : 1);
    while (points[0] * points[1] * words > most && points[1] > 1)
      points[1] /= 2;
    while (points[0] * points[1] * words > most && points[0] > 1)
      points[0] /= 2;
  }
  if (rank > 1 && isWide)
    blockVectors(candidates, loop, points);
  // A vector is as much as is loaded at once: neighbours take neighbours.
  // Narrow elements are converted one by one wherever they are used. (An H100,
  // 4 x 4 points of products of bytes: 0.82 to 0.94 as lanes, of 16-bit
  // integers 1; its compiler does not convert vectors of halves.)
  const bool hasLanes = !isWide && !isNarrow;
  for (unsigned d = std::min(rank, 2u); d-- > 0;)
    if (points[d] > 1 && !(d == 0 && hasLanes && takeLanes(points[0])) &&
        !take("coarsen", axisName(model, d), points[d],
              isWide && d == 0 ? "stride" : ""))
      return false;
  if (rank == 1)
    return take("tile", axisName(model, 0), adaptive);
  const unsigned along = points[0] >= 4 || (points[0] > 1 && lanes == 4)
                             ? threadsAlongRows
                             : 2 * threadsAlongRows;
  return take("tile", axisName(model, 0), along * points[0]) &&
         take("tile", axisName(model, 1),
              std::max(2u, adaptive / along * points[1]));
}

/// Neighbours along dimension 0 as the lanes of vectors, if they run everything
/// together: registers of the block are rows, and read and written as such.
bool GroupPlanner::takeLanes(unsigned lanes) {
  const std::optional<SymbolId> id = idOf(0);
  if (!id || model.ndrange.split[0])
    return false;
  const Divergence divergence(kernel, kernel.tree, {*id, 1, lanes}, 0);
  for (const Statement &statement : model.statements)
    if (statement.isCompound && statement.stmt &&
        !runsTogether(kernel, divergence, StmtRef(StmtRef(), statement.stmt)))
      return false;
  return take("vectorize", axisName(model, 0), lanes);
}

/// Narrow elements are converted once, when they are copied in, and rows stay
/// along the loop: a work-item reads several iterations of a row at once, and
/// its two points lie apart so that neighbours' rows start on different banks.
/// Such kernels have few work-items as a rule (covariances), so blocks are
/// small.
bool GroupPlanner::shapeConvertingGroups(const Candidates &candidates,
                                         unsigned adaptive) {
  unsigned dim = candidates.reused[0] ? 0 : 1;
  if (!take("coarsen", axisName(model, dim), 2, "stride"))
    return false;
  unsigned along = threadsAlongRows / 2;
  return take("tile", axisName(model, 0), along * (dim == 0 ? 2 : 1)) &&
         take("tile", axisName(model, 1),
              std::max(2u, adaptive / along * (dim == 1 ? 2 : 1)));
}

/// Unused cells per row that keep a group's accesses on different banks.
int64_t GroupPlanner::padOf(unsigned array,
                            std::optional<unsigned> loop) const {
  std::optional<SymbolId> id = idOf(0);
  const Array &info = model.arrays[array];
  const int64_t turned = info.elementType.isScalar() ? 4 : 1;
  const bool isWide = wordsAtOnce(array) > cellWords(info);
  for (const Access &access : model.accesses) {
    if (access.array != array || access.subscripts.empty())
      continue;
    unsigned last = static_cast<unsigned>(access.subscripts.size()) - 1;
    if (loop && !moves(access, model.loops[*loop].iterator))
      continue;
    // Lanes that go down a column.
    for (unsigned d = 0; d < last; ++d)
      if (id && access.subscripts[d].contains(*id) &&
          kernel.work[0].total() == 1)
        return isWide ? turned : 1;
    // Rows that are turned into columns while they are copied.
    for (unsigned d = 0; d < last; ++d)
      for (unsigned dim = 0; dim < model.ndrange.rank; ++dim)
        if (std::optional<SymbolId> own = idOf(dim))
          if (access.subscripts[d].contains(*own) &&
              kernel.work[dim].total() > 1)
            return turned;
  }
  return loop ? padOfVector(array, *loop) : 0;
}

/// Cells behind each row that make a vector of it where all work-items read
/// the same row: three loads become one. (H100, positions of bodies as
/// triples: 1.2.)
int64_t GroupPlanner::padOfVector(unsigned array, unsigned loop) const {
  const Array &info = model.arrays[array];
  const std::optional<int64_t> cells =
      info.rank > 1 ? info.extents.back().asConstant() : std::nullopt;
  if (!cells || *cells * cellWords(info) != 3)
    return 0;
  for (const Access &access : model.accesses)
    if (access.array == array && moves(access, model.loops[loop].iterator))
      for (unsigned d = 0; d < model.ndrange.rank; ++d)
        if (std::optional<SymbolId> own = idOf(d); own && moves(access, *own))
          return 0;
  return 1;
}

/// True when the loop goes on with cells that are not staged: their loads take
/// as long as before, and barriers make work-items wait for each other's.
bool GroupPlanner::streamsFromMemory(const Candidates &candidates,
                                     unsigned loop) const {
  SymbolId iterator = model.loops[loop].iterator;
  for (unsigned index : statementsBelow(*findLoop(kernel.tree, loop)))
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      bool isRead = !access.isWrite &&
                    model.arrays[access.array].space == AddressSpace::Global;
      bool isFixed =
          access.offset && !dependsOn(model, *access.offset, iterator);
      if (isRead && !isFixed && !candidates.arrays.count(access.array))
        return true;
    }
  return false;
}

/// True when a work-item spends most of its time in the loop, and there on
/// loads. All launches pay for the registers and the local memory of tiles:
/// loops of which another one took 70 % ran at 0.90 to 1.04 on an NVIDIA H100,
/// sines and cosines of a beamformer at 0.94 to 1.04.
bool GroupPlanner::decidesTime(unsigned loop) const {
  const LoopWork all = workIn(start, profile);
  const LoopWork own = workIn(start, profile, loop);
  return 2 * own.total() >= all.total() && own.arithmetic <= own.memory;
}

/// True when a loop around goes on with the sums of this one. Then this one is
/// as short as the author could split the sum: 3 x 4 terms of a contraction,
/// each time too few for a tile, ran at 0.70 to 1.09 on an NVIDIA H100.
bool GroupPlanner::isPartOfSum(unsigned loop) const {
  if (model.loops[loop].outer.empty())
    return false;
  const unsigned outer = model.loops[loop].outer.back();
  std::set<unsigned> inside, around;
  for (const Statement &statement : model.statements) {
    auto isIn = [&](unsigned each) {
      return std::find(statement.loops.begin(), statement.loops.end(), each) !=
             statement.loops.end();
    };
    if (isIn(outer))
      for (unsigned id : statement.accesses)
        if (model.accesses[id].isWrite)
          (isIn(loop) ? inside : around).insert(model.accesses[id].array);
  }
  return std::any_of(inside.begin(), inside.end(), [&](unsigned array) {
    return model.arrays[array].space == AddressSpace::Private &&
           !around.count(array);
  });
}

/// False for cells that all work-items read at a time, where little is computed
/// with each: they come as fast from the cache. (An H200, one load and two
/// operations an iteration: 0.82 to 1.08; three and more operations for every
/// load 0.95 to 1.3.)
bool GroupPlanner::hidesCopies(const Candidates &candidates,
                               unsigned loop) const {
  return !candidates.isForAll ||
         instructionsPerIteration(kernel, loop) >
             fewInstructions * static_cast<int64_t>(candidates.arrays.size());
}

bool hasDiagonal(const KernelModel &model) {
  return std::any_of(
      model.statements.begin(), model.statements.end(),
      [&](const Statement &statement) {
        // { [w...] }
        isl_set *ids = isl_set_reset_tuple_id(statement.domain.copy());
        unsigned total = statement.coordinates.size(), work = 0;
        while (work < total &&
               model.symbols[statement.coordinates[work]].kind !=
                   SymbolKind::Iterator)
          ++work;
        ids = isl_set_project_out(ids, isl_dim_set, work, total - work);
        isl_set *box = isl_set_universe(isl_set_get_space(ids));
        for (unsigned d = 0; d < work; ++d) {
          isl_set *own = isl_set_copy(ids);
          for (unsigned other = 0; other < work; ++other)
            if (other != d)
              own = isl_set_eliminate(own, isl_dim_set, other, 1);
          box = isl_set_intersect(box, own);
        }
        const isl::set all = isl::manage(box);
        return !all.is_subset(isl::manage(ids));
      });
}

/// Virtual work-items for each compute unit, and work-items in a group.
void GroupPlanner::requireLaunch(int64_t itemsPerUnit, int64_t group) {
  int64_t points = 1;
  for (const WorkDimension &work : kernel.work)
    points *= work.total();
  Step step;
  step.name = "require";
  if (points > 1 && profile.computeUnits > 1)
    step.parameters.emplace_back("items", (hasDiagonal(model) ? 2 : 1) *
                                              points * profile.computeUnits *
                                              itemsPerUnit);
  // Neighbours that read one cell make one request of it: with fewer of them
  // than that, a copy only takes time. (H100, groups of one work-item: 0.07 to
  // 0.6 for sums over all bodies.)
  if (points == 1)
    group = std::max<int64_t>(group, profile.lanes);
  if (group)
    step.parameters.emplace_back("group", group);
  if (step.parameters.empty())
    return;
  if (!applyStep(kernel, step, alias))
    steps.push_back(step);
}

/// True when the loop is as long as the launch is wide.
bool GroupPlanner::isOfLaunch(unsigned loop) const {
  const Loop &own = model.loops[loop];
  bool found = false;
  if (own.stmt)
    forEachExpr(own.stmt->expr, [&](const ExprRef &part) {
      auto value = model.values.find(part.get());
      if (value != model.values.end())
        found |= llvm::any_of(value->second.symbols(), [&](SymbolId symbol) {
          return model.symbols[symbol].kind == SymbolKind::GlobalSize;
        });
    });
  return found;
}

/// Short loops and small launches keep the author's code. Cells that all
/// work-items read are worth a whole tile: what is left over is a loop that
/// nobody writes out. (An H200, points against 32 centres in tiles of 256: 0.59
/// of the original; against 300, one tile: 1.01.) Launches that small are not
/// worth a condition of their own, and are what texts are validated with.
void GroupPlanner::requireWork(const Candidates &candidates, unsigned loop,
                               unsigned iterations) {
  if (!constantTripCount(kernel, loop))
    take("require", model.loops[loop].name,
         candidates.isForAll && !isOfLaunch(loop)
             ? iterations
             : std::min(iterations, minStaged));
  requireLaunch(converting                         ? minConverting
                : !kernel.registers().empty()      ? minWithSums
                : kernel.original->usesLocalMemory ? minAgainstTiles
                                                   : minPerUnit);
}

bool GroupPlanner::stageArrays(const Candidates &candidates, unsigned loop,
                               unsigned iterations) {
  if (!take("tile", model.loops[loop].name, iterations))
    return false;
  bool any = false;
  for (unsigned array : candidates.arrays) {
    bool isConverted =
        converting && model.arrays[array].elementBytes < 4 &&
        take("stage", model.arrays[array].name, std::nullopt, "converted", 4);
    if (converting && !isConverted)
      return false;
    any |= isConverted || take("stage", model.arrays[array].name, std::nullopt,
                               "", padOf(array, loop));
    if (tooLarge || localBytes(kernel) >
                        (converting ? preferredConvertedBytes : preferredBytes))
      return false;
  }
  if (!any)
    return false;
  unsigned copies = std::min(iterations, converting ? 32u : maxCopies);
  const int64_t each = instructionsPerIteration(kernel, loop);
  while (copies > 1 && copies * each > maxUnrolled)
    copies /= 2;
  if (copies > 1)
    take("unroll", model.loops[loop].name, copies);
  requireWork(candidates, loop, iterations);
  return true;
}

bool GroupPlanner::planLoop(unsigned loop) {
  reset();
  std::optional<int64_t> trips = constantTripCount(kernel, loop);
  if (trips && *trips < minIterations)
    return false;
  Candidates candidates = candidatesIn(loop);
  if (candidates.arrays.empty() || !candidates.isShared ||
      streamsFromMemory(candidates, loop) || !decidesTime(loop) ||
      isPartOfSum(loop) || !hidesCopies(candidates, loop))
    return false;
  converting = model.ndrange.rank > 1 &&
               (candidates.reused[0] || candidates.reused[1]) &&
               std::all_of(candidates.arrays.begin(), candidates.arrays.end(),
                           [&](unsigned array) {
                             return model.arrays[array].elementBytes < 4;
                           });
  if (converting && planSizes(candidates, loop))
    return true;
  converting = false;
  return planSizes(candidates, loop);
}

/// The largest group and the longest tile whose sections fit local memory.
bool GroupPlanner::planSizes(const Candidates &candidates, unsigned loop) {
  unsigned largest =
      std::min(profile.maxGroupSize, converting ? maxConverting : 1024u);
  for (unsigned adaptive = largest; adaptive >= 64; adaptive /= 2)
    for (unsigned iterations : {256u, 224u, 128u, 64u, 32u, 16u, 8u}) {
      if ((iterations == 224 && !converting) ||
          (iterations == 8 && !hasVectors(candidates)))
        continue;
      reset();
      privatizeIn(loop);
      if (!shapeGroups(candidates, loop, adaptive))
        return false;
      if (stageArrays(candidates, loop, iterations))
        return true;
    }
  return false;
}

/// True when neighbours use cells far apart of other arrays as well, which one
/// tile leaves as they are.
bool GroupPlanner::othersJump(unsigned array) const {
  return std::any_of(
      model.accesses.begin(), model.accesses.end(), [&](const Access &access) {
        return access.array != array &&
               model.arrays[access.array].space == AddressSpace::Global &&
               jumps(access, idOf(0));
      });
}

/// One access jumps along dimension 0, and another dimension moves it by one.
bool GroupPlanner::planTransposition() {
  reset();
  if (!model.loops.empty() || model.ndrange.rank < 2)
    return false;
  for (const Access &access : model.accesses) {
    if (!isStageable(access) || !jumps(access, idOf(0)) ||
        !isForLocalMemory(access.array) || othersJump(access.array))
      continue;
    std::optional<unsigned> other;
    for (unsigned d = 1; d < model.ndrange.rank; ++d) {
      std::optional<SymbolId> id = idOf(d);
      std::optional<Polynomial> stride =
          id ? laneStride(model, *access.offset, *id, 1) : std::nullopt;
      if (stride && *stride == Polynomial(1))
        other = d;
    }
    if (!other)
      continue;
    reset();
    const unsigned bytes = model.arrays[access.array].elementBytes;
    const BankShape banks{profile.banks, profile.bankBytes,
                          profile.bankLaneGroup, profile.bankWordByWord};
    // Wide cells: tiles of as many bytes per row, which are full segments.
    const unsigned edge = bytes > 8 ? transposedEdge / 2 : transposedEdge;
    bool shaped =
        take("coarsen", axisName(model, 0), 2, "stride") &&
        take("coarsen", axisName(model, *other), edge / 8, "stride") &&
        take("tile", axisName(model, 0), edge) &&
        take("tile", axisName(model, *other), edge) &&
        take("stage", model.arrays[access.array].name, std::nullopt, "",
             columnPadding(edge, bytes, banks));
    if (shaped) {
      // Tiles of small groups leave few work-items in flight, and small
      // launches are over before the tiles pay.
      requireLaunch(profile.itemsPerComputeUnit / 4, minTransposing);
      return true;
    }
  }
  return false;
}

std::optional<Plan> GroupPlanner::run() {
  if (!profile.localMemoryIsReal || model.ndrange.rank == 0)
    return std::nullopt;
  for (unsigned d = 0; d < model.ndrange.rank; ++d)
    if (mergeableWorkItems(start, d))
      return std::nullopt;
  if (losesRegisters(model))
    return std::nullopt;
  placement = placeArrays(start, profile, alias);
  auto loops = loopsBelow(start.tree);
  auto isPlanned = [this](unsigned loop) { return planLoop(loop); };
  if (std::none_of(loops.begin(), loops.end(), isPlanned) &&
      !planTransposition())
    return std::nullopt;
  reshapeTiles(start, profile, alias, preferredBytes, kernel, steps);
  const std::vector<Step> tables = tableSteps(kernel, profile);
  steps.insert(steps.end(), tables.begin(), tables.end());
  Plan plan;
  plan.steps = std::move(steps);
  return plan;
}

std::optional<Plan> planGroups(const TransformedKernel &start,
                               const DeviceProfile &profile, AliasMode alias) {
  return GroupPlanner(start, profile, alias).run();
}

} // namespace clopt
