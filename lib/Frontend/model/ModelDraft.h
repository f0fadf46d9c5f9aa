//===- ModelDraft.h - a kernel's model before isl ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first half of building a model: a walk over the statements that follows
// the values of variables as polynomials and writes down statements, loops,
// conditions, accesses, and what must hold for the polynomials to be right.
// Nothing here calls isl, so that the walk can be repeated cheaply when the
// second half (ModelRealize.h) finds that it has to be done differently.
//
// Integers. The value of an expression of an unsigned type is known modulo two
// to the number of its bits only; where the true value matters (comparison,
// division, widening) the draft records a Requirement that it lies in the range
// of its type. Signed overflow is undefined, so signed values are exact.
//
// Tested by test/unit/ModelBuilderTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_FRONTEND_MODELDRAFT_H
#define CLOPT_FRONTEND_MODELDRAFT_H

#include "Analysis/ranges/ValueRange.h"
#include "Frontend/model/GridLoops.h"
#include "Frontend/model/ModelBuilder.h"
#include "Model/KernelModel.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// Integers wider than any value of OpenCL C.
using WideInt = __int128;

/// Bounds of a value; nothing on a side where none is known.
struct Interval {
  std::optional<WideInt> minimum, maximum;
};

/// What an earlier attempt at a draft found out.
struct DraftSettings {
  /// What is known of the kernel's integers; outlives the draft. May be null.
  const ValueRanges *ranges = nullptr;
  bool split[3] = {false, false, false};
  /// Groups are assumed to have one work-item along the dimension, so that the
  /// group is the global id less the offset.
  bool single[3] = {false, false, false};
  std::optional<int64_t> localSize[3];
  /// The kernel does not tell its size, but counts ids in groups of that size.
  bool assumesLocalSize[3] = {false, false, false};
  /// All groups of a launch have the known size.
  bool wholeGroups = false;
  /// It is for launches without offset, where it asks for ids in groups.
  bool startsAtZero = false;
  /// It is for groups of that size alone, whatever it does with them.
  bool isForLocalSize[3] = {false, false, false};
  /// It does more with its groups: their size is not assumed.
  bool needsGroups[3] = {false, false, false};
  /// Expressions whose value must count as unknown.
  std::set<const Expr *> unknown;
  /// Remainders by arguments: how much was tried to bound their operands.
  /// Unsigned comparisons: 1 when the left side may be below zero, 2 when the
  /// right one may.
  std::map<const Expr *, unsigned> wraps;
  /// Loops and branches to keep whole.
  std::set<const Stmt *> compound;
  /// Bytes per element where not the size of the declared pointee.
  std::map<const Variable *, unsigned> elementBytes;
  /// Arrays of bytes that are none of what their accesses are of.
  std::set<const Variable *> uncast;
  /// Whether loops in steps of the launch's size may be dimensions.
  bool mayShareLoops = true;
  /// Whether integers in memory may be arguments.
  bool memoryArguments = false;
  /// Fewer facts, for a model that isl can handle where all are too many: parts
  /// of arguments and choices of rows are unknown.
  bool isPlain = false;
  /// Arguments divided by constants are whole numbers of the model's, not
  /// parameters: the kernel asks for their remainders, too.
  bool hasRemainders = false;
  /// Those that are.
  GridLoopForms gridLoops;
  /// Those that are not, and why.
  std::map<const Stmt *, std::string> wholeLoops;
};

/// What an expression evaluates to.
struct Value {
  enum class Kind { Unknown, Integer, Pointer, Vector };
  Kind kind = Kind::Unknown;
  /// Integer: the value. Pointer: the offset in elements of the array.
  Polynomial poly;
  unsigned array = 0;
  bool hasOffset = false;
  /// Subscripts of a declared array of arrays so far.
  std::vector<Polynomial> subscripts;
  bool hasSubscripts = false;
  /// Vector: the components, some of them perhaps unknown.
  std::vector<Value> lanes;

  bool isInteger() const { return kind == Kind::Integer; }
  bool isPointer() const { return kind == Kind::Pointer; }
  bool isVector() const { return kind == Kind::Vector; }
  static Value integer(Polynomial poly);
  static Value vector(std::vector<Value> lanes);
  static Value pointer(unsigned array, std::optional<Polynomial> offset);
  bool operator==(const Value &other) const;
};

