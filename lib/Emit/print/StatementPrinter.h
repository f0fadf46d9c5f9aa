//===- StatementPrinter.h - one statement, for one tile ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a statement of the kernel as it runs for one point of a tile: scalar,
// as vector code over the lanes, or lane by lane where vectors cannot say it.
// Nothing here decides; what cannot be printed is reported.
//
// Tested by test/unit/StatementPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_STATEMENTPRINTER_H
#define CLOPT_EMIT_STATEMENTPRINTER_H

#include "Analysis/access/Divergence.h"
#include "Emit/print/LaunchNames.h"
#include "Emit/print/LinearForm.h"
#include "Emit/print/ReadCollector.h"
#include "Emit/print/RowPointers.h"
#include "Emit/print/RowWindows.h"
#include "Model/ExprPrinter.h"
#include "Model/TakenNames.h"

#include <llvm/ADT/ArrayRef.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace clopt {

/// The digit that selects component `lane` of a vector: `.s0` to `.sf`.
/// `x` to `w`, or `s0` to `sf` of longer vectors.
std::string componentName(const Type &vector, unsigned component);

inline char laneDigit(unsigned lane) { return "0123456789abcdef"[lane]; }

/// A private variable of the emitted code.
struct LocalName {
  std::string name;
  std::string type;   ///< "float4"
  std::string suffix; ///< array extents: "[3]"
  /// The author's variable, or null for registers that hold array cells.
  const Variable *variable = nullptr;
  std::optional<unsigned> copy;
  /// Of a vector beside a scalar: the scalar's name. Else empty.
  std::string scalar;
};

/// Lines of text, and the local variables and terms of coordinates in them.
struct PrintedStatement {
  std::vector<std::string> lines;
  std::set<std::string> uses;
  /// The one line is `name = ...;` and the value does not use the name.
  std::string defines;
  /// The variable that gets a value, where the lines do nothing else: without
  /// readers of it they can be left out.
  std::string computes;
  /// The list that `defines` gets, which is only legal where it is declared.
  std::string list;
  /// `if (..)`, what it is around, and "}" where it has braces.
  bool isCondition = false, hasBraces = false;
};

/// The lines from `begin` on, as a scope of their own.
void putInBraces(PrintedStatement &out, size_t begin);

/// The store of a vector whose lanes lie apart.
struct ScatteredStore {
  std::string value; ///< the vector; empty: the lanes lie side by side
  std::string array;
  ScalarKind kind = ScalarKind::Int;
};

/// Where a statement is printed.
struct PrintSite {
  /// Coordinates of the statement, lane 0 of this point.
  std::map<SymbolId, LinearForm> coordinates;
  unsigned point[3] = {0, 0, 0};
  /// Of a loop over the points of one dimension: its variable.
  std::string pointName;
  unsigned pointDim = 0;
  /// Ids and tiled iterators, counted from the first of the group's tile.
  std::map<SymbolId, LinearForm> relative;
};

