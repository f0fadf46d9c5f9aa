//===- WordMutator.cpp - mutations that keep words whole ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of a language seldom survive a change of their bytes. So every second
// mutation removes, repeats, moves or replaces words or whole lines, and those
// of another input come in.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

using Parts = std::vector<std::string>;

/// Words, numbers and single other characters; or lines.
static Parts split(const std::string &text, bool inLines) {
  Parts parts;
  bool isInside = false;
  for (char c : text) {
    const bool isWord = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (!isInside)
      parts.emplace_back();
    parts.back() += c;
    isInside = inLines ? c != '\n' : isWord;
    if (!inLines && !isWord && parts.back().size() > 1) {
      parts.back().pop_back();
      parts.emplace_back(1, c);
    }
  }
  return parts;
}

static std::string edgeNumber(std::minstd_rand &random) {
  static const char *const numbers[] = {"0",
                                        "1",
                                        "-1",
                                        "2",
                                        "3",
                                        "7",
                                        "64",
                                        "255",
                                        "256",
                                        "65536",
                                        "2147483647",
                                        "2147483648",
                                        "-2147483648",
                                        "4294967296",
                                        "9223372036854775807",
                                        "18446744073709551616",
                                        "1e400"};
  return numbers[random() % (sizeof numbers / sizeof *numbers)];
}

static void mutate(Parts &parts, const Parts &others,
                   std::minstd_rand &random) {
  const size_t at = random() % parts.size(), from = random() % parts.size();
  const std::string piece = others[random() % others.size()];
  switch (random() % 7) {
  case 0:
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at));
    break;
  case 1:
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at),
                 parts[from] + " ");
    break;
  case 2:
    std::swap(parts[at], parts[from]);
    break;
  case 3:
    parts[at] = parts[from];
    break;
  case 4:
    parts[at] = edgeNumber(random);
    break;
  case 5:
    parts[at] = piece;
    break;
  default:
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), piece + " ");
  }
}

static size_t mutateText(uint8_t *data, size_t size, size_t most,
                         const std::string &other, std::minstd_rand &random) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  const bool inLines = random() % 3 == 0;
  Parts parts = split(text, inLines);
  const Parts others = split(other, inLines);
  for (unsigned rounds = random() % 3 + 1; rounds && !parts.empty(); --rounds)
    mutate(parts, others, random);
  std::string result;
  for (const std::string &part : parts)
    result += part;
  result.resize(std::min(result.size(), most));
  std::memcpy(data, result.data(), result.size());
  return result.size();
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  if (size == 0 || random() % 4 == 0)
    return LLVMFuzzerMutate(data, size, most);
  const std::string self(reinterpret_cast<const char *>(data), size);
  return mutateText(data, size, most, self, random);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t size,
                                            const uint8_t *second,
                                            size_t otherSize, uint8_t *out,
                                            size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  size = std::min(size, most);
  std::memcpy(out, first, size);
  if (size == 0 || otherSize == 0)
    return size;
  const std::string other(reinterpret_cast<const char *>(second), otherSize);
  return mutateText(out, size, most, other, random);
}
