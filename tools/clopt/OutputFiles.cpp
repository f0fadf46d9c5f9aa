//===- OutputFiles.cpp - all outputs of a run, written at its end ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/errors.
//
//===----------------------------------------------------------------------===//

#include "OutputFiles.h"

#include "Support/Files.h"

#include <llvm/ADT/STLExtras.h>

using namespace clopt;

llvm::Error OutputFiles::announce(const std::string &path) {
  if (path != "/dev/null" &&
      llvm::any_of(announced, [&](const std::string &other) {
        return other == path || isSameFile(other, path);
      }))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(), "two outputs go to %s",
        path == "-" ? "standard output" : ("'" + path + "'").c_str());
  announced.push_back(path);
  return checkWritable(path);
}

void OutputFiles::add(const std::string &path, std::string text) {
  texts.emplace_back(path, std::move(text));
}

bool OutputFiles::usesStandardOutput() const {
  return llvm::is_contained(announced, "-");
}

llvm::Error OutputFiles::write() const {
  for (const auto &[path, text] : texts)
    if (llvm::Error error = writeFileAtomically(path, text))
      return error;
  return llvm::Error::success();
}
