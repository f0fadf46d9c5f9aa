//===- Process.cpp - running clopt as a process ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeProcessTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Process.h"

#include "Runtime/Error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace clopt::runtime {

namespace {

using Clock = std::chrono::steady_clock;

/// How a child is started: its output goes to one pipe.
class PipedOutput {
public:
  PipedOutput() {
    // The ends are closed on exec, so that no other child keeps the pipe open.
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
    posix_spawnattr_init(&attributes);
    sigset_t none, restored;
    sigemptyset(&none);
    sigemptyset(&restored);
    sigaddset(&restored, SIGPIPE);
    sigaddset(&restored, SIGCHLD);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &restored);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }

  ~PipedOutput() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (ends[1] >= 0)
      close(ends[1]);
  }

  /// Until the other end is closed; false when the time is over before.
  bool readAll(std::string &text, const Clock::time_point *deadline) {
    close(ends[1]); // or we would wait for ourselves
    ends[1] = -1;
    char chunk[4096];
    for (;;) {
      if (deadline != nullptr && !waitForInput(*deadline))
        return false;
      const ssize_t got = read(ends[0], chunk, sizeof chunk);
      if (got > 0)
        text.append(chunk, static_cast<std::size_t>(got));
      else if (got == 0 || errno != EINTR)
        return true;
    }
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

private:
  bool waitForInput(Clock::time_point deadline) const {
    for (;;) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
      if (left.count() <= 0)
        return false;
      pollfd input{ends[0], POLLIN, 0};
      const int ready = poll(&input, 1, static_cast<int>(left.count()));
      if (ready > 0 || (ready < 0 && errno != EINTR))
        return true;
    }
  }

  int ends[2];
};

std::vector<char *> withoutVariables(const std::vector<std::string> &hidden) {
  std::vector<char *> kept;
  for (char **variable = environ; *variable != nullptr; ++variable) {
    std::string name = *variable;
    name.resize(std::min(name.find('='), name.size()));
    if (std::find(hidden.begin(), hidden.end(), name) == hidden.end())
      kept.push_back(*variable);
  }
  kept.push_back(nullptr);
  return kept;
}

/// False when the time is over before the child ends.
bool waitForEnd(pid_t child, ProcessResult &result,
                const Clock::time_point *deadline, const std::string &name) {
  for (;;) {
    int status = 0;
    const pid_t ended =
        waitpid(child, &status, deadline != nullptr ? WNOHANG : 0);
    if (ended == child) {
      if (WIFSIGNALED(status))
        result.signal = WTERMSIG(status);
      else
        result.exitCode = WEXITSTATUS(status);
      return true;
    }
    if (ended < 0 && errno == ECHILD) {
      result.isEndKnown = false;
      return true;
    }
    if (ended < 0 && errno != EINTR)
      throw Error("cannot wait for '" + name + "': " + std::strerror(errno));
    if (deadline == nullptr)
      continue;
    if (Clock::now() >= *deadline)
      return false;
    // Its output has ended, so it will end at once.
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

} // namespace

std::string ProcessResult::status() const {
  if (timedOut)
    return "no answer in time";
  if (!isEndKnown)
    return "unknown end";
  return signal != 0 ? "signal " + std::to_string(signal)
                     : "exit code " + std::to_string(exitCode);
}

ProcessResult runProcess(const std::vector<std::string> &command,
                         const ProcessSettings &settings) {
  std::vector<char *> argv;
  for (const std::string &word : command)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  std::vector<char *> variables = withoutVariables(settings.hiddenVariables);
  const Clock::time_point begin = Clock::now();
  const Clock::time_point end = begin + settings.timeLimit;
  const Clock::time_point *deadline =
      settings.timeLimit.count() > 0 ? &end : nullptr;
  PipedOutput piped;
  pid_t child = 0;
  const int failure =
      posix_spawnp(&child, argv[0], &piped.actions, &piped.attributes,
                   argv.data(), variables.data());
  if (failure != 0)
    throw Error("cannot start '" + command[0] + "': " + std::strerror(failure));
  ProcessResult result;
  result.timedOut = !piped.readAll(result.output, deadline) ||
                    !waitForEnd(child, result, deadline, command[0]);
  if (result.timedOut) {
    kill(child, SIGKILL);
    waitForEnd(child, result, nullptr, command[0]);
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

std::string findSibling(const std::string &program) {
  std::error_code code;
  const std::filesystem::path self =
      std::filesystem::read_symlink("/proc/self/exe", code);
  const std::filesystem::path sibling = self.parent_path() / program;
  return !code && access(sibling.c_str(), X_OK) == 0 ? sibling.string()
                                                     : program;
}

TemporaryFolder::TemporaryFolder() {
  const char *base = std::getenv("TMPDIR");
  path = std::string(base != nullptr && *base != '\0' ? base : "/tmp") +
         "/clopt-rt-XXXXXX";
  if (mkdtemp(path.data()) == nullptr)
    throw Error("cannot make a temporary folder '" + path +
                "': " + std::strerror(errno));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

SilencedErrors::SilencedErrors()
    : standardError(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (standardError >= 0 && nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
  if (nowhere >= 0)
    close(nowhere);
}

SilencedErrors::~SilencedErrors() {
  if (standardError < 0)
    return;
  dup2(standardError, STDERR_FILENO);
  close(standardError);
}

} // namespace clopt::runtime
