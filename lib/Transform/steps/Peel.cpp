//===- Peel.cpp - the first or last iterations of a loop run apart --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What: `peel k:1` takes the first iteration out of a loop, `peel k:1 last` the
// last one:
//
//   for (k = 0; k < n; k++)          if (n > 0)
//     a[k] = k > 0 ? b[k] : 0;         a[0] = 0;
//                                    for (k = 1; k < n; k++)
//                                      a[k] = b[k];
//
// The iterations are cut into two pieces by one more loop around (OuterLoop.h),
// which is written out: piece 0 are the iterations that run first. Each piece
// has the statements that it runs; to later steps the loop is one like others,
// in the middle of which a piece begins.
//
// Legal always, because all iterations run in the order that they had. Refused
// where the loop cannot be cut: statements that leave it would leave one piece
// only, and cells in registers or in local memory go with the loop as it is.
// The first iterations are found where the first value of the variable is
// affine; loops that run fewer times than are peeled off have no rest.
//
// Reference: Wolfe, High Performance Compilers for Parallel Computing (1996),
// section 9.2, index set splitting.
//
// Tested by test/unit/PeelTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/Apply.h"
#include "Transform/tree/Coordinates.h"
#include "Transform/tree/LoopBounds.h"
#include "Transform/tree/OuterLoop.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

#include <cstdlib>

namespace clopt {

namespace {

/// One loop, and which of its iterations run apart.
class Peeler {
public:
  Peeler(TransformedKernel &transformed, unsigned loopIndex, int64_t number,
         bool ofTheLast)
      : kernel(transformed), loop(loopIndex), count(number), isLast(ofTheLast),
        info(transformed.model->loops[loopIndex]) {}
  StepResult check() const;
  void build();

private:
  int64_t distance() const { return count * std::llabs(info.step); }
  isl::set firstOnes(const KernelModel &model, const isl::space &space,
                     const std::vector<SymbolId> &coordinates,
                     SymbolId piece) const;
  isl::set lastOnes(const isl::space &space, unsigned position) const;

