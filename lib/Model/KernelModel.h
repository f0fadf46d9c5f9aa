//===- KernelModel.h - the polyhedral model of one kernel -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value: domains, access relations, schedule tree, arrays, NDRange, barriers
// and assumptions of one kernel. Built once by the front end, then only read;
// transformations make new ones.
//
// Spaces. Every statement S has a domain { S[w..., i...] }: first the work
// dimensions, dimension 0 first, then the loops around it from the outside in.
// A work dimension d is either one coordinate, the global id w_d (which counts
// from the global offset), or, when the kernel uses ids of its group in any
// other way than group * size + local, two: g_d, l_d (see NDRange::split).
// Isl parameters are scalar kernel arguments and launch values; their names
// are Symbol::name.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_MODEL_KERNELMODEL_H
#define CLOPT_MODEL_KERNELMODEL_H

#include "Model/Expr.h"
#include "Model/Polynomial.h"

#include <isl/cpp.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clopt {

class ValueRanges;

/// A loop that is a dimension of the virtual NDRange: made one by the step
/// `map`, or a loop in steps of the launch's size that all work-items go
/// through together (`i = id; i < n; i += get_global_size(0)`). Its coordinate
/// is the loop's iterator, a symbol of kind GlobalId.
struct MappedDimension {
  unsigned dim = 0;
  /// The dimension is one of the launch, whose ids nothing else depends on;
  /// otherwise the launch has fewer dimensions than `dim`.
  bool isLaunched = false;
  unsigned loop = 0; ///< index into KernelModel::loops; in no statement's loops
  /// Neighbouring virtual work-items differ in this dimension.
  bool isFastest = true;
  /// First value and one past the last over all work-items, { : -> [value] }.
  /// Where no work-item runs the loop they may be anything.
  isl::pw_aff first, end;
};

/// The launch, as far as the kernel and the options fix it.
struct NDRange {
  /// Dimensions the kernel asks for ids of: 0 (none) to 3. Work-items that
  /// differ only in further dimensions do the same work. Mapped dimensions
  /// count; those that are not launched come last.
  unsigned rank = 0;
  std::vector<MappedDimension> mapped;
  /// Sizes of the dimensions, where the launch has but one (FlatLaunch); its
  /// offset is zero then.
  std::vector<Polynomial> extents;
  /// What such a launch has to meet, on polynomials of arguments.
  std::vector<Condition> conditions;
  /// Of the symbol that is the size of the launch itself.
  static constexpr unsigned flatDimension = 3;
  bool isFlat() const { return !extents.empty(); }
  /// Dimensions of the launch.
  unsigned launchRank() const {
    if (isFlat())
      return 1;
    unsigned result = rank;
    for (const MappedDimension &dimension : mapped)
      result -= !dimension.isLaunched;
    return result;
  }
  const MappedDimension *findMapped(unsigned dim) const {
    for (const MappedDimension &dimension : mapped)
      if (dimension.dim == dim)
        return &dimension;
    return nullptr;
  }
  /// Dimension d has coordinates (g_d, l_d) instead of w_d.
  bool split[3] = {false, false, false};
  /// Known local size (reqd_work_group_size or --local-size), else nothing.
  std::optional<int64_t> localSize[3];
};

/// A buffer, a `__local`/`__constant` array, or a private variable.
struct Array {
  std::string name;
  const Variable *var = nullptr; ///< null for anonymous memory
  AddressSpace space = AddressSpace::Private;
  /// Bytes per element of the innermost dimension; offsets count these.
  unsigned elementBytes = 4;
  Type elementType;
  /// The program's pointer is one to another type, and all accesses go through
  /// one to `elementType`: `*(__global float *)(bytes + i)`; or it is one to
  /// `signed char`, which functions of `char` do not take.
  bool isCast = false;
  /// Zero for a private scalar (all of it is one cell); else the dimensions of
  /// the delinearized array. `extents[d]` is the size of dimension d, known
  /// for all but possibly the first (outermost), which is then 0.
  unsigned rank = 1;
  std::vector<Polynomial> extents;
  /// Flat offset of the cell with all subscripts 0: `offA` where all accesses
  /// are `A[offA + i * n + j]`. A sum of arguments and launch values.
  Polynomial origin;
  bool isRestrict = false;
  bool isConst = false; ///< pointer to const: never written through this name
  bool isPrivateScalar() const {
    return space == AddressSpace::Private && rank == 0;
  }
};

