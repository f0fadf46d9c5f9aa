//===- CompiledPlan.cpp - a launch plan ready for evaluation --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan/CompiledPlan.h"

#include "Plan/PlanExpressionReader.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace clopt {

RequestedRange RequestedRange::of(unsigned dimensions,
                                  const std::size_t *offset,
                                  const std::size_t *global,
                                  const std::size_t *local) {
  RequestedRange range;
  range.dimensions = dimensions;
  std::copy_n(global, dimensions, range.global.begin());
  if (offset)
    std::copy_n(offset, dimensions, range.offset.begin());
  if (local) {
    range.local = {1, 1, 1};
    std::copy_n(local, dimensions, range.local->begin());
  }
  return range;
}

GivenArgument GivenArgument::of(std::size_t size, const void *value,
                                bool isBuffer) {
  GivenArgument argument;
  argument.isSet = true;
  argument.size = size;
  const auto *bytes = static_cast<const std::uint8_t *>(value);
  if (bytes)
    argument.bytes.assign(bytes, bytes + size);
  else if (isBuffer) // null
    argument.bytes.assign(size, 0);
  return argument;
}

namespace {

/// Memory objects lie this far apart, more than any of them is long.
constexpr unsigned objectShift = 44;

/// What a cast to an integer makes of the number, if it fits an `int`.
template <typename Number>
std::optional<PlanValue> wholePart(const std::vector<std::uint8_t> &bytes) {
  Number number = 0;
  if (bytes.size() != sizeof number)
    return std::nullopt;
  std::memcpy(&number, bytes.data(), sizeof number);
  const double value = number;
  if (!(value > -2147483649.0 && value < 2147483648.0))
    return std::nullopt;
  return PlanValue::of(static_cast<std::uint64_t>(std::int64_t(value)), 8,
                       false);
}

std::optional<PlanValue> readScalar(const std::string &typeName,
                                    const GivenArgument &argument) {
  if (typeName == "float")
    return wholePart<float>(argument.bytes);
  if (typeName == "double")
    return wholePart<double>(argument.bytes);
  const PlanScalar *type = findPlanScalar(typeName);
  if (!type || argument.bytes.size() != type->bytes)
    return std::nullopt;
  std::uint64_t bits = 0;
  std::memcpy(&bits, argument.bytes.data(), type->bytes);
  return PlanValue::of(bits, type->bytes, type->isUnsigned);
}

std::vector<std::uint8_t> writeScalar(const std::string &typeName,
                                      const PlanValue &value) {
  const PlanScalar *type = findPlanScalar(typeName);
  std::vector<std::uint8_t> bytes(type ? type->bytes : 0);
  std::memcpy(bytes.data(), &value.bits, bytes.size());
  return bytes;
}

std::vector<PlanExpression> compileAll(const std::vector<std::string> &texts) {
  std::vector<PlanExpression> result;
  for (const std::string &text : texts)
    result.push_back(PlanExpression::parse(text));
  return result;
}

CompiledLaunch compileLaunch(const PlanLaunch &launch) {
  CompiledLaunch result;
  result.plan = &launch;
  result.global = compileAll(launch.global);
  result.local = compileAll(launch.local);
  result.offset = compileAll(launch.offset);
  for (const PlanArgument &argument : launch.arguments) {
    result.arguments.emplace_back();
    if (argument.kind == PlanArgument::Kind::Value ||
        argument.kind == PlanArgument::Kind::Local)
      result.arguments.back() = PlanExpression::parse(argument.value);
  }
  return result;
}

CompiledVariant compileVariant(const PlanVariant &variant) {
  CompiledVariant result;
  result.plan = &variant;
  for (const PlanDefinition &definition : variant.definitions)
    result.definitions.emplace_back(definition.name,
                                    PlanExpression::parse(definition.value));
  for (const PlanCondition &condition : variant.conditions)
    result.conditions.push_back(PlanExpression::parse(condition.expression));
  for (const PlanBuffer &buffer : variant.buffers)
    result.bufferBytes.push_back(PlanExpression::parse(buffer.bytes));
  for (const PlanImage &image : variant.images) {
    CompiledImage compiled{PlanExpression::parse(image.width),
                           PlanExpression::parse(image.height), std::nullopt};
    if (!image.rowBytes.empty())
      compiled.rowBytes = PlanExpression::parse(image.rowBytes);
    result.images.push_back(std::move(compiled));
  }
  for (const PlanConversion &conversion : variant.before)
    result.before.push_back(compileLaunch(conversion.launch));
  result.launch = compileLaunch(variant.launch);
  for (const PlanConversion &conversion : variant.after)
    result.after.push_back(compileLaunch(conversion.launch));
  return result;
}

/// Evaluates the parts of a variant; any part without a value fails it.
class Resolver {
public:
  Resolver(const RequestedRange &requested, PlanNames known)
      : range(requested), names(std::move(known)) {
    environment.name = [this](const std::string &name) {
      auto it = names.find(name);
      return it == names.end() ? std::nullopt
                               : std::optional<PlanValue>(it->second);
    };
    environment.query = [this](const std::string &name, std::uint64_t dim) {
      return query(name, dim);
    };
  }