  TransformedKernel &kernel;
  unsigned loop;
  int64_t count;
  bool isLast;
  const Loop info;
  isl::set iterations; ///< { [w..., outer..., k] }
};

} // namespace

StepResult Peeler::check() const {
  /// What is peeled off is short, and is code of its own.
  static constexpr int64_t maxIterations = 64;
  if (count > maxIterations)
    return refuse("clopt-step-value",
                  "at most " + std::to_string(maxIterations) + " iterations");
  if (StepResult refusal = checkOuterLoop(kernel, loop))
    return refusal;
  if (!kernel.sections().empty())
    return refuse("clopt-dependence",
                  "arrays are staged for the loops as they are", "peel first");
  if (kernel.minIterations.count(loop))
    return refuse("clopt-dependence",
                  "launches are chosen by how often the loop '" + info.name +
                      "' runs");
  if (const Statement *jump =
          findJump(*kernel.model, *findLoop(kernel.tree, loop)))
    return refuse("clopt-non-affine-control",
                  "the loop may be left early, depending on data", "",
                  jump->stmt->range);
  const isl::set runs = iterationsOf(*kernel.model, loop);
  if (runs.is_empty())
    return refuse("clopt-not-profitable", "the loop does nothing");
  // { S[w..., outer..., k, ...] -> [first] }
  const Statement &any =
      kernel.model
          ->statements[statementsBelow(*findLoop(kernel.tree, loop)).front()];
  if (!isLast &&
      !toPwAff(*kernel.model, isl::manage(isl_set_get_space(any.domain.get())),
               any.coordinates, info.first))
    return refuse("clopt-non-affine-control",
                  "the first iteration of the loop '" + info.name +
                      "' is no simple expression",
                  "", info.stmt->range);
  return std::nullopt;
}

/// { S[..., piece, k, ...] : piece = 0 and k is one of the first iterations, or
/// piece = 1 and it is not }
isl::set Peeler::firstOnes(const KernelModel &model, const isl::space &space,
                           const std::vector<SymbolId> &coordinates,
                           SymbolId piece) const {
  auto where = [&](const Polynomial &poly) {
    return whereAtLeastZero(model, space, coordinates, poly);
  };
  Polynomial done = Polynomial::symbol(info.iterator) - info.first;
  if (info.step < 0)
    done = -done;
  const Polynomial number = Polynomial::symbol(piece);
  isl::set first = where(-number).intersect(where(number));
  first = first.intersect(where(Polynomial(distance() - 1) - done));
  isl::set rest = where(number - Polynomial(1));
  rest = rest.intersect(where(Polynomial(1) - number));
  return first.unite(rest.intersect(where(done - Polynomial(distance()))));
}

/// { S[..., piece, k, ...] : piece = 0 and so many iterations come after k, or
/// piece = 1 and not }, piece at `position`
isl::set Peeler::lastOnes(const isl::space &space, unsigned position) const {
  const int k = static_cast<int>(position);
  // { [w..., outer..., k] -> [w..., outer..., k'] : k' is far enough behind k }
  isl_map *later = isl_map_universe(
      isl_space_map_from_set(isl_set_get_space(iterations.get())));
  for (int c = 0; c < k; ++c)
    later = isl_map_equate(later, isl_dim_in, c, isl_dim_out, c);
  isl_constraint *ahead = isl_constraint_alloc_inequality(
      isl_local_space_from_space(isl_map_get_space(later)));
  const int sign = info.step < 0 ? -1 : 1;
  ahead = isl_constraint_set_coefficient_si(ahead, isl_dim_out, k, sign);
  ahead = isl_constraint_set_coefficient_si(ahead, isl_dim_in, k, -sign);
  ahead = isl_constraint_set_constant_si(ahead, -static_cast<int>(distance()));
  later = isl_map_add_constraint(later, ahead);
  later = isl_map_intersect_range(later, iterations.copy());
  // In steps, k' is a quotient that the second check has to know.
  isl_set *before = isl_set_compute_divs(
      isl_set_intersect(isl_map_domain(later), iterations.copy()));
  isl_set *after = isl_set_compute_divs(
      isl_set_subtract(iterations.copy(), isl_set_copy(before)));
  before = isl_set_insert_dims(before, isl_dim_set, position, 1);
  after = isl_set_insert_dims(after, isl_dim_set, position, 1);
  before = isl_set_fix_si(before, isl_dim_set, position, 0);
  after = isl_set_fix_si(after, isl_dim_set, position, 1);
  isl::set pieces = isl::manage(isl_set_coalesce(isl_set_union(before, after)));
  return restrictTo(isl::manage(isl_set_universe(space.copy())), pieces);
}

void Peeler::build() {
  iterations = iterationsOf(*kernel.model, loop);
  OuterLoop added;
  added.suffix = "_part";
  added.innerFirst = [this](KernelModel &model, SymbolId piece) {
    if (!isLast)
      return info.first +
             Polynomial(count * info.step) * Polynomial::symbol(piece);
    Symbol unknown; // where the last ones begin
    unknown.name = info.name + "_first";
    unknown.varying = true;
    return Polynomial::symbol(model.symbols.add(unknown));
  };
  added.where = [this](const KernelModel &model, const isl::space &space,
                       const std::vector<SymbolId> &coordinates,
                       SymbolId piece) {
    if (!isLast)
      return firstOnes(model, space, coordinates, piece);
    unsigned position = 0;
    while (coordinates[position] != piece)
      ++position;
    return lastOnes(space, position);
  };
  unsigned pieces = addOuterLoop(kernel, loop, added);
  findLoop(kernel.tree, pieces)->unroll = 0;
}

StepResult applyPeel(TransformedKernel &kernel, const Step &step, AliasMode) {
  return forEachTarget(step, [&](const StepTarget &target) -> StepResult {
    unsigned loop;
    if (StepResult refusal = resolveLoop(*kernel.model, target, loop))
      return refusal;
    if (StepResult refusal = needNumber(step, target, 1))
      return refusal;
    Peeler work(kernel, loop, *target.count, step.hasFlag("last"));
    if (StepResult refusal = work.check())
      return refusal;
    work.build();
    return std::nullopt;
  });
}

} // namespace clopt
