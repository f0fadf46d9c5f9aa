//===- Workers.cpp - pieces of work in processes of their own -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tested by test/lit/check/jobs.test.
//
//===----------------------------------------------------------------------===//

#include "Workers.h"

#include <llvm/Support/raw_ostream.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <vector>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace clopt;

namespace {

struct Child {
  size_t task = 0;
  pid_t id = 0;
  int pipe = -1; ///< what it writes
  std::string bytes;
};

class Crew {
public:
  explicit Crew(const WorkerTasks &all) : tasks(all) {}

  void run() {
    while (delivered < tasks.count) {
      while (children.size() < tasks.jobs && started < tasks.count)
        if (!start(started))
          break;
        else
          ++started;
      // Without a single process the work is done here.
      if (children.empty() && started < tasks.count) {
        finish(started, tasks.work(started));
        ++started;
      }
      listen();
      deliver();
    }
  }

private:
  bool start(size_t task) {
    int ends[2];
    if (pipe(ends) != 0)
      return false;
    // What is buffered would be printed twice.
    llvm::outs().flush();
    pid_t id = fork();
    if (id == 0) {
      close(ends[0]);
      for (const Child &other : children)
        close(other.pipe);
      workInChild(task, ends[1]);
    }
    close(ends[1]);
    if (id < 0) {
      close(ends[0]);
      return false;
    }
    children.push_back({task, id, ends[0], ""});
    return true;
  }

  [[noreturn]] void workInChild(size_t task, int pipe) const {
    std::string bytes = tasks.work(task);
    llvm::StringRef rest = bytes;
    while (!rest.empty()) {
      ssize_t count = write(pipe, rest.data(), rest.size());
      if (count < 0 && errno != EINTR)
        _exit(1);
      rest = rest.drop_front(count > 0 ? count : 0);
    }
    // The files and tables of this process belong to its parent.
    _exit(0);
  }

  /// Waits until some process has written something or has ended.
  void listen() {
    if (children.empty())
      return;
    std::vector<pollfd> polled;
    for (const Child &child : children)
      polled.push_back({child.pipe, POLLIN, 0});
    if (poll(polled.data(), polled.size(), -1) < 0)
      return; // a signal; the caller comes back
    for (size_t i = polled.size(); i-- > 0;)
      if (polled[i].revents && !read(children[i])) {
        end(children[i]);
        children.erase(children.begin() + i);
      }
  }

  /// False at the end of what the process writes.
  static bool read(Child &child) {
    char buffer[1 << 16];
    ssize_t count = ::read(child.pipe, buffer, sizeof(buffer));
    if (count > 0)
      child.bytes.append(buffer, count);
    return count > 0 || (count < 0 && errno == EINTR);
  }

  void end(Child &child) {
    close(child.pipe);
    int status = 0;
    while (waitpid(child.id, &status, 0) < 0 && errno == EINTR)
      ;
    if (WIFSIGNALED(status))
      finish(child.task,
             llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "the work on this file was ended: %s",
                                     strsignal(WTERMSIG(status))));
    else if (WEXITSTATUS(status) != 0)
      finish(child.task,
             llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "the work on this file was ended"));
    else
      finish(child.task, std::move(child.bytes));
  }

  void finish(size_t task, llvm::Expected<std::string> bytes) {
    finished.emplace(task, std::move(bytes));
    if (tasks.progress)
      tasks.progress(delivered + finished.size());
  }

  void deliver() {
    for (auto next = finished.begin();
         next != finished.end() && next->first == delivered;
         next = finished.erase(next))
      tasks.deliver(delivered++, std::move(next->second));
  }

  const WorkerTasks &tasks;
  size_t started = 0, delivered = 0;
  std::vector<Child> children;
  /// Finished before their turn.
  std::map<size_t, llvm::Expected<std::string>> finished;
};

} // namespace

void clopt::runWorkers(const WorkerTasks &tasks) { Crew(tasks).run(); }
