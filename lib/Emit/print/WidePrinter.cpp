//===- WidePrinter.cpp - expressions over lanes ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns expressions into OpenCL vectors, component by component the same
// operations in the same order, so results are bit-equal. Where C and OpenCL
// vectors differ, the text says what C means: vectors are never promoted, so
// conversions are written out; comparisons give 0 and -1 instead of 0 and 1.
//
// Evaluated for lanes that C would skip is only what cannot fault: no load, no
// division by something that may be zero.
//
// Tested by test/unit/StatementPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/print/StatementPrinter.h"

#include "Analysis/access/LaneAxis.h"
#include "Analysis/access/LaneForms.h"
#include "Analysis/access/LanePlanes.h"
#include "Analysis/access/VectorBuiltins.h"
#include "Model/Wrap.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <utility>

namespace clopt {

std::string StatementPrinter::vectorOf(ScalarKind kind) const {
  return typeName(kind, lanes());
}

/// The text as a vector; scalars are repeated.
StatementPrinter::MaybeWide StatementPrinter::asVector(Wide value,
                                                       ScalarKind kind) {
  value = asValue(value, kind);
  if (value.isVector)
    return value;
  value.text = {"(" + vectorOf(kind) + ")(" + value.text.text + ")",
                PrecPostfix};
  value.isVector = true;
  value.kind = kind;
  return value;
}

/// A mask (0, -1) as the value C's comparison has (0, 1), in `kind`.
StatementPrinter::Wide StatementPrinter::asValue(Wide value, ScalarKind kind) {
  if (!value.isMask)
    return value;
  std::string text = "-" + atLeast(value.text, PrecPrimary);
  value.text = {text, PrecUnary};
  if (value.kind != kind)
    value.text = {"convert_" + vectorOf(kind) + "(" + text + ")", PrecPostfix};
  value.isMask = false;
  value.kind = kind;
  return value;
}

/// Lanes as 0 or -1 of the signed integer type `kind`.
StatementPrinter::MaybeWide StatementPrinter::asMask(Wide value,
                                                     ScalarKind kind) {
  if (!value.isVector) {
    value.text = {"(" + vectorOf(kind) + ")(" +
                      atLeast(value.text, PrecEquality) + " != 0 ? -1 : 0)",
                  PrecPostfix};
    value.isVector = value.isMask = true;
    value.kind = kind;
    return value;
  }
  if (!value.isMask) {
    // A scalar beside a vector must not have the greater rank.
    bool isNarrow = value.kind <= ScalarKind::UShort;
    value.text = {atLeast(value.text, PrecEquality) + " != " +
                      (isNarrow ? "(" + vectorOf(value.kind) + ")(0)" : "0"),
                  PrecEquality};
    value.kind = signedOfSameSize(value.kind);
    value.isMask = true;
  }
  if (value.kind == kind)
    return value;
  value.text = {"convert_" + vectorOf(kind) + "(" + value.text.text + ")",
                PrecPostfix};
  value.kind = kind;
  return value;
}

StatementPrinter::MaybeWide StatementPrinter::toMask(const ExprRef &expr,
                                                     ScalarKind kind) {
  MaybeWide value = widen(expr);
  return value ? asMask(*value, kind) : std::nullopt;
}

//===-- Leaves
//--------------------------------------------------------------===//

StatementPrinter::MaybeWide
StatementPrinter::widenLaneStride(const ExprRef &expr, const PrintedText &base,
                                  const Polynomial &laneStride) {
  if (!expr->type.isInteger() || !expr->type.isScalar())
    return std::nullopt;
  ScalarKind kind = expr->type.scalar;
  std::optional<int64_t> constant = laneStride.asConstant();
  std::string steps = "(" + vectorOf(kind) + ")(";
  for (unsigned lane = 0; lane < lanes(); ++lane) {
    int64_t step = lane * constant.value_or(1);
    // As a component of a small type holds it.
    steps += (lane ? ", " : "") +
             std::to_string(sizeOf(kind) < 4 ? wrapTo(kind, step) : step);
  }
  steps += ")";
  if (!constant)
    steps +=
        " * (" + typeName(kind) + ")" +
        atLeast(polynomial(laneStride, *site, expr->type.size > 4), PrecUnary);
  Wide result;
  result.text = {atLeast(base, PrecAdditive) + " + " + steps, PrecAdditive};
  result.isVector = true;
  result.kind = kind;
  return result;
}

StatementPrinter::MaybeWide
StatementPrinter::widenVariable(const ExprRef &expr) {
  const Variable &variable = *expr->var;
  if (auto symbol = coordinateOf(&variable)) {
    auto value = model.values.find(expr.get());
    if (value != model.values.end()) {
      std::optional<Polynomial> laneStride =
          environment.divergence->laneStrideOf(value->second);
      if (!laneStride)
        return std::nullopt;
      PrintedText base = coordinateText(*symbol, 0, variable.type);
      return widenLaneStride(expr, base, *laneStride);
    }
  }
  if (variable.type.isVector() && part) {
    if (!isPlanes(variable))
      return hasLaneCells(variable) ? widenPart(expr, *expr) : std::nullopt;
    Wide plane;
    plane.text = {planeName(variable, *part), PrecPrimary};
    plane.isVector = true;
    plane.kind = variable.type.scalar;
    return plane;
  }
  if (!variable.type.isScalar())
    return std::nullopt;
  const VariableDivergence &known =
      environment.divergence->ofVariable(&variable);
  std::string name = nameOf(variable);
  if (known.laneStride)
    return widenLaneStride(expr, {name, PrecPrimary}, *known.laneStride);
  Wide result;
  result.text = {name, PrecPrimary};
  result.isVector = true;
  result.kind = variable.type.scalar;
  return result;
}

std::string StatementPrinter::cellOf(const Expr &lvalue, int lane) {
  ExprRef alias(ExprRef(), &lvalue);
  return printOperand(alias, PrecUnary, hooks(lane));
}

/// Of the lane's cell, as what binds as tightly as `precedence`.
std::string StatementPrinter::addressOf(const Expr &lvalue, int lane,
                                        int precedence) {
  const PrintHooks replaced = hooks(lane);
  if (lvalue.kind == ExprKind::Unary && lvalue.op == Op::Deref &&
      !replaced.expr(lvalue))
    return printOperand(lvalue.operands[0], precedence, replaced);
  return "&" + cellOf(lvalue, lane);
}

/// The same for functions of vectors, behind which more may be added.
std::string StatementPrinter::vectorAddress(const Expr &lvalue, bool isRead) {
  if (!lvalue.type.isSignedChar || tileOf(lvalue))
    return addressOf(lvalue, 0, PrecAdditive);
  const Array &array = model.arrays[model.accessOf(lvalue)->array];
  return "(" + pointerTo(array, 1, isRead) + ")" + addressOf(lvalue, 0);
}

/// The lanes' cells, `stride` elements apart, by vector loads.
std::string StatementPrinter::wideLoad(const Expr &lvalue, int64_t stride) {
  unsigned width = lanes();
  std::string type = vectorOf(lvalue.type.scalar);
  std::string address = vectorAddress(lvalue, true);
  auto load = [](unsigned lanes, const std::string &at) {
    return "vload" + std::to_string(lanes) + "(0, " + at + ")";
  };
  if (stride == 1 && tileOf(lvalue))
    return isAlignedInTile(lvalue) ? "*(__local const " + type + " *)" + address
                                   : load(width, address);
  unsigned piece = kernel.loadLanes ? std::min(kernel.loadLanes, width) : width;
  if (stride == 1 && piece == width)
    return load(width, address);
  if (stride == 1) {
    std::string text = "(" + type + ")(";
    for (unsigned at = 0; at < width; at += piece) {
      std::string place =
          at == 0 ? address : address + " + " + std::to_string(at);
      if (piece == 1)
        place = cellOf(lvalue, static_cast<int>(at));
      text += (at ? ", " : "") + (piece == 1 ? place : load(piece, place));
    }
    return text + ")";
  }
  // From the lowest cell on; reversed access begins at the last lane.
  int64_t size = stride < 0 ? -stride : stride;
  int64_t span = (width - 1) * size + 1;
  std::string lowest = address;
  if (stride < 0)
    lowest += " - " + std::to_string(span - 1);
  // First cell, components
  std::vector<std::pair<int64_t, std::vector<char>>> groups;
  for (unsigned lane = 0; lane < width; ++lane) {
    int64_t cell = stride < 0 ? span - 1 - lane * size : lane * size;
    int64_t start = std::min<int64_t>(cell / width * width, span - width);
    if (groups.empty() || groups.back().first != start)
      groups.emplace_back(start, std::vector<char>());
    groups.back().second.push_back(
        laneDigit(static_cast<unsigned>(cell - start)));
  }
  std::vector<std::string> parts;
  for (const auto &[start, components] : groups) {
    std::string at = lowest;
    if (start)
      at += " + " + std::to_string(start);
    if (stride < 0 && start)
      at = address + " - " + std::to_string(span - 1 - start);
    if (stride < 0 && start == span - 1)
      at = address;
    // Vectors of 5 to 7 and of 9 to 15 components do not exist.
    auto next = components.begin();
    while (next != components.end()) {
      std::ptrdiff_t count = components.end() - next;
      if (count > 4 && count != 8 && count != 16)
        count = 4;
      parts.push_back(load(width, at) + ".s" + std::string(next, next + count));
      next += count;
    }
  }
  if (parts.size() == 1)
    return parts[0];
  std::string text = "(" + type + ")(";
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i ? ", " : "") + parts[i];
  return text + ")";
}

