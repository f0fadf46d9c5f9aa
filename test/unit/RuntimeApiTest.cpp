//===- RuntimeApiTest.cpp - errors of the runtime -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some OpenCL calls of this program go through the functions below, which fail
// when a test says so: a driver that runs out of memory or loses its device
// cannot be had otherwise.
//
//===----------------------------------------------------------------------===//

#include "RuntimePlanTesting.h"

#include <dlfcn.h>

#include <atomic>
#include <fstream>
#include <map>

using namespace clopt::runtime;

namespace {

/// The call that fails, after so many that succeed, and its error.
struct Fault {
  std::string call;
  int after = 0;
  cl_int error = CL_SUCCESS;
} fault;

/// Objects that were made less those that were released.
std::atomic<int> living{0};

template <typename Function> Function next(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool fails(const char *call, cl_int *status) {
  if (fault.call != call || fault.after-- > 0)
    return false;
  fault.call.clear();
  if (status)
    *status = fault.error;
  return true;
}

/// A device that makes images of buffers; 0: the device as it is.
struct Sharing {
  cl_uint alignment = 0;
  cl_command_queue queue = nullptr;
  unsigned images = 0, copies = 0;
} sharing;

/// Stands for an image in the memory of a buffer: a copy made at once.
cl_mem imageOf(cl_context context, const cl_image_format *format,
               cl_image_desc description, cl_int *status) {
  const cl_mem buffer = description.buffer;
  const size_t region[3] = {description.image_width, description.image_height,
                            1};
  const size_t origin[3] = {0, 0, 0};
  description.buffer = nullptr;
  description.image_row_pitch = 0;
  cl_mem image = next<decltype(&::clCreateImage)>("clCreateImage")(
      context, CL_MEM_READ_ONLY, format, &description, nullptr, status);
  cl_int copied = next<decltype(&::clEnqueueCopyBufferToImage)>(
      "clEnqueueCopyBufferToImage")(sharing.queue, buffer, image, 0, origin,
                                    region, 0, nullptr, nullptr);
  EXPECT_EQ(copied, CL_SUCCESS);
  clFinish(sharing.queue);
  ++sharing.images;
  return image;
}

} // namespace

extern "C" {

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size,
                       void *value, size_t *used) {
  if (what == CL_DEVICE_IMAGE_PITCH_ALIGNMENT && sharing.queue) {
    *static_cast<cl_uint *>(value) = sharing.alignment;
    return CL_SUCCESS;
  }
  return next<decltype(&clGetDeviceInfo)>("clGetDeviceInfo")(device, what, size,
                                                             value, used);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                      void *host, cl_int *status) {
  if (fails("clCreateBuffer", status))
    return nullptr;
  ++living;
  return next<decltype(&clCreateBuffer)>("clCreateBuffer")(context, flags, size,
                                                           host, status);
}

cl_mem clCreateImage(cl_context context, cl_mem_flags flags,
                     const cl_image_format *format,
                     const cl_image_desc *description, void *host,
                     cl_int *status) {
  if (fails("clCreateImage", status))
    return nullptr;
  ++living;
  if (description->buffer && sharing.alignment)
    return imageOf(context, format, *description, status);
  return next<decltype(&clCreateImage)>("clCreateImage")(
      context, flags, format, description, host, status);
}

cl_int clRetainMemObject(cl_mem memory) {
  ++living;
  return next<decltype(&clRetainMemObject)>("clRetainMemObject")(memory);
}

cl_int clReleaseMemObject(cl_mem memory) {
  --living;
  return next<decltype(&clReleaseMemObject)>("clReleaseMemObject")(memory);
}

cl_int clBuildProgram(cl_program program, cl_uint count,
                      const cl_device_id *devices, const char *options,
                      void(CL_CALLBACK *notify)(cl_program, void *),
                      void *data) {
  if (fails("clBuildProgram", nullptr))
    return fault.error;
  return next<decltype(&clBuildProgram)>("clBuildProgram")(
      program, count, devices, options, notify, data);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size,
                      const void *value) {
  if (fails("clSetKernelArg", nullptr))
    return fault.error;
  return next<decltype(&clSetKernelArg)>("clSetKernelArg")(kernel, index, size,
                                                           value);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                              cl_uint dimensions, const size_t *offset,
                              const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *list,
                              cl_event *event) {
  if (fails("clEnqueueNDRangeKernel", nullptr))
    return fault.error;
  ++living;
  return next<decltype(&clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel")(
      queue, kernel, dimensions, offset, global, local, count, list, event);
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer,
                                  cl_mem image, size_t from,
                                  const size_t *origin, const size_t *region,
                                  cl_uint count, const cl_event *list,
                                  cl_event *event) {
  if (fails("clEnqueueCopyBufferToImage", nullptr))
    return fault.error;
  ++sharing.copies;
  ++living;
  return next<decltype(&clEnqueueCopyBufferToImage)>(
      "clEnqueueCopyBufferToImage")(queue, buffer, image, from, origin, region,
                                    count, list, event);
}

cl_int clRetainEvent(cl_event event) {
  ++living;
  return next<decltype(&clRetainEvent)>("clRetainEvent")(event);
}

cl_int clReleaseEvent(cl_event event) {
  --living;
  return next<decltype(&clReleaseEvent)>("clReleaseEvent")(event);
}

} // extern "C"

