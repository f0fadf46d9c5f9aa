//===- PlanExecutor.h - carries out launch plans ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the variant of a launch and enqueues its commands: conversions into
// buffers of its own, images, the kernel, conversions back. What fails throws
// OpenCLError with the call and the kernel; everything made until then is
// released. Tested by test/unit/RuntimePlanExecutorTest.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_PLANEXECUTOR_H
#define CLOPT_RUNTIME_PLANEXECUTOR_H

#include "Plan/CompiledPlan.h"
#include "Runtime/OpenCL.h"

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace clopt::runtime {

struct PlanTexts {
  std::string plan, optimized;
  std::string original; ///< empty: kernels are taken from `optimized`
  std::string options;  ///< further flags of clBuildProgram
  /// Built of `optimized` with these flags; null: it is built here.
  cl_program optimizedProgram = nullptr;
};

/// The text is not the one that the plan was written for.
class WrongSourceError : public Error {
public:
  using Error::Error;
};

/// A command of a launch, for those who take times.
struct EnqueuedCommand {
  enum class Kind { Conversion, Image, Kernel };
  Kind kind = Kind::Kernel;
  EventHandle event;
};

struct EnqueueResult {
  std::string variant;
  std::vector<EnqueuedCommand> commands; ///< in order; see VariantChoice
};

/// Whether the variant is more than a drop-in kernel, launched as asked for.
bool hasOwnForm(const PlanVariant &variant);

/// Which variants may be used, and what is known of buffers.
struct VariantChoice {
  std::string only; ///< name of a variant; empty: all
  bool ignoreAdvice = false;
  /// For callers that launch the drop-in kernels themselves: where the chosen
  /// variant is no more than that, there are no commands. To convert back is to
  /// write to cells that the launch leaves alone: it is done for a single
  /// buffer with a version, to which nothing else writes meanwhile, and whose
  /// content is the old one if a command before it fails.
  bool onlyOwnForms = false;
  /// Takes the place of track(): the version of a buffer that is no part of
  /// another one, or none if copies of it are not kept. A number stands for one
  /// content of one buffer, and is not used again for another one.
  std::function<std::optional<std::uint64_t>(cl_mem root)> versionOf = nullptr;
};

/// Several threads may use one object at a time.
class PlanExecutor {
public:
  PlanExecutor(cl_context context, cl_device_id device, const PlanTexts &texts);
  PlanExecutor(const PlanExecutor &) = delete;
  PlanExecutor &operator=(const PlanExecutor &) = delete;
  ~PlanExecutor();

  const CompiledPlan &plan() const { return compiled; }
  /// Names of the variants that this launch could use, in their order.
  std::vector<std::string> applicable(const PlanKernel &kernel,
                                      std::vector<GivenArgument> arguments,
                                      const RequestedRange &range,
                                      bool ignoreAdvice);

  EnqueueResult enqueue(cl_command_queue queue, const PlanKernel &kernel,
                        std::vector<GivenArgument> arguments,
                        const RequestedRange &range,
                        const std::vector<cl_event> &waitList,
                        const VariantChoice &choice = {});

  void track(cl_mem buffer);
  void changed(cl_mem buffer);
  /// Copies of the buffer go, whoever knows its versions.
  void untrack(cl_mem buffer);

private:
  struct Prepared;
  /// Where an argument's memory lies.
  struct Source {
    cl_mem root = nullptr;
    std::uint64_t origin = 0;
    std::size_t bytes = 0;
  };
  /// What a copy is found again by.
  struct CacheKey {
    std::string slot;          ///< what it is for
    std::string text;          ///< numbers and versions that it depends on
    std::vector<cl_mem> roots; ///< tracked buffers that it is made from
  };
  /// A converted copy, or an image, that is kept.
  struct CachedMemory : CacheKey {
    std::shared_ptr<BufferHandle> memory;
    std::shared_ptr<EventHandle> ready;
  };
  struct ImageCopy {
    cl_mem buffer = nullptr, image = nullptr;
    std::size_t from = 0; ///< byte of the buffer
    std::size_t row = 0, width = 0, height = 0;
  };

  cl_program program(PlanProgram which);
  ProgramHandle build(const std::string &text, const PlanFile &file);
  cl_kernel kernel(const PlanLaunch &launch);
  bool canLaunch(const ResolvedLaunch &launch);
  std::vector<Source> locate(const PlanKernel &kernel,
                             std::vector<GivenArgument> &arguments) const;
  bool mayConvertBack(const PlanKernel &kernel, const PlanVariant &variant,
                      const std::vector<GivenArgument> &arguments,
                      const VariantChoice &choice) const;
  std::vector<ResolvedVariant>
  candidates(const PlanKernel &kernel,
             const std::vector<GivenArgument> &arguments,
             const RequestedRange &range, const VariantChoice &choice,
             std::size_t most);
  void convert(Prepared &prepared, const ResolvedLaunch &launch,
               std::vector<cl_event> waitList);
  EventHandle enqueueLaunch(Prepared &prepared, const ResolvedLaunch &launch,
                            const std::vector<cl_event> &waitList);
  void setArguments(cl_kernel target, const Prepared &prepared,
                    const ResolvedLaunch &launch) const;
  void noteWrites(const Prepared &prepared);
  std::optional<std::uint64_t> versionOf(const Prepared &prepared,
                                         cl_mem root) const;
  cl_mem rootOf(cl_mem buffer, std::uint64_t *origin) const;

  // PlanMemory.cpp
  void makeBuffers(Prepared &prepared);
  bool hasFormat(const PlanImage &plan);
  std::shared_ptr<BufferHandle> shareImage(cl_mem buffer, const PlanImage &plan,
                                           const ResolvedImage &image) const;
  void makeImage(Prepared &prepared, std::size_t index);
  void fillImage(Prepared &prepared, const ResolvedImage &image,
                 std::size_t texel, ImageCopy copy);
  void copyRows(Prepared &prepared, const ImageCopy &copy);
  std::shared_ptr<BufferHandle> allocate(std::size_t bytes,
                                         const std::string &name);
  bool describe(const Prepared &prepared, const ResolvedLaunch &launch,
                std::string &key, std::vector<cl_mem> &roots) const;
  bool describeSource(const Prepared &prepared, std::size_t position,
                      std::string &key, std::vector<cl_mem> &roots) const;
  std::optional<CacheKey> keyOf(const Prepared &prepared,
                                const std::string &buffer) const;
  std::optional<CacheKey> imageKey(const Prepared &prepared,
                                   std::size_t index) const;
  const CachedMemory *findCached(const CacheKey &key);
  void keep(CachedMemory entry);

  std::mutex mutex;
  CompiledPlan compiled;
  PlanTexts texts;
  std::string flags;
  ContextHandle context;
  cl_device_id device;
  PlanNames fixedNames; ///< device facts and macros
  std::optional<std::vector<cl_image_format>> formats; ///< when asked for
  ProgramHandle optimized, original;
  std::map<std::pair<PlanProgram, std::string>, KernelHandle> kernels;
  std::map<cl_mem, std::uint64_t> versions; ///< tracked buffers
  std::list<CachedMemory> cache;            ///< the last used one first
};

} // namespace clopt::runtime

#endif // CLOPT_RUNTIME_PLANEXECUTOR_H
