//===- PointCounter.h - the points of a work-item by number -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/MovedTilesTest.cpp, test/lit/tile/moved.test.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_EMIT_POINTCOUNTER_H
#define CLOPT_EMIT_POINTCOUNTER_H

#include "Analysis/access/Divergence.h"
#include "Emit/print/LinearForm.h"

#include <optional>
#include <string>
#include <vector>

namespace clopt {

/// The ids of a work-item, and the iterations of a vector, counted through by
/// one variable.
class PointCounter {
public:
  struct Axis {
    std::optional<unsigned> dim; ///< none for lanes that are iterations
    unsigned points = 1, lanes = 1;
    unsigned count() const { return points * lanes; }
  };

  PointCounter(const unsigned (&points)[3], const LaneAxis &lane,
               std::optional<unsigned> laneDim) {
    for (unsigned d = 3; d-- > 0;)
      if (points[d] > 1 && d != laneDim)
        axes.push_back({d, points[d], 1});
    // Vectors lie one after the other: lanes count fastest.
    if (lane.lanes > 1)
      axes.push_back({laneDim, laneDim ? points[*laneDim] : 1, lane.lanes});
  }

  unsigned count() const {
    unsigned product = 1;
    for (const Axis &axis : axes)
      product *= axis.count();
    return product;
  }

  /// Where the point is along an axis.
  PrintedText digit(size_t index) const {
    unsigned inner = 1;
    for (size_t i = index + 1; i < axes.size(); ++i)
      inner *= axes[i].count();
    PrintedText text = {name, PrecPrimary};
    if (inner > 1)
      text = {name + " / " + std::to_string(inner), PrecMultiplicative};
    if (index > 0)
      text = {text.text + " % " + std::to_string(axes[index].count()),
              PrecMultiplicative};
    return text;
  }

  /// Where the value of the point is among those that differ along the mask.
  PrintedText place(DivergenceMask mask) const {
    PrintedText text = {"0", PrecPrimary};
    bool isWhole = true;
    for (size_t i = 0; i < axes.size(); ++i) {
      const Axis &axis = axes[i];
      const bool hasPoints = axis.dim && (mask & (1u << *axis.dim));
      const bool hasLanes = axis.lanes > 1 && (mask & LaneBit);
      const unsigned points = hasPoints ? axis.points : 1;
      const unsigned lanes = hasLanes ? axis.lanes : 1;
      isWhole &= points * lanes == axis.count();
      if (points * lanes == 1)
        continue;
      PrintedText own = digit(i);
      if (lanes < axis.lanes)
        own = {own.text + " / " + std::to_string(axis.lanes),
               PrecMultiplicative};
      if (points < axis.points)
        own = {own.text + " % " + std::to_string(lanes), PrecMultiplicative};
      if (text.text == "0")
        text = own;
      else
        text = {atLeast(text, PrecMultiplicative) + " * " +
                    std::to_string(points * lanes) + " + " + own.text,
                PrecAdditive};
    }
    return isWhole ? PrintedText{name, PrecPrimary} : text;
  }

  /// True when the first point counts before the second.
  bool isBefore(const PrintSite &a, const PrintSite &b) const {
    for (const Axis &axis : axes)
      if (axis.dim && a.point[*axis.dim] != b.point[*axis.dim])
        return a.point[*axis.dim] < b.point[*axis.dim];
    return false;
  }

  std::vector<Axis> axes; ///< from the slowest to the fastest
  std::string name;
};

} // namespace clopt

#endif // CLOPT_EMIT_POINTCOUNTER_H
