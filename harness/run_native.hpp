// Native execution: Desc + options -> Run on this machine's threads (posix port; single port for 0 workers).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/engine_spec.hpp"
#include "harness/faults/faults.hpp"
#include "harness/instance.hpp"
#include "harness/run.hpp"
#include "harness/tensor_file.hpp"

namespace detent::harness {

/// How to run natively; a named policy instead of a seam, so that it can be printed and replayed.
struct NativeOptions {
  EngineSpec engine{.workers = 3};  ///< workers 0: serial on the caller, whatever the mode
  Seeds seeds{};
  std::vector<std::uint8_t> input_bytes{};   ///< replaces the seeded input when not empty: all INPUT regions in order
  std::vector<TensorBytes> input_tensors{};  ///< replace the seeded input of these tensors
  std::vector<detent_backend> backends{};    ///< asked first
  std::function<void(InstanceOptions&)> extend{};  ///< has the last word on back ends and workers, as Device::serve has
                                                   ///< (harness/device/device.hpp); empty: none. In a run
                                                   ///< with faults ops meet them on the threads that call
  bool trace = true;
  bool keep_output = false;  ///< fill Run.output
  bool keep_log = false;     ///< fill Run.log; with trace
  /// Of several runs on one context: before all but the first the input is written again and nothing else, as an
  /// application does. Workers that wait actively are awake then, and the caches hold weights; what an op reads that no
  /// op has written is what the run before has left.
  bool keep_memory = false;
  bool op_states = false;  ///< fill Run.op_records of a run that fails
  Faults faults{};         ///< what goes wrong; with late ops time is logical (harness/faults/port.hpp)
};

class NamedPolicy;

/// What a context is made of. @param policy  outlives it
InstanceOptions instance_options(const NativeOptions& options, const NamedPolicy& policy);
/// Fill the memory of a context anew: seeded data, and the input that was given.
/// @throws std::invalid_argument  input of the wrong size
void fill_instance(Instance& instance, const NativeOptions& options);

/// Run once. A Desc that does not bind gives a Run whose result.error says why.
///
/// With faults or a deadline Run.faults says what happened, there is no trace, and the context is reset and runs again
/// without them. That returns when every late back end has answered.
/// @throws std::invalid_argument  faults that the Desc cannot have, input of the wrong size
Run run_native(const detent_desc& desc, const NativeOptions& options);

/// Run `runs` times on one context, whose memory is filled anew before each run, outside its time: each finds what the
/// first one found. With options.keep_memory only the input is.
/// @param on_run  each run and its number, from 0; false: no more
/// @return  OK, or why the Desc does not bind or a run failed, which ends the others
/// @throws std::invalid_argument  options with faults, input of the wrong size
detent_error run_native_repeatedly(const detent_desc& desc, const NativeOptions& options, std::uint64_t runs,
                                   const std::function<bool(std::uint64_t number, const Run& run)>& on_run);

/// Holds the state that a named policy needs. Throws std::invalid_argument on an unknown name.
class NamedPolicy {
 public:
  NamedPolicy(const std::string& name, std::uint64_t seed, std::vector<std::uint32_t> order);
  NamedPolicy(const NamedPolicy&) = delete;
  NamedPolicy& operator=(const NamedPolicy&) = delete;
  [[nodiscard]] const detent_policy& policy() const { return policy_; }

 private:
  detent_random_state random_{};
  std::vector<std::uint32_t> order_;
  detent_given_order given_{};
  detent_policy policy_{};
};

}  // namespace detent::harness
