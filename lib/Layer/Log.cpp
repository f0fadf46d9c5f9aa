//===- Log.cpp - what the layer says --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layer/Log.h"

#include "Layer/Settings.h"

#include <algorithm>
#include <mutex>
#include <set>

#include <fcntl.h>
#include <unistd.h>

namespace clopt::layer {

namespace {

int openLog() {
  const std::string &file = settings().logFile;
  return file.empty() ? -1
                      : open(file.c_str(),
                             O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

void writeLine(int file, const std::string &line) {
  if (file < 0)
    return;
  // A log that cannot be written is no reason to disturb the application.
  const ssize_t written = write(file, line.data(), line.size());
  static_cast<void>(written);
}

} // namespace

void log(const std::string &message) {
  static const int file = openLog();
  if (file < 0 && !settings().isVerbose)
    return;
  std::string line = "clopt-layer: " + message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  line += '\n';
  writeLine(file, "[" + std::to_string(getpid()) + "] " + line);
  if (settings().isVerbose)
    writeLine(STDERR_FILENO, line);
}

void logOnce(const std::string &message) {
  static std::mutex mutex;
  static auto &known = *new std::set<std::string>(); // outlives destructors
  {
    const std::lock_guard lock(mutex);
    if (!known.insert(message).second)
      return;
  }
  log(message);
}

} // namespace clopt::layer