/// Cells between those of neighbouring lanes, where cells lie as declared.
std::optional<Polynomial>
StatementPrinter::laneStrideOf(const Polynomial &offset, unsigned array) const {
  std::optional<Polynomial> stride =
      environment.divergence->laneStrideOf(offset);
  const bool isElsewhere = kernel.paddingOf(array) || kernel.layoutOf(array);
  return stride && isElsewhere && !stride->isZero() ? std::nullopt : stride;
}

/// Cells between those of neighbouring lanes, of an access whose place is not
/// known to the model.
std::optional<Polynomial>
StatementPrinter::laneStrideByText(const Expr &lvalue, unsigned array) const {
  if (kernel.paddingOf(array) || kernel.layoutOf(array) ||
      kernel.registerLayouts.count(array))
    return std::nullopt;
  const std::optional<int64_t> step =
      environment.divergence->laneStepOfCell(lvalue, array);
  return step ? std::optional<Polynomial>(Polynomial(*step)) : std::nullopt;
}

/// Longest stride that is still loaded whole and permuted.
static constexpr int64_t maximumPermutedStride = 4;

StatementPrinter::MaybeWide StatementPrinter::widenLoad(const ExprRef &expr) {
  auto read = model.reads.find(expr.get());
  if (read == model.reads.end() || !expr->type.isScalar())
    return std::nullopt;
  const Access &access = model.accesses[read->second];
  const Array &array = model.arrays[access.array];
  if (array.space == AddressSpace::Private || access.isOrdered)
    return std::nullopt;
  std::optional<Polynomial> laneStride;
  bool isStaged = tileOf(*expr).has_value();
  if (isStaged)
    laneStride = laneStrideInTile(*expr);
  else if (access.offset && access.width == 1)
    laneStride = laneStrideOf(*access.offset, access.array);
  else if (access.width == 1)
    laneStride = laneStrideByText(*expr, access.array);
  std::optional<int64_t> stride =
      laneStride ? laneStride->asConstant() : std::nullopt;
  Wide result;
  result.kind = expr->type.scalar;
  bool permuted = stride && *stride != 0 && !isStaged &&
                  kernel.registerLayouts.count(access.array) &&
                  *stride >= -maximumPermutedStride &&
                  *stride <= maximumPermutedStride &&
                  (*stride == -1 || !writtenArrays(model).count(access.array));
  if (stride && *stride == 0) {
    result.text = {printOperand(expr, PrecUnary, hooks(0)), PrecUnary};
    return result;
  }
  bool isPlainElement =
      isLaneType(array.elementType) && array.elementType.scalar == result.kind;
  if (isPlainElement && stride && *stride == 1)
    if (std::optional<unsigned> first = misalignment(access)) {
      result.text = {alignedLoad(*expr, access, *first), PrecUnary};
      result.isVector = true;
      return result;
    }
  if (isPlainElement && ((stride && *stride == 1) || permuted)) {
    result.text = collectedLanes(*expr, *stride);
    result.isVector = true;
    return result;
  }
  return lanewise(expr);
}

