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

/// The operand in its own type, also where the language has cast it.
static std::string inOwnType(const ExprRef &expr, int precedence,
                             const PrintHooks &hooks) {
  if (expr->kind != ExprKind::Cast || !expr->implicit)
    return printOperand(expr, precedence, hooks);
  auto cast = std::make_shared<Expr>(*expr);
  cast->implicit = false;
  return printOperand(cast, precedence, hooks);
}

/// What the launch has to be asked for: that the counter has room for a step,
/// and lanes beyond it, above the bound.
static std::string fitsBelow(const Function &kernel, const StrideLoop &loop,
                             int64_t room) {
  const StrideLimits limits = *limitsAtEntry(kernel, loop);
  const bool isCounter = limits.step->type.scalar == loop.var->type.scalar;
  return "(ulong)" + inOwnType(limits.bound, PrecUnary, {}) + " + " +
         (isCounter ? inOwnType(limits.step, PrecUnary, {})
                    : "(uint)" + printOperand(limits.step, PrecUnary)) +
         " <= " + std::to_string((int64_t(1) << 32) - room);
}

/// As large as the sum of ids and sizes can get in the launch, or more; empty
/// for local ids, which always fit.
static std::string mostOf(const KernelModel &model, const Polynomial &sum) {
  std::string text;
  for (const auto &[monomial, factor] : sum.terms) {
    std::string term =
        factor == 1 && !monomial.empty() ? "" : std::to_string(factor) + "ul";
    for (SymbolId id : monomial) {
      const Symbol &symbol = model.symbols[id];
      const WorkItemQuery size =
          symbol.kind == SymbolKind::GlobalId  ? WorkItemQuery::GlobalSize
          : symbol.kind == SymbolKind::LocalId ? WorkItemQuery::LocalSize
          : symbol.kind == SymbolKind::GroupId ? WorkItemQuery::NumGroups
                                               : *queryOf(symbol.kind);
      std::string value = printWorkItem(size, symbol.dim);
      if (symbol.kind == SymbolKind::GlobalId) {
        value = printWorkItem(WorkItemQuery::GlobalOffset, symbol.dim) + " + " +
                value;
        if (factor != 1 || monomial.size() > 1)
          value = "(" + value + ")";
      }
      term += (term.empty() ? "" : " * ") + value;
    }
    text += (text.empty() ? "" : " + ") + term;
  }
  const std::optional<SymbolId> single = sum.asSymbol();
  return single && model.symbols[*single].kind == SymbolKind::LocalId ? ""
                                                                      : text;
}

bool StatementPrinter::printAdvancing(const StmtRef &stmt, int64_t distance,
                                      PrintedStatement &out) {
  const std::optional<StrideLoop> loop = readStrideLoop(*stmt);
  PrintedStatement init;
  if (!loop || !printPart(stmt->init, init) || init.lines.size() != 1)
    return false;
  const std::string name = nameOf(*loop->var);
  const Type &type = loop->var->type;
  const std::string bound =
      inOwnType(loop->bound, rightPrecedence(Op::Lt), hooks(0));
  if (type.isUnsigned() && type.size < 8) {
    environment.asked.insert(
        fitsBelow(*model.function, *loop, (lanes() - 1) * distance));
    const std::string most =
        mostOf(model, *environment.divergence->plainFirst(*loop));
    if (!most.empty())
      environment.asked.insert(most + " <= 4294967296");
  }
  auto test = [&](unsigned lane) {
    if (lane == 0)
      return name + " < " + bound;
    return (type.size < 8 ? "(long)" : "") + name + " + " +
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
