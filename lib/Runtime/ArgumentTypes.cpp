//===- ArgumentTypes.cpp - specifications against kernels -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/ArgumentTypes.h"

#include <algorithm>

namespace clopt::runtime {

namespace {

/// A type of OpenCL C that is built in; "int8" means eight lanes here.
std::optional<ElementType> builtinType(const std::string &name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == name.size())
    return parseElementType(name);
  const std::string scalar = name.substr(0, digits);
  if (!parseElementType(scalar))
    return std::nullopt;
  return parseElementType(scalar + "x" + name.substr(digits));
}

const char *nameOf(MemoryKind memory) {
  // In the order of MemoryKind.
  static constexpr const char *names[] = {"Scalar", "Vector", "Local", "Image",
                                          "Sampler"};
  return names[static_cast<std::size_t>(memory)];
}

/// The kind of all values, if they have one.
std::optional<ScalarKind> kindOf(const ElementType &type) {
  for (const Component &component : type.components)
    if (component.kind != type.components[0].kind)
      return std::nullopt;
  if (type.components.empty())
    return std::nullopt;
  return type.components[0].kind;
}

bool isOpaque(const ElementType &type) { return type.name == "custom"; }

/// Vectors and scalars of one kind may stand for each other in memory, and
/// so may signed and unsigned integers. Bytes may be anything.
bool fitsInMemory(const ElementType &given, const ElementType &wanted) {
  const std::optional<ScalarKind> a = kindOf(given), b = kindOf(wanted);
  if (isOpaque(given) || !b || (!isFloating(*b) && sizeOf(*b) == 1))
    return true;
  return a && sizeOf(*a) == sizeOf(*b) && isFloating(*a) == isFloating(*b);
}

bool fitsByValue(const ElementType &given, const ElementType &wanted) {
  if (isOpaque(given))
    return given.size == wanted.size;
  const std::optional<ScalarKind> a = kindOf(given), b = kindOf(wanted);
  return a && b && given.size == wanted.size &&
         isFloating(*a) == isFloating(*b);
}

std::optional<KernelParameter> parameterAt(cl_kernel kernel, cl_uint index) {
  const auto ask = [&](cl_kernel_arg_info what) {
    return queryText(clGetKernelArgInfo, kernel, index, what);
  };
  KernelParameter result;
  result.name = ask(CL_KERNEL_ARG_NAME);
  result.type = ask(CL_KERNEL_ARG_TYPE_NAME);
  const auto space = queryValue<cl_kernel_arg_address_qualifier>(
      0, clGetKernelArgInfo, kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER);
  if (result.type.empty() || space == 0)
    return std::nullopt;
  if (space == CL_KERNEL_ARG_ADDRESS_LOCAL)
    result.memory = MemoryKind::Local;
  else if (space != CL_KERNEL_ARG_ADDRESS_PRIVATE)
    result.memory = MemoryKind::Vector;
  return result;
}

} // namespace

std::optional<std::string> findMismatch(const ArgumentSpec &argument,
                                        const KernelParameter &parameter) {
  const bool isObject = argument.memory == MemoryKind::Image ||
                        argument.memory == MemoryKind::Sampler;
  const std::string own =
      argument.imageKind ? argument.imageKind->name : argument.type.name;
  const std::string what =
      "argument '" + argument.name + "' is " + nameOf(argument.memory) +
      (own.empty() || isOpaque(argument.type) ? "" : " of " + own) +
      ", but the kernel's parameter " +
      (parameter.name.empty() ? "" : "'" + parameter.name + "' ") + "is ";
  const bool isImage = findImageKind(parameter.type) != nullptr;
  if (isImage || parameter.type == "sampler_t") {
    const bool fits = isImage
                          ? argument.imageKind == findImageKind(parameter.type)
                          : argument.memory == MemoryKind::Sampler;
    return fits ? std::nullopt
                : std::optional(what + parameter.type + ", which takes " +
                                (isImage ? "Image" : "Sampler"));
  }
  if (parameter.type.find("image") == 0 || parameter.type.find("pipe") == 0)
    return what + parameter.type + ", which a specification cannot describe";
  if (isObject || argument.memory != parameter.memory)
    return what + parameter.type + ", which takes " + nameOf(parameter.memory);
  std::string element = parameter.type;
  if (parameter.memory != MemoryKind::Scalar) {
    const std::size_t star = element.rfind('*');
    if (star == std::string::npos || element.find('*') != star)
      return std::nullopt;
    element.erase(star);
  }
  while (!element.empty() && element.back() == ' ')
    element.pop_back();
  const std::optional<ElementType> wanted = builtinType(element);
  // Local memory has no contents.
  if (!wanted || parameter.memory == MemoryKind::Local)
    return std::nullopt;
  const bool fits = parameter.memory == MemoryKind::Scalar
                        ? fitsByValue(argument.type, *wanted)
                        : fitsInMemory(argument.type, *wanted);
  if (fits)
    return std::nullopt;
  return what + parameter.type;
}

void checkArgumentTypes(const KernelSpec &spec, const KernelHandle &kernel) {
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    const std::optional<KernelParameter> parameter =
        parameterAt(kernel.get(), static_cast<cl_uint>(i));
    if (!parameter)
      continue;
    const ArgumentSpec &argument = spec.arguments[i];
    if (const auto mismatch = findMismatch(argument, *parameter))
      throw SpecMismatch("kernel '" + spec.kernelName + "': " + *mismatch,
                         spec.file, argument.where);
  }
}

} // namespace clopt::runtime