/// Names and types shared by all statements of one version of a kernel.
struct PrintEnvironment {
  const TransformedKernel *kernel = nullptr;
  const Divergence *divergence = nullptr; ///< null: no tile, plain scalar code
  /// Lanes within groups: the work-items that have some, and variables that
  /// decide for all of them which barriers they come to.
  std::string leads;
  const std::set<const Variable *> *steering = nullptr;
  /// Variables of vectorized sequential loops get names of their own.
  bool separateVectors = false;
  unsigned points[3] = {1, 1, 1};
  /// Values of at least so many points are an array; 0: never.
  unsigned pointArrays = 0;
  /// True when global ids are computed, not asked for.
  bool isVirtual = false;
  std::map<std::string, LocalName> *locals = nullptr;
  /// Names that must not be used for new variables.
  const TakenNames *reserved = nullptr;
  /// Loop variables that are `long`, of whatever type the author's is.
  std::set<std::string> wideIterators;
  /// Variables whose uses print a coordinate: loop variables, global ids.
  std::multimap<const Variable *, SymbolId> coordinateVariables;
  /// Variables that hold ids of groups and are read only where the value of
  /// what they are a part of is known: virtual work-items do without them.
  std::set<const Variable *> groupVariables;
  /// Names of private variables that do not keep their own.
  std::map<const Variable *, std::string> variableNames;
  /// As in KernelNames.
  std::map<const Variable *, std::string> localCopies, tables;
  std::map<const Expr *, std::string> uniformCalls;
  /// As in KernelNames, and those not in the tree that hold their cells here.
  std::vector<std::string> tileNames;
  std::set<unsigned> activeTiles;
  LaunchNames launch;
  /// Takes the reads of what is being printed; null: they stay in place.
  mutable ReadCollector *reads = nullptr;
  /// Cells that aligned vectors share, and the loads that have to come before
  /// what is being printed; null: every vector is loaded by itself.
  mutable RowWindows *windows = nullptr;
  mutable std::vector<LoadLine> windowLoads;
  /// Rows of the loop that is being printed; null: subscripts are whole.
  RowPointers *rows = nullptr;
  /// Accesses for which it is known whether their statements always make them.
  mutable std::map<unsigned, bool> alwaysMade;
  /// Makes names for variables that hold cells of an array.
  std::function<std::string(const std::string &)> freshRead;
  /// Takes the store that would be written lane by lane, which is then left
  /// out; null: it is written.
  mutable ScatteredStore *scattered = nullptr;
  /// Conditions on arguments and the launch under which alone what is printed
  /// is right.
  mutable std::set<std::string> asked;
  /// What a variable, a cell in registers or an element of a private array is
  /// for the point that a loop has come to; nothing where points do not
  /// differ. Null: every point has a text of its own.
  std::function<std::optional<PrintedText>(const Expr &)> ofPoint;
};

/// `__global const float4 *`, to `count` elements of the array.
std::string pointerTo(const Array &array, unsigned count, bool isRead);

/// The array as a pointer to its cells, which may be smaller or larger than
/// what the program's pointer points to: its name, or a cast of it. Nothing
/// where cells are of no type.
std::optional<PrintedText> startOfCells(const Array &array);

/// The same as what a subscript stands behind.
std::string startOfElements(const Array &array);

/// True when an address among the accesses is computed in more than `int`: by a
/// subscript of another type, or in several steps through a pointer. What takes
/// its place has to be computed in 64 bits.
bool hasWideSubscript(const KernelModel &model,
                      const std::vector<unsigned> &accesses);

/// One id, iterator or argument and nothing else.
bool isPlainTerm(const Polynomial &sum);

/// PrintEnvironment::groupVariables of the kernel.
std::set<const Variable *> groupVariables(const KernelModel &model);

class StatementPrinter {
public:
  explicit StatementPrinter(const PrintEnvironment &env)
      : environment(env), kernel(*env.kernel), model(*env.kernel->model) {}

