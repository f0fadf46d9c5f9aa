//===- RuntimePlanExecutorTest.cpp - carrying out launch plans ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimePlanTesting.h"

#include "Runtime/PlanExecutor.h"

#include <thread>

using namespace clopt;
using namespace clopt::runtime;

TEST(RuntimePlanExecutorTest, FirstVariantWhoseConditionsHold) {
  PlanBench bench;
  PlanRun run(bench, planWith(transposedVariant("n > 100") +
                              transposedVariant("a_end <= (size_t)c || "
                                                "c_end <= (size_t)a")));
  ASSERT_EQ(run.status, CLOPT_SUCCESS) << clopt_last_error();
  EXPECT_EQ(run.variant(bench), "turned");
  EXPECT_EQ(bench.added(), 1.125f);
  PlanRun none(bench, planWith(transposedVariant("1 / (n - 5) == 0")));
  EXPECT_EQ(none.variant(bench), "original");
  EXPECT_EQ(bench.added(), 1.0f);
}

TEST(RuntimePlanExecutorTest, BuffersOverlapByTheirOrigins) {
  PlanBench bench(8);
  PlanRun run(bench, planWith(transposedVariant("a_end <= (size_t)c || "
                                                "c_end <= (size_t)a")));
  BufferHandle whole = bench.makeBuffer(std::vector<float>(512, 0.0f));
  auto part = [&](std::size_t origin) {
    const cl_buffer_region region = {origin, 256};
    cl_int status = CL_SUCCESS;
    BufferHandle result(clCreateSubBuffer(whole.get(), CL_MEM_READ_WRITE,
                                          CL_BUFFER_CREATE_TYPE_REGION, &region,
                                          &status));
    EXPECT_EQ(status, CL_SUCCESS);
    return result;
  };
  BufferHandle first = part(0), middle = part(128), second = part(256);
  run.setArguments(first.get(), second.get(), 8);
  EXPECT_EQ(run.variant(bench), "turned");
  run.setArguments(first.get(), middle.get(), 8);
  EXPECT_EQ(run.variant(bench), "original");
  run.setArguments(first.get(), first.get(), 8);
  EXPECT_EQ(run.variant(bench), "original");
  run.setArguments(whole.get(), second.get(), 8);
  EXPECT_EQ(run.variant(bench), "turned");
  EXPECT_EQ(clFinish(bench.device.queue()), CL_SUCCESS);
}

TEST(RuntimePlanExecutorTest, ImagesHoldTheBufferRowByRow) {
  for (int n : {1, 5, 8, 13}) {
    PlanBench bench(n);
    PlanRun run(bench, planWith(imageVariant));
    ASSERT_EQ(run.variant(bench), "image");
    EXPECT_EQ(bench.added(), 1.25f) << n;
  }
}

TEST(RuntimePlanExecutorTest, ImagesOfPartsOfBuffers) {
  PlanBench bench(5);
  std::vector<float> values(160, -7.0f);
  for (int i = 0; i < 25; ++i)
    values[static_cast<std::size_t>(64 + i)] = static_cast<float>(i);
  BufferHandle whole = bench.makeBuffer(values);
  cl_buffer_region region = {256, 100};
  cl_int status = CL_SUCCESS;
  BufferHandle part(clCreateSubBuffer(whole.get(), CL_MEM_READ_WRITE,
                                      CL_BUFFER_CREATE_TYPE_REGION, &region,
                                      &status));
  ASSERT_EQ(status, CL_SUCCESS);
  PlanRun run(bench, planWith(imageVariant));
  run.setArguments(part.get(), bench.c.get(), bench.n);
  ASSERT_EQ(run.variant(bench), "image");
  EXPECT_EQ(bench.added(), 1.25f);
}

TEST(RuntimePlanExecutorTest, WrittenCopiesAreConvertedBack) {
  PlanBench bench(7);
  PlanRun run(bench, planWith(writtenVariant));
  cl_event event = nullptr;
  ASSERT_EQ(run.launch(bench, &event), CLOPT_SUCCESS) << clopt_last_error();
  EventHandle owner(event);
  EXPECT_EQ(bench.added(), 1.375f);
  // The event is that of the conversion, the last command.
  cl_int state = -1;
  EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                           sizeof state, &state, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(state, CL_COMPLETE);
}

