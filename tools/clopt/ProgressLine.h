//===- ProgressLine.h - how far a run has come ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line at the end of a terminal, "[12/50] name", which makes way for
// whatever is printed. Where standard error is no terminal there is none.
//
// Tested by test/lit/check/progress.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TOOLS_CLOPT_PROGRESSLINE_H
#define CLOPT_TOOLS_CLOPT_PROGRESSLINE_H

#include <string>

namespace clopt {

class ProgressLine {
public:
  /// Without `isWanted` nothing is ever shown.
  explicit ProgressLine(bool isWanted);
  ~ProgressLine() { clear(); }

  void show(size_t done, size_t total, const std::string &name);
  void clear();

private:
  bool isOn;
  bool isShown = false;
};

} // namespace clopt

#endif // CLOPT_TOOLS_CLOPT_PROGRESSLINE_H