  /// The statement for one point of the tile.
  PrintedStatement print(const Statement &statement, const PrintSite &at);
  /// The statement for one lane of one point, where lanes run it one by one.
  PrintedStatement printLane(const Statement &statement, const PrintSite &at,
                             unsigned lane);
  /// A load into or a store from registers of a private copy; `cell` is the
  /// index in every dimension.
  PrintedStatement printCopy(unsigned copyStatement, const PrintSite &at,
                             const std::vector<int64_t> &cell);
  /// The same for one id, whose value has another place than the registers.
  PrintedStatement printOwnCopy(unsigned copyStatement, const PrintSite &at,
                                const std::vector<int64_t> &cell,
                                const std::string &place);
  /// True for a copy that stores one lane after the other.
  bool isScattered(unsigned copyStatement, const PrintSite &at,
                   const std::vector<int64_t> &cell);
  /// The statement's store, of another value.
  PrintedStatement printStore(const Statement &statement, const PrintSite &at,
                              const std::string &value);
  /// The registers that a copy loads or stores.
  std::string registerText(unsigned copyStatement, const PrintSite &at,
                           const std::vector<int64_t> &cell);
  /// A value of a point; of one of its lanes, unless `lane` is negative.
  std::string valueText(const Expr &expr, const PrintSite &at, int lane);
  /// Statements that set what `valueText` names.
  std::vector<std::string> setValue(const Expr &expr, const PrintSite &at,
                                    int lane, const std::string &value);
  /// Tells the windows of the environment which aligned vectors the statement
  /// reads.
  void addToWindows(const Statement &statement, const PrintSite &at);
  /// Work dimensions whose points the statement has to be printed for.
  DivergenceMask pointsOf(const Statement &statement) const;
  /// As in PrintedStatement, since the last statement.
  const std::set<std::string> &uses() const { return used; }
  /// A question about the launch, which the text has.
  std::string launchText(WorkItemQuery query, unsigned dim);
  /// Not empty when something could not be printed.
  const std::string &failure() const { return failed; }
  /// A symbol of kind Product, as one term.
  LinearForm product(const Symbol &symbol, const PrintSite &at, bool wide);
  PrintedText quotient(const Symbol &symbol, const PrintSite &at, bool wide);
  /// True when all of the quotient has the type `int`.
  bool isIntQuotient(const Symbol &symbol) const;
  /// The polynomial as an OpenCL C expression of at least 64 bits if `wide`.
  PrintedText polynomial(const Polynomial &poly, const PrintSite &at,
                         bool wide);
  LinearForm linearForm(const Polynomial &poly, const PrintSite &at, bool wide);
  /// Offset in elements of the cell with these subscripts, `(y - 1) * w + x`:
  /// no product is greater than the offset itself.
  PrintedText flatOffset(const Array &array,
                         const std::vector<Polynomial> &subscripts,
                         const PrintSite &at, bool wide);

private:
  /// A value that may have lanes.
  struct Wide {
    PrintedText text;
    bool isVector = false;
    bool isMask = false;               ///< lanes are 0 or -1
    ScalarKind kind = ScalarKind::Int; ///< component type
  };
  using MaybeWide = std::optional<Wide>;

