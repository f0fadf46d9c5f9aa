//===- FeedFiles.cpp - a fuzz target without libFuzzer --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Feeds files, and those in folders, to the target; options of libFuzzer are
// passed over.
//
//===----------------------------------------------------------------------===//

#include "Fuzzing.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace fs = std::filesystem;

int main(int argc, char **argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i)
    if (argv[i][0] == '-')
      continue;
    else if (!fs::is_directory(argv[i]))
      files.push_back(argv[i]);
    else
      for (const auto &entry : fs::directory_iterator(argv[i]))
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path &path : files) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "cannot read '%s'\n", path.c_str());
      return 1;
    }
    std::stringstream bytes;
    bytes << file.rdbuf();
    const std::string text = bytes.str();
    std::printf("%s\n", path.filename().c_str());
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()),
                           text.size());
  }
  return 0;
}