/// (float4)(e of lane 0, e of lane 1, ...)
StatementPrinter::MaybeWide StatementPrinter::lanewise(const ExprRef &expr) {
  if (!expr->type.isScalar() || expr->type.scalar == ScalarKind::Bool)
    return std::nullopt;
  std::string text = "(" + vectorOf(expr->type.scalar) + ")(";
  for (unsigned lane = 0; lane < lanes(); ++lane)
    text += (lane ? ", " : "") +
            printOperand(expr, PrecAssign, hooks(static_cast<int>(lane)));
  Wide result;
  result.text = {text + ")", PrecPostfix};
  result.isVector = true;
  result.kind = expr->type.scalar;
  return result;
}

//===-- Components of vectors --------------------------------------------===//

/// A scalar, or a vector of which one component is printed.
bool StatementPrinter::isNumber(const Type &type) const {
  return type.isScalar() || (part && type.isVector());
}

/// `.x`, for the component that is printed.
std::string StatementPrinter::componentOf(const Type &type) const {
  return "." + componentName(type, *part);
}

/// One component of a vector, or a scalar as it is.
StatementPrinter::MaybeWide
StatementPrinter::widenComponent(const ExprRef &expr, unsigned component) {
  const std::optional<unsigned> outer = part;
  part =
      expr->type.isVector() ? std::optional<unsigned>(component) : std::nullopt;
  MaybeWide result = widen(expr);
  part = outer;
  return result;
}