  std::string symbolText(const Symbol &symbol);
  PrintedText fromOrigin(const Array &array, const PrintedText &offset,
                         const PrintSite &at);
  unsigned lanes() const;
  bool varies(const ExprRef &expr) const;
  PrintHooks hooks(int lane);
  std::optional<PrintedText> replaceExpr(const Expr &expr, int lane);
  std::optional<SymbolId> flatIdOf(const Expr &expr) const;
  std::optional<PrintedText> ownGroupText(const Expr &expr, int lane);
  std::optional<PrintedText> laneInGroup(const Expr &expr, int lane);
  bool isProductOfNumbers(const Expr &expr, int lane);
  PrintedText chosenOperand(const ExprRef &operand, int lane);
  std::optional<PrintedText> variableText(const Expr &expr, int lane);
  std::optional<PrintedText> shiftedText(const Expr &expr, int lane);
  std::optional<PrintedText> copyText(const Expr &expr, int lane);
  std::optional<unsigned> tileOf(const Expr &expr) const;
  PrintSite relativeTo(const ArrayTile &tile) const;
  std::string placeInTile(unsigned index, const Access &access, int lane);
  PrintedText fromPlanes(unsigned index, const std::string &place,
                         std::vector<unsigned> components);
  PrintedText rowText(unsigned index, const Expr &expr,
                      const std::string &first);
  std::optional<PrintedText> tileText(const Expr &expr, int lane);
  std::optional<PrintedText> convertedText(const Expr &expr, int lane);
  std::optional<Polynomial> laneStrideInTile(const Expr &expr) const;
  bool isAlignedInTile(const Expr &expr) const;
  std::optional<PrintedText> paddedCell(const Expr &expr, int lane);
  std::optional<PrintedText> rowCell(const Expr &expr, int lane);
  const LocalLayout *layoutOf(const Expr &cell) const;
  static std::string transposedRows(const Variable &variable,
                                    const std::string &name);
  std::optional<Polynomial> laneStrideByText(const Expr &lvalue,
                                             unsigned array) const;
  std::optional<Polynomial> laneStrideOf(const Polynomial &offset,
                                         unsigned array) const;
  PrintedText planeCell(const Expr &cell, unsigned component, int lane);
  PrintedText planeVector(const Expr &cell,
                          const std::vector<unsigned> &components, int lane);
  PrintedText planeStore(const Expr &assignment, int lane);
  std::optional<PrintedText> laidOutCell(const Expr &expr, int lane);
  static std::string paddedText(const LocalPadding &padding,
                                const PrintedText &index);
  bool mayLoadFirst(const Access &access) const;
  std::optional<PrintedText> collected(const Expr &expr, int lane);
  PrintedText collectedLanes(const Expr &expr, int64_t stride);
  void printAlone(CollectedRead &read,
                  const std::function<std::string()> &print);
  CollectedRead describeRead(const Expr &expr, int lane);
  CollectedRead describeCell(unsigned index, const Access &access, int lane);
  bool hasCopies(const Array &array) const;
  std::string localName(const Variable &variable);
  std::string nameOf(const Variable &variable);
  bool isPlanes(const Variable &variable) const;
  const Variable *planesOf(const Expr &expr) const;
  std::string planeName(const Variable &variable, unsigned component);
  std::string wholeOfLane(const Variable &variable, unsigned lane);
  /// Components that a statement sets of a variable that lanes hold so.
  struct PlanesTarget {
    const Variable *variable = nullptr;
    std::vector<unsigned> components; ///< in the order of the value's
    bool isDeclared = false;
  };
  std::optional<PlanesTarget> planesTarget(const StmtRef &stmt) const;
  std::optional<PlanesTarget> planesTarget(const Expr &place) const;
  std::optional<PlanesTarget> planesOfWhole(PlanesTarget target) const;
  void printPlanesOfLane(const PlanesTarget &target, const StmtRef &stmt,
                         unsigned lane, PrintedStatement &out);
  bool hasLaneCells(const Variable &variable) const;
  std::string lanePlace(const Variable &variable, unsigned lane) const;
  std::pair<std::string, std::string> namePartsOf(const Variable &variable);
  std::string copyName(unsigned copy);
  std::string copyCell(unsigned copy,
                       const std::vector<Polynomial> &subscripts);
  struct CopiedCell {
    Polynomial offset; ///< row-major, from the strides of the array
    std::vector<Polynomial> subscripts;
  };
  CopiedCell copiedCell(const ArrayTile &copy,
                        const std::vector<int64_t> &cell) const;
  bool isVectorCopy(unsigned copy) const;
  PrintSite atLane(const PrintSite &at, unsigned lane) const;
  PrintedStatement shiftWindow(unsigned copy, const std::vector<int64_t> &cell);
  std::string cellText(const Array &array,
                       const std::vector<Polynomial> &subscripts,
                       const PrintSite &at, bool wide);
  std::string pointSuffix(DivergenceMask mask);
  unsigned pointCount(DivergenceMask mask) const;
  std::string pointPlace(DivergenceMask mask) const;
  void declare(const std::string &name, const Variable *variable,
               std::optional<unsigned> copy, bool isVector,
               const std::string &scalar, unsigned points = 1);
  PrintedText scalar(const ExprRef &expr, int lane = -1);
  const LinearForm &mention(const LinearForm &form);
  LinearForm coordinateAt(SymbolId symbol, int lane);
  bool isWide(const LinearForm &form) const;
  PrintedText coordinateText(SymbolId symbol, int lane, const Type &type,
                             const Expr *use = nullptr);
  void noteTypeless(const Expr &expr);
  std::optional<SymbolId> coordinateOf(const Variable *variable) const;
  bool definesGroupVariable(const StmtRef &stmt) const;
  bool definesKnownCondition(const Statement &statement) const;
  std::string computedBy(const StmtRef &stmt);
  bool asksForGroupIds(const ExprRef &expr) const;
  LinearForm advanceBy(const Polynomial &laneStride, int64_t lane, bool wide);
  bool isIntText(const Polynomial &poly) const;

