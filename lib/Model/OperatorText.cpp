//===- OperatorText.cpp - operators and work-item functions as text -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables behind Model/ExprPrinter.h.
//
// Tested by test/unit/ExprPrinterTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Model/ExprPrinter.h"

using namespace clopt;

const char *clopt::operatorText(Op op) {
  static const char *const texts[] = {
      "",  "+",  "-",  "*", "/",  "%", "<<", ">>", "&",  "|",
      "^", "&&", "||", "<", "<=", ">", ">=", "==", "!=", ",",
      "-", "+",  "~",  "!", "*",  "&", "++", "--", "++", "--"};
  return texts[static_cast<unsigned>(op)];
}

int clopt::binaryPrecedence(Op op) {
  switch (op) {
  case Op::Mul:
  case Op::Div:
  case Op::Rem:
    return PrecMultiplicative;
  case Op::Add:
  case Op::Sub:
    return PrecAdditive;
  case Op::Shl:
  case Op::Shr:
    return PrecShift;
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
    return PrecRelational;
  case Op::Eq:
  case Op::Ne:
    return PrecEquality;
  case Op::And:
    return PrecAnd;
  case Op::Xor:
    return PrecXor;
  case Op::Or:
    return PrecOr;
  case Op::LAnd:
    return PrecLAnd;
  case Op::LOr:
    return PrecLOr;
  default:
    return PrecComma;
  }
}

int clopt::operandPrecedence(Op op) {
  switch (op) {
  case Op::LOr:
    return PrecOr;
  case Op::Or:
  case Op::Xor:
  case Op::And:
    return PrecShift;
  case Op::Shl:
  case Op::Shr:
    return PrecMultiplicative;
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
  case Op::Eq:
  case Op::Ne:
    return PrecShift;
  default:
    return binaryPrecedence(op);
  }
}

std::string clopt::printWorkItem(WorkItemQuery query, unsigned dim) {
  static const char *const names[] = {
      "get_global_id",        "get_local_id",       "get_group_id",
      "get_global_size",      "get_local_size",     "get_enqueued_local_size",
      "get_num_groups",       "get_global_offset",  "get_work_dim",
      "get_global_linear_id", "get_local_linear_id"};
  bool hasDim = query != WorkItemQuery::WorkDim &&
                query != WorkItemQuery::GlobalLinearId &&
                query != WorkItemQuery::LocalLinearId;
  return std::string(names[static_cast<unsigned>(query)]) + "(" +
         (hasDim ? std::to_string(dim) : "") + ")";
}
