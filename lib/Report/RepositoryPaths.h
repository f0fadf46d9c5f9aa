//===- RepositoryPaths.h - file names for code scanning ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/SarifTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_REPORT_REPOSITORYPATHS_H
#define CLOPT_REPORT_REPOSITORYPATHS_H

#include <string>

namespace clopt {

/// A file as a relative URI.
struct RepositoryUri {
  /// Relative to the root of the repository the file stands in (the nearest
  /// folder with a `.git`), symbolic links resolved; outside a repository
  /// relative to the working folder, and absolute if it is not below that.
  std::string uri;
  /// Set when `uri` is relative to the working folder: the latter as a URI.
  std::string workingFolder;
};

RepositoryUri repositoryUri(const std::string &path);

/// Forward slashes; bytes that have a meaning in URIs are percent-encoded.
std::string encodeUriPath(const std::string &path);

} // namespace clopt

#endif // CLOPT_REPORT_REPOSITORYPATHS_H
