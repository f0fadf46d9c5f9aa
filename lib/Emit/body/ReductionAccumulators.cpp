//===- ReductionAccumulators.cpp - what lanes take apart and combine ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector loop over `sum += e` has one sum per lane:
//
//   float4 sum_v = (float4)(0.0f);
//   for (...)
//       sum_v += ...;
//   sum += (sum_v.s0 + sum_v.s1) + (sum_v.s2 + sum_v.s3);
//
// Operations that leave a value as it is when it meets itself (minimum, and)
// begin with the value itself, the others with their neutral element.
//
// Tested by test/unit/ReductionAccumulatorsTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/body/BodyWriterImpl.h"

#include "Model/ExprPrinter.h"

namespace clopt {

static bool isFloating(ScalarKind kind) {
  return kind == ScalarKind::Float || kind == ScalarKind::Double ||
         kind == ScalarKind::Half;
}

std::string neutralElement(ReductionOp operation, ScalarKind kind,
                           const std::string &scalar) {
  std::string zero = kind == ScalarKind::Float    ? ".0f"
                     : kind == ScalarKind::Double ? ".0"
                                                  : "";
  switch (operation) {
  case ReductionOp::Sum:
  case ReductionOp::Xor:
    return "0" + zero;
  case ReductionOp::Product:
    return "1" + zero;
  default:
    return scalar;
  }
}

std::string combineValues(ReductionOp operation, ScalarKind kind,
                          const std::vector<std::string> &values) {
  if (values.size() == 1)
    return values[0];
  std::vector<std::string> halves;
  for (size_t i = 0; i < values.size(); i += 2) {
    const std::string &a = values[i], &b = values[i + 1];
    bool isLast = values.size() == 2;
    auto binary = [&](const char *op) {
      std::string text = a + " " + op + " " + b;
      return isLast ? text : "(" + text + ")";
    };
    switch (operation) {
    case ReductionOp::Sum:
      halves.push_back(binary("+"));
      break;
    case ReductionOp::Product:
      halves.push_back(binary("*"));
      break;
    case ReductionOp::And:
      halves.push_back(binary("&"));
      break;
    case ReductionOp::Or:
      halves.push_back(binary("|"));
      break;
    case ReductionOp::Xor:
      halves.push_back(binary("^"));
      break;
    case ReductionOp::Minimum:
    case ReductionOp::Maximum:
      halves.push_back(std::string(isFloating(kind) ? "f" : "") +
                       (operation == ReductionOp::Minimum ? "min(" : "max(") +
                       a + ", " + b + ")");
      break;
    }
  }
  return combineValues(operation, kind, halves);
}

/// `scalar` combined with all lanes of `vector`. Sums wrap where the author's
/// would not overflow.
static std::string combination(const ReductionAccumulator &partial,
                               ScalarKind kind, const std::string &scalar,
                               const std::string &vector, unsigned lanes) {
  bool isWide = kind == ScalarKind::Int || kind == ScalarKind::Long;
  bool wraps = isWide && (partial.operation == ReductionOp::Sum ||
                          partial.operation == ReductionOp::Product);
  std::string cast = !wraps                    ? ""
                     : kind == ScalarKind::Int ? "(uint)"
                                               : "(ulong)";
  std::vector<std::string> values;
  for (unsigned lane = 0; lane < lanes; ++lane)
    values.push_back(cast + vector + ".s" + laneDigit(lane));
  std::string all = combineValues(partial.operation, kind, values);
  std::string value = combineValues(
      partial.operation, kind,
      {cast + scalar, lanes > 1 && partial.operation <= ReductionOp::Xor
                          ? "(" + all + ")"
                          : all});
  if (wraps)
    value = "(" + typeName(kind) + ")(" + value + ")";
  return scalar + " = " + value + ";";
}

void BodyWriter::emitPartials(const EmitNode &node, const OutNode &scope,
                              std::vector<OutNode> &before,
                              std::vector<OutNode> &after) {
  std::vector<std::pair<LocalName, const ReductionAccumulator *>> vectors;
  for (const auto &[name, local] : locals) {
    if (local.scalar.empty() || !usesName(scope, name))
      continue;
    for (const ReductionAccumulator &partial : kernel.partials) {
      bool isOwn = local.copy
                       ? kernel.tiles[*local.copy].array == partial.array
                       : local.variable == model.arrays[partial.array].var;
      if (isOwn && partial.loop == node.loop)
        vectors.emplace_back(local, &partial);
    }
  }
  for (const auto &[local, partial] : vectors) {
    ScalarKind kind = model.arrays[partial->array].elementType.scalar;
    const std::string &scalar = local.scalar;
    if (!locals.count(scalar)) {
      LocalName own = local;
      own.name = scalar;
      own.scalar.clear();
      own.type = typeName(kind);
      locals[scalar] = own;
    }
    OutNode first;
    first.lines.push_back(local.name + " = (" + local.type + ")(" +
                          neutralElement(partial->operation, kind, scalar) +
                          ");");
    first.uses = {local.name};
    if (partial->operation != ReductionOp::Sum &&
        partial->operation != ReductionOp::Product &&
        partial->operation != ReductionOp::Xor)
      first.uses.insert(scalar);
    first.defines = local.name;
    before.push_back(std::move(first));
    OutNode last;
    last.lines.push_back(
        combination(*partial, kind, scalar, local.name, node.lanes));
    last.uses = {scalar, local.name};
    after.push_back(std::move(last));
  }
}

} // namespace clopt
