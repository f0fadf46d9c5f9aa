//===- PlanPrepared.h - one launch while it is enqueued --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the files of PlanExecutor.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_PLANPREPARED_H
#define CLOPT_RUNTIME_PLANPREPARED_H

#include "Runtime/PlanExecutor.h"

#include <cstring>

namespace clopt::runtime {

struct PlanExecutor::Prepared {
  cl_command_queue queue = nullptr;
  const PlanKernel *kernel = nullptr;
  const VariantChoice *choice = nullptr;
  std::vector<GivenArgument> arguments;
  std::vector<Source> sources; ///< per argument
  ResolvedVariant variant;
  std::vector<cl_event> waitList; ///< the application's
  /// Buffers and images of the plan, by name.
  std::map<std::string, std::shared_ptr<BufferHandle>> memory;
  /// What the kernel has to wait for besides.
  std::vector<std::shared_ptr<EventHandle>> ready;
  EnqueueResult result;

  std::vector<cl_event> allEvents() const {
    std::vector<cl_event> events = waitList;
    for (const auto &event : ready)
      events.push_back(event->get());
    return events;
  }

  /// Of a parameter; the number of parameters when there is none.
  std::size_t positionOf(const std::string &name) const {
    std::size_t position = 0;
    while (position < kernel->parameters.size() &&
           kernel->parameters[position].name != name)
      ++position;
    return position;
  }

  /// The buffer of a parameter or of the plan.
  cl_mem bufferOf(const std::string &name) const {
    const std::size_t position = positionOf(name);
    if (position == kernel->parameters.size())
      return memory.at(name)->get();
    cl_mem buffer = nullptr;
    if (arguments[position].bytes.size() == sizeof buffer)
      std::memcpy(&buffer, arguments[position].bytes.data(), sizeof buffer);
    return buffer;
  }
};

/// An event that the result and the wait lists of later commands share.
inline std::shared_ptr<EventHandle> shareEvent(EnqueueResult &result,
                                               EnqueuedCommand::Kind kind,
                                               EventHandle event) {
  checkCL(clRetainEvent(event.get()), "clRetainEvent");
  auto shared = std::make_shared<EventHandle>(event.get());
  result.commands.push_back({kind, std::move(event)});
  return shared;
}

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_PLANPREPARED_H