  // WidePrinter.cpp
  MaybeWide widen(const ExprRef &expr);
  MaybeWide widenVariable(const ExprRef &expr);
  MaybeWide widenLaneStride(const ExprRef &expr, const PrintedText &base,
                            const Polynomial &laneStride);
  MaybeWide widenLoad(const ExprRef &expr);
  Wide asTerm(const ExprRef &expr, Wide value);
  MaybeWide widenUnary(const ExprRef &expr);
  MaybeWide widenBinary(const ExprRef &expr);
  MaybeWide widenLogical(const ExprRef &expr);
  MaybeWide widenConditional(const ExprRef &expr);
  MaybeWide widenCast(const ExprRef &expr);
  MaybeWide widenCall(const ExprRef &expr);
  MaybeWide lanewise(const ExprRef &expr);
  bool isNumber(const Type &type) const;
  std::string componentOf(const Type &type) const;
  MaybeWide widenComponent(const ExprRef &expr, unsigned component);
  MaybeWide widenLiteral(const ExprRef &expr);
  MaybeWide widenPart(const ExprRef &vector, const Expr &read);
  MaybeWide toMask(const ExprRef &expr, ScalarKind kind);
  MaybeWide asMask(Wide value, ScalarKind kind);
  MaybeWide asVector(Wide value, ScalarKind kind);
  Wide asValue(Wide value, ScalarKind kind);
  std::string vectorOf(ScalarKind kind) const;
  std::string select(const Wide &ifFalse, const Wide &ifTrue,
                     const Wide &mask) const;
  std::string cellOf(const Expr &lvalue, int lane);
  std::string addressOf(const Expr &lvalue, int lane,
                        int precedence = PrecUnary);
  std::string vectorAddress(const Expr &lvalue, bool isRead);
  // AlignedVectors.cpp
  std::optional<unsigned> misalignment(const Access &access) const;
  std::string alignedPointer(const Array &array, unsigned count, bool isRead,
                             const std::string &address) const;
  std::string alignedLoad(const Expr &lvalue, const Access &access,
                          unsigned first);
  std::optional<Polynomial> resolvedOffset(const Access &access) const;
  std::optional<std::string> windowLoad(const Access &access);
  std::string wideLoad(const Expr &lvalue, int64_t stride);
  std::optional<std::string> wideHalves(const Expr &call,
                                        const std::string &value);

