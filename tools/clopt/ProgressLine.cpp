//===- ProgressLine.cpp - how far a run has come --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/check/progress.test.
//
//===----------------------------------------------------------------------===//

#include "ProgressLine.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/raw_ostream.h>

using namespace clopt;

ProgressLine::ProgressLine(bool isWanted)
    : isOn(isWanted && llvm::sys::Process::StandardErrIsDisplayed()) {}

void ProgressLine::show(size_t done, size_t total, const std::string &name) {
  if (!isOn)
    return;
  std::string text =
      "[" + std::to_string(done) + "/" + std::to_string(total) + "] ";
  // A line that wraps could not be taken back. The end of a name says more.
  unsigned columns = llvm::sys::Process::StandardErrColumns();
  size_t room = (columns ? columns : 80) - 1;
  llvm::StringRef shown = name;
  if (text.size() + shown.size() > room)
    shown = shown.take_back(room > text.size() ? room - text.size() : 0);
  llvm::errs() << "\r\x1b[K" << text << shown;
  isShown = true;
}

void ProgressLine::clear() {
  if (isShown)
    llvm::errs() << "\r\x1b[K";
  isShown = false;
}