/// One reference to memory (or to a private variable) by one statement.
struct Access {
  unsigned id = 0;        ///< index into KernelModel::accesses
  unsigned array = 0;     ///< index into KernelModel::arrays
  unsigned statement = 0; ///< index into KernelModel::statements
  bool isWrite = false;
  /// False: some instances may not perform it, or the cells are a superset.
  bool isExact = true;
  /// True: an atomic or volatile access.
  bool isOrdered = false;
  /// The lvalue (or the vloadN/vstoreN call). Null for effects of calls.
  const Expr *expr = nullptr;
  /// Flat offset in elements from the start of the array; nothing when it is
  /// not a polynomial over symbols.
  std::optional<Polynomial> offset;
  /// Consecutive elements touched, from `offset` on: 1, or N for vectors.
  unsigned width = 1;
  /// One per dimension of the array, outermost first (delinearized `offset`).
  /// Empty when unknown.
  std::vector<Polynomial> subscripts;
  /// { S[w..., i...] -> A[s...] }, exact or a superset (then over the whole
  /// array if nothing better is known).
  isl::map relation;
  SourceRange range;
};

/// A statement of the polyhedral model.
struct Statement {
  std::string name; ///< tuple name, "S0"
  const Stmt *stmt = nullptr;
  isl::set domain; ///< { S[w..., i...] }
  /// Symbol of every coordinate, in order.
  std::vector<SymbolId> coordinates;
  std::vector<unsigned>
      loops; ///< indices into KernelModel::loops, outermost first
  std::vector<unsigned>
      accesses; ///< indices into KernelModel::accesses, program order
  /// A structured statement kept whole (data-dependent control inside): its
  /// accesses are may-accesses unless marked exact.
  bool isCompound = false;
  /// Nothing is known but that it may touch all its accesses; never moved,
  /// copied or split.
  bool isOpaque = false;
  bool isBarrier = false;
};

/// A `for` loop with affine bounds.
struct Loop {
  SymbolId iterator = 0;
  const Variable *var = nullptr;
  const Stmt *stmt = nullptr;
  std::string
      name; ///< unique within the kernel: "k", "k_1"; band and recipe name
  Polynomial first;            ///< value of the iterator in the first iteration
  int64_t step = 1;            ///< negative for downward loops
  std::vector<unsigned> outer; ///< loops around it, outermost first
};

/// poly <= maximum, where isl cannot say it: `rows*n <= 4294967296`. The
/// symbols of `poly` are arguments and launch values that the condition of the
/// assumption makes at least 0; coefficients are at least 1; no constant term.
struct ProductBound {
  Polynomial poly;
  int64_t maximum = 0; ///< 0 to about 2^33
};

/// Something that must hold at run time for a fact of the model to hold.
struct Assumption {
  enum class Kind {
    Subscript, ///< delinearization: 0 <= s < extent
    Overflow,  ///< an unsigned or narrowing computation does not wrap
    Range      ///< the ids fit the type they are stored in
  };
  Kind kind = Kind::Subscript;
  /// Params-only condition that implies it, { : ... }, with `bounds`.
  isl::set condition;
  std::vector<ProductBound> bounds;
  std::string text; ///< "0 <= j < n" for people
  SourceRange range;
  int array = -1; ///< Subscript: the array it is about
};

/// What OpenCL is asked for the value of such a symbol, of the launch or of a
/// work-item; nothing for others.
std::optional<WorkItemQuery> queryOf(SymbolKind kind);

/// Why something is less exact than it could be. Rule ids: Refusals.def.
struct Note {
  std::string ruleId;
  SourceRange range;
  std::string message;
  std::string hint;
};

/// Where an address computed by the program points.
struct PointerValue {
  unsigned array = 0;
  Polynomial offset; ///< in elements of the array
};

