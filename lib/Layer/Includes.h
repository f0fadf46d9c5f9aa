//===- Includes.h - the texts that a program includes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a text by its digest must change with everything that a
// preprocessor reads for it. Which conditions hold is not asked: the files of
// all directives are found, those that are never reached as well.
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_INCLUDES_H
#define CLOPT_LAYER_INCLUDES_H

#include <string>
#include <vector>

namespace clopt::layer {

struct NamedText {
  std::string name, text;
  bool operator==(const NamedText &other) const {
    return name == other.name && text == other.text;
  }
};

struct Includes {
  std::vector<NamedText> files;     ///< each once; the names are paths
  bool isWorkingFolderUsed = false; ///< no folder of the options has one
  std::string problem; ///< why it cannot be told what is read, or empty
};

/// What `source` may include: from `headers`, which come with the program, from
/// `folders`, and from the working directory. Files that are nowhere are left
/// out: a driver that has built the text has not reached them.
Includes findIncludes(const std::string &source,
                      const std::vector<std::string> &folders,
                      const std::vector<NamedText> &headers);

/// Whether a text has a directive that may include another one.
bool mayInclude(const std::string &source);

} // namespace clopt::layer

#endif // CLOPT_LAYER_INCLUDES_H
