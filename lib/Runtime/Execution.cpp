//===- Execution.cpp - launches a kernel and reads what it did ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Execution.h"

#include "Runtime/ImageMemory.h"

#include <algorithm>
#include <chrono>

namespace clopt::runtime {

double median(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Execution::Execution(const Device &where, const Launch &what,
                     const BufferPlacement &placement)
    : device(where), launch(what) {
  for (const LaunchArgument &argument : launch.arguments) {
    samplers.emplace_back();
    if (argument.memory != MemoryKind::Sampler)
      continue;
    cl_int status = CL_SUCCESS;
    samplers.back() = SamplerHandle(clCreateSampler(
        device.context(), argument.sampler.isNormalized ? CL_TRUE : CL_FALSE,
        argument.sampler.addressing, argument.sampler.filter, &status));
    if (status != CL_SUCCESS)
      throw OpenCLError("clCreateSampler", status,
                        " for argument '" + argument.name + "'");
  }
  place(placement);
}

void Execution::place(const BufferPlacement &placement) {
  buffers.clear();
  for (const LaunchBuffer &buffer : launch.buffers) {
    if (buffer.image) {
      buffers.push_back(
          std::make_unique<ImageMemory>(device, *buffer.image, buffer.name));
      continue;
    }
    BufferPlacement own = placement;
    own.alignment = std::max(placement.alignment, buffer.type.alignment);
    buffers.push_back(std::make_unique<GuardedBuffer>(
        device, buffer.contents.size(), own, buffers.size()));
  }
}

void Execution::restore() {
  for (std::size_t i = 0; i < buffers.size(); ++i)
    buffers[i]->upload(launch.buffers[i].contents);
}

/// The bytes of the object that an argument other than a scalar is.
std::vector<std::uint8_t> Execution::handleOf(const LaunchArgument &argument,
                                              std::size_t index) {
  auto bytesOf = [](const auto &handle) {
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(&handle);
    return std::vector<std::uint8_t>(bytes, bytes + sizeof handle);
  };
  if (argument.memory == MemoryKind::Sampler)
    return bytesOf(samplers[index].get());
  return bytesOf(buffers[argument.buffer]->argument(argument.shiftBytes));
}

void Execution::setArguments(const KernelHandle &kernel,
                             const std::vector<LaunchArgument> &arguments) {
  cl_uint index = 0;
  for (const LaunchArgument &argument : arguments) {
    cl_int status = CL_SUCCESS;
    if (argument.memory == MemoryKind::Scalar) {
      status = clSetKernelArg(kernel.get(), index, argument.scalar.size(),
                              argument.scalar.data());
    } else if (argument.memory == MemoryKind::Local) {
      status =
          clSetKernelArg(kernel.get(), index, argument.localBytes, nullptr);
    } else {
      const std::vector<std::uint8_t> handle = handleOf(argument, index);
      status =
          clSetKernelArg(kernel.get(), index, handle.size(), handle.data());
    }
    if (status != CL_SUCCESS)
      throw OpenCLError("clSetKernelArg", status,
                        " for argument '" + argument.name + "'");
    ++index;
  }
}

EventHandle Execution::enqueueKernel(cl_command_queue queue,
                                     const KernelHandle &kernel,
                                     const NDRange &range,
                                     const std::vector<cl_event> &waits) {
  cl_event event = nullptr;
  const auto group = groupOf(kernel.get(), device.id(), range.local);
  const cl_int status = clEnqueueNDRangeKernel(
      queue, kernel.get(), range.dimensions,
      range.offset ? range.offset->data() : nullptr, range.global.data(),
      group ? group->data() : nullptr, static_cast<cl_uint>(waits.size()),
      waits.empty() ? nullptr : waits.data(), &event);
  if (status != CL_SUCCESS)
    throw OpenCLError("clEnqueueNDRangeKernel", status, " for " + range.str());
  return EventHandle(event);
}

EventHandle Execution::launchKernel(const KernelHandle &kernel,
                                    const NDRange &range) {
  EventHandle event = enqueueKernel(device.queue(), kernel, range);
  const cl_event waited = event.get();
  checkCL(clWaitForEvents(1, &waited), "clWaitForEvents");
  return event;
}

EventHandle Execution::enqueue(cl_command_queue queue, const Call &call,
                               const std::vector<cl_event> &waits) {
  setArguments(*call.kernel, call.arguments);
  return enqueueKernel(queue, *call.kernel, call.range, waits);
}

void Execution::spoil() {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    std::vector<std::uint8_t> contents = launch.buffers[i].contents;
    for (std::uint8_t &byte : contents)
      byte = static_cast<std::uint8_t>(byte ^ 0xa5);
    buffers[i]->upload(contents);
  }
}

std::vector<EventHandle> Execution::launchAll(const std::vector<Call> &calls) {
  std::vector<EventHandle> events;
  for (const Call &call : calls)
    events.push_back(enqueue(device.queue(), call));
  device.finish();
  return events;
}

Outcome Execution::run(const KernelHandle &kernel, const NDRange &range) {
  restore();
  setArguments(kernel, launch.arguments);
  launchKernel(kernel, range);
  return readBack();
}

Outcome Execution::readBack() {
  Outcome outcome;
  for (const auto &buffer : buffers) {
    outcome.outside.push_back(buffer->accesses());
    outcome.damage.emplace_back();
    outcome.buffers.push_back(buffer->download(outcome.damage.back()));
  }
  return outcome;
}

double Execution::time(const KernelHandle &kernel, const NDRange &range) {
  restore();
  setArguments(kernel, launch.arguments);
  const EventHandle event = launchKernel(kernel, range);
  return eventMilliseconds(event.get());
}

//===-- Launch plans ----------------------------------------------------===//

static RequestedRange requested(const NDRange &range) {
  RequestedRange result;
  result.dimensions = range.dimensions;
  result.global = range.global;
  result.local = range.local;
  if (range.offset)
    result.offset = *range.offset;
  return result;
}

std::vector<GivenArgument> Execution::planArguments() {
  std::vector<GivenArgument> result;
  for (const LaunchArgument &argument : launch.arguments) {
    GivenArgument given;
    given.isSet = true;
    if (argument.memory == MemoryKind::Scalar)
      given.bytes = argument.scalar;
    else if (argument.memory != MemoryKind::Local)
      given.bytes = handleOf(argument, result.size());
    given.size = argument.memory == MemoryKind::Local ? argument.localBytes
                                                      : given.bytes.size();
    result.push_back(std::move(given));
  }
  return result;
}

std::vector<std::string> Execution::variants(PlanExecutor &executor,
                                             const PlanKernel &kernel,
                                             const NDRange &range,
                                             bool ignoreAdvice) {
  return executor.applicable(kernel, planArguments(), requested(range),
                             ignoreAdvice);
}

Outcome Execution::run(PlanExecutor &executor, const PlanKernel &kernel,
                       const NDRange &range, const VariantChoice &choice) {
  restore();
  executor.enqueue(device.queue(), kernel, planArguments(), requested(range),
                   {}, choice);
  device.finish();
  return readBack();
}

PlanTimes Execution::time(PlanExecutor &executor, const PlanKernel &kernel,
                          const NDRange &range, const VariantChoice &choice) {
  restore();
  const EnqueueResult result = executor.enqueue(
      device.queue(), kernel, planArguments(), requested(range), {}, choice);
  device.finish();
  PlanTimes times;
  times.variant = result.variant;
  for (const EnqueuedCommand &command : result.commands)
    (command.kind == EnqueuedCommand::Kind::Kernel ? times.kernel
                                                   : times.conversion) +=
        eventMilliseconds(command.event.get());
  return times;
}

double Execution::timeTransfers(const std::vector<bool> &isRead) {
  std::vector<std::vector<std::uint8_t>> contents;
  for (const LaunchBuffer &buffer : launch.buffers)
    contents.push_back(buffer.contents);
  device.finish();
  const Stopwatch watch;
  for (const bool isBack : {false, true})
    for (std::size_t i = 0; i < buffers.size(); ++i)
      if (!isBack || isRead[i])
        buffers[i]->transfer(contents[i], isBack);
  return watch.milliseconds();
}

MemoryTimes Execution::time(const KernelHandle &kernel, const NDRange &range,
                            const std::vector<MemoryMode> &modes,
                            const std::vector<bool> &isRead, Outcome &outcome) {
  MemoryTimes times;
  std::vector<HostedBuffer *> hosted(launch.buffers.size(), nullptr);
  buffers.clear();
  for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
    const LaunchBuffer &buffer = launch.buffers[i];
    const Stopwatch making;
    if (buffer.image) {
      buffers.push_back(
          std::make_unique<ImageMemory>(device, *buffer.image, buffer.name));
      buffers.back()->upload(buffer.contents);
      continue;
    }
    auto made =
        std::make_unique<HostedBuffer>(device, modes[i], buffer.contents);
    times.make += making.milliseconds();
    if (modes[i] != MemoryMode::CopyHost)
      times.transfer += made->write(buffer.contents);
    hosted[i] = made.get();
    buffers.push_back(std::move(made));
  }
  setArguments(kernel, launch.arguments);
  const Stopwatch running;
  launchKernel(kernel, range);
  times.kernel = running.milliseconds();
  std::vector<std::uint8_t> contents;
  for (std::size_t i = 0; i < hosted.size(); ++i)
    if (hosted[i] && isRead[i]) {
      contents.resize(launch.buffers[i].contents.size(), 1); // has its pages
      times.transfer += hosted[i]->read(contents);
    }
  outcome = readBack();
  const Stopwatch releasing;
  buffers.clear();
  times.make += releasing.milliseconds();
  place(BufferPlacement{});
  return times;
}

cl_uint Execution::probeEntry(const KernelHandle &probe, const NDRange &range) {
  restore(); // a condition may read a buffer
  setArguments(probe, launch.arguments);
  cl_uint value = 0;
  const BufferHandle mark =
      makeBuffer(device, sizeof value, CL_MEM_COPY_HOST_PTR, &value);
  const cl_mem memory = mark.get();
  checkCL(clSetKernelArg(probe.get(),
                         static_cast<cl_uint>(launch.arguments.size()),
                         sizeof memory, &memory),
          "clSetKernelArg");
  launchKernel(probe, range);
  device.read(mark, &value, sizeof value);
  return value;
}

std::size_t Execution::maxGroup(const KernelHandle &kernel) const {
  return groupInfo<std::size_t>(kernel.get(), device.id(),
                                CL_KERNEL_WORK_GROUP_SIZE);
}

} // namespace clopt::runtime