/// The component of `(float4)(a, b.xy, c)`.
StatementPrinter::MaybeWide
StatementPrinter::widenLiteral(const ExprRef &expr) {
  unsigned at = 0;
  for (const ExprRef &operand : expr->operands) {
    const unsigned count = operand->type.lanes;
    if (expr->operands.size() > 1 && *part >= at + count) {
      at += count;
      continue;
    }
    MaybeWide value =
        widenComponent(operand, expr->operands.size() > 1 ? *part - at : *part);
    if (!value)
      return std::nullopt;
    value = asValue(*value, expr->type.scalar);
    return value->kind == expr->type.scalar ? value : std::nullopt;
  }
  return std::nullopt;
}

/// The component of the vectors that lanes read, side by side where they lie so
/// in memory; `read`: what the access is of.
StatementPrinter::MaybeWide StatementPrinter::widenPart(const ExprRef &vector,
                                                        const Expr &read) {
  Wide result;
  result.isVector = true;
  result.kind = vector->type.scalar;
  const unsigned count = vector->type.lanes, all = count * lanes();
  auto found = model.reads.find(&read);
  const Access *access =
      found == model.reads.end() ? nullptr : &model.accesses[found->second];
  const bool isWhole =
      access && access->offset && access->width == 1 && !access->isOrdered &&
      (count == 2 || count == 4) && !tileOf(*vector) &&
      model.arrays[access->array].space == AddressSpace::Global &&
      model.arrays[access->array].elementType.isVector() &&
      model.arrays[access->array].elementType.lanes == count &&
      laneStrideOf(*access->offset, access->array) == Polynomial(1);
  if (!isWhole) {
    std::string text;
    for (unsigned lane = 0; lane < lanes(); ++lane)
      text += (lane ? ", " : "") +
              printOperand(vector, PrecPostfix, hooks(static_cast<int>(lane))) +
              componentOf(vector->type);
    result.text = {"(" + vectorOf(result.kind) + ")(" + text + ")",
                   PrecPostfix};
    return result;
  }
  const unsigned longest = std::min(all, 16u);
  std::string places, text;
  for (unsigned at = *part; at < longest; at += count)
    places += laneDigit(at);
  for (unsigned at = 0; at < all; at += longest)
    text += (at ? ", " : "") + std::string("vload") + std::to_string(longest) +
            "(" + std::to_string(at / longest) + ", (" +
            pointerTo(model.arrays[access->array], 1, true) + ")" +
            addressOf(*vector, 0) + ").s" + places;
  result.text = {all > longest ? "(" + vectorOf(result.kind) + ")(" + text + ")"
                               : text,
                 PrecPostfix};
  return result;
}

