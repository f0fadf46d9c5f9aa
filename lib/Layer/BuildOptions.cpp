//===- BuildOptions.cpp - the options of a build, for clopt ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Layer/BuildOptions.h"

namespace clopt::layer {

namespace {

bool startsWith(const std::string &text, const std::string &head) {
  return text.compare(0, head.size(), head) == 0;
}

/// At blanks outside of double quotes, which fall away.
std::vector<std::string> splitWords(const std::string &options) {
  std::vector<std::string> words;
  std::string word;
  bool isQuoted = false, isWord = false;
  for (const char c : options) {
    const bool isBlank = c == ' ' || (c >= '\t' && c <= '\r');
    if (c == '"') {
      isQuoted = !isQuoted;
      isWord = true;
    } else if (!isBlank || isQuoted) {
      word += c;
      isWord = true;
    } else if (isWord) {
      words.push_back(word);
      word.clear();
      isWord = false;
    }
  }
  if (isWord)
    words.push_back(word);
  return words;
}

/// Flags that say how a driver compiles, not what a text means.
bool isForDrivers(const std::string &flag) {
  return startsWith(flag, "-cl-nv-") || flag == "-cl-kernel-arg-info" ||
         flag == "-w";
}

} // namespace

BuildOptions readBuildOptions(const std::string &options) {
  BuildOptions result;
  // Drivers differ in what they make of these.
  if (options.find_first_of("\\'") != std::string::npos) {
    result.problem = "options with a backslash or an apostrophe";
    return result;
  }
  bool isFolderNext = false;
  for (const std::string &word : splitWords(options)) {
    if (isForDrivers(word))
      continue;
    // clopt splits such a word again.
    if (isFolderNext) {
      result.folders.push_back(word);
      isFolderNext = false;
    } else if (startsWith(word, "-I")) {
      isFolderNext = word == "-I";
      if (!isFolderNext)
        result.folders.push_back(word.substr(2));
    }
    if (word.find(" -") != std::string::npos || word.empty())
      result.problem = "an option with a dash behind a blank";
    if (word == "-cl-opt-disable" || word == "-g" || word == "-O0")
      result.problem = "built for a debugger (" + word + ")";
    // Of all that names texts or folders, only -I is an option of OpenCL.
    if (startsWith(word, "-i") || startsWith(word, "--"))
      result.problem = "a text besides the source (" + word + ")";
    if (startsWith(word, "-cl-std="))
      result.isOpenCL1 = startsWith(word, "-cl-std=CL1.");
    result.words.push_back(word);
  }
  return result;
}

std::string withJoinedLines(const std::string &source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.compare(i, 2, "\\\n") == 0)
      ++i;
    else if (source.compare(i, 3, "\\\r\n") == 0)
      i += 2;
    else
      text += source[i];
  }
  return text;
}

std::string problemOfSource(const std::string &source) {
  if (source.find('\0') != std::string::npos)
    return "a text with a zero in it";
  // A directive may be spelt so as well.
  for (const char *sign : {"%:", "?\?="})
    if (source.find(sign) != std::string::npos)
      return std::string("a text with '") + sign + "' in it";
  return "";
}

} // namespace clopt::layer
