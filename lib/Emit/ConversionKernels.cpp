//===- ConversionKernels.cpp - kernels that change a layout ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/ConversionKernelsTest.cpp,
// test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/ConversionKernels.h"

#include <algorithm>

namespace clopt {

/// Work-items of a group, and cells that it copies.
static constexpr int64_t groupItems = 256;
static constexpr int64_t tileCells = 1024;

static std::string number(int64_t value) { return std::to_string(value); }

namespace {

class ConversionWriter {
public:
  explicit ConversionWriter(const ConversionShape &wanted)
      : shape(wanted), rank(wanted.counts.size()), last(rank - 1) {}

  ConversionKernel run() {
    chooseTile();
    result.launch.kernel = shape.name;
    writeBody();
    result.text = head() + "{\n" + body + "}";
    result.launch.global = {"(" + tiles + ") * " + number(groupItems)};
    result.launch.local = {number(groupItems)};
    return std::move(result);
  }

private:
  /// The dimension along which the original's cells lie side by side.
  std::optional<size_t> side() const {
    for (size_t r = rank; r-- > 0;) {
      const std::optional<int64_t> &step = shape.originalSteps[r].value;
      if (step && (*step == 1 || *step == -1))
        return r;
    }
    return std::nullopt;
  }

  void chooseTile() {
    std::optional<size_t> fast = side();
    other = fast.value_or(last);
    if (other == last) {
      // Rows of 128 bytes, and a second dimension if there is one.
      wide = rank == 1 ? tileCells
                       : std::max<int64_t>(32, 128 / shape.elementBytes);
      high = tileCells / wide;
      if (rank > 1)
        other = last - 1;
      return;
    }
    isTurned = true;
    high = 32;
    const std::optional<int64_t> &count = shape.counts[other].value;
    if (count && *count < 32)
      high = std::max<int64_t>(1, *count);
    wide = tileCells / high / 32 * 32;
  }

  std::string type() const {
    switch (shape.elementBytes) {
    case 1:
      return "uchar";
    case 2:
      return "ushort";
    case 8:
      return "ulong";
    case 16:
      return "uint4";
    default:
      return "uint";
    }
  }

  /// The number as the kernel writes it: known ones as they are, others as
  /// arguments.
  std::string use(const HostNumber &what, const std::string &name,
                  const std::string &argumentType) {
    if (what.value)
      return number(*what.value);
    auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) {
      names.push_back(name);
      parameters.push_back(argumentType + " " + name);
      PlanArgument argument;
      argument.kind = PlanArgument::Kind::Value;
      argument.type = argumentType;
      argument.value = what.text;
      result.launch.arguments.push_back(argument);
    }
    return name;
  }

  std::string count(size_t r) {
    return use(shape.counts[r], "n" + number(r), "int");
  }

  std::string head() const {
    std::string list = "__global const " + type() + " *restrict from,\n" +
                       std::string(8, ' ') + "__global " + type() +
                       " *restrict to";
    for (const std::string &parameter : parameters)
      list += ",\n" + std::string(8, ' ') + parameter;
    return "__kernel void " + shape.name + "(" + list + ")\n";
  }

  void line(unsigned depth, const std::string &text) {
    body += std::string(depth * 4, ' ') + text + "\n";
  }

  static std::string subscript(size_t r) { return "t" + number(r); }

  void declareTile(size_t r, int64_t size) {
    std::string quotient = "((size_t)" + count(r) + " + " + number(size - 1) +
                           ") / " + number(size);
    std::string hostCount = "((ulong)(" + shape.counts[r].text + ") + " +
                            number(size - 1) + ") / " + number(size);
    tiles += (tiles.empty() ? "(" : " * (") + hostCount + ")";
    line(1, "const size_t tiles" + number(r) + " = " + quotient + ";");
    line(1, "const int first" + number(r) + " = (int)(tile % tiles" +
                number(r) + ") * " + number(size) + ";");
    line(1, "tile /= tiles" + number(r) + ";");
  }

  void declareOuter(size_t r) {
    tiles += " * (ulong)(" + shape.counts[r].text + ")";
    line(1, "const int " + subscript(r) + " = (int)(tile % " + count(r) + ");");
    line(1, "tile /= " + count(r) + ";");
  }

