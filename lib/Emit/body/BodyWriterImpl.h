//===- BodyWriterImpl.h - state of writing one body -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by BodyWriter.cpp (first pass: lines), BodyTiles.cpp (tiles in local
// memory) and BodyDeclarations.cpp (second pass: where variables are declared).
//
// Tested by test/unit/BodyWriterTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_BODYWRITERIMPL_H
#define CLOPT_EMIT_BODYWRITERIMPL_H

#include "Emit/body/ArrayTiles.h"
#include "Emit/body/BodyWriter.h"
#include "Emit/body/PointCounter.h"

#include <functional>
#include <memory>

namespace clopt {

/// A line, or a header with a block of lines below it.
struct OutNode {
  std::vector<std::string> lines; ///< statement lines; for scopes the header
  bool isScope = false;
  bool isElse = false; ///< scope: of what stands ahead of it
  std::vector<OutNode> children;
  std::set<std::string> uses;
  std::string defines;
  std::string computes; ///< as in PrintedStatement
  std::string list;     ///< as in PrintedStatement
  bool isDeclaration = false;
  /// The line is this type and these names, `float a, b;`.
  std::string declares, declared;
  bool isLoop = false; ///< scope: its header is `for (...)`
  /// Scope: its header is `if (condition)`.
  PrintedText condition;
  bool isChoice() const { return !condition.text.empty(); }
  /// Scope of a sequential loop: values may have to survive its iterations.
  std::optional<unsigned> loop;
  std::string pragma; ///< line before the header
  /// A loop over the points of a dimension, and whether it may have further
  /// statements.
  std::optional<unsigned> repeats;
  bool mayGoOn = false;
};

inline OutNode lineOf(const std::string &text) {
  OutNode node;
  node.lines.push_back(text);
  return node;
}

/// What is in the node: a block that is alone in it needs no braces.
const std::vector<OutNode> &linesWithin(const OutNode &node);

/// Adds the lines of `node` to `lines`.
void flatten(const OutNode &node, unsigned indent,
             std::vector<std::string> &lines);
/// Declarations side by side in one line for each type.
void joinDeclarations(OutNode &root);
/// A line, a loop or a branch alone in a block, which keeps no name apart,
/// stands in its place.
void dissolveBlocks(OutNode &root);
void flattenAll(const std::vector<OutNode> &nodes,
                std::vector<std::string> &lines);

/// True when the node, or one below it, uses the private variable.
bool usesName(const OutNode &node, const std::string &name);

/// What the node, and those below it, use.
void addUses(const OutNode &node, std::set<std::string> &uses);

/// Leaves out values that nothing below the node reads, nor a header of a loop
/// or a condition.
void dropUnread(OutNode &root, const std::set<std::string> &inHeaders);

// RowPointers.cpp
/// What the names stand for is made of these.
std::set<std::string> termsOf(const AstNames &names);

/// The expression as a sum, or as a single term.
LinearForm toForm(const isl::ast_expr &expr, const AstNames &names);

// ReductionAccumulators.cpp
/// What an operation leaves as it is; `scalar` where that is the value itself.
std::string neutralElement(ReductionOp operation, ScalarKind kind,
                           const std::string &scalar);
/// The values combined pairwise; their number is a power of two.
std::string combineValues(ReductionOp operation, ScalarKind kind,
                          const std::vector<std::string> &values);

// OwnedStatements.cpp
/// The type of a number with so many bits.
std::string ownType(unsigned bits);

// GuardedStatements.cpp
/// What the conditions of statements below the node depend on.
Divergence::Guards guardsBelow(const EmitNode &node);

/// What a statement's points do under one and the same condition, in one `if`
/// (EqualConditions.cpp).
void mergeEqualConditions(const KernelModel &model, const Statement &statement,
                          std::vector<PrintedStatement> &printed);

class BodyWriter {
public:
  BodyWriter(const TransformedKernel &transformed, const KernelNames &allNames,
             bool isTiled, const Divergence::Guards &allGuards);
  WrittenBody write(const EmitNode &root);
  /// isl's names of the tile's first ids and of the strides between points.
  std::vector<std::string> baseParameters, strideParameters, endParameters,
      extentParameters;
  /// What is for owners only, where tiles may be moved; else null.
  const LoweredKernel *moved = nullptr;

private:
  void emit(const EmitNode &node, AstNames names, std::vector<OutNode> &out);
  void emitNode(const EmitNode &node, AstNames names,
                std::vector<OutNode> &out);
  void emitFor(const EmitNode &node, AstNames names, std::vector<OutNode> &out);
  void emitIf(const EmitNode &node, const AstNames &names,
              std::vector<OutNode> &out);
  void emitStatement(const EmitNode &node, const AstNames &names,
                     std::vector<OutNode> &out);
  // GuardedStatements.cpp
  void emitBlock(const EmitNode &node, const AstNames &names,
                 std::vector<OutNode> &out);
  size_t guardedRun(const EmitNode &block, size_t begin, const AstNames &names);
  void emitGuarded(const std::vector<const EmitNode *> &nodes,
                   const AstNames &names, std::vector<OutNode> &out);
  DivergenceMask guardedPoints(const EmitNode &node);
  AstNames guardNames(const EmitNode &node, const PrintSite &at, unsigned lane,
                      AstNames names) const;
  PrintedText guardText(const EmitNode &node, const AstNames &names) const;

