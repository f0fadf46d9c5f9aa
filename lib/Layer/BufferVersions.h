//===- BufferVersions.h - whether buffers are still the same ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A converted copy of a buffer is good for as long as the buffer has the same
// content. Each write gives it another version. Versions are counted when
// commands are enqueued, so they say something only where commands run in that
// order: a buffer has versions for the queue that used it first, if that is one
// with an order, and none once another queue has written to it. Neither has
// one that the host may write to at any time.
//
// Tested by test/unit/RuntimeLayerTest.cpp and test/layer.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_BUFFERVERSIONS_H
#define CLOPT_LAYER_BUFFERVERSIONS_H

#include "Layer/HandleTable.h"

#include <CL/cl.h>

#include <cstdint>
#include <mutex>
#include <optional>

namespace clopt::layer {

/// A queue as far as buffers are concerned.
struct UsingQueue {
  cl_command_queue queue = nullptr; ///< null: not known
  bool hasOrder = false;
};

/// What is known of a buffer that is no part of another one.
class BufferVersion {
public:
  BufferVersion();

  /// A command that may write to it has been enqueued.
  void written(const UsingQueue &by);
  /// A part of it is the host's until unmapped() has been called as often.
  void mapped(const UsingQueue &by, bool isForWriting);
  void unmapped(const UsingQueue &by);
  /// From now on it is not known when it is written.
  void lose();

  /// A number that no other content of any buffer has had; none if it is not
  /// known what it holds when `by` comes to its next command.
  std::optional<std::uint64_t> current(const UsingQueue &by);

private:
  bool isOf(const UsingQueue &by);

  std::mutex mutex;
  std::uint64_t version;
  cl_command_queue queue = nullptr; ///< the first that used it
  unsigned maps = 0;
  bool isMappedForWriting = false;
  bool isLost = false;
};

} // namespace clopt::layer

#endif // CLOPT_LAYER_BUFFERVERSIONS_H
