//===- KernelGenerator.h - random affine kernels -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with affine control and flattened subscripts, made from a seed.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_TEST_ORACLE_KERNELGENERATOR_H
#define CLOPT_TEST_ORACLE_KERNELGENERATOR_H

#include <random>
#include <string>
#include <vector>

namespace clopt::test {

/// The body in a kernel with two buffers and two sizes.
inline std::string kernel(const std::string &body) {
  return "__kernel void f(__global float *a, __global int *b, int n, int m) {" +
         body + "}";
}

/// Writes kernels with affine control and flattened subscripts.
class Generator {
public:
  /// With `isMixed`, ids and loop variables have any integer type; with
  /// `isWalking`, loops start at and advance by products of arguments.
  explicit Generator(unsigned seed, bool mixed = false, bool walking = false)
      : random(seed), isMixed(mixed), isWalking(walking) {}

  std::string write() {
    std::string body = type() + " i = get_global_id(1);" + type() +
                       " j = get_global_id(0);" + type() + " x = i + j;";
    names = {"i", "j"};
    body += block(isWalking ? 2 : 3);
    return kernel(body);
  }

private:
  int pick(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  }

  std::string type() {
    const char *types[] = {"int", "uint", "size_t", "long", "short", "uchar"};
    return isMixed ? types[pick(0, 5)] : types[0];
  }

  std::string name() { return names[pick(0, names.size() - 1)]; }

  std::string affine() {
    std::string text = std::to_string(pick(-3, 3));
    int terms = pick(1, 2);
    for (int at = 0; at < terms; ++at)
      text += (pick(0, 3) ? " + " : " - ") +
              (pick(0, 2) ? "" : std::to_string(pick(2, 3)) + " * ") +
              (pick(0, 4)   ? name()
               : pick(0, 1) ? "n"
                            : "x");
    return text;
  }

  std::string subscript() {
    switch (pick(0, 4)) {
    case 0:
      return affine();
    case 1:
      return name() + " * n + " + name();
    case 2:
      return "(" + affine() + ") * n + " + name();
    case 3:
      return name() + " * (n * m) + " + name() + " * n + " + name() + " + 1";
    default:
      return "4 * (" + affine() + ") + " + name();
    }
  }

  std::string condition() {
    const char *compare[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    return affine() + compare[pick(0, 5)] + affine();
  }

  /// A loop with a counter and a pointer, p and q, that its body may read:
  /// `for` or `while`, up or down, with the end beside the start.
  std::string walk(int depth) {
    std::string number = std::to_string(walks++);
    std::string p = "p" + number, q = "q" + number, start = "s" + number;
    std::string step = std::to_string(pick(1, 3));
    std::string far = pick(0, 3) ? "n" : affine();
    bool isUp = pick(0, 2);
    std::string end = start + (isUp ? " + " : " - ") + far;
    const char *up[] = {" < ", " <= "}, *down[] = {" > ", " >= "};
    std::string test = p + (isUp ? up : down)[pick(0, 1)] + end;
    std::string advance =
        p + (isUp ? " += " : " -= ") + step + ", " + q +
        " += " + (pick(0, 1) ? "n" : std::to_string(pick(1, 4)) + " * m");
    std::string text = "{" + type() + " " + start + " = " + name() + " * n" +
                       (pick(0, 1) ? " + " + name() : "") + ";";
    std::string declared = "int " + p + " = " + start + ";";
    std::string own = "a[" + p + " + " + (pick(0, 1) ? "n * " : "") + name() +
                      "] = " + q + "[" + (pick(0, 1) ? "0" : name()) + "];";
    text += "__global int *" + q + " = b + " + name() + ";";
    text += pick(0, 1) ? "for (" + declared + " " + test + "; " + advance +
                             ") {" + own + block(depth - 1) + "}"
                       : declared + " while (" + test + ") {" + own +
                             block(depth - 1) + advance + "; }";
    return text + (pick(0, 1) ? "b[" + name() + "] = 1;}" : "}");
  }

  std::string statement(int depth) {
    if (isWalking && depth > 0 && walks < 3 && pick(0, 2) == 0)
      return walk(depth);
    int kind = depth == 0 ? 0 : pick(0, 6);
    if (kind >= 5 && names.size() < 6) {
      std::string var(1, "pqrstuvw"[names.size()]);
      bool isUp = pick(0, 2);
      std::string step = std::to_string(pick(1, 3));
      std::string low = std::to_string(pick(-1, 2));
      std::string high = pick(0, 2) ? "n" : std::to_string(pick(2, 5));
      if (names.size() > 2 && pick(0, 2) == 0)
        low = names.back();
      std::string head = isUp ? "for (" + type() + " " + var + " = " + low +
                                    "; " + var + (pick(0, 1) ? " < " : " <= ") +
                                    high + "; " + var + " += " + step + ")"
                              : "for (" + type() + " " + var + " = " + high +
                                    "; " + var + (pick(0, 1) ? " > " : " >= ") +
                                    low + "; " + var + " -= " + step + ")";
      names.push_back(var);
      std::string text = head + block(depth - 1);
      names.pop_back();
      return text;
    }
    if (kind == 4)
      return "if (" + condition() +
             (pick(0, 2) ? "" : (pick(0, 1) ? " && " : " || ") + condition()) +
             ")" + block(depth - 1) +
             (pick(0, 1) ? "" : " else " + block(depth - 1));
    if (kind == 3)
      return "x = " + affine() + ";";
    if (kind == 2)
      return "b[" + subscript() + "] += 1;";
    return "a[" + subscript() + "] = b[" + subscript() + "];";
  }

  std::string block(int depth) {
    std::string text = "{";
    for (int count = pick(1, 3); count > 0; --count)
      text += statement(depth);
    return text + "}";
  }

  std::mt19937 random;
  bool isMixed, isWalking;
  unsigned walks = 0;
  std::vector<std::string> names;
};

} // namespace clopt::test

#endif // CLOPT_TEST_ORACLE_KERNELGENERATOR_H
