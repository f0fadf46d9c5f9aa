//===- QueueCalls.cpp - queues that take times ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a trace the queues take the times of their commands; without one, queues
// are none of the layer's business.
//
//===----------------------------------------------------------------------===//

#include "Layer/Dispatch.h"
#include "Layer/Trace.h"

#include <vector>

namespace clopt::layer {

namespace {

cl_command_queue CL_API_CALL create(cl_context context, cl_device_id device,
                                    cl_command_queue_properties properties,
                                    cl_int *status) {
  const cl_command_queue queue = target().clCreateCommandQueue(
      context, device, properties | CL_QUEUE_PROFILING_ENABLE, status);
  return queue != nullptr ? queue
                          : target().clCreateCommandQueue(context, device,
                                                          properties, status);
}

cl_command_queue CL_API_CALL
createWithProperties(cl_context context, cl_device_id device,
                     const cl_queue_properties *properties, cl_int *status) {
  cl_queue_properties flags = CL_QUEUE_PROFILING_ENABLE;
  std::vector<cl_queue_properties> all;
  for (const cl_queue_properties *at = properties; at != nullptr && *at != 0;
       at += 2) {
    if (*at == CL_QUEUE_PROPERTIES)
      flags |= at[1];
    else
      all.insert(all.end(), {at[0], at[1]});
  }
  all.insert(all.end(), {CL_QUEUE_PROPERTIES, flags, 0});
  const cl_command_queue queue = target().clCreateCommandQueueWithProperties(
      context, device, all.data(), status);
  return queue != nullptr ? queue
                          : target().clCreateCommandQueueWithProperties(
                                context, device, properties, status);
}

} // namespace

void addQueueCalls(cl_icd_dispatch &table) {
  if (!isTracing())
    return;
  table.clCreateCommandQueue = create;
  table.clCreateCommandQueueWithProperties = createWithProperties;
}

} // namespace clopt::layer
