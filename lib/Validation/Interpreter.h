//===- Interpreter.h - one symbolic run, inside -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use inside Validation only; KernelRun.h is the interface.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_INTERPRETER_H
#define CLOPT_VALIDATION_INTERPRETER_H

#include "Validation/KernelRun.h"

#include <llvm/ADT/SmallVector.h>

namespace clopt {

/// The scalars of a value: one, one per lane, or object and byte offset of a
/// pointer. Integers are numbers, the others terms.
using Value = llvm::SmallVector<int64_t, 4>;

/// Where a value lives.
struct Place {
  bool isMemory = false;
  size_t slot = 0; ///< of a variable that is not in memory
  int64_t object = 0, offset = 0;
  const Type *type = nullptr; ///< of the whole, before `components`
  bool isPart = false;
  llvm::SmallVector<unsigned, 4> components;
};

using Items = std::vector<unsigned>;

class Interpreter {
public:
  Interpreter(const TranslationUnit &parsed, const SmallLaunch &range,
              TermStore &store, uint64_t budget, RunResult &output)
      : unit(parsed), launch(range), terms(store), limit(budget),
        result(output), memory(output.memory) {}

  void run(const Function &kernel);

private:
  enum class Flow : char { Running, Break, Continue, Return };

  // Interpreter.cpp: the launch and statements.
  void prepare(const Function &kernel);
  void addSlots(const Function &function);
  void bindArguments(const Function &kernel);
  void runGroup(const Function &kernel, const std::array<int64_t, 3> &group);
  void execute(const StmtRef &stmt, const Items &active);
  void executeAll(const std::vector<StmtRef> &list, const Items &active);
  void executeLoop(const Stmt &loop, const Items &active);
  Items iterate(const Stmt &loop, const Items &active);
  void declare(const Stmt &stmt, unsigned item);
  void initialize(const Place &place, const Expr &init, unsigned item);
  void barrier(const Expr &call, const Items &active);
  bool callAsStatement(const Expr &call, const Items &active);
  Items running(const Items &active) const;
  bool holds(const ExprRef &condition, unsigned item);
  bool chooses(const ExprRef &condition, unsigned item);
  const Function *findFunction(const Expr &call) const;

  // InterpretExprs.cpp
  Value evaluate(const Expr &expr, unsigned item);
  int64_t scalar(const Expr &expr, unsigned item);
  Value evaluateUnary(const Expr &expr, unsigned item);
  Value evaluateBinary(const Expr &expr, unsigned item);
  Value evaluateAssign(const Expr &expr, unsigned item);
  Value evaluateConditional(const Expr &expr, unsigned item);
  Value evaluateCast(const Expr &expr, unsigned item);
  Value evaluateVector(const Expr &expr, unsigned item);
  Value step(const Expr &expr, unsigned item);
  int64_t query(const Expr &expr, unsigned item) const;
  Value pointerSum(const Expr &expr, unsigned item);
  int64_t truth(const Type &type, int64_t part) const;
  int64_t combine(Op op, ScalarKind kind, int64_t x, int64_t y);
  int64_t compare(Op op, ScalarKind kind, int64_t x, int64_t y) const;
  int64_t combineIntegers(Op op, ScalarKind kind, int64_t x, int64_t y) const;
  Value apply(Op op, const Type &type, const Value &x, const Value &y);

  // InterpretPlaces.cpp
  Place place(const Expr &expr, unsigned item);
  Place pointee(const Value &pointer, const Type &type) const;
  Value load(const Place &from, unsigned item);
  void store(const Place &to, const Value &value, unsigned item);
  Value loadParts(int64_t object, int64_t offset, ScalarKind kind,
                  unsigned count, unsigned item);
  void storeParts(int64_t object, int64_t offset, ScalarKind kind,
                  const Value &value, unsigned item);
  size_t slotOf(const Variable *variable, unsigned item);
  bool isInMemory(const Variable &variable) const;
  int64_t objectOf(const Variable &variable, unsigned item);
  void collectFields();
  int64_t fieldOf(int64_t object, const std::string &name, int64_t structBytes,
                  int64_t fieldBytes);
  Place member(const Place &whole, const std::string &name, const Type &type);
  Place memberPlace(const Expr &expr, unsigned item);
  void copyStruct(const Place &to, const Place &from, unsigned item);
  void clearObject(int64_t object);
  Accessor accessor(int64_t object, unsigned item);

  // InterpretBuiltins.cpp
  int64_t convert(int64_t part, ScalarKind from, ScalarKind to);
  Value convert(const Value &value, const Type &from, const Type &to);
  Value evaluateCall(const Expr &call, unsigned item);
  Value callFunction(const Function &function, const Expr &call, unsigned item);
  Value elementwise(const Expr &call, const std::vector<Value> &arguments);
  std::optional<int64_t> integerBuiltin(const std::string &name,
                                        ScalarKind kind,
                                        const std::vector<int64_t> &x);
  Value relational(const Expr &call, const std::vector<Value> &arguments);
  std::optional<Value> choose(const Expr &call,
                              const std::vector<Value> &arguments);
  Value conversion(const Expr &call, const Value &argument);
  Value wholeTerm(const Expr &call, const std::vector<Value> &arguments);
  Value vectorMemory(const Expr &call, const std::vector<Value> &arguments,
                     unsigned item);
  void atomic(const Expr &call, unsigned item);
  int64_t toInteger(double value, ScalarKind to, const std::string &name) const;

  const TranslationUnit &unit;
  const SmallLaunch &launch;
  TermStore &terms;
  uint64_t limit;
  RunResult &result;
  Memory &memory;

  const Function *kernelFunction = nullptr;
  std::map<const Variable *, Value> arguments;
  std::unordered_map<const Variable *, size_t> slots;
  std::vector<Value> values;      ///< slot * items + item
  std::vector<int64_t> objectIds; ///< the same, -1: none
  size_t items = 1;               ///< of a group
  /// Fields that the program names, by the spelling of their struct.
  std::map<std::string, std::map<std::string, Type>> fields;
  /// Objects that hold one field of all structs of another object.
  std::map<std::pair<int64_t, std::string>, int64_t> fieldObjects;
  std::vector<Flow> flow;         ///< by item
  std::vector<Value> returned;    ///< by item
  std::array<int64_t, 3> group{}; ///< ids of the group
  std::array<int64_t, 3> groupCount{};
  int64_t groupNumber = 0;
  int64_t localPhase = 0, globalPhase = 0;
  unsigned depth = 0; ///< of calls
  const SourceRange *current = nullptr;
};

} // namespace clopt

#endif // CLOPT_VALIDATION_INTERPRETER_H
