//===- SequenceFusion.h - neighbouring launches, as one --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches of a sequence `clopt --batch` is asked to fuse, and what
// becomes of the sequence. Tested by test/run/check_sequence.py.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_SEQUENCEFUSION_H
#define CLOPT_RUNTIME_SEQUENCEFUSION_H

#include "Runtime/SequenceBatches.h"

namespace clopt::runtime {

/// Fuses neighbouring launches of `before` that have the author's kernels and
/// one NDRange, and gives up buffers of SequenceSpec::temporaries. Throws
/// Error.
MergedSequence fuseSequence(const VerifyOptions &options,
                            const SequenceSpec &spec,
                            const BoundSequence &sequence,
                            const MergedSequence &before);

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SEQUENCEFUSION_H
