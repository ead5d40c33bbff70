// KernelModel: non-negative least squares on relative errors, then inverse-distance interpolation of what is left.
#include "sim/cost/kernel_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace detent::sim {
namespace {

constexpr int kDescentRounds = 2000;
constexpr std::size_t kNeighbours = 6;
constexpr double kSamePlace = 1e-9;
constexpr double kSoftening = 0.02;  // squared distance at which a sample counts half as much as one right here

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// Flops and bytes as the only work, for ops of kernels or kinds that were never measured.
OpFeatures coarse(const OpFeatures& features) {
  OpFeatures result = features;
  result.work = {1.0, features.work.at(1), features.work.at(2)};
  result.place = {std::log2(features.work[1] + 1), std::log2(features.work[2] + 1)};
  return result;
}

}  // namespace

void KernelModel::add(const OpFeatures& features, double time_ps) {
  if (fitted_) throw std::invalid_argument("kernel model: already fitted; add samples before fit");
  if (!(time_ps > 0)) return;
  ++sample_count_;
  const OpFeatures rough = coarse(features);
  groups_[features.group].samples.push_back({features.work, features.place, time_ps});
  kernels_[features.kernel].samples.push_back({rough.work, rough.place, time_ps});
  all_.samples.push_back({rough.work, rough.place, time_ps});
}

void KernelModel::fit_group(Group& group) {
  const std::size_t terms = group.samples.front().work.size();
  // Rows a_j / t: the model's value relative to the measured time, to be 1. Normal equations, then descent along one
  // coefficient after the other, none below 0.
  std::vector<std::vector<double>> gram(terms, std::vector<double>(terms, 0.0));
  std::vector<double> right(terms, 0.0);
  for (const Sample& sample : group.samples) {
    for (std::size_t i = 0; i < terms; ++i) {
      const double a = sample.work[i] / sample.time_ps;
      right[i] += a;
      for (std::size_t j = 0; j < terms; ++j) gram[i][j] += a * sample.work[j] / sample.time_ps;
    }
  }
  group.coefficients.assign(terms, 0.0);
  for (int round = 0; round < kDescentRounds; ++round) {
    for (std::size_t i = 0; i < terms; ++i) {
      if (!(gram[i][i] > 0)) continue;
      double gradient = right[i];
      for (std::size_t j = 0; j < terms; ++j) gradient -= gram[i][j] * group.coefficients[j];
      group.coefficients[i] = std::max(0.0, group.coefficients[i] + gradient / gram[i][i]);
    }
  }
  for (Sample& sample : group.samples) sample.log_ratio = std::log(sample.time_ps / base_ps(group, sample.work));
}

double KernelModel::base_ps(const Group& group, const std::vector<double>& work) {
  double sum = 0;
  for (std::size_t i = 0; i < work.size() && i < group.coefficients.size(); ++i) sum += group.coefficients[i] * work[i];
  return std::max(sum, 1.0);
}

void KernelModel::fit() {
  if (sample_count_ == 0) throw std::invalid_argument("kernel model: no measured op; measure a model with ops");
  for (auto& [name, group] : groups_) fit_group(group);
  for (auto& [name, group] : kernels_) fit_group(group);
  fit_group(all_);
  fitted_ = true;
}

double KernelModel::predict_in(const Group& group, const OpFeatures& features) {
  std::vector<std::pair<double, const Sample*>> near;
  near.reserve(group.samples.size());
  for (const Sample& sample : group.samples) near.emplace_back(squared_distance(sample.place, features.place), &sample);
  const std::size_t count = std::min(kNeighbours, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end(),
                    [](const auto& a, const auto& b) { return a.first < b.first; });
  double weights = 0;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double weight = 1.0 / (near[i].first + kSoftening);
    weights += weight * weight;
    sum += weight * weight * near[i].second->log_ratio;
  }
  return base_ps(group, features.work) * std::exp(sum / weights);
}

const KernelModel::Group* KernelModel::find(const OpFeatures& features) const {
  const auto group = groups_.find(features.group);
  return group == groups_.end() ? nullptr : &group->second;
}

double KernelModel::predict_ps(const OpFeatures& features) const {
  if (const Group* group = find(features); group != nullptr) return predict_in(*group, features);
  const auto kernel = kernels_.find(features.kernel);
  return predict_in(kernel != kernels_.end() ? kernel->second : all_, coarse(features));
}

const char* KernelModel::basis(const OpFeatures& features) const {
  const Group* group = find(features);
  if (group == nullptr) return kernels_.contains(features.kernel) ? "kernel" : "all";
  for (const Sample& sample : group->samples) {
    if (squared_distance(sample.place, features.place) < kSamePlace) return "exact";
  }
  return "near";
}

std::vector<double> KernelModel::coefficients(const std::string& group) const {
  const auto at = groups_.find(group);
  return at == groups_.end() ? std::vector<double>{} : at->second.coefficients;
}

}  // namespace detent::sim
