//===- Expr.h - our own typed expression and statement tree -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structured program that the front end makes of a kernel, so that nothing
// after it needs Clang. Trees are immutable and shared. Every implicit
// conversion of C stands in the tree as a Cast with `implicit` set, so the
// types of operands always agree with what C computes.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_EXPR_H
#define CLOPT_MODEL_EXPR_H

#include "Model/Type.h"
#include "clopt/Remark.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clopt {

/// Bytes of the main file; none when `end` is smaller than `begin`.
struct SourceSpan {
  int64_t begin = 0, end = -1;
  bool isValid() const { return end >= begin; }
};

/// One scalar of a value that is known when the file is read.
struct ConstantScalar {
  uint64_t offset = 0; ///< in bytes
  ScalarKind kind = ScalarKind::Int;
  int64_t integer = 0; ///< integers, as `Expr::intValue`
  double number = 0;   ///< floating-point values
};

/// A parameter or a variable of a function, or a variable at file scope.
struct Variable {
  std::string name;
  Type type;
  SourceRange range;
  bool isParam = false;
  unsigned paramIndex = 0;
  /// Where the variable itself lives. A `__local float t[64]` inside a kernel
  /// is Local; pointer parameters are Private (their pointee has a space).
  AddressSpace space = AddressSpace::Private;
  bool isFileScope = false;
  /// At file scope: what it is set to, other than zeros; null: not known.
  std::shared_ptr<const std::vector<ConstantScalar>> constant;
  /// True when `&v` is taken other than to be dereferenced at once, or the
  /// variable is passed by address: its value cannot be followed.
  bool addressTaken = false;
  /// The same of the body as the author wrote it.
  bool addressWritten = false;
  /// What stands between the brackets of the innermost extent of an array.
  SourceSpan extent;
  /// True when operators can stand beside it without parentheses.
  bool isExtentPrimary = false;
};

enum class ExprKind {
  IntLiteral,   ///< intValue (bit pattern; unsigned types above INT64_MAX wrap)
  FloatLiteral, ///< text
  StringLiteral, ///< text, with quotes
  VarRef,        ///< var
  WorkItem,      ///< query, dim: get_global_id(dim) and its like
  Unary,         ///< op, operands[0]; also Deref, AddrOf, Inc, Dec
  Binary,        ///< op, operands[0], operands[1]; also LAnd, LOr, Comma
  Assign,        ///< op (None for `=`), lhs, rhs; `computeType` for op !=None
  Conditional,   ///< operands: condition, then, else
  Call,          ///< text = callee, operands = arguments
  Cast,      ///< to `type`; operands[0]; `implicit`; also convert_T and as_T
             ///< calls stay Calls
  Subscript, ///< operands: base (pointer or array), index
  Member,    ///< operands[0] is the object; text = field; `arrow`
  Swizzle,   ///< operands[0] is a vector; `components`; text as written
  VectorLiteral, ///< (float4)(...): operands
  InitList,      ///< { ... }: operands
  Opaque         ///< text as written; operands: what it mentions (for accesses)
};

enum class Op {
  None,
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
  LAnd,
  LOr,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  Comma,
  Neg,
  Plus,
  Not,
  LNot,
  Deref,
  AddrOf,
  PreInc,
  PreDec,
  PostInc,
  PostDec
};

/// ++ and --.
inline bool isStep(Op op) { return op >= Op::PreInc; }
inline bool isIncrement(Op op) { return op == Op::PreInc || op == Op::PostInc; }
inline bool isComparison(Op op) { return op >= Op::Lt && op <= Op::Ne; }
/// The comparison that holds where `op` does not: >= for <. Of numbers without
/// NaN.
Op opposite(Op op);
/// The comparison with its sides exchanged: > for <.
Op mirrored(Op op);

enum class WorkItemQuery {
  GlobalId,
  LocalId,
  GroupId,
  GlobalSize,
  LocalSize,
  EnqueuedLocalSize,
  NumGroups,
  GlobalOffset,
  WorkDim,
  GlobalLinearId,
  LocalLinearId
};

/// What is known of a called function.
enum class CallEffect {
  Pure,       ///< value depends on the arguments alone; no memory, no order
  ReadsArgs,  ///< may read through its pointer arguments
  WritesArgs, ///< may read and write through its pointer arguments
  Atomic,     ///< atomic access through operands[0]
  Barrier,    ///< barrier / work_group_barrier
  Fence,      ///< mem_fence and its like
  Opaque ///< anything: printf, async copies, pipes, recursion, vendor builtins
};

