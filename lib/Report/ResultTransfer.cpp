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
template <typename A>
static void one(A &a, std::pair<std::string, std::string> &value) {
  transfer(a, value.first, value.second);
}
template <typename A> static void one(A &a, SourceRange &value) {
  auto &[file, line, column, endLine, endColumn, begin, end] = value;
  transfer(a, file, line, column, endLine, endColumn, begin, end);
}
template <typename A> static void one(A &a, Diagnostic &value) {
  auto &[level, location, message, rendered] = value;
  transfer(a, level, location, message, rendered);
}
template <typename A> static void one(A &a, Remark &value) {
  auto &[kind, pass, rule, function, location, message, hint, args, off] =
      value;
  transfer(a, kind, pass, rule, function, location, message, hint, args, off);
}
template <typename A> static void one(A &a, RequestReport &value) {
  auto &[lanes, bytes, unitBytes, banks, addresses] = value;
  transfer(a, lanes, bytes, unitBytes, banks, addresses);
}
template <typename A> static void one(A &a, AccessReport &value) {
  auto &[kernel, array, isWrite, location, text, subscript, type, pattern,
         isVectorizable, isContiguous, isBroadcast, transactions, ideal,
         isReadOnly, isReused, isUniform, request, rule, reason, hint, off] =
      value;
  transfer(a, kernel, array, isWrite, location, text, subscript, type, pattern,
           isVectorizable, isContiguous, isBroadcast, transactions, ideal,
           isReadOnly, isReused, isUniform, request, rule, reason, hint, off);
}
template <typename A> static void one(A &a, MemoryReport &value) {
  auto &[memory, isPossible, needsHost, bytes, clocks, reason] = value;
  transfer(a, memory, isPossible, needsHost, bytes, clocks, reason);
}
template <typename A> static void one(A &a, ArrayReport &value) {
  auto &[array, chosen, dropIn, clocks, chosenClocks, memories] = value;
  transfer(a, array, chosen, dropIn, clocks, chosenClocks, memories);
}
template <typename A> static void one(A &a, VariantValidation &value) {
  auto &[name, isLeftOut, launches, branches, reached, missed, skipped] = value;
  transfer(a, name, isLeftOut, launches, branches, reached, missed, skipped);
}
template <typename A> static void one(A &a, ValidationReport &value) {
  auto &[launches, branches, reached, missed, skipped, variants] = value;
  transfer(a, launches, branches, reached, missed, skipped, variants);
}
template <typename A> static void one(A &a, Reproducer::File &value) {
  auto &[name, text] = value;
  transfer(a, name, text);
}
template <typename A> static void one(A &a, Reproducer &value) {
  auto &[kernel, files] = value;
  transfer(a, kernel, files);
}
template <typename A>
static void one(A &a, std::pair<std::string, double> &value) {
  transfer(a, value.first, value.second);
}
template <typename A> static void one(A &a, PriceReport &value) {
  auto &[label, nanoseconds, terms, problem] = value;
  transfer(a, label, nanoseconds, terms, problem);
}
template <typename A> static void one(A &a, PriceList &value) {
  auto &[launch, problem, steps, others] = value;
  transfer(a, launch, problem, steps, others);
}
template <typename A> static void one(A &a, KernelReport &value) {
  auto &[name, location, changed, recipe, guards, validation, accesses, arrays,
         arithmetic, memory, prices, before, after] = value;
  transfer(a, name, location, changed, recipe, guards, validation, accesses,
           arrays, arithmetic, memory, prices, before, after);
}
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
