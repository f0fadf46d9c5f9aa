//===- ImageSketch.cpp - images for a device, from the kernel -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/LaunchSkeletonTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Validation/ImageSketch.h"

#include <llvm/ADT/StringRef.h>

#include <functional>

namespace clopt {

namespace {

struct ImageForm {
  const char *name;
  std::array<const char *, 3> extents; ///< as the coordinates; null: no more
};

constexpr ImageForm forms[] = {
    {"image1d_t", {"Width", nullptr, nullptr}},
    {"image1d_array_t", {"Width", "Layers", nullptr}},
    {"image2d_t", {"Width", "Height", nullptr}},
    {"image2d_array_t", {"Width", "Height", "Layers"}},
    {"image3d_t", {"Width", "Height", "Depth"}},
};

} // namespace

/// "__read_only image2d_t" without its access.
static llvm::StringRef plainName(const Type &type) {
  if (type.kind != TypeKind::Opaque)
    return "";
  const llvm::StringRef spelling = type.spelling;
  return spelling.substr(spelling.rfind(' ') + 1); // all of it without one
}

static const ImageForm *formOf(const Type &type) {
  for (const ImageForm &form : forms)
    if (plainName(type) == form.name)
      return &form;
  return nullptr;
}

bool isSketchable(const Type &type) {
  return formOf(type) || plainName(type) == "sampler_t";
}

/// The components of integer coordinates; none where they are not written down.
static std::vector<ExprRef> coordinatesOf(const ExprRef &place,
                                          const Assignments &assignments) {
  const Type &type = place->type;
  if (type.isFloating())
    return {};
  if (type.isScalar())
    return {place};
  const Expr *expr = belowCasts(place.get());
  if (expr->kind == ExprKind::VarRef && assignments.of(expr->var).size() == 1 &&
      assignments.of(expr->var)[0].value)
    expr = belowCasts(assignments.of(expr->var)[0].value.get());
  if (expr->kind == ExprKind::VectorLiteral &&
      expr->operands.size() == type.lanes)
    return expr->operands;
  return {};
}

/// Calls `visit` with the reads and writes of the image, and their places.
static void forEachImageCall(
    const Function &function, const Variable &parameter,
    const std::function<void(const Expr &, const ExprRef &)> &visit) {
  forEachExpr(function.body, [&](const ExprRef &expr) {
    const llvm::StringRef name = expr->text;
    const bool isWrite = name.starts_with("write_image");
    if (expr->kind == ExprKind::Call && expr->operands.size() > 1 &&
        (isWrite || name.starts_with("read_image")) &&
        baseOf(expr->operands[0].get()) == &parameter)
      visit(*expr, isWrite ? expr->operands[1] : expr->operands.back());
  });
}

std::array<Polynomial, 3> imageExtents(const Function &function,
                                       const Variable &parameter,
                                       const Assignments &assignments,
                                       const TermLaunch &launch,
                                       OffsetBounds &bounds, SizeTerms &terms) {
  std::array<Polynomial, 3> extents = launch.global;
  forEachImageCall(
      function, parameter, [&](const Expr &, const ExprRef &place) {
        const std::vector<ExprRef> coordinates =
            coordinatesOf(place, assignments);
        for (size_t i = 0; i < coordinates.size() && i < 3; ++i)
          if (const TermInterval of = bounds.of(coordinates[i]); of.high)
            extents[i] = terms.larger(extents[i], *of.high + Polynomial(1));
      });
  return extents;
}

void describeImage(const Function &function, const Variable &parameter,
                   const std::array<Polynomial, 3> &extents,
                   const SizeTerms &terms, SkeletonArgument &argument) {
  argument.type = plainName(parameter.type).str();
  const ImageForm *form = formOf(parameter.type);
  if (!form) {
    argument.memory = SkeletonArgument::Memory::Sampler;
    argument.comment = "the sampler is a guess";
    return;
  }
  argument.memory = SkeletonArgument::Memory::Image;
  argument.channelOrder = "RGBA";
  argument.channelType = "FLOAT";
  argument.comment = "the format and the size are guesses";
  const llvm::StringRef spelling = parameter.type.spelling;
  argument.isRead = !spelling.contains("write_only");
  argument.isWritten = !spelling.contains("read_only");
  forEachImageCall(function, parameter, [&](const Expr &call, const ExprRef &) {
    const llvm::StringRef name = call.text;
    argument.channelType = name.ends_with("ui")  ? "UNSIGNED_INT8"
                           : name.ends_with("i") ? "SIGNED_INT8"
                           : name.ends_with("h") ? "HALF_FLOAT"
                                                 : "FLOAT";
  });
  for (size_t i = 0; i < 3 && form->extents[i]; ++i)
    argument.extents.emplace_back(form->extents[i], terms.text(extents[i]));
}

} // namespace clopt
