//===- TextCache.cpp - texts that are kept on disk ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Layer/TextCache.h"

#include "Plan/PlanDigest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace clopt::layer {

namespace fs = std::filesystem;

namespace {

/// A file is this, the digest of the text, a line break, and the text.
constexpr const char *heading = "clopt text 1 ";

std::string headingOf(const std::string &text) {
  return heading + planDigest(text) + "\n";
}

bool writeWhole(int file, const std::string &text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written < 0 && errno != EINTR)
      return false;
    done += written > 0 ? static_cast<std::size_t>(written) : 0;
  }
  return true;
}

} // namespace

bool readFile(const std::string &path, std::string &text) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  text = content.str();
  return static_cast<bool>(file);
}

std::string cacheKey(const std::vector<std::string> &parts) {
  std::string all;
  for (const std::string &part : parts)
    all += std::to_string(part.size()) + ":" + part;
  return planDigest(all);
}

std::optional<std::string> TextCache::find(const std::string &key) const {
  if (folder.empty())
    return std::nullopt;
  std::string whole;
  if (!readFile(path(key), whole))
    return std::nullopt;
  const std::size_t end = whole.find('\n');
  if (end == std::string::npos)
    return std::nullopt;
  std::string text = whole.substr(end + 1);
  if (whole.substr(0, end + 1) != headingOf(text))
    return std::nullopt;
  // So that what is in use is not taken for old.
  std::error_code ignored;
  fs::last_write_time(path(key), fs::file_time_type::clock::now(), ignored);
  return text;
}

bool TextCache::store(const std::string &key, const std::string &text) const {
  if (folder.empty())
    return false;
  std::error_code code;
  fs::create_directories(folder, code);
  std::string temporary = folder + "/new-XXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0)
    return false;
  const bool isWritten = writeWhole(file, headingOf(text) + text);
  const bool isClosed = close(file) == 0;
  if (!isWritten || !isClosed ||
      rename(temporary.c_str(), path(key).c_str()) != 0) {
    unlink(temporary.c_str());
    return false;
  }
  removeOldest();
  return true;
}

void TextCache::removeOldest() const {
  struct Entry {
    fs::file_time_type time;
    std::uint64_t bytes;
    fs::path path;
    bool operator<(const Entry &other) const { return time < other.time; }
  };
  std::vector<Entry> entries;
  std::uint64_t bytes = 0;
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end;
       at.increment(code)) {
    std::error_code gone; // another process may have removed it
    Entry entry{at->last_write_time(gone), at->file_size(gone), at->path()};
    if (gone)
      continue;
    bytes += entry.bytes;
    entries.push_back(std::move(entry));
  }
  if (bytes <= limit)
    return;
  std::sort(entries.begin(), entries.end());
  // Some room, so that not every text has to make its own.
  for (const Entry &entry : entries) {
    if (bytes <= limit / 4 * 3)
      break;
    fs::remove(entry.path, code);
    bytes -= entry.bytes;
  }
}

} // namespace clopt::layer
