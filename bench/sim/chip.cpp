#include <algorithm>
#include <cstdio>
#include <string>

#include "bench/sim/parts.hpp"
#include "bench/sim/session.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "sim/platform/platform.hpp"

namespace detent::bench {
namespace {

nlohmann::ordered_json bench_platform(const std::string& name, const detent_desc& desc, std::uint64_t runs) {
  const sim::Platform platform = sim::find_platform(name);
  SessionTime best;
  for (int round = 0; round < 3; ++round) {
    const SessionTime time = time_session(desc, platform, runs);
    if (round == 0 || time.seconds_per_run < best.seconds_per_run) best = time;
  }
  std::printf("  %-10s %8.1f us per run, %llu switches, makespan %.3f ms\n", name.c_str(), best.seconds_per_run * 1e6,
              static_cast<unsigned long long>(best.switches_per_run), static_cast<double>(best.makespan_ps) / 1e9);
  return {{"platform", name},
          {"run_us", best.seconds_per_run * 1e6},
          {"switches", best.switches_per_run},
          {"makespan_ps", best.makespan_ps}};
}

}  // namespace

nlohmann::ordered_json bench_chip(bool quick) {
  nlohmann::ordered_json report = nlohmann::ordered_json::array();
  for (const bool npu : {true, false}) {
    const models::Model model = models::make_zoo_model("yolov8n", {.accelerator = npu ? "npu" : ""});
    const models::LoweredModel lowered = models::lower(model, {.weights = false});
    std::printf("yolov8n, %u ops, %s, full chip model:\n", lowered.desc().op_count, npu ? "with NPU" : "CPUs only");
    for (const char* name : {"am62a", "quad_npu", "rk3588", "tda4vm"}) {
      nlohmann::ordered_json row = bench_platform(name, lowered.desc(), quick ? 50 : 500);
      row["npu"] = npu;
      row["ops"] = lowered.desc().op_count;
      report.push_back(std::move(row));
    }
  }
  return report;
}

}  // namespace detent::bench
