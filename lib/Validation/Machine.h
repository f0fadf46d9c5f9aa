//===- Machine.h - one symbolic run, inside ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use inside Validation only; KernelRun.h is the interface.
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_MACHINE_H
#define CLOPT_VALIDATION_MACHINE_H

#include "Validation/Code.h"

#include <llvm/Support/Memory.h>

namespace clopt {

/// Work-items of a group.
struct Items {
  std::vector<uint32_t> list;
  bool areAll = false; ///< every one of the group
};

/// Numbers that are zero at first. A launch runs a part of the code: where they
/// are many, pages of those that it never writes are never made.
class ZeroedNumbers {
public:
  /// False when there is no memory.
  bool allocate(size_t count);
  int64_t *data() { return first; }
  const int64_t *data() const { return first; }

private:
  int64_t *first = nullptr;
  std::vector<int64_t> few;
  llvm::sys::OwningMemoryBlock many;
};

/// Hears of what a run does.
class RunObserver {
public:
  /// Thrown by what hears: it need not know the rest of the group.
  struct Enough {};
  virtual ~RunObserver() = default;
  /// Groups that run, by their numbers along dimension 0 first.
  virtual void beginGroup(uint64_t steps) = 0;
  virtual void enter(const Block &block, const Items &active) = 0;
  virtual void leave(const Block &block) = 0;
  /// The work-items access scalars at these addresses and what `instr` adds.
  virtual void access(const Instr &instr, const Items &active,
                      const int64_t *addresses, Memory &memory) = 0;
  virtual void compute(const int32_t *counts, const Items &active) = 0;
};

class Machine {
public:
  Machine(const Code &kernel, const SmallLaunch &range, TermStore &store,
          uint64_t budget, RunResult &output)
      : code(kernel), launch(range), terms(store), limit(budget),
        result(output), memory(output.memory) {}

  /// Runs these groups only, for somebody who listens.
  void observe(RunObserver &listener, std::vector<int64_t> groups) {
    observer = &listener;
    chosenGroups = std::move(groups);
  }

  void run();
  /// Writes down which statements and branches ran.
  void finish();

private:
  enum class Flow : uint8_t { Running, Break, Continue, Return };

  // Machine.cpp: the launch and control.
  void prepare();
  void addHandles();
  void addFileVariables();
  void addBuffers();
  void addObjects();
  void fill(int32_t target, int64_t value);
  int64_t query(const CodeQuery &query, uint32_t item) const;
  void answer(const CodeQuery &asked);
  void runGroup();
  void setArguments(const Items &all);
  const std::string &given(const Variable &param) const;
  void addGiven(const std::string &name, const Type &element,
                MemoryObject &object) const;
  void setFields(const std::string &name, const Type &type, int64_t address);
  void runBlock(int32_t number, const Items &active);
  void runPart(const Block &block, size_t begin, const Items &active);
  void choose(const Instr &instr, const Items &active);
  void loop(const Instr &instr, const Items &active);
  void call(const Instr &instr, const Items &active);
  void barrier(const Instr &instr, const Items &active);
  void jump(Flow to, const Items &active);
  void noteComparison(const Instr &instr, const Items &active);
  void noteBranch(const Instr &instr, const Items &active);
  bool split(const Instr &instr, const Items &active, Items &yes, Items &no);
  void spend(uint64_t steps) {
    result.steps += steps;
    if (result.steps > limit)
      throw GiveUp{tooManySteps};
  }

  // MachineValues.cpp: what needs no memory.
  bool runInteger(const Instr &instr, const Items &active);
  void runValue(const Instr &instr, const Items &active);
  void compare(const Instr &instr, const Items &active);
  void divide(const Instr &instr, const Items &active);
  void noteLongOverflow(const Instr &instr, const Items &active);
  void term(const Instr &instr, const Items &active);
  void hash(const Instr &instr, const Items &active);
  void function(const Instr &instr, const Items &active);
  void distance(const Instr &instr, const Items &active);
  int64_t convert(const Instr &instr, int64_t value);
  int64_t reinterpret(const Instr &instr, int64_t value);
  int64_t unset(ScalarKind kind);

  // MachineMemory.cpp
  void runMemory(const Instr &instr, const Items &active);
  void checkAlignment(const Instr &instr, const Items &active) const;
  template <typename Function>
  void access(const Instr &instr, const Items &active, Function use);
  void load(const Instr &instr, const Items &active);
  void store(const Instr &instr, const Items &active);
  void clear(const Instr &instr, const Items &active);
  void atomic(const Instr &instr, const Items &active);
  void asyncCopy(const Instr &instr, const Items &active);
  void texel(const Instr &instr, const Items &active);
  Accessor accessor(const Instr &instr, uint32_t item) const;

  // MachineUnset.cpp: what is made of what nobody set.
  void trace(const Instr &instr, const Items &active);
  void traceStore(const Instr &instr, const Items &active);
  void traceAtomic(const Instr &instr, uint32_t item, MemoryCell &cell);
  void noteDecision(int32_t number, const Items &active);

  const int64_t *reg(int32_t number) const {
    return registers.data() + static_cast<size_t>(number) * items;
  }
  int64_t *reg(int32_t number) {
    return registers.data() + static_cast<size_t>(number) * items;
  }
  int64_t *unsetBits(int32_t number) {
    return unsetRegisters.data() + static_cast<size_t>(number) * items;
  }
  int32_t argument(const Instr &instr, unsigned i) const {
    return code.pool[static_cast<size_t>(instr.arguments) + i];
  }
  template <typename Function> void each(const Items &active, Function work) {
    if (active.areAll)
      for (uint32_t item = 0; item < items; ++item)
        work(item);
    else
      for (uint32_t item : active.list)
        work(item);
  }

  const Code &code;
  const SmallLaunch &launch;
  TermStore &terms;
  uint64_t limit;
  RunResult &result;
  Memory &memory;

  size_t items = 1;        ///< of a group
  ZeroedNumbers registers; ///< of all items
  /// Bits of these that are made of what nobody set; empty unless traced.
  ZeroedNumbers unsetRegisters;
  std::vector<int64_t> operands; ///< of terms that are made
  std::vector<unsigned> symbols; ///< of the code, in the store
  std::vector<Flow> flow;        ///< by item
  size_t stopped = 0;            ///< items that are not running
  std::vector<char> executed;    ///< by statement
  std::vector<BranchCoverage> branches;
  std::vector<EdgeCoverage> edges; ///< by branch
  std::vector<char> isRunning;     ///< by function
  std::array<int64_t, 3> group{};  ///< ids of the group
  std::array<int64_t, 3> groupCount{};
  int64_t groupNumber = 0;
  std::vector<int64_t> addresses; ///< that parameters are given
  int32_t localPhase = 0, globalPhase = 0;
  RunObserver *observer = nullptr;
  std::vector<int64_t> chosenGroups;
};

} // namespace clopt

#endif // CLOPT_VALIDATION_MACHINE_H
