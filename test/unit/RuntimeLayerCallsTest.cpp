//===- RuntimeLayerCallsTest.cpp - programs that pass through -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that the layer knows no source of, above a driver that only notes
// what it is asked for: drivers that take an intermediate language are not
// everywhere.
//
//===----------------------------------------------------------------------===//

#include "Layer/Dispatch.h"

#include <gtest/gtest.h>

using namespace clopt::layer;

namespace {

/// What the driver was asked for, in words, and what it answers.
struct Driver {
  std::vector<std::string> calls;
  cl_int status = CL_SUCCESS;
};
Driver driver;

template <typename Handle> Handle handle(std::uintptr_t number) {
  return reinterpret_cast<Handle>(number);
}
std::string numberOf(const void *handle) {
  return std::to_string(reinterpret_cast<std::uintptr_t>(handle));
}

cl_program made(const std::string &what, cl_int *status) {
  driver.calls.push_back(what);
  if (status != nullptr)
    *status = driver.status;
  return driver.status == CL_SUCCESS ? handle<cl_program>(7) : nullptr;
}

const cl_icd_dispatch &driverCalls() {
  static cl_icd_dispatch table = {};
  table.clCreateProgramWithIL = [](cl_context, const void *, size_t length,
                                   cl_int *status) {
    return made("IL " + std::to_string(length), status);
  };
  table.clCreateProgramWithBuiltInKernels =
      [](cl_context, cl_uint, const cl_device_id *, const char *names,
         cl_int *status) {
        return made(std::string("built-in ") + names, status);
      };
  table.clCreateProgramWithBinary =
      [](cl_context, cl_uint, const cl_device_id *, const size_t *lengths,
         const unsigned char **, cl_int *, cl_int *status) {
        return made("binary " + std::to_string(lengths[0]), status);
      };
  table.clBuildProgram = [](cl_program program, cl_uint, const cl_device_id *,
                            const char *options,
                            void(CL_CALLBACK *)(cl_program, void *), void *) {
    driver.calls.push_back("build " + numberOf(program) + " " + options);
    return driver.status;
  };
  table.clCompileProgram = [](cl_program program, cl_uint, const cl_device_id *,
                              const char *options, cl_uint, const cl_program *,
                              const char **,
                              void(CL_CALLBACK *)(cl_program, void *), void *) {
    driver.calls.push_back("compile " + numberOf(program) + " " + options);
    return driver.status;
  };
  table.clLinkProgram =
      [](cl_context, cl_uint, const cl_device_id *, const char *options,
         cl_uint, const cl_program *parts,
         void(CL_CALLBACK *)(cl_program, void *), void *, cl_int *status) {
        return made("link " + numberOf(parts[0]) + " " + options, status);
      };
  table.clCreateKernel = [](cl_program program, const char *name,
                            cl_int *status) {
    driver.calls.push_back("kernel " + numberOf(program) + " " + name);
    *status = driver.status;
    return handle<cl_kernel>(9);
  };
  table.clSetKernelArg = [](cl_kernel kernel, cl_uint index, size_t,
                            const void *) {
    driver.calls.push_back("set " + numberOf(kernel) + " " +
                           std::to_string(index));
    return driver.status;
  };
  table.clEnqueueNDRangeKernel = [](cl_command_queue, cl_kernel kernel, cl_uint,
                                    const size_t *, const size_t *global,
                                    const size_t *, cl_uint, const cl_event *,
                                    cl_event *) {
    driver.calls.push_back("launch " + numberOf(kernel) + " " +
                           std::to_string(global[0]));
    return driver.status;
  };
  table.clReleaseKernel = [](cl_kernel) { return CL_SUCCESS; };
  table.clReleaseProgram = [](cl_program) { return CL_SUCCESS; };
  return table;
}

class RuntimeLayerCalls : public testing::Test {
protected:
  RuntimeLayerCalls() {
    isThere =
        setTarget(sizeof(cl_icd_dispatch) / sizeof(void *), &driverCalls());
    driver = {};
  }
  ~RuntimeLayerCalls() override { endTarget(); }

