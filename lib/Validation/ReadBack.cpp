//===- ReadBack.cpp - the written kernel against the meant one ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch in which the original itself has a race or leaves an array has no
// meaning and is passed over.
//
// Tested by test/unit/ReadBackTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/ReadBack.h"

#include "Validation/Coverage.h"
#include "Validation/LaunchSearch.h"
#include "Validation/Launches.h"
#include "Validation/ModelCells.h"

#include <algorithm>
#include <cmath>

namespace clopt {

namespace {

class Comparison {
public:
  Comparison(TermStore &store, RunResult &first, RunResult &second,
             bool anyOrder)
      : terms(store), original(first), emitted(second), mayReorder(anyOrder) {}

  /// What differs, or nothing.
  std::optional<RunFault> run();
  /// The same for the buffers of the original, whose sizes are known. What
  /// only the second run writes is what the cells held before.
  std::optional<RunFault> runRestored();

private:
  std::optional<RunFault> compareCells(MemoryObject &before,
                                       MemoryObject &after);
  std::optional<RunFault> compareReads(const std::string &name, MemoryObject &x,
                                       MemoryObject &y);
  bool areEqual(const MemoryCell &meant, const MemoryCell &found) const;
  std::string text(const MemoryCell &cell) const;

  TermStore &terms;
  RunResult &original, &emitted;
  bool mayReorder; ///< floating-point operations
  bool mayRestore = false;
};

} // namespace

std::string lineText(const SourceRange *range) {
  return range ? " (line " + std::to_string(range->line) + " of the result)"
               : "";
}

std::string Comparison::text(const MemoryCell &cell) const {
  return isFloatKind(cell.kind) ? terms.print(cell.value)
                                : std::to_string(cell.value);
}

bool Comparison::areEqual(const MemoryCell &meant,
                          const MemoryCell &found) const {
  bool isFloat = isFloatKind(meant.kind);
  int64_t value = found.value;
  // The bits of one may have been written as the other.
  if (isFloat && !isFloatKind(found.kind))
    value = terms.fromBits(meant.kind, value);
  else if (!isFloat)
    value = wrapTo(meant.kind,
                   isFloatKind(found.kind) ? terms.bitsOf(value) : value);
  if (meant.value == value)
    return true;
  // Copies go through bits, and may end in zeros; of terms that have the same
  // bits by chance, bits are only one. Equal numbers will do.
  const bool isByChance = terms.hasChanceBits() && !mayReorder;
  if (isFloat && (mayRestore || isByChance)) {
    double x = terms.value(meant.value), y = terms.value(value);
    if (x == y && std::signbit(x) == std::signbit(y))
      return true;
    // What functions make of one of them is another number.
    if (isByChance && (mayRestore || !terms.areClose(meant.value, value)))
      throw GiveUp{"numbers that are the same by chance"};
  }
  if (!mayReorder || !isFloat)
    return false;
  std::optional<bool> isClose = terms.areClose(meant.value, value);
  if (!isClose)
    throw GiveUp{"functions of reordered values"};
  return *isClose;
}

std::optional<RunFault> Comparison::compareCells(MemoryObject &before,
                                                 MemoryObject &after) {
  // Both may have written the same bytes as other scalars.
  original.memory.alignCells(before, after);
  std::set<int64_t> offsets;
  for (const MemoryObject *object : {&before, &after})
    for (const auto &[offset, cell] : object->cells.all())
      if (cell->isWritten)
        offsets.insert(offset);
  for (int64_t offset : offsets) {
    if (isPadding(before.type, offset))
      continue;
    const MemoryCell *meant = before.cells.find(offset);
    const MemoryCell *found = after.cells.find(offset);
    bool isMeant = meant && meant->isWritten;
    bool isFound = found && found->isWritten;
    const MemoryCell &cell = isMeant ? *meant : *found;
    SourceRange range = isMeant && cell.written ? *cell.written : SourceRange();
    std::string where = cellName(isMeant ? before : after, offset, cell.kind);
    if (!isFound)
      return RunFault{where + " is not written", range};
    if (!isMeant && mayRestore && meant && areEqual(*meant, *found))
      continue;
    if (!isMeant)
      return RunFault{where + " is written, and the original does not" +
                          lineText(found->written),
                      range};
    if (!meant->isUnset && !areEqual(cell, *found))
      return RunFault{where + " becomes " + text(*found) + ", not " +
                          text(cell) + lineText(found->written),
                      range};
  }
  return std::nullopt;
}

/// A variable at file scope may be there in one of the texts only.
static MemoryObject &findBuffer(RunResult &run, const std::string &name,
                                MemoryObject &none) {
  auto found = run.buffers.find(name);
  return found == run.buffers.end() ? none : run.memory.object(found->second);
}

/// Between the first and the last cell that the original accesses a buffer is
/// known to exist.
std::optional<RunFault> Comparison::compareReads(const std::string &name,
                                                 MemoryObject &x,
                                                 MemoryObject &y) {
  const OffsetRange allowed = x.accessed();
  const OffsetRange &reads = y.reads;
  if (reads.first > reads.last ||
      (reads.first >= allowed.first && reads.last <= allowed.last))
    return std::nullopt;
  bool isBefore = reads.first < allowed.first;
  int64_t bytes = std::max<int64_t>(1, y.cellBytes);
  int64_t cell = (isBefore ? reads.first : reads.last) / bytes;
  const SourceRange &place = isBefore ? y.firstRead : y.lastRead;
  return RunFault{name + "[" + std::to_string(cell) +
                      "] is read, outside of what the original accesses" +
                      lineText(&place),
                  SourceRange()};
}

std::optional<RunFault> Comparison::runRestored() {
  mayRestore = true;
  MemoryObject none;
  for (const auto &entry : original.buffers) {
    MemoryObject &before = findBuffer(original, entry.first, none);
    MemoryObject &after = findBuffer(emitted, entry.first, none);
    original.memory.cover(before, after);
    if (auto fault = compareCells(before, after))
      return fault;
  }
  return std::nullopt;
}

std::optional<RunFault> Comparison::run() {
  std::map<std::string, int64_t> names = original.buffers;
  names.insert(emitted.buffers.begin(), emitted.buffers.end());
  for (const auto &entry : names) {
    MemoryObject none;
    MemoryObject &before = findBuffer(original, entry.first, none);
    MemoryObject &after = findBuffer(emitted, entry.first, none);
    if (auto fault = compareCells(before, after))
      return fault;
    if (auto fault = compareReads(entry.first, before, after))
      return fault;
  }
  return std::nullopt;
}

std::optional<RunFault> compareRestored(TermStore &terms, RunResult &meant,
                                        RunResult &found, bool mayReorder) {
  return Comparison(terms, meant, found, mayReorder).runRestored();
}

static RunFault complete(const Function &original, const SmallLaunch &launch,
                         const RunFault &fault) {
  return {fault.what + ", with " + launch.text(),
          fault.range.isValid() ? fault.range : original.range};
}

namespace {

/// What decides the way through a kernel, for buffers that are apart, and for
/// those that are not.
class CutKernel {
public:
  CutKernel(const TranslationUnit &parsed, const Function &kernel)
      : unit(parsed), function(kernel) {}

