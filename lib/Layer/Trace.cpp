//===- Trace.cpp - when kernels ran ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLayerTest.cpp and test/layer.
//
//===----------------------------------------------------------------------===//

#include "Layer/Trace.h"

#include "Layer/Dispatch.h"
#include "Layer/Settings.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace clopt::layer {

namespace {

bool writeAt(int file, const std::string &text, off_t place) {
  return pwrite(file, text.data(), text.size(), place) ==
         static_cast<ssize_t>(text.size());
}

/// The device's times, on the host's clock: when the command was queued is
/// known on both.
bool deviceTimes(const Launch &launch, cl_event event, double &begin,
                 double &duration) {
  const auto time = [&](cl_profiling_info what) {
    return queryValue<cl_ulong>(0, target().clGetEventProfilingInfo, event,
                                what);
  };
  const cl_ulong queued = time(CL_PROFILING_COMMAND_QUEUED);
  const cl_ulong start = time(CL_PROFILING_COMMAND_START);
  const cl_ulong end = time(CL_PROFILING_COMMAND_END);
  if (start == 0 || end < start || queued > start)
    return false;
  begin = launch.called + static_cast<double>(start - queued) / 1000;
  duration = static_cast<double>(end - start) / 1000;
  return true;
}

void CL_CALLBACK ended(cl_event event, cl_int status, void *data) {
  const std::unique_ptr<Launch> launch(static_cast<Launch *>(data));
  try {
    double begin = launch->called;
    double duration = microsecondsNow() - begin;
    const bool isDeviceTime = deviceTimes(*launch, event, begin, duration);
    if (status == CL_COMPLETE)
      appendToArray(settings().traceFile, traceEvent(*launch, begin, duration,
                                                     isDeviceTime, getpid()));
  } catch (...) {
    // The event is not in the file.
  }
  target().clReleaseEvent(event);
}

} // namespace

bool isTracing() {
  static const bool isAsked = !settings().traceFile.empty();
  return isAsked;
}

double microsecondsNow() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string traceEvent(const Launch &launch, double begin, double duration,
                       bool isDeviceTime, int process) {
  // Names of kernels and sizes need no escapes.
  char times[96];
  std::snprintf(times, sizeof times, "\"ts\": %.3f, \"dur\": %.3f", begin,
                duration);
  return "{\"name\": \"" + launch.kernel +
         "\", \"cat\": \"kernel\", \"ph\": \"X\", " + times +
         ", \"pid\": " + std::to_string(process) + ", \"tid\": " +
         std::to_string(reinterpret_cast<std::uintptr_t>(launch.queue)) +
         ", \"args\": {\"text\": \"" + launch.text + "\", \"clock\": \"" +
         (isDeviceTime ? "device" : "host") + "\", \"global\": \"" +
         launch.global + "\", \"local\": \"" + launch.local + "\"}}";
}

bool appendToArray(const std::string &path, const std::string &element) {
  // The lock of the file is one for the process, so threads need another.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return false;
  bool isWritten = false;
  if (flock(file, LOCK_EX) == 0) {
    // The array's end, "\n]\n", is overwritten; an empty one is "[\n]\n".
    const off_t size = lseek(file, 0, SEEK_END);
    isWritten = size <= 4 ? writeAt(file, "[\n" + element + "\n]\n", 0)
                          : writeAt(file, ",\n" + element + "\n]\n", size - 3);
  }
  close(file);
  return isWritten;
}

void traceLaunch(Launch launch, cl_event event) noexcept {
  try {
    auto data = std::make_unique<Launch>(std::move(launch));
    target().clRetainEvent(event);
    if (target().clSetEventCallback(event, CL_COMPLETE, ended, data.get()) ==
        CL_SUCCESS)
      data.release(); // by `ended`
    else
      target().clReleaseEvent(event);
  } catch (...) {
    // The event is not in the file.
  }
}

} // namespace clopt::layer
