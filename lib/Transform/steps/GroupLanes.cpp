//===- GroupLanes.cpp - loops that lanes of a group begin apart -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (j = get_local_id(0); j < n; j += 128)`: no iteration of one work-item
// is one of its neighbour's, so no vector is in a loop over the values of j.
// Kept whole it has lanes for the iterations that work-items begin together
// (Divergence::advanceOf).
//
// Tested by test/unit/VectorizeTest.cpp, test/lit/vectorize/groups.test.
//
//===----------------------------------------------------------------------===//

#include "Transform/Steps.h"

#include "Analysis/access/AccessPattern.h"
#include "Analysis/dependence/StrideLoops.h"
#include "Frontend/model/ModelBuilder.h"
#include "Transform/Apply.h"

#include <llvm/ADT/STLExtras.h>

namespace clopt {

StepResult keepLoopsFromIds(TransformedKernel &kernel, unsigned dim) {
  const KernelModel &model = *kernel.model;
  const auto id = model.symbols.find(SymbolKind::LocalId, dim);
  ModelOptions options;
  for (const Loop &loop : model.loops)
    if (id && loop.stmt && std::llabs(loop.step) > 1 &&
        dependsOn(model, loop.first, *id) && readStrideLoop(*loop.stmt))
      options.wholeLoops.insert(loop.stmt);
  if (options.wholeLoops.empty())
    return std::nullopt;
  const bool isChanged = kernel.ownModel || kernel.isVirtual() ||
                         !kernel.tiles.empty() || !kernel.paddings.empty() ||
                         !kernel.localLayouts.empty();
  if (isChanged)
    return refuse("clopt-dependence", "other steps have changed the kernel",
                  "write 'vectorize' first");
  options.context = model.context;
  options.shareLoops = false;
  const std::shared_ptr<KernelModel> made =
      buildModel(*model.unit, *model.function, options);
  std::optional<TransformedKernel> fresh = startAgain(kernel, made);
  if (!fresh)
    return refuse("clopt-opaque-code", "the loops have no model as statements");
  fresh->comments = kernel.comments;
  kernel = std::move(*fresh);
  return std::nullopt;
}

} // namespace clopt