/// A place in memory that an lvalue names.
struct Place {
  bool isKnown = false;                       ///< the array is known
  Value address;                              ///< Pointer
  AddressSpace space = AddressSpace::Generic; ///< when the array is not known
  /// A component, a member: less than the cell.
  bool isPartial = false;
  unsigned width = 1;
  const Variable *var = nullptr; ///< the variable itself, when it is one
  /// Components of a variable that is a vector.
  const Variable *partOf = nullptr;
  std::vector<unsigned> components;
  /// An argument that the kernel never writes: no access.
  bool isConstant = false;
};

/// A point of the walk: which loops and conditions are around it.
struct DraftContext {
  int parent = -1;
  int loop = -1; ///< entering this loop, or, when -1, `condition` holds
  Condition condition;
  int gridDim = -1; ///< the iterations of a grid-stride loop
};

/// A loop that is a dimension of the NDRange.
struct DraftGridLoop {
  unsigned loop = 0; ///< index into Draft::loops
  unsigned dim = 0;
  Condition range; ///< what holds in every iteration
};

struct DraftLoop {
  Loop loop;
  Condition bound; ///< holds in every iteration, and stops holding for good
};

struct DraftAccess {
  Access access; ///< without relation and subscripts
  unsigned context = 0;
  /// Subscripts as written, for declared arrays of arrays.
  std::vector<Polynomial> written;
};

struct DraftStatement {
  Statement statement; ///< without domain
  unsigned context = 0;
};

/// minimum <= poly <= maximum for all points of the context.
struct Requirement {
  Polynomial poly;
  Interval range;
  unsigned context = 0;
  Assumption::Kind kind = Assumption::Kind::Overflow;
  const Expr *expr = nullptr; ///< unknown when it cannot hold
  const Stmt *stmt = nullptr; ///< or: compound when it cannot hold
  /// What counts as not being able to hold: what no launch meets; what no
  /// launch without offset whose arguments are above zero meets; what launches
  /// of `size` work-items along all its dimensions do not meet; what not all
  /// launches meet. All but the first are about a wrapped value.
  enum class Need { Possible, Plain, Usual, Proved } need = Need::Possible;
  Polynomial size;
  unsigned stage = 0; ///< of DraftSettings::wraps
  /// Of DraftSettings::uncast, when it cannot hold.
  const Variable *cast = nullptr;
  /// Asked by parameters that are quotients, and by nothing else.
  bool isOfQuotient = false;
  std::string text; ///< for people, where the polynomial says less
  SourceRange location;
};

/// The original order.
struct DraftNode {
  enum class Kind { Statement, Sequence, Loop };
  Kind kind = Kind::Sequence;
  unsigned index = 0; ///< of the statement or loop
  std::vector<DraftNode> children;
};

/// A model without isl: `model` has symbols, arrays, notes, values; the rest is
/// in the draft's own lists.
struct Draft {
  KernelModel model;
  std::vector<DraftContext> contexts; ///< 0 is the kernel's entry
  std::vector<DraftLoop> loops;
  std::vector<DraftGridLoop> gridLoops;
  /// What a flat launch is known to meet.
  std::vector<Condition> launch;
  std::vector<DraftStatement> statements;
  std::vector<DraftAccess> accesses;
  std::vector<Requirement> requirements;
  DraftNode root;
  /// The kernel asks for the group along the dimension and nothing else there,
  /// and has no use for groups otherwise.
  bool mayBeSingle[3] = {false, false, false};
  /// It has local memory, barriers, or calls that might.
  bool keepsGroups = false;
  /// Dimensions of which launches without offset are assumed.
  bool startsAtZero[3] = {false, false, false};
  /// Found on the way: pass to the next attempt if it differs.
  DraftSettings wanted;
  bool mustRepeat = false;
};

/// Walks the kernel once. No isl operation is made, but isl's C++ values cannot
/// be copied while they are null: those of the draft are blanks of `context`.
Draft draftModel(const TranslationUnit &unit, const Function &kernel,
                 const DraftSettings &settings,
                 const std::shared_ptr<isl_ctx> &context);

/// Bounds of a polynomial from the ranges of its symbols.
Interval boundsOf(const SymbolTable &symbols, const Polynomial &poly);
/// The values of an integer type.
Interval rangeOf(const Type &type);
/// Monomials of parameters alone become Product symbols.
Polynomial linearizeParams(SymbolTable &symbols, const Polynomial &poly);
Condition linearizeParams(SymbolTable &symbols, const Condition &condition);
/// Convertible by toPwAff / toSet, given all coordinates.
bool isAffine(const SymbolTable &symbols, const Polynomial &poly);
bool isAffine(const SymbolTable &symbols, const Condition &condition);

} // namespace clopt

#endif // CLOPT_FRONTEND_MODELDRAFT_H
