// Predictions against measurements: op times of other models, other numbers of workers.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "app/calibrate/calibrate.hpp"
#include "app/model/order_file.hpp"
#include "app/simulate/jitter_text.hpp"
#include "base/ids.hpp"
#include "harness/instance.hpp"
#include "harness/posix_port.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/simulate.hpp"

namespace detent::app {
namespace {

/// One model on some workers, run after run on threads that stay.
class NativeRuns {
 public:
  NativeRuns(const LoadedModel& loaded, std::uint32_t workers, std::uint64_t input_seed)
      : workers_(workers), instance_(loaded.desc(), port_.port(), options(loaded, workers)) {
    if (instance_.status() != DETENT_OK) {
      throw std::invalid_argument(harness::describe_error(loaded.desc(), instance_.error()));
    }
    instance_.fill(input_seed);
  }

  /// One run that counts after one that does not.
  void sample() {
    static_cast<void>(instance_.run_untraced());
    const detent_result result = instance_.run_untraced();
    samples_ps_.push_back(result.end_ps - result.begin_ps);
  }

  [[nodiscard]] std::uint32_t workers() const { return workers_; }
  [[nodiscard]] harness::TimeStatistics times() const { return harness::summarize(samples_ps_, 2); }

 private:
  static harness::InstanceOptions options(const LoadedModel& loaded, std::uint32_t workers) {
    harness::InstanceOptions options;
    options.worker_count = workers;
    options.backends = loaded.backends;
    return options;
  }

  std::uint32_t workers_;
  harness::PosixPort port_;
  harness::Instance instance_;
  std::vector<std::uint64_t> samples_ps_;
};

/// A model to be predicted, with everything that is measured of it.
struct Subject {
  TimedModel timed;
  std::vector<std::unique_ptr<NativeRuns>> natives;
};

std::uint64_t simulated_ps(const LoadedModel& loaded, const sim::Platform& platform, const sim::CostTable& costs,
                           std::uint32_t workers) {
  sim::SimOptions options;
  options.engine.workers = workers;
  options.timing_only = true;
  options.with_traces = false;
  options.jitter.kind = sim::Jitter::Kind::kWorst;
  options.backends = loaded.backends;
  options.costs = &costs;
  const sim::SimResult result = sim::simulate(loaded.desc(), platform, options);
  if (result.failure) throw std::invalid_argument(loaded.model.name + ": " + *result.failure);
  return result.max_ps;
}

sim::CostTable own_table(const TimedModel& timed) {
  const std::vector<std::uint64_t> times_ps = timed.times_ps();
  const detent_desc& desc = timed.loaded().desc();
  sim::CostTable table = timed.table(false, "own");
  for (OpId op = 0; op < desc.op_count; ++op) {
    const sim::MeasuredOp* entry = sim::find_measured(table, desc, op);
    if (entry == nullptr) continue;
    sim::MeasuredOp& own = table.ops[static_cast<std::size_t>(entry - table.ops.data())];
    own.warm = {times_ps[op], times_ps[op], times_ps[op], times_ps[op], {}};
    own.cold = own.warm;
  }
  return table;
}

OpErrors op_errors(const sim::KernelModel& kernels, const TimedModel& timed) {
  const detent_desc& desc = timed.loaded().desc();
  const std::vector<std::uint64_t> measured_ps = timed.times_ps();
  OpErrors errors;
  errors.model = timed.name();
  std::vector<double> sizes;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if ((desc.ops[op].flags & DETENT_OP_DELAY) != 0) continue;
    const sim::OpFeatures features = sim::op_features(desc, op);
    const double predicted = kernels.predict_ps(features);
    errors.ops.push_back({op_name(desc, op), features.kernel, kernels.basis(features),
                          static_cast<std::uint64_t>(predicted), measured_ps[op]});
    sizes.push_back(std::abs(predicted / static_cast<double>(measured_ps[op]) - 1));
  }
  if (sizes.empty()) return errors;
  std::sort(sizes.begin(), sizes.end());
  errors.median = sizes[(sizes.size() - 1) / 2];
  errors.p90 = sizes[(sizes.size() - 1) * 9 / 10];
  return errors;
}

/// Everything that is measured, in turns.
class Measurement {
 public:
  explicit Measurement(const ValidationOptions& options) : options_(options) {
    for (const std::string& name : options.fit) fit_.push_back(make(name));
    for (const std::string& name : options.models) {
      auto subject = std::unique_ptr<Subject>(new Subject{.timed = {name, {}, options.input_seed}, .natives = {}});
      for (const std::uint32_t workers : options.workers) {
        subject->natives.push_back(std::make_unique<NativeRuns>(subject->timed.loaded(), workers, options.input_seed));
      }
      subjects_.push_back(std::move(subject));
    }
    partner_ = make(options.fit.front());
  }