// What kernels may only write is not converted to keep what a launch leaves
// alone.
TEST(RuntimePlanExecutorTest, WhatIsOnlyWrittenIsNotConverted) {
  std::string variant = writtenVariant;
  const std::string before = R"("before": [)";
  const std::size_t place = variant.find(before);
  ASSERT_NE(place, std::string::npos);
  variant.insert(place + before.size(),
                 R"({"source": "c", "destination": "c_t", "launch": {
  "program": "optimized", "kernel": "turn", "global": ["n", "n"],
  "arguments": [{"parameter": "c"}, {"buffer": "c_t"}, {"parameter": "n"}]}},)");
  PlanBench bench;
  PlanRun run(bench, planWith(variant));
  EXPECT_EQ(run.variant(bench), "written");
  EXPECT_EQ(bench.added(), 1.375f);
  bench.c = bench.makeBuffer(std::vector<float>(25, -1.0f), CL_MEM_WRITE_ONLY);
  run.setArguments(bench.a.get(), bench.c.get(), bench.n);
  EXPECT_EQ(run.variant(bench), "original");
}

TEST(RuntimePlanExecutorTest, CopiesAreKeptWhileNothingChanges) {
  PlanBench bench;
  const std::string plan = planWith(transposedVariant("n > 0"));
  PlanRun run(bench, plan);
  EXPECT_EQ(run.variant(bench), "turned");
  bench.write(bench.a.get(), 3, 50.0f);
  // Nobody promised anything: the copy is a new one.
  EXPECT_EQ(run.variant(bench), "turned");
  EXPECT_EQ(bench.added(), 1.125f);

  ASSERT_EQ(clopt_buffer_track(run.runtime, bench.a.get()), CLOPT_SUCCESS);
  EXPECT_EQ(run.variant(bench), "turned");
  bench.write(bench.a.get(), 3, 60.0f);
  EXPECT_EQ(run.variant(bench), "turned");
  EXPECT_EQ(bench.read(bench.c.get())[3], 51.125f); // the kept copy
  ASSERT_EQ(clopt_buffer_changed(run.runtime, bench.a.get()), CLOPT_SUCCESS);
  EXPECT_EQ(run.variant(bench), "turned");
  EXPECT_EQ(bench.added(), 1.125f);

  bench.write(bench.a.get(), 3, 70.0f);
  ASSERT_EQ(clopt_buffer_untrack(run.runtime, bench.a.get()), CLOPT_SUCCESS);
  EXPECT_EQ(run.variant(bench), "turned");
  EXPECT_EQ(bench.added(), 1.125f);
}

TEST(RuntimePlanExecutorTest, LaunchesThroughTheRuntimeAreChanges) {
  PlanBench bench;
  PlanRun run(bench, planWith(transposedVariant("n > 0")));
  BufferHandle other = bench.makeBuffer(std::vector<float>(25, 0.0f));
  ASSERT_EQ(clopt_buffer_track(run.runtime, bench.c.get()), CLOPT_SUCCESS);
  // a -> c -> other, twice: the second time c has other contents.
  for (float start : {10.0f, 20.0f}) {
    bench.write(bench.a.get(), 0, start);
    run.setArguments(bench.a.get(), bench.c.get(), bench.n);
    EXPECT_EQ(run.variant(bench), "turned");
    run.setArguments(bench.c.get(), other.get(), bench.n);
    EXPECT_EQ(run.variant(bench), "turned");
    EXPECT_EQ(bench.read(other.get())[0], start + 2.25f);
  }
}

TEST(RuntimePlanExecutorTest, KeptImagesFollowTheirBuffer) {
  PlanBench bench;
  PlanRun run(bench, planWith(imageVariant));
  ASSERT_EQ(clopt_buffer_track(run.runtime, bench.a.get()), CLOPT_SUCCESS);
  EXPECT_EQ(run.variant(bench), "image");
  bench.write(bench.a.get(), 2, 40.0f);
  EXPECT_EQ(run.variant(bench), "image");
  EXPECT_EQ(bench.read(bench.c.get())[2], 3.25f);
  ASSERT_EQ(clopt_buffer_changed(run.runtime, bench.a.get()), CLOPT_SUCCESS);
  EXPECT_EQ(run.variant(bench), "image");
  EXPECT_EQ(bench.added(), 1.25f);
}

