//===- RelayoutConstants.cpp - buffers in constant memory -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The further kernel takes the same buffer as a pointer to constant memory: no
// copy, but a condition on its size. Only what all work-items of a group read
// alike may go there, because constant memory serves different cells one after
// the other (Chen and Wu, Algorithm 3; Fang, 2017, section 3.3).
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/RelayoutImpl.h"

#include "Analysis/access/Attributes.h"

#include <algorithm>

namespace clopt {

/// What OpenCL 1.2 guarantees, of arguments in constant memory.
static constexpr unsigned maxConstants = 8;

bool LayoutWriter::collectConstant(const CopyRequest &request) {
  const Array &array = model.arrays[request.array];
  const ArrayAttributes own = arrayAttributes(model)[request.array];
  const std::string &name = array.name;
  bool isBuffer =
      array.var && array.var->isParam && array.space == AddressSpace::Global;
  if (!isBuffer)
    return fail("clopt-not-profitable",
                "'" + name + "' is no buffer of the host");
  if (!own.isReadOnly)
    return fail("clopt-dependence",
                "'" + name + "' is written, and constant memory is only read");
  if (!own.isUniform)
    return fail("clopt-not-profitable",
                "work-items read different cells of '" + name +
                    "' at once, which constant memory serves one after the "
                    "other");
  auto isConstant = [](const Array &other) {
    return other.space == AddressSpace::Constant && other.var &&
           other.var->isParam;
  };
  unsigned count = static_cast<unsigned>(
      std::count_if(model.arrays.begin(), model.arrays.end(), isConstant));
  for (const CopyRequest &other : requests)
    count += other.isConstant;
  if (count > maxConstants)
    return fail("clopt-not-profitable", "a kernel has at most " +
                                            std::to_string(maxConstants) +
                                            " arguments in constant memory");
  Copy copy;
  copy.array = request.array;
  copy.isConstant = true;
  copy.name = options.fresh(name + "_constant");
  result.copies.push_back(copy.name);
  copies.push_back(std::move(copy));
  return true;
}

/// The variable that a pointer is computed from, `a` of `a + 2 * i`.
static const Expr *startOf(const ExprRef &pointer) {
  const Expr *expr = withoutCasts(pointer.get());
  bool isSum = expr->kind == ExprKind::Binary &&
               (expr->op == Op::Add || expr->op == Op::Sub);
  return isSum ? startOf(expr->operands[0]) : expr;
}

/// The pointer may only be used where its address space is not part of a type
/// that is written down: in subscripts, dereferences and vloadN.
bool LayoutWriter::assignConstant(unsigned index) {
  Copy &copy = copies[index];
  const Variable *pointer = model.arrays[copy.array].var;
  std::set<const Expr *> uses, known; // only counted, never walked
  forEachExpr(model.function->body, [&](const ExprRef &expr) {
    const Expr *start = nullptr;
    if (expr->kind == ExprKind::VarRef && expr->var == pointer)
      uses.insert(expr.get());
    if (expr->kind == ExprKind::Subscript ||
        (expr->kind == ExprKind::Unary && expr->op == Op::Deref))
      start = startOf(expr->operands[0]);
    else if (isVectorLoad(*expr))
      start = startOf(expr->operands[1]);
    if (!start || start->kind != ExprKind::VarRef || start->var != pointer ||
        !known.insert(start).second)
      return;
    const SourceRange &range = start->range;
    const SourceRange &body = model.function->bodyRange;
    if (!range.isEditable() || range.begin < body.begin ||
        range.end > body.end ||
        !replace(range, copy.name, "'" + arrayName(copy) + "'"))
      known.erase(start);
  });
  if (uses != known || uses.empty())
    return fail("clopt-opaque-code",
                "'" + arrayName(copy) +
                    "' is used otherwise than in subscripts, or in macros");
  for (const Access &access : model.accesses) {
    if (access.array != copy.array)
      continue;
    if (!access.expr || access.isOrdered)
      return fail("clopt-ordered-effect", "'" + arrayName(copy) +
                                              "' has accesses in a fixed "
                                              "order, or by functions");
    copy.accesses.insert(access.id);
  }
  return true;
}

void LayoutWriter::makeConstant(const Copy &copy) {
  const std::string &name = arrayName(copy);
  require("buffer_bytes(" + name + ") <= CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE",
          "constant memory holds '" + name + "'");
}

} // namespace clopt
