//===- ModelCasts.cpp - bytes that are elements ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `*(__global const float *)(src + y * step + x * 4)`: an array that is
// declared as one of bytes and accessed as one of floats is one of floats, and
// so is one of floats whose addresses are counted in bytes on the way.
// Addresses are multiples of the element's size wherever the program is defined
// (OpenCL C, Alignment of Types: others are undefined, but for vloadn and
// vstoren), which those of all accesses are where each argument that is added
// to them is one. That is a condition on the launch, `step % 4 == 0`, and
// `step / 4` a parameter.
//
// Tested by test/unit/ModelCastsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/model/ModelBuilderImpl.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

/// What all accesses of the array are of, where it is wider than its elements.
std::optional<Type> ModelBuilder::accessedType(unsigned array) const {
  const Array &info = model.arrays[array];
  const bool isArgument = info.var && info.var->isParam &&
                          info.var->type.isPointer() &&
                          (info.space == AddressSpace::Global ||
                           info.space == AddressSpace::Constant) &&
                          info.rank == 1 && info.extents[0].isZero();
  if (!isArgument || settings.isPlain || settings.uncast.count(info.var) ||
      !(info.elementType.isScalar() || info.elementType.isVector()))
    return std::nullopt;
  std::optional<Type> result;
  for (const DraftAccess &record : draft.accesses) {
    const Access &access = record.access;
    if (access.array != array)
      continue;
    const Expr *value = access.expr;
    while (value && value->kind == ExprKind::Swizzle)
      value = value->operands[0].get();
    // A call's pointer need not be aligned for the vector.
    if (!value || value->kind == ExprKind::Call || !access.offset)
      return std::nullopt;
    const Type &type = value->type;
    if (!(type.isScalar() || type.isVector()) || access.width == 1 ||
        type.size != uint64_t(access.width) * info.elementBytes ||
        (result &&
         (result->scalar != type.scalar || result->lanes != type.lanes)))
      return std::nullopt;
    result = type;
  }
  return result;
}

/// An address that is `divisor` times the result, where arguments are as many
/// times those of `parts`; nothing when it need not be a multiple. With an
/// expression, arguments may be added to them.
std::optional<Polynomial>
ModelBuilder::divideAddress(const Polynomial &bytes, int64_t divisor,
                            std::map<SymbolId, Polynomial> &parts,
                            const Expr *expr) {
  Polynomial result;
  for (const auto &[monomial, coefficient] : bytes.terms) {
    Polynomial term;
    if (coefficient % divisor == 0) {
      term.terms[monomial] = coefficient / divisor;
      result = result + term;
      continue;
    }
    // One argument, which is a multiple for all that is known.
    const auto isArgument = [&](SymbolId id) {
      return model.symbols[id].kind == SymbolKind::Param;
    };
    if (llvm::count_if(monomial, isArgument) != 1)
      return std::nullopt;
    const SymbolId argument = *llvm::find_if(monomial, isArgument);
    auto part = parts.find(argument);
    if (part == parts.end() && !expr)
      return std::nullopt;
    if (part == parts.end()) {
      const Polynomial whole = Polynomial::symbol(argument);
      part =
          parts
              .emplace(argument, Polynomial::symbol(parameterOf(
                                     *expr, whole, *expr, Polynomial(divisor))))
              .first;
      Requirement isMultiple;
      isMultiple.poly = whole - part->second * Polynomial(divisor);
      isMultiple.range = {0, 0};
      isMultiple.kind = Assumption::Kind::Range;
      isMultiple.expr = expr;
      isMultiple.location = expr->range;
      isMultiple.text = model.symbols.name(argument) + " % " +
                        std::to_string(divisor) + " == 0";
      addRequirement(std::move(isMultiple));
    }
    term.terms[monomial] = coefficient;
    result = result + term.substitute(argument, part->second);
  }
  return result.overflowed() ? std::nullopt : std::optional(result);
}

void ModelBuilder::castArrays() {
  for (unsigned array = 0; array < model.arrays.size(); ++array) {
    const std::optional<Type> type = accessedType(array);
    if (!type)
      continue;
    Array &info = model.arrays[array];
    const auto divisor = static_cast<int64_t>(type->size / info.elementBytes);
    std::map<SymbolId, Polynomial> parts;
    const size_t known = draft.requirements.size();
    std::map<unsigned, Polynomial> offsets; // of draft.accesses
    bool areMultiples = true;
    for (unsigned i = 0; areMultiples && i < draft.accesses.size(); ++i) {
      const Access &access = draft.accesses[i].access;
      if (access.array != array)
        continue;
      const std::optional<Polynomial> offset =
          divideAddress(*access.offset, divisor, parts, access.expr);
      areMultiples = offset.has_value();
      if (offset)
        offsets[i] = *offset;
    }
    if (!areMultiples) {
      draft.requirements.resize(known);
      continue;
    }
    for (size_t i = known; i < draft.requirements.size(); ++i)
      draft.requirements[i].cast = info.var;
    for (const auto &[index, offset] : offsets) {
      draft.accesses[index].access.offset = offset;
      draft.accesses[index].access.width = 1;
    }
    for (auto it = model.pointers.begin(); it != model.pointers.end();) {
      if (it->second.array != array) {
        ++it;
        continue;
      }
      const std::optional<Polynomial> offset =
          divideAddress(it->second.offset, divisor, parts, nullptr);
      if (offset)
        it->second.offset = *offset;
      it = offset ? std::next(it) : model.pointers.erase(it);
    }
    info.elementType = *type;
    info.elementType.isConst = info.isConst;
    info.elementBytes = static_cast<unsigned>(type->size);
    const Type &declared = *info.var->type.element;
    info.isCast = declared.scalar != type->scalar ||
                  declared.lanes != type->lanes || type->isSignedChar;
  }
}

} // namespace clopt
