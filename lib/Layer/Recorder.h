//===- Recorder.h - launches as launch specifications -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With CLOPT_LAYER_RECORD each launch that differs from those before it in its
// NDRange, its numbers or the sizes of its buffers becomes a folder: the text,
// the contents of all buffers before the launch, and a launch specification
// (docs/launch-spec.md) that `clopt verify` and `clopt bench` run again.
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_RECORDER_H
#define CLOPT_LAYER_RECORDER_H

#include <CL/cl.h>

#include <cstdint>
#include <string>
#include <vector>

namespace clopt::layer {

bool isRecording();

// What becomes of kernels; nothing happens unless launches are recorded. None
// of them throws.
void recordKernel(cl_kernel kernel, cl_program program,
                  const std::string &name) noexcept;
void recordClone(cl_kernel kernel, cl_kernel copy) noexcept;
void recordArgument(cl_kernel kernel, cl_uint index, std::size_t size,
                    const void *value) noexcept;
/// An argument that a specification cannot have.
void recordOtherArgument(cl_kernel kernel) noexcept;
void recordRetain(cl_kernel kernel) noexcept;
void recordRelease(cl_kernel kernel) noexcept;

struct RecordedRange {
  std::vector<std::size_t> global, local, offset; ///< empty: NULL
};

/// To be called before the launch. Waits for what is in the queue.
void recordLaunch(cl_command_queue queue, cl_kernel kernel,
                  const RecordedRange &range, cl_uint count,
                  const cl_event *waitList) noexcept;

/// The type of a parameter as specifications name it: "float*" is "float",
/// "int8*" is "intx8".
std::string specTypeName(const std::string &parameterType);

} // namespace clopt::layer

#endif // CLOPT_LAYER_RECORDER_H
