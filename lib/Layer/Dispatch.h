//===- Dispatch.h - the calls below the layer, and its own ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loader hands the layer a table of the calls below it, and takes a table
// of those that the layer has something to say to. All that the layer calls
// itself goes through the first one, never through the loader's functions:
// they would come back to the layer.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_DISPATCH_H
#define CLOPT_LAYER_DISPATCH_H

#include "Runtime/OpenCL.h"

#include <CL/cl_icd.h>

#include <string>
#include <tuple>

namespace clopt::layer {

/// The calls below the layer. Valid once the loader has given them.
const cl_icd_dispatch &target();

/// False if the table is too short to hold what the layer answers to, or if
/// the layer is there already: it must not call itself.
bool setTarget(cl_uint entries, const cl_icd_dispatch *table);

/// The loader has ended, but destructors may still call.
void endTarget();

/// The layer's own calls; those that it leaves alone are null.
const cl_icd_dispatch &ownCalls();

// Each fills its part of the table.
void addProgramCalls(cl_icd_dispatch &table);
void addKernelCalls(cl_icd_dispatch &table);
void addLaunchCalls(cl_icd_dispatch &table);
void addQueueCalls(cl_icd_dispatch &table);
void addBufferCalls(cl_icd_dispatch &table);

/// A call of OpenCL that makes the one below, and then `Note` of its answer and
/// of its arguments, a tuple.
template <auto Below, const auto &Note> struct Noted;
template <const auto &Note, typename Answer, typename... Parameters,
          Answer (CL_API_CALL *cl_icd_dispatch::*Below)(Parameters...)>
struct Noted<Below, Note> {
  static Answer CL_API_CALL call(Parameters... arguments) {
    const Answer answer = (target().*Below)(arguments...);
    Note(answer, std::make_tuple(arguments...));
    return answer;
  }
};
template <auto Below, const auto &Note>
constexpr auto noted = Noted<Below, Note>::call;

using runtime::queryText;
using runtime::queryValue;

} // namespace clopt::layer

#endif // CLOPT_LAYER_DISPATCH_H
