// KernelModel: measured op times of some models -> predicted op times of others, on the same machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::sim {

/// One op as its time depends on it.
struct OpFeatures {
  std::string kernel;  ///< kernel name
  std::string group;   ///< kernel and kind of work ("conv2d_f32 depthwise"): one set of coefficients
  /// Amounts of work, >= 0 each; the time of a group is about a non-negative combination of them. As many as every
  /// other op of the group has.
  std::vector<double> work;
  /// Where similar ops are looked for: logarithms to base 2 of sizes. As many as every other op of the group has.
  std::vector<double> place;
};

/// Features of an op: from its exec config for the built-in kernels that have shapes, else from flops and bytes.
OpFeatures op_features(const detent_desc& desc, OpId op);

/// Two stages for each group: a non-negative linear combination of the amounts of work, fitted to relative errors
/// (coordinate descent on the least-squares problem); then the ratio of measured to fitted time, interpolated in
/// logarithms between the nearest samples (inverse squared distance, Shepard 1968).
/// Groups without a sample fall back to samples of the same kernel by bytes and flops, then to all samples.
class KernelModel {
 public:
  /// Add a sample. @param time_ps  samples of 0 are ignored   @throws std::invalid_argument  after fit()
  void add(const OpFeatures& features, double time_ps);
  /// Compute the coefficients. @throws std::invalid_argument  no samples
  void fit();
  /// Predicted time, ps, > 0. After fit().
  [[nodiscard]] double predict_ps(const OpFeatures& features) const;
  /// "exact" (a sample at this place), "near" (interpolated), "kernel" or "all" (fallbacks): how good to expect it.
  [[nodiscard]] const char* basis(const OpFeatures& features) const;

  /// Coefficients of a group in ps per unit of work; empty when it has no sample.
  [[nodiscard]] std::vector<double> coefficients(const std::string& group) const;
  [[nodiscard]] std::size_t sample_count() const { return sample_count_; }

 private:
  struct Sample {
    std::vector<double> work;
    std::vector<double> place;
    double time_ps = 0;
    double log_ratio = 0;
  };
  struct Group {
    std::vector<Sample> samples;
    std::vector<double> coefficients;
  };

  static void fit_group(Group& group);
  static double base_ps(const Group& group, const std::vector<double>& work);
  static double predict_in(const Group& group, const OpFeatures& features);
  [[nodiscard]] const Group* find(const OpFeatures& features) const;

  std::map<std::string, Group> groups_;
  std::map<std::string, Group> kernels_;  ///< flops and bytes alone
  Group all_;
  std::size_t sample_count_ = 0;
  bool fitted_ = false;
};

}  // namespace detent::sim