/// Built-in functions whose names hold types, numbers and roundings.
enum class CallFamily {
  None,
  Load,       ///< vloadN
  Store,      ///< vstoreN
  LoadHalf,   ///< vload_halfN, vloada_halfN
  StoreHalf,  ///< vstore_halfN, vstorea_halfN and those with a rounding
  Convert,    ///< convert_T; with saturation and rounding as `suffix`
  Reinterpret ///< as_T
};

struct Expr;
struct Function;
using ExprRef = std::shared_ptr<const Expr>;

struct Expr {
  ExprKind kind = ExprKind::Opaque;
  Type type;
  SourceRange range;
  std::vector<ExprRef> operands;
  Op op = Op::None;
  const Variable *var = nullptr;
  WorkItemQuery query = WorkItemQuery::GlobalId;
  unsigned dim = 0;
  int64_t intValue = 0;
  std::string text;
  bool implicit = false; ///< not written: a Cast, or the 1 of `x++;`
  bool arrow = false;
  bool isElementwiseBuiltin =
      false; ///< Call: OpenCL builtin, gentype overloads
  /// Call: an expression in its place would repeat what is costly, or bring a
  /// product beside a sum, and compilers may round the two once.
  bool needsVariables = false;
  CallEffect effect = CallEffect::Pure;
  const Function *callee = nullptr;     ///< Call: a function of the file
  CallFamily family = CallFamily::None; ///< Call
  std::string suffix;               ///< Convert, StoreHalf: "_sat_rte", "_rtz"
  std::vector<unsigned> components; ///< Swizzle
  Type computeType;                 ///< Assign with op: type of the operation
  /// IntLiteral, FloatLiteral: the macro it is the whole expansion of ("TS"),
  /// in parentheses where an operator could take a part of it, or empty.
  std::string macro;
};

enum class StmtKind {
  Block,  ///< children, with a scope of its own
  Group,  ///< children, without a scope (`int a, b;`)
  Decl,   ///< var, expr = initializer or null
  Expr,   ///< expr
  If,     ///< expr, body, elseBody
  For,    ///< init (or null), expr (or null), inc (or null), body
  While,  ///< expr, body
  Do,     ///< body, expr
  Switch, ///< text: raw; children unused
  Break,
  Continue,
  Return,  ///< expr or null
  Barrier, ///< expr = the call
  Null,
  Opaque ///< text as written; expr (Opaque) mentions what it touches
};

struct Stmt;
using StmtRef = std::shared_ptr<const Stmt>;

struct Stmt {
  StmtKind kind = StmtKind::Null;
  SourceRange range;
  std::vector<StmtRef> children;
  const Variable *var = nullptr;
  ExprRef expr;
  StmtRef init;
  ExprRef inc;
  StmtRef body;
  StmtRef elseBody;
  /// Decl, Group: its lines and their ends, when nothing else stands on them;
  /// else the same as `range`; none when a macro writes it.
  SourceSpan lines;
  std::string text;
  /// For: `#pragma unroll` and similar lines that stood before it.
  std::vector<std::string> pragmas;
};

/// A line of the preprocessor, also one that it left out.
struct Directive {
  enum class Kind {
    If,    ///< #if, #ifdef, #ifndef
    EndIf, ///< #endif
    Other
  };
  Kind kind = Kind::Other;
  int64_t at = 0; ///< of its `#` in the main file
};

/// What decided the text of a function besides the files: flags, and macros
/// that compilers define. Its model holds for this configuration alone.
struct Configuration {
  /// Operands of an `#if`, all true, to be asked where the body begins.
  std::vector<std::string> conditions;
  bool isAny() const {
    return conditions.empty() && numbers.empty() && words.empty();
  }
  /// Macros that have to be integers, and these: numbers, names of macros, or
  /// expressions in parentheses.
  std::vector<std::pair<std::string, std::string>> numbers;
  /// Those of them that the flags define as one number each.
  std::vector<std::pair<std::string, std::string>> values;
  /// Macros that have to be single words, and these words.
  std::vector<std::pair<std::string, std::string>> words;
  /// Macros that have to be floating-point numbers, and these.
  std::vector<std::pair<std::string, std::string>> reals;
  /// Why the conditions do not say all, or empty.
  std::string problem;
};

/// A launch of one dimension whose ids are those of more, row by row.
struct FlatLaunch {
  std::vector<ExprRef> extents; ///< of the dimensions, fastest first
  /// What must hold of arguments and of the launch as it is; the later ones may
  /// take the earlier ones for granted.
  std::vector<ExprRef> conditions;
  /// Function::body and Function::written of the launch as it is.
  StmtRef body, written;
};