  RunResult run(const SmallLaunch &launch, TermStore &terms, uint64_t budget,
                uint64_t unsetSeed);

private:
  const TranslationUnit &unit;
  const Function &function;
  std::optional<CompiledKernel> cut[2];
};

/// The two kernels, ready for all launches.
struct KernelPair {
  KernelPair(const TranslationUnit &originalUnit, const Function &original,
             const TranslationUnit &emittedUnit, const Function &emitted)
      : function(original), written(emitted), before(originalUnit, original),
        after(emittedUnit, emitted), mayReorder(originalUnit.unsafeMath),
        cutBefore(originalUnit, original), cutAfter(emittedUnit, emitted) {}

  /// Of the written kernel, with one seed of what nobody set. Where it reached
  /// nothing that is wanted, the original does not have to run.
  RunResult runWritten(const SmallLaunch &launch, TermStore &terms,
                       uint64_t budget, RunNotes &notes) const;
  std::optional<RunFault> compare(const SmallLaunch &launch, uint64_t budget,
                                  const WrittenCells *cells, TermStore &terms,
                                  RunResult &found, RunNotes &notes) const;

  const Function &function; ///< the original
  const Function &written;
  CompiledKernel before, after;
  bool mayReorder;
  CutKernel cutBefore, cutAfter;
};

} // namespace

std::string whyMeaningless(const CompiledKernel &original,
                           const SmallLaunch &launch, TermStore &terms,
                           uint64_t budget, const RunResult &first,
                           RunDifference differs,
                           std::optional<RunFault> &wrong) {
  if (first.overflows)
    return "signed integers that overflow";
  if (first.dependsOnOrder)
    return "results that depend on the order of atomic accesses";
  // Runs with other values would find that by chance only.
  RunResult traced = original.trace(launch, terms, budget);
  if (traced.gaveUp)
    return *traced.gaveUp;
  if (!traced.unsetDecides) {
    wrong = differs(traced);
    if (wrong)
      return "";
  }
  return "results that depend on what is never set";
}

RunResult CutKernel::run(const SmallLaunch &launch, TermStore &terms,
                         uint64_t budget, uint64_t unsetSeed) {
  const bool mayOverlap = !launch.sameAs.empty();
  std::optional<CompiledKernel> &kernel = cut[mayOverlap];
  if (!kernel)
    kernel = CompiledKernel::cut(unit, function, mayOverlap);
  return kernel->run(launch, terms, budget, unsetSeed);
}

/// Iterations of a loop that no kernel needs beside those of the original: as
/// many as its arrays have bytes, some for the points of each work-item, and
/// those of a loop that became a dimension and finds nothing to do; no more
/// than there are bytes of local memory.
static uint64_t iterationsOfTiles(const Function &written,
                                  const SmallLaunch &launch) {
  uint64_t shared = 0, own = 256;
  forEachStmt(written.asWritten(), [&](const StmtRef &stmt) {
    if (stmt->kind == StmtKind::Decl && stmt->var->type.isArray())
      (stmt->var->space == AddressSpace::Local ? shared : own) +=
          stmt->var->type.size;
  });
  constexpr int64_t most = 65536, mostIdle = 1024;
  int64_t idle = 0;
  for (const auto &[name, value] : launch.integers)
    idle = std::max(idle, std::min(value, mostIdle));
  return static_cast<uint64_t>(idle) +
         std::min<uint64_t>(
             most, shared + own * static_cast<uint64_t>(launch.workItems()));
}

RunResult KernelPair::runWritten(const SmallLaunch &launch, TermStore &terms,
                                 uint64_t budget, RunNotes &notes) const {
  RunResult found = after.run(launch, terms, budget, 1);
  notes.steps += found.steps;
  notes.executed = found.executed;
  notes.branches = found.branches;
  notes.edges = found.edges;
  return found;
}

std::optional<RunFault> KernelPair::compare(const SmallLaunch &launch,
                                            uint64_t budget,
                                            const WrittenCells *cells,
                                            TermStore &terms, RunResult &found,
                                            RunNotes &notes) const {
  const bool isCutShort = found.gaveUp == tooManySteps;
  if (found.gaveUp && !isCutShort) {
    notes.skipped = *found.gaveUp;
    return std::nullopt;
  }
  RunResult meant = before.run(launch, terms, budget);
  notes.steps += meant.steps;
  if (meant.gaveUp || meant.fault) {
    notes.skipped = meant.gaveUp ? *meant.gaveUp : meant.fault->what;
    return std::nullopt;
  }
  std::optional<RunFault> wrong = found.fault;
  if (isCutShort &&
      found.iterations > meant.steps + iterationsOfTiles(written, launch))
    wrong = RunFault{"a loop does not end", *found.longestLoop};
  if (isCutShort && !wrong) {
    notes.skipped = *found.gaveUp;
    return std::nullopt;
  }
  if (wrong) {
    wrong->what += lineText(&wrong->range);
    wrong->range = SourceRange(); // a place in another text
  }
  const std::optional<RunFault> fault = wrong;
  auto differs = [&](RunResult &run) {
    return fault ? fault : Comparison(terms, run, found, mayReorder).run();
  };
  try {
    wrong = differs(meant);
    if (wrong)
      notes.skipped =
          whyMeaningless(before, launch, terms, budget, meant, differs, wrong);
  } catch (const GiveUp &end) {
    notes.skipped = end.reason;
  }
  if (!notes.skipped.empty())
    return std::nullopt;
  if (!wrong && cells && !meant.overflows)
    wrong = cells->check(launch, found, 20000);
  if (wrong)
    return complete(function, launch, *wrong);
  return std::nullopt;
}

std::optional<RunFault> compareRuns(const TranslationUnit &originalUnit,
                                    const Function &original,
                                    const TranslationUnit &emittedUnit,
                                    const Function &emitted,
                                    const SmallLaunch &launch, uint64_t budget,
                                    const KernelModel *model, RunNotes &notes) {
  const KernelPair pair(originalUnit, original, emittedUnit, emitted);
  TermStore terms(launch.data, comparedNumbers(original));
  RunResult found = pair.runWritten(launch, terms, budget, notes);
  std::optional<WrittenCells> cells;
  if (model)
    cells.emplace(*model);
  return pair.compare(launch, budget, cells ? &*cells : nullptr, terms, found,
                      notes);
}

//===-- Requirements ------------------------------------------------------===//

/// The operands of a conjunction, from the left.
static std::vector<ExprRef> operandsOfAnd(const ExprRef &expr) {
  if (expr->kind != ExprKind::Binary || expr->op != Op::LAnd)
    return {expr};
  std::vector<ExprRef> operands = operandsOfAnd(expr->operands[0]);
  operands.push_back(expr->operands[1]);
  return operands;
}

/// Without the operands at these places; null when there are no others.
static ExprRef withoutTerms(const ExprRef &condition,
                            const std::set<unsigned> &terms) {
  ExprRef result;
  unsigned at = 0;
  for (const ExprRef &operand : operandsOfAnd(condition)) {
    if (terms.count(at++))
      continue;
    if (!result) {
      result = operand;
      continue;
    }
    auto both = std::make_shared<Expr>(*condition);
    both->operands = {result, operand};
    result = std::move(both);
  }
  return result;
}

static bool isGuard(const StmtRef &child) {
  return child->kind == StmtKind::If;
}

/// The guard of the body without these terms.
static void loosenGuard(StmtRef &of, const std::set<unsigned> &advice) {
  auto body = std::make_shared<Stmt>(*of);
  auto guard =
      std::find_if(body->children.begin(), body->children.end(), isGuard);
  if (guard == body->children.end())
    return;
  auto guarded = std::make_shared<Stmt>(**guard);
  guarded->expr = withoutTerms((*guard)->expr, advice);
  if (!guarded->expr) {
    auto always = std::make_shared<Expr>(*(*guard)->expr);
    always->kind = ExprKind::IntLiteral;
    always->operands.clear();
    always->intValue = 1;
    guarded->expr = std::move(always);
  }
  *guard = std::move(guarded);
  of = std::move(body);
}

void admitSmallLaunches(Function &emitted, const std::set<unsigned> &advice) {
  if (advice.empty())
    return;
  for (StmtRef *body : {&emitted.body, &emitted.written})
    if (*body)
      loosenGuard(*body, advice);
}

/// Leaves out the texts of all `count` versions with guards but one.
static void keepVersion(Function &emitted, size_t which, size_t count) {
  for (StmtRef *of : {&emitted.body, &emitted.written}) {
    if (!*of)
      continue;
    auto body = std::make_shared<Stmt>(**of);
    size_t at = 0;
    llvm::erase_if(body->children, [&](const StmtRef &child) {
      const bool isVersion = isGuard(child) && at < count;
      return isVersion && at++ != which;
    });
    *of = std::move(body);
  }
}

std::vector<Function>
versionsOf(const Function &emitted, const TransformedKernel &transformed,
           const std::vector<std::set<unsigned>> &advice) {
  std::vector<Function> result;
  const TransformedKernel *version = &transformed;
  for (; version; version = version->otherwise.get()) {
    const size_t at = result.size();
    result.push_back(emitted);
    if (transformed.otherwise)
      keepVersion(result.back(), at, advice.size());
    if (at < advice.size())
      admitSmallLaunches(result.back(), advice[at]);
  }
  return result;
}

//===-- All launches ------------------------------------------------------===//

namespace {

class Validator {
public:
  Validator(const TransformedKernel &transformed, const KernelModel &original,
            const TranslationUnit &parsed, const Function &written,
            uint64_t allowed, ReadBackReport &output)
      : kernel(transformed), model(original), cells(original), budget(allowed),
        coverage(written, *original.function),
        compared(comparedNumbers(*original.function)),
        pair(*original.unit, *original.function, parsed, written),
        report(output) {}

