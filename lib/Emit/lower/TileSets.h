//===- TileSets.h - sets of instances, constrained and moved ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For use in this folder only; what others use is in TileDomains.h.
//
// Tested by test/unit/TileDomainsTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_TILESETS_H
#define CLOPT_EMIT_TILESETS_H

#include <isl/cpp.h>

#include <string>
#include <vector>

namespace clopt {

/// factor * (parameter or coordinate)
struct LinearTerm {
  std::string parameter;
  int coordinate = -1;
  int factor = 1;
};

/// The set, with a parameter of the name.
isl_set *withParameter(isl_set *set, const std::string &name);
/// The set without it, if it has the parameter.
isl_set *withoutParameter(isl_set *set, const std::string &name);
/// { [value] } of a set in parameters: the values of this one; null where the
/// set does not have it.
isl_set *alongParameter(isl_set *set, const std::string &name);

/// Where constant + sum of terms >= 0, or == 0.
isl_set *constrain(isl_set *set, const std::vector<LinearTerm> &terms,
                   int constant, bool equality);

/// { x : x + points * step_param * e_position in set }
isl_set *translateByParameter(const isl::set &set, int position,
                              const std::string &step, int points);

/// { x : x + j * e_position in set } for all 0 <= j < extent, a parameter or,
/// without a name, `count`.
isl::set forAllInTile(const isl::set &set, int position,
                      const std::string &extent, unsigned count);
/// The same for some j.
isl::set existsInTile(const isl::set &set, int position,
                      const std::string &extent, unsigned count);

} // namespace clopt

#endif // CLOPT_EMIT_TILESETS_H
