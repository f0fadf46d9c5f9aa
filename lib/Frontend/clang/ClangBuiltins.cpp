//===- ClangBuiltins.cpp - what the builtins of OpenCL C do ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names are those of the OpenCL C 3.0 specification, section 6.15. A name
// that is missing here is treated as a call that may do anything, so the table
// only ever errs on the safe side.
//
// Tested by test/unit/ClangParserTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Frontend/clang/ClangBuiltins.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clopt;
using llvm::StringRef;

/// Functions whose vector overloads act on each component by itself.
static const llvm::StringSet<> &elementwiseNames() {
  static const llvm::StringSet<> names = {
      // Math (6.15.2).
      "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atan2",
      "atanh", "atanpi", "atan2pi", "cbrt", "ceil", "copysign", "cos", "cosh",
      "cospi", "erfc", "erf", "exp", "exp2", "exp10", "expm1", "fabs", "fdim",
      "floor", "fma", "fmax", "fmin", "fmod", "hypot", "ilogb", "ldexp",
      "lgamma", "log", "log2", "log10", "log1p", "logb", "mad", "maxmag",
      "minmag", "nan", "nextafter", "pow", "pown", "powr", "remainder", "rint",
      "rootn", "round", "rsqrt", "sin", "sinh", "sinpi", "sqrt", "tan", "tanh",
      "tanpi", "tgamma", "trunc", "half_cos", "half_divide", "half_exp",
      "half_exp2", "half_exp10", "half_log", "half_log2", "half_log10",
      "half_powr", "half_recip", "half_rsqrt", "half_sin", "half_sqrt",
      "half_tan", "native_cos", "native_divide", "native_exp", "native_exp2",
      "native_exp10", "native_log", "native_log2", "native_log10",
      "native_powr", "native_recip", "native_rsqrt", "native_sin",
      "native_sqrt", "native_tan",
      // Integers (6.15.3).
      "abs", "abs_diff", "add_sat", "hadd", "rhadd", "clamp", "clz", "ctz",
      "mad_hi", "mad_sat", "max", "min", "mul_hi", "rotate", "sub_sat",
      "upsample", "popcount", "mad24", "mul24",
      // Common functions (6.15.4).
      "degrees", "mix", "radians", "step", "smoothstep", "sign",
      // Relational, but without a truth value (6.15.6).
      "bitselect"};
  return names;
}

static const llvm::StringSet<> &pureNames() {
  static const llvm::StringSet<> names = {"cross",
                                          "dot",
                                          "distance",
                                          "length",
                                          "normalize",
                                          "fast_distance",
                                          "fast_length",
                                          "fast_normalize",
                                          "isequal",
                                          "isnotequal",
                                          "isgreater",
                                          "isgreaterequal",
                                          "isless",
                                          "islessequal",
                                          "islessgreater",
                                          "isfinite",
                                          "isinf",
                                          "isnan",
                                          "isnormal",
                                          "isordered",
                                          "isunordered",
                                          "signbit",
                                          "any",
                                          "all",
                                          "select",
                                          "shuffle",
                                          "shuffle2",
                                          "get_image_width",
                                          "get_image_height",
                                          "get_image_depth",
                                          "get_image_channel_data_type",
                                          "get_image_channel_order",
                                          "get_image_dim",
                                          "get_image_array_size",
                                          "get_image_num_samples",
                                          "get_image_num_mip_levels",
                                          "dot_4x8packed_uu_uint",
                                          "dot_4x8packed_ss_int",
                                          "dot_4x8packed_us_int",
                                          "dot_4x8packed_su_int",
                                          "dot_acc_sat",
                                          "dot_acc_sat_4x8packed_uu_uint",
                                          "dot_acc_sat_4x8packed_ss_int",
                                          "dot_acc_sat_4x8packed_us_int",
                                          "dot_acc_sat_4x8packed_su_int"};
  return names;
}

static CallFamily familyOf(StringRef name) {
  const bool isHalf = name.contains("_half");
  if (name.starts_with("vload"))
    return isHalf ? CallFamily::LoadHalf : CallFamily::Load;
  if (name.starts_with("vstore"))
    return isHalf ? CallFamily::StoreHalf : CallFamily::Store;
  if (name.starts_with("convert_"))
    return CallFamily::Convert;
  return name.starts_with("as_") ? CallFamily::Reinterpret : CallFamily::None;
}

static CallEffect effectOf(StringRef name) {
  if (pureNames().contains(name) || name.starts_with("convert_") ||
      name.starts_with("as_"))
    return CallEffect::Pure;
  if (name == "barrier" || name == "work_group_barrier")
    return CallEffect::Barrier;
  if (name.ends_with("mem_fence") || name == "atomic_work_item_fence")
    return CallEffect::Fence;
  if (name.starts_with("atomic_") || name.starts_with("atom_"))
    return CallEffect::Atomic;
  if (name.starts_with("vstore"))
    return CallEffect::WritesArgs;
  if (name.starts_with("vload") || name.starts_with("read_image") ||
      name == "prefetch")
    return CallEffect::ReadsArgs;
  // A result comes back through a pointer.
  return llvm::StringSwitch<CallEffect>(name)
      .Cases("fract", "frexp", "lgamma_r", "modf", "remquo", "sincos",
             CallEffect::WritesArgs)
      .Default(CallEffect::Opaque);
}

BuiltinInfo clopt::builtinInfo(StringRef name) {
  if (elementwiseNames().contains(name))
    return {CallEffect::Pure, true, CallFamily::None, ""};
  BuiltinInfo result{effectOf(name), false, familyOf(name), ""};
  if (result.family == CallFamily::StoreHalf) { // vstore_half4_rte
    StringRef rounding = name.split("_half").second.ltrim("0123456789");
    result.suffix = rounding.str();
  }
  if (result.family == CallFamily::Convert) // type and suffix
    if (auto parts = name.drop_front(sizeof("convert")).split('_');
        !parts.second.empty())
      result.suffix = "_" + parts.second.str();
  return result;
}

std::optional<WorkItemQuery> clopt::workItemQuery(StringRef name) {
  using Query = std::optional<WorkItemQuery>;
  return llvm::StringSwitch<Query>(name)
      .Case("get_global_id", WorkItemQuery::GlobalId)
      .Case("get_local_id", WorkItemQuery::LocalId)
      .Case("get_group_id", WorkItemQuery::GroupId)
      .Case("get_global_size", WorkItemQuery::GlobalSize)
      .Case("get_local_size", WorkItemQuery::LocalSize)
      .Case("get_enqueued_local_size", WorkItemQuery::EnqueuedLocalSize)
      .Case("get_num_groups", WorkItemQuery::NumGroups)
      .Case("get_global_offset", WorkItemQuery::GlobalOffset)
      .Case("get_work_dim", WorkItemQuery::WorkDim)
      .Case("get_global_linear_id", WorkItemQuery::GlobalLinearId)
      .Case("get_local_linear_id", WorkItemQuery::LocalLinearId)
      .Default(std::nullopt);
}

bool clopt::takesDimension(WorkItemQuery query) {
  return query != WorkItemQuery::WorkDim &&
         query != WorkItemQuery::GlobalLinearId &&
         query != WorkItemQuery::LocalLinearId;
}