struct KernelModel {
  std::shared_ptr<isl_ctx> context; ///< first: outlives all isl values below
  const TranslationUnit *unit = nullptr;
  const Function *function = nullptr;
  /// Owns `function` where it is none of the unit's.
  std::shared_ptr<const Function> ownFunction;
  SymbolTable symbols;
  NDRange ndrange;
  std::vector<Array> arrays;
  std::vector<Loop> loops;
  std::vector<Statement> statements;
  std::vector<Access> accesses;
  /// { : ... } what is known of the parameters (sizes at least 1, type ranges).
  isl::set paramContext;
  /// Original order: one band for the work dimensions at the root, one band
  /// per loop (schedule tuple named Loop::name), sequences between. The band of
  /// a downward loop counts up: its value is -iterator.
  isl::schedule schedule;
  std::vector<Assumption> assumptions;
  std::vector<Note> notes;
  /// Polynomial value of integer expressions, where known: every VarRef, every
  /// subscript, every initializer of an integer variable.
  std::map<const Expr *, Polynomial> values;
  /// Value of pointer-typed expressions, where known.
  std::map<const Expr *, PointerValue> pointers;
  /// Index into `accesses` for lvalue expressions; a compound assignment has
  /// its read under `reads` and its write under `writes`.
  std::map<const Expr *, unsigned> reads, writes;
  /// The access of an lvalue expression, of both its read; or null.
  const Access *accessOf(const Expr &expr) const;
  /// Conditional expressions with an affine condition: the Select atom
  /// (condition ? 1 : 0).
  std::map<const Expr *, SymbolId> choices;
  /// Statements that no line of the source is: the further updates of
  /// `for (...; i++, p++)` stand at the end of the body.
  std::vector<StmtRef> synthesized;

  bool hasBarrier = false;
  bool hasAtomics = false;
  bool hasOrderedEffects = false; ///< volatile, printf, pipes, fences
  bool usesLocalMemory = false;
  bool usesImages = false;
  /// True when some part could not be represented even as a may-access: no
  /// transformation at all.
  bool isUntouchable = false;
  /// What making the model took beside the operations of its context.
  uint64_t earlierWork = 0;
  /// What is known of the integers of `function`; may be null.
  std::shared_ptr<const ValueRanges> ranges;

  /// Index of the statement with tuple name `name`.
  std::optional<unsigned> findStatement(const std::string &name) const;
  std::optional<unsigned> findLoop(const std::string &name) const;
  std::optional<unsigned> findArray(const std::string &name) const;
};

/// Stable text for `--dump-model` and tests.
std::string printModel(const KernelModel &model);
/// The author's text of a statement on one line, cut where it is long, or what
/// stands for a statement that no author wrote.
std::string statementText(const KernelModel &model, const Stmt &stmt);

/// True when the symbol is a parameter of isl's sets: the same for all
/// work-items of a launch.
bool isParameter(const Symbol &symbol);

/// True for the parameter that one number divided by another is, the first not
/// negative and the second positive wherever it is used.
bool isQuotient(const Symbol &symbol);

/// { S[w..., i...] } the instances of the statement that make the access, which
/// a condition within the statement may restrict (`i > 0 ? a[i - 1] : 0`);
/// those that may make it where it is not exact.
isl::set instancesOf(const KernelModel &model, const Access &access);

//===-- From polynomials to isl -------------------------------------------===//

/// The space { tuple[coordinates...] } with every parameter symbol of the
/// model as an isl parameter.
isl::space statementSpace(const KernelModel &model, const std::string &tuple,
                          const std::vector<SymbolId> &coordinates);
/// `poly` as a quasi-affine expression { tuple[coordinates...] -> [] } ;
/// nothing when a monomial has degree two or an Unknown symbol occurs that is
/// not an isl parameter.
std::optional<isl::pw_aff> toPwAff(const KernelModel &model,
                                   const isl::space &domain,
                                   const std::vector<SymbolId> &coordinates,
                                   const Polynomial &poly);
/// The points of `domain` where the condition holds; nothing if not affine.
std::optional<isl::set> toSet(const KernelModel &model,
                              const isl::space &domain,
                              const std::vector<SymbolId> &coordinates,
                              const Condition &condition);

} // namespace clopt

#endif // CLOPT_MODEL_KERNELMODEL_H