  std::optional<ResolvedVariant> run(const CompiledVariant &variant,
                                     bool ignoreAdvice) {
    define(variant);
    if (held(variant, ignoreAdvice) < variant.conditions.size())
      return std::nullopt;
    ResolvedVariant result;
    result.plan = variant.plan;
    for (const PlanExpression &bytes : variant.bufferBytes)
      result.bufferBytes.push_back(size(bytes));
    for (const CompiledImage &image : variant.images)
      result.images.push_back({size(image.width), size(image.height),
                               image.rowBytes ? size(*image.rowBytes) : 0});
    for (const CompiledLaunch &launch : variant.before)
      result.before.push_back(resolve(launch));
    result.launch = resolve(variant.launch);
    for (const CompiledLaunch &launch : variant.after)
      result.after.push_back(resolve(launch));
    if (isLost)
      return std::nullopt;
    return result;
  }

  /// Expressions only see the definitions before them. One without a value
  /// leaves its name without one.
  void define(const CompiledVariant &variant) {
    for (const auto &[name, expression] : variant.definitions) {
      std::optional<PlanValue> value = expression.evaluate(environment);
      names.erase(name);
      if (value)
        names[name] = *value;
    }
  }

  /// Conditions before the first that does not hold.
  std::size_t held(const CompiledVariant &variant, bool ignoreAdvice) {
    std::size_t count = 0;
    for (const PlanExpression &condition : variant.conditions) {
      bool isAdvice = variant.plan->conditions[count].isAdvice;
      std::optional<PlanValue> value = condition.evaluate(environment);
      if (!(ignoreAdvice && isAdvice) && (!value || !value->isTrue()))
        break;
      ++count;
    }
    return count;
  }

private:
  std::optional<PlanValue> query(const std::string &name,
                                 std::uint64_t dim) const {
    if (name == "get_work_dim")
      return PlanValue::ofInt(range.dimensions);
    const bool isOutside = dim > 2;
    if (name == "get_global_size")
      return PlanValue::ofULong(isOutside ? 1 : range.global[dim]);
    if (name == "get_global_offset")
      return PlanValue::ofULong(isOutside ? 0 : range.offset[dim]);
    if (!range.local)
      return std::nullopt;
    return PlanValue::ofULong(isOutside ? 1 : (*range.local)[dim]);
  }

  std::optional<PlanValue> valueOf(const PlanExpression &expression) {
    std::optional<PlanValue> value = expression.evaluate(environment);
    isLost |= !value || value->elementBytes != 0;
    return value;
  }

  std::size_t size(const PlanExpression &expression) {
    std::optional<PlanValue> value = valueOf(expression);
    isLost |= !value || value->isNegative() ||
              value->bits > (std::uint64_t(1) << objectShift);
    return isLost ? 0 : static_cast<std::size_t>(value->bits);
  }

  ResolvedLaunch resolve(const CompiledLaunch &launch) {
    ResolvedLaunch result;
    result.plan = launch.plan;
    if (launch.plan->sameRange)
      result.range = range;
    else
      resolveRange(launch, result.range);
    for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
      const PlanArgument &argument = launch.plan->arguments[i];
      result.values.emplace_back();
      result.localBytes.push_back(0);
      if (argument.kind == PlanArgument::Kind::Local)
        result.localBytes.back() = size(*launch.arguments[i]);
      if (argument.kind != PlanArgument::Kind::Value)
        continue;
      if (std::optional<PlanValue> value = valueOf(*launch.arguments[i]))
        result.values.back() = writeScalar(argument.type, *value);
    }
    return result;
  }

