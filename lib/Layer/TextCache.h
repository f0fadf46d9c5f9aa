//===- TextCache.h - texts that are kept on disk ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder with a file for each key. Files appear whole (a temporary file takes
// the name) and carry a digest of what is in them, so several processes may use
// a folder, and a damaged file is the same as none. When the folder outgrows
// its limit, what has not been used for longest goes first.
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_TEXTCACHE_H
#define CLOPT_LAYER_TEXTCACHE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace clopt::layer {

/// All of a file; false if it cannot be read.
bool readFile(const std::string &path, std::string &text);

/// SHA-256 of the parts and of where each of them ends.
std::string cacheKey(const std::vector<std::string> &parts);

class TextCache {
public:
  /// An empty folder's name: nothing is found, nothing is kept.
  TextCache(std::string folderName, std::uint64_t maxBytes)
      : folder(std::move(folderName)), limit(maxBytes) {}

  std::optional<std::string> find(const std::string &key) const;
  /// False if the text could not be written.
  bool store(const std::string &key, const std::string &text) const;

private:
  std::string path(const std::string &key) const {
    return folder + "/" + key + ".txt";
  }
  void removeOldest() const;

  std::string folder;
  std::uint64_t limit;
};

} // namespace clopt::layer

#endif // CLOPT_LAYER_TEXTCACHE_H
