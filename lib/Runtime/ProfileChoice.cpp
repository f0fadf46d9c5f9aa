//===- ProfileChoice.cpp - which profile suits a device -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProfileChoice.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace clopt::runtime {

namespace {

/// The words of a name in lower case, without punctuation.
std::vector<std::string> wordsOf(const std::string &text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte))
      words.back() += static_cast<char>(std::tolower(byte));
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty())
    words.pop_back();
  return words;
}

/// Devices whose vendor or name has a word that begins with `vendor` and whose
/// name has one that begins with `model`.
struct Architecture {
  const char *vendor;
  const char *model;
  const char *profile;
};

constexpr Architecture architectures[] = {
    {"nvidia", "h100", "nvidia-hopper"},
    {"nvidia", "h200", "nvidia-hopper"},
    {"nvidia", "h800", "nvidia-hopper"},
    {"nvidia", "gh200", "nvidia-hopper"},
    {"advanced", "cypress", "amd-cypress"}, // Advanced Micro Devices
    {"amd", "cypress", "amd-cypress"},
    {"advanced", "gfx90a", "amd-cdna"}, // MI210, and halves of MI250, MI250X
    {"amd", "gfx90a", "amd-cdna"},
    {"amd", "mi210", "amd-cdna"},
    {"amd", "mi250", "amd-cdna"},
    {"arm", "t6", "mali-midgard"}, // Mali-T600 to T800
    {"arm", "t7", "mali-midgard"},
    {"arm", "t8", "mali-midgard"},
};

bool hasWord(const std::vector<std::string> &words, const std::string &begin) {
  return std::any_of(words.begin(), words.end(), [&](const std::string &word) {
    return word.rfind(begin, 0) == 0;
  });
}

} // namespace

std::string builtinProfileFor(const DeviceIdentity &device) {
  if (device.isProcessor)
    return "cpu";
  const std::vector<std::string> name = wordsOf(device.name);
  std::vector<std::string> all = wordsOf(device.vendor);
  all.insert(all.end(), name.begin(), name.end());
  for (const Architecture &one : architectures)
    if (hasWord(all, one.vendor) && hasWord(name, one.model))
      return one.profile;
  return "generic-gpu";
}

std::string profileNameOf(const DeviceIdentity &device) {
  std::string name;
  for (const std::string &word : wordsOf(device.name))
    name += (name.empty() ? "" : "-") + word;
  // A file name has an end.
  name.resize(std::min<std::size_t>(name.size(), 100));
  return name.empty() ? "device" : name;
}

std::string userProfileFolder() {
  // An empty variable counts as none, as the XDG specification has it.
  if (const char *home = std::getenv("XDG_CONFIG_HOME"); home && *home)
    return std::string(home) + "/clopt";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.config/clopt";
  return "";
}

std::string userProfileFile(const DeviceIdentity &device,
                            const std::string &folder) {
  return folder.empty() ? "" : folder + "/" + profileNameOf(device) + ".json";
}

std::string chooseProfile(const DeviceIdentity &device,
                          const std::string &folder) {
  const std::string file = userProfileFile(device, folder);
  std::error_code ignored;
  if (!file.empty() && std::filesystem::is_regular_file(file, ignored))
    return file;
  return builtinProfileFor(device);
}

} // namespace clopt::runtime
