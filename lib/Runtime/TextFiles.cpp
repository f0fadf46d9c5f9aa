//===- TextFiles.cpp - writing files --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeTextFilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/TextFiles.h"

#include "Runtime/Error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace clopt::runtime {

void writeFile(const std::string &path, const std::string &text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream)
    throw Error("cannot write '" + path + "': " + std::strerror(errno));
}

void replaceFile(const std::string &path, const std::string &text) {
  const std::string temporary = path + "." + std::to_string(getpid()) + ".tmp";
  writeFile(temporary, text);
  if (std::rename(temporary.c_str(), path.c_str()) == 0)
    return;
  const std::string reason = std::strerror(errno);
  std::remove(temporary.c_str());
  throw Error("cannot write '" + path + "': " + reason);
}

FileLock::FileLock(const std::string &path)
    : descriptor(
          open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor < 0)
    throw Error("cannot lock '" + path + "': " + std::strerror(errno));
  while (flock(descriptor, LOCK_EX) != 0)
    if (errno != EINTR) {
      const std::string reason = std::strerror(errno);
      close(descriptor);
      throw Error("cannot lock '" + path + "': " + reason);
    }
}

FileLock::~FileLock() { close(descriptor); }

} // namespace clopt::runtime
