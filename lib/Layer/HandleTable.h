//===- HandleTable.h - what the layer knows of handles ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OpenCL has no place at an object for what others know of it. The table
// counts the application's own references: drivers hold some as well (a
// command in a queue keeps its kernel), and when those go nobody tells us. An
// address that is used again gets a new record or none.
//
// Tested by test/unit/RuntimeLayerTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_HANDLETABLE_H
#define CLOPT_LAYER_HANDLETABLE_H

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace clopt::layer {

template <typename Handle, typename Record> class HandleTable {
public:
  using Pointer = std::shared_ptr<Record>;

  /// For a handle that has just been made. Without a record, what is known of
  /// an earlier object at the same address is forgotten.
  void add(Handle handle, Pointer record) {
    // A record may release objects when it goes, which is not done under the
    // lock.
    Pointer old;
    std::unique_lock lock(mutex);
    const auto known = entries.find(handle);
    if (known != entries.end())
      old = std::move(known->second.record);
    if (record != nullptr)
      entries[handle] = {std::move(record), 1};
    else if (known != entries.end())
      entries.erase(known);
    count = entries.size();
    lock.unlock();
  }

  Pointer find(Handle handle) const {
    if (count.load(std::memory_order_acquire) == 0)
      return nullptr;
    std::shared_lock lock(mutex);
    const auto known = entries.find(handle);
    return known != entries.end() ? known->second.record : nullptr;
  }

  void retain(Handle handle) {
    if (count.load(std::memory_order_acquire) == 0)
      return;
    std::unique_lock lock(mutex);
    const auto known = entries.find(handle);
    if (known != entries.end())
      ++known->second.references;
  }

  /// To be called before the driver's release: behind it, another thread may
  /// already have a new object at the address.
  void release(Handle handle) {
    if (count.load(std::memory_order_acquire) == 0)
      return;
    Pointer old;
    std::unique_lock lock(mutex);
    const auto known = entries.find(handle);
    if (known != entries.end() && --known->second.references == 0) {
      old = std::move(known->second.record);
      entries.erase(known);
    }
    count = entries.size();
    lock.unlock();
  }

private:
  struct Entry {
    Pointer record;
    unsigned references = 0;
  };
  mutable std::shared_mutex mutex;
  std::unordered_map<Handle, Entry> entries;
  std::atomic<std::size_t> count{0}; ///< most applications have none
};

} // namespace clopt::layer

#endif // CLOPT_LAYER_HANDLETABLE_H
