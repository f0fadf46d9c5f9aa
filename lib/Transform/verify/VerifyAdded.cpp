//===- VerifyAdded.cpp - statements that steps add, once more -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `hoist` of values and `strength .. add` make statements that the program has
// not, each for one private variable. The program's order says nothing of them,
// so it is asked what their variables need. PPL looks for
//
// - a reader whose value no instance of the statement has set, or only later;
// - a write between the two of something that the value is made of, and a
//   barrier behind which another work-item may have written it;
// - where a second statement makes the value advance: an iteration whose
//   addition is missing, or that runs on the wrong side of a reader.
//
// Cost: the readers of a variable times the references that its value is made
// of times the writes of the same arrays.
//
// Reference: Feautrier, Dataflow analysis of array and scalar references
// (1991), on the writes between a source and its use.
//
// Tested by test/unit/VerifyAddedTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Transform/verify/OrderVerifier.h"

#include "Transform/Apply.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

namespace clopt {

static bool uses(const KernelModel &model, const Statement &statement,
                 unsigned array, bool isWrite) {
  return std::any_of(
      statement.accesses.begin(), statement.accesses.end(), [&](unsigned id) {
        const Access &access = model.accesses[id];
        return access.array == array && access.isWrite == isWrite;
      });
}

static bool writesMemory(const KernelModel &model, const Statement &statement) {
  return std::any_of(
      statement.accesses.begin(), statement.accesses.end(), [&](unsigned id) {
        const Access &access = model.accesses[id];
        return access.isWrite &&
               model.arrays[access.array].space != AddressSpace::Private;
      });
}

Instance OrderVerifier::addPoint(InstanceSystem &system,
                                 const Statement &statement,
                                 const RelationPiece &domain) const {
  Instance instance = addInstance(system, statement, nullptr, {});
  system.addPiece(domain, {}, instance.columns);
  return instance;
}

/// Both are in the same iterations of the loops that they share.
void OrderVerifier::equateShared(InstanceSystem &system, const Instance &x,
                                 const Instance &y,
                                 std::optional<SymbolId> except) const {
  for (unsigned i = 0; i < x.columns.size(); ++i) {
    SymbolId symbol = x.statement->coordinates[i];
    unsigned place = coordinateOf(*y.statement, symbol);
    if (place != ~0u && symbol != except)
      system.addZero({0, {{x.columns[i], 1}, {y.columns[place], -1}}});
  }
}

/// The system with "x runs before y in the order of the stamps", case by case.
std::vector<InstanceSystem>
OrderVerifier::whereBefore(const InstanceSystem &base, const Instance &x,
                           const Instance &y, const Stamp &xStamp,
                           const Stamp &yStamp) {
  std::vector<InstanceSystem> cases;
  std::map<unsigned, unsigned> firsts;
  InstanceSystem equal = base;
  size_t length = std::max(xStamp.size(), yStamp.size());
  for (size_t i = 0; i < length; ++i) {
    const Moment &xMoment = i < xStamp.size() ? xStamp[i] : Moment();
    const Moment &yMoment = i < yStamp.size() ? yStamp[i] : Moment();
    if (xMoment.kind == Moment::Kind::Constant &&
        yMoment.kind == Moment::Kind::Constant) {
      if (xMoment.constant < yMoment.constant)
        cases.push_back(equal);
      if (xMoment.constant != yMoment.constant)
        return cases;
      continue;
    }
    LinearSum ahead = time(equal, y, yMoment, firsts);
    ahead.add(time(equal, x, xMoment, firsts), -1);
    InstanceSystem earlier = equal;
    LinearSum strictly = ahead;
    --strictly.constant;
    earlier.addNonNegative(strictly);
    cases.push_back(earlier);
    equal.addZero(ahead);
  }
  return cases;
}

/// Every instance of `reader` has one of `source` before it.
StepResult OrderVerifier::checkReaches(const Statement &source,
                                       const Stamp &sourceStamp,
                                       const Statement &reader,
                                       const Stamp &readerStamp,
                                       const std::string &name) {
  isl::set elsewhere = source.domain.complement();
  for (const RelationPiece &missing : piecesOf(elsewhere))
    for (const RelationPiece &domain : piecesOf(reader.domain)) {
      InstanceSystem system;
      addContext(system);
      Instance at = addPoint(system, source, missing);
      Instance use = addPoint(system, reader, domain);
      equateShared(system, at, use);
      if (system.findPoint() == Points::Some)
        return violation(model, Points::Some,
                         "'" + name + "' is used where it is not set",
                         statementRange(reader));
    }
  for (const RelationPiece &set : piecesOf(source.domain))
    for (const RelationPiece &domain : piecesOf(reader.domain)) {
      InstanceSystem system;
      addContext(system);
      Instance at = addPoint(system, source, set);
      Instance use = addPoint(system, reader, domain);
      equateShared(system, at, use);
      if (anyNotBefore(system, at, use, sourceStamp, readerStamp) ==
          Points::Some)
        return violation(model, Points::Some,
                         "'" + name + "' is used before it is set",
                         statementRange(reader));
    }
  return std::nullopt;
}

/// When the access touches memory, or the registers that `with` is in.
Stamp OrderVerifier::stampOf(const Access &access, const Access *with) const {
  Reference reference;
  reference.access = &access;
  auto own = newStamps.statements.find(access.statement);
  if (own == newStamps.statements.end())
    return {};
  reference.after = own->second;
  reference.tile = kernel.tileOf(access.id);
  bool isTogether = with && reference.tile == kernel.tileOf(with->id);
  return isTogether ? reference.after : effectiveStamp(reference);
}

/// Whether a work-item runs `middle` after `first` and before `last`, which are
/// in the same iterations of the loops around both.
bool OrderVerifier::runsBetween(InstanceSystem system, const Timed &first,
                                const Timed &middle, const Timed &last) {
  equateShared(system, first.at, last.at);
  equateWork(system, first.at, middle.at);
  for (const InstanceSystem &later :
       whereBefore(system, first.at, middle.at, first.stamp, middle.stamp))
    for (const InstanceSystem &between :
         whereBefore(later, middle.at, last.at, middle.stamp, last.stamp))
      if (between.findPoint() == Points::Some)
        return true;
  return false;
}

/// Nothing writes what `read` has read between its statement and `reader`.
StepResult OrderVerifier::checkUnchanged(const Access &read,
                                         const Statement &reader,
                                         const Stamp &readerStamp,
                                         const Access &write,
                                         const std::string &name) {
  const Statement &source = model.statements[read.statement];
  const Statement &writer = model.statements[write.statement];
  bool isSame = read.array == write.array;
  Stamp readAt = newStamps.statements.at(read.statement);
  Stamp writeAt = stampOf(write, &read);
  if (writeAt.empty())
    return std::nullopt;
  for (const RelationPiece &from :
       piecesOf(read.relation.intersect_domain(source.domain)))
    for (const RelationPiece &to :
         piecesOf(write.relation.intersect_domain(writer.domain)))
      for (const RelationPiece &domain : piecesOf(reader.domain)) {
        InstanceSystem system;
        addContext(system);
        Columns cell = system.addColumns(from.outputs);
        Columns other = isSame ? cell : system.addColumns(to.outputs);
        Instance at = addInstance(system, source, &from, cell);
        Instance change = addInstance(system, writer, &to, other);
        Instance use = addPoint(system, reader, domain);
        if (runsBetween(system, {at, readAt}, {change, writeAt},
                        {use, readerStamp}))
          return violation(model, Points::Some,
                           "what '" + name +
                               "' is made of changes before it is used",
                           write.range);
      }
  return std::nullopt;
}

/// Behind a barrier other work-items may have written the cell.
StepResult OrderVerifier::checkFenced(const Access &read,
                                      const Statement &reader,
                                      const Stamp &readerStamp,
                                      const std::string &name) {
  const Statement &source = model.statements[read.statement];
  const Stamp &readAt = newStamps.statements.at(read.statement);
  for (const auto &[index, stamp] : newStamps.statements) {
    const Statement &fence = model.statements[index];
    if (!fence.isBarrier && !fence.isOpaque)
      continue;
    for (const RelationPiece &from : piecesOf(source.domain))
      for (const RelationPiece &over : piecesOf(fence.domain))
        for (const RelationPiece &domain : piecesOf(reader.domain)) {
          InstanceSystem system;
          addContext(system);
          Instance at = addPoint(system, source, from);
          Instance wall = addPoint(system, fence, over);
          Instance use = addPoint(system, reader, domain);
          if (runsBetween(system, {at, readAt}, {wall, stamp},
                          {use, readerStamp}))
            return violation(model, Points::Some,
                             "'" + name +
                                 "' is kept behind a barrier, where others "
                                 "may have written",
                             statementRange(reader));
        }
  }
  return std::nullopt;
}

/// Reads of `source` see what they would see at the time of `reader`.
StepResult OrderVerifier::checkFresh(const Statement &source, unsigned index,
                                     const Statement &reader,
                                     const Stamp &readerStamp,
                                     const std::string &name) {
  for (unsigned id : source.accesses) {
    const Access &read = model.accesses[id];
    if (read.isWrite)
      continue;
    bool isPrivate = model.arrays[read.array].space == AddressSpace::Private;
    bool isWritten = false;
    for (const Access &write : model.accesses) {
      bool mayMeet =
          write.array == read.array ||
          (!isPrivate && !areApart(kernel, read.array, write.array, alias));
      if (!write.isWrite || write.statement == index || !mayMeet)
        continue;
      isWritten = true;
      if (StepResult wrong =
              checkUnchanged(read, reader, readerStamp, write, name))
        return wrong;
    }
    if (isWritten && !isPrivate)
      if (StepResult wrong = checkFenced(read, reader, readerStamp, name))
        return wrong;
  }
  return std::nullopt;
}

/// In iteration k a reader finds the additions of all iterations before k and
/// of no other.
StepResult OrderVerifier::checkAdvance(const Statement &step,
                                       const Stamp &stepStamp,
                                       const Statement &reader,
                                       const Stamp &readerStamp,
                                       const std::string &name) {
  const Loop &loop = model.loops[step.loops.back()];
  unsigned own = coordinateOf(step, loop.iterator);
  unsigned place = coordinateOf(reader, loop.iterator);
  if (place == ~0u)
    return violation(model, Points::Some,
                     "'" + name + "' is used outside of its loop",
                     statementRange(reader));
  int64_t sign = loop.step < 0 ? -1 : 1;
  auto wrong = [&](const char *what) {
    return violation(model, Points::Some, "'" + name + "' " + what,
                     statementRange(reader));
  };
  for (const RelationPiece &domain : piecesOf(reader.domain)) {
    for (const RelationPiece &missing : piecesOf(step.domain.complement())) {
      // The iteration before that of the reader, unless it is the first.
      InstanceSystem system;
      addContext(system);
      Instance at = addPoint(system, step, missing);
      Instance use = addPoint(system, reader, domain);
      equateShared(system, at, use, loop.iterator);
      system.addZero(
          {loop.step, {{at.columns[own], 1}, {use.columns[place], -1}}});
      LinearSum behind{-1, {{use.columns[place], sign}}};
      system.addNonNegative(behind.add(firstOf(system, use, loop), -sign));
      if (system.findPoint() == Points::Some)
        return wrong("does not advance in every iteration");
    }
    for (const RelationPiece &adds : piecesOf(step.domain)) {
      InstanceSystem system;
      addContext(system);
      Instance at = addPoint(system, step, adds);
      Instance use = addPoint(system, reader, domain);
      equateShared(system, at, use, loop.iterator);
      // sign * (reader's iteration - this one)
      LinearSum ahead{0,
                      {{use.columns[place], sign}, {at.columns[own], -sign}}};
      InstanceSystem earlier = system, later = system;
      LinearSum strictly = ahead, back{0, {}};
      --strictly.constant;
      earlier.addNonNegative(strictly);
      later.addNonNegative(back.add(ahead, -1));
      if (anyNotBefore(earlier, at, use, stepStamp, readerStamp) ==
          Points::Some)
        return wrong("is used before it advances");
      for (const InstanceSystem &early :
           whereBefore(later, at, use, stepStamp, readerStamp))
        if (early.findPoint() == Points::Some)
          return wrong("advances before it is used");
    }
  }
  return std::nullopt;
}

/// The variable `array`, which added statements set.
StepResult OrderVerifier::checkAdded(unsigned array,
                                     const std::vector<unsigned> &writers) {
  const std::string &name = model.arrays[array].name;
  for (const auto &[index, stamp] : newStamps.statements) {
    const Statement &reader = model.statements[index];
    bool isOwn = llvm::is_contained(writers, index);
    if (isOwn || !uses(model, reader, array, false))
      continue;
    for (unsigned writer : writers) {
      const Statement &source = model.statements[writer];
      const Stamp &at = newStamps.statements.at(writer);
      bool advances = uses(model, source, array, false);
      if (advances && source.loops.empty())
        continue;
      if (StepResult wrong =
              advances ? checkAdvance(source, at, reader, stamp, name)
                       : checkReaches(source, at, reader, stamp, name))
        return wrong;
      // What an added store stores is not computed again by the program.
      const bool isStore =
          !oldStamps.statements.count(index) && writesMemory(model, reader);
      if (writers.size() > 1 || isStore)
        continue;
      if (StepResult wrong = checkFresh(source, writer, reader, stamp, name))
        return wrong;
    }
  }
  return std::nullopt;
}

StepResult OrderVerifier::checkAdded() {
  std::map<unsigned, std::vector<unsigned>> writers;
  for (const auto &[index, stamp] : newStamps.statements) {
    if (oldStamps.statements.count(index))
      continue;
    for (unsigned id : model.statements[index].accesses) {
      const Access &access = model.accesses[id];
      if (access.isWrite &&
          model.arrays[access.array].space == AddressSpace::Private)
        writers[access.array].push_back(index);
    }
  }
  for (const auto &[array, statements] : writers)
    if (StepResult wrong = checkAdded(array, statements))
      return wrong;
  return std::nullopt;
}

} // namespace clopt
