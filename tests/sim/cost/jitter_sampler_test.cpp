// Distributions of op times: what is drawn against the distribution function it claims, with fixed seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "sim/cost/cost_table.hpp"
#include "sim/cost/jitter.hpp"
#include "tests/build.hpp"
#include "tests/effort.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

constexpr std::uint64_t kSpan = 1'000'000'000;
constexpr OpTime kWide{500, 500 + kSpan};

/// A sampler of `ops` equal CPU ops with the range kWide.
class Jittered {
 public:
  explicit Jittered(const Jitter& jitter, std::uint32_t ops = 1, const CostTable* costs = nullptr)
      : tables_(Graph(ops), false), sampler_(tables_.desc(), std::vector<OpTime>(ops, kWide), jitter, costs) {}
  [[nodiscard]] std::uint64_t draw(std::uint64_t seed, std::uint32_t op = 0, std::uint32_t core = 0) const {
    return sampler_.sample_ps(op, core, seed);
  }
  [[nodiscard]] double position(std::uint64_t seed, std::uint32_t op = 0, std::uint32_t core = 0) const {
    return static_cast<double>(draw(seed, op, core) - kWide.best_ps) / static_cast<double>(kSpan);
  }

 private:
  GraphDesc tables_;
  JitterSampler sampler_;
};

/// Largest distance between the shares of the sample and the distribution function (Kolmogorov and Smirnov).
double distance(std::vector<double> sample, const std::function<double(double)>& share_below) {
  std::sort(sample.begin(), sample.end());
  const auto count = static_cast<double>(sample.size());
  double worst = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double expected = share_below(sample[i]);
    worst = std::max({worst, std::abs(expected - static_cast<double>(i) / count),
                      std::abs(expected - static_cast<double>(i + 1) / count)});
  }
  return worst;
}

/// Above this, one sample in 10,000 of the distribution itself would be refused. Seeds are fixed.
double limit(std::size_t count) { return 2.23 / std::sqrt(static_cast<double>(count)); }

double uniform_share(double x) { return x; }
double triangular_share(double x) { return x < 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x); }
double pareto_share(double x, double alpha) {
  const double last = std::pow(100.0, -alpha);
  return (1 - std::pow(1 + 99 * x, -alpha)) / (1 - last);
}
double normal_share(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }
double lognormal_share(double x, double sigma) {
  const double low = std::exp(-4 * sigma);
  const double z = std::log(low + x * (std::exp(4 * sigma) - low)) / sigma;
  return (normal_share(z) - normal_share(-4)) / (normal_share(4) - normal_share(-4));
}

Jitter jitter_of(Jitter::Kind kind, double shape = 0, double rho = 0) { return {kind, 0.1, shape, {}, rho}; }

struct Law {
  const char* name;
  Jitter::Kind kind;
  double shape;
  std::function<double(double)> share_below;
};

std::vector<Law> laws() {
  return {{"uniform", Jitter::Kind::kUniform, 0, uniform_share},
          {"triangular", Jitter::Kind::kTriangular, 0, triangular_share},
          {"pareto 0.5", Jitter::Kind::kPareto, 0.5, [](double x) { return pareto_share(x, 0.5); }},
          {"pareto 1.5", Jitter::Kind::kPareto, 1.5, [](double x) { return pareto_share(x, 1.5); }},
          {"pareto 20", Jitter::Kind::kPareto, 20, [](double x) { return pareto_share(x, 20); }},
          {"lognormal 0.5", Jitter::Kind::kLognormal, 0.5, [](double x) { return lognormal_share(x, 0.5); }},
          {"lognormal 2", Jitter::Kind::kLognormal, 2, [](double x) { return lognormal_share(x, 2); }}};
}

