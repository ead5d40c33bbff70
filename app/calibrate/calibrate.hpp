// Calibration: measured op times of models on this machine, and what the machine itself costs, as files for simulate.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/model/loaded_model.hpp"
#include "harness/measure/host_costs.hpp"
#include "harness/measure/op_timing.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/cost/kernel_model.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {

/// A model and samples of its op times. Measured run by run, so that several models can take turns and share the
/// machine's moods.
class TimedModel {
 public:
  /// @throws InputError, std::invalid_argument  no such model, one that cannot be executed here
  TimedModel(const std::string& name, const ModelOptions& options, std::uint64_t input_seed);

  /// One run that counts, in that state of the caches; warm: after one that does not count.
  void sample(harness::CacheState state);
  /// The same while `other` does it, too, on another thread. @return  speed of the slower of the two relative to
  /// `this` alone a moment before, at most 1
  double corun_with(TimedModel& other);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const LoadedModel& loaded() const { return loaded_; }
  [[nodiscard]] std::size_t warm_samples() const { return makespans_ps_.size(); }
  /// Warm time of each op, ps, by op id: harness::trimmed_mean.
  [[nodiscard]] std::vector<std::uint64_t> times_ps() const;
  /// Ops with a name of their own that workers execute. Without cold samples cold is warm.
  [[nodiscard]] sim::CostTable table(bool use_cold, const std::string& source) const;
  /// Whole runs, clock reads included.
  [[nodiscard]] harness::TimeStatistics makespans() const { return harness::summarize(makespans_ps_, 2); }
  [[nodiscard]] std::uint64_t clock_cost_ps() const { return timer_.clock_cost_ps(); }

 private:
  std::string name_;
  LoadedModel loaded_;
  harness::OpTimer timer_;
  std::vector<std::vector<std::uint64_t>> warm_ps_, cold_ps_;  ///< [op][sample]
  std::vector<std::uint64_t> makespans_ps_;
};

/// "AMD EPYC, 2 CPUs, gcc 12.2.0": what a table was measured on, without a date.
std::string describe_host();

/// Op times of the models as samples of one kernel model, fitted.
sim::KernelModel fit_kernels(const std::vector<const TimedModel*>& models);

/// Predicted times of a model's ops as a table in which every statistic is the prediction.
sim::CostTable predict_table(const sim::KernelModel& model, const LoadedModel& loaded);

/// This machine as a platform. @param models  what kernel efficiencies are taken from; may be empty
sim::Platform host_platform(const harness::HostCosts& costs, const std::vector<const TimedModel*>& models,
                            double kernel_corun_rate);
/// detent.platform/1 text.
std::string format_platform(const sim::Platform& platform);

/// What --validate compares.
struct ValidationOptions {
  std::vector<std::string> models;  ///< predicted
  std::vector<std::string> fit;     ///< measured for the kernel model
  std::vector<std::uint32_t> workers;
  std::uint32_t runs = 15;
  std::string platform;  ///< a platform file instead of measuring the host
  std::uint64_t input_seed = 0;
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

/// One configuration that was not fitted.
struct ValidationRow {
  std::string model;
  std::uint32_t workers = 0;
  std::string fitted_on;  ///< the fit models, or the model itself with one worker
  std::uint64_t predicted_ps = 0;
  std::uint64_t measured_ps = 0;  ///< median
  std::uint64_t measured_min_ps = 0;

  /// predicted / measured - 1
  [[nodiscard]] double error() const;
};

/// How well single ops of a model are predicted.
struct OpErrors {
  struct Op {
    std::string name, kernel, basis;
    std::uint64_t predicted_ps = 0, measured_ps = 0;
  };
  std::string model;
  std::vector<Op> ops;
  double median = 0, p90 = 0;  ///< of |predicted / measured - 1|
};

struct Validation {
  std::vector<ValidationRow> rows;
  std::vector<OpErrors> ops;
  sim::Platform platform;
};

/// Measure and predict; all configurations take turns, so that noise hits fit and check alike.
/// @throws std::invalid_argument  nothing to compare, a model twice on both sides
Validation validate_predictions(const ValidationOptions& options);

}  // namespace detent::app
