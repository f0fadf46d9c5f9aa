//===- SequenceCopies.cpp - runs copies and launches ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/SequenceCopies.h"

#include <algorithm>
#include <chrono>

namespace clopt::runtime {

CopyRunner::CopyRunner(const Device &where, const Launch &what, Execution &runs)
    : device(where), launch(what), execution(runs) {
  cl_int status = CL_SUCCESS;
  for (QueueHandle &queue : queues) {
    queue = QueueHandle(clCreateCommandQueue(
        device.context(), device.id(), CL_QUEUE_PROFILING_ENABLE, &status));
    checkCL(status, "clCreateCommandQueue");
  }
  for (const LaunchBuffer &buffer : launch.buffers) {
    const std::size_t size = std::max<std::size_t>(buffer.contents.size(), 1);
    Pinned pinned;
    pinned.buffer = makeBuffer(device, size, CL_MEM_ALLOC_HOST_PTR);
    pinned.data = static_cast<std::uint8_t *>(device.map(pinned.buffer, size));
    host.push_back(std::move(pinned));
  }
}

CopyRunner::~CopyRunner() {
  for (const Pinned &pinned : host)
    clEnqueueUnmapMemObject(device.queue(), pinned.buffer.get(), pinned.data, 0,
                            nullptr, nullptr);
  clFinish(device.queue());
}

EventHandle CopyRunner::enqueue(const CopyCommand &command,
                                const std::vector<Call> &calls,
                                cl_command_queue queue,
                                const std::vector<EventHandle> &events) {
  std::vector<cl_event> waits;
  if (command.after)
    waits.push_back(events[*command.after].get());
  if (command.kind == CopyCommand::Kind::Launch) {
    Call call = calls[command.call];
    call.range = command.range;
    return execution.enqueue(queue, call, waits);
  }
  const cl_mem memory = execution.memory(command.buffer);
  const std::size_t first = command.bytes.first;
  const std::size_t size = command.bytes.second - first;
  std::uint8_t *data = host[command.buffer].data + first;
  const auto count = static_cast<cl_uint>(waits.size());
  const cl_event *list = waits.empty() ? nullptr : waits.data();
  cl_event event = nullptr;
  if (command.kind == CopyCommand::Kind::Write)
    checkCL(clEnqueueWriteBuffer(queue, memory, CL_FALSE, first, size, data,
                                 count, list, &event),
            "clEnqueueWriteBuffer");
  else
    checkCL(clEnqueueReadBuffer(queue, memory, CL_FALSE, first, size, data,
                                count, list, &event),
            "clEnqueueReadBuffer");
  return EventHandle(event);
}

double CopyRunner::run(const std::vector<CopyCommand> &commands,
                       const std::vector<Call> &calls, bool isOneQueue,
                       std::vector<EventHandle> &events) {
  execution.spoil();
  for (std::size_t i = 0; i < host.size(); ++i)
    std::copy(launch.buffers[i].contents.begin(),
              launch.buffers[i].contents.end(), host[i].data);
  device.finish();
  events.clear();
  const Stopwatch watch;
  for (const CopyCommand &command : commands) {
    const cl_command_queue queue =
        queues[isOneQueue ? 0 : static_cast<std::size_t>(command.kind)].get();
    events.push_back(enqueue(command, calls, queue, events));
    if (!isOneQueue)
      checkCL(clFlush(queue), "clFlush");
  }
  for (const QueueHandle &queue : queues)
    checkCL(clFinish(queue.get()), "clFinish");
  return watch.milliseconds();
}

Outcome CopyRunner::outcome() {
  Outcome result = execution.readBack();
  for (std::size_t i = 0; i < host.size(); ++i)
    result.buffers[i].assign(host[i].data,
                             host[i].data + launch.buffers[i].contents.size());
  return result;
}

} // namespace clopt::runtime
