//===- CrashMessage.cpp - says which kernel took the process down ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signal handler may do next to nothing, so the text is ready before anything
// runs.
//
//===----------------------------------------------------------------------===//

#include "CrashMessage.h"

#include <csignal>
#include <cstdio>
#include <cstring>

#include <unistd.h>

namespace clopt::runtime {

static char crashText[1024] = "clopt-rt: error: crashed\n";
static volatile std::size_t crashLength =
    sizeof "clopt-rt: error: crashed\n" - 1;

extern "C" void cloptPrintCrash(int) {
  // The results so far are lost in stdio's buffer if they are not written here,
  // but flushing is not safe now; VerifyPrinter flushes after each line
  // instead.
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, crashText, crashLength);
  _exit(1);
}

void installCrashMessage() {
  struct sigaction action{};
  action.sa_handler = cloptPrintCrash;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(signal, &action, nullptr);
}

void setCrashMessage(const std::string &activity) {
  std::snprintf(crashText, sizeof crashText, "clopt-rt: error: crashed in %s\n",
                activity.c_str());
  crashLength = std::strlen(crashText);
}

} // namespace clopt::runtime