  void emitCopy(const EmitNode &node, const AstNames &names,
                std::vector<OutNode> &out);
  std::vector<int64_t> copiedCell(const EmitNode &node, const AstNames &names);

  // OwnedStatements.cpp
  bool isOfMoved(const EmitNode &node) const;
  bool isOwned(const EmitNode &node) const;
  bool keepsValues(const EmitNode &node) const;
  const std::vector<SymbolId> &coordinatesOf(const EmitNode &node) const;
  std::optional<unsigned> laneDimension() const;
  PointCounter countedIds() const;
  unsigned ownBits() const;
  std::string allOwn() const;
  PrintSite siteOfMoved() const;
  PrintedText isOwn(const PrintSite &at) const;
  PrintedText ownsWhole(const PrintSite &first, bool isNegated = false) const;
  PrintedText ownsAll(const EmitNode &node, const AstNames &names);
  PrintedText ownsPoint(const EmitNode &node, const PrintSite &at,
                        const PointCounter &points,
                        const AstNames &names) const;
  bool hasNearestIds() const;
  bool followsIds(const EmitNode &node) const;
  std::string hasOwnIds() const;
  void noteStores(const EmitNode &node, std::set<unsigned> &stored) const;
  bool mayRead(const EmitNode &node, const std::set<unsigned> &stored) const;
  size_t ownedRun(const EmitNode &block, size_t begin, const AstNames &names);
  void emitOwned(const std::vector<const EmitNode *> &nodes,
                 const AstNames &names, std::vector<OutNode> &out);
  // PointLoops.cpp
  class PointLoop;
  /// All; those that own the node, where some do not; those that own it; for
  /// every point the nearest of a tile's own.
  enum class PointsOf { All, Mixed, Owner, Nearest };
  std::vector<std::string> ownIds();
  void emitPointLoop(const std::vector<const EmitNode *> &nodes, PointsOf ids,
                     const AstNames &names, std::vector<OutNode> &out);
  bool isCheap(const Statement &statement) const;
  bool isCheapAndScattered(const EmitNode &node, const AstNames &names);
  bool isScattered(const EmitNode &node, const AstNames &names);
  void emitAll(const std::vector<const EmitNode *> &nodes,
               const AstNames &names, bool isBranch, std::vector<OutNode> &out);

  void emitLanes(const EmitNode &node, AstNames names, OutNode &scope);

  // ReductionAccumulators.cpp
  void emitPartials(const EmitNode &node, const OutNode &scope,
                    std::vector<OutNode> &before, std::vector<OutNode> &after);

