#include "bench/networks/onnx/scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "bench/networks/onnx/op_reader.hpp"
#include "models/core/dag.hpp"

namespace detent::bench {
namespace {

using models::Op;

constexpr double kContradiction = 1e-5;  // a multiplier of 22 bits is a quotient of scales within 2.4e-7

double quotient(std::int32_t multiplier, std::int32_t shift) { return std::ldexp(multiplier, -shift); }

// The x at which 1 / (1 + e^-x) is this, which lies above 0 and below 1 for x to be finite.
double logit(double share) {
  if (share <= 0) return -std::numeric_limits<double>::infinity();
  if (share >= 1) return std::numeric_limits<double>::infinity();
  return std::log(share / (1 - share));
}

// The scale s for which table[t + 128] is t / (1 + e^(-t s)), rounded, for every t: the middle of all such scales. Each
// element says between which bounds s lies, as t / (1 + e^(-t s)) grows with s. 0: there is none.
double scale_of_silu(const std::vector<std::int8_t>& table) {
  double low = 0, high = std::numeric_limits<double>::infinity();
  for (int t = -128; t <= 127; ++t) {
    const double element = table[static_cast<std::size_t>(t + 128)];
    if (t == 0) {
      if (element != 0) return 0;
      continue;
    }
    const double first = logit((element - 0.5) / t) / t, second = logit((element + 0.5) / t) / t;
    low = std::max(low, std::min(first, second));
    high = std::min(high, std::max(first, second));
  }
  return low > 0 && low < high && std::isfinite(high) ? (low + high) / 2 : 0;
}

// Tensors whose scales have known quotients, and scales that are known.
class Solver {
 public:
  explicit Solver(const models::Model& model) : model_(model) {}

  /// The scale of `to` is that of `from` by `factor`.
  void relate(std::uint32_t from, std::uint32_t to, double factor) { relations_.push_back({from, to, factor}); }
  void fix(std::uint32_t tensor, double scale) { known_.push_back({tensor, scale}); }

  std::map<std::uint32_t, double> solve() const {
    std::map<std::uint32_t, double> scales;
    for (const auto& [tensor, scale] : known_) set(scales, tensor, scale);
    spread(scales);
    for (const Relation& relation : relations_) {
      if (!scales.insert({relation.from, 1.0}).second) continue;
      spread(scales);
    }
    return scales;
  }

 private:
  struct Relation {
    std::uint32_t from, to;
    double factor;
  };

  void set(std::map<std::uint32_t, double>& scales, std::uint32_t tensor, double scale) const {
    const double known = scales.insert({tensor, scale}).first->second;
    if (std::abs(known - scale) <= kContradiction * scale) return;
    fail_export(model_, "tensor " + model_.tensors[tensor].name,
                "a scale of " + std::to_string(known) + " and " + std::to_string(scale) + " at once");
  }

  // Along relations, until nothing new is known; then all of them are looked at once more.
  void spread(std::map<std::uint32_t, double>& scales) const {
    for (std::size_t before = scales.size() + 1; before != scales.size();) {
      before = scales.size();
      for (const Relation& relation : relations_) {
        const auto from = scales.find(relation.from), to = scales.find(relation.to);
        if (from != scales.end()) {
          set(scales, relation.to, from->second * relation.factor);
        } else if (to != scales.end()) {
          set(scales, relation.from, to->second / relation.factor);
        }
      }
    }
  }

  const models::Model& model_;
  std::vector<Relation> relations_{};
  std::vector<std::pair<std::uint32_t, double>> known_{};
};

bool is_i8(const models::Model& model, std::uint32_t tensor) { return model.tensors[tensor].dtype == DETENT_I8; }

// The least element that an op writes.
std::int32_t least_of(const models::Model& model, const Op& op) {
  if (op.kernel == "add_i8") return config_of<detent_add_i8_config>(model, op).low;
  detent_requantisation result{};
  if (op.kernel == "conv2d_i8") result = config_of<detent_conv2d_i8_config>(model, op).result;
  if (op.kernel == "gemm_i8") result = config_of<detent_gemm_i8_config>(model, op).result;
  return result.shift == 0 || result.has_table != 0 ? -128 : result.low;
}

}  // namespace

Scales::Scales(const models::Model& model) : model_(model) {
  const auto root = [&](std::uint32_t tensor) { return models::bytes_of(model, tensor).root; };
  Solver solver(model);
  std::map<std::uint32_t, std::int32_t> least;
  for (const Op& op : model.ops) {
    if (op.inputs.empty() || op.outputs.empty()) continue;
    const std::uint32_t x = root(op.inputs[0]), y = root(op.outputs[0]);
    if (op.kernel == "dequantize_i8_f32") solver.fix(x, double{config_of<detent_quantize_config>(model, op).factor});
    if (!is_i8(model, y)) continue;
    std::int32_t low = least_of(model, op);
    if (op.kernel == "quantize_f32_i8") {
      solver.fix(y, 1 / double{config_of<detent_quantize_config>(model, op).factor});
    } else if (op.kernel == "conv2d_i8" || op.kernel == "gemm_i8") {
      solver.relate(y, y, 1);
      if (op.weights.size() > 3) {
        const double scale = scale_of_silu(elements_of<std::int8_t>(model, op.weights[3]));
        if (scale == 0) fail_export(model, "op " + op.name, "a table that is not SiLU's");
        solver.fix(y, scale);
      }
    } else if (op.kernel == "add_i8") {
      const auto c = config_of<detent_add_i8_config>(model, op);
      if (c.a_multiplier <= 0 || c.b_multiplier <= 0) fail_export(model, "op " + op.name, "a multiplier of 0 or below");
      solver.relate(x, y, 1 / quotient(c.a_multiplier, c.shift));
      solver.relate(root(op.inputs[1]), y, 1 / quotient(c.b_multiplier, c.shift));
    } else if (op.kernel == "global_avg_pool_i8") {
      const auto c = config_of<detent_global_avg_pool_i8_config>(model, op);
      if (c.multiplier <= 0) fail_export(model, "op " + op.name, "a multiplier of 0 or below");
      solver.relate(x, y, 1 / (quotient(c.multiplier, c.shift) * c.pool.h * c.pool.w));
      low = least[x];
    } else if (op.kernel == "max_pool_i8" || op.kernel == "upsample_nearest_i8") {
      solver.relate(x, y, 1);
      low = least[x];
    } else {
      fail_export(model, "op " + op.name, "kernel " + op.kernel);
    }
    const auto [entry, is_new] = least.insert({y, low});
    if (!is_new) entry->second = std::min(entry->second, low);
  }
  for (const auto& [tensor, scale] : solver.solve()) {
    by_root_.insert({tensor, {.scale = scale, .zero = least.contains(tensor) && least[tensor] >= 0 ? 0 : 128}});
  }
}

const Quantisation& Scales::of(TensorId tensor) const {
  const auto found = by_root_.find(models::bytes_of(model_, tensor).root);
  if (found == by_root_.end())
    fail_export(model_, "tensor " + model_.tensors[tensor].name, "an I8 tensor nobody writes");
  return found->second;
}

}  // namespace detent::bench