TEST(RuntimePlanExecutorTest, EmptyLaunchesGiveAnEvent) {
  PlanBench bench;
  std::string variant = transposedVariant("n > 0");
  const std::string from = "roundup(n * n, 8)";
  variant.replace(variant.find(from), from.size(), "(n - 5) * 8");
  PlanRun run(bench, planWith(variant));
  cl_event event = nullptr;
  ASSERT_EQ(run.launch(bench, &event), CLOPT_SUCCESS) << clopt_last_error();
  EXPECT_EQ(clWaitForEvents(1, &event), CL_SUCCESS);
  EventHandle owner(event);
  EXPECT_EQ(bench.read(bench.c.get())[0], -1.0f);
}

TEST(RuntimePlanExecutorTest, GroupsThatTheDeviceCannotHaveArePassedOver) {
  PlanBench bench;
  std::string variant = transposedVariant("n > 0");
  const std::string from = "\"local\": [\"8\"]";
  variant.replace(variant.find(from), from.size(),
                  "\"local\": [\"CL_DEVICE_MAX_WORK_GROUP_SIZE * 2\"]");
  const std::string global = "roundup(n * n, 8)";
  variant.replace(variant.find(global), global.size(),
                  "roundup(n * n, CL_DEVICE_MAX_WORK_GROUP_SIZE * 2)");
  PlanRun run(bench, planWith(variant));
  EXPECT_EQ(run.variant(bench), "original");
}

TEST(RuntimePlanExecutorTest, SeveralQueuesAndThreads) {
  PlanBench bench(16);
  PlanRun shared(bench, planWith(transposedVariant("n > 0")));
  ASSERT_EQ(clopt_buffer_track(shared.runtime, bench.a.get()), CLOPT_SUCCESS);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      cl_int status = CL_SUCCESS;
      QueueHandle queue(clCreateCommandQueue(
          bench.device.context(), bench.device.id(),
          t % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &status));
      BufferHandle c = bench.makeBuffer(std::vector<float>(256, 0.0f));
      clopt_kernel *kernel = nullptr;
      clopt_kernel_create(shared.runtime, "add", &kernel);
      cl_mem a = bench.a.get(), result = c.get();
      int n = 16;
      clopt_kernel_set_arg(kernel, 0, sizeof a, &a);
      clopt_kernel_set_arg(kernel, 1, sizeof result, &result);
      clopt_kernel_set_arg(kernel, 2, sizeof n, &n);
      for (int round = 0; round < 20; ++round) {
        const std::size_t global[2] = {16, 16};
        cl_event event = nullptr;
        wrong[t] +=
            clopt_enqueue_kernel(queue.get(), kernel, 2, nullptr, global,
                                 nullptr, 0, nullptr, &event) != CLOPT_SUCCESS;
        std::vector<float> values(256);
        wrong[t] += clEnqueueReadBuffer(queue.get(), result, CL_TRUE, 0, 1024,
                                        values.data(), 1, &event,
                                        nullptr) != CL_SUCCESS;
        clReleaseEvent(event);
        for (std::size_t i = 0; i < values.size(); ++i)
          wrong[t] += values[i] != static_cast<float>(i) + 1.125f;
        if (t == 0)
          clopt_buffer_changed(shared.runtime, a);
      }
      clopt_kernel_release(kernel);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

/// Conversions wait as kernels do: nothing of the buffer is read before.
TEST(RuntimePlanExecutorTest, WaitListsHoldConversionsBack) {
  PlanBench bench(16);
  PlanRun run(bench, planWith(transposedVariant("n > 0")));
  cl_int status = CL_SUCCESS;
  QueueHandle queue(
      clCreateCommandQueue(bench.device.context(), bench.device.id(),
                           CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status));
  EventHandle gate(clCreateUserEvent(bench.device.context(), &status));
  std::vector<float> values(256);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = 2.0f * static_cast<float>(i);
  cl_mem a = bench.a.get(), result = bench.c.get();
  const cl_event first = gate.get();
  cl_event written = nullptr, done = nullptr;
  ASSERT_EQ(clEnqueueWriteBuffer(queue.get(), a, CL_FALSE, 0, 1024,
                                 values.data(), 1, &first, &written),
            CL_SUCCESS);
  const int n = 16;
  clopt_kernel_set_arg(run.kernel, 0, sizeof a, &a);
  clopt_kernel_set_arg(run.kernel, 1, sizeof result, &result);
  clopt_kernel_set_arg(run.kernel, 2, sizeof n, &n);
  const std::size_t global[2] = {16, 16};
  EXPECT_EQ(clopt_enqueue_kernel(queue.get(), run.kernel, 2, nullptr, global,
                                 nullptr, 1, &written, &done),
            CLOPT_SUCCESS)
      << clopt_last_error();
  EXPECT_STREQ(clopt_kernel_variant(run.kernel), "turned");
  cl_int state = CL_COMPLETE;
  clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state,
                 nullptr);
  EXPECT_GT(state, CL_COMPLETE);
  EXPECT_EQ(clSetUserEventStatus(first, CL_COMPLETE), CL_SUCCESS);
  std::vector<float> sums(256);
  EXPECT_EQ(clEnqueueReadBuffer(queue.get(), result, CL_TRUE, 0, 1024,
                                sums.data(), 1, &done, nullptr),
            CL_SUCCESS);
  for (std::size_t i = 0; i < sums.size(); ++i)
    EXPECT_EQ(sums[i], values[i] + 1.125f) << i;
  clReleaseEvent(written);
  clReleaseEvent(done);
}

