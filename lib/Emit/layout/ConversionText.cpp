//===- ConversionText.cpp - the parts of conversion kernels ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles are numbered in 32 bits: a copy has less than 2^31 cells.
//
// Tested by test/unit/ConversionKernelsTest.cpp,
// test/unit/RuntimeLayoutTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Emit/layout/ConversionText.h"

#include "Emit/print/LinearForm.h"

#include <algorithm>

namespace clopt {

static std::string number(int64_t value) { return std::to_string(value); }

ConversionText::Sizes::Sizes(unsigned elementBytes)
    : bytes(elementBytes), wordBytes(std::max(elementBytes, 4u)),
      perWord(wordBytes / elementBytes), perVector(16 / elementBytes),
      vectorWords(16 / wordBytes) {
  element = bytes == 1   ? "uchar"
            : bytes == 2 ? "ushort"
            : bytes == 8 ? "ulong"
                         : "uint";
  vector = element + number(bytes == 16 ? 4 : perVector);
  group = perWord > 1 ? element + number(perWord) : element;
  if (bytes == 16)
    element = group = "uint4";
  word = perWord > 1 ? "uint" : element;
}

std::string ConversionText::use(const HostNumber &what, const std::string &name,
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

void ConversionText::declareTile(size_t r, int64_t size) {
  std::string hostCount = "((ulong)(" + shape.counts[r].text + ") + " +
                          number(size - 1) + ") / " + number(size);
  tiles += (tiles.empty() ? "(" : " * (") + hostCount + ")";
  const std::string own = number(r);
  line(1, "const uint tiles" + own + " = ((uint)" + count(r) + " + " +
              number(size - 1) + ") / " + number(size) + ";");
  line(1, "const int first" + own + " = (int)(tile % tiles" + own + ") * " +
              number(size) + ";");
  line(1, "const int left" + own + " = min(" + count(r) + " - first" + own +
              ", " + number(size) + ");");
  line(1, "tile /= tiles" + own + ";");
  isTiled[r] = true;
}

void ConversionText::declareOuter(size_t r) {
  tiles += " * (ulong)(" + shape.counts[r].text + ")";
  line(1,
       "const int t" + number(r) + " = (int)(tile % (uint)" + count(r) + ");");
  line(1, "tile /= (uint)" + count(r) + ";");
}

void ConversionText::declareTiles(size_t other, int64_t wide, int64_t high) {
  isTiled.assign(rank, false);
  line(1, "const int item = (int)get_local_id(0);");
  line(1, "uint tile = (uint)get_group_id(0);");
  if (other != last)
    declareTile(other, high);
  declareTile(last, wide);
  for (size_t r = rank; r-- > 0;)
    if (!isTiled[r])
      declareOuter(r);
}

std::string ConversionText::firstAddress(const std::vector<HostNumber> &steps,
                                         const HostNumber &base,
                                         const std::string &stem) {
  std::string text;
  for (size_t r = 0; r < rank; ++r) {
    if (steps[r].value == 0 || shape.counts[r].value == 1)
      continue;
    std::string factor = use(steps[r], stem + number(r), "long");
    text += (text.empty() ? "" : " + ") + std::string("(long)") +
            (isTiled[r] ? "first" : "t") + number(r) +
            (factor == "1" ? "" : " * " + factor);
  }
  if (base.value != 0)
    text =
        use(base, stem + "_base", "long") + (text.empty() ? "" : " + " + text);
  return text.empty() ? "0" : text;
}

void ConversionText::declareAddresses() {
  line(1, "const long at = " +
              firstAddress(shape.originalSteps, shape.originalBase, "c") + ";");
  line(1, "const long place = " +
              firstAddress(shape.copySteps, shape.copyBase, "p") + ";");
}

void ConversionText::declareFull(const std::string &condition,
                                 const std::vector<std::string> &reach) {
  std::string text = condition;
  if (mayBeMissing()) {
    std::string low = "at", high = "at";
    for (const std::string &distance : reach) {
      low += " + min((long)(" + distance + "), 0l)";
      high += " + max((long)(" + distance + "), 0l)";
    }
    text += " && " + low + " >= 0 && " + high + " < " +
            use({shape.originalEnd, {}}, "end", "long");
  }
  if (shape.filled)
    text += " && first" + number(static_cast<int64_t>(last)) + " + left" +
            number(static_cast<int64_t>(last)) + " <= " + filled();
  line(1, "const bool isFull = " + text + ";");
}

std::string ConversionText::isRead(const std::string &index,
                                   const std::string &cell) {
  std::string text = isFilled(cell);
  if (mayBeMissing())
    text += (text.empty() ? "" : " && ") + isThere(index);
  return text;
}

std::string ConversionText::zero() const {
  if (!shape.isMinus)
    return "(" + sizes.element + ")(0)";
  return sizes.bytes == 2   ? "(ushort)(0x8000)"
         : sizes.bytes == 8 ? "0x8000000000000000ul"
                            : "0x80000000u";
}

void ConversionText::beginSteps(unsigned depth, int64_t steps,
                                int64_t unrolled) {
  body += steps > unrolled ? "#pragma unroll " + number(unrolled) + "\n"
                           : "#pragma unroll\n";
  line(depth, "for (int k = 0; k < " + number(steps) + "; ++k) {");
}

void ConversionText::beginParts(unsigned depth, const std::string &name,
                                int64_t parts) {
  const std::string step = number(conversionItems);
  if (parts % conversionItems == 0) {
    beginSteps(depth, parts / conversionItems);
    line(depth + 1, "const int " + name + " = item + k * " + step + ";");
    return;
  }
  line(depth, "for (int " + name + " = item; " + name + " < " + number(parts) +
                  "; " + name + " += " + step + ") {");
}

std::string ConversionText::plusTimes(const std::string &base,
                                      const std::string &y,
                                      const std::string &step) {
  if (step == "0" || y == "0")
    return base;
  return base + " + " + (step == "1" ? y : "(long)" + y + " * " + step);
}

std::string ConversionText::isAligned(const std::string &buffer,
                                      const std::string &index, unsigned bytes,
                                      const std::string &step) const {
  std::string address =
      "(" + buffer + (index == "0" ? "" : " + " + index) + ")";
  std::string text =
      "((size_t)" + address + " & " + number(bytes - 1) + ") == 0";
  const unsigned elements = bytes / sizes.bytes;
  const std::optional<int64_t> known = asNumber(step);
  if (elements > 1 && !(known && *known % elements == 0))
    text += " && (" + step + " & " + number(elements - 1) + ") == 0";
  return text;
}

std::string ConversionText::vectorAt(const std::string &buffer,
                                     const std::string &type,
                                     const std::string &index) const {
  return std::string("*(__global ") + (buffer == "from" ? "const " : "") +
         type + " *)(" + buffer + " + " + index + ")";
}

std::string ConversionText::head() const {
  const std::string indent(8, ' ');
  std::string list = "__global const " + sizes.element + " *restrict from,\n" +
                     indent + "__global " + sizes.element + " *restrict to";
  for (const std::string &parameter : parameters)
    list += ",\n" + indent + parameter;
  return "__attribute__((reqd_work_group_size(" + number(conversionItems) +
         ", 1, 1)))\n__kernel void " + shape.name + "(" + list + ")\n";
}

ConversionKernel ConversionText::finish() {
  result.launch.kernel = shape.name;
  result.text = head() + "{\n" + body + "}";
  result.launch.global = {"(" + tiles + ") * " + number(conversionItems)};
  result.launch.local = {number(conversionItems)};
  return std::move(result);
}

} // namespace clopt
