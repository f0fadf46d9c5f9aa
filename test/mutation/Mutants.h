//===- Mutants.h - defects for written kernels ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The faults that an optimizer makes, one at a time, in the text of a body: a
// bound that is off by one, exchanged subscripts, a barrier or a guard that is
// missing, a remainder that begins too late, an effect that is lost, a read
// that is too wide, the wrong lane.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_MUTATION_MUTANTS_H
#define CLOPT_TEST_MUTATION_MUTANTS_H

#include <string>
#include <vector>

namespace clopt {

struct Mutant {
  std::string kind; ///< "bound", "barrier", ...
  size_t begin = 0, length = 0;
  std::string text; ///< what stands there instead
  std::string describe(const std::string &source) const;
  std::string apply(const std::string &source) const;
};

/// All mutants of the part [begin, end) of `source`, in its order.
std::vector<Mutant> findMutants(const std::string &source, size_t begin,
                                size_t end);

} // namespace clopt

#endif // CLOPT_TEST_MUTATION_MUTANTS_H
