//===- ProbeKernels.cpp - the kernels of a probe --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is measured must not be computed ahead by a compiler: starts and
// constants are arguments, and no operation can be joined with the next one of
// its chain.
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProbeKernels.h"

#include <cctype>
#include <functional>
#include <map>

namespace clopt::runtime {

namespace {

/// Replaces every `$NAME` of `text`. From the last name to the first: of two
/// that begin alike the longer one goes first.
std::string fillTemplate(std::string text,
                         const std::map<std::string, std::string,
                                        std::greater<std::string>> &values) {
  for (const auto &[name, value] : values)
    for (std::size_t at = text.find("$" + name); at != std::string::npos;
         at = text.find("$" + name, at + value.size()))
      text.replace(at, name.size() + 1, value);
  return text;
}

std::string repeated(const std::string &text, unsigned count) {
  std::string all;
  for (unsigned i = 0; i < count; ++i)
    all += text;
  return all;
}

std::string typeName(const std::string &component, unsigned width) {
  return component + (width == 1 ? "" : std::to_string(width));
}

} // namespace

const char *nameOf(ProbedMemory memory) {
  // In the order of ProbedMemory.
  static constexpr const char *names[] = {"global", "constant", "local",
                                          "image"};
  return names[static_cast<std::size_t>(memory)];
}

ProbeKernel chaseKernel(ProbedMemory memory) {
  std::map<std::string, std::string, std::greater<std::string>> values{
      {"NAME", std::string("chase_") + nameOf(memory)},
      {"CELLS", std::to_string(chaseLocalCells)},
      {"COUNT", std::to_string(chaseUnroll)},
      {"FROM", "__global const uint *next"},
      {"BEFORE", ""},
      {"STEP", "p = next[p];"}};
  if (memory == ProbedMemory::Constant)
    values["FROM"] = "__constant uint *next";
  if (memory == ProbedMemory::Local) {
    values["FROM"] = "__global const uint *from";
    values["BEFORE"] = "  __local uint next[" + values["CELLS"] +
                       "];\n"
                       "  for (uint i = get_local_id(0); i < count; "
                       "i += get_local_size(0))\n"
                       "    next[i] = from[i];\n"
                       "  barrier(CLK_LOCAL_MEM_FENCE);\n";
  }
  if (memory == ProbedMemory::Image) {
    values["FROM"] = "__read_only image2d_t next";
    values["BEFORE"] = "  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | "
                       "CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n";
    const std::string width = std::to_string(chaseImageWidth);
    values["STEP"] = "p = read_imageui(next, s, (int2)(p % " + width +
                     ", p / " + width + ")).x;";
  }
  values["STEPS"] = repeated(" " + values["STEP"], chaseUnroll);
  return {values["NAME"],
          fillTemplate("__kernel void $NAME(__global uint *at, $FROM, uint "
                       "rounds, uint count) {\n"
                       "$BEFORE"
                       "  uint p = at[get_global_id(0)];\n"
                       "  for (uint i = 0; i < rounds; ++i) {$STEPS }\n"
                       "  at[get_global_id(0)] = p;\n"
                       "}\n",
                       values)};
}

ProbeKernel copyKernel(const std::string &component, unsigned width,
                       unsigned shift) {
  const std::string type = typeName(component, width);
  const std::string name = "copy_" + type + (shift ? "_shifted" : "");
  std::string read = "from[i]";
  if (shift)
    read = "vload" + std::to_string(width) + "(i, (__global const " +
           component + " *)from + " + std::to_string(shift) + ")";
  return {name, fillTemplate("__kernel void $NAME(__global $TYPE *to, "
                             "__global const $TYPE *from) {\n"
                             "  const size_t i = get_global_id(0);\n"
                             "  to[i] = $READ;\n"
                             "}\n",
                             {{"NAME", name}, {"TYPE", type}, {"READ", read}})};
}

ProbeKernel gatherKernel(const std::string &pattern) {
  // Shuffled inside blocks of 32, and over all of the array: odd factors are
  // permutations of what a power of two counts.
  const std::map<std::string, std::string> indices{
      {"contiguous", "i"},
      {"reversed", "get_global_size(0) - 1 - i"},
      {"shuffled", "(i & ~31u) | ((i * 13 + 7) & 31)"},
      {"scattered", "(i * 40503u) & (get_global_size(0) - 1)"}};
  const std::string name = "gather_" + pattern;
  return {name,
          fillTemplate("__kernel void $NAME(__global uint *out, "
                       "__global const uint *in, uint step) {\n"
                       "  const uint i = get_global_id(0);\n"
                       "  const uint value = in[($INDEX) * step];\n"
                       "  if (value == 0xffffffffu)\n" // never
                       "    out[0] = value;\n"
                       "}\n",
                       {{"NAME", name}, {"INDEX", indices.at(pattern)}})};
}

ProbeKernel sumKernel() {
  return {"sum", "__kernel void sum(__global uint *out, "
                 "__global const uint *in, uint count) {\n"
                 "  uint all = 0;\n"
                 "  for (uint i = get_global_id(0); i < count; "
                 "i += get_global_size(0))\n"
                 "    all += in[i];\n"
                 "  if (all == 0xffffffffu)\n"
                 "    out[0] = all;\n"
                 "}\n"};
}

const std::vector<ProbedOperation> &probedOperations() {
  static const std::vector<ProbedOperation> all{
      {"add", "float", "x + a"},
      {"mad", "float", "mad(x, a, b)"},
      {"mad4", "float4", "mad(x, a, b)", 4},
      {"integer-mul", "int", "x * a + b", 1, 2},
      {"integer-mul24", "int", "mul24(x, a) + b", 1, 2},
      {"mul", "float", "x * a"},
      {"integer-add", "int", "(x + a) ^ b", 1, 2},
      {"shift", "int", "x ^ (x << 1)", 1, 2},
      {"div", "float", "a / x"},
      {"sqrt", "float", "sqrt(x) + a"},
      {"native-exp2", "float", "native_exp2(x) * a"},
      {"native-sin", "float", "native_sin(x)"}};
  return all;
}

const unsigned quickOperations = 5;

ProbeKernel operationKernel(const ProbedOperation &operation, unsigned chains) {
  std::string name = "op_" + operation.name + "_" + std::to_string(chains);
  for (char &c : name)
    c = c == '-' ? '_' : c;
  std::string begin, round, end;
  for (unsigned i = 0; i < chains; ++i) {
    const std::string x = "x" + std::to_string(i);
    begin += "  $TYPE " + x + " = data[get_global_id(0)]" +
             (i ? " + " + std::string("a * ") + std::to_string(i) : "") + ";\n";
    std::string step = operation.text;
    // The name of the chain's value takes the place of the letter x.
    std::string own;
    for (std::size_t at = 0; at < step.size(); ++at) {
      const bool isWord =
          step[at] == 'x' &&
          (at == 0 ||
           !std::isalnum(static_cast<unsigned char>(step[at - 1]))) &&
          (at + 1 == step.size() ||
           !std::isalnum(static_cast<unsigned char>(step[at + 1])));
      own += isWord ? x : std::string(1, step[at]);
    }
    round += " " + x + " = " + own + ";";
    end += (i ? " + " : "") + x;
  }
  const std::string source =
      fillTemplate("__kernel void $NAME(__global $TYPE *data, uint rounds, "
                   "$TYPE a, $TYPE b) {\n" +
                       begin + "  for (uint i = 0; i < rounds; ++i) {\n   " +
                       repeated(round, operationUnroll) +
                       "\n  }\n"
                       "  data[get_global_id(0)] = " +
                       end + ";\n}\n",
                   {{"NAME", name}, {"TYPE", operation.type}});
  return {name, source};
}

ProbeKernel liveKernel(unsigned live) {
  const std::string name = "live_" + std::to_string(live);
  std::string begin, round, end;
  for (unsigned i = 0; i < live; ++i) {
    const std::string x = "x[" + std::to_string(i) + "]";
    const std::string next = "x[" + std::to_string((i + 1) % live) + "]";
    begin += "  " + x + " = data[get_global_id(0)] + " + std::to_string(i) +
             ".0f;\n";
    round += "    " + x + " = mad(" + x + ", a, " + next + ");\n";
    end += (i ? " + " : "") + x;
  }
  return {name, "__kernel void " + name +
                    "(__global float *data, uint rounds, float a) {\n"
                    "  float x[" +
                    std::to_string(live) + "];\n" + begin +
                    "  for (uint i = 0; i < rounds; ++i) {\n" + round +
                    "  }\n  data[get_global_id(0)] = " + end + ";\n}\n"};
}

ProbeKernel divergenceKernel() {
  return {"diverge", "__kernel void diverge(__global float *data, uint rounds, "
                     "uint width) {\n"
                     "  const uint id = get_global_id(0);\n"
                     "  float x = data[id];\n"
                     "  if ((id / width) & 1)\n"
                     "    for (uint i = 0; i < rounds; ++i) {" +
                         repeated(" x = mad(x, 0.5f, 1.0f);", 16) +
                         " }\n"
                         "  else\n"
                         "    for (uint i = 0; i < rounds; ++i) {" +
                         repeated(" x = mad(x, x, -0.75f);", 16) +
                         " }\n"
                         "  data[id] = x;\n"
                         "}\n"};
}

ProbeKernel spreadKernel() {
  return {"spread",
          "__kernel void spread(__global float *data, uint rounds, "
          "uint isPacked) {\n"
          "  const size_t at = isPacked ? get_group_id(0) : get_local_id(0);\n"
          "  const size_t all = isPacked ? get_num_groups(0) : "
          "get_local_size(0);\n"
          "  if (at >= all / 8)\n"
          "    return;\n"
          "  float x = data[get_global_id(0)];\n"
          "  for (uint i = 0; i < rounds; ++i) {" +
              repeated(" x = mad(x, 0.5f, 1.0f);", 16) +
              " }\n"
              "  data[get_global_id(0)] = x;\n"
              "}\n"};
}

ProbeKernel barrierKernel() {
  return {"barriers",
          "__kernel void barriers(__global float *data, uint rounds, "
          "__local float *cells) {\n"
          "  const uint id = get_local_id(0);\n"
          "  float x = data[get_global_id(0)];\n"
          "  for (uint i = 0; i < rounds; ++i) {\n"
          "    cells[id] = x;\n"
          "    barrier(CLK_LOCAL_MEM_FENCE);\n"
          "    x += cells[id ^ 1];\n"
          "    barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  }\n"
          "  data[get_global_id(0)] = x;\n"
          "}\n"};
}

ProbeKernel emptyKernel() {
  return {"empty", "__kernel void empty(uint unused) {}\n"};
}

} // namespace clopt::runtime
