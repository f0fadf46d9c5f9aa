//===- PlanDigest.cpp - SHA-256 without LLVM ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FIPS 180-4, section 6.2.
//
// Tested by test/unit/RuntimePlanDigestTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Plan/PlanDigest.h"

#include <array>
#include <cstdint>

namespace clopt {

static constexpr std::array<uint32_t, 64> roundConstants = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu,
    0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u, 0xd807aa98u, 0x12835b01u,
    0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u,
    0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu,
    0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u,
    0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u,
    0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu,
    0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u,
    0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u, 0x1e376c08u,
    0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu,
    0x682e6ff3u, 0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u,
    0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};

using State = std::array<uint32_t, 8>;

static uint32_t rotate(uint32_t value, unsigned count) {
  return value >> count | value << (32 - count);
}

/// Words 16 to 63 are made of those before them.
static std::array<uint32_t, 64> schedule(const unsigned char *block) {
  std::array<uint32_t, 64> words{};
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned j = 0; j < 4; ++j)
      words[i] = words[i] << 8 | block[4 * i + j];
  for (unsigned i = 16; i < 64; ++i) {
    uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
               words[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
  }
  return words;
}

static void addBlock(State &state, const unsigned char *block) {
  const std::array<uint32_t, 64> words = schedule(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (unsigned i = 0; i < 64; ++i) {
    uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                     ((e & f) ^ (~e & g)) + roundConstants[i] + words[i];
    uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                      ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const State change = {a, b, c, d, e, f, g, h};
  for (unsigned i = 0; i < 8; ++i)
    state[i] += change[i];
}

std::string planDigest(const std::string &bytes) {
  State state = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  // The bytes, a one bit, zeros, and the number of bits in 64 bits.
  std::string padded = bytes + '\x80';
  while (padded.size() % 64 != 56)
    padded += '\0';
  const uint64_t bits = uint64_t(bytes.size()) * 8;
  for (unsigned i = 8; i-- > 0;)
    padded += static_cast<char>(bits >> (8 * i));
  for (size_t at = 0; at < padded.size(); at += 64)
    addBlock(state,
             reinterpret_cast<const unsigned char *>(padded.data()) + at);
  std::string text;
  for (uint32_t word : state)
    for (unsigned i = 8; i-- > 0;)
      text += "0123456789abcdef"[word >> (4 * i) & 15];
  return text;
}

} // namespace clopt