TEST(JitterSampler, DrawsFollowTheirDistribution) {
  const std::size_t count = effort(200'000U);
  for (const Law& law : laws()) {
    const Jittered op(jitter_of(law.kind, law.shape));
    std::vector<double> sample;
    for (std::uint64_t seed = 0; seed < count; ++seed) sample.push_back(op.position(seed));
    EXPECT_LT(distance(sample, law.share_below), limit(count)) << law.name;
  }
}

TEST(JitterSampler, CorrelationKeepsEveryDistribution) {
  const std::size_t count = effort(100'000U);
  for (const Law& law : laws()) {
    for (const double rho : {0.3, 0.9, 1.0}) {
      const Jittered op(jitter_of(law.kind, law.shape, rho));
      std::vector<double> sample;
      for (std::uint64_t seed = 0; seed < count; ++seed) sample.push_back(op.position(seed, 0, 2));
      EXPECT_LT(distance(sample, law.share_below), limit(count)) << law.name << " rho " << rho;
    }
  }
}

TEST(JitterSampler, AWrongDistributionIsFound) {  // the test above can fail
  const Jittered op(jitter_of(Jitter::Kind::kUniform));
  std::vector<double> sample;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) sample.push_back(op.position(seed));
  EXPECT_GT(distance(sample, [](double x) { return std::pow(x, 1.05); }), limit(sample.size()));
}

/// Correlation of the normal scores of two uniform draws.
double score_correlation(const Jittered& ops, std::uint32_t core_a, std::uint32_t core_b) {
  const NormalTable& normal = NormalTable::instance();
  const std::uint64_t count = effort(100'000U);
  double sum = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const auto score = [&](double position) {
      return normal.quantile(static_cast<std::uint64_t>(std::ldexp(std::min(position, 0.999999999), 64)));
    };
    sum += score(ops.position(seed, 0, core_a)) * score(ops.position(seed, 1, core_b));
  }
  return sum / static_cast<double>(count);
}

TEST(JitterSampler, OpsOfOneCoreCorrelateByRhoAndOthersDoNot) {
  const double tolerance = kIsInstrumented ? 0.05 : 0.015;
  for (const double rho : {0.0, 0.25, 0.8}) {
    const Jittered ops(jitter_of(Jitter::Kind::kUniform, 0, rho), 2);
    EXPECT_NEAR(score_correlation(ops, 3, 3), rho, tolerance);
    EXPECT_NEAR(score_correlation(ops, 3, 4), 0, tolerance);
  }
}

TEST(JitterSampler, FullCorrelationMovesTheOpsOfACoreTogether) {
  const Jittered ops(jitter_of(Jitter::Kind::kUniform, 0, 1), 2);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) EXPECT_EQ(ops.draw(seed, 0, 5), ops.draw(seed, 1, 5));
  EXPECT_NE(ops.draw(7, 0, 5), ops.draw(7, 0, 6));
}

TEST(JitterSampler, AsyncOpsHaveNoCoreToFollow) {
  Graph graph(2);
  graph[1].core_class = kDelay;
  const GraphDesc tables(graph, false);
  const JitterSampler with(tables.desc(), {kWide, kWide}, jitter_of(Jitter::Kind::kUniform, 0, 0.9));
  const JitterSampler without(tables.desc(), {kWide, kWide}, jitter_of(Jitter::Kind::kUniform));
  EXPECT_EQ(with.sample_ps(1, 3, 11), without.sample_ps(1, 3, 11));
  EXPECT_NE(with.sample_ps(0, 3, 11), without.sample_ps(0, 3, 11));
}

TEST(JitterSampler, IndependentDrawsAreThoseOfBefore) {
  for (const auto kind : {Jitter::Kind::kWorst, Jitter::Kind::kUniform, Jitter::Kind::kTriangular}) {
    const Jittered op(jitter_of(kind), 3);
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      ASSERT_EQ(op.draw(seed, 2, static_cast<std::uint32_t>(seed)), sample_ps(kWide, kind, seed, 2));
    }
  }
}

TEST(JitterSampler, EveryDrawIsWithinItsRange) {
  const std::vector<OpTime> ranges = {{0, 0},    {7, 7}, {7, 8}, {0, UINT64_MAX}, {UINT64_MAX - 1, UINT64_MAX},
                                      {100, 110}};
  const GraphDesc tables(Graph(ranges.size()), false);
  for (const Law& law : laws()) {
    for (const double rho : {0.0, 0.5}) {
      const JitterSampler sampler(tables.desc(), ranges, jitter_of(law.kind, law.shape, rho));
      for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        for (std::uint32_t op = 0; op < ranges.size(); ++op) {
          const std::uint64_t time_ps = sampler.sample_ps(op, 1, mix_bits(seed));
          ASSERT_GE(time_ps, ranges[op].best_ps) << law.name;
          ASSERT_LE(time_ps, ranges[op].worst_ps) << law.name;
        }
      }
    }
  }
}