  // CooperativeReductionWriter.cpp
  struct SharedValue {
    std::string name;
    ScalarKind kind = ScalarKind::Int;
    ReductionOp operation = ReductionOp::Sum;
    std::string cells;
  };
  bool hasCooperativeReduction(const EmitNode &node) const;
  bool isBesideShared(const EmitNode &node) const;
  bool runsOnLaneZero(const EmitNode &node) const;
  bool dependsOnItem(const EmitNode &node) const;
  void emitUniform(const EmitNode &node, const AstNames &names,
                   std::vector<OutNode> &out);
  void emitDivergent(const std::vector<const EmitNode *> &nodes, bool byOne,
                     const AstNames &names, std::vector<OutNode> &out);
  void emitBlockTogether(const EmitNode &node, const AstNames &names,
                         std::vector<OutNode> &out);
  void emitIfTogether(const EmitNode &node, const AstNames &names,
                      std::vector<OutNode> &out);
  std::string firstOfLoop(const EmitNode &node, const AstNames &names);
  std::string conditionAt(const EmitNode &node, const std::string &counter,
                          AstNames &names);
  std::string counterHead(const EmitNode &node, const std::string &counter,
                          const std::string &first, AstNames &names);
  OutNode declareIterator(const EmitNode &node, const std::string &counter,
                          AstNames &names);
  void useOnlyIteration(const EmitNode &node, AstNames &names);
  void emitCooperativeReduction(const EmitNode &node, AstNames names,
                                std::vector<OutNode> &out);
  void emitSharedStatement(const EmitNode &node, const AstNames &names,
                           std::vector<OutNode> &out);
  OutNode sharedBarrier() const;
  void finishShared(OutNode loop, std::vector<OutNode> &out);
  void emitTree(const std::vector<SharedValue> &values,
                std::vector<OutNode> &out);
  OutNode startApart(const SharedValue &value) const;
  OutNode leaveInCell(const SharedValue &value) const;

  // ScanWriter.cpp
  void emitScan(const EmitNode &node, AstNames names,
                std::vector<OutNode> &out);
  void emitScanOfLanes(const std::vector<SharedValue> &values,
                       std::vector<OutNode> &out);
  std::vector<SharedValue> sharedValues(const CooperativeReduction &loop) const;
  static std::string combined(const SharedValue &value,
                              std::vector<std::string> operands);
  static std::string combinedCells(const SharedValue &value,
                                   const std::vector<std::string> &indices);
  std::string laneTimes(int64_t step) const;
  std::string freshLocal(const std::string &stem);
  const Variable *makeVariable(const std::string &stem, ScalarKind kind);
  StmtRef sharedForm(const Stmt &stmt);
  ExprRef wrappingUpdate(const ExprRef &expr) const;
  StmtRef withWrapping(const StmtRef &stmt) const;
  Statement statementInShared(const Statement &statement);

  // RowPointers.cpp
  void openRows(unsigned loop, RowPointers &rows);
  void closeRows(const RowPointers &rows, std::vector<OutNode> &before);

  // RoundStatements.cpp
  StmtRef roundForm(const Stmt &stmt, const BatchedStrideLoop &rounds);
  Statement statementInRounds(const Statement &statement, unsigned index);

  // BodyTiles.cpp
  bool hasStage(const EmitNode &node, bool byGroup = false) const;
  bool isAtBorder(const EmitNode &node) const;
  bool isBesideTiles(const EmitNode &node) const;
  OutNode ifInside() const;
  void findSteering();
  bool steers(const EmitNode &node) const;
  bool isUniform(const EmitNode &node) const;
  void emitShared(const EmitNode &node, const AstNames &names,
                  std::vector<OutNode> &out);
  void emitTile(const EmitNode &node, AstNames names, OutNode &scope);
  void emitCopies(std::optional<unsigned> loop, bool isIn,
                  std::vector<OutNode> &out,
                  const std::optional<CutTile> &cut = std::nullopt);
  static bool isCut(const EmitNode &node);
  CutTile cutTile(const EmitNode &node, const AstNames &names);
  void setTiles(std::optional<unsigned> loop, bool isActive);
  void emitFill(const EmitNode &node, const AstNames &names,
                std::vector<OutNode> &out);
  void emitSection(const EmitNode &node, const AstNames &names,
                   std::vector<OutNode> &out);
  bool stages(std::optional<unsigned> loop, bool isIn) const;
  bool keepsPrivately(std::optional<unsigned> loop) const;
  void makeRelative(PrintSite &site) const;
  bool canLoadFirst(const Statement &statement) const;
  std::string freshRead(const std::string &array);
  // StatementLines.cpp
  size_t emitLine(const EmitNode &block, size_t begin, const AstNames &names,
                  std::vector<OutNode> &out);
  size_t endOfLine(const EmitNode &block, size_t begin) const;
  void openWindows(const std::vector<const EmitNode *> &line,
                   const AstNames &names);

