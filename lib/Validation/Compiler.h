//===- Compiler.h - from trees to instructions ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use inside Validation only; Code.h is the interface.
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_COMPILER_H
#define CLOPT_VALIDATION_COMPILER_H

#include "Validation/Code.h"

#include <llvm/ADT/SmallVector.h>

namespace clopt {

/// The registers of a value: one for each lane; the address of a struct.
using Registers = llvm::SmallVector<int32_t, 4>;

/// Where a value lives.
struct ValuePlace {
  bool isMemory = false;
  Registers registers; ///< of a variable that is not in memory
  int32_t address = -1;
  int64_t offset = 0;
  const Type *type = nullptr; ///< of the whole, before `components`
  bool isPart = false;
  llvm::SmallVector<unsigned, 4> components;
};

class Compiler {
public:
  Compiler(const TranslationUnit &parsed, Code &result, bool shares)
      : unit(parsed), code(result), sharesTemporaries(shares) {}

  void run(const Function &kernel);

private:
  /// Where a variable lives.
  struct Home {
    Registers registers;
    int32_t address = -1; ///< of its object, or -1
  };

  // CompileStmts.cpp
  int32_t functionNumber(const Function &function);
  void compileBody(int32_t number);
  void statement(const StmtRef &stmt);
  void loop(const Stmt &stmt);
  void declare(const Stmt &stmt);
  void initialize(const ValuePlace &to, const Expr &init);
  void initializeZero(const ValuePlace &to);
  void initializeParts(const ValuePlace &to, const Expr &init);
  void returnValue(const Stmt &stmt);

  // Compiler.cpp: instructions, registers, variables.
  Instr &emit(Opcode op, int32_t dst = -1, int32_t a = -1, int32_t b = -1);
  void giveUp(const std::string &reason);
  template <typename Function> int32_t block(Function fill) {
    code.blocks.emplace_back();
    auto number = static_cast<int32_t>(code.blocks.size() - 1);
    Block *before = current;
    current = &code.blocks.back();
    fill();
    current = before;
    return number;
  }
  int32_t newRegister() { return code.registers++; }
  int32_t temporary();
  Registers temporaries(unsigned count);
  int32_t constant(ScalarKind kind, int64_t integer);
  int32_t floatConstant(ScalarKind kind, double number);
  int32_t zero(ScalarKind kind);
  int32_t branchNumber(const Expr &condition);
  int64_t symbolNumber(const std::string &name, const std::string &signature);
  void setArguments(Instr &instr, const Registers &arguments);
  Home &home(const Variable &variable);
  int32_t addObject(const std::string &name, const Type &type,
                    const Variable *variable, bool isGroups);
  void copy(const Registers &to, const Registers &from);
  bool retarget(int32_t from, int32_t to);

  // CompileExprs.cpp
  Registers evaluate(const Expr &expr);
  int32_t scalar(const Expr &expr);
  Registers unary(const Expr &expr);
  Registers step(const Expr &expr);
  Registers binary(const Expr &expr);
  Registers logical(const Expr &expr);
  int32_t truth(const Expr &expr);
  void noteChoices(const Expr &expr, int32_t reached, int32_t decides);
  int32_t both(int32_t x, int32_t y);
  int32_t goesOn(const Expr &expr, int32_t value);
  Registers pointerSum(const Expr &expr);
  Registers compare(const Expr &expr);
  Registers compareValues(const Expr &expr, const Registers &x,
                          const Registers &y);
  void noteEdge(const Expr &expr, int32_t x, int32_t y, int32_t decides);
  Registers assign(const Expr &expr);
  Registers conditional(const Expr &expr);
  Registers vector(const Expr &expr);
  Registers cast(const Expr &expr);
  Registers convert(const Registers &value, const Type &from, const Type &to);
  int32_t convertScalar(int32_t value, ScalarKind from, ScalarKind to,
                        int64_t rounding = RoundDefault);
  Registers arithmetic(Op op, const Type &type, const Registers &x,
                       const Registers &y);
  int32_t query(const Expr &expr);

  // CompilePlaces.cpp
  ValuePlace place(const Expr &expr);
  ValuePlace variablePlace(const Variable &variable);
  ValuePlace pointee(int32_t address, const Type &type);
  ValuePlace subscript(const Expr &expr);
  ValuePlace member(const Expr &expr);
  ValuePlace swizzle(const Expr &expr);
  int32_t addressOf(const ValuePlace &place);
  Registers load(const ValuePlace &from);
  void store(const ValuePlace &to, const Registers &value);
  Registers loadMemory(int32_t address, int64_t offset, ScalarKind kind,
                       unsigned count, bool isAligned = false);
  void storeMemory(int32_t address, int64_t offset, ScalarKind kind,
                   const Registers &value, bool isAligned = false);
  ValuePlace temporaryObject(const std::string &name, const Type &type);

  // CompileCalls.cpp
  Registers call(const Expr &expr, bool isStatement);
  Registers callFunction(const Function &function, const Expr &expr);
  Registers builtin(const Expr &expr, bool isStatement);
  Registers elementwise(const Expr &expr,
                        const std::vector<Registers> &arguments);
  Registers relational(const Expr &expr,
                       const std::vector<Registers> &arguments);
  Registers choose(const Expr &expr, const std::vector<Registers> &arguments);
  Registers conversion(const Expr &expr, const Registers &argument);
  Registers reinterpret(const Registers &value, const Type &from,
                        const Type &to);
  Registers wholeTerm(const Expr &expr,
                      const std::vector<Registers> &arguments);
  Registers vectorMemory(const Expr &expr,
                         const std::vector<Registers> &arguments);
  Registers image(const Expr &expr, const std::vector<Registers> &arguments);
  Registers atomic(const Expr &expr, const std::vector<Registers> &arguments,
                   bool isStatement);
  Registers asyncCopy(const Expr &expr,
                      const std::vector<Registers> &arguments);
  Registers throughPointer(const Expr &expr,
                           const std::vector<Registers> &arguments);
  Registers unknownOf(const Type &type);

  const TranslationUnit &unit;
  Code &code;
  const bool sharesTemporaries;
  Block *current = nullptr;
  const SourceRange *range = nullptr;
  std::map<const Function *, int32_t> functionNumbers;
  std::vector<int32_t> pending; ///< functions to compile
  std::map<const Variable *, Home> homes;
  std::map<std::pair<ScalarKind, int64_t>, int32_t> constants;
  std::map<std::pair<WorkItemQuery, unsigned>, int32_t> queries;
  std::map<std::pair<std::string, std::string>, int64_t> symbols;
  std::map<const Expr *, int32_t> branches;
  /// Parts of the condition that is compiled, and what is compared in them.
  std::map<const Expr *, int32_t> truths;
  std::map<const Expr *, std::pair<int32_t, int32_t>> compared;
  std::map<const Variable *, int32_t> fileAddresses;
  int32_t function = 0;               ///< that is compiled
  std::vector<int32_t> temporaryPool; ///< of the function
  size_t temporariesUsed = 0;
};

bool isInMemory(const Variable &variable);

} // namespace clopt

#endif // CLOPT_VALIDATION_COMPILER_H
