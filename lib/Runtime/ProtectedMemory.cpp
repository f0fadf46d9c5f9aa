//===- ProtectedMemory.cpp - memory between forbidden pages ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a device cannot be left in the middle of a kernel, so the
// handler opens the page that was hit, and the instruction runs again. It does
// no more than a system call and stores to memory that is there.
//
//===----------------------------------------------------------------------===//

#include "Runtime/ProtectedMemory.h"

#include "Runtime/Error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <set>

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace clopt::runtime {

namespace {

/// Protected bytes on each side: address space, not memory.
constexpr std::size_t protectedBytes = std::size_t(16) << 20;

/// Changed only while no kernel runs.
std::vector<ProtectedMemory *> watched;
struct sigaction previousAction{};

std::size_t pageBytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::uintptr_t pageOf(const std::uint8_t *address) {
  return reinterpret_cast<std::uintptr_t>(address) & ~(pageBytes() - 1);
}

std::optional<bool> isWriteFault([[maybe_unused]] const void *context) {
#if defined(__x86_64__) && defined(REG_ERR)
  const auto *state = static_cast<const ucontext_t *>(context);
  return (state->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
  return std::nullopt;
#endif
}

extern "C" void cloptNoteOutsideAccess(int signal, siginfo_t *info,
                                       void *context) {
  const int savedErrno = errno;
  auto *address = static_cast<std::uint8_t *>(info->si_addr);
  const std::optional<bool> isWrite = isWriteFault(context);
  for (ProtectedMemory *memory : watched)
    if (memory->note(address, isWrite)) {
      errno = savedErrno;
      return;
    }
  // Not ours: the instruction faults again, for whom it concerns.
  sigaction(signal, &previousAction, nullptr);
  errno = savedErrno;
}

void watch(ProtectedMemory *memory) {
  if (watched.empty()) {
    struct sigaction action{};
    action.sa_sigaction = cloptNoteOutsideAccess;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &previousAction);
    pageBytes(); // not for the first time in the handler
  }
  watched.push_back(memory);
}

void unwatch(ProtectedMemory *memory) {
  watched.erase(std::remove(watched.begin(), watched.end(), memory),
                watched.end());
  if (watched.empty())
    sigaction(SIGSEGV, &previousAction, nullptr);
}

[[noreturn]] void failToProtect(const char *call) {
  throw Error(std::string("cannot protect pages around a buffer: ") + call +
              ": " + std::strerror(errno));
}

} // namespace

ProtectedMemory::ProtectedMemory(std::size_t size, Edge edge,
                                 std::size_t alignment)
    : bytes(size), hits(4 * protectedBytes / pageBytes()) {
  const std::size_t page = pageBytes();
  const std::size_t open = (bytes + page - 1) / page * page;
  mappedBytes = open + 2 * protectedBytes;
  void *memory = mmap(nullptr, mappedBytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    failToProtect("mmap");
  mapped = static_cast<std::uint8_t *>(memory);
  openBegin = mapped + protectedBytes;
  openEnd = openBegin + open;
  dataBegin = edge == Edge::Begin
                  ? openBegin
                  : openBegin + (open - bytes) / alignment * alignment;
  if (mprotect(openBegin, open, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapped, mappedBytes);
    failToProtect("mprotect");
  }
  watch(this);
}

ProtectedMemory::~ProtectedMemory() {
  unwatch(this);
  munmap(mapped, mappedBytes);
}

void ProtectedMemory::arm() {
  if (hitCount != 0)
    for (std::uint8_t *side : {mapped, openEnd}) {
      madvise(side, protectedBytes, MADV_DONTNEED);
      mprotect(side, protectedBytes, PROT_NONE);
    }
  hitCount = 0;
}

bool ProtectedMemory::note(std::uint8_t *address, std::optional<bool> isWrite) {
  if (address < mapped || address >= mapped + mappedBytes ||
      (address >= openBegin && address < openEnd))
    return false;
  if (mprotect(reinterpret_cast<void *>(pageOf(address)), pageBytes(),
               PROT_READ | PROT_WRITE) != 0)
    return false;
  const std::size_t index = hitCount++;
  if (index < hits.size())
    hits[index] = {address, isWrite};
  return true;
}

std::vector<OutsideAccess> ProtectedMemory::accesses() const {
  std::vector<OutsideAccess> result;
  std::set<std::uintptr_t> seen; // several threads may hit a page at once
  const std::size_t count = std::min(hitCount.load(), hits.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Hit &hit = hits[i];
    if (!seen.insert(pageOf(hit.address)).second)
      continue;
    OutsideAccess access;
    access.before = hit.address < dataBegin;
    access.distance = static_cast<std::size_t>(
        access.before ? dataBegin - hit.address
                      : hit.address - (dataBegin + bytes) + 1);
    access.isWrite = hit.isWrite;
    access.page = pageOf(hit.address);
    result.push_back(access);
  }
  return result;
}

} // namespace clopt::runtime
