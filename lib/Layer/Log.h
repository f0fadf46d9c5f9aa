//===- Log.h - what the layer says --------------------------------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The streams of an application are its own. What became of its programs goes
// to the file that CLOPT_LAYER_LOG names, a line each, and to standard error
// only with CLOPT_LAYER_VERBOSE.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_LAYER_LOG_H
#define CLOPT_LAYER_LOG_H

#include <string>

namespace clopt::layer {

/// Writes one line; line breaks in `message` become blanks. Lines of several
/// threads and processes do not mix.
void log(const std::string &message);

/// The same, unless it has been said before: for what happens at every launch.
void logOnce(const std::string &message);

} // namespace clopt::layer

#endif // CLOPT_LAYER_LOG_H
