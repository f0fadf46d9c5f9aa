//===- ResultTransfer.cpp - a result on its way between processes ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One list of fields per struct serves both directions. The lists are
// structured bindings, which name all fields of a struct: a field that is
// added to one does not compile until it is listed here.
//
// Tested by test/unit/ResultTransferTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/ResultTransfer.h"

#include <cstring>
#include <type_traits>
#include <vector>

using namespace clopt;

namespace {

class Packer {
public:
  std::string bytes;

  template <typename T> void number(T &value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
  }
  void text(std::string &value) {
    size_t size = value.size();
    number(size);
    bytes += value;
  }
  /// The number of elements that follow.
  template <typename T> void resize(std::vector<T> &values) {
    size_t size = values.size();
    number(size);
  }
};

class Unpacker {
public:
  explicit Unpacker(llvm::StringRef packed) : bytes(packed) {}

  bool isGood = true;
  llvm::StringRef bytes; ///< what has not been read

  template <typename T> void number(T &value) {
    if (!has(sizeof(value)))
      return;
    std::memcpy(&value, bytes.data(), sizeof(value));
    bytes = bytes.drop_front(sizeof(value));
  }
  void text(std::string &value) {
    size_t size = 0;
    number(size);
    if (!has(size))
      return;
    value = bytes.take_front(size).str();
    bytes = bytes.drop_front(size);
  }
  template <typename T> void resize(std::vector<T> &values) {
    size_t size = 0;
    number(size);
    // Every element takes a byte at least.
    if (has(size))
      values.resize(size);
  }

private:
  bool has(size_t count) { return isGood = isGood && bytes.size() >= count; }
};

} // namespace

template <typename A, typename... T> static void transfer(A &a, T &...values);

template <typename A, typename T>
static std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>
one(A &a, T &value) {
  a.number(value);
}
template <typename A> static void one(A &a, std::string &value) {
  a.text(value);
}
template <typename A, typename T> static void one(A &a, std::vector<T> &value) {
  a.resize(value);
  for (T &element : value)
    transfer(a, element);
}
template <typename A, typename T>
static void one(A &a, std::optional<T> &value) {
  bool exists = value.has_value();
  a.number(exists);
  if (exists && !value)
    value.emplace();
  if (exists)
    transfer(a, *value);
}
template <typename A, typename T>
static void one(A &a, std::pair<std::string, T> &value) {
  transfer(a, value.first, value.second);
}

/// All fields of a struct, by names of their own.
#define CLOPT_FIELDS(Type, ...)                                                \
  template <typename A> static void one(A &a, Type &value) {                   \
    auto &[__VA_ARGS__] = value;                                               \
    transfer(a, __VA_ARGS__);                                                  \
  }
CLOPT_FIELDS(SourceRange, file, line, column, endLine, endColumn, begin, end)
CLOPT_FIELDS(Diagnostic, level, location, message, rendered)
CLOPT_FIELDS(Remark, kind, pass, rule, function, location, message, hint, args,
             off)
CLOPT_FIELDS(RequestReport, lanes, bytes, unitBytes, banks, addresses)
CLOPT_FIELDS(AccessReport, kernel, array, isWrite, location, text, subscript,
             type, pattern, isVectorizable, isContiguous, isBroadcast,
             transactions, ideal, isReadOnly, isReused, isUniform, request,
             rule, reason, hint, off)
CLOPT_FIELDS(MemoryReport, memory, isPossible, needsHost, bytes, clocks, reason)
CLOPT_FIELDS(ArrayReport, array, chosen, dropIn, clocks, chosenClocks, memories)
CLOPT_FIELDS(VariantValidation, name, isLeftOut, launches, branches, reached,
             missed, skipped)
CLOPT_FIELDS(ValidationReport, launches, branches, reached, missed, skipped,
             variants)
CLOPT_FIELDS(Reproducer::File, name, text)
CLOPT_FIELDS(Reproducer, kernel, files)
CLOPT_FIELDS(PriceReport, label, nanoseconds, terms, problem)
CLOPT_FIELDS(PriceList, launch, problem, steps, others)
CLOPT_FIELDS(KernelReport, name, location, changed, recipe, guards, validation,
             accesses, arrays, arithmetic, memory, prices, before, after)
template <typename A> static void one(A &a, Result &value) {
  auto &[ok, output, kernels, remarks, diagnostics, dependencies, recipe,
         modelDump, stepDump, treeDump, astDump, reproducers, skeletons, plan] =
      value;
  (void)skeletons;
  (void)plan;
  transfer(a, ok, output, kernels, remarks, diagnostics, dependencies, recipe,
           modelDump, stepDump, treeDump, astDump, reproducers);
}
template <typename A> static void one(A &a, ProcessedFile &value) {
  // The options are known to who unpacks it.
  auto &[path, source, readError, result, outputPath, fixes, options] = value;
  (void)options;
  transfer(a, path, source, readError, result, outputPath, fixes);
}

template <typename A, typename... T> static void transfer(A &a, T &...values) {
  (one(a, values), ...);
}

std::string clopt::packFile(const ProcessedFile &file) {
  Packer packer;
  // The packer changes nothing; the unpacker shares its code.
  transfer(packer, const_cast<ProcessedFile &>(file));
  return std::move(packer.bytes);
}

std::optional<ProcessedFile> clopt::unpackFile(llvm::StringRef bytes) {
  ProcessedFile file;
  Unpacker unpacker(bytes);
  transfer(unpacker, file);
  if (!unpacker.isGood || !unpacker.bytes.empty())
    return std::nullopt;
  return file;
}