static bool says(const std::string &text) {
  return std::string(clopt_last_error()).find(text) != std::string::npos;
}

TEST(RuntimeApiTest, FailuresNameTheCallAndReleaseEverything) {
  PlanBench bench;
  struct Case {
    const char *call;
    int after;
    cl_int error;
    const char *name;
    const char *kernel;
  };
  const Case cases[] = {{"clCreateBuffer", 0, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                         "CL_MEM_OBJECT_ALLOCATION_FAILURE", "a_t"},
                        {"clCreateBuffer", 1, CL_OUT_OF_HOST_MEMORY,
                         "CL_OUT_OF_HOST_MEMORY", "c_t"},
                        {"clSetKernelArg", 0, CL_INVALID_ARG_VALUE,
                         "CL_INVALID_ARG_VALUE", "turn"},
                        {"clSetKernelArg", 4, CL_OUT_OF_RESOURCES,
                         "CL_OUT_OF_RESOURCES", "add_to_turned"},
                        {"clEnqueueNDRangeKernel", 0, CL_OUT_OF_RESOURCES,
                         "CL_OUT_OF_RESOURCES", "turn"},
                        {"clEnqueueNDRangeKernel", 1, CL_DEVICE_NOT_AVAILABLE,
                         "CL_DEVICE_NOT_AVAILABLE", "add_to_turned"},
                        {"clEnqueueNDRangeKernel", 2, CL_INVALID_KERNEL_ARGS,
                         "CL_INVALID_KERNEL_ARGS", "turn"}};
  PlanRun run(bench, planWith(writtenVariant));
  ASSERT_EQ(run.status, CLOPT_SUCCESS) << clopt_last_error();
  for (const Case &one : cases) {
    const int before = living;
    fault = {one.call, one.after, one.error};
    EXPECT_EQ(run.launch(bench), CLOPT_OPENCL_ERROR) << one.call;
    EXPECT_EQ(clFinish(bench.device.queue()), CL_SUCCESS);
    EXPECT_EQ(clopt_last_opencl_error(), one.error);
    EXPECT_TRUE(says(one.call) && says(one.name) && says(one.kernel))
        << clopt_last_error();
    EXPECT_EQ(living, before) << one.call << " after " << one.after;
  }
  // Afterwards everything works.
  EXPECT_EQ(run.variant(bench), "written");
  EXPECT_EQ(bench.added(), 1.375f);
}

