//===- PlannedLaunch.cpp - launches in the form of a plan -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#include "Layer/PlannedLaunch.h"

#include "Layer/Dispatch.h"
#include "Layer/Log.h"
#include "Layer/Settings.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <vector>

namespace clopt::layer {

namespace {

/// A kernel of the application and what it has been given.
struct PlannedKernel {
  std::shared_ptr<PlannedProgram> program; ///< null: it has no plan
  const PlanKernel *plan = nullptr;
  bool hasOwnForm = false; ///< some variant of the plan is no drop-in kernel
  std::mutex mutex;        ///< of what follows
  std::vector<GivenArgument> arguments;
  bool isKnown = true; ///< nothing but the arguments
};

// As all tables of the layer, they are never destroyed.
HandleTable<cl_kernel, PlannedKernel> &plannedKernels() {
  static auto &table = *new HandleTable<cl_kernel, PlannedKernel>();
  return table;
}

/// Parts of a buffer have the record of the whole.
HandleTable<cl_mem, BufferVersion> &buffers() {
  static auto &table = *new HandleTable<cl_mem, BufferVersion>();
  return table;
}

std::atomic<bool> isKeeping{true};

/// Those that may hold copies.
class Executors {
public:
  void add(const std::shared_ptr<PlannedProgram> &program) {
    const std::lock_guard lock(mutex);
    all.remove_if([](const auto &known) { return known.expired(); });
    all.push_back(program);
  }
  void forget(cl_mem buffer) {
    std::vector<std::shared_ptr<PlannedProgram>> programs;
    {
      const std::lock_guard lock(mutex);
      for (const auto &known : all)
        if (auto program = known.lock())
          programs.push_back(std::move(program));
    }
    for (const auto &program : programs)
      program->executor.untrack(buffer);
  }

private:
  std::mutex mutex;
  std::list<std::weak_ptr<PlannedProgram>> all;
};

Executors &executors() {
  static auto &ours = *new Executors();
  return ours;
}

/// Null where it is not told: then a buffer belongs to no queue.
UsingQueue usingQueue(cl_command_queue queue) {
  const cl_command_queue_properties properties =
      queryValue<cl_command_queue_properties>(
          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
          target().clGetCommandQueueInfo, queue,
          cl_command_queue_info(CL_QUEUE_PROPERTIES));
  return {queue, (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0};
}

/// Where something fails of which later launches would have to know.
template <typename Action> void guarded(const Action &action) noexcept {
  if (!settings().arePlansMade)
    return;
  try {
    action();
  } catch (...) {
    isKeeping = false;
  }
}

template <typename Action>
void onKernel(cl_kernel kernel, const Action &action) noexcept {
  guarded([&] {
    const std::shared_ptr<PlannedKernel> known = plannedKernels().find(kernel);
    if (known == nullptr) {
      isKeeping = false;
      return;
    }
    const std::lock_guard lock(known->mutex);
    action(*known);
  });
}

/// What may be a buffer: a number of that size may look like one.
cl_mem bufferIn(const GivenArgument &argument) {
  cl_mem buffer = nullptr;
  if (argument.bytes.size() == sizeof buffer)
    std::memcpy(&buffer, argument.bytes.data(), sizeof buffer);
  return buffer;
}

/// An application may wait for a launch before it sets the event that another
/// one waits for: what the other one makes is not for all.
bool waitsForUser(const AskedLaunch &asked) {
  return std::any_of(
      asked.waitList, asked.waitList + asked.count, [](cl_event event) {
        return queryValue<cl_command_type>(
                   CL_COMMAND_USER, target().clGetEventInfo, event,
                   cl_event_info(CL_EVENT_COMMAND_TYPE)) == CL_COMMAND_USER;
      });
}

/// Why no variant of the plan gets the argument, or null. Drivers hold memory
/// for a kernel whose last reference the application has released: it may be
/// gone.
const char *problemOf(const PlanParameter &parameter,
                      const GivenArgument &argument) {
  const cl_mem buffer = bufferIn(argument);
  if (parameter.kind == PlanParameter::Kind::Buffer)
    return buffer == nullptr || buffers().find(buffer) != nullptr
               ? nullptr
               : "an argument is a buffer that clCreateBuffer has not made, or "
                 "that has been released";
  return parameter.kind == PlanParameter::Kind::Other &&
                 argument.size == sizeof buffer
             ? "an argument is an image or a sampler"
             : nullptr;
}

/// Errors are for the driver to tell.
bool isComplete(const PlannedKernel &kernel, const AskedLaunch &asked) {
  return asked.dimensions >= 1 && asked.dimensions <= 3 &&
         asked.global != nullptr &&
         (asked.count == 0) == (asked.waitList == nullptr) &&
         std::find(asked.global, asked.global + asked.dimensions, 0) ==
             asked.global + asked.dimensions &&
         std::all_of(kernel.arguments.begin(), kernel.arguments.end(),
                     [](const GivenArgument &given) { return given.isSet; });
}

/// Why the launch has the drop-in form whatever its plan says, or null.
const char *problemOf(const PlannedKernel &kernel, const AskedLaunch &asked) {
  if (!kernel.isKnown)
    return "it has had shared virtual memory, or clSetKernelExecInfo";
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i)
    if (const char *problem =
            problemOf(kernel.plan->parameters[i], kernel.arguments[i]))
      return problem;
  return queryValue<cl_device_id>(
             nullptr, target().clGetCommandQueueInfo, asked.queue,
             cl_command_queue_info(CL_QUEUE_DEVICE)) == kernel.program->device
             ? nullptr
             : "the queue is one of another device";
}

} // namespace

std::shared_ptr<PlannedProgram>
makePlannedProgram(cl_context context, cl_device_id device,
                   const runtime::PlanTexts &texts) {
  auto program = std::make_shared<PlannedProgram>(context, device, texts);
  executors().add(program);
  return program;
}

//===-- Kernels -----------------------------------------------------------===//

void planKernel(cl_kernel kernel,
                const std::vector<std::shared_ptr<PlannedProgram>> &programs,
                const std::string &name) noexcept {
  guarded([&] {
    auto known = std::make_shared<PlannedKernel>();
    for (const std::shared_ptr<PlannedProgram> &program : programs)
      if (const PlanKernel *plan = program->executor.plan().plan().find(name)) {
        known->plan = plan;
        known->program = program;
      }
    known->arguments.resize(
        queryValue<cl_uint>(0, target().clGetKernelInfo, kernel,
                            cl_kernel_info(CL_KERNEL_NUM_ARGS)));
    if (known->plan != nullptr &&
        known->plan->parameters.size() != known->arguments.size())
      known->plan = nullptr;
    known->hasOwnForm =
        known->plan != nullptr &&
        std::any_of(known->plan->variants.begin(), known->plan->variants.end(),
                    runtime::hasOwnForm);
    plannedKernels().add(kernel, std::move(known));
  });
}

void planClone(cl_kernel kernel, cl_kernel copy) noexcept {
  onKernel(kernel, [&](const PlannedKernel &known) {
    auto other = std::make_shared<PlannedKernel>();
    other->program = known.program;
    other->plan = known.plan;
    other->hasOwnForm = known.hasOwnForm;
    other->arguments = known.arguments;
    other->isKnown = known.isKnown;
    plannedKernels().add(copy, std::move(other));
  });
}

void planArgument(cl_kernel kernel, cl_uint index, std::size_t size,
                  const void *value) noexcept {
  onKernel(kernel, [&](PlannedKernel &known) {
    const bool isBuffer =
        known.plan != nullptr &&
        known.plan->parameters.at(index).kind == PlanParameter::Kind::Buffer;
    known.arguments.at(index) = GivenArgument::of(size, value, isBuffer);
  });
}

void planOtherArgument(cl_kernel kernel) noexcept {
  onKernel(kernel, [](PlannedKernel &known) { known.isKnown = false; });
}

void planRetain(cl_kernel kernel) noexcept {
  guarded([&] { plannedKernels().retain(kernel); });
}

void planRelease(cl_kernel kernel) noexcept {
  guarded([&] { plannedKernels().release(kernel); });
}

//===-- Launches ----------------------------------------------------------===//

std::string launchPlanned(const AskedLaunch &asked, cl_event *event) noexcept {
  try {
    const std::shared_ptr<PlannedKernel> known =
        plannedKernels().find(asked.kernel);
    if (known == nullptr)
      return "";
    const std::lock_guard lock(known->mutex);
    if (!known->hasOwnForm)
      return "";
    if (const char *problem = problemOf(*known, asked)) {
      logOnce("launches of '" + known->plan->name +
              "' go without a plan: " + problem);
      return "";
    }
    if (!isComplete(*known, asked))
      return "";
    runtime::VariantChoice choice;
    choice.onlyOwnForms = true;
    const bool mayKeep = isKeeping && !waitsForUser(asked);
    const UsingQueue queue = usingQueue(asked.queue);
    choice.versionOf = [&](cl_mem root) -> std::optional<std::uint64_t> {
      const std::shared_ptr<BufferVersion> version = buffers().find(root);
      return version != nullptr && mayKeep ? version->current(queue)
                                           : std::nullopt;
    };
    const runtime::EnqueueResult result = known->program->executor.enqueue(
        asked.queue, *known->plan, known->arguments,
        RequestedRange::of(asked.dimensions, asked.offset, asked.global,
                           asked.local),
        {asked.waitList, asked.waitList + asked.count}, choice);
    if (result.commands.empty())
      return "";
    if (event != nullptr) {
      *event = result.commands.back().event.get();
      target().clRetainEvent(*event);
    }
    const bool isConverting = std::any_of(
        result.commands.begin(), result.commands.end(),
        [](const runtime::EnqueuedCommand &command) {
          return command.kind != runtime::EnqueuedCommand::Kind::Kernel;
        });
    return result.variant + (isConverting ? ", converted" : "");
  } catch (...) {
    // Nothing but copies has been written.
    return "";
  }
}

void noteLaunch(cl_command_queue queue, cl_kernel kernel) noexcept {
  onKernel(kernel, [&](const PlannedKernel &known) {
    const UsingQueue by = usingQueue(queue);
    for (std::size_t i = 0; i < known.arguments.size(); ++i) {
      const bool isOnlyRead =
          known.plan != nullptr && !known.plan->parameters[i].isWritten;
      if (const auto version =
              isOnlyRead ? nullptr
                         : buffers().find(bufferIn(known.arguments[i])))
        version->written(by);
    }
  });
}

//===-- Buffers -----------------------------------------------------------===//

template <typename Action>
static void onBuffer(cl_mem buffer, const Action &action) noexcept {
  guarded([&] {
    if (const std::shared_ptr<BufferVersion> version = buffers().find(buffer))
      action(*version);
  });
}

void noteBuffer(cl_mem buffer, cl_mem_flags flags) noexcept {
  guarded([&] {
    auto version = std::make_shared<BufferVersion>();
    // The host's own memory changes when the host wants it.
    if ((flags & CL_MEM_USE_HOST_PTR) != 0)
      version->lose();
    buffers().add(buffer, std::move(version));
  });
}

void notePart(cl_mem buffer, cl_mem part) noexcept {
  guarded([&] { buffers().add(part, buffers().find(buffer)); });
}

void noteWrite(cl_command_queue queue, cl_mem buffer) noexcept {
  onBuffer(buffer,
           [&](BufferVersion &version) { version.written(usingQueue(queue)); });
}

void noteMap(cl_command_queue queue, cl_mem buffer,
             cl_map_flags flags) noexcept {
  onBuffer(buffer, [&](BufferVersion &version) {
    version.mapped(usingQueue(queue),
                   (flags & ~cl_map_flags(CL_MAP_READ)) != 0);
  });
}

void noteUnmap(cl_command_queue queue, cl_mem buffer) noexcept {
  onBuffer(buffer, [&](BufferVersion &version) {
    version.unmapped(usingQueue(queue));
  });
}

void loseBuffer(cl_mem buffer) noexcept {
  onBuffer(buffer, [](BufferVersion &version) { version.lose(); });
}

void noteBufferRetain(cl_mem buffer) noexcept {
  guarded([&] { buffers().retain(buffer); });
}

void noteBufferRelease(cl_mem buffer) noexcept {
  guarded([&] {
    const bool wasKnown = buffers().find(buffer) != nullptr;
    buffers().release(buffer);
    if (wasKnown && buffers().find(buffer) == nullptr)
      executors().forget(buffer);
  });
}

void loseAllBuffers() noexcept { isKeeping = false; }

} // namespace clopt::layer
