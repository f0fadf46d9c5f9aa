//===- Process.h - running clopt as a process ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimizer holds an LLVM, and so does many an OpenCL driver: one process
// with both crashes. So the run-time starts clopt, without a shell, as a
// program of its own. Tested by test/unit/RuntimeProcessTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_PROCESS_H
#define CLOPT_RUNTIME_PROCESS_H

#include <chrono>
#include <string>
#include <vector>

namespace clopt::runtime {

struct ProcessResult {
  int exitCode = 0; // meaningless if a signal ended the process
  int signal = 0;   // 0: it ended by itself
  /// False if this process waits for all children elsewhere, or lets the system
  /// do so: then how it ended cannot be told, only that it did.
  bool isEndKnown = true;
  bool timedOut = false; // killed when its time was over
  std::string output;    // standard output and standard error as they came
  double seconds = 0;    // from its start to its end

  bool succeeded() const {
    return isEndKnown && !timedOut && signal == 0 && exitCode == 0;
  }
  /// "exit code 1", "signal 11", "no answer in time", or "unknown end".
  std::string status() const;
};

struct ProcessSettings {
  /// When it is over, the process is killed. Zero: no limit.
  std::chrono::milliseconds timeLimit{0};
  /// Variables that the process does not get.
  std::vector<std::string> hiddenVariables;
};

/// Runs `command[0]`, looked up in PATH when it has no slash, and waits for it.
/// It gets no file descriptors but those for its output, and no blocked
/// signals. Throws Error if it cannot be started.
ProcessResult runProcess(const std::vector<std::string> &command,
                         const ProcessSettings &settings = {});

/// A program installed beside this one, or else its bare name for PATH.
std::string findSibling(const std::string &program);

/// A folder of its own under TMPDIR, removed with everything in it at the end.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string file(const std::string &name) const { return path + "/" + name; }

private:
  std::string path;
};

/// While it lives, what this process writes to its standard error is lost:
/// compilers inside of drivers write there. Not for several threads.
class SilencedErrors {
public:
  SilencedErrors();
  ~SilencedErrors();
  SilencedErrors(const SilencedErrors &) = delete;
  SilencedErrors &operator=(const SilencedErrors &) = delete;

private:
  const int standardError; // a copy of it; negative: nothing is silenced
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_PROCESS_H