  void run();

private:
  bool mayReach(const SmallLaunch &launch, uint64_t most, uint64_t cheap);
  bool compare(const SmallLaunch &launch, uint64_t most, uint64_t cheap);
  void search(LaunchSearch &changes);
  uint64_t left() const {
    return budget > report.steps ? budget - report.steps : 0;
  }

  const TransformedKernel &kernel;
  const KernelModel &model;
  const WrittenCells cells;
  const uint64_t budget;
  BodyCoverage coverage;
  const std::vector<int64_t> compared;
  /// Of runs that only tell the way, and how many of these did not run.
  uint64_t cutSteps = 0, cutSkipped = 0;
  /// Of the last run of the written kernel, and what it was away from.
  uint64_t lastSteps = 0;
  std::vector<int64_t> lastDistances;
  std::vector<LaunchMove> lastMoves;
  KernelPair pair;
  ReadBackReport &report;
};

} // namespace

/// False for a launch that costs a lot and reaches nothing new, or that takes
/// both kernels more steps than it may.
bool Validator::mayReach(const SmallLaunch &launch, uint64_t most,
                         uint64_t cheap) {
  // Where nearly everything decides something, one run is enough.
  constexpr uint64_t enoughSteps = 1000000;
  if (cutSteps > enoughSteps && cutSkipped < cutSteps / 8)
    return true;
  TermStore terms(launch.data, compared);
  const RunResult found = pair.cutAfter.run(launch, terms, most, 1);
  cutSteps += found.steps;
  cutSkipped += found.skipped;
  // What was cut takes time only in so far as there are more launches.
  const uint64_t steps = found.steps - found.skipped / 4 * 3;
  const bool isNew =
      coverage.leadsFurther(found.executed, found.branches, found.edges);
  if (!isNew && found.steps >= cheap) {
    report.steps += steps;
    return false;
  }
  if (!found.gaveUp)
    return true;
  // What is wrong may take far longer, or end early with a fault.
  const RunResult meant = pair.cutBefore.run(launch, terms, most, 0);
  const bool isLong = found.gaveUp == tooManySteps && meant.steps > most / 8;
  if (!meant.gaveUp && !isLong)
    return true;
  report.skipped.insert(meant.gaveUp ? *meant.gaveUp : *found.gaveUp);
  report.steps += steps;
  return false;
}

/// Compares the two, unless the launch costs a lot and reaches nothing new.
/// True when it reached something.
bool Validator::compare(const SmallLaunch &launch, uint64_t most,
                        uint64_t cheap) {
  if (!mayReach(launch, most, cheap))
    return false;
  RunNotes notes;
  TermStore terms(launch.data, compared);
  RunResult found = pair.runWritten(launch, terms, most, notes);
  const bool isNew =
      coverage.leadsFurther(notes.executed, notes.branches, notes.edges);
  const bool isWanted = isNew || found.steps < cheap;
  lastSteps = found.steps;
  if (isWanted)
    report.wrong = pair.compare(launch, most, &cells, terms, found, notes);
  report.steps += notes.steps;
  if (report.wrong || !isWanted)
    return false;
  if (!notes.skipped.empty()) {
    report.skipped.insert(notes.skipped);
    return false;
  }
  ++report.compared;
  coverage.add(notes.executed, notes.branches, notes.edges);
  lastDistances = coverage.distances(notes.edges);
  lastMoves = coverage.moves(notes.edges);
  return isNew;
}

/// This part of the budget is for launches by chance.
static constexpr uint64_t searchShare = 3;

/// Launches by chance, until everything has run or the budget is spent.
void Validator::search(LaunchSearch &changes) {
  for (unsigned tries = 0, vain = 0; tries < 2000 && vain < 500;
       ++tries, ++vain) {
    if (left() == 0 || (coverage.isComplete() && coverage.hasAllEdges()))
      return;
    // Moves and chance take turns.
    std::optional<SmallLaunch> moved;
    if (tries % 2 == 0)
      moved = changes.nextMove(
          [this](const LaunchMove &move) { return coverage.isWanted(move); });
    const SmallLaunch launch = moved ? *moved : changes.next();
    // Most of them are small, so that there can be many.
    const uint64_t most = moved ? budget / 10
                                : std::clamp(2 * changes.stepsBefore(),
                                             budget / 1000, budget / 100);
    if (compare(launch, tries % 8 ? most : budget / 10, 0)) {
      changes.keep(launch, lastSteps, lastDistances, lastMoves);
      vain = 0;
    } else if (report.wrong) {
      return;
    }
  }
}

void Validator::run() {
  std::vector<SmallLaunch> launches = chooseLaunches(kernel);
  std::stable_sort(launches.begin(), launches.end(),
                   [](const SmallLaunch &a, const SmallLaunch &b) {
                     return a.work() < b.work();
                   });
  // The search changes those that reach something.
  LaunchSearch changes(model, coverage.numbers(), {});
  const uint64_t kept = budget / searchShare;
  for (const SmallLaunch &launch : launches) {
    // Those that follow are larger still; chance finds smaller ones.
    if (report.skipped.count(tooManySteps) || left() <= kept)
      break;
    if (compare(launch, (left() - kept) / 2, budget / 20))
      changes.keep(launch, lastSteps, lastDistances, lastMoves);
    if (report.wrong)
      return;
  }
  // A loop up to `row[i + 1]` may need numbers that rise.
  for (SmallLaunch &launch : launches) {
    if (report.compared || left() == 0)
      break;
    launch.data = risingData;
    if (compare(launch, left() / 4, 0))
      changes.keep(launch, lastSteps, lastDistances, lastMoves);
    if (report.wrong)
      return;
  }
  if (!changes.isEmpty())
    search(changes);
  report.isEntered = coverage.isEntered();
  report.statements = coverage.statements();
  report.executed = coverage.statementsReached();
  report.branches = coverage.branches().size();
  report.reached = coverage.branchesReached();
  for (const Branch &branch : coverage.branches())
    if (!branch.isReached)
      report.missed.push_back(branch.text());
}

ReadBackReport readBack(const TransformedKernel &transformed,
                        const KernelModel &model, const TranslationUnit &unit,
                        const Function &emitted, uint64_t budget) {
  ReadBackReport report;
  Validator(transformed, model, unit, emitted, budget, report).run();
  return report;
}

} // namespace clopt
