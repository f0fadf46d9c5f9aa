//===- StrideLoops.h - sums over every n-th element -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (i = get_global_id(0); i < n; i += get_global_size(0)) sum += a[i];`:
// loops that a work-item takes in steps of the launch's or the group's size.
// They are statements of the model as a whole. What the step `rounds` and the
// emission of what it makes need to know of them: their heads, what their
// bodies do, and what is the same for all work-items of a group.
//
// Tested by test/unit/StrideLoopsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_ANALYSIS_STRIDELOOPS_H
#define CLOPT_ANALYSIS_STRIDELOOPS_H

#include "Model/TransformedKernel.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clopt {

/// `for (T i = first; i < bound; i += step)`.
struct StrideLoop {
  const Variable *var = nullptr; ///< of 4 or 8 bytes
  /// Null: the loop goes on from the value that the variable has.
  ExprRef first;
  bool isOwn = false; ///< the loop declares its variable
  ExprRef bound;      ///< compared in the type of the variable
  ExprRef step;       ///< an integer of any type
  /// What cells of memory that it writes are cells of: pointers that do not
  /// change in it, and local arrays.
  std::set<const Variable *> written;
};

/// The head of such a loop, if neither bound nor step changes in it, nothing
/// leaves it early, and it is known what it writes.
std::optional<StrideLoop> readStrideLoop(const Stmt &stmt);

/// The pointer to memory, or the local array, of which the lvalue is a cell or
/// a part of one; null where it comes from elsewhere, as what a pointer in
/// memory points to does.
const Variable *memoryOf(const Expr &lvalue);
/// The pointer of which a subscript, a member or a `vload` loads a cell; null
/// for anything else.
const Variable *loadedFrom(const Expr &load);
/// No cell of one is a cell of the other.
bool liesApart(const KernelModel &model, const Variable &a, const Variable &b);

/// The statements that are such loops, with the names that recipes use: that of
/// the variable, numbered when it is taken.
std::vector<std::pair<std::string, unsigned>>
strideLoops(const KernelModel &model);

/// Variables that the statement assigns, declarations included, and how often.
std::map<const Variable *, unsigned> assignmentsIn(const StmtRef &stmt);

/// What a value is to the work-items of a group: the same for all of them, or
/// the position along dimension 0 plus what is the same for all.
enum class GroupValue { Same, Position, Other };

class GroupValues {
public:
  explicit GroupValues(const Function &function)
      : counts(assignmentsIn(function.body)), kernel(function) {}
  /// Of an integer expression, counted modulo two to the power of the bits of
  /// `bytes`.
  GroupValue of(const ExprRef &expr, uint64_t bytes) const;
  /// Takes the variable for a position, whatever is assigned to it.
  void assumePosition(const Variable *var) { positions.insert(var); }
  /// Of the first value of the loop's variable.
  GroupValue ofFirst(const StrideLoop &loop) const;
  /// The expression in arguments and sizes of the launch alone, as it can be
  /// asked for when the kernel begins; null where there is none.
  ExprRef atEntry(const ExprRef &expr) const;

private:
  ExprRef onlyValue(const Variable *var, unsigned assignments) const;

  std::map<const Variable *, unsigned> counts;
  std::set<const Variable *> positions;
  const Function &kernel;
};

/// Bound and step of a loop in what is known before the kernel begins, for
/// which no division is needed: with them a launch can be asked whether the
/// counter wraps. Nothing where they are not known.
struct StrideLimits {
  ExprRef bound, step;
};
std::optional<StrideLimits> limitsAtEntry(const Function &kernel,
                                          const StrideLoop &loop);

/// All work-items of a group run the statement of the kernel's body, once.
bool isRunByAll(const Function &kernel, const Stmt &stmt);

} // namespace clopt

#endif // CLOPT_ANALYSIS_STRIDELOOPS_H
