//===- BufferVersions.cpp - whether buffers are still the same ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layer/BufferVersions.h"

#include <atomic>

namespace clopt::layer {

static std::uint64_t nextVersion() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

BufferVersion::BufferVersion() : version(nextVersion()) {}

/// Takes the first queue that has an order. To be called with the lock.
bool BufferVersion::isOf(const UsingQueue &by) {
  if (queue == nullptr && by.hasOrder)
    queue = by.queue;
  return by.hasOrder && queue == by.queue;
}

void BufferVersion::written(const UsingQueue &by) {
  const std::lock_guard lock(mutex);
  version = nextVersion();
  isLost |= !isOf(by);
}

void BufferVersion::mapped(const UsingQueue &by, bool isForWriting) {
  const std::lock_guard lock(mutex);
  ++maps;
  isMappedForWriting |= isForWriting;
  isLost |= isForWriting && !isOf(by);
}

void BufferVersion::unmapped(const UsingQueue &by) {
  const std::lock_guard lock(mutex);
  if (isMappedForWriting) {
    version = nextVersion();
    isLost |= !isOf(by);
  }
  maps -= maps > 0 ? 1 : 0;
  isMappedForWriting &= maps > 0;
}

void BufferVersion::lose() {
  const std::lock_guard lock(mutex);
  isLost = true;
}

std::optional<std::uint64_t> BufferVersion::current(const UsingQueue &by) {
  const std::lock_guard lock(mutex);
  if (isLost || isMappedForWriting || !isOf(by))
    return std::nullopt;
  return version;
}

} // namespace clopt::layer
