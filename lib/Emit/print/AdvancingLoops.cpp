//===- AdvancingLoops.cpp - loops that lanes begin apart ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (int i = get_local_id(0); i < n; i += get_local_size(0)) s += a[i];`:
// lanes run an iteration together while the last one has it, and where only the
// first ones do, one after the other.
//
//   for (i = lid; i < n; i += get_local_size(0)) {
//     if ((long)i + 7 < n) {
//       s += vload8(0, &a[i]);
//     } else {
//       s.s0 += a[i];
//       if ((long)i + 1 < n)
//         s.s1 += a[i + 1];
//       ...
//     }
//   }
//
// Tested by test/lit/vectorize/groups.test.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/StatementPrinter.h"

#include "Analysis/dependence/StrideLoops.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/SaveAndRestore.h>

namespace clopt {

bool StatementPrinter::printAdvancing(const StmtRef &stmt, int64_t distance,
                                      PrintedStatement &out) {
  const std::optional<StrideLoop> loop = readStrideLoop(*stmt);
  PrintedStatement init;
  if (!loop || !printPart(stmt->init, init) || init.lines.size() != 1)
    return false;
  const std::string name = nameOf(*loop->var);
  const std::string bound =
      printOperand(loop->bound, rightPrecedence(Op::Lt), hooks(0));
  auto test = [&](unsigned lane) {
    if (lane == 0)
      return name + " < " + bound;
    return (loop->var->type.size < 8 ? "(long)" : "") + name + " + " +
           std::to_string(lane * distance) + " < " + bound;
  };
  out.lines.push_back("for (" + init.lines[0] + " " + test(0) + "; " +
                      printOperand(stmt->inc, PrecComma, hooks(0)) + ") {");
  out.lines.push_back("if (" + test(lanes() - 1) + ") {");
  const bool isBlock = stmt->body->kind == StmtKind::Block;
  const std::vector<StmtRef> parts =
      isBlock ? stmt->body->children : std::vector<StmtRef>{stmt->body};
  if (!llvm::all_of(parts,
                    [&](const StmtRef &part) { return printPart(part, out); }))
    return false;
  out.lines.push_back("} else {");
  // Each lane has what is declared in the body for itself.
  const llvm::SaveAndRestore around(inner);
  forEachStmt(stmt->body, [&](const StmtRef &part) {
    if (part->kind == StmtKind::Decl)
      inner.insert(part->var);
  });
  for (unsigned lane = 0; lane + 1 < lanes(); ++lane) {
    if (lane)
      out.lines.push_back("if (" + test(lane) + ")");
    const size_t begin = out.lines.size();
    printLane(stmt->body, lane, out);
    if (!isBlock && out.lines.size() > begin + 1)
      putInBraces(out, begin);
  }
  out.lines.insert(out.lines.end(), {"}", "}"});
  return failed.empty();
}

} // namespace clopt
