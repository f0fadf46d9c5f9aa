//===- SpecFields.h - checked access to the fields of JSON -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeLaunchSpecTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_SPECFIELDS_H
#define CLOPT_RUNTIME_SPECFIELDS_H

#include "Runtime/JsonDocument.h"
#include "Runtime/LaunchSpec.h"

namespace clopt::runtime {

/// A JSON object together with its place in the document.
class Fields {
public:
  Fields(const JsonDocument &source, const Json &json, std::string path)
      : document(source), object(json), pointer(std::move(path)) {
    if (!object.is_object())
      throw document.error(pointer, "expected an object");
  }

  const Json *find(const std::string &name) const {
    const auto found = object.find(name);
    return found == object.end() || found->is_null() ? nullptr : &*found;
  }

  const Json &require(const std::string &name) const {
    if (const Json *value = find(name))
      return *value;
    throw document.error(pointer, "'" + name + "' is missing");
  }

  std::string path(const std::string &name) const {
    return pointer + "/" + name;
  }
  SourcePosition where() const { return document.locate(pointer); }

  [[noreturn]] void fail(const std::string &name,
                         const std::string &message) const {
    throw document.error(path(name), message);
  }

  std::string string(const std::string &name,
                     const std::string &otherwise) const {
    const Json *value = find(name);
    if (value == nullptr)
      return otherwise;
    if (!value->is_string())
      fail(name, "'" + name + "' must be a string");
    return value->get<std::string>();
  }

  std::string requireString(const std::string &name) const {
    require(name);
    return string(name, "");
  }

  std::optional<LocatedExpression> expression(const std::string &name) const {
    const Json *value = find(name);
    if (value == nullptr)
      return std::nullopt;
    return makeExpression(*value, path(name), "'" + name + "'");
  }

  LocatedExpression makeExpression(const Json &value, const std::string &at,
                                   const std::string &what) const;
  NumberSpec makeNumber(const Json &value, const std::string &at,
                        const std::string &what) const;
  std::vector<LocatedExpression> shape(const std::string &name) const;
  std::vector<LocatedExpression> shape(const std::string &name,
                                       const Json &value) const;

  const JsonDocument &document;
  const Json &object;
  const std::string pointer;
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_SPECFIELDS_H