  void resolveRange(const CompiledLaunch &launch, RequestedRange &result) {
    result.dimensions = static_cast<unsigned>(launch.global.size());
    if (!launch.local.empty())
      result.local = {1, 1, 1};
    for (std::size_t d = 0; d < launch.global.size(); ++d) {
      result.global[d] = size(launch.global[d]);
      if (!launch.offset.empty())
        result.offset[d] = size(launch.offset[d]);
      if (launch.local.empty())
        continue;
      std::size_t local = size(launch.local[d]);
      isLost |=
          local == 0 || result.global[d] % std::max<std::size_t>(local, 1);
      (*result.local)[d] = local;
    }
  }

  const RequestedRange &range;
  PlanNames names;
  PlanEnvironment environment;
  bool isLost = false;
};

} // namespace

std::vector<std::uint64_t>
planAddresses(const std::vector<BufferPlace> &places) {
  std::vector<std::uint64_t> result;
  for (const BufferPlace &place : places) {
    std::size_t first = 0;
    while (places[first].root != place.root)
      ++first;
    result.push_back(place.root == nullptr
                         ? 0
                         : ((first + 1) << objectShift) + place.origin);
  }
  return result;
}

std::vector<std::string> splitOptions(const std::string &options) {
  std::vector<std::string> words;
  bool isInside = false, isQuoted = false;
  for (char c : options) {
    if (c == '"') {
      isQuoted = !isQuoted;
      continue;
    }
    if (!isQuoted && std::isspace(static_cast<unsigned char>(c))) {
      isInside = false;
      continue;
    }
    if (!isInside)
      words.emplace_back();
    isInside = true;
    words.back() += c;
  }
  return words;
}

/// True when operators beside the text take all of it.
static bool isPrimary(const std::string &text) {
  if (text.compare(0, 1, "(") != 0)
    return text.find_first_not_of("0123456789abcdefABCDEFxXuUlL",
                                  text[0] == '-') == std::string::npos;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0)
      return i + 1 == text.size();
  }
  return false;
}

PlanNames integerMacros(const std::vector<std::string> &flags) {
  PlanNames result;
  for (const auto &[name, text] : planMacros(flags)) {
    if (!isPrimary(text))
      continue; // the kernel's text may take a part of it
    try {
      if (auto value = PlanExpression::parse(text).evaluate(PlanEnvironment()))
        result[name] = *value;
    } catch (const PlanExpressionError &) {
      // No integer: expressions cannot use it.
    }
  }
  return result;
}

bool ResolvedLaunch::isEmpty() const {
  return range.global[0] == 0 || range.global[1] == 0 || range.global[2] == 0;
}

std::size_t ResolvedLaunch::groupItems() const {
  return range.local ? (*range.local)[0] * (*range.local)[1] * (*range.local)[2]
                     : 0;
}

CompiledPlan::CompiledPlan(LaunchPlan readPlan)
    : launchPlan(std::move(readPlan)) {
  for (const PlanKernel &kernel : launchPlan.kernels)
    for (const PlanVariant &variant : kernel.variants)
      compiled[kernel.name].push_back(compileVariant(variant));
}

const std::vector<CompiledVariant> *
CompiledPlan::variants(const std::string &kernel) const {
  auto it = compiled.find(kernel);
  return it == compiled.end() ? nullptr : &it->second;
}

PlanScope::PlanScope(const PlanKernel &kernel, const RequestedRange &requested,
                     const std::vector<GivenArgument> &arguments,
                     const PlanNames &fixed)
    : range(requested), names(fixed) {
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const PlanParameter &parameter = kernel.parameters[i];
    names.erase(parameter.name);
    if (parameter.kind == PlanParameter::Kind::Buffer)
      names["buffer_bytes " + parameter.name] =
          PlanValue::ofULong(arguments[i].bufferBytes);
    if (parameter.kind == PlanParameter::Kind::Buffer && parameter.bytes != 0)
      names[parameter.name] =
          PlanValue::ofAddress(arguments[i].address, parameter.bytes);
    else if (parameter.kind == PlanParameter::Kind::Scalar)
      if (auto value = readScalar(parameter.type, arguments[i]))
        names[parameter.name] = *value;
  }
}

std::optional<ResolvedVariant>
PlanScope::resolve(const CompiledVariant &variant, bool ignoreAdvice) const {
  return Resolver(range, names).run(variant, ignoreAdvice);
}

std::size_t PlanScope::held(const CompiledVariant &variant) const {
  Resolver resolver(range, names);
  resolver.define(variant);
  return resolver.held(variant, true);
}

} // namespace clopt
