//===- Fill.cpp - first contents of buffers and scalars -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The standard library's distributions differ between implementations, so the
// numbers are made here from the generator's raw bits: a seed means the same
// contents anywhere. Padding is zero. Tested by
// test/unit/RuntimeLaunchTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Fill.h"

#include "Runtime/JsonDocument.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <random>

namespace clopt::runtime {

namespace {

using Generator = std::mt19937_64;
using Bytes = std::vector<std::uint8_t>;

std::int64_t randomInteger(Generator &generator, std::int64_t low,
                           std::int64_t high) {
  const std::uint64_t span = static_cast<std::uint64_t>(high) -
                             static_cast<std::uint64_t>(low) +
                             1; // 0: all 64 bits
  const std::uint64_t bits = generator();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                   (span == 0 ? bits : bits % span));
}

double randomReal(Generator &generator, double low, double high) {
  const double unit =
      static_cast<double>(generator() >> 11) * 0x1.0p-53; // in [0, 1)
  return low + unit * (high - low);
}

/// A number of the specification once its expression has a value.
struct Number {
  bool isReal;
  double real;
  std::int64_t integer;
};

class Filler {
public:
  Filler(const KernelSpec &kernel, const ArgumentSpec &what,
         std::size_t elements, const Bindings &names, std::uint64_t seed)
      : spec(kernel), argument(what), count(elements), bindings(names),
        generator(argument.seed.value_or(seed)),
        bytes(elements * what.type.size) {}

  Bytes run() {
    switch (argument.fill) {
    case FillKind::Constant:
      fillConstant();
      break;
    case FillKind::Random:
      fillRandom();
      break;
    case FillKind::Generator:
      fillGenerated();
      break;
    case FillKind::BinaryRaw:
      fillFromFile();
      break;
    case FillKind::Monotone:
      fillMonotone();
      break;
    case FillKind::Permutation:
      fillPermutation();
      break;
    }
    return std::move(bytes);
  }

private:
  Number number(const NumberSpec &from) const {
    if (from.real)
      return {true, *from.real, static_cast<std::int64_t>(*from.real)};
    const std::int64_t value = evaluate(from.expression, bindings, spec.file);
    return {false, static_cast<double>(value), value};
  }

  [[noreturn]] void fail(const std::string &message) const {
    throw Error("'" + argument.name + "': " + message, spec.file,
                argument.where);
  }

  std::uint8_t *at(std::size_t element, const Component &component) {
    return &bytes[element * argument.type.size + component.offset];
  }

  void put(std::uint8_t *to, ScalarKind kind, const Number &value) {
    if (value.isReal)
      storeReal(kind, value.real, to);
    else
      storeInteger(kind, value.integer, to);
  }

  void putIntegers(const std::vector<std::int64_t> &values) {
    for (std::size_t i = 0; i < count; ++i)
      for (const Component &component : argument.type.components)
        storeInteger(component.kind, values[i], at(i, component));
  }

  void fillConstant() {
    std::vector<Number> values;
    for (const NumberSpec &value : argument.fillValue)
      values.push_back(number(value));
    if (values.empty())
      return; // zero
    const std::vector<Component> &components = argument.type.components;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t lane = 0; lane < components.size(); ++lane)
        put(at(i, components[lane]), components[lane].kind,
            values[values.size() == 1 ? 0 : lane]);
  }

  /// The range of a component: FillRange; else T1's [0, FillValue); else small
  /// numbers whose sums and products neither overflow nor vanish.
  std::pair<Number, Number> rangeOf(ScalarKind kind) const {
    if (argument.fillRange)
      return {number(argument.fillRange->first),
              number(argument.fillRange->second)};
    if (!argument.fillValue.empty()) {
      const Number high = number(argument.fillValue[0]);
      if (high.real > 0.0 && (isFloating(kind) || high.integer > 0))
        return {{false, 0.0, 0}, high};
    }
    if (isFloating(kind))
      return {{false, -1.0, -1}, {false, 1.0, 1}};
    if (sizeOf(kind) == 1)
      return isSigned(kind)
                 ? std::pair<Number, Number>{{false, -128, -128},
                                             {false, 127, 127}}
                 : std::pair<Number, Number>{{false, 0, 0}, {false, 255, 255}};
    return {{false, 0, isSigned(kind) ? -1000 : 0}, {false, 0, 1000}};
  }

  void fillRandom() {
    std::vector<std::pair<Number, Number>> ranges;
    for (const Component &component : argument.type.components) {
      ranges.push_back(rangeOf(component.kind));
      const auto &[low, high] = ranges.back();
      if (isFloating(component.kind) ? low.real > high.real
                                     : low.integer > high.integer)
        fail("the range of its random values is empty");
    }
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t lane = 0; lane < ranges.size(); ++lane) {
        const Component &component = argument.type.components[lane];
        const auto &[low, high] = ranges[lane];
        if (isFloating(component.kind))
          storeReal(component.kind, randomReal(generator, low.real, high.real),
                    at(i, component));
        else
          storeInteger(component.kind,
                       randomInteger(generator, low.integer, high.integer),
                       at(i, component));
      }
  }

  void fillGenerated() {
    Bindings names = bindings;
    std::vector<std::int64_t> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      names["i"] = static_cast<std::int64_t>(i);
      values[i] = evaluate(*argument.generator, names, spec.file);
    }
    putIntegers(values);
  }

  void fillFromFile() {
    const std::filesystem::path folder =
        std::filesystem::path(spec.file).parent_path();
    const std::string path = (folder / argument.dataFile).string();
    const std::string content = readFile(path);
    if (content.size() < bytes.size())
      fail("file '" + path + "' has " + std::to_string(content.size()) +
           " bytes, but " + std::to_string(bytes.size()) + " are needed");
    std::memcpy(bytes.data(), content.data(), bytes.size());
  }

  void fillMonotone() {
    const Number last = number(argument.fillValue[0]);
    if (last.integer < 0)
      fail("the last value is negative");
    std::vector<std::int64_t> values(count);
    for (std::int64_t &value : values)
      value = randomInteger(generator, 0, last.integer);
    std::sort(values.begin(), values.end());
    values.back() = last.integer;
    values.front() = 0;
    putIntegers(values);
  }

  void fillPermutation() {
    std::vector<std::int64_t> values(count);
    std::iota(values.begin(), values.end(), std::int64_t(0));
    for (std::size_t i = count - 1; i > 0; --i)
      std::swap(values[i], values[generator() % (i + 1)]);
    putIntegers(values);
  }

  const KernelSpec &spec;
  const ArgumentSpec &argument;
  const std::size_t count;
  const Bindings &bindings;
  Generator generator;
  Bytes bytes;
};

} // namespace

std::vector<std::uint8_t>
makeContents(const KernelSpec &spec, const ArgumentSpec &argument,
             std::size_t count, const Bindings &bindings, std::uint64_t seed) {
  return Filler(spec, argument, count, bindings, seed).run();
}

} // namespace clopt::runtime
