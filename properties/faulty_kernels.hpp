// FaultyKernels: the built-in kernels, one op of which fails; remembers which ops were executed.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/detent.h"

namespace detent::laws {

/// One at a time, on one OS thread: kernels have no pointer of their own, so they find this object by itself.
class FaultyKernels {
 public:
  /// @param faulty_op  DETENT_NONE: none fails   @param code  that its kernel returns
  FaultyKernels(std::uint32_t faulty_op, std::int32_t code);
  ~FaultyKernels();
  FaultyKernels(const FaultyKernels&) = delete;
  FaultyKernels& operator=(const FaultyKernels&) = delete;

  /// Points to this object.
  [[nodiscard]] detent_backend backend();
  /// In the order in which their kernels began, the failing one included.
  [[nodiscard]] const std::vector<std::uint32_t>& executed() const { return executed_; }
  void forget() { executed_.clear(); }
  /// From now on no op fails.
  void repair() { faulty_op_ = DETENT_NONE; }
  /// Called when the kernel of the faulty op begins, which then succeeds: something else happens than an error.
  void do_instead(void (*act)(void* self), void* self) { act_ = act, act_self_ = self; }

 private:
  static std::int32_t run(const detent_kernel_args* args);

  std::uint32_t faulty_op_;
  std::int32_t code_;
  std::vector<std::uint32_t> executed_;
  detent_kernel_fn mix_ = nullptr;
  detent_kernel_fn delay_ = nullptr;
  void (*act_)(void* self) = nullptr;
  void* act_self_ = nullptr;
};

/// The ops executed are closed under predecessors, hold the faulty one once and none of its successors, each once.
void assert_stopped_after_fault(const detent_desc& desc, const std::vector<std::uint32_t>& executed,
                                std::uint32_t faulty_op);

/// Each op at most once, none before its predecessors.
void assert_prefix_of_an_order(const detent_desc& desc, const std::vector<std::uint32_t>& executed);

}  // namespace detent::laws