/// cl_khr_image2d_from_buffer: no copy where rows of the buffer can be rows of
/// the image, and a copy everywhere else.
TEST(RuntimeApiTest, ImagesInTheMemoryOfTheirBuffer) {
  struct Case {
    int n;
    cl_uint alignment;
    bool isShared;
  };
  // Rows have 8 texels, so n * n has to be a multiple of 8.
  for (const Case &test :
       {Case{8, 8, true}, Case{4, 4, true}, Case{8, 16, false},
        Case{5, 8, false}, Case{8, 0, false}}) {
    PlanBench bench(test.n);
    sharing = {test.alignment, bench.device.queue()};
    {
      PlanRun run(bench, planWith(imageVariant));
      EXPECT_EQ(run.variant(bench), "image");
      EXPECT_EQ(bench.added(), 1.25f) << test.n;
      EXPECT_EQ(sharing.images, test.isShared ? 1u : 0u) << test.n;
      EXPECT_EQ(sharing.copies > 0, !test.isShared) << test.n;
    }
    sharing = {};
  }
}

TEST(RuntimeApiTest, FailedImagesAreReleased) {
  PlanBench bench;
  PlanRun run(bench, planWith(imageVariant));
  ASSERT_EQ(clopt_buffer_track(run.runtime, bench.a.get()), CLOPT_SUCCESS);
  for (const char *call : {"clCreateImage", "clEnqueueCopyBufferToImage"}) {
    const int before = living;
    fault = {call, 0, CL_OUT_OF_RESOURCES};
    EXPECT_EQ(run.launch(bench), CLOPT_OPENCL_ERROR);
    EXPECT_TRUE(says(call)) << clopt_last_error();
    EXPECT_EQ(living, before);
  }
  EXPECT_EQ(run.variant(bench), "image");
  EXPECT_EQ(bench.added(), 1.25f);
}

TEST(RuntimeApiTest, KeptCopiesGoWithTheRuntime) {
  PlanBench bench;
  const int before = living;
  {
    PlanRun run(bench, planWith(transposedVariant("n > 0")));
    ASSERT_EQ(clopt_buffer_track(run.runtime, bench.a.get()), CLOPT_SUCCESS);
    EXPECT_EQ(run.variant(bench), "turned");
    EXPECT_EQ(run.variant(bench), "turned");
    EXPECT_EQ(clFinish(bench.device.queue()), CL_SUCCESS);
    EXPECT_GT(living, before);
  }
  EXPECT_EQ(living, before);
}

