//===- Layer.cpp - the layer as the loader sees it ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader of OpenCL loads the libraries that OPENCL_LAYERS names and asks
// each for its calls (extension cl_loader_layers, version 100). Newer loaders
// of Khronos ask by clInitLayerWithProperties and say when they end; both forms
// are there.
//
// Tested by test/layer.
//
//===----------------------------------------------------------------------===//

#include "Layer/Dispatch.h"

#include <CL/cl_layer.h>

#include <cstring>

using namespace clopt::layer;

namespace {

cl_int answer(const void *value, std::size_t bytes, std::size_t size,
              void *where, std::size_t *sizeReturned) {
  if (where != nullptr && size < bytes)
    return CL_INVALID_VALUE;
  if (where != nullptr)
    std::memcpy(where, value, bytes);
  if (sizeReturned != nullptr)
    *sizeReturned = bytes;
  return CL_SUCCESS;
}

} // namespace

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name,
                                               std::size_t size, void *value,
                                               std::size_t *sizeReturned) {
  static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  static const char layerName[] = "clopt";
  switch (name) {
  case CL_LAYER_API_VERSION:
    return answer(&version, sizeof version, size, value, sizeReturned);
  case CL_LAYER_NAME:
    return answer(layerName, sizeof layerName, size, value, sizeReturned);
  default:
    return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries,
                                            const cl_icd_dispatch *below,
                                            cl_uint *ownEntries,
                                            const cl_icd_dispatch **own) {
  if (ownEntries == nullptr || own == nullptr || !setTarget(entries, below))
    return CL_INVALID_VALUE;
  try {
    *own = &ownCalls();
  } catch (...) {
    return CL_OUT_OF_HOST_MEMORY;
  }
  *ownEntries = sizeof(cl_icd_dispatch) / sizeof(void *);
  return CL_SUCCESS;
}

/// The properties are for layers that are configured by the loader.
CL_API_ENTRY cl_int CL_API_CALL clInitLayerWithProperties(
    cl_uint entries, const cl_icd_dispatch *below, cl_uint *ownEntries,
    const cl_icd_dispatch **own, const void * /*properties*/) {
  return clInitLayer(entries, below, ownEntries, own);
}

/// All that is written is written at once, so there is nothing to finish.
CL_API_ENTRY cl_int CL_API_CALL clDeinitLayer(void) {
  endTarget();
  return CL_SUCCESS;
}

} // extern "C"
