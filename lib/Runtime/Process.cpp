//===- Process.cpp - running clopt as a process ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/unit/RuntimeProcessTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Runtime/Process.h"

#include "Runtime/Error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace clopt::runtime {

namespace {

/// The file actions of a child whose output goes to one pipe.
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
  }

  ~PipedOutput() {
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (ends[1] >= 0)
      close(ends[1]);
  }

  std::string readAll() {
    close(ends[1]); // or we would wait for ourselves
    ends[1] = -1;
    std::string text;
    char chunk[4096];
    for (;;) {
      const ssize_t got = read(ends[0], chunk, sizeof chunk);
      if (got > 0)
        text.append(chunk, static_cast<std::size_t>(got));
      else if (got == 0 || errno != EINTR)
        return text;
    }
  }

  posix_spawn_file_actions_t actions;

private:
  int ends[2];
};

} // namespace

std::string ProcessResult::status() const {
  return signal != 0 ? "signal " + std::to_string(signal)
                     : "exit code " + std::to_string(exitCode);
}

ProcessResult runProcess(const std::vector<std::string> &command) {
  std::vector<char *> argv;
  for (const std::string &word : command)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  PipedOutput piped;
  pid_t child = 0;
  const int failure = posix_spawnp(&child, argv[0], &piped.actions, nullptr,
                                   argv.data(), environ);
  if (failure != 0)
    throw Error("cannot start '" + command[0] + "': " + std::strerror(failure));
  ProcessResult result;
  result.output = piped.readAll();
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      throw Error(std::string("cannot wait for '") + command[0] +
                  "': " + std::strerror(errno));
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  else
    result.exitCode = WEXITSTATUS(status);
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

} // namespace clopt::runtime