//===-- Operators
//-----------------------------------------------------------===//

/// A term of a floating-point sum. Compilers may round `a * b + c` once, and
/// look for the product in the text (`FP_CONTRACT`, on by default): one that
/// all lanes share stays a product beside a vector, so that both texts round
/// alike.
StatementPrinter::Wide StatementPrinter::asTerm(const ExprRef &expr,
                                                Wide value) {
  const Expr *term = expr.get();
  while (term->kind == ExprKind::Cast && term->implicit &&
         term->operands[0]->type.scalar == term->type.scalar)
    term = term->operands[0].get();
  bool isProduct = !value.isVector && term->kind == ExprKind::Binary &&
                   term->op == Op::Mul && isNumber(term->type) &&
                   !term->type.isInteger();
  if (!isProduct || hooks(0).expr(*term))
    return value;
  MaybeWide left = widen(term->operands[0]), right = widen(term->operands[1]);
  if (!left || !right || left->isMask || right->isMask ||
      left->kind != value.kind || right->kind != value.kind)
    return value;
  value = *asVector(*right, value.kind);
  value.text = {atLeast(left->text, PrecMultiplicative) + " * " +
                    value.text.text,
                PrecMultiplicative};
  return value;
}

StatementPrinter::MaybeWide StatementPrinter::widenUnary(const ExprRef &expr) {
  MaybeWide operand = widen(expr->operands[0]);
  if (!operand)
    return std::nullopt;
  if (!operand->isVector) {
    Wide result;
    result.text = scalar(expr, 0);
    result.kind = expr->type.scalar;
    return result;
  }
  if (expr->op == Op::LNot) {
    if (expr->type.isVector())
      return std::nullopt;
    ScalarKind kind = signedOfSameSize(operand->kind);
    MaybeWide mask = asMask(*operand, kind);
    if (!mask)
      return std::nullopt;
    mask->text = {"~" + atLeast(mask->text, PrecPrimary), PrecUnary};
    return mask;
  }
  Wide value = asValue(*operand, expr->type.scalar);
  if (expr->op == Op::Plus)
    return value;
  if (expr->op != Op::Neg && expr->op != Op::Not)
    return std::nullopt;
  const char *sign = expr->op == Op::Neg ? "-" : "~";
  value.text = {sign + atLeast(value.text, PrecPostfix), PrecUnary};
  return value;
}