/// One function of the file, kernels included.
struct Function {
  std::string name;
  Type returnType;
  bool isKernel = false;
  /// Called by another function of the file (for a kernel: keep its body).
  bool isCalled = false;
  SourceRange range;     ///< the whole definition
  SourceRange bodyRange; ///< from `{` to one past `}`
  /// The name, and the parameters with their parentheses, where neither macros
  /// nor directives have a part in them.
  SourceRange nameRange, parameterRange;
  /// True when the body stands in the main file and no part of its braces
  /// comes from a macro, so that it can be replaced.
  bool isEditable = false;
  /// Parameters first. Those of the same kernel with another body, too.
  std::vector<std::shared_ptr<Variable>> variables;
  std::vector<const Variable *> params;
  StmtRef body;
  /// The body as the author wrote it, where `body` has those of functions in
  /// place of their calls, or the ids of another launch; else null.
  StmtRef written;
  /// Of kernels whose `body` has the ids of more dimensions than the launch.
  std::shared_ptr<const FlatLaunch> flat;
  const StmtRef &asWritten() const { return written ? written : body; }
  /// reqd_work_group_size, or zeros.
  unsigned requiredLocalSize[3] = {0, 0, 0};
  Configuration configuration; ///< of kernels
  /// vec_type_hint and others need no model; volatile and atomics do.
  bool hasGoto = false;
};

/// What the front end makes of one source file.
struct TranslationUnit {
  std::string path;
  std::string text;                  ///< of the main file, byte for byte
  std::vector<Directive> directives; ///< of the main file, in order
  std::vector<std::unique_ptr<Function>> functions; ///< in source order
  std::vector<std::unique_ptr<Variable>> fileScopeVariables;
  std::vector<std::string> dependencies; ///< files read, main file first
  /// Names of file-scope functions, types, macros, variables: never to be used
  /// for new names.
  std::vector<std::string> usedNames;
  /// Names of OpenCL C itself to which the program gives another meaning, as
  /// macros or functions, or takes one away, perhaps with other flags; and the
  /// offset into `text` from which on it does, -1 before all of it.
  std::vector<std::pair<std::string, int64_t>> changedNames;
  /// From the flags: what OpenCL lets the compiler do.
  bool unsafeMath =
      false; ///< -cl-unsafe-math-optimizations, -cl-fast-relaxed-math
  bool finiteMath = false;
  bool madEnable = false;
  unsigned openclVersion = 120; ///< 100, 110, 120, 200, 300
  /// What the author wrote there.
  std::string spelling(int64_t begin, int64_t end) const {
    return text.substr(static_cast<size_t>(begin),
                       static_cast<size_t>(end - begin));
  }
};

/// The variable that an lvalue is a part of, or null when behind a pointer.
const Variable *rootVariable(const Expr *lvalue);

/// The expression below the conversions of the language.
const Expr *withoutCasts(const Expr *expr);
const ExprRef &withoutCasts(const ExprRef &expr);
/// The expression below all conversions, also those of the author.
const Expr *belowCasts(const Expr *expr);

/// True for assignments, and steps like `i++`.
bool changesTarget(const Expr &expr);

/// Calls `visit` for `expr` and all expressions below it, parents first.
void forEachExpr(const ExprRef &expr,
                 const std::function<void(const ExprRef &)> &visit);
/// Calls `visit` for every expression of the statement and below.
void forEachExpr(const StmtRef &stmt,
                 const std::function<void(const ExprRef &)> &visit);
/// Calls `visit` for `stmt` and all statements below it, parents first.
void forEachStmt(const StmtRef &stmt,
                 const std::function<void(const StmtRef &)> &visit);
/// True when the two say the same besides their operands.
bool areAlike(const Expr &one, const Expr &other);
/// True for trees with the same operations on the same operands.
bool areSameTree(const Expr &one, const Expr &other);
/// True when evaluating the expression changes nothing, so that it does not
/// matter how often that is done.
bool isSideEffectFree(const ExprRef &expr);
/// True for calls of vloadN and vload_halfN, vstoreN and vstore_halfN.
bool isVectorLoad(const Expr &expr);
bool isVectorStore(const Expr &expr);
/// Cells between two vectors of such a call: three halves that are aligned take
/// the room of four.
unsigned vectorPitch(const Expr &expr);

} // namespace clopt

#endif // CLOPT_MODEL_EXPR_H
