//===- Remarks.h - names and text of remarks --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the formats of lib/Report have in common: the name of a remark's kind,
// of its pass and of itself, and its text in clang's form:
//
//   mm.cl:7:12: remark: loaded 4 elements at once [-Rpass=clopt-vectorize]
//
// and behind that the rule, where there is one, as in [clopt-may-alias].
//
// Tested by test/unit/RemarksTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_SUPPORT_REMARKS_H
#define CLOPT_SUPPORT_REMARKS_H

#include "Support/Diagnostics.h"
#include "clopt/Remark.h"

#include <string>
#include <vector>

namespace clopt {

/// "Passed", "Missed" or "Analysis".
const char *remarkKindName(RemarkKind kind);

/// The option that shows remarks of this kind: "-Rpass", "-Rpass-missed" or
/// "-Rpass-analysis".
const char *remarkOption(RemarkKind kind);

/// "clopt-vectorize", which the regular expressions of the options match.
std::string remarkPassName(const Remark &remark);

/// CamelCase, as optimization records want it: the name from Refusals.def, or
/// made from the rule id ("clopt-split-loop" gives "SplitLoop"), or from the
/// pass when there is none.
std::string remarkName(const Remark &remark);

/// Sorts remarks by their place and removes repetitions: the read and the write
/// of `a[i] += 1` give the same remark twice.
void sortRemarks(std::vector<Remark> &remarks);

/// The remark in clang's form, followed by its hint as a note.
std::string renderRemark(const Remark &remark, SourceTexts &sources,
                         const MessageStyle &style);

} // namespace clopt

#endif // CLOPT_SUPPORT_REMARKS_H
