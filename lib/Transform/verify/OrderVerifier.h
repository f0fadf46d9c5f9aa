//===- OrderVerifier.h - the second check of the order, inside --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use by the Verify*.cpp of Transform only; VerifySteps.h is the interface
// and VerifySteps.cpp says what is checked.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TRANSFORM_ORDERVERIFIER_H
#define CLOPT_TRANSFORM_ORDERVERIFIER_H

#include "Transform/legality/InstanceSystem.h"
#include "Transform/verify/VerifySteps.h"

#include <map>
#include <optional>

namespace clopt {

/// Where the statement stands, for messages.
inline SourceRange statementRange(const Statement &statement) {
  return statement.stmt ? statement.stmt->range : SourceRange();
}

/// One entry of a time stamp.
struct Moment {
  enum class Kind { Constant, Iterator, Chunk } kind = Kind::Constant;
  int64_t constant = 0;
  unsigned loop = 0; ///< Iterator, Chunk
  int64_t size = 1;  ///< Chunk: values of the iterator that share one time

  bool operator==(const Moment &other) const {
    return kind == other.kind && constant == other.constant &&
           loop == other.loop && size == other.size;
  }
};

using Stamp = std::vector<Moment>;

/// When the statements and copies of a tree run.
struct Stamps {
  std::map<unsigned, Stamp> statements, copies;
};

/// One reference, ready for systems.
struct Reference {
  const Access *access = nullptr;
  const Statement *statement = nullptr;
  std::vector<RelationPiece> pieces;
  Stamp before, after;
  std::optional<unsigned> tile; ///< it goes to instead of memory
};

/// An instance of a statement in a system.
struct Instance {
  const Statement *statement = nullptr;
  Columns columns;
};

class OrderVerifier {
public:
  OrderVerifier(const TransformedKernel &transformed, AliasMode aliasMode)
      : kernel(transformed), model(*transformed.model), alias(aliasMode) {}

  StepResult run();

private:
  void readStamps(const ScheduleNode &node, const Stamp &prefix, bool isNew,
                  Stamps &stamps) const;
  bool isSharedByLanes(const Access &access) const;
  /// The variable's scope lies within the statement: nothing of it is left when
  /// the statement runs again.
  bool endsWithStatement(unsigned array, unsigned statement) const;
  void collectReferences();
  Stamp effectiveStamp(const Reference &reference) const;
  /// Both go to the same registers.
  bool shareRegisters(const Reference &x, const Reference &y) const {
    return x.tile && x.tile == y.tile && kernel.tiles[*x.tile].inTree;
  }
  bool mayTouchTheSame(const Reference &x, const Reference &y) const;
  bool keepsStamps(const Reference &x, const Reference &y) const;
  StepResult checkPair(const Reference &x, const Reference &y);
  /// `meet` finds no instances of the two that touch one cell.
  StepResult
  checkMeetings(const Reference &x, const Reference &y,
                const std::function<Points(InstanceSystem &, const Instance &,
                                           const Instance &)> &meet) const;
  /// The relation has no element.
  StepResult checkEmpty(const std::vector<RelationPiece> &pieces,
                        const std::string &what,
                        const SourceRange &range) const;
  // The same question for isl (VerifyOrders.cpp)
  std::optional<isl::map> timesOf(const Statement &statement,
                                  const Stamp &stamp, size_t length) const;
  bool neverReversed(const Reference &x, const Reference &y,
                     const Stamp &xAfter, const Stamp &yAfter) const;
  StepResult checkFences();
  /// References to one private variable, or to one copy in registers.
  struct PrivateGroup {
    std::vector<unsigned> accesses;
    const ArrayTile *copy = nullptr;
  };
  std::vector<PrivateGroup> privateGroups() const;
  StepResult checkPrivates();
  bool isOfLast(const isl::map &flow, const ScheduleNode &loop);
  StepResult checkFlow(const isl::map &flow, const ScheduleNode &loop,
                       const ArrayTile *copy, const std::string &name);
  StepResult checkCopies();
  StepResult checkWindow(const ArrayTile &copy);
  StepResult checkUnset(const std::vector<RelationPiece> &cells,
                        const ArrayTile &copy);

  // Loops that are dimensions (VerifyMapped.cpp)
  bool isMapped(SymbolId symbol) const;
  void equateLaunched(InstanceSystem &system, const Instance &x,
                      const Instance &y) const;
  StepResult checkMapped();
  StepResult checkMappedPair(const Reference &x, const Reference &y,
                             SymbolId iterator);
  std::optional<LinearSum> copiedCell(InstanceSystem &system,
                                      const ArrayTile &copy,
                                      const Columns &columns, unsigned d) const;
  Points copiesMeet(const ArrayTile &copy, const isl::set &x, const isl::set &y,
                    SymbolId iterator) const;
  StepResult checkMappedCopy(const ArrayTile &copy, const Loop &loop);
  std::vector<unsigned> addedCoordinates(const Statement &statement) const;
  isl::union_map launchedOrder() const;
  isl::union_map launchedFlow(const std::vector<unsigned> &accesses) const;
  StepResult checkNowhere(const isl::map &flow, const Statement &to,
                          const std::string &name);
  StepResult checkMappedFlow(const isl::map &values, const std::string &name);
  StepResult checkMappedValues();

