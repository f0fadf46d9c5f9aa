//===- PlannedLaunch.h - launches in the form of a plan ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With CLOPT_LAYER_PLANS a program has a launch plan beside its optimized text.
// A launch whose plan has a form of its own (another NDRange, copies of buffers
// in another layout, images) is carried out by the PlanExecutor of the
// run-time; every other one stays what it is without plans. All commands that
// may write to buffers say so here.
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_PLANNEDLAUNCH_H
#define CLOPT_LAYER_PLANNEDLAUNCH_H

#include "Layer/BufferVersions.h"
#include "Runtime/PlanExecutor.h"

#include <CL/cl.h>

#include <memory>
#include <string>
#include <vector>

namespace clopt::layer {

/// The plan of a text that is built, alone or with others, for one device.
struct PlannedProgram {
  PlannedProgram(cl_context context, cl_device_id where,
                 const runtime::PlanTexts &texts)
      : executor(context, where, texts), device(where) {}
  runtime::PlanExecutor executor;
  const cl_device_id device;
};

/// Throws runtime::Error if the plan cannot be used.
std::shared_ptr<PlannedProgram>
makePlannedProgram(cl_context context, cl_device_id device,
                   const runtime::PlanTexts &texts);

// What becomes of kernels. Nothing happens unless plans are made; none of these
// throws.
/// At most one of the programs has a plan for it.
void planKernel(cl_kernel kernel,
                const std::vector<std::shared_ptr<PlannedProgram>> &programs,
                const std::string &name) noexcept;
void planClone(cl_kernel kernel, cl_kernel copy) noexcept;
void planArgument(cl_kernel kernel, cl_uint index, std::size_t size,
                  const void *value) noexcept;
/// The kernel has been told something that a plan does not know of.
void planOtherArgument(cl_kernel kernel) noexcept;
void planRetain(cl_kernel kernel) noexcept;
void planRelease(cl_kernel kernel) noexcept;

/// What an application asks for.
struct AskedLaunch {
  cl_command_queue queue;
  cl_kernel kernel;
  cl_uint dimensions;
  const std::size_t *offset, *global, *local;
  cl_uint count;
  const cl_event *waitList;
};

/// The name of the variant that has been enqueued, and whether something had to
/// be converted for it. Its event is at `event` if that is not null. Empty:
/// nothing has been enqueued.
std::string launchPlanned(const AskedLaunch &asked, cl_event *event) noexcept;
/// To be called behind every launch, planned or not.
void noteLaunch(cl_command_queue queue, cl_kernel kernel) noexcept;

// What becomes of buffers, to be called behind the command.
void noteBuffer(cl_mem buffer, cl_mem_flags flags) noexcept;
void notePart(cl_mem buffer, cl_mem part) noexcept;
void noteWrite(cl_command_queue queue, cl_mem buffer) noexcept;
void noteMap(cl_command_queue queue, cl_mem buffer,
             cl_map_flags flags) noexcept;
void noteUnmap(cl_command_queue queue, cl_mem buffer) noexcept;
/// It is also written in ways that are not seen.
void loseBuffer(cl_mem buffer) noexcept;
void noteBufferRetain(cl_mem buffer) noexcept;
/// Before the call: behind it there may be another buffer.
void noteBufferRelease(cl_mem buffer) noexcept;
/// The application has calls that are not seen: no copy is kept any more.
void loseAllBuffers() noexcept;

} // namespace clopt::layer

#endif // CLOPT_LAYER_PLANNEDLAUNCH_H
