//===- Code.h - a kernel as instructions for symbolic runs ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every value is split into scalars. A scalar is a register: one number for
// each work-item of a group. An instruction works on the registers of all
// work-items that are active; blocks of instructions are run for some of them.
//
// For use inside Validation only; KernelRun.h is the interface.
//
// Tested by test/unit/KernelRunTest.cpp and ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_VALIDATION_CODE_H
#define CLOPT_VALIDATION_CODE_H

#include "Validation/KernelRun.h"

#include <deque>

namespace clopt {

enum class Opcode : uint8_t {
  Copy,  ///< dst = a
  Unset, ///< dst = what nobody set, of `kind`
  // Integers of `kind`.
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  And,
  Or,
  Xor,
  // Of `kind`; `imm` where it holds, otherwise 0.
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  /// a and b were compared: `imm` is the branch, `count` how (an Opcode), c who
  /// decides by it, or -1 for all
  Compared,
  Noted,       ///< branch `imm` came out as a for those of b, or all for -1
  IsZero,      ///< the same with a alone
  Not,         ///< dst = ~a
  Convert,     ///< from `from` to `kind`; imm: how to round (Rounding)
  Reinterpret, ///< the bits of `from` as `kind` of the same size
  Term,        ///< dst = symbol `imm` of `arguments`
  Hash,        ///< dst = a small number made of symbol `imm` and `arguments`
  Function,    ///< dst = IntegerFunction `imm` of `arguments`
  Select,      ///< dst = a of `kind` (imm: its highest bit) ? b : c
  Pick,        ///< dst = arguments[a & (count - 1)]
  // Pointers.
  Advance,  ///< dst = a + b * imm
  Offset,   ///< dst = a + imm
  Distance, ///< dst = (a - b) / imm
  // Memory.
  /// arguments = scalars of `kind` side by side from address a + imm; flag: as
  /// a whole vector, which has to be aligned
  Load,
  Store,     ///< the other way
  CopyBytes, ///< to address a from address b, imm bytes
  NoteWhole, ///< the imm bytes at address a exist
  Clear,     ///< the object at address a is new
  Atomic,    ///< dst = old value of `kind` at a; AtomicFunction imm with b, c
  AsyncCopy, ///< to a from b: scalars of `kind`, arguments: how many, strides
  WaitAsync,
  /// arguments = lanes of `kind` and two coordinates: where the image at
  /// address a lies in a buffer, the lanes become its texel
  Texel,
  /// imm steps for each work-item, of instructions that were cut; `count`
  /// numbers at `arguments`: how many by kind of work (Work), where costs count
  Skipped,
  /// An access whose value does not matter: `count` scalars of `kind` at
  /// address a + imm; flag: a write
  Touch,
  // Control.
  Executed, ///< statement imm
  If,       ///< a of `kind` is not 0: `body`, else `other`; branch imm
  Loop,     ///< `other` computes a, `body`, `step`; branch imm; flag: do
  Break,
  Continue,
  Return,
  Call,    ///< function imm
  Barrier, ///< fences: a
  GiveUp   ///< reason imm
};

/// What a conversion to an integer does with what is no integer, and a
/// conversion between floating-point types with what does not fit.
enum Rounding : int64_t {
  RoundDefault = 0,
  RoundNearest = 1,
  RoundUp = 2,
  RoundDown = 3,
  RoundZero = 4,
  Saturate = 8 ///< added to one of the others
};

enum class IntegerFunction : uint8_t {
  Min,
  Max,
  Clamp,
  Abs,
  AbsDiff,
  Mul24,
  Mad24,
  Rotate,
  Popcount,
  Clz,
  Ctz,
  Hadd,
  Rhadd,
  AddSat,
  SubSat,
  MulHi,
  MadHi,
  MadSat,
  Upsample,
  Bitselect
};

enum class AtomicFunction : uint8_t {
  Add,
  Sub,
  And,
  Or,
  Xor,
  Min,
  Max,
  Exchange,
  CompareExchange,
  Load,
  Store
};

/// Arithmetic by what it takes of a device.
enum class Work : uint8_t {
  Float, ///< up to 32 bits; a product that is added to something is none
  Double,
  Special, ///< divisions, roots, functions
  Integer, ///< of data, not of addresses
  Chain    ///< operations on the longest way through the block
};
constexpr unsigned workKinds = 5;

struct Instr {
  Opcode op = Opcode::Copy;
  ScalarKind kind = ScalarKind::Int;
  ScalarKind from = ScalarKind::Int;
  bool flag = false;
  uint16_t count = 0; ///< arguments
  int32_t dst = -1, a = -1, b = -1, c = -1;
  int32_t arguments = 0; ///< the first one in Code::pool
  int32_t body = -1, other = -1, step = -1;
  int64_t imm = 0;
  const SourceRange *range = nullptr; ///< of the statement
};

using Block = std::vector<Instr>;

/// What the instruction takes for each work-item besides itself: a cell takes
/// longer than an operation. Copies by the whole group are not known ahead.
inline uint64_t stepsWithin(const Instr &instr) {
  switch (instr.op) {
  case Opcode::Load:
  case Opcode::Store:
    return 4 * static_cast<uint64_t>(instr.count);
  case Opcode::Texel:
    return 4 * static_cast<uint64_t>(instr.count - 2);
  case Opcode::Term:
    return 1;
  case Opcode::CopyBytes:
  case Opcode::Skipped:
    return static_cast<uint64_t>(instr.imm);
  default:
    return 0;
  }
}

inline bool isAccess(Opcode op) {
  return op == Opcode::Load || op == Opcode::Store || op == Opcode::Atomic ||
         op == Opcode::Touch;
}

/// How many of the arguments are results: the first ones.
inline unsigned resultCount(const Instr &instr) {
  if (instr.op == Opcode::Load)
    return instr.count;
  return instr.op == Opcode::Texel ? instr.count - 2U : 0U;
}

/// A variable that has an address, or a value that needs one.
struct CodeObject {
  const Variable *variable = nullptr; ///< null: a value
  std::string name;
  Type type;
  int64_t size = 0;      ///< 0: not known
  bool isGroups = false; ///< one for all work-items of a group
  int32_t address = -1;
};

struct CodeFunction {
  const Function *function = nullptr;
  int32_t body = -1; ///< -1: not compiled yet
  std::vector<int32_t> result;
};

/// A register that never changes.
struct CodeConstant {
  int32_t dst = -1;
  ScalarKind kind = ScalarKind::Int;
  int64_t integer = 0;
  double number = 0;
};

struct CodeQuery {
  int32_t dst = -1;
  WorkItemQuery query = WorkItemQuery::GlobalId;
  unsigned dim = 0;
};

struct CodeParam {
  const Variable *variable = nullptr;
  std::vector<int32_t> values; ///< its scalars
  int32_t address = -1;        ///< of the parameter itself, or -1
};

struct CodeSymbol {
  std::string name, signature;
};

/// A compiled kernel. Blocks refer to each other by number.
struct Code {
  std::deque<Block> blocks;
  std::vector<int32_t> pool;
  std::vector<CodeFunction> functions; ///< the kernel first
  std::vector<CodeParam> params;       ///< of the kernel
  std::vector<CodeObject> objects;
  std::vector<CodeConstant> constants;
  std::vector<CodeQuery> queries;
  std::vector<std::pair<const Variable *, int32_t>> fileVariables;
  std::vector<CodeSymbol> symbols;
  std::vector<const Stmt *> statements;
  std::vector<const Expr *> branches;
  std::vector<std::string> reasons;
  int32_t registers = 0;
  unsigned requiredLocalSize[3] = {0, 0, 0};
};

bool isLogical(const Expr &expr); ///< && or ||
/// A comparison of order of numbers, or of vectors of them.
bool isOrder(const Expr &expr);
/// True where a condition that is evaluated when it need not be does nothing
/// but to come out: without accesses, divisions and effects.
bool isPlainCondition(const Expr &expr);

/// Compiles the kernel and all functions that it calls. What symbolic runs do
/// not know becomes an instruction that ends the run. `sharesTemporaries`:
/// values of different statements may be in the same register.
std::unique_ptr<Code> compileKernel(const TranslationUnit &unit,
                                    const Function &kernel,
                                    bool sharesTemporaries = true);

} // namespace clopt

#endif // CLOPT_VALIDATION_CODE_H