  // Loops that work-items share (VerifyShared.cpp)
  LinearSum distanceOf(InstanceSystem &system, const Instance &at,
                       const Loop &loop) const;
  LinearSum firstOf(InstanceSystem &system, const Instance &at,
                    const Loop &loop) const;
  StepResult checkCover(const Statement &statement, const Loop &loop) const;
  StepResult checkApart(const Statement &statement, const Loop &loop,
                        unsigned lanes) const;
  StepResult checkResult(const CooperativeReduction &shared,
                         unsigned array) const;
  Points crossesLanes(const isl::map &flow, const Statement &from,
                      const Statement &to, const Loop &loop,
                      unsigned lanes) const;
  StepResult checkSharedFlow(const CooperativeReduction &shared,
                             const std::vector<unsigned> &group);
  StepResult checkWritten(const CooperativeReduction &shared,
                          const Access &write);
  StepResult checkCooperativeReduction(const CooperativeReduction &shared);
  StepResult checkShared();

  // Statements that steps add (VerifyAdded.cpp)
  Instance addPoint(InstanceSystem &system, const Statement &statement,
                    const RelationPiece &domain) const;
  void equateShared(InstanceSystem &system, const Instance &x,
                    const Instance &y,
                    std::optional<SymbolId> except = std::nullopt) const;
  /// An instance, and when it runs.
  struct Timed {
    const Instance &at;
    const Stamp &stamp;
  };
  bool runsBetween(InstanceSystem system, const Timed &first,
                   const Timed &middle, const Timed &last);
  std::vector<InstanceSystem> whereBefore(const InstanceSystem &base,
                                          const Instance &x, const Instance &y,
                                          const Stamp &xStamp,
                                          const Stamp &yStamp);
  Stamp stampOf(const Access &access, const Access *with) const;
  StepResult checkReaches(const Statement &source, const Stamp &sourceStamp,
                          const Statement &reader, const Stamp &readerStamp,
                          const std::string &name);
  StepResult checkUnchanged(const Access &read, const Statement &reader,
                            const Stamp &readerStamp, const Access &write,
                            const std::string &name);
  StepResult checkFenced(const Access &read, const Statement &reader,
                         const Stamp &readerStamp, const std::string &name);
  StepResult checkFresh(const Statement &source, unsigned index,
                        const Statement &reader, const Stamp &readerStamp,
                        const std::string &name);
  StepResult checkAdvance(const Statement &step, const Stamp &stepStamp,
                          const Statement &reader, const Stamp &readerStamp,
                          const std::string &name);
  StepResult checkAdded(unsigned array, const std::vector<unsigned> &writers);
  StepResult checkAdded();

  // Sections of groups (VerifyTiles.cpp)
  /// Columns for what is the first in a tile.
  struct TileFrame {
    std::map<SymbolId, unsigned> first; ///< of ids and the loop's iterator
    std::map<unsigned, unsigned> ids;   ///< ids of the tile, by dimension
  };
  TileFrame addFrame(InstanceSystem &system, const ArrayTile &tile,
                     const Instance &at) const;
  std::optional<LinearSum> firstCell(InstanceSystem &system,
                                     const ArrayTile &tile,
                                     const TileFrame &frame, const Instance &at,
                                     unsigned d) const;
  Points leavesBox(const ArrayTile &tile, const Access &access,
                   const RelationPiece &piece, unsigned d, bool isBelow) const;
  isl::set choosing(const Statement &statement, const ArrayTile &tile,
                    const Access &access) const;
  StepResult checkBox(const ArrayTile &tile);
  StepResult checkBoxes();

  // Systems
  void addContext(InstanceSystem &system) const;
  Instance addInstance(InstanceSystem &system, const Statement &statement,
                       const RelationPiece *piece, const Columns &cell) const;
  void equateWork(InstanceSystem &system, const Instance &x,
                  const Instance &y) const;
  std::optional<LinearSum> affine(InstanceSystem &system, const Instance &at,
                                  const Polynomial &poly) const;
  LinearSum time(InstanceSystem &system, const Instance &at,
                 const Moment &moment, std::map<unsigned, unsigned> &firsts);
  Points anyReversed(const InstanceSystem &base, const Instance &x,
                     const Instance &y, const Stamp &xBefore,
                     const Stamp &yBefore, const Stamp &xAfter,
                     const Stamp &yAfter);
  Points anyNotBefore(InstanceSystem system, const Instance &x,
                      const Instance &y, const Stamp &xAfter,
                      const Stamp &yAfter);

  const TransformedKernel &kernel;
  const KernelModel &model;
  AliasMode alias;
  ScheduleNode program;  ///< before all steps
  ScheduleNode launched; ///< the same with the loops of the launch
  Stamps oldStamps, newStamps;
  std::vector<Reference> references;
  std::vector<RelationPiece> context;
};

/// The place of the symbol among the statement's coordinates, or ~0u.
unsigned coordinateOf(const Statement &statement, SymbolId symbol);

/// What is said of a system that has a point, or that is not decided.
Refusal violation(const KernelModel &model, Points points,
                  const std::string &what, const SourceRange &range);

} // namespace clopt

#endif // CLOPT_TRANSFORM_ORDERVERIFIER_H