  // Statements
  bool printScalarStatement(const StmtRef &stmt, PrintedStatement &out);
  bool printWideStatement(const StmtRef &stmt, PrintedStatement &out);
  bool printPart(const StmtRef &stmt, PrintedStatement &out);
  bool printWidePart(const StmtRef &stmt, PrintedStatement &out);
  bool printTogether(const StmtRef &stmt, PrintedStatement &out);
  bool printWideDecl(const StmtRef &stmt, PrintedStatement &out);
  bool printWideAssign(const ExprRef &assign, PrintedStatement &out);
  std::optional<bool> printWrappingAssign(const ExprRef &assign,
                                          const std::string &name,
                                          PrintedStatement &out);
  bool printWideHalves(const ExprRef &call, PrintedStatement &out);
  bool printWideStore(const Expr &lvalue, const Wide &value,
                      PrintedStatement &out);
  /// A vector that is -1 in the lanes that run something, 0 in others. Without
  /// a name: all of them do.
  struct LaneMask {
    std::string name;
    ScalarKind kind = ScalarKind::Int;
    explicit operator bool() const { return !name.empty(); }
  };
  bool isSafeUnderMask(const ExprRef &expr);
  std::string under(const LaneMask &mask, const PrintedText &test) const;
  std::string selected(const std::string &name, const Wide &value,
                       ScalarKind kind, const LaneMask &mask);
  bool printMasked(const StmtRef &stmt, const LaneMask &mask,
                   PrintedStatement &out);
  bool printForAny(llvm::ArrayRef<StmtRef> list, const LaneMask &mask,
                   PrintedStatement &out);
  bool printMaskedList(llvm::ArrayRef<StmtRef> list, const LaneMask &mask,
                       PrintedStatement &out);
  bool printMaskedIf(const StmtRef &stmt, const LaneMask &outer,
                     PrintedStatement &out);
  bool printParts(const std::vector<StmtRef> &parts, PrintedStatement &out);
  bool printWaiting(const std::vector<StmtRef> &parts, PrintedStatement &out);
  bool printLed(const StmtRef &part, PrintedStatement &out);
  bool printAdvancing(const StmtRef &stmt, int64_t distance,
                      PrintedStatement &out);
  bool printMaskedLoop(const StmtRef &stmt, const LaneMask &outer,
                       PrintedStatement &out);
  bool printMaskedJump(bool leaves, const LaneMask &mask,
                       PrintedStatement &out);
  bool printMaskedEffect(const ExprRef &expr, const LaneMask &mask,
                         PrintedStatement &out);
  bool printMaskedStore(const ExprRef &assign, const LaneMask &mask,
                        PrintedStatement &out);
  bool printMaskedAssign(const ExprRef &assign, const LaneMask &mask,
                         PrintedStatement &out);
  bool printLaneByLane(const StmtRef &stmt, PrintedStatement &out);
  bool setsPlanes(const StmtRef &stmt) const;
  void printLane(const StmtRef &stmt, unsigned lane, PrintedStatement &out);
  void checkTargets(const Statement &statement, bool isTogether);
  bool hasScalarTarget(const StmtRef &stmt) const;
  MaybeWide assignedValue(const ExprRef &assign);
  std::string assignment(const ExprRef &assign, const std::string &name,
                         const Wide &value);
  bool printPlanes(const PlanesTarget &target, const ExprRef &source,
                   const LaneMask &mask, PrintedStatement &out);
  std::string freshName(const std::string &stem);

  const PrintEnvironment &environment;
  const TransformedKernel &kernel;
  const KernelModel &model;
  const PrintSite *site = nullptr;
  std::set<std::string> used;
  /// Lanes run what is printed one after the other, and share what it sets.
  bool inOrder = false;
  bool isWaiting = false;   ///< all work-items of a group come here
  bool asksAnyLane = false; ///< what is printed loads where some lane does
  MadeLoads madeLoads;      ///< by all lanes, ahead of what is printed
  /// The masks around what is printed: from the innermost loop on whose end
  /// lanes do not agree on, first that of the loop, then of its iteration.
  std::vector<std::string> loopMasks;
  std::set<const Variable *> inner; ///< declared inside the statement
  /// Types make no difference: values are converted, or, `balanced`, another
  /// operand has the type already.
  std::set<const Expr *> typeless, balanced;
  bool isTypeless(const Expr &expr) const {
    return typeless.count(&expr) || balanced.count(&expr);
  }
  /// Of vector expressions, the component that is printed.
  std::optional<unsigned> part;
  std::string failed;
  unsigned temporaries = 0;
};

/// What the launch says of a dimension, behind which operators can stand; adds
/// the names in it.
std::string launchText(const TransformedKernel &kernel,
                       const LaunchNames &launch, WorkItemQuery query,
                       unsigned dim, std::set<std::string> *uses = nullptr);

} // namespace clopt

#endif // CLOPT_EMIT_STATEMENTPRINTER_H
