//===- KernelCalls.cpp - kernels and their arguments ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of a program with an optimized form gets a shadow, which is given
// every argument that the kernel was given.
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#include "Layer/Dispatch.h"
#include "Layer/PlannedLaunch.h"
#include "Layer/Recorder.h"
#include "Layer/Shadow.h"

#include <cstring>
#include <vector>

namespace clopt::layer {

namespace {

std::size_t largestGroup(cl_kernel kernel) {
  // Without a device the query is answered for programs of a single one; the
  // limit then does not matter, because a launch that fails is made again.
  return queryValue<std::size_t>(
      0, target().clGetKernelWorkGroupInfo, kernel, cl_device_id(nullptr),
      cl_kernel_work_group_info(CL_KERNEL_WORK_GROUP_SIZE));
}

std::shared_ptr<KernelShadow>
makeShadow(const std::shared_ptr<ProgramShadow> &shadow,
           const std::string &name) {
  if (shadow == nullptr || shadow->kept.count(name) != 0)
    return nullptr;
  cl_int status = CL_SUCCESS;
  const cl_kernel kernel =
      target().clCreateKernel(shadow->program, name.c_str(), &status);
  if (kernel == nullptr || status != CL_SUCCESS)
    return nullptr;
  return std::make_shared<KernelShadow>(kernel, largestGroup(kernel));
}

void remember(cl_kernel kernel, cl_program program,
              const std::string &name) noexcept {
  try {
    const std::shared_ptr<ProgramRecord> record = programs().find(program);
    const std::shared_ptr<ProgramShadow> shadow =
        record != nullptr ? record->shadow() : nullptr;
    kernels().add(kernel, makeShadow(shadow, name));
    static const std::vector<std::shared_ptr<PlannedProgram>> none;
    planKernel(kernel, shadow != nullptr ? shadow->planned : none, name);
  } catch (...) {
    // Out of memory: the kernel has no shadow.
  }
  recordKernel(kernel, program, name);
}

cl_kernel CL_API_CALL create(cl_program program, const char *name,
                             cl_int *status) {
  const cl_kernel kernel = target().clCreateKernel(program, name, status);
  if (kernel != nullptr)
    remember(kernel, program, name);
  return kernel;
}

cl_int CL_API_CALL createAll(cl_program program, cl_uint count, cl_kernel *made,
                             cl_uint *madeCount) {
  cl_uint all = 0;
  const cl_int status =
      target().clCreateKernelsInProgram(program, count, made, &all);
  if (madeCount != nullptr)
    *madeCount = all;
  if (status == CL_SUCCESS && made != nullptr)
    for (cl_uint i = 0; i < all && i < count; ++i)
      remember(made[i], program,
               queryText(target().clGetKernelInfo, made[i],
                         cl_kernel_info(CL_KERNEL_FUNCTION_NAME)));
  return status;
}

cl_kernel CL_API_CALL clone(cl_kernel kernel, cl_int *status) {
  const cl_kernel copy = target().clCloneKernel(kernel, status);
  if (copy == nullptr)
    return copy;
  std::shared_ptr<KernelShadow> shadow;
  try {
    const std::shared_ptr<KernelShadow> own = kernels().find(kernel);
    cl_int cloned = CL_SUCCESS;
    if (own != nullptr && own->isUsable)
      if (const cl_kernel other = target().clCloneKernel(own->kernel, &cloned))
        shadow = std::make_shared<KernelShadow>(other, own->maxGroup);
    kernels().add(copy, std::move(shadow));
  } catch (...) {
    // As above.
  }
  planClone(kernel, copy);
  recordClone(kernel, copy);
  return copy;
}

/// Does the same to the shadow as was done to the kernel. If it does not work
/// there, the shadow is used no more.
template <typename Call>
void repeat(cl_kernel kernel, cl_int status, const Call &call) {
  if (status != CL_SUCCESS)
    return;
  const std::shared_ptr<KernelShadow> shadow = kernels().find(kernel);
  if (shadow != nullptr && shadow->isUsable &&
      call(shadow->kernel) != CL_SUCCESS)
    shadow->isUsable = false;
}

cl_int CL_API_CALL setArg(cl_kernel kernel, cl_uint index, std::size_t size,
                          const void *value) {
  const cl_int status = target().clSetKernelArg(kernel, index, size, value);
  repeat(kernel, status, [&](cl_kernel shadow) {
    return target().clSetKernelArg(shadow, index, size, value);
  });
  if (status == CL_SUCCESS) {
    planArgument(kernel, index, size, value);
    recordArgument(kernel, index, size, value);
  }
  return status;
}

cl_int CL_API_CALL setArgSVM(cl_kernel kernel, cl_uint index,
                             const void *value) {
  const cl_int status = target().clSetKernelArgSVMPointer(kernel, index, value);
  repeat(kernel, status, [&](cl_kernel shadow) {
    return target().clSetKernelArgSVMPointer(shadow, index, value);
  });
  planOtherArgument(kernel);
  recordOtherArgument(kernel);
  return status;
}

cl_int CL_API_CALL setExecInfo(cl_kernel kernel, cl_kernel_exec_info name,
                               std::size_t size, const void *value) {
  const cl_int status = target().clSetKernelExecInfo(kernel, name, size, value);
  repeat(kernel, status, [&](cl_kernel shadow) {
    return target().clSetKernelExecInfo(shadow, name, size, value);
  });
  planOtherArgument(kernel);
  recordOtherArgument(kernel);
  return status;
}

cl_int CL_API_CALL retain(cl_kernel kernel) {
  const cl_int status = target().clRetainKernel(kernel);
  if (status == CL_SUCCESS) {
    kernels().retain(kernel);
    planRetain(kernel);
    recordRetain(kernel);
  }
  return status;
}

cl_int CL_API_CALL release(cl_kernel kernel) {
  kernels().release(kernel);
  planRelease(kernel);
  recordRelease(kernel);
  return target().clReleaseKernel(kernel);
}

/// Calls of extensions that give a kernel arguments do not pass the layer.
void watch(const char *name) {
  // Nor do those that write to buffers.
  loseAllBuffers();
  if (name != nullptr && (std::strncmp(name, "clSetKernel", 11) == 0))
    stopLaunchingShadows(std::string("the application asks for ") + name);
}

void *CL_API_CALL extensionFunction(const char *name) {
  watch(name);
  return target().clGetExtensionFunctionAddress(name);
}

void *CL_API_CALL extensionFunctionFor(cl_platform_id platform,
                                       const char *name) {
  watch(name);
  return target().clGetExtensionFunctionAddressForPlatform(platform, name);
}

} // namespace

void addKernelCalls(cl_icd_dispatch &table) {
  table.clCreateKernel = create;
  table.clCreateKernelsInProgram = createAll;
  table.clCloneKernel = clone;
  table.clSetKernelArg = setArg;
  table.clSetKernelArgSVMPointer = setArgSVM;
  table.clSetKernelExecInfo = setExecInfo;
  table.clRetainKernel = retain;
  table.clReleaseKernel = release;
  table.clGetExtensionFunctionAddress = extensionFunction;
  table.clGetExtensionFunctionAddressForPlatform = extensionFunctionFor;
}

} // namespace clopt::layer
