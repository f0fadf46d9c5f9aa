//===- KernelInterpreter.h - runs a kernel by the letter --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slow, plain interpreter of the statement tree for small launches. It knows
// nothing of polynomials or isl, and writes down every memory access with the
// address it had, so that the model can be compared with what happens.
// Floating-point values are not computed.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_ORACLE_KERNELINTERPRETER_H
#define CLOPT_TEST_ORACLE_KERNELINTERPRETER_H

#include "Model/Expr.h"

#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace clopt::test {

struct Launch {
  std::array<int64_t, 3> globalSize{1, 1, 1}, globalOffset{0, 0, 0},
      localSize{1, 1, 1};
  /// Values of integer arguments by name.
  std::map<std::string, int64_t> arguments;
};

/// Something that was executed by one work-item.
struct Event {
  enum class Kind { Statement, Read, Write };
  Kind kind = Kind::Statement;
  std::array<int64_t, 3> globalId{}, groupId{}, localId{};
  /// Values of all private integer variables at that moment.
  std::map<const Variable *, int64_t> variables;
  /// Completed iterations of the loops around it.
  std::map<const Stmt *, int64_t> turns;
  const Stmt *stmt = nullptr;
  const Expr *expr = nullptr;
  const Variable *base = nullptr; ///< parameter or declared variable
  bool isPointee = false;         ///< memory `base` points to
  int64_t offset = 0, size = 0;   ///< bytes
};

/// A loop that may never end, as `for (uint k = 3; k >= 0; k--)`.
struct RunsTooLong : std::runtime_error {
  RunsTooLong() : std::runtime_error("runs too long") {}
};

/// Runs all work-items one after the other. Throws std::runtime_error when the
/// kernel uses something the interpreter does not know, RunsTooLong after many
/// events.
std::vector<Event> interpret(const Function &kernel, const Launch &launch);

} // namespace clopt::test

#endif // CLOPT_TEST_ORACLE_KERNELINTERPRETER_H
