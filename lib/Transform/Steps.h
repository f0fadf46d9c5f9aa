//===- Steps.h - the steps of a recipe --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per step. A step is checked before it is taken: it either
// changes the kernel or returns why it must not, and then leaves it as it was.
// docs/steps/<name>.md describes each.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_STEPS_H
#define CLOPT_TRANSFORM_STEPS_H

#include "Model/TransformedKernel.h"
#include "clopt/Options.h"

#include <optional>
#include <string>

namespace clopt {

/// Why a step was not taken, in OpenCL's words.
struct Refusal {
  std::string ruleId;
  std::string message;
  std::string hint;
  SourceRange range; ///< in the kernel, if it is about a place
};

using StepResult = std::optional<Refusal>; ///< nothing: the step was taken

/// Keeps the cells of `array` in registers over `loop`, or over the whole
/// work-item.
StepResult privatize(TransformedKernel &kernel, unsigned array,
                     std::optional<unsigned> loop, AliasMode alias);

/// One virtual work-item does `count` blocks of ids of dimension `dim`; kernels
/// that use ids within their groups: one group does the work of `count` groups.
StepResult coarsen(TransformedKernel &kernel, unsigned dim, unsigned count,
                   bool strided);

/// Consecutive work-items of dimension `dim` run as lanes of one vector.
StepResult vectorizeWork(TransformedKernel &kernel, unsigned dim,
                         unsigned lanes);

/// Why the vectors and the registers of a kernel that has both do not go
/// together, if so: a register is one vector, with a value for every lane.
StepResult lanesFitRegisters(const TransformedKernel &kernel);

/// Why registers and the local arrays that have their components in planes do
/// not go together, if so: a register holds a whole cell.
StepResult planesFitRegisters(const TransformedKernel &kernel);

/// Contiguous accesses along the vectorized dimension `dim` become accesses to
/// aligned vectors, where the rows of an array allow it.
StepResult alignAccesses(TransformedKernel &kernel, unsigned dim);

/// What lanes may do with a statement whose value goes on to the next
/// iteration.
enum class LaneOrder {
  Any,     ///< run it one after the other
  Together ///< nothing: it is refused
};

/// Consecutive iterations of `loop` run as lanes of one vector.
StepResult vectorizeLoop(TransformedKernel &kernel, unsigned loop,
                         unsigned lanes, AliasMode alias,
                         LaneOrder order = LaneOrder::Any);

/// The iterations of `loop` become a dimension of the virtual NDRange, the
/// fastest one or the slowest.
StepResult mapLoop(TransformedKernel &kernel, unsigned loop, bool isFastest,
                   AliasMode alias);

/// `loop.lanes` work-items of a group do one logical work-item: they share the
/// iterations of the loop and combine its results. `loop.results` is found.
StepResult splitReduction(TransformedKernel &kernel,
                          const CooperativeReduction &loop, AliasMode alias);

/// A loop in steps of the launch's size takes `loop.count` iterations at a
/// time, their loads first, as long as there are so many.
StepResult takeRounds(TransformedKernel &kernel, const BatchedStrideLoop &loop);

/// The new code is for launches in which the work-items run a loop in steps of
/// the launch's size at least `count` times on the average.
StepResult requireStrideIterations(TransformedKernel &kernel,
                                   unsigned statement, unsigned count);

/// The inner one of two nested loops becomes the outer one.
StepResult interchangeLoops(TransformedKernel &kernel, unsigned first,
                            unsigned second, AliasMode alias);

/// Nested loops, outermost first, with sizes: they run in blocks of so many
/// iterations. Loops over the blocks are added around all of them.
StepResult tileNest(TransformedKernel &kernel,
                    const std::vector<std::pair<unsigned, unsigned>> &loops,
                    AliasMode alias);

/// `count` copies of the body per iteration; 0 unrolls completely.
StepResult unroll(TransformedKernel &kernel, unsigned loop, unsigned count);
/// Work-items are numbered along `second` first, and along `first` then; or the
/// other way round, where that is so already.
StepResult interchangeDimensions(TransformedKernel &kernel, unsigned first,
                                 unsigned second);
/// The loop stays, and compilers are asked for the copies.
StepResult askToUnroll(TransformedKernel &kernel, unsigned loop,
                       unsigned count);

/// Strided and reversed vector accesses to `array` become contiguous ones that
/// are permuted in registers (P1 section 3.4, realized without a copy).
StepResult layoutInRegisters(TransformedKernel &kernel, unsigned array,
                             AliasMode alias);

/// The fast version is for tiles in which the choices that `target` (an array,
/// or a variable) depends on go one way, and has the chosen branches in their
/// place.
StepResult selectBranches(TransformedKernel &kernel, const std::string &target);

/// Reads of these local arrays go to the buffers that were copied there. The
/// kernel has a model of its own afterwards.
StepResult forward(TransformedKernel &kernel, const std::set<unsigned> &arrays,
                   AliasMode alias);

/// A group takes a tile of at most `count` ids of dimension `dim`.
StepResult tileWork(TransformedKernel &kernel, unsigned dim, unsigned count);

/// The loop runs in tiles of `count` iterations; what is left runs after them.
StepResult tileLoop(TransformedKernel &kernel, unsigned loop, unsigned count);

/// Keeps the cells of `array` that a group uses in local memory during a tile
/// of `loop`, or over the whole work-items. `pad`: unused cells per row.
StepResult stage(TransformedKernel &kernel, unsigned array,
                 std::optional<unsigned> loop, unsigned pad, AliasMode alias);

/// Keeps the cells of `array` that one work-item uses during a tile of a loop
/// in registers, for every innermost tiled loop that uses it and does not yet.
StepResult stagePrivately(TransformedKernel &kernel, unsigned array,
                          AliasMode alias);

/// The innermost tiled loop around all accesses to the array, if any.
std::optional<unsigned> stagingLoop(const TransformedKernel &kernel,
                                    unsigned array);

/// Bytes of local memory that the staged sections need at most.
int64_t localBytes(const TransformedKernel &kernel);

/// Moves the cells of one of the kernel's own local arrays apart: `count` cells
/// more per row, or after every `every` cells of a one-dimensional array.
StepResult pad(TransformedKernel &kernel, unsigned array, int64_t count,
               int64_t every);

/// True for the local arrays that the kernel declares itself.
bool isOwnLocalArray(const Array &array);

/// Lays the cells of one of the kernel's own local arrays out in another way.
StepResult layoutOwnLocal(TransformedKernel &kernel, unsigned array,
                          LocalLayout::Kind kind);

/// A private array that is initialized with constants and only read becomes a
/// table in constant memory.
StepResult stageConstantTable(TransformedKernel &kernel, unsigned array);

/// Bytes of the kernel's own local arrays with the paddings taken so far.
uint64_t declaredLocalBytes(const TransformedKernel &kernel);
/// The same of one of them.
uint64_t localBytesOf(const TransformedKernel &kernel,
                      const Variable &variable);
/// Bytes of the further copies that merged groups have of local arrays.
uint64_t mergedLocalBytes(const TransformedKernel &kernel);

/// The new code is for launches in which the loop runs at least `count` times.
StepResult requireIterations(TransformedKernel &kernel, unsigned loop,
                             unsigned count);

/// The new code is for launches of at least `count` work-items.
StepResult requireWorkItems(TransformedKernel &kernel, uint64_t count);

/// The new code is for launches with work-groups of at least `count` items.
StepResult requireGroupSize(TransformedKernel &kernel, unsigned count);
StepResult requireSmallGroups(TransformedKernel &kernel, unsigned count);

/// Largest number of iterations of the loop, if that is a constant.
std::optional<int64_t> constantTripCount(const TransformedKernel &kernel,
                                         unsigned loop);

/// True for two arrays that never overlap where the new code runs.
bool areApart(const TransformedKernel &kernel, unsigned first, unsigned second,
              AliasMode alias);

/// The new code is for launches in which the subscripts of the arrays stay
/// within their rows: different subscripts are different cells then.
void useSubscripts(TransformedKernel &kernel, const std::set<unsigned> &arrays);

/// Records that two arrays must not overlap; refused when nothing allows it.
StepResult requireDisjoint(TransformedKernel &kernel, unsigned first,
                           unsigned second, AliasMode alias);

/// Refuses when groups of dimension `dim` cannot be merged: local memory is
/// theirs, and barriers are for all work-items of one.
StepResult mergeableGroups(const TransformedKernel &kernel, unsigned dim);

/// Refuses when neighbouring work-items of a group cannot be lanes of one of
/// them, which the others wait for at barriers.
StepResult lanesWithinGroups(const TransformedKernel &kernel, unsigned dim,
                             unsigned lanes);

/// Loops in steps of several iterations that begin at the id within a group
/// along `dim` are statements from now on: lanes begin them apart. Refused when
/// other steps have been taken.
StepResult keepLoopsFromIds(TransformedKernel &kernel, unsigned dim);

/// Why work-items of this kernel cannot be merged, if so.
StepResult mergeableWorkItems(const TransformedKernel &kernel, unsigned dim);

/// Why a work-item of this kernel cannot be given `count` times as much to do
/// along `dim`, if so: a group's tile has to be a multiple of it, and sections
/// that have been made for what it does now would be too small.
StepResult resizableWorkItems(const TransformedKernel &kernel, unsigned dim,
                              unsigned count);
/// Why the ids of a tile along a dimension cannot be dealt out to work-items
/// that do `total` each, if so.
StepResult checkTileSize(unsigned ids, unsigned total);

/// The first statement at or below `node` that may leave the kernel or a loop
/// around it, or null.
const Statement *findJump(const KernelModel &model, const ScheduleNode &node);

/// Why the code below `node`, loops, cannot change its place, if so: barriers
/// and code that must see memory as it is keep it.
StepResult checkFences(const KernelModel &model, const ScheduleNode &node);

/// "a" or "the value" names for messages.
Refusal refuse(const std::string &ruleId, const std::string &message,
               const std::string &hint = "", const SourceRange &range = {});

} // namespace clopt

#endif // CLOPT_TRANSFORM_STEPS_H
