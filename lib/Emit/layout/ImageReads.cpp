//===- ImageReads.cpp - reads of an array as reads of texels --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/ImageReads.h"

namespace clopt {

//===-- What is read ------------------------------------------------------===//

static ExprRef withoutAllCasts(ExprRef expr) {
  while (expr->kind == ExprKind::Cast)
    expr = expr->operands[0];
  return expr;
}

/// False for what changes something, or cannot be written twice.
static bool isRepeatable(const ExprRef &index) {
  bool result = index->range.isEditable();
  forEachExpr(index, [&](const ExprRef &part) {
    bool changes =
        changesTarget(*part) || part->kind == ExprKind::Opaque ||
        (part->kind == ExprKind::Call && part->effect != CallEffect::Pure);
    result &= !changes;
  });
  return result;
}

/// `p += 4`: subscripts of p do not count from the start of its buffer.
static bool isMoved(const KernelModel &model, const Variable *pointer) {
  bool result = pointer->addressTaken;
  forEachExpr(model.function->body, [&](const ExprRef &expr) {
    if (!changesTarget(*expr))
      return;
    ExprRef place = withoutAllCasts(expr->operands[0]);
    result |= place->kind == ExprKind::VarRef && place->var == pointer;
  });
  return result;
}

/// True when the author's text of the index is part of that of the access. In a
/// loop that is written out, a number stands in the place of its variable.
static bool isWritten(const Expr &index, const Expr &access) {
  return index.range.begin > access.range.begin &&
         index.range.end <= access.range.end;
}

/// The author's index, where the access starts at the array itself.
static void takeIndex(const KernelModel &model, const Array &array,
                      const ExprRef &index, const ExprRef &base, unsigned step,
                      ImageRead &read) {
  ExprRef start = withoutAllCasts(base);
  if (start->kind != ExprKind::VarRef || start->var != array.var ||
      !isRepeatable(index) || !isWritten(*index, *read.expr) ||
      isMoved(model, array.var))
    return;
  read.index = index;
  read.step = step;
}

static bool takePlace(const KernelModel &model, const Array &array,
                      ImageRead &read) {
  const Expr &expr = *read.expr;
  const unsigned bytes = sizeOf(read.scalar);
  switch (expr.kind) {
  case ExprKind::Subscript:
    takeIndex(model, array, expr.operands[1], expr.operands[0],
              static_cast<unsigned>(expr.type.size) / bytes, read);
    return true;
  case ExprKind::Unary:
    return expr.op == Op::Deref;
  case ExprKind::Call:
    if (!isVectorLoad(expr))
      return false;
    read.fromHalf = expr.family == CallFamily::LoadHalf;
    takeIndex(model, array, expr.operands[0], expr.operands[1],
              vectorPitch(expr), read);
    return true;
  default:
    return false;
  }
}

std::optional<ImageRead> imageReadOf(const KernelModel &model,
                                     const Access &access) {
  const Array &array = model.arrays[access.array];
  ImageRead read;
  read.expr = access.expr;
  read.scalar = array.elementType.scalar;
  const unsigned bytes = sizeOf(read.scalar);
  bool isKnown =
      read.expr && bytes > 0 &&
      (array.elementType.isScalar() || array.elementType.isVector()) &&
      array.elementBytes % bytes == 0;
  if (!isKnown)
    return std::nullopt;
  while (read.expr->kind == ExprKind::Swizzle)
    read.expr = read.expr->operands[0].get();
  read.lanes = read.expr->type.isVector() ? read.expr->type.lanes : 1;
  if (!takePlace(model, array, read))
    return std::nullopt;
  const Type &type = read.expr->type;
  bool isSame =
      (type.isScalar() || type.isVector()) &&
      type.scalar == (read.fromHalf ? ScalarKind::Float : read.scalar);
  if (!isSame || read.lanes > 4)
    return std::nullopt;
  const Polynomial unit(array.elementBytes / bytes);
  if (access.offset && !access.offset->overflowed())
    read.offset = *access.offset * unit;
  read.subscripts = access.subscripts;
  if (!read.subscripts.empty())
    read.subscripts.back() = read.subscripts.back() * unit;
  return read;
}

//===-- Which texel -------------------------------------------------------===//

std::optional<ConstantRemainder> splitBy(const Polynomial &value,
                                         unsigned divisor) {
  if (value.overflowed())
    return std::nullopt;
  const int64_t by = divisor;
  ConstantRemainder result;
  for (const auto &[monomial, coefficient] : value.terms) {
    int64_t rest = coefficient % by;
    if (rest != 0 && !monomial.empty())
      return std::nullopt;
    rest = rest < 0 ? rest + by : rest;
    result.remainder += static_cast<unsigned>(rest);
    if (coefficient != rest)
      result.quotient.terms[monomial] = (coefficient - rest) / by;
  }
  return result;
}

const char *channelTypeOf(ScalarKind scalar) {
  switch (scalar) {
  case ScalarKind::Float:
  case ScalarKind::UInt:
    return "CL_UNSIGNED_INT32";
  case ScalarKind::Int:
    return "CL_SIGNED_INT32";
  case ScalarKind::Half:
  case ScalarKind::UShort:
    return "CL_UNSIGNED_INT16";
  case ScalarKind::Short:
    return "CL_SIGNED_INT16";
  case ScalarKind::Char:
    return "CL_SIGNED_INT8";
  case ScalarKind::UChar:
    return "CL_UNSIGNED_INT8";
  default:
    return nullptr;
  }
}

/// `convert_short4(text)`, `((short)text)`
static std::string converted(ScalarKind kind, unsigned lanes,
                             const std::string &text) {
  const std::string name = typeName(kind, lanes);
  return lanes > 1 ? "convert_" + name + "(" + text + ")"
                   : "((" + name + ")" + text + ")";
}

std::string texelValue(const ImageRead &read, unsigned channel,
                       const std::string &place,
                       const std::string &halfHelper) {
  const ScalarKind scalar = read.scalar;
  const std::string lanes = read.lanes > 1 ? std::to_string(read.lanes) : "";
  const bool isSigned = scalar == ScalarKind::Int ||
                        scalar == ScalarKind::Short ||
                        scalar == ScalarKind::Char;
  std::string text =
      std::string(isSigned ? "read_imagei(" : "read_imageui(") + place + ")";
  if (read.lanes < 4)
    text += ".";
  for (unsigned lane = 0; read.lanes < 4 && lane < read.lanes; ++lane)
    text += "xyzw"[channel + lane];
  if (scalar == ScalarKind::Float)
    return "as_float" + lanes + "(" + text + ")";
  if (sizeOf(scalar) == 4)
    return text;
  if (scalar != ScalarKind::Half)
    return converted(scalar, read.lanes, text);
  text = converted(ScalarKind::UShort, read.lanes, text);
  if (!read.fromHalf)
    return "as_half" + lanes + "(" + text + ")";
  return halfHelper + lanes + "(" + text + ")";
}

std::string halfHelperText(const std::string &name, unsigned lanes) {
  const std::string suffix = lanes > 1 ? std::to_string(lanes) : "";
  return "float" + suffix + " " + name + suffix + "(ushort" + suffix +
         " bits) {\n  return vload_half" + suffix +
         "(0, (const half *)&bits);\n}\n\n";
}

} // namespace clopt