  std::string address(const std::vector<HostNumber> &steps,
                      const HostNumber &base, const std::string &stem) {
    std::string text;
    for (size_t r = 0; r < rank; ++r) {
      if (steps[r].value == 0)
        continue;
      std::string factor = use(steps[r], stem + number(r), "long");
      bool isUnit = factor == "1";
      text += (text.empty() ? "" : " + ") + std::string("(long)") +
              subscript(r) + (isUnit ? "" : " * " + factor);
    }
    if (base.value != 0)
      text = use(base, stem + "_base", "long") +
             (text.empty() ? "" : " + " + text);
    return text.empty() ? "0" : text;
  }

  std::string original() {
    return address(shape.originalSteps, shape.originalBase, "c");
  }
  std::string copied() { return address(shape.copySteps, shape.copyBase, "p"); }

  std::string inside() {
    std::string text = subscript(last) + " < " + count(last);
    if (other != last)
      text = subscript(other) + " < " + count(other) + " && " + text;
    return text;
  }

  void writeBody() {
    line(1, "const int item = (int)get_local_id(0);");
    line(1, "size_t tile = get_group_id(0);");
    declareTile(last, wide);
    if (other != last)
      declareTile(other, high);
    for (size_t r = rank; r-- > 0;)
      if (r != last && r != other)
        declareOuter(r);
    if (isTurned)
      writeTurned();
    else
      writeStraight();
  }

  void declareCell(bool alongLast) {
    std::string size = number(alongLast ? wide : high);
    std::string fast = "cell % " + size, slow = "cell / " + size;
    line(2, "const int " + subscript(last) + " = first" + number(last) + " + " +
                (alongLast ? fast : slow) + ";");
    if (other != last)
      line(2, "const int " + subscript(other) + " = first" + number(other) +
                  " + " + (alongLast ? slow : fast) + ";");
  }

  void beginLoop() {
    line(1, "for (int cell = item; cell < " + number(wide * high) +
                "; cell += " + number(groupItems) + ") {");
  }

  /// Rows of the original become rows of the copy.
  void writeStraight() {
    beginLoop();
    declareCell(true);
    line(2, "if (!(" + inside() + "))");
    line(3, "continue;");
    line(2, "const long at = " + original() + ";");
    std::string copyAt = copied();
    if (shape.isBack) {
      line(2, "to[at] = from[" + copyAt + "];");
    } else if (shape.originalEnd.empty()) {
      line(2, "to[" + copyAt + "] = from[at];");
    } else {
      line(2, "if (" + isThere() + ")");
      line(3, "to[" + copyAt + "] = from[at];");
    }
    line(1, "}");
  }

  std::string isThere() {
    return "at >= 0 && at < " + use({shape.originalEnd, {}}, "end", "long");
  }

  /// Both sides in order, through local memory.
  void writeTurned() {
    const int64_t pitch = high % 2 ? high : high + 1;
    body = "    __local " + type() + " cells[" + number(wide * pitch) + "];\n" +
           body;
    std::string place = "(" + subscript(last) + " - first" + number(last) +
                        ") * " + number(pitch) + " + " + subscript(other) +
                        " - first" + number(other);
    auto takeOriginal = [&](bool isRead) {
      beginLoop();
      declareCell(false);
      line(2, "const long at = " + original() + ";");
      std::string condition = inside();
      if (!shape.isBack && !shape.originalEnd.empty())
        condition += " && " + isThere();
      line(2, "if (" + condition + ")");
      line(3, isRead ? "cells[" + place + "] = from[at];"
                     : "to[at] = cells[" + place + "];");
      if (isRead && !shape.originalEnd.empty()) {
        line(2, "else");
        line(3, "cells[" + place + "] = (" + type() + ")(0);");
      }
      line(1, "}");
    };
    auto takeCopy = [&](bool isRead) {
      beginLoop();
      declareCell(true);
      line(2, "if (" + inside() + ")");
      std::string at = copied();
      line(3, isRead ? "cells[" + place + "] = from[" + at + "];"
                     : "to[" + at + "] = cells[" + place + "];");
      line(1, "}");
    };
    if (shape.isBack)
      takeCopy(true);
    else
      takeOriginal(true);
    line(1, "barrier(CLK_LOCAL_MEM_FENCE);");
    if (shape.isBack)
      takeOriginal(false);
    else
      takeCopy(false);
  }

  const ConversionShape &shape;
  size_t rank, last;
  size_t other = 0;           ///< the second dimension of a tile
  int64_t wide = 0, high = 0; ///< cells of a tile along `last` and `other`
  bool isTurned = false;
  std::vector<std::string> names, parameters;
  std::string body, tiles;
  ConversionKernel result;
};

} // namespace

ConversionKernel writeConversion(const ConversionShape &shape) {
  return ConversionWriter(shape).run();
}

} // namespace clopt