  void emitLastLanes(OutNode &scope);
  void addLines(PrintedStatement printed, std::vector<OutNode> &out);
  static void addLoads(const std::vector<LoadLine> &loads,
                       std::vector<OutNode> &out);
  int64_t lastValue(const EmitNode &node, const AstNames &names);
  int64_t distanceOf(const EmitNode &node) const;
  void addId(size_t index, unsigned dim, AstNames &names) const;
  void addEnd(const std::string &id, size_t index, AstNames &names) const;
  std::string loopHeader(const EmitNode &node, AstNames &names);
  std::optional<unsigned> repeatedDimension(DivergenceMask mask) const;
  PrintSite anyPoint(unsigned dim, const PrintSite &site);
  void addRepeated(std::vector<PrintedStatement> printed, unsigned dim,
                   bool mayGoOn, std::vector<OutNode> &out);
  PrintSite siteOf(const EmitNode &node,
                   const std::vector<SymbolId> &coordinates,
                   const AstNames &names);
  void forEachPoint(DivergenceMask mask, PrintSite site,
                    const std::function<void(PrintSite &)> &action);
  void placeDeclarations(OutNode &root);
  void checkLists(const OutNode &node);
  bool mayDeclareIn(const LocalName &local, unsigned loop) const;
  void findScopes(const StmtRef &stmt, std::vector<unsigned> loops);

  const TransformedKernel &kernel;
  const KernelModel &model;
  const KernelNames &shared;
  bool tiled;
  std::map<std::string, LocalName> locals;
  std::map<std::string, unsigned> vectorLoopOf; ///< names made for one loop
  std::map<const Variable *, std::set<unsigned>> scopes;
  /// Distance of the copy being written from the first iteration of its chunk.
  std::map<SymbolId, int64_t> shifts;
  /// Values of the iterators around what is being written.
  std::map<SymbolId, LinearForm> iterators;
  /// Iterators that a loop inside a tile has, and the tile's first iteration.
  std::map<SymbolId, LinearForm> pointIterators, tileStarts;
  /// Loops with cells in registers for their iterators.
  std::set<unsigned> writtenOut;
  unsigned loadedValues = 0; ///< variables made for values that are loaded once
  /// Private variables that decide which barriers a group's work-items come to,
  /// where some of them are lanes of others: all of them know the values.
  std::set<const Variable *> steering;
  /// Of branches around what is being written.
  std::vector<std::string> conditionsAround;
  bool isActive = false; ///< only work-items that have part of the tile run
  std::string runs;      ///< true where the logical work-item gets here
  bool isAlone = false;  ///< what is being written has no barrier
  bool isByOne = false;  ///< and is run by the first lane only
  const CooperativeReduction *inShared =
      nullptr; ///< the loop that is being written
  unsigned sharedWritten = 0;
  bool asksWhole = false; ///< as in WrittenBody
  /// Terms in headers of loops and conditions.
  std::set<std::string> headerTerms;
  std::set<std::string> madeNames, sharedNames;
  std::set<std::string> pointArrays; ///< of madeNames: those of point loops
  std::string pointName;             ///< the variable of point loops
  std::vector<std::unique_ptr<Variable>> madeVariables;
  std::vector<StmtRef> madeStatements;
  Divergence::Guards guards;
  std::unique_ptr<Divergence> divergence;
  std::optional<RowWindows> windows; ///< of the statements being emitted
  PrintEnvironment environment;
  std::string failure;
  std::map<std::pair<std::string, bool>, int64_t> clear; ///< see AstNames
};

} // namespace clopt

#endif // CLOPT_EMIT_BODYWRITERIMPL_H
