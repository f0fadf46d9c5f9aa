//===- VectorBuiltins.cpp - OpenCL built-in functions over vectors --------===//
//--------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/VectorBuiltinsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Analysis/access/VectorBuiltins.h"

#include <algorithm>
#include <set>

namespace clopt {

/// Exact for every argument, and the same function for scalars and vectors.
/// rsqrt, sqrt and mad are not in the specification's exact list; they are here
/// because implementations compute them per component. PoCL and NVIDIA's
/// compiler agreed bit by bit, or within 4 ULP, on the kernels tried.
static bool isExact(const std::string &name) {
  static const std::set<std::string> names = {
      "fabs",     "fmin",     "fmax",     "floor",   "ceil",    "trunc",
      "rint",     "round",    "fma",      "mad",     "min",     "max",
      "clamp",    "abs",      "abs_diff", "add_sat", "sub_sat", "hadd",
      "rhadd",    "mul_hi",   "mul24",    "mad24",   "rotate",  "clz",
      "popcount", "copysign", "fdim",     "sqrt",    "rsqrt",   "mad_hi",
      "mad_sat",  "upsample", "bitselect"};
  return names.count(name) != 0;
}

bool isTakenApart(const Expr &call) {
  if (!call.isElementwiseBuiltin)
    return false;
  if (call.text == "abs_diff") {
    const Type &operand = call.operands[0]->type;
    return !operand.isUnsigned() || operand.size == 1;
  }
  return call.text == "popcount" || call.text == "clz" || call.text == "ctz";
}

std::optional<std::string> vectorBuiltin(const Expr &call, unsigned lanes,
                                         bool unsafeMath) {
  // Component by component, or nothing.
  for (const ExprRef &argument : call.operands)
    if (!argument->type.isScalar() &&
        !(argument->type.isVector() && call.type.isVector() &&
          argument->type.lanes == call.type.lanes))
      return std::nullopt;
  if (!call.type.isScalar() && !call.type.isVector())
    return std::nullopt;
  if (call.family == CallFamily::Convert)
    return "convert_" + typeName(call.type.scalar, lanes) + call.suffix;
  if (call.family == CallFamily::Reinterpret)
    return call.operands[0]->type.lanes == call.type.lanes
               ? std::optional<std::string>("as_" +
                                            typeName(call.type.scalar, lanes))
               : std::nullopt;
  if (!call.isElementwiseBuiltin)
    return std::nullopt;
  // Scalar and vector forms of these differ in the meaning of their result or
  // condition.
  static const std::set<std::string> relational = {
      "select", "isequal",     "isnotequal",    "isgreater",   "isgreaterequal",
      "isless", "islessequal", "islessgreater", "isfinite",    "isinf",
      "isnan",  "isnormal",    "isordered",     "isunordered", "signbit",
      "any",    "all"};
  if (relational.count(call.text))
    return std::nullopt;
  if (isExact(call.text) || unsafeMath)
    return call.text;
  return std::nullopt;
}

} // namespace clopt
