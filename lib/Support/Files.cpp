//===- Files.cpp - reading source files, writing outputs whole ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/FilesTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Support/Files.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static llvm::Error failure(const std::string &file, const std::string &reason) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: %s",
                                 file.c_str(), reason.c_str());
}

/// The system's words in the style of our messages ("no such file or
/// directory").
static llvm::Error failure(const std::string &file, std::error_code code) {
  std::string reason = code.message();
  if (!reason.empty())
    reason[0] = llvm::toLower(reason[0]);
  return failure(file, reason);
}

llvm::Expected<std::string> clopt::readTextFile(const std::string &file) {
  if (file != "-" && fs::is_directory(file))
    return failure(file, "is a directory");
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(
      file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (std::error_code code = buffer.getError())
    return failure(file, code);
  std::string text = (*buffer)->getBuffer().str();
  if (text.find('\0') != std::string::npos)
    return failure(file, "is not a text file");
  return text;
}

/// The folder in which `file` stands, "." for a bare name.
static std::string folderOf(const std::string &file) {
  llvm::StringRef folder = path::parent_path(file);
  return folder.empty() ? "." : folder.str();
}

llvm::Error clopt::checkWritable(const std::string &file) {
  if (file == "-")
    return llvm::Error::success();
  if (file.empty())
    return failure("''", "is not a file name");
  fs::file_status status;
  std::error_code code = fs::status(file, status);
  if (!code && fs::is_directory(status))
    return failure(file, "cannot be written: is a directory");
  if (!code && !fs::can_write(file))
    return failure(file, "cannot be written: permission denied");
  if (!code && !fs::is_regular_file(status))
    return llvm::Error::success();
  std::string folder = folderOf(file);
  if (!fs::exists(folder))
    return failure(file,
                   "cannot be written: there is no folder '" + folder + "'");
  if (!fs::is_directory(folder))
    return failure(file, "cannot be written: '" + folder + "' is not a folder");
  if (!fs::can_write(folder))
    return failure(file, "cannot be written: no permission to create files "
                         "in '" +
                             folder + "'");
  return llvm::Error::success();
}

/// Standard output, devices and pipes have no name to exchange.
static llvm::Error writeDirectly(const std::string &file,
                                 const std::string &text) {
  std::error_code code;
  llvm::raw_fd_ostream stream(file, code);
  if (code)
    return failure(file, code);
  stream << text;
  stream.flush();
  code = stream.error();
  // The stream would end the process over an error that nobody looked at.
  stream.clear_error();
  if (code)
    return failure(file == "-" ? "standard output" : file, code);
  return llvm::Error::success();
}

/// Writes `text` to the open temporary file; the caller discards it on
/// failure.
static std::error_code fill(fs::TempFile &temporary, const std::string &text) {
  llvm::raw_fd_ostream stream(temporary.FD, /*shouldClose=*/false);
  stream << text;
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  return code;
}

llvm::Error clopt::writeFileAtomically(const std::string &file,
                                       const std::string &text) {
  if (llvm::Error error = checkWritable(file))
    return error;
  fs::file_status status;
  bool exists = file != "-" && !fs::status(file, status);
  if (file == "-" || (exists && !fs::is_regular_file(status)))
    return writeDirectly(file, text);

  // The link itself stays; what it points to is replaced.
  llvm::SmallString<256> real(file);
  if (exists)
    if (std::error_code code = fs::real_path(file, real))
      return failure(file, code);
  llvm::Expected<fs::TempFile> temporary =
      fs::TempFile::create(real + ".%%%%%%.tmp");
  if (!temporary)
    return failure(file, llvm::errorToErrorCode(temporary.takeError()));
  std::error_code code = fill(*temporary, text);
  if (!code && exists)
    code = fs::setPermissions(temporary->FD, status.permissions());
  if (code) {
    llvm::consumeError(temporary->discard());
    return failure(file, code);
  }
  if (llvm::Error error = temporary->keep(real))
    return failure(file, llvm::errorToErrorCode(std::move(error)));
  return llvm::Error::success();
}

bool clopt::isSameFile(const std::string &left, const std::string &right) {
  bool same = false;
  return !fs::equivalent(left, right, same) && same;
}