TEST(RuntimeApiTest, FailedBuildsShowTheLog) {
  PlanBench bench;
  PlanRun broken(bench, planWith(""), "__kernel void add( { }");
  EXPECT_EQ(broken.status, CLOPT_OPENCL_ERROR);
  EXPECT_EQ(clopt_last_opencl_error(), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_TRUE(says("clBuildProgram") && says("add_opt.cl") && says("error:"))
      << clopt_last_error();
  EXPECT_EQ(broken.runtime, nullptr);
  // The original is built when it is needed.
  fault = {"clBuildProgram", 1, CL_OUT_OF_HOST_MEMORY};
  PlanRun late(bench, planWith(""));
  ASSERT_EQ(late.status, CLOPT_SUCCESS);
  EXPECT_EQ(late.launch(bench), CLOPT_OPENCL_ERROR);
  EXPECT_EQ(clopt_last_opencl_error(), CL_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(late.variant(bench), "original");
}

TEST(RuntimeApiTest, WrongPlansAndTexts) {
  PlanBench bench;
  EXPECT_EQ(PlanRun(bench, "{").status, CLOPT_INVALID_PLAN);
  EXPECT_TRUE(says("launch plan")) << clopt_last_error();
  EXPECT_EQ(PlanRun(bench, planWith(transposedVariant("m > 0"))).status,
            CLOPT_INVALID_PLAN);
  EXPECT_TRUE(says("'m'")) << clopt_last_error();
  std::string plan = planWith("");
  const std::string file = "\"file\": \"add_opt.cl\"";
  plan.replace(plan.find(file), file.size(),
               file + ", \"sha256\": \"" + std::string(64, '0') + "\"");
  EXPECT_EQ(PlanRun(bench, plan).status, CLOPT_INVALID_SOURCE);
  EXPECT_TRUE(says("add_opt.cl"));
  clopt_runtime *runtime = nullptr;
  EXPECT_EQ(clopt_runtime_create_from_files(
                bench.device.context(), bench.device.id(), "/no/such/plan",
                "/no/such/file", nullptr, nullptr, &runtime),
            CLOPT_FILE_ERROR);
  EXPECT_TRUE(says("/no/such/plan")) << clopt_last_error();
}

TEST(RuntimeApiTest, WrongArguments) {
  PlanBench bench;
  PlanRun run(bench, planWith(""));
  clopt_kernel *kernel = nullptr;
  EXPECT_EQ(clopt_kernel_create(run.runtime, "other", &kernel),
            CLOPT_UNKNOWN_KERNEL);
  EXPECT_TRUE(says("'other'"));
  const int n = 5;
  EXPECT_EQ(clopt_kernel_set_arg(run.kernel, 3, sizeof n, &n),
            CLOPT_INVALID_ARGUMENT);
  EXPECT_EQ(clopt_kernel_set_arg(run.kernel, 2, 8, &n), CLOPT_INVALID_ARGUMENT);
  EXPECT_EQ(clopt_kernel_set_arg(run.kernel, 0, 4, &n), CLOPT_INVALID_ARGUMENT);
  EXPECT_EQ(clopt_kernel_set_arg(run.kernel, 2, 4, nullptr),
            CLOPT_INVALID_ARGUMENT);
  EXPECT_EQ(clopt_kernel_set_arg(nullptr, 2, 4, &n), CLOPT_INVALID_ARGUMENT);
  const std::size_t global[2] = {5, 5};
  EXPECT_EQ(clopt_enqueue_kernel(bench.device.queue(), run.kernel, 4, nullptr,
                                 global, nullptr, 0, nullptr, nullptr),
            CLOPT_INVALID_ARGUMENT);
  EXPECT_EQ(clopt_enqueue_kernel(bench.device.queue(), run.kernel, 2, nullptr,
                                 nullptr, nullptr, 0, nullptr, nullptr),
            CLOPT_INVALID_ARGUMENT);
  ASSERT_EQ(clopt_kernel_create(run.runtime, "add", &kernel), CLOPT_SUCCESS);
  EXPECT_EQ(clopt_enqueue_kernel(bench.device.queue(), kernel, 2, nullptr,
                                 global, nullptr, 0, nullptr, nullptr),
            CLOPT_OPENCL_ERROR);
  EXPECT_TRUE(says("argument 0 is not set")) << clopt_last_error();
  EXPECT_EQ(clopt_kernel_retain(kernel), CLOPT_SUCCESS);
  EXPECT_EQ(clopt_kernel_release(kernel), CLOPT_SUCCESS);
  EXPECT_EQ(clopt_kernel_release(kernel), CLOPT_SUCCESS);
  EXPECT_EQ(clopt_runtime_release(nullptr), CLOPT_INVALID_ARGUMENT);
}

TEST(RuntimeApiTest, ReadsItsFiles) {
  PlanBench bench;
  const std::string folder = testing::TempDir();
  const std::pair<std::string, std::string> files[] = {
      {folder + "add.plan.json", planWith(transposedVariant("n > 0"))},
      {folder + "add_opt.cl", optimizedText}};
  for (const auto &[name, text] : files)
    std::ofstream(name, std::ios::binary) << text;
  clopt_runtime *runtime = nullptr;
  ASSERT_EQ(clopt_runtime_create_from_files(
                bench.device.context(), bench.device.id(),
                files[0].first.c_str(), files[1].first.c_str(), nullptr, "",
                &runtime),
            CLOPT_SUCCESS)
      << clopt_last_error();
  EXPECT_EQ(clopt_runtime_retain(runtime), CLOPT_SUCCESS);
  EXPECT_EQ(clopt_runtime_release(runtime), CLOPT_SUCCESS);
  EXPECT_EQ(clopt_runtime_release(runtime), CLOPT_SUCCESS);
}