TEST(QuantileGrid, ExtremeBitsAreTheEnds) {
  for (const QuantileGrid& grid : {pareto_grid(1.5), lognormal_grid(1), triangular_grid()}) {
    EXPECT_EQ(grid.position(0) >> 40U, 0U);
    EXPECT_EQ(grid.position(UINT64_MAX) >> 40U, UINT64_MAX >> 40U);
    std::uint64_t before = 0;
    for (std::uint64_t step = 0; step < 4096; ++step) {
      const std::uint64_t position = grid.position(step << 52U);
      ASSERT_GE(position, before);
      before = position;
    }
  }
}

TEST(NormalTable, AgreesWithErfcAndInvertsItself) {
  const NormalTable& normal = NormalTable::instance();
  for (const double z : {-6.0, -3.3, -1.0, -0.01, 0.0, 0.5, 1.96, 4.2, 6.1}) {
    const double share = std::ldexp(static_cast<double>(normal.share_below(z)), -64);
    EXPECT_NEAR(share / normal_share(z), 1, 1e-4) << z;
    EXPECT_NEAR(normal.quantile(normal.share_below(z)), z, 2e-3) << z;
  }
}

// --- empirical ------------------------------------------------------------------------------------------------------

/// GraphDesc names op 0 "op0" or leaves it unnamed: tables made here use whatever find_measured looks up.
CostTable table_for(const detent_desc& desc, std::vector<std::uint64_t> quantiles) {
  CostTable table;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    MeasuredOp measured;
    measured.name = desc.ops[op].name;
    measured.kernel = desc.kernels[desc.ops[op].kernel];
    measured.warm.quantiles_ps = quantiles;
    table.ops.push_back(measured);
  }
  return table;
}

/// One op with a name.
struct NamedOp {
  NamedOp() : tables(Graph(1), false), op(tables.desc().ops[0]), desc(tables.desc()) {
    op.name = "conv_1";
    desc.ops = &op;
  }
  NamedOp(const NamedOp&) = delete;
  NamedOp& operator=(const NamedOp&) = delete;
  GraphDesc tables;
  detent_op op;
  detent_desc desc;
};

TEST(JitterSampler, EmpiricalFollowsTheMeasuredQuantiles) {
  NamedOp named;
  const CostTable table = table_for(named.desc, {1000, 1010, 1100, 3000, 9000});
  const JitterSampler sampler(named.desc, {{1000, 9000}}, jitter_of(Jitter::Kind::kEmpirical), &table);
  std::vector<std::uint64_t> sample;
  const std::size_t count = effort(100'000U);
  for (std::uint64_t seed = 0; seed < count; ++seed) sample.push_back(sampler.sample_ps(0, 0, seed));
  std::sort(sample.begin(), sample.end());
  EXPECT_GE(sample.front(), 1000U);
  EXPECT_LE(sample.back(), 9000U);
  EXPECT_NEAR(static_cast<double>(sample[count / 4]), 1010, 2);
  EXPECT_NEAR(static_cast<double>(sample[count / 2]), 1100, 20);
  EXPECT_NEAR(static_cast<double>(sample[3 * count / 4]), 3000, kIsInstrumented ? 300 : 100);
  EXPECT_NEAR(static_cast<double>(sample[7 * count / 8]), 6000, kIsInstrumented ? 500 : 150);
}

TEST(JitterSampler, EmpiricalKeepsItsShapeInAScaledRange) {
  NamedOp named;
  const CostTable table = table_for(named.desc, {1000, 1500, 2000});
  const JitterSampler at_face(named.desc, {{1000, 2000}}, jitter_of(Jitter::Kind::kEmpirical), &table);
  const JitterSampler doubled(named.desc, {{2000, 4000}}, jitter_of(Jitter::Kind::kEmpirical), &table);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const double half = static_cast<double>(doubled.sample_ps(0, 0, seed)) / 2;
    ASSERT_NEAR(half, static_cast<double>(at_face.sample_ps(0, 0, seed)), 2);
  }
}

TEST(JitterSampler, EmpiricalTakesColdMeasurementsWhenTheTableSaysSo) {
  NamedOp named;
  CostTable table = table_for(named.desc, {10, 20});
  table.ops[0].cold.quantiles_ps = {10, 10, 20};
  table.use_cold = true;
  const JitterSampler sampler(named.desc, {{10, 20}}, jitter_of(Jitter::Kind::kEmpirical), &table);
  std::uint64_t at_best = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) at_best += sampler.sample_ps(0, 0, seed) == 10 ? 1 : 0;
  EXPECT_GT(at_best, 450U);
}

