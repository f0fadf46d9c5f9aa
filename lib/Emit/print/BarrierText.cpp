//===- BarrierText.cpp - code that is kept around barriers ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and branches with barriers in them that have no place in the tree,
//
//   for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
//     if (lid < s)
//       t[lid] += t[lid + s];
//     barrier(CLK_LOCAL_MEM_FENCE);
//   }
//
// where work-items of a group are lanes of others: all of them come to the
// barriers and know what decides on that, and those that have lanes do the
// rest, a statement for all lanes together or for one after the other.
//
// Tested by test/lit/vectorize/groups.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/StatementPrinter.h"

#include "Analysis/dependence/StrideLoops.h"
#include "Model/Control.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/SaveAndRestore.h>

namespace clopt {

bool StatementPrinter::printParts(const std::vector<StmtRef> &parts,
                                  PrintedStatement &out) {
  if (isWaiting)
    return printWaiting(parts, out);
  return llvm::all_of(
      parts, [&](const StmtRef &part) { return printPart(part, out); });
}

/// A part that only work-items with lanes run.
bool StatementPrinter::printLed(const StmtRef &part, PrintedStatement &out) {
  if (!(environment.divergence->ofStmt(part) & LaneBit)) {
    PrintedStatement once;
    const bool done = printScalarStatement(part, once) && once.list.empty();
    llvm::append_range(out.lines, once.lines);
    return done;
  }
  const std::map<std::string, LocalName> before = *environment.locals;
  const std::set<std::string> usedBefore = used;
  const std::string failedBefore = failed;
  PrintedStatement together;
  if (printPart(part, together) && failed == failedBefore) {
    llvm::append_range(out.lines, together.lines);
    return true;
  }
  *environment.locals = before;
  used = usedBefore;
  failed = failedBefore;
  // Each lane has what is declared in it for itself.
  const llvm::SaveAndRestore around(inner);
  forEachStmt(part, [&](const StmtRef &below) {
    if (below->kind == StmtKind::Decl && below != part)
      inner.insert(below->var);
  });
  // What there is one of for all lanes would change with each.
  for (const auto &[variable, count] : assignmentsIn(part))
    if (!inner.count(variable) &&
        !environment.divergence->ofVariable(variable).isVector())
      return false;
  return printLaneByLane(part, out);
}

bool StatementPrinter::printWaiting(const std::vector<StmtRef> &parts,
                                    PrintedStatement &out) {
  std::vector<StmtRef> led;
  auto finish = [&] {
    if (led.empty())
      return true;
    out.lines.push_back("if (" + environment.leads + ") {");
    isWaiting = false;
    const bool done = llvm::all_of(
        led, [&](const StmtRef &part) { return printLed(part, out); });
    isWaiting = true;
    out.lines.push_back("}");
    led.clear();
    return done;
  };
  used.insert(environment.leads);
  for (const StmtRef &part : parts) {
    if (!part || part->kind == StmtKind::Null)
      continue;
    const bool isPlace = part->kind == StmtKind::Barrier ||
                         containsBarrier(part) || leavesOf(part).any() ||
                         part->kind == StmtKind::Group;
    const bool isForAll =
        llvm::any_of(*environment.steering, [&](const Variable *variable) {
          return assignmentsIn(part).count(variable) > 0;
        });
    if (!isPlace && !isForAll) {
      led.push_back(part);
      continue;
    }
    if (!finish())
      return false;
    if (part->kind == StmtKind::Barrier)
      llvm::append_range(out.lines, printStmt(part, hooks(0)));
    else if (isPlace ? !printTogether(part, out)
                     : (environment.divergence->ofStmt(part) & LaneBit) ||
                           !printPart(part, out))
      return false;
  }
  return finish();
}

} // namespace clopt
