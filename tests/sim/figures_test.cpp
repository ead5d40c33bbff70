// Simulations to the last figure: makespans, ranks, uses of cores, spans of the worst run, ends, costs and bounds.
#include <gtest/gtest.h>

#include <cstdio>

#include "sim/cost/cost.hpp"
#include "sim/cost/interference.hpp"
#include "sim/cost/overhead.hpp"
#include "sim/sensitivity.hpp"
#include "sim/simulate.hpp"
#include "tests/defaults.hpp"
#include "tests/sim/graph.hpp"
#include "tests/sim/platform/text.hpp"

namespace detent::sim::test {
namespace {

std::string six_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string numbers(const std::vector<std::uint64_t>& values) {
  std::string text;
  for (const std::uint64_t value : values) text += " " + std::to_string(value);
  return text;
}

std::string spans_of(const harness::Run& run) {
  std::string text;
  for (const harness::Span& span : run.trace.spans) {
    text += " " + std::to_string(span.op) + "@" + std::to_string(span.slot) + "[" + std::to_string(span.begin_ps) +
            "," + std::to_string(span.end_ps) + "]#" + std::to_string(span.begin_sequence);
  }
  return std::to_string(run.makespan_ps) + " ps:" + text + "\n";
}

std::string figures_of(const SimResult& r) {
  if (r.failure) return *r.failure + "\n";
  std::string text = std::to_string(r.runs) + " runs, " + std::to_string(r.executed_runs) +
                     " executed:" + numbers(r.makespans_ps) + "\nmin" +
                     numbers({r.min_ps, r.median_ps, r.p99_ps, r.max_ps, r.worst_run, r.worst_seed}) + ", mean " +
                     six_digits(r.mean_ps) + " +- " + six_digits(r.standard_error_ps) + "\nworst runs:";
  for (const RankedRun& run : r.worst_runs) {
    text += " " + std::to_string(run.run) + "/" + std::to_string(run.seed) + "/" + std::to_string(run.makespan_ps);
  }
  text += "\nworst " + spans_of(r.worst) + "typical " + spans_of(r.typical) + "slots:";
  for (std::size_t i = 0; i < r.slot_names.size() && i < 8; ++i) text += " " + r.slot_names[i];
  text += "\nuse:";
  for (const CoreUse& use : r.use)
    text += " " + use.core + "/" + std::to_string(use.slot) + "/" + std::to_string(use.busy_ps);
  text += "\n";
  for (const OpEnd& end : r.ends) {
    text += " " + std::to_string(end.earliest_ps) + "-" + std::to_string(end.latest_ps) + "/" +
            std::to_string(end.earliest_seed) + "-" + std::to_string(end.latest_seed);
  }
  return text + (r.ends.empty() ? "" : "\n");
}

/// Ops on CPUs, an NPU and a delay, with a mutex and ranges.
Graph mixed() {
  Graph graph(7);
  graph[0] = {1000, 1400, kCpu, 0, {2, 3}, {}};
  graph[1] = {2000, 2600, kCpu, 1, {3}, {0}};
  graph[2] = {500, 900, kNpu, 0, {5}, {}};
  graph[3] = {700, 700, kCpu, 0, {4, 6}, {0}};
  graph[4] = {300, 800, kDelay, 0, {6}, {}};
  graph[5] = {400, 500, kNpu, 0, {6}, {}};
  graph[6] = {100, 200, kCpu, 0, {}, {}};
  return graph;
}

Platform costly() {
  Platform platform = plain_platform({{"cpu", 2}, {"npu", 1}});
  platform.overheads = {.dispatch_ps = 10,
                        .queue_ps = 20,
                        .lock_ps = 30,
                        .wake_ps = 40,
                        .log_ps = 5,
                        .lock_contended_ps = 50,
                        .interrupt_ps = 60,
                        .migrate_ps = 70};
  return platform;
}

std::string simulated(const Platform& platform, SimOptions options = {}) {
  const GraphDesc tables(mixed());
  options.runs = options.runs == 1 ? 5 : options.runs;
  return figures_of(simulate(tables.desc(), platform, options));
}

TEST(SimFigures, EachMode) {
  const Platform platform = costly();
  EXPECT_EQ(simulated(platform, {.engine = {.mode = DETENT_MODE_SERIAL}}),
            "5 runs, 3 executed: 6108 6577 5545 6093 5749\n"
            "min 5545 6093 6577 6577 1 11309818405589028606, mean 6014.4 +- 176.385\n"
            "worst runs: 1/11309818405589028606/6577 0/0/6108 3/10979058744455515515/6093 4/1214713481185265017/5749 "
            "2/13691739563299450079/5545\n"
            "worst 6577 ps: 0@0[20,1351]#1 1@0[1371,3855]#2 2@0[3875,4739]#3 3@0[4759,5459]#4 4@0[5479,5945]#5 "
            "5@0[5965,6404]#6 6@0[6424,6577]#7\n"
            "typical 6093 ps: 0@0[20,1079]#1 1@0[1099,3573]#2 2@0[3593,4333]#3 3@0[4353,5053]#4 4@0[5073,5502]#5 "
            "5@0[5522,5947]#6 6@0[5967,6093]#7\n"
            "slots: cpu0\n"
            "use: cpu0/0/4668\n");
  EXPECT_EQ(simulated(platform, {.engine = {.mode = DETENT_MODE_LAYERED}}),
            "5 runs, 3 executed: 4067 4280 3597 4105 3715\n"
            "min 3597 4067 4280 4280 1 11309818405589028606, mean 3952.8 +- 127.751\n"
            "worst runs: 1/11309818405589028606/4280 3/10979058744455515515/4105 0/0/4067 4/1214713481185265017/3715 "
            "2/13691739563299450079/3597\n"
            "worst 4280 ps: 0@0[20,1351]#0 1@1[60,2544]#0 3@0[2604,3304]#0 2@2[2644,3508]#0 4@3[3568,3994]#0 "
            "5@2[3628,4067]#0 6@0[4127,4280]#0\n"
            "typical 4067 ps: 0@0[20,1132]#0 1@1[60,2542]#0 3@0[2602,3302]#0 2@2[2642,3335]#0 4@3[3395,3784]#0 "
            "5@2[3455,3855]#0 6@0[3915,4067]#0\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/2184 cpu1/1/2484 npu0/2/1303\n");
  EXPECT_EQ(simulated(platform, {.engine = {.mode = DETENT_MODE_CLOSED_LOOP}}),
            "5 runs, 3 executed: 4273 4333 3798 4239 4044\n"
            "min 3798 4239 4333 4333 1 11309818405589028606, mean 4137.4 +- 97.6947\n"
            "worst runs: 1/11309818405589028606/4333 0/0/4273 3/10979058744455515515/4239 4/1214713481185265017/4044 "
            "2/13691739563299450079/3798\n"
            "worst 4333 ps: 0@0[90,1421]#1 1@1[130,2614]#2 2@2[1551,2415]#4 5@2[2525,2964]#6 3@1[2724,3424]#8 "
            "4@3[3534,4030]#10 6@0[4130,4283]#12\n"
            "typical 4239 ps: 0@0[90,1149]#1 1@1[130,2604]#2 2@2[1279,2019]#4 5@2[2129,2554]#6 3@1[2714,3414]#8 "
            "4@3[3504,3963]#10 6@0[4063,4189]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/1484 cpu1/1/3184 npu0/2/1303\n");
  EXPECT_EQ(simulated(platform, {.engine = {.scheduler = DETENT_SCHEDULER_THREAD}}),
            "5 runs, 3 executed: 4533 4554 3969 4499 4284\n"
            "min 3969 4499 4554 4554 1 11309818405589028606, mean 4367.8 +- 110.734\n"
            "worst runs: 1/11309818405589028606/4554 0/0/4533 3/10979058744455515515/4499 4/1214713481185265017/4284 "
            "2/13691739563299450079/3969\n"
            "worst 4554 ps: 0@1[130,1461]#1 1@2[130,2614]#2 2@3[1671,2535]#4 3@2[2805,3505]#8 5@3[2805,3244]#6 "
            "4@4[3675,4191]#10 6@1[4291,4444]#12\n"
            "typical 4499 ps: 0@1[130,1189]#1 1@2[130,2604]#2 2@3[1399,2139]#4 5@3[2349,2774]#6 3@2[2814,3514]#8 "
            "4@4[3684,4163]#10 6@1[4263,4389]#12\n"
            "slots: scheduler cpu0 cpu1 npu0 delays\n"
            "use: scheduler/0/0 cpu0/1/1484 cpu1/2/3184 npu0/3/1303\n");
  EXPECT_EQ(simulated(platform, {.engine = {.mode = DETENT_MODE_STATIC}}),
            "5 runs, 3 executed: 3923 3963 3428 3889 3674\n"
            "min 3428 3889 3963 3963 1 11309818405589028606, mean 3775.4 +- 100.213\n"
            "worst runs: 1/11309818405589028606/3963 0/0/3923 3/10979058744455515515/3889 4/1214713481185265017/3674 "
            "2/13691739563299450079/3428\n"
            "worst 3963 ps: 0@0[20,1351]#0 1@1[60,2544]#0 2@2[1411,2275]#0 5@2[2295,2734]#0 3@0[2604,3304]#0 "
            "4@3[3324,3750]#0 6@0[3810,3963]#0\n"
            "typical 3889 ps: 0@0[20,1079]#0 1@1[60,2534]#0 2@2[1139,1879]#0 5@2[1899,2324]#0 3@0[2594,3294]#0 "
            "4@3[3314,3703]#0 6@0[3763,3889]#0\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/2184 cpu1/1/2484 npu0/2/1303\n");
}

TEST(SimFigures, PoliciesSeedsAndJitter) {
  const Platform platform = costly();
  EXPECT_EQ(
      simulated(platform,
                {.engine = {.policy = "priority"}, .seeds = {.schedule = 9}, .timing_only = true, .keep_worst = 2}),
      "5 runs, 0 executed: 4360 4082 4585 4228 4644\n"
      "min 4082 4360 4644 4644 4 12787551518919752616, mean 4379.8 +- 105.837\n"
      "worst runs: 4/12787551518919752616/4644 2/12874423604526465479/4585\n"
      "worst 4644 ps: 0@0[90,1271]#1 1@1[130,2725]#2 2@2[1401,2192]#4 5@2[2302,2724]#6 3@1[2874,3574]#8 "
      "4@3[3684,4366]#10 6@0[4466,4594]#12\n"
      "typical 4360 ps: 0@0[90,1213]#1 1@1[130,2601]#2 2@2[1343,2006]#4 5@2[2116,2610]#6 3@1[2731,3431]#8 "
      "4@3[3521,4042]#10 6@0[4142,4310]#12\n"
      "slots: cpu0 cpu1 npu0 delays\n"
      "use: cpu0/0/1309 cpu1/1/3295 npu0/2/1213\n");
  EXPECT_EQ(simulated(platform, {.engine = {.policy = "critical-path"},
                                 .seeds = {.schedule = 9},
                                 .keep_makespans = false,
                                 .keep_ends = true}),
            "5 runs, 3 executed:\n"
            "min 4042 4320 4565 4565 4 12787551518919752616, mean 4332 +- 101.153\n"
            "worst runs: 4/12787551518919752616/4565 2/12874423604526465479/4545 0/9/4320 3/10359029994198111821/4188 "
            "1/1855485460838987964/4042\n"
            "worst 4565 ps: 1@0[90,2685]#1 0@1[130,1311]#2 2@2[1461,2252]#4 5@2[2362,2784]#6 3@0[2795,3495]#8 "
            "4@3[3605,4287]#10 6@0[4387,4515]#12\n"
            "typical 4320 ps: 1@0[90,2561]#1 0@1[130,1253]#2 2@2[1403,2066]#4 5@2[2176,2670]#6 3@0[2671,3371]#8 "
            "4@3[3481,4002]#10 6@0[4102,4270]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/3423 cpu1/1/1181 npu0/2/1213\n"
            " 1159-1380/12874423604526465479-10359029994198111821 2342-2685/1855485460838987964-12787551518919752616 "
            "1845-2252/12874423604526465479-12787551518919752616 3152-3495/1855485460838987964-12787551518919752616 "
            "3715-4287/1855485460838987964-12787551518919752616 2370-2784/12874423604526465479-12787551518919752616 "
            "3992-4515/1855485460838987964-12787551518919752616\n");
  EXPECT_EQ(
      simulated(platform,
                {.engine = {.policy = "random"}, .seeds = {.schedule = 9}, .execute_runs = 1, .with_traces = false}),
      "5 runs, 1 executed: 4360 4042 4585 4188 4565\n"
      "min 4042 4360 4585 4585 2 12874423604526465479, mean 4348 +- 105.508\n"
      "worst runs: 2/12874423604526465479/4585 4/12787551518919752616/4565 0/9/4360 3/10359029994198111821/4188 "
      "1/1855485460838987964/4042\n"
      "worst 0 ps:\n"
      "typical 0 ps:\n"
      "slots: cpu0 cpu1 npu0 delays\n"
      "use: cpu0/0/0 cpu1/1/0 npu0/2/0\n");
  EXPECT_EQ(simulated(platform, {.engine = {.policy = "given", .order = {1, 0, 3, 2, 4, 5, 6}},
                                 .jitter = {.kind = Jitter::Kind::kTriangular}}),
            "5 runs, 3 executed: 4332 4234 4081 4337 4071\n"
            "min 4071 4234 4337 4337 3 10979058744455515515, mean 4211 +- 58.1145\n"
            "worst runs: 3/10979058744455515515/4337 0/0/4332 1/11309818405589028606/4234 2/13691739563299450079/4081 "
            "4/1214713481185265017/4071\n"
            "worst 4337 ps: 1@0[90,2446]#1 0@1[130,1222]#2 3@0[2576,3276]#5 2@2[2616,3410]#6 4@3[3366,3920]#8 "
            "5@2[3520,3977]#10 6@0[4127,4287]#12\n"
            "typical 4234 ps: 1@0[90,2398]#1 0@1[130,1431]#2 3@0[2528,3228]#5 2@2[2568,3271]#6 4@3[3318,3876]#8 "
            "5@2[3438,3867]#10 6@0[4057,4184]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/3216 cpu1/1/1092 npu0/2/1251\n");
  EXPECT_EQ(simulated(platform, {.jitter = {.kind = Jitter::Kind::kWorst}}),
            "5 runs, 3 executed: 4870 4870 4870 4870 4870\n"
            "min 4870 4870 4870 4870 0 0, mean 4870 +- 0\n"
            "worst runs: 0/0/4870 1/11309818405589028606/4870 2/13691739563299450079/4870 3/10979058744455515515/4870 "
            "4/1214713481185265017/4870\n"
            "worst 4870 ps: 0@0[90,1490]#1 1@1[130,2730]#2 2@2[1620,2520]#4 5@2[2630,3130]#6 3@1[2840,3540]#8 "
            "4@3[3650,4520]#10 6@0[4620,4820]#12\n"
            "typical 4870 ps: 0@0[90,1490]#1 1@1[130,2730]#2 2@2[1620,2520]#4 5@2[2630,3130]#6 3@1[2840,3540]#8 "
            "4@3[3650,4520]#10 6@0[4620,4820]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/1600 cpu1/1/3300 npu0/2/1400\n");
  EXPECT_EQ(simulated(platform, {.jitter = {.kind = Jitter::Kind::kPareto, .shape = 1.5}}),
            "5 runs, 3 executed: 3681 3683 3670 3681 3676\n"
            "min 3670 3681 3683 3683 1 11309818405589028606, mean 3678.2 +- 2.35372\n"
            "worst runs: 1/11309818405589028606/3683 0/0/3681 3/10979058744455515515/3681 4/1214713481185265017/3676 "
            "2/13691739563299450079/3670\n"
            "worst 3683 ps: 0@0[90,1098]#1 1@1[130,2142]#2 2@2[1228,1743]#4 5@2[1853,2253]#6 3@1[2252,2952]#8 "
            "4@3[3062,3433]#10 6@0[3533,3633]#12\n"
            "typical 3681 ps: 0@0[90,1090]#1 1@1[130,2141]#2 2@2[1220,1722]#4 5@2[1832,2232]#6 3@1[2251,2951]#8 "
            "4@3[3061,3431]#10 6@0[3531,3631]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/1108 cpu1/1/2712 npu0/2/915\n");
  EXPECT_EQ(simulated(platform, {.jitter = {.kind = Jitter::Kind::kLognormal, .shape = 0.7, .core_correlation = 0.5}}),
            "5 runs, 3 executed: 3834 3744 3697 3721 3725\n"
            "min 3697 3725 3834 3834 0 0, mean 3744.2 +- 23.6631\n"
            "worst runs: 0/0/3834 1/11309818405589028606/3744 4/1214713481185265017/3725 3/10979058744455515515/3721 "
            "2/13691739563299450079/3697\n"
            "worst 3834 ps: 0@0[90,1100]#1 1@1[130,2297]#2 2@2[1230,1736]#4 5@2[1846,2246]#6 3@1[2407,3107]#8 "
            "4@3[3197,3581]#10 6@0[3681,3784]#12\n"
            "typical 3725 ps: 0@0[90,1098]#1 1@1[130,2147]#2 2@2[1228,1745]#4 5@2[1855,2257]#6 3@1[2257,2957]#8 "
            "4@3[3067,3464]#10 6@0[3564,3675]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/1113 cpu1/1/2867 npu0/2/906\n");
  EXPECT_EQ(simulated(platform,
                      {.jitter = {.rules = {{.pattern = "np*", .kind = Jitter::Kind::kWorst}}, .core_correlation = 1}}),
            "5 runs, 3 executed: 4373 4116 4040 3911 4297\n"
            "min 3911 4116 4373 4373 0 0, mean 4147.4 +- 84.1669\n"
            "worst runs: 0/0/4373 4/1214713481185265017/4297 1/11309818405589028606/4116 2/13691739563299450079/4040 "
            "3/10979058744455515515/3911\n"
            "worst 4373 ps: 0@0[90,1176]#1 1@1[130,2723]#2 2@2[1306,2206]#4 5@2[2316,2816]#6 3@1[2833,3533]#8 "
            "4@3[3643,4102]#10 6@0[4202,4323]#12\n"
            "typical 4116 ps: 0@0[90,1198]#1 1@1[130,2423]#2 2@2[1328,2228]#4 5@2[2338,2838]#6 3@1[2533,3233]#8 "
            "4@3[3343,3839]#10 6@0[3939,4066]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/1207 cpu1/1/3293 npu0/2/1400\n");
}

TEST(SimFigures, PartsSeedsByRunAndASlowerOp) {
  const Platform platform = costly();
  EXPECT_EQ(simulated(platform, {.runs = 6, .seeds = {.schedule = 3}, .part = {2, 3}}),
            "3 runs, 1 executed: 4697 4059 3888\n"
            "min 3888 4059 4697 4697 2 11665280305053110647, mean 4214.67 +- 246.167\n"
            "worst runs: 2/11665280305053110647/4697 3/3295453073828155020/4059 4/10038606249472043809/3888\n"
            "worst 4697 ps: 0@0[90,1190]#1 1@1[130,2686]#2 2@2[1320,2162]#4 5@2[2272,2683]#6 3@1[2833,3533]#8 "
            "4@3[3643,4391]#10 6@0[4491,4647]#12\n"
            "typical 4059 ps: 0@0[90,1390]#1 1@1[130,2458]#2 2@2[1520,2157]#4 5@2[2267,2754]#6 3@1[2568,3268]#8 "
            "4@3[3378,3755]#10 6@0[3855,4009]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/1256 cpu1/1/3256 npu0/2/1253\n");
  EXPECT_EQ(simulated(platform, {.runs = 2, .run_seeds = {7, 8}}),
            "2 runs, 2 executed: 3778 3859\n"
            "min 3778 3778 3859 3859 1 8, mean 3818.5 +- 40.5\n"
            "worst runs: 1/8/3859 0/7/3778\n"
            "worst 3859 ps: 0@0[90,1151]#1 1@1[130,2159]#2 2@2[1281,2054]#4 5@2[2164,2591]#6 3@1[2269,2969]#8 "
            "4@3[3079,3547]#10 6@0[3647,3809]#12\n"
            "typical 3778 ps: 0@0[90,1095]#1 1@1[130,2187]#2 2@2[1225,2043]#4 5@2[2153,2566]#6 3@1[2297,2997]#8 "
            "4@3[3107,3496]#10 6@0[3596,3728]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/1223 cpu1/1/2729 npu0/2/1200\n");
  EXPECT_EQ(simulated(platform, {.runs = 2, .run_seeds = {7, 8}, .slower_op = SlowerOp{1, 0.5}}),
            "2 runs, 2 executed: 4787 4853\n"
            "min 4787 4787 4853 4853 1 8, mean 4820 +- 33\n"
            "worst runs: 1/8/4853 0/7/4787\n"
            "worst 4853 ps: 0@0[90,1151]#1 1@1[130,3173]#2 2@2[1281,2054]#4 5@2[2164,2591]#6 3@1[3283,3983]#8 "
            "4@3[4073,4541]#10 6@0[4641,4803]#12\n"
            "typical 4787 ps: 0@0[90,1095]#1 1@1[130,3216]#2 2@2[1225,2043]#4 5@2[2153,2566]#6 3@1[3326,4026]#8 "
            "4@3[4116,4505]#10 6@0[4605,4737]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/1223 cpu1/1/3743 npu0/2/1200\n");
}

TEST(SimFigures, AChipThatSharesEverything) {
  Platform platform = costly();
  platform.dram_bytes_per_s = 64'000'000'000;
  platform.burst_bytes = 32;
  platform.contention = Contention::kQueue;
  platform.classes[0].threads_per_core = 2;
  platform.classes[0].corun_rate = 0.5;
  platform.loads = {{"tick", "cpu", 1, 1000, 100, 50, 30}, {"tock", "cpu", 0, 3000, 200, 0, 0}};
  EXPECT_EQ(simulated(platform),
            "5 runs, 3 executed: 5945 6423 5331 5758 5523\n"
            "min 5331 5758 6423 6423 1 11309818405589028606, mean 5796 +- 188.086\n"
            "worst runs: 1/11309818405589028606/6423 0/0/5945 3/10979058744455515515/5758 4/1214713481185265017/5523 "
            "2/13691739563299450079/5331\n"
            "worst 6423 ps: 0@0[290,2912]#1 1@1[330,4406]#2 2@2[3042,3906]#4 5@2[4016,4455]#6 3@1[4536,5336]#8 "
            "4@3[5426,5922]#10 6@0[6220,6373]#12\n"
            "typical 5758 ps: 0@0[290,2368]#1 1@1[330,4023]#2 2@2[2498,3238]#4 5@2[3348,3773]#6 3@1[4233,4933]#8 "
            "4@3[5023,5482]#10 6@0[5582,5708]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/2775 cpu1/1/4376 npu0/2/1303\n");
  EXPECT_EQ(simulated(platform, {.migrating = true}),
            "5 runs, 3 executed: 5745 6215 5221 5632 5405\n"
            "min 5221 5632 6215 6215 1 11309818405589028606, mean 5643.6 +- 169.18\n"
            "worst runs: 1/11309818405589028606/6215 0/0/5745 3/10979058744455515515/5632 4/1214713481185265017/5405 "
            "2/13691739563299450079/5221\n"
            "worst 6215 ps: 0@0[290,2713]#1 1@1[330,4276]#2 2@2[2843,3707]#4 5@2[3817,4256]#6 3@1[4426,5126]#8 "
            "4@3[5216,5712]#10 6@0[5812,5965]#12\n"
            "typical 5632 ps: 0@0[290,2172]#1 1@1[330,3927]#2 2@2[2302,3042]#4 5@2[3152,3577]#6 3@1[4037,4807]#8 "
            "4@3[4897,5356]#10 6@0[5456,5582]#12\n"
            "slots: cpu0 cpu1 npu0 delays\n"
            "use: cpu0/0/3497 cpu1/1/3425 npu0/2/1303\n");
  EXPECT_EQ(simulated(platform, {.engine = {.workers = 1, .mode = DETENT_MODE_STATIC}}),
            "5 runs, 3 executed: 5375 5634 4841 5288 5032\n"
            "min 4841 5288 5634 5634 1 11309818405589028606, mean 5234 +- 137.486\n"
            "worst runs: 1/11309818405589028606/5634 0/0/5375 3/10979058744455515515/5288 4/1214713481185265017/5032 "
            "2/13691739563299450079/4841\n"
            "worst 5634 ps: 0@0[220,1551]#0 1@0[1571,4255]#0 2@1[1611,2475]#0 5@1[2495,2934]#0 3@0[4275,4975]#0 "
            "4@2[4995,5421]#0 6@0[5481,5634]#0\n"
            "typical 5288 ps: 0@0[220,1279]#0 1@0[1299,3973]#0 2@1[1339,2079]#0 5@1[2099,2524]#0 3@0[3993,4693]#0 "
            "4@2[4713,5102]#0 6@0[5162,5288]#0\n"
            "slots: cpu0 npu0 delays\n"
            "use: cpu0/0/4668 npu0/1/1303\n");
}

std::string work_of(const Platform& platform, const Jitter& jitter = {}) {
  const GraphDesc tables(mixed());
  detent_desc desc = tables.desc();
  std::vector<detent_op_cost> costs(desc.op_count, {UINT64_MAX, UINT64_MAX, 0, 0, 0});
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    costs[op].flops = std::uint64_t{100'000} * (op + 1);
    costs[op].read_bytes = std::uint64_t{7000} * (desc.op_count - op);
    costs[op].write_bytes = std::uint64_t{300} * (op % 3);
  }
  costs[4] = {300, 400, 0, 0, 0};
  desc.costs = costs.data();
  std::string text;
  const std::vector<OpWork> work = op_work(desc, platform, jitter);
  for (const OpWork& w : work) {
    text += numbers({w.time.best_ps, w.time.worst_ps, w.compute_ps, w.dram_bytes, w.front_ps, w.front_bytes}) + "\n";
  }
  const auto add = [&](const char* name, const Interference& extra) {
    text += name + numbers(extra.per_op_ps) + " + " + std::to_string(extra.per_run_ps) +
            (extra.unknown ? " unknown: " + *extra.unknown : "") + "\n";
  };
  add("by op:", interference_by_op(desc, platform, work));
  add("by total:", interference_by_total(desc, platform, work));
  return text;
}

TEST(SimFigures, WorkOfOpsAndWhatOthersAdd) {
  Platform platform = find_platform("quad_npu");
  EXPECT_EQ(work_of(platform),
            " 16666667 18333334 16666667 0 0 0\n"
            " 33333334 36666667 33333334 0 0 0\n"
            " 4450000 4895000 366211 0 0 0\n"
            " 66666667 73333334 66666667 0 0 0\n"
            " 300 400 300 0 0 0\n"
            " 1825000 2007501 732422 0 0 0\n"
            " 116666667 128333334 116666667 0 0 0\n"
            "by op: 0 0 0 0 0 0 0 + 0\n"
            "by total: 0 0 0 0 0 0 0 + 0\n");
  platform.contention = Contention::kQueue;
  platform.classes[0].l2_bytes = 100;
  EXPECT_EQ(work_of(platform, {.spread = 0.5}),
            " 16666667 25000000 16666667 48900 0 0\n"
            " 33333334 50000000 33333334 42200 0 0\n"
            " 4450000 6675000 366211 35600 0 0\n"
            " 66666667 100000000 66666667 27900 0 0\n"
            " 300 400 300 0 0 0\n"
            " 1825000 2737500 732422 14600 0 0\n"
            " 116666667 175000000 116666667 6900 0 0\n"
            "by op: 24450050 21100072 17800025 13950114 0 7300011 3450179 + 28\n"
            "by total: 26 51 7 101 0 3 176 + 22012551\n");
  platform.classes[0].threads_per_core = 2;
  platform.classes[0].corun_rate = 0.5;
  platform.classes[0].dram_bytes_per_s = 1'000'000'000;
  platform.classes[0].cache_bytes_per_cycle = 4;
  platform.classes[0].kernel_efficiency = {{"mix", 0.25}};
  EXPECT_EQ(work_of(platform, {.kind = Jitter::Kind::kWorst}),
            " 48916667 53808334 33333334 48900 0 0\n"
            " 66666667 73333334 66666667 42200 0 0\n"
            " 4450000 4895000 366211 35600 0 0\n"
            " 133333334 146666667 133333334 27900 0 0\n"
            " 300 400 300 0 0 0\n"
            " 1825000 2007501 732422 14600 0 0\n"
            " 233333334 256666667 233333334 6900 0 0\n"
            "by op: 78258467 94433502 17800023 160616975 0 7300010 260117185 + 28\n"
            "by total: 53808442 73333481 5 146666961 0 3 256667181 + 22012551\n");
}

TEST(SimFigures, OverheadsOfTheEngineAndLoads) {
  const GraphDesc tables(mixed());
  const auto overhead = [&](const Platform& platform, const EngineKind& kind) {
    const EngineOverhead e = engine_overhead(tables.desc(), platform, kind);
    return "local" + numbers(e.local_ps) + ", role" + numbers(e.role_ps) + ", run " + std::to_string(e.run_ps);
  };
  Platform platform = costly();
  EXPECT_EQ(overhead(platform, {}), "local 120 120 120 120 40 120 120, role 90 90 110 110 130 110 110, run 90");
  EXPECT_EQ(overhead(platform, {.scheduler = DETENT_SCHEDULER_ROLE, .may_migrate = false}),
            "local 80 80 80 80 0 80 80, role 90 90 110 110 130 110 110, run 90");
  EXPECT_EQ(overhead(platform, {.scheduler = DETENT_SCHEDULER_THREAD, .may_migrate = true}),
            "local 120 120 120 120 40 120 120, role 90 90 110 110 130 110 110, run 50");
  platform.loads = {{"tick", "cpu", 1, 1000, 100, 50, 30}, {"tock", "cpu", 0, 3000, 200, 0, 0}};
  EXPECT_EQ(overhead(platform, {.scheduler = DETENT_SCHEDULER_ROLE, .may_migrate = true}),
            "local 150 150 150 150 0 150 150, role 90 90 110 110 130 110 110, run 90");
  std::string loads;
  for (const std::uint64_t bound : {0U, 1U, 999U, 1000U, 1001U, 50'000U})
    loads += " " + std::to_string(loads_ps(platform, bound));
  EXPECT_EQ(loads, " 888 888 1232 1232 1232 18568");
}

std::string refusal_of(const SimOptions& options, const Platform& platform) {
  const GraphDesc tables(mixed());
  try {
    return figures_of(simulate(tables.desc(), platform, options));
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
}

TEST(SimFigures, Refusals) {
  const Platform platform = costly();
  EXPECT_EQ(refusal_of({.engine = {.workers = 3}}, platform),
            "workers: 3 on platform 'plain', which has 2 CPU cores; ask for at most that many");
  EXPECT_EQ(refusal_of({.runs = 0}, platform), "runs: 0; give 1 to 100000000");
  EXPECT_EQ(refusal_of({.runs = 2, .part = {1, 2}}, platform),
            "part: runs 1 to 3 of 2; a part lies within the campaign");
  EXPECT_EQ(refusal_of({.runs = 2, .run_seeds = {1}}, platform), "run_seeds: give one per run, or none");
  EXPECT_EQ(refusal_of({.engine = {.spin_limit = 1}}, platform), "spin: a pause takes no time here; leave it out");
  EXPECT_EQ(refusal_of({.engine = {.policy = "best"}}, platform),
            "policy: \"best\" is unknown; use id, priority, critical-path, fifo, random or given");
  EXPECT_EQ(refusal_of({.engine = {.policy = "given", .order = {0, 1}}}, platform),
            "cannot be bound: INVALID_ARGUMENT: a null pointer or a value outside its range; correct the argument\n");
  EXPECT_EQ(refusal_of({.jitter = {.core_correlation = 1.1}}, platform), "jitter: correlation must be from 0 to 1");
  EXPECT_EQ(refusal_of({.jitter = {.core_correlation = -0.1}}, platform), "jitter: correlation must be from 0 to 1");
  EXPECT_EQ(refusal_of({.jitter = {.kind = Jitter::Kind::kPareto, .shape = 0}}, platform),
            "jitter: the shape of pareto and lognormal must be above 0 and at most 20");
  EXPECT_EQ(refusal_of({.jitter = {.kind = Jitter::Kind::kPareto, .shape = 20.5}}, platform),
            "jitter: the shape of pareto and lognormal must be above 0 and at most 20");
  EXPECT_EQ(refusal_of({.jitter = {.kind = Jitter::Kind::kEmpirical}}, platform),
            "jitter: op 0 (op) is empirical but has no measured quantiles; give a cost table that has it (detent "
            "calibrate), or another rule, such as empirical,mix=uniform:0.1");
  EXPECT_EQ(refusal_of({}, plain_platform({{"cpu", 2}})),
            "graph:ops[2] (op): needs core class 'npu', which platform 'plain' lacks; choose another platform");
}

std::string sensitivity_text(const Platform& platform, const SensitivityOptions& how) {
  const GraphDesc tables(mixed());
  SimOptions options;
  options.runs = 4;
  options.timing_only = true;
  const SimResult result = simulate(tables.desc(), platform, options);
  const Sensitivity s = measure_sensitivity(tables.desc(), platform, options, result, how);
  std::string text = "max " + std::to_string(s.max_ps) + ", " + std::to_string(s.ops_tried) + " of " +
                     std::to_string(s.ops) + " ops, seeds" + numbers(s.seeds) + (s.failure ? *s.failure : "") + "\n";
  for (const CostEffect& e : s.effects) {
    text += e.cost + (e.is_op ? " op " + std::to_string(e.op) : "") + ": " + six_digits(e.cost_change) + " -> " +
            std::to_string(e.change_ps) + ", " + six_digits(e.elasticity) + ", " + std::to_string(e.longer) +
            " longer, " + std::to_string(e.shorter) + " shorter" + (e.anomalous() ? ", anomalous" : "") + "\n";
  }
  return text;
}

TEST(SimFigures, SensitivityOfEveryCost) {
  Platform platform = costly();
  EXPECT_EQ(sensitivity_text(platform, {}),
            "max 4333, 7 of 7 ops, seeds 11309818405589028606 0 10979058744455515515 13691739563299450079\n"
            "op op 1: 0.01 -> 25, 0.576967, 4 longer, 0 shorter\n"
            "op op 3: 0.01 -> 7, 0.161551, 4 longer, 0 shorter\n"
            "op op 4: 0.01 -> 5, 0.115393, 4 longer, 0 shorter\n"
            "overheads.lock_contended_ps: 0.02 -> 4, 0.0461574, 4 longer, 0 shorter\n"
            "overheads.queue_ps: 0.05 -> 9, 0.0415417, 4 longer, 0 shorter\n"
            "op op 6: 0.01 -> 1, 0.0230787, 4 longer, 0 shorter\n"
            "overheads.wake_ps: 0.025 -> 2, 0.018463, 4 longer, 0 shorter\n"
            "overheads.log_ps: 0.2 -> 8, 0.00923148, 4 longer, 0 shorter\n"
            "overheads.dispatch_ps: 0.1 -> 4, 0.00923148, 4 longer, 0 shorter\n"
            "overheads.lock_ps: 0.0333333 -> 1, 0.00692361, 4 longer, 0 shorter\n"
            "cpu.clock_hz: 0.01 -> 0, 0, 0 longer, 0 shorter\n"
            "cpu.flops_per_cycle: 0.01 -> 0, 0, 0 longer, 0 shorter\n"
            "memory.dram_bytes_per_s: 0.01 -> 0, 0, 0 longer, 0 shorter\n"
            "npu.clock_hz: 0.01 -> 0, 0, 0 longer, 0 shorter\n"
            "npu.flops_per_cycle: 0.01 -> 0, 0, 0 longer, 0 shorter\n"
            "op op 0: 0.01 -> 0, 0, 0 longer, 0 shorter\n"
            "op op 2: 0.01 -> 0, 0, 0 longer, 0 shorter\n"
            "op op 5: 0.01 -> 0, 0, 0 longer, 0 shorter\n"
            "overheads.interrupt_ps: 0.0166667 -> 0, 0, 0 longer, 0 shorter\n"
            "overheads.migrate_ps: 0.0142857 -> 0, 0, 0 longer, 0 shorter\n");
  platform.loads = {{"tick", "cpu", 1, 10'000, 1000, 50, 30}};
  EXPECT_EQ(sensitivity_text(platform, {.step = 0.25}),
            "max 5255, 7 of 7 ops, seeds 11309818405589028606 0 10979058744455515515 13691739563299450079\n"
            "op op 1: 0.25 -> 621, 0.472693, 4 longer, 0 shorter\n"
            "load.tick: 0.25 -> 250, 0.190295, 4 longer, 0 shorter\n"
            "op op 3: 0.25 -> 175, 0.133206, 4 longer, 0 shorter\n"
            "op op 4: 0.25 -> 107, 0.0814462, 4 longer, 0 shorter\n"
            "op op 6: 0.25 -> 38, 0.0289248, 4 longer, 0 shorter\n"
            "overheads.lock_contended_ps: 0.26 -> 39, 0.0285442, 4 longer, 0 shorter\n"
            "overheads.queue_ps: 0.25 -> 35, 0.0266413, 4 longer, 0 shorter\n"
            "overheads.log_ps: 0.2 -> 8, 0.0076118, 4 longer, 0 shorter\n"
            "overheads.wake_ps: 0.25 -> 10, 0.0076118, 4 longer, 0 shorter\n"
            "overheads.dispatch_ps: 0.3 -> 12, 0.0076118, 4 longer, 0 shorter\n"
            "overheads.lock_ps: 0.266667 -> 8, 0.00570885, 4 longer, 0 shorter\n"
            "cpu.clock_hz: 0.25 -> 0, 0, 0 longer, 0 shorter\n"
            "cpu.flops_per_cycle: 0.25 -> 0, 0, 0 longer, 0 shorter\n"
            "memory.dram_bytes_per_s: 0.25 -> 0, 0, 0 longer, 0 shorter\n"
            "npu.clock_hz: 0.25 -> 0, 0, 0 longer, 0 shorter\n"
            "npu.flops_per_cycle: 0.25 -> 0, 0, 0 longer, 0 shorter\n"
            "op op 0: 0.25 -> 0, 0, 0 longer, 0 shorter\n"
            "op op 2: 0.25 -> 0, 0, 0 longer, 0 shorter\n"
            "op op 5: 0.25 -> 0, 0, 0 longer, 0 shorter\n"
            "overheads.interrupt_ps: 0.25 -> 0, 0, 0 longer, 0 shorter\n"
            "overheads.migrate_ps: 0.257143 -> 0, 0, 0 longer, 0 shorter\n");
  EXPECT_EQ(sensitivity_text(platform, {.step = 1, .budget_op_runs = 7 * 8 * 3}),
            "max 5255, 3 of 7 ops, seeds 11309818405589028606 0 10979058744455515515 13691739563299450079\n"
            "op op 1: 1 -> 2484, 0.472693, 4 longer, 0 shorter\n"
            "load.tick: 1 -> 1000, 0.190295, 4 longer, 0 shorter\n"
            "op op 3: 1 -> 700, 0.133206, 4 longer, 0 shorter\n"
            "op op 4: 1 -> 427, 0.0812559, 4 longer, 0 shorter\n"
            "overheads.lock_contended_ps: 1 -> 150, 0.0285442, 4 longer, 0 shorter\n"
            "overheads.queue_ps: 1 -> 140, 0.0266413, 4 longer, 0 shorter\n"
            "overheads.lock_ps: 1 -> 60, 0.0114177, 4 longer, 0 shorter\n"
            "overheads.dispatch_ps: 1 -> 40, 0.0076118, 4 longer, 0 shorter\n"
            "overheads.log_ps: 1 -> 40, 0.0076118, 4 longer, 0 shorter\n"
            "overheads.wake_ps: 1 -> 40, 0.0076118, 4 longer, 0 shorter\n"
            "cpu.clock_hz: 1 -> 0, 0, 0 longer, 0 shorter\n"
            "cpu.flops_per_cycle: 1 -> 0, 0, 0 longer, 0 shorter\n"
            "memory.dram_bytes_per_s: 1 -> 0, 0, 0 longer, 0 shorter\n"
            "npu.clock_hz: 1 -> 0, 0, 0 longer, 0 shorter\n"
            "npu.flops_per_cycle: 1 -> 0, 0, 0 longer, 0 shorter\n"
            "overheads.interrupt_ps: 1 -> 0, 0, 0 longer, 0 shorter\n"
            "overheads.migrate_ps: 1 -> 0, 0, 0 longer, 0 shorter\n");
}

}  // namespace
}  // namespace detent::sim::test
