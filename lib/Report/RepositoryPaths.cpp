//===- RepositoryPaths.cpp - file names as code scanning wants them -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/SarifTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/RepositoryPaths.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string clopt::encodeUriPath(const std::string &text) {
  static constexpr llvm::StringLiteral harmless = "-._~/";
  std::string result;
  for (char c : text) {
    if (llvm::isAlnum(c) || harmless.contains(c)) {
      result += c;
      continue;
    }
    auto byte = static_cast<unsigned char>(c);
    result += '%';
    result += llvm::hexdigit(byte >> 4);
    result += llvm::hexdigit(byte & 15);
  }
  return result;
}

static std::string realPath(const std::string &file) {
  llvm::SmallString<256> real;
  if (fs::real_path(file, real)) {
    // A file that does not exist (any more) still has a name.
    real = file;
    if (fs::make_absolute(real))
      real = file;
  }
  return real.str().str();
}

/// `file` below `folder` as a relative path, or nothing.
static std::string below(llvm::StringRef file, llvm::StringRef folder) {
  if (!file.consume_front(folder))
    return "";
  if (!folder.ends_with("/") && !file.consume_front("/"))
    return "";
  return file.str();
}

clopt::RepositoryUri clopt::repositoryUri(const std::string &file) {
  RepositoryUri result;
  std::string real = realPath(file);
  for (llvm::StringRef folder = path::parent_path(real); !folder.empty();
       folder = path::parent_path(folder)) {
    if (!fs::exists(folder + "/.git"))
      continue;
    result.uri = encodeUriPath(below(real, folder));
    return result;
  }
  std::string working = realPath(".");
  result.uri = encodeUriPath(below(real, working));
  if (result.uri.empty())
    result.uri = "file://" + encodeUriPath(real);
  else
    result.workingFolder = "file://" + encodeUriPath(working) + "/";
  return result;
}
