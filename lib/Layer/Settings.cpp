//===- Settings.cpp - what the environment says to the layer --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Layer/Settings.h"

#include "Support/Config.h"

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <dlfcn.h>

namespace clopt::layer {

namespace {

std::string text(Lookup lookup, const char *name) {
  const char *value = lookup(name);
  return value != nullptr ? value : "";
}

/// A whole number of at least 1, or `otherwise`.
std::uint64_t number(Lookup lookup, const char *name, std::uint64_t otherwise) {
  const std::string value = text(lookup, name);
  char *end = nullptr;
  const unsigned long long result = std::strtoull(value.c_str(), &end, 10);
  const bool isGood = !value.empty() && value[0] != '-' && *end == '\0';
  return isGood && result > 0 && result < 1000000000 ? result : otherwise;
}

bool isSet(Lookup lookup, const char *name) {
  const std::string value = text(lookup, name);
  return !value.empty() && value != "0";
}

std::string cacheFolder(Lookup lookup) {
  if (isSet(lookup, "CLOPT_DISABLE_CACHE"))
    return "";
  std::string folder = text(lookup, "CLOPT_CACHE_DIR");
  if (folder.empty()) {
    folder = text(lookup, "XDG_CACHE_HOME");
    if (folder.empty() && !text(lookup, "HOME").empty())
      folder = text(lookup, "HOME") + "/.cache";
    if (!folder.empty())
      folder += "/clopt";
  }
  return folder.empty() ? "" : folder + "/" CLOPT_VERSION_STRING;
}

/// clopt as it is installed with the library that holds this function; its bare
/// name, for PATH, if it is not there.
std::string installedProgram() {
  Dl_info library;
  std::error_code code;
  if (dladdr(reinterpret_cast<void *>(&installedProgram), &library) != 0 &&
      library.dli_fname != nullptr) {
    const std::filesystem::path folder =
        std::filesystem::absolute(library.dli_fname, code).parent_path();
    const std::filesystem::path program =
        (folder / CLOPT_PROGRAM_FROM_LAYER).lexically_normal();
    if (!code && std::filesystem::exists(program, code))
      return program.string();
  }
  return "clopt";
}

} // namespace

Settings readSettings(Lookup lookup, const std::string &program) {
  Settings result;
  result.program = text(lookup, "CLOPT_LAYER_CLOPT");
  if (result.program.empty())
    result.program = program;
  result.target = text(lookup, "CLOPT_LAYER_TARGET");
  std::istringstream words(text(lookup, "CLOPT_LAYER_OPTIONS"));
  for (std::string word; words >> word;)
    result.options.push_back(word);
  result.timeLimit =
      std::chrono::seconds(number(lookup, "CLOPT_LAYER_TIMEOUT", 30));
  result.arePlansMade = isSet(lookup, "CLOPT_LAYER_PLANS");
  result.logFile = text(lookup, "CLOPT_LAYER_LOG");
  result.isVerbose = isSet(lookup, "CLOPT_LAYER_VERBOSE");
  result.traceFile = text(lookup, "CLOPT_LAYER_TRACE");
  result.recordFolder = text(lookup, "CLOPT_LAYER_RECORD");
  result.cacheFolder = cacheFolder(lookup);
  result.cacheBytes = number(lookup, "CLOPT_CACHE_SIZE", 256) << 20;
  return result;
}

const Settings &settings() {
  // Never destroyed: applications call OpenCL from destructors of their own.
  static const Settings &ours = *new Settings(readSettings(
      [](const char *name) -> const char * { return secure_getenv(name); },
      installedProgram()));
  return ours;
}

} // namespace clopt::layer