StatementPrinter::MaybeWide
StatementPrinter::widenLogical(const ExprRef &expr) {
  const ExprRef &left = expr->operands[0], &right = expr->operands[1];
  if (!isSafeBehind(kernel, left, right))
    return std::nullopt;
  MaybeWide a = widen(left), b = widen(right);
  if (!a || !b)
    return std::nullopt;
  if (!a->isVector && !b->isVector) {
    Wide result;
    result.text = scalar(expr, 0);
    result.kind = expr->type.scalar;
    return result;
  }
  ScalarKind kind =
      a->isVector ? signedOfSameSize(a->kind) : signedOfSameSize(b->kind);
  a = asMask(*a, kind);
  b = asMask(*b, kind);
  if (!a || !b)
    return std::nullopt;
  bool both = expr->op == Op::LAnd;
  int precedence = both ? PrecAnd : PrecOr;
  a->text = {atLeast(a->text, PrecUnary) + (both ? " & " : " | ") +
                 atLeast(b->text, PrecUnary),
             precedence};
  return a;
}

StatementPrinter::MaybeWide StatementPrinter::widenBinary(const ExprRef &expr) {
  if (expr->op == Op::LAnd || expr->op == Op::LOr)
    return widenLogical(expr);
  if (expr->op == Op::Comma)
    return std::nullopt;
  MaybeWide a = widen(expr->operands[0]), b = widen(expr->operands[1]);
  if (!a || !b)
    return std::nullopt;
  const Type &type = expr->operands[0]->type;
  if (!isNumber(type) || !isNumber(expr->operands[1]->type))
    return std::nullopt;
  if (type.isVector() &&
      (isComparison(expr->op) || expr->type.lanes != type.lanes))
    return std::nullopt;
  const bool isSum = expr->op == Op::Add || expr->op == Op::Sub;
  if (isSum &&
      (hidesProduct(expr->operands[0]) || hidesProduct(expr->operands[1])))
    return std::nullopt;
  if (!a->isVector && !b->isVector) {
    // Equal for all lanes after all.
    Wide result;
    result.text = scalar(expr, 0);
    result.kind = expr->type.scalar;
    return result;
  }
  bool isShift = expr->op == Op::Shl || expr->op == Op::Shr;
  Wide left = asValue(*a, type.scalar);
  Wide right =
      asValue(*b, isShift ? expr->operands[1]->type.scalar : type.scalar);
  if (isSum) {
    left = asTerm(expr->operands[0], left);
    right = asTerm(expr->operands[1], right);
  }
  if (!isShift && expr->operands[1]->type.scalar != type.scalar)
    return std::nullopt;
  if (isShift) {
    // Both operands of a vector shift have the same number of components.
    if (!left.isVector)
      left = *asVector(left, type.scalar);
    if (right.isVector && right.kind != type.scalar)
      right.text = {"convert_" + vectorOf(type.scalar) + "(" + right.text.text +
                        ")",
                    PrecPostfix};
  }
  int precedence = binaryPrecedence(expr->op);
  Wide result;
  result.isVector = true;
  result.kind = expr->type.scalar;
  result.text = {
      atLeast(left.text, leftPrecedence(expr->op, expr->operands[0])) + " " +
          operatorText(expr->op) + " " +
          atLeast(right.text, rightPrecedence(expr->op)),
      precedence};
  if (isComparison(expr->op)) {
    result.isMask = true;
    result.kind = signedOfSameSize(type.scalar);
  }
  return result;
}

std::string StatementPrinter::select(const Wide &ifFalse, const Wide &ifTrue,
                                     const Wide &mask) const {
  return "select(" + ifFalse.text.text + ", " + ifTrue.text.text + ", " +
         mask.text.text + ")";
}

StatementPrinter::MaybeWide
StatementPrinter::widenConditional(const ExprRef &expr) {
  ScalarKind kind = expr->type.scalar;
  MaybeWide yes = widen(expr->operands[1]), no = widen(expr->operands[2]);
  if (!yes || !no || !expr->type.isScalar())
    return std::nullopt;
  yes = asVector(*yes, kind);
  no = asVector(*no, kind);
  Wide result;
  result.isVector = true;
  result.kind = kind;
  if (!varies(expr->operands[0])) {
    PrintedText test = scalar(expr->operands[0], 0);
    result.text = {atLeast(test, PrecLOr) + " ? " + yes->text.text + " : " +
                       no->text.text,
                   PrecConditional};
    return result;
  }
  for (const ExprRef &behind : llvm::drop_begin(expr->operands))
    if (!isSafeBehind(kernel, expr->operands[0], behind))
      return std::nullopt;
  MaybeWide mask = toMask(expr->operands[0], signedOfSameSize(kind));
  if (!mask)
    return std::nullopt;
  result.text = {select(*no, *yes, *mask), PrecPostfix};
  return result;
}