  /// All that an application does with a program of one kernel.
  void use(cl_program program) {
    const cl_icd_dispatch &calls = ownCalls();
    cl_int status = CL_SUCCESS;
    EXPECT_EQ(CL_SUCCESS, calls.clBuildProgram(program, 0, nullptr, "-DX",
                                               nullptr, nullptr));
    const cl_kernel kernel = calls.clCreateKernel(program, "k", &status);
    const int one = 1;
    EXPECT_EQ(CL_SUCCESS, calls.clSetKernelArg(kernel, 0, sizeof one, &one));
    const size_t global = 64;
    EXPECT_EQ(CL_SUCCESS, calls.clEnqueueNDRangeKernel(
                              handle<cl_command_queue>(3), kernel, 1, nullptr,
                              &global, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(CL_SUCCESS, calls.clReleaseKernel(kernel));
    EXPECT_EQ(CL_SUCCESS, calls.clReleaseProgram(program));
  }

  bool isThere = false;
  const cl_context context = handle<cl_context>(1);
  const cl_device_id device = handle<cl_device_id>(2);
  const std::vector<std::string> asAsked = {"build 7 -DX", "kernel 7 k",
                                            "set 9 0", "launch 9 64"};
  std::vector<std::string> after(const std::string &creation) const {
    std::vector<std::string> result = {creation};
    result.insert(result.end(), asAsked.begin(), asAsked.end());
    return result;
  }
};

// The driver is asked for what the application asks for, and for nothing else.
TEST_F(RuntimeLayerCalls, ProgramsWithoutASource) {
  ASSERT_TRUE(isThere);
  const cl_icd_dispatch &calls = ownCalls();
  cl_int status = CL_SUCCESS;
  use(calls.clCreateProgramWithIL(context, "spirv", 5, &status));
  EXPECT_EQ(driver.calls, after("IL 5"));
  driver = {};
  use(calls.clCreateProgramWithBuiltInKernels(context, 1, &device, "k",
                                              &status));
  EXPECT_EQ(driver.calls, after("built-in k"));
  driver = {};
  const unsigned char binary[] = "not of this layer";
  const unsigned char *binaries[] = {binary};
  const size_t length = sizeof binary;
  use(calls.clCreateProgramWithBinary(context, 1, &device, &length, binaries,
                                      nullptr, &status));
  EXPECT_EQ(driver.calls, after("binary 18"));
}

TEST_F(RuntimeLayerCalls, PartsInAnIntermediateLanguage) {
  ASSERT_TRUE(isThere);
  const cl_icd_dispatch &calls = ownCalls();
  cl_int status = CL_SUCCESS;
  const cl_program part =
      calls.clCreateProgramWithIL(context, "spirv", 5, &status);
  EXPECT_EQ(CL_SUCCESS,
            calls.clCompileProgram(part, 0, nullptr, "-w", 0, nullptr, nullptr,
                                   nullptr, nullptr));
  const cl_program linked = calls.clLinkProgram(
      context, 0, nullptr, "-l", 1, &part, nullptr, nullptr, &status);
  EXPECT_EQ(driver.calls,
            (std::vector<std::string>{"IL 5", "compile 7 -w", "link 7 -l"}));
  use(linked);
}

TEST_F(RuntimeLayerCalls, AnswersOfTheDriver) {
  ASSERT_TRUE(isThere);
  driver.status = CL_INVALID_OPERATION;
  cl_int status = CL_SUCCESS;
  EXPECT_EQ(nullptr,
            ownCalls().clCreateProgramWithIL(context, "spirv", 5, &status));
  EXPECT_EQ(CL_INVALID_OPERATION, status);
  EXPECT_EQ(nullptr,
            ownCalls().clCreateProgramWithIL(context, "spirv", 5, nullptr));
}

} // namespace
