//===- EqualConditions.cpp - one condition for what several points do -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A statement under a condition of the author's is written once for every point
// of a tile. Where the condition is the same for all of them, it is asked once:
// one branch in place of several, and what the points read under it in common
// stands in one block, where compilers load it once. Legal when no point
// changes what the condition reads: a private variable that a point changes has
// a name of its own, so that the texts would differ; memory must not be
// written.
//
// Tested by test/unit/EqualConditionsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"

#include <algorithm>

namespace clopt {

/// True when asking once is as good as asking again, as long as memory is what
/// it was: `readsMemory` says whether that matters.
static bool isSteady(const ExprRef &condition, bool &readsMemory) {
  bool isSteady = true;
  forEachExpr(condition, [&](const ExprRef &part) {
    bool isCall = part->kind == ExprKind::Call;
    if (changesTarget(*part) || part->kind == ExprKind::Opaque ||
        part->type.isVolatile || (isCall && part->effect != CallEffect::Pure))
      isSteady = false;
    readsMemory |= isCall || part->kind == ExprKind::Subscript ||
                   part->kind == ExprKind::Member ||
                   (part->kind == ExprKind::Unary && part->op == Op::Deref);
  });
  return isSteady;
}

/// Lines of the statement's body in `text`: `if (..) {`, lines, `}`, or one
/// line without braces.
static std::vector<std::string> bodyLines(const PrintedStatement &text) {
  const std::vector<std::string> &lines = text.lines;
  return {lines.begin() + 1, lines.end() - (text.hasBraces ? 1 : 0)};
}

static void addBody(const PrintedStatement &text, bool inBlock,
                    std::vector<std::string> &lines) {
  const std::string indent = "    ";
  if (inBlock)
    lines.push_back(indent + "{");
  for (const std::string &line : bodyLines(text))
    lines.push_back((inBlock ? indent : "") + line);
  if (inBlock)
    lines.push_back(indent + "}");
}

/// The texts of all points as one, where they ask the same.
void mergeEqualConditions(const KernelModel &model, const Statement &statement,
                          std::vector<PrintedStatement> &printed) {
  if (printed.size() < 2 || !statement.stmt ||
      statement.stmt->kind != StmtKind::If || statement.stmt->elseBody)
    return;
  bool readsMemory = false, declares = false;
  if (!isSteady(statement.stmt->expr, readsMemory))
    return;
  for (unsigned id : statement.accesses)
    if (readsMemory && model.accesses[id].isWrite &&
        model.arrays[model.accesses[id].array].space != AddressSpace::Private)
      return;
  for (const PrintedStatement &text : printed)
    if (!text.isCondition ||
        text.lines.front() != printed.front().lines.front())
      return;
  forEachStmt(statement.stmt->body, [&](const StmtRef &inner) {
    declares |= inner->kind == StmtKind::Decl;
  });
  PrintedStatement all;
  all.lines.push_back(printed.front().lines.front());
  if (!printed.front().hasBraces)
    all.lines.front() += " {";
  for (const PrintedStatement &text : printed) {
    addBody(text, declares, all.lines);
    all.uses.insert(text.uses.begin(), text.uses.end());
  }
  all.lines.emplace_back("}");
  printed = {std::move(all)};
}

} // namespace clopt