TEST(JitterSampler, EmpiricalWithoutAMeasurementIsRefused) {
  NamedOp named;
  const Jitter empirical = jitter_of(Jitter::Kind::kEmpirical);
  EXPECT_THROW(JitterSampler(named.desc, {{1, 2}}, empirical), std::invalid_argument);
  CostTable other = table_for(named.desc, {1, 2});
  other.ops[0].name = "other";
  EXPECT_THROW(JitterSampler(named.desc, {{1, 2}}, empirical, &other), std::invalid_argument);
  EXPECT_NO_THROW(JitterSampler(named.desc, {{2, 2}}, empirical));  // nothing to draw
}

// --- rules ----------------------------------------------------------------------------------------------------------

TEST(JitterSampler, TheFirstRuleThatMatchesDecides) {
  Graph graph(3);
  graph[1].core_class = kNpu;
  const GraphDesc tables(graph, false);
  detent_desc desc = tables.desc();
  std::vector<detent_op> ops(desc.ops, desc.ops + 3);
  ops[0].name = "backbone.conv_1";
  ops[1].name = "backbone.conv_2";
  ops[2].name = "head";
  desc.ops = ops.data();
  Jitter jitter = jitter_of(Jitter::Kind::kUniform);
  jitter.spread = 0.5;
  jitter.rules = {{"npu", Jitter::Kind::kWorst, 0.25, 0}, {"back*conv*", Jitter::Kind::kPareto, 2, 1.5}};
  const JitterSampler sampler(desc, {kWide, kWide, kWide}, jitter);
  const Jittered pareto(jitter_of(Jitter::Kind::kPareto, 1.5), 3);
  const Jittered uniform(jitter_of(Jitter::Kind::kUniform), 3);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(sampler.sample_ps(0, 0, seed), pareto.draw(seed, 0));
    EXPECT_EQ(sampler.sample_ps(1, 0, seed), kWide.worst_ps);
    EXPECT_EQ(sampler.sample_ps(2, 0, seed), uniform.draw(seed, 2));
  }
  EXPECT_EQ(jitter_spread(jitter, desc, 0), 2);
  EXPECT_EQ(jitter_spread(jitter, desc, 1), 0.25);
  EXPECT_EQ(jitter_spread(jitter, desc, 2), 0.5);
}

TEST(JitterSampler, PatternsMatchWholeNames) {
  NamedOp named;
  const auto fits = [&](const std::string& pattern) {
    Jitter jitter = jitter_of(Jitter::Kind::kUniform);
    jitter.rules = {{pattern, Jitter::Kind::kWorst, 0.7, 0}};
    return jitter_spread(jitter, named.desc, 0) == 0.7;
  };
  for (const char* pattern : {"conv_1", "*", "conv*", "*_1", "c*v*1", "**1", "cpu", named.desc.kernels[0]}) {
    EXPECT_TRUE(fits(pattern)) << pattern;
  }
  for (const char* pattern : {"", "conv", "onv_1", "conv_1x", "*z", "c*2", "cp"})
    EXPECT_FALSE(fits(pattern)) << pattern;
}

TEST(JitterSampler, B71_ImpossibleParametersAreRefused) {
  const GraphDesc tables(Graph(1), false);
  const auto make = [&](const Jitter& jitter) { return JitterSampler(tables.desc(), {kWide}, jitter); };
  EXPECT_THROW(make(jitter_of(Jitter::Kind::kPareto, 0)), std::invalid_argument);
  EXPECT_THROW(make(jitter_of(Jitter::Kind::kPareto, -1)), std::invalid_argument);
  EXPECT_THROW(make(jitter_of(Jitter::Kind::kLognormal, 21)), std::invalid_argument);
  EXPECT_THROW(make(jitter_of(Jitter::Kind::kLognormal, std::nan(""))), std::invalid_argument);
  EXPECT_THROW(make(jitter_of(Jitter::Kind::kUniform, 0, 1.5)), std::invalid_argument);
  EXPECT_THROW(make(jitter_of(Jitter::Kind::kUniform, 0, -0.1)), std::invalid_argument);
  Jitter negative = jitter_of(Jitter::Kind::kUniform);
  negative.spread = -1;
  EXPECT_THROW(jitter_spread(negative, tables.desc(), 0), std::invalid_argument);
}

}  // namespace
}  // namespace detent::sim::test