StatementPrinter::MaybeWide StatementPrinter::widenCast(const ExprRef &expr) {
  MaybeWide operand = widen(expr->operands[0]);
  if (!operand || !isNumber(expr->type) || !isNumber(expr->operands[0]->type))
    return std::nullopt;
  ScalarKind kind = expr->type.scalar;
  if (kind == ScalarKind::Bool)
    return asMask(*operand, signedOfSameSize(operand->kind));
  if (operand->isMask)
    return asValue(*operand, kind);
  if (operand->kind == kind)
    return operand;
  if (!operand->isVector) {
    operand->text = {"(" + typeName(kind) + ")" +
                         atLeast(operand->text, PrecUnary),
                     PrecUnary};
    operand->kind = kind;
    return operand;
  }
  operand->text = {"convert_" + vectorOf(kind) + "(" + operand->text.text + ")",
                   PrecPostfix};
  operand->kind = kind;
  return operand;
}

//===-- Calls
//---------------------------------------------------------------===//

/// A call that converts one half, for all lanes at once where theirs lie side
/// by side; `value`: what it stores.
std::optional<std::string>
StatementPrinter::wideHalves(const Expr &call, const std::string &value) {
  const auto &places = value.empty() ? model.reads : model.writes;
  auto place = places.find(&call);
  if (place == places.end())
    return std::nullopt;
  const Access &access = model.accesses[place->second];
  if (!access.offset || access.width != 1 || access.isOrdered ||
      laneStrideOf(*access.offset, access.array) != Polynomial(1))
    return std::nullopt;
  const ExprRef &pointer = call.operands.back(),
                &index = call.operands[call.operands.size() - 2];
  return (value.empty() ? "vload_half" : "vstore_half") +
         std::to_string(lanes()) + call.suffix + "(" + value +
         (value.empty() ? "0, " : ", 0, ") +
         printOperand(pointer, PrecAdditive, hooks(0)) + " + " +
         printOperand(index, PrecMultiplicative, hooks(0)) + ")";
}

StatementPrinter::MaybeWide StatementPrinter::widenCall(const ExprRef &expr) {
  if (expr->family == CallFamily::LoadHalf && expr->type.isScalar())
    if (std::optional<std::string> load = wideHalves(*expr, "")) {
      Wide result;
      result.text = {*load, PrecPostfix};
      result.isVector = true;
      result.kind = expr->type.scalar;
      return result;
    }
  if (expr->effect != CallEffect::Pure || !isNumber(expr->type))
    return std::nullopt;
  std::optional<std::string> name =
      vectorBuiltin(*expr, lanes(), kernel.model->unit->unsafeMath);
  if (!name)
    return part ? std::nullopt : lanewise(expr);
  std::string text = *name + "(";
  for (size_t i = 0; i < expr->operands.size(); ++i) {
    MaybeWide argument = widen(expr->operands[i]);
    if (!argument || !isNumber(expr->operands[i]->type))
      return std::nullopt;
    argument = asVector(*argument, expr->operands[i]->type.scalar);
    text += (i ? ", " : "") + argument->text.text;
  }
  Wide result;
  result.text = {text + ")", PrecPostfix};
  result.isVector = true;
  result.kind = expr->type.scalar;
  return result;
}