  void take() {
    for (std::uint32_t run = 0; run < options_.runs; ++run) {
      if (options_.progress) options_.progress(run, options_.runs);
      for (const auto& model : fit_) model->sample(harness::CacheState::kWarm);
      corun_.push_back(fit_.front()->corun_with(*partner_));
      for (const auto& subject : subjects_) {
        subject->timed.sample(harness::CacheState::kWarm);
        for (const auto& native : subject->natives) native->sample();
      }
    }
    std::sort(corun_.begin(), corun_.end());
  }

  [[nodiscard]] double corun_rate() const { return corun_[(corun_.size() - 1) / 2]; }
  [[nodiscard]] const std::vector<std::unique_ptr<Subject>>& subjects() const { return subjects_; }
  [[nodiscard]] std::vector<const TimedModel*> fit() const {
    std::vector<const TimedModel*> models;
    for (const auto& model : fit_) models.push_back(model.get());
    return models;
  }

 private:
  [[nodiscard]] std::unique_ptr<TimedModel> make(const std::string& name) const {
    return std::make_unique<TimedModel>(name, ModelOptions{}, options_.input_seed);
  }

  const ValidationOptions& options_;
  std::vector<std::unique_ptr<TimedModel>> fit_;
  std::unique_ptr<TimedModel> partner_;
  std::vector<std::unique_ptr<Subject>> subjects_;
  std::vector<double> corun_;
};

void require_comparable(const ValidationOptions& options) {
  if (options.models.empty() || options.fit.empty() || options.workers.empty() || options.runs == 0) {
    throw std::invalid_argument("--validate: nothing to compare; give models, --fit models, --workers and --runs");
  }
  for (const std::string& model : options.models) {
    if (std::find(options.fit.begin(), options.fit.end(), model) == options.fit.end()) continue;
    throw std::invalid_argument("--validate " + model + ": is also fitted on; a prediction needs an unseen model");
  }
  for (const std::uint32_t workers : options.workers) {
    if (workers == 0) throw std::invalid_argument("--workers 0: runs serially; give 1 or more");
  }
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

}  // namespace

double ValidationRow::error() const {
  return static_cast<double>(predicted_ps) / static_cast<double>(std::max<std::uint64_t>(measured_ps, 1)) - 1;
}

Validation validate_predictions(const ValidationOptions& options) {
  require_comparable(options);
  Measurement measurement(options);
  harness::HostCosts host;
  if (options.platform.empty()) host = harness::measure_host({});
  measurement.take();
  Validation result;
  result.platform = options.platform.empty() ? host_platform(host, measurement.fit(), measurement.corun_rate())
                                             : sim::find_platform(options.platform);
  const sim::KernelModel kernels = fit_kernels(measurement.fit());
  for (const auto& subject : measurement.subjects()) {
    const LoadedModel& loaded = subject->timed.loaded();
    const sim::CostTable predicted = predict_table(kernels, loaded);
    const sim::CostTable own = own_table(subject->timed);
    result.ops.push_back(op_errors(kernels, subject->timed));
    for (const auto& native : subject->natives) {
      ValidationRow row{subject->timed.name(),     native->workers(),     joined(options.fit), 0,
                        native->times().median_ps, native->times().min_ps};
      row.predicted_ps = simulated_ps(loaded, result.platform, predicted, row.workers);
      result.rows.push_back(row);
      row.fitted_on = subject->timed.name() + ", 1 worker";
      row.predicted_ps = simulated_ps(loaded, result.platform, own, row.workers);
      result.rows.push_back(row);
    }
  }
  return result;
}

}  // namespace detent::app
