//===- KernelRun.h - a symbolic run of a kernel -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel for one small launch: integers are numbers, floating-point
// values are terms. The work-items of a group run side by side, one instruction
// after the other, and the groups one after the other; what depends on the
// order of work-items is found by looking for races.
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_KERNELRUN_H
#define CLOPT_VALIDATION_KERNELRUN_H

#include "Validation/Memory.h"

#include "Model/Expr.h"

#include <array>
#include <set>

namespace clopt {

/// One launch. Arguments of floating-point types are symbolic; buffers have
/// made-up contents that depend on their names.
struct SmallLaunch {
  unsigned dimensions = 1; ///< of the NDRange
  std::array<int64_t, 3> global = {1, 1, 1};
  std::array<int64_t, 3> local = {1, 1, 1};
  std::array<int64_t, 3> offset = {0, 0, 0};
  /// Arguments by name; fields of structs as "argument.field". Those that are
  /// floating-point numbers are here where anything depends on their whole
  /// parts.
  std::map<std::string, int64_t> integers;
  /// Buffers begin this many bytes after an aligned address.
  int64_t misalignment = 0;
  /// Buffers that are the same memory as another one: name, other's name.
  std::map<std::string, std::string> sameAs;
  int64_t overlapShift = 0; ///< those begin this many bytes later
  uint64_t data = 0;        ///< which made-up numbers the buffers hold
  /// What the integers of buffers are, by name, instead of those numbers.
  std::map<std::string, MadeUpIntegers> integersIn;
  bool hasShortLoops = false; ///< whatever the integers say
  /// Parameters that are given what belongs to another name: buffers of the
  /// run so far, or what an argument of that name would be.
  std::map<std::string, std::string> given;

  int64_t workItems() const { return global[0] * global[1] * global[2]; }
  /// Grows with what a run of the launch takes.
  int64_t work() const;
  std::string text() const;
};

/// Whether a buffer of these elements may begin there: compilers take for
/// granted that a vector lies at a multiple of its size. (Structures: of 8.)
bool canBegin(const Type &element, int64_t address);

/// Which ways a condition with two of them came out, for some work-item.
struct BranchCoverage {
  bool whenTrue = false, whenFalse = false;
};

/// How far a comparison of order that came out true was from coming out false
/// at the least, and the other way: `x <= y` is barely true, 0, for x = y and
/// barely false for x = y + 1. Counted where nothing else would have decided
/// the condition that it is part of. Other parts of conditions are barely true
/// or false whenever they decide. Addresses differ by whole elements.
struct EdgeCoverage {
  static constexpr uint64_t never = UINT64_MAX;
  uint64_t toFalse = never, toTrue = never;
  uint64_t differences = 0; ///< of addresses, all their bits; else 1

  void add(const EdgeCoverage &other);
  /// Closer is not possible, as far as is known.
  bool isMet(bool way) const;
};

/// Why a run ends that takes longer than it may.
constexpr char tooManySteps[] = "too many steps";

/// What a run did. Exactly one of `fault`, `gaveUp`, or neither.
struct RunResult {
  explicit RunResult(TermStore &store) : memory(store) {}
  std::optional<RunFault> fault;
  std::optional<std::string> gaveUp;
  Memory memory;
  /// Objects of buffer arguments and of variables at file scope, by name.
  std::map<std::string, int64_t> buffers;
  std::set<const Stmt *> executed;
  /// By condition: of if and of loops, the first operand of ?:, && and ||. Of
  /// functions that are called, too. Vectors of conditions are no branches.
  std::map<const Expr *, BranchCoverage> branches;
  /// By comparison of scalar integers with <, <=, > or >=, and by operand of
  /// && and ||.
  std::map<const Expr *, EdgeCoverage> edges;
  /// The old value of an atomic access was used: what comes of it depends on
  /// the order of the work-items.
  bool dependsOnOrder = false;
  /// An int or a long did not fit its type, which has no meaning (C99, 6.5,
  /// 5). The run goes on with what is left of it, as devices do.
  bool overflows = false;
  /// Whether the run traces what is made of what nobody set: cells are marked.
  bool tracesUnset = false;
  /// Some of that decides on the way through the kernel, or where it accesses
  /// memory: anything may come of it.
  bool unsetDecides = false;
  uint64_t steps = 0;
  uint64_t skipped = 0; ///< of these, of what was cut and did not run
  /// Iterations, of all work-items that entered it together, of the loop that
  /// ran longest, and that loop, a part of the unit.
  uint64_t iterations = 0;
  const SourceRange *longestLoop = nullptr;
};

struct Code;

/// A kernel that is ready for runs, for many launches and stores of terms. The
/// unit that it is of has to stay; results refer to it, too.
class CompiledKernel {
public:
  CompiledKernel(const TranslationUnit &unit, const Function &kernel);
  CompiledKernel(CompiledKernel &&other) noexcept;
  CompiledKernel &operator=(CompiledKernel &&other) noexcept;
  ~CompiledKernel();

  /// Only what decides the way through the kernel: a run covers what the whole
  /// kernel would, with the same steps, and more if that has a fault or gives
  /// up. For launches with `sameAs` only if buffers `mayOverlap`.
  static CompiledKernel cut(const TranslationUnit &unit, const Function &kernel,
                            bool mayOverlap);

  /// Takes at most `budget` steps, one for each instruction and work-item.
  /// What nobody set is made from `unsetSeed`. Never throws.
  RunResult run(const SmallLaunch &launch, TermStore &terms, uint64_t budget,
                uint64_t unsetSeed = 0) const;
  /// Does the same as `run`, and traces what is made of what nobody set.
  RunResult trace(const SmallLaunch &launch, TermStore &terms,
                  uint64_t budget) const;
  /// Runs after what `result` tells of, in its memory. Buffers that are there
  /// under the names that the parameters are given stay.
  void runAfter(const SmallLaunch &launch, TermStore &terms, uint64_t budget,
                RunResult &result) const;

private:
  explicit CompiledKernel(std::unique_ptr<const Code> compiled);

  std::unique_ptr<const Code> code;
};

/// Runs `kernel`, a function of `unit`, once.
RunResult runKernel(const TranslationUnit &unit, const Function &kernel,
                    const SmallLaunch &launch, TermStore &terms,
                    uint64_t budget);

} // namespace clopt

#endif // CLOPT_VALIDATION_KERNELRUN_H