StatementPrinter::MaybeWide StatementPrinter::widen(const ExprRef &expr) {
  if (part && !expr->type.isVector())
    return widenComponent(expr, 0);
  if (auto operand = kernel.replacements.find(expr.get());
      operand != kernel.replacements.end())
    return widen(operand->second);
  if (part && copyOfExpr(kernel, *expr))
    return std::nullopt;
  if (copyOfExpr(kernel, *expr)) {
    Wide result;
    result.text = *copyText(*expr, -1);
    result.isVector = varies(expr);
    result.kind = expr->type.scalar;
    return result;
  }
  if (part && expr->kind == ExprKind::VectorLiteral)
    return widenLiteral(expr);
  if (part && expr->kind == ExprKind::Cast &&
      expr->operands[0]->type.isScalar())
    return widenCast(expr);
  if (!varies(expr)) {
    Wide result;
    if (!isNumber(expr->type))
      return std::nullopt;
    result.text = scalar(expr, 0);
    if (part)
      result.text = {printOperand(expr, PrecPostfix, hooks(0)) +
                         componentOf(expr->type),
                     PrecPostfix};
    result.kind = expr->type.scalar;
    return result;
  }
  switch (expr->kind) {
  case ExprKind::VarRef:
    return widenVariable(expr);
  case ExprKind::WorkItem: {
    const bool isWithin = kernel.hasGroupLanes();
    const bool isId = expr->query == WorkItemQuery::GlobalId ||
                      (isWithin && expr->query == WorkItemQuery::LocalId);
    if (!isId || !laneIdOf(model, expr->dim))
      return std::nullopt;
    return widenLaneStride(expr, scalar(expr, 0), Polynomial(1));
  }
  case ExprKind::Subscript: {
    if (part)
      return widenPart(expr, *expr);
    const Expr *base = expr->operands[0].get();
    while (base->kind == ExprKind::Cast || base->kind == ExprKind::Subscript)
      base = base->operands[0].get();
    bool isPrivate =
        base->kind == ExprKind::VarRef && base->var->type.isArray() &&
        base->var->space == AddressSpace::Private && !base->var->isFileScope;
    if (!isPrivate)
      return widenLoad(expr);
    for (const Expr *at = expr.get();
         at->kind == ExprKind::Subscript || at->kind == ExprKind::Cast;
         at = at->operands[0].get())
      if (at->kind == ExprKind::Subscript && varies(at->operands[1]))
        return lanewise(expr);
    Wide result;
    result.text = {printOperand(expr, PrecUnary, hooks(-1)), PrecUnary};
    result.isVector = true;
    result.kind = expr->type.scalar;
    return expr->type.isScalar() ? MaybeWide(result) : std::nullopt;
  }
  case ExprKind::Unary:
    if (expr->op == Op::Deref)
      return widenLoad(expr);
    return widenUnary(expr);
  case ExprKind::Member: {
    const Expr *whole = expr.get();
    while (whole->kind == ExprKind::Member)
      whole = withoutCasts(whole->operands[0].get());
    return whole->kind == ExprKind::VarRef && hasLaneCells(*whole->var)
               ? lanewise(expr)
               : widenLoad(expr);
  }
  case ExprKind::Swizzle: {
    if (!isSideEffectFree(expr))
      return std::nullopt;
    const unsigned component = expr->components[part.value_or(0)];
    if (model.reads.count(expr.get()) &&
        expr->operands[0]->kind == ExprKind::Subscript) {
      const std::optional<unsigned> outer = std::exchange(part, component);
      MaybeWide result = widenPart(expr->operands[0], *expr);
      part = outer;
      return result;
    }
    MaybeWide value = widenComponent(expr->operands[0], component);
    return value || part ? value : lanewise(expr);
  }
  case ExprKind::Binary:
    return widenBinary(expr);
  case ExprKind::Conditional:
    return widenConditional(expr);
  case ExprKind::Cast:
    if (flatIdOf(*expr))
      return widenLaneStride(expr, scalar(expr, 0), Polynomial(1));
    return widenCast(expr);
  case ExprKind::Call:
    return widenCall(expr);
  default:
    return std::nullopt;
  }
}

} // namespace clopt
