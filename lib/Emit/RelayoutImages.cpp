//===- RelayoutImages.cpp - arrays that become images ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element p of the array is the texel (p mod width, p div width).
//
// Tested by test/unit/RelayoutTest.cpp, test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/RelayoutImpl.h"

namespace clopt {

namespace {

/// How elements of a type are kept and read.
struct TexelForm {
  const char *channelType = nullptr;
  const char *read = nullptr;
};

} // namespace

static TexelForm texelForm(const Type &type) {
  if (!type.isScalar())
    return {};
  switch (type.scalar) {
  case ScalarKind::Float:
    return {"CL_FLOAT", "read_imagef"};
  case ScalarKind::Int:
    return {"CL_SIGNED_INT32", "read_imagei"};
  case ScalarKind::UInt:
    return {"CL_UNSIGNED_INT32", "read_imageui"};
  case ScalarKind::Short:
    return {"CL_SIGNED_INT16", "read_imagei"};
  case ScalarKind::UShort:
    return {"CL_UNSIGNED_INT16", "read_imageui"};
  case ScalarKind::Char:
    return {"CL_SIGNED_INT8", "read_imagei"};
  case ScalarKind::UChar:
    return {"CL_UNSIGNED_INT8", "read_imageui"};
  default:
    return {};
  }
}

bool Relayer::collectImage(const CopyRequest &request) {
  const Array &array = model.arrays[request.array];
  bool isBuffer = array.var && array.var->isParam &&
                  (array.space == AddressSpace::Global ||
                   array.space == AddressSpace::Constant);
  if (!isBuffer)
    return fail("clopt-not-profitable",
                "'" + array.name + "' is no buffer of the host");
  if (!texelForm(array.elementType).channelType)
    return fail("clopt-not-profitable", "images have no texels of the type of "
                                        "the elements of '" +
                                            array.name + "'");
  Copy copy;
  copy.array = request.array;
  copy.image = &request;
  copy.name = options.fresh(array.name + "_image");
  if (sampler.empty())
    sampler = options.fresh(model.function->name + "_sampler");
  result.copies.push_back(copy.name);
  copies.push_back(std::move(copy));
  return true;
}

/// All reads of the array go to the image, and there are no others.
bool Relayer::assignImage(unsigned index) {
  Copy &copy = copies[index];
  const std::string &name = arrayName(copy);
  for (const Access &access : model.accesses) {
    if (access.array != copy.array)
      continue;
    if (access.isWrite)
      return fail("clopt-dependence",
                  "'" + name + "' is written, and images are only read");
    if (access.isOrdered)
      return fail("clopt-ordered-effect",
                  "'" + name + "' has atomic or volatile accesses");
    bool isPlain = access.expr && access.width == 1 &&
                   (access.expr->kind == ExprKind::Subscript ||
                    (access.expr->kind == ExprKind::Unary &&
                     access.expr->op == Op::Deref));
    if (!isPlain)
      return fail("clopt-opaque-code",
                  "not every access to '" + name + "' reads one element");
    if (!access.expr->range.isEditable())
      return fail("clopt-macro-body",
                  "an access to '" + name + "' comes from a macro");
    if (copyOf.count(access.id))
      return fail("clopt-dependence", "'" + name + "' is converted already");
    copyOf[access.id] = index;
    copy.accesses.insert(access.id);
  }
  return true;
}

/// The image is a snapshot: nothing that is written may be part of it.
bool Relayer::requireApart(unsigned array) {
  const std::string &name = model.arrays[array].name;
  if (model.arrays[array].space == AddressSpace::Constant ||
      options.alias == AliasMode::None)
    return true;
  std::set<unsigned> written;
  for (const Access &access : model.accesses)
    if (access.isWrite && !areDisjoint(model, array, access.array))
      written.insert(access.array);
  for (unsigned other : written) {
    const std::string &second = model.arrays[other].name;
    bool isBuffer = model.arrays[other].var && model.arrays[other].var->isParam;
    if (options.alias == AliasMode::Strict || !isBuffer)
      return fail("clopt-may-alias",
                  "'" + name + "' and '" + second + "' may overlap",
                  "add `restrict` to `" + name + "`");
    auto end = [](const std::string &buffer) {
      return "(size_t)" + buffer + " + buffer_bytes(" + buffer + ")";
    };
    require("(" + end(name) + " <= (size_t)" + second + " || " + end(second) +
                " <= (size_t)" + name + ")",
            "'" + name + "' and '" + second + "' do not overlap");
  }
  return true;
}

bool Relayer::makeImage(const Copy &copy) {
  const Array &array = model.arrays[copy.array];
  const std::string width = std::to_string(copy.image->width);
  std::string row = std::to_string(copy.image->width * array.elementBytes);
  std::string rows =
      define(copy.name + "_rows",
             "ceildiv(buffer_bytes(" + array.name + "), (ulong)" + row + ")")
          .text;
  require("CL_DEVICE_IMAGE_SUPPORT && " + width +
              " <= CL_DEVICE_IMAGE2D_MAX_WIDTH && " + rows +
              " <= CL_DEVICE_IMAGE2D_MAX_HEIGHT && " + rows + " >= 1",
          "the device has images of this size");
  PlanImage image;
  image.name = copy.name;
  image.source = array.name;
  image.width = width;
  image.height = rows;
  image.channelOrder = "CL_R";
  image.channelType = texelForm(array.elementType).channelType;
  result.changes.images.push_back(std::move(image));
  return true;
}

/// The number of the element as the author writes it, `col[k]` of `p[col[k]]`,
/// or from the model.
std::optional<std::string> Relayer::elementText(const Access &access) {
  const Array &array = model.arrays[access.array];
  const Expr &expr = *access.expr;
  ExprRef base = expr.operands[0];
  while (base->kind == ExprKind::Cast && base->implicit)
    base = base->operands[0];
  bool isDirect = expr.kind == ExprKind::Subscript &&
                  base->kind == ExprKind::VarRef && base->var == array.var;
  if (!isDirect) {
    if (!access.offset || access.offset->overflow)
      return std::nullopt;
    return polynomialText(*access.offset, needsWide({*access.offset}));
  }
  const ExprRef &index = expr.operands[1];
  bool isRepeatable = index->range.isEditable();
  forEachExpr(index, [&](const ExprRef &part) {
    bool changes =
        part->kind == ExprKind::Assign || part->kind == ExprKind::Opaque ||
        part->op == Op::PreInc || part->op == Op::PreDec ||
        part->op == Op::PostInc || part->op == Op::PostDec ||
        (part->kind == ExprKind::Call && part->effect != CallEffect::Pure);
    isRepeatable &= !changes;
  });
  if (!isRepeatable)
    return std::nullopt;
  const SourceRange &range = index->range;
  return model.unit->text.substr(static_cast<size_t>(range.begin),
                                 static_cast<size_t>(range.end - range.begin));
}

/// `read_imagef(p_image, sampler, (int2)((int)(p & 63), (int)(p >> 6))).x`
std::optional<std::string> Relayer::texelText(const Copy &copy,
                                              const Access &access) {
  std::optional<std::string> element = elementText(access);
  if (!element)
    return std::nullopt;
  const Type &type = model.arrays[copy.array].elementType;
  const int64_t width = copy.image->width;
  bool isPower = (width & (width - 1)) == 0;
  unsigned bits = 0;
  while ((int64_t(1) << bits) < width)
    ++bits;
  std::string x = isPower ? " & " + std::to_string(width - 1)
                          : " % " + std::to_string(width);
  std::string y =
      isPower ? " >> " + std::to_string(bits) : " / " + std::to_string(width);
  std::string text = std::string(texelForm(type).read) + "(" + copy.name +
                     ", " + sampler + ", (int2)((int)((" + *element + ")" + x +
                     "), (int)((" + *element + ")" + y + "))).x";
  if (type.size < 4)
    text = "((" + typeName(type.scalar) + ")" + text + ")";
  return text;
}

} // namespace clopt
