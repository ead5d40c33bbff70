// Which op draws from which distribution, and the distributions that need more than a multiplication.
#include "sim/cost/jitter.hpp"

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "base/assert.hpp"
#include "base/words/pattern.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/types/wide.hpp"

namespace detent::sim {
namespace {

constexpr double kMaxSpread = 1000;
constexpr double kMaxShape = 20;

bool rule_fits(const std::string& pattern, const detent_desc& desc, const detent_op& op) {
  if (matches(pattern, desc.classes[op.core_class].name) || matches(pattern, desc.kernels[op.kernel])) return true;
  return op.name != nullptr && matches(pattern, op.name);
}

/// The jitter's own distribution as a rule for everything that no rule matches.
Jitter::Rule rule_of(const Jitter& jitter, const detent_desc& desc, OpId op) {
  for (const Jitter::Rule& rule : jitter.rules) {
    if (rule_fits(rule.pattern, desc, desc.ops[op])) return rule;
  }
  return {"*", jitter.kind, jitter.spread, jitter.shape};
}

}  // namespace

double jitter_spread(const Jitter& jitter, const detent_desc& desc, OpId op) {
  const double spread = jitter.rules.empty() ? jitter.spread : rule_of(jitter, desc, op).spread;
  if (spread >= 0 && spread <= kMaxSpread) return spread;
  throw std::invalid_argument("jitter: spread must be from 0 to 1000; 0.1 means up to 10 % longer");
}

/// Fills a sampler op by op; one table per distinct pair of kind and shape.
class JitterSampler::Builder {
 public:
  Builder(JitterSampler& sampler, const detent_desc& desc, const Jitter& jitter, const CostTable* costs)
      : sampler_(sampler), desc_(desc), jitter_(jitter), costs_(costs) {}

  void add(OpId op, const OpTime& time) {
    Draw draw{time.best_ps, time.worst_ps - time.best_ps, Shape::kConstant, false, 0, 0};
    const Jitter::Rule rule = rule_of(jitter_, desc_, op);
    const bool async = desc_.classes[desc_.ops[op].core_class].kind == DETENT_CLASS_ASYNC;
    draw.follows_core = jitter_.core_correlation > 0 && !async;
    if (draw.span_ps != 0) choose_shape(draw, rule, op);
    sampler_.draws_.push_back(draw);
  }

 private:
  void choose_shape(Draw& draw, const Jitter::Rule& rule, OpId op) {
    switch (rule.kind) {
      case Jitter::Kind::kWorst:
        return;
      case Jitter::Kind::kUniform:
        draw.shape = Shape::kUniform;
        return;
      case Jitter::Kind::kTriangular:
        draw.shape = draw.follows_core ? Shape::kGrid : Shape::kTriangle;  // one draw must decide it all
        if (draw.follows_core) draw.table = grid(rule.kind, 0);
        return;
      case Jitter::Kind::kEmpirical:
        add_points(draw, op);
        return;
      case Jitter::Kind::kPareto:
      case Jitter::Kind::kLognormal:
        draw.shape = Shape::kGrid;
        draw.table = grid(rule.kind, rule.shape);
        return;
    }
  }

  std::uint32_t grid(Jitter::Kind kind, double shape) {
    if (kind != Jitter::Kind::kTriangular && !(shape > 0 && shape <= kMaxShape)) {
      throw std::invalid_argument("jitter: the shape of pareto and lognormal must be above 0 and at most 20");
    }
    const auto [place, is_new] = known_.try_emplace({kind, shape}, static_cast<std::uint32_t>(sampler_.grids_.size()));
    if (is_new && kind == Jitter::Kind::kPareto) sampler_.grids_.push_back(pareto_grid(shape));
    if (is_new && kind == Jitter::Kind::kLognormal) sampler_.grids_.push_back(lognormal_grid(shape));
    if (is_new && kind == Jitter::Kind::kTriangular) sampler_.grids_.push_back(triangular_grid());
    return place->second;
  }

  /// Measured quantiles, moved and scaled into the op's range.
  void add_points(Draw& draw, OpId op) {
    const MeasuredOp* measured = costs_ == nullptr ? nullptr : find_measured(*costs_, desc_, op);
    const MeasuredTimes* times = measured == nullptr ? nullptr : costs_->use_cold ? &measured->cold : &measured->warm;
    if (times == nullptr || times->quantiles_ps.size() < 2) refuse_unmeasured(op);
    const std::vector<std::uint64_t>& quantiles = times->quantiles_ps;
    const std::uint64_t range = quantiles.back() - quantiles.front();
    if (range == 0) {
      draw.span_ps = 0;  // constant at its best time, which is what was measured
      return;
    }
    draw.shape = Shape::kPoints;
    draw.table = static_cast<std::uint32_t>(sampler_.points_.size());
    draw.count = static_cast<std::uint32_t>(quantiles.size());
    for (const std::uint64_t quantile : quantiles) {
      const Wide scaled = static_cast<Wide>(quantile - quantiles.front()) * draw.span_ps + range / 2;
      sampler_.points_.push_back(static_cast<std::uint64_t>(scaled / range));
    }
  }

  [[noreturn]] void refuse_unmeasured(OpId op) const {
    const char* name = desc_.ops[op].name;
    throw std::invalid_argument("jitter: op " + std::to_string(op) + " (" + (name != nullptr ? name : "") +
                                ") is empirical but has no measured quantiles; give a cost table that has it "
                                "(detent calibrate), or another rule, such as empirical," +
                                desc_.kernels[desc_.ops[op].kernel] + "=uniform:0.1");
  }

  JitterSampler& sampler_;
  const detent_desc& desc_;
  const Jitter& jitter_;
  const CostTable* costs_;
  std::map<std::tuple<Jitter::Kind, double>, std::uint32_t> known_;
};

JitterSampler::JitterSampler(const detent_desc& desc, const std::vector<OpTime>& times, const Jitter& jitter,
                             const CostTable* costs) {
  DETENT_ASSERT(times.size() == desc.op_count);
  const double rho = jitter.core_correlation;
  if (!(rho >= 0 && rho <= 1)) throw std::invalid_argument("jitter: correlation must be from 0 to 1");
  of_core_ = std::sqrt(rho);
  of_op_ = std::sqrt(1 - rho);
  draws_.reserve(desc.op_count);
  Builder builder(*this, desc, jitter, costs);
  for (OpId op = 0; op < desc.op_count; ++op) builder.add(op, times[op]);
}

std::uint64_t JitterSampler::follow_core(std::uint64_t bits, std::uint32_t core, std::uint64_t seed) const {
  const NormalTable& normal = NormalTable::instance();
  const std::uint64_t core_bits = mix_bits(seed + mix_bits(0xC2B2AE3D27D4EB4FU * (core + 1ULL)));
  return normal.share_below(of_core_ * normal.quantile(core_bits) + of_op_ * normal.quantile(bits));
}

std::uint64_t JitterSampler::shaped(const Draw& draw, std::uint64_t bits) const {
  if (draw.shape == Shape::kTriangle) return triangle_bits(bits, draw.span_ps);
  if (draw.shape == Shape::kGrid) return scale_bits(grids_[draw.table].position(bits), draw.span_ps);
  const Wide rank = static_cast<Wide>(bits) * (draw.count - 1U);
  const std::uint64_t* const point = points_.data() + draw.table + static_cast<std::size_t>(rank >> 64U);
  return point[0] + scale_bits(static_cast<std::uint64_t>(rank), point[1] - point[0]);
}

}  // namespace detent::sim
