//===- ProgramOrigins.cpp - what binaries were built of -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#include "Layer/ProgramOrigins.h"

#include "Layer/Settings.h"
#include "Layer/TextCache.h"

#include <sstream>

namespace clopt::layer {

static TextCache cache() {
  return TextCache(settings().cacheFolder, settings().cacheBytes);
}

static std::string keyOf(std::string_view binary) {
  return cacheKey({"origin of a binary", std::string(binary)});
}

/// The sizes of the options and of the digest, these, and the source.
void keepOrigin(std::string_view binary, const ProgramOrigin &origin) {
  std::ostringstream text;
  text << origin.options.size() << ' ' << origin.surroundings.size() << '\n'
       << origin.options << origin.surroundings << origin.source;
  cache().store(keyOf(binary), text.str());
}

std::optional<ProgramOrigin> originOf(std::string_view binary) {
  const std::optional<std::string> text = cache().find(keyOf(binary));
  if (!text)
    return std::nullopt;
  std::istringstream sizes(*text);
  std::size_t options = 0, surroundings = 0;
  sizes >> options >> surroundings;
  std::size_t at = text->find('\n') + 1;
  ProgramOrigin origin;
  origin.options = text->substr(at, options);
  origin.surroundings = text->substr(at += options, surroundings);
  origin.source = text->substr(at + surroundings);
  return origin;
}

} // namespace clopt::layer
