//===- Runtime.hpp - carries out launch plans, for C++ ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owners for the objects of Runtime.h; what fails throws. Copies share one
// object, as in OpenCL's own C++ bindings.
//
//   clopt::PlanRuntime runtime = clopt::PlanRuntime::fromFiles(
//       context, device, "mm.plan.json", "mm_opt.cl", "mm.cl");
//   clopt::PlannedLaunch mm(runtime, "mm");
//   mm.set(0, a).set(1, b).set(2, c).set(3, n);
//   mm.enqueue(queue, {size, size});
//
//===----------------------------------------------------------------------===//

#ifndef CLOPT_RUNTIME_HPP
#define CLOPT_RUNTIME_HPP

#include "clopt/Runtime.h"

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace clopt {

class RuntimeError : public std::runtime_error {
public:
  RuntimeError(clopt_status failure, const char *message, cl_int openclCode)
      : std::runtime_error(message), status(failure), code(openclCode) {}
  clopt_status status;
  cl_int code; ///< of OpenCL, or CL_SUCCESS
};

namespace detail {

inline void check(clopt_status status) {
  if (status != CLOPT_SUCCESS)
    throw RuntimeError(status, clopt_last_error(), clopt_last_opencl_error());
}

/// Owns one reference.
template <typename T, clopt_status (*Retain)(T *), clopt_status (*Release)(T *)>
class Reference {
public:
  Reference() = default;
  explicit Reference(T *owned) : object(owned) {}
  Reference(const Reference &other) : object(other.object) {
    if (object)
      Retain(object);
  }
  Reference(Reference &&other) noexcept
      : object(std::exchange(other.object, nullptr)) {}
  Reference &operator=(Reference other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  ~Reference() {
    if (object)
      Release(object);
  }
  T *get() const { return object; }

private:
  T *object = nullptr;
};

} // namespace detail

/// Sizes of a range in 1 to 3 dimensions.
using RangeSizes = std::vector<size_t>;

class PlanRuntime {
public:
  /// Texts as in clopt_runtime_create; `original` may be empty.
  PlanRuntime(cl_context context, cl_device_id device, const std::string &plan,
              const std::string &optimized, const std::string &original = "",
              const std::string &options = "") {
    clopt_runtime *made = nullptr;
    detail::check(clopt_runtime_create(
        context, device, {plan.data(), plan.size()},
        {optimized.data(), optimized.size()},
        {original.data(), original.size()}, options.c_str(), &made));
    runtime = Owner(made);
  }

  static PlanRuntime fromFiles(cl_context context, cl_device_id device,
                               const std::string &plan,
                               const std::string &optimized,
                               const std::string &original = "",
                               const std::string &options = "") {
    clopt_runtime *made = nullptr;
    detail::check(clopt_runtime_create_from_files(
        context, device, plan.c_str(), optimized.c_str(),
        original.empty() ? nullptr : original.c_str(), options.c_str(), &made));
    return PlanRuntime(made);
  }

  void track(cl_mem buffer) const {
    detail::check(clopt_buffer_track(get(), buffer));
  }
  void changed(cl_mem buffer) const {
    detail::check(clopt_buffer_changed(get(), buffer));
  }
  void untrack(cl_mem buffer) const {
    detail::check(clopt_buffer_untrack(get(), buffer));
  }
  clopt_runtime *get() const { return runtime.get(); }

private:
  using Owner = detail::Reference<clopt_runtime, clopt_runtime_retain,
                                  clopt_runtime_release>;
  explicit PlanRuntime(clopt_runtime *made) : runtime(made) {}
  Owner runtime;
};

class PlannedLaunch {
public:
  PlannedLaunch(const PlanRuntime &runtime, const std::string &name) {
    clopt_kernel *made = nullptr;
    detail::check(clopt_kernel_create(runtime.get(), name.c_str(), &made));
    kernel = Owner(made);
  }

  /// A scalar, a vector, or a memory object.
  template <typename T> PlannedLaunch &set(cl_uint index, const T &value) {
    static_assert(std::is_trivially_copyable<T>::value,
                  "arguments of kernels are plain values");
    return set(index, sizeof value, &value);
  }
  PlannedLaunch &set(cl_uint index, size_t size, const void *value) {
    detail::check(clopt_kernel_set_arg(kernel.get(), index, size, value));
    return *this;
  }
  PlannedLaunch &setLocal(cl_uint index, size_t bytes) {
    return set(index, bytes, nullptr);
  }

  /// Gives an event that the caller releases, if asked for.
  void enqueue(cl_command_queue queue, const RangeSizes &global,
               const RangeSizes &local = {}, const RangeSizes &offset = {},
               const std::vector<cl_event> &waitList = {},
               cl_event *event = nullptr) const {
    if ((!local.empty() && local.size() != global.size()) ||
        (!offset.empty() && offset.size() != global.size()))
      throw RuntimeError(CLOPT_INVALID_ARGUMENT,
                         "the sizes have different dimensions", CL_SUCCESS);
    detail::check(clopt_enqueue_kernel(
        queue, kernel.get(), static_cast<cl_uint>(global.size()),
        offset.empty() ? nullptr : offset.data(), global.data(),
        local.empty() ? nullptr : local.data(),
        static_cast<cl_uint>(waitList.size()),
        waitList.empty() ? nullptr : waitList.data(), event));
  }

  /// Name of the variant that the last enqueue used.
  std::string variant() const { return clopt_kernel_variant(kernel.get()); }
  clopt_kernel *get() const { return kernel.get(); }

private:
  using Owner = detail::Reference<clopt_kernel, clopt_kernel_retain,
                                  clopt_kernel_release>;
  Owner kernel;
};

} // namespace clopt

#endif // CLOPT_RUNTIME_HPP
