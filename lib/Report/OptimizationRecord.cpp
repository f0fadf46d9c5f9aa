//===- OptimizationRecord.cpp - remarks for LLVM's tools ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record's message is the concatenation of its arguments. So the message is
// cut at the values it quotes: "stride is 2 floats" with Stride = 2 becomes
// {String: "stride is "}, {Stride: 2}, {String: " floats"}, and tools that
// look for a key find it without parsing the text.
//
// Tested by test/unit/OptimizationRecordTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Report/OptimizationRecord.h"

#include "Support/Remarks.h"

#include <llvm/Remarks/Remark.h>
#include <llvm/Remarks/RemarkSerializer.h>
#include <llvm/Remarks/RemarkStringTable.h>
#include <llvm/Support/raw_ostream.h>

#include <deque>

using namespace clopt;

namespace {

/// LLVM's remarks refer to strings; this keeps them alive.
class Converter {
public:
  llvm::remarks::Remark convert(const Remark &remark) {
    llvm::remarks::Remark result;
    result.RemarkType = type(remark.kind);
    result.PassName = keep(remarkPassName(remark));
    result.RemarkName = keep(remarkName(remark));
    // The key is mandatory, and a remark may be about the whole file.
    result.FunctionName =
        remark.function.empty() ? "<file>" : keep(remark.function);
    if (remark.location.isValid() && !remark.location.file.empty())
      result.Loc = llvm::remarks::RemarkLocation{keep(remark.location.file),
                                                 remark.location.line,
                                                 remark.location.column};
    addArguments(remark, result);
    return result;
  }

private:
  static llvm::remarks::Type type(RemarkKind kind) {
    switch (kind) {
    case RemarkKind::Passed:
      return llvm::remarks::Type::Passed;
    case RemarkKind::Missed:
      return llvm::remarks::Type::Missed;
    case RemarkKind::Analysis:
      return llvm::remarks::Type::Analysis;
    }
    return llvm::remarks::Type::Unknown;
  }

  void addArguments(const Remark &remark, llvm::remarks::Remark &result) {
    llvm::StringRef rest = keep(remark.message);
    std::vector<std::pair<std::string, std::string>> notQuoted;
    for (const auto &[key, value] : remark.args) {
      size_t at = value.empty() ? llvm::StringRef::npos : rest.find(value);
      if (at == llvm::StringRef::npos) {
        notQuoted.emplace_back(key, value);
        continue;
      }
      add(result, "String", rest.take_front(at).str());
      add(result, key, value);
      rest = rest.drop_front(at + value.size());
    }
    add(result, "String", rest.str());
    for (const auto &[key, value] : notQuoted) {
      add(result, "String", "; " + key + " ");
      add(result, key, value);
    }
    if (!remark.hint.empty()) {
      add(result, "String", "; ");
      add(result, "Hint", remark.hint);
    }
  }

  void add(llvm::remarks::Remark &result, const std::string &key,
           const std::string &value) {
    if (key == "String" && value.empty())
      return;
    llvm::remarks::Argument argument;
    argument.Key = keep(key);
    argument.Val = keep(value);
    result.Args.push_back(argument);
  }

  /// A deque never moves its elements.
  llvm::StringRef keep(std::string text) {
    strings.push_back(std::move(text));
    return strings.back();
  }

  std::deque<std::string> strings;
};

} // namespace

llvm::Expected<std::string>
clopt::printOptimizationRecord(const std::vector<Remark> &remarks,
                               RecordFormat format) {
  using namespace llvm::remarks;
  Converter converter;
  std::vector<llvm::remarks::Remark> converted;
  for (const clopt::Remark &remark : remarks)
    if (!remark.suppressed)
      converted.push_back(converter.convert(remark));

  // The bitstream writes its string table first, so it has to be complete.
  StringTable strings;
  bool isBitstream = format == RecordFormat::Bitstream;
  if (isBitstream)
    for (llvm::remarks::Remark &remark : converted)
      strings.internalize(remark);

  std::string text;
  llvm::raw_string_ostream stream(text);
  auto serializer =
      isBitstream ? createRemarkSerializer(Format::Bitstream,
                                           SerializerMode::Standalone, stream,
                                           std::move(strings))
                  : createRemarkSerializer(Format::YAML,
                                           SerializerMode::Standalone, stream);
  if (!serializer)
    return serializer.takeError();
  for (const llvm::remarks::Remark &remark : converted)
    (*serializer)->emit(remark);
  // A bitstream of no remarks still needs its header to be recognised.
  if (isBitstream && converted.empty())
    (*serializer)->metaSerializer(stream)->emit();
  serializer->reset();
  stream.flush();
  return text;
}