TEST(RuntimePlanExecutorTest, MacrosOfTheOptionsCount) {
  PlanBench bench;
  const std::string variant = transposedVariant("SIZE == n");
  EXPECT_EQ(PlanRun(bench, planWith(variant, "[\"-DSIZE=5\"]")).variant(bench),
            "turned");
  EXPECT_EQ(PlanRun(bench, planWith(variant, "[\"-DSIZE=5\"]"), optimizedText,
                    "-D SIZE=6")
                .variant(bench),
            "original");
}

TEST(RuntimePlanExecutorTest, CallersThatKnowVersionsAndLaunchDropInKernels) {
  PlanBench bench;
  const ProgramHandle program =
      buildProgram(bench.device, optimizedText, "", "add_opt.cl");
  PlanTexts texts;
  texts.plan = planWith(writtenVariant + transposedVariant("n < 6"));
  texts.optimized = optimizedText;
  texts.optimizedProgram = program.get();
  PlanExecutor executor(bench.device.context(), bench.device.id(), texts);
  std::optional<std::uint64_t> version = 1, versionOfResult;
  VariantChoice choice;
  choice.onlyOwnForms = true;
  choice.versionOf = [&](cl_mem root) {
    EXPECT_TRUE(root == bench.a.get() || root == bench.c.get());
    return root == bench.a.get() ? version : versionOfResult;
  };
  const auto given = [](const auto &value) {
    GivenArgument argument;
    argument.isSet = true;
    argument.size = sizeof value;
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(&value);
    argument.bytes.assign(bytes, bytes + sizeof value);
    return argument;
  };
  std::string used;
  const auto commands = [&](cl_int n) {
    RequestedRange range;
    range.dimensions = 2;
    range.global = {5, 5, 1};
    const EnqueueResult result = executor.enqueue(
        bench.device.queue(), *executor.plan().plan().find("add"),
        {given(bench.a.get()), given(bench.c.get()), given(n)}, range, {},
        choice);
    used = result.variant;
    return result.commands.size();
  };
  EXPECT_EQ(commands(5), 2u);
  EXPECT_EQ(used, "turned"); // something else may write to the result
  EXPECT_EQ(bench.added(), 1.125f);
  EXPECT_EQ(commands(5), 1u); // the copy is kept
  version = 2;
  EXPECT_EQ(commands(5), 2u);
  EXPECT_EQ(commands(5), 1u);
  executor.untrack(bench.a.get());
  EXPECT_EQ(commands(5), 2u);
  version = std::nullopt;
  EXPECT_EQ(commands(5), 2u);
  EXPECT_EQ(commands(5), 2u);
  EXPECT_EQ(commands(6), 0u); // the caller's own
  EXPECT_EQ(used, "original");
  versionOfResult = 7;
  EXPECT_EQ(commands(5), 3u); // converted back
  EXPECT_EQ(used, "written");
  EXPECT_EQ(bench.added(), 1.375f);
}
