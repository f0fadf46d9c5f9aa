//===- ProtectedMemory.h - memory between forbidden pages ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A read outside of a buffer leaves no trace. So a buffer can lie flush against
// pages that nobody may touch: what touches them is noted by the handler of the
// fault, which opens the page, and goes on. Only for devices that use the
// memory of the host in place. Tested by
// test/unit/RuntimeProtectedMemoryTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_PROTECTEDMEMORY_H
#define CLOPT_RUNTIME_PROTECTEDMEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace clopt::runtime {

/// The first access to a page outside of a buffer.
struct OutsideAccess {
  bool before = false;      ///< the buffer's first byte, else past its end
  std::size_t distance = 0; ///< bytes from that edge; 1 is the byte next to it
  std::optional<bool> isWrite; ///< unknown on some processors
  std::uintptr_t page = 0;     ///< its address
};

/// Bytes that begin, or end, where a protected page ends, or begins. What is
/// left on the other side up to its protected page is the slack.
class ProtectedMemory {
public:
  enum class Edge { Begin, End };

  /// The data are aligned to `alignment`, a power of two and at most a page:
  /// at Edge::End up to `alignment` - 1 bytes lie behind them. Throws Error.
  ProtectedMemory(std::size_t bytes, Edge edge, std::size_t alignment);
  ~ProtectedMemory();
  ProtectedMemory(const ProtectedMemory &) = delete;
  ProtectedMemory &operator=(const ProtectedMemory &) = delete;

  std::uint8_t *data() const { return dataBegin; }
  std::size_t size() const { return bytes; }
  /// Bytes between the protected pages: before, and behind the data.
  std::size_t slackBefore() const {
    return static_cast<std::size_t>(dataBegin - openBegin);
  }
  std::size_t slackBehind() const {
    return static_cast<std::size_t>(openEnd - dataBegin) - bytes;
  }

  /// Closes all pages that have been opened, and forgets what was noted.
  void arm();
  /// What was noted since, in the order of time.
  std::vector<OutsideAccess> accesses() const;

  /// For the handler: true if the address belongs to a protected page, which is
  /// open then.
  bool note(std::uint8_t *address, std::optional<bool> isWrite);

private:
  struct Hit {
    std::uint8_t *address;
    std::optional<bool> isWrite;
  };

  std::size_t bytes;
  std::uint8_t *mapped = nullptr;
  std::size_t mappedBytes = 0;
  std::uint8_t *openBegin = nullptr, *openEnd = nullptr;
  std::uint8_t *dataBegin = nullptr;
  /// Room for every page; several threads may hit one at once.
  std::vector<Hit> hits;
  std::atomic<std::size_t> hitCount{0};
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_PROTECTEDMEMORY_H
