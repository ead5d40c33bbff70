#include "app/npu/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "app/model/loaded_model.hpp"
#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/units.hpp"
#include "sim/npu/layer.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {
namespace {

constexpr const char* kDefaultPlatform = "am62a";

struct Total {
  std::uint64_t ops = 0, cycles = 0, macs = 0, read_bytes = 0, write_bytes = 0;
};

const sim::CoreClass& npu_of(const sim::Platform& platform) {
  const auto place = std::ranges::find_if(platform.classes, [](const sim::CoreClass& c) { return c.npu.has_value(); });
  if (place != platform.classes.end()) return *place;
  throw std::invalid_argument("--platform " + platform.name + ": has no systolic array ([core.npu]); choose another");
}

Json layer_json(const detent_desc& desc, OpId op, const sim::npu::LayerCost& cost) {
  Json json = {{"op", op}, {"name", desc.ops[op].name}, {"kernel", desc.kernels[desc.ops[op].kernel]}};
  json["on_array"] = cost.on_array;
  if (cost.on_array) {
    json["gemm"] = {{"m", cost.gemm.m}, {"n", cost.gemm.n}, {"k", cost.gemm.k}};
    json["groups"] = cost.groups;
  } else {
    json["elements"] = cost.elements;
  }
  json["compute_cycles"] = cost.compute_cycles;
  json["macs"] = cost.macs;
  json["utilisation"] = cost.utilisation;
  json["dram_read_bytes"] = cost.dram_read_bytes;
  json["dram_write_bytes"] = cost.dram_write_bytes;
  json["sram"] = {{"input_reads", cost.sram.input_reads},
                  {"weight_reads", cost.sram.weight_reads},
                  {"output_writes", cost.sram.output_writes}};
  return json;
}

std::string shape_text(const sim::npu::LayerCost& cost) {
  if (!cost.on_array) return counted(cost.elements, "element");
  return fmt::format("{} x {} x {}{}", cost.gemm.m, cost.gemm.n, cost.gemm.k,
                     cost.groups > 1 ? fmt::format(", {} times", cost.groups) : "");
}

}  // namespace

Answer map_model_onto_npu(const Request& request, const std::string& platform_name) {
  const sim::Platform platform = sim::find_platform(platform_name.empty() ? kDefaultPlatform : platform_name);
  const sim::CoreClass& core = npu_of(platform);
  const LoadedModel loaded = load(request.model, {.accelerator = core.name, .weights = false});
  const detent_desc& desc = loaded.desc();

  Answer made;
  Lines& lines = made.lines;
  Json layers = Json::array();
  Total total;
  std::uint64_t cell_cycles = 0;
  lines.push_back(fmt::format("{} on {} of {}: {} x {} cells", request.model, core.name, platform.name,
                              core.npu->array.rows, core.npu->array.cols));
  lines.push_back(fmt::format("{:<22}{:<25}{:>11}{:>10}{:>11}", "op", "M x N x K", "cycles", "utilised", "DRAM bytes"));
  for (OpId op = 0; op < desc.op_count; ++op) {
    const std::optional<sim::npu::LayerCost> cost = sim::npu::layer_cost(desc, op, *core.npu);
    if (!cost) continue;
    layers.push_back(layer_json(desc, op, *cost));
    ++total.ops;
    total.cycles += cost->compute_cycles;
    total.macs += cost->macs;
    total.read_bytes += cost->dram_read_bytes;
    total.write_bytes += cost->dram_write_bytes;
    if (cost->on_array) cell_cycles += cost->compute_cycles;
    lines.push_back(fmt::format("{:<22}{:<25}{:>11}{:>8.1f} %{:>11}", desc.ops[op].name, shape_text(*cost),
                                cost->compute_cycles, 100 * cost->utilisation,
                                cost->dram_read_bytes + cost->dram_write_bytes));
  }
  const double cells = static_cast<double>(core.npu->array.rows) * core.npu->array.cols;
  const double utilisation =
      cell_cycles == 0 ? 0 : static_cast<double>(total.macs) / (static_cast<double>(cell_cycles) * cells);
  lines.push_back(fmt::format("{:<22}{:<25}{:>11}{:>8.1f} %{:>11}",
                              fmt::format("{} of {}", total.ops, counted(desc.op_count, "op")), "", total.cycles,
                              100 * utilisation, total.read_bytes + total.write_bytes));

  Json& answer = made.json;
  answer = json_header("npu", request);
  answer["platform"] = platform.name;
  answer["array"] = {{"rows", core.npu->array.rows}, {"cols", core.npu->array.cols}};
  answer["ops"] = desc.op_count;
  answer["compute_cycles"] = total.cycles;
  answer["macs"] = total.macs;
  answer["utilisation"] = utilisation;
  answer["dram_read_bytes"] = total.read_bytes;
  answer["dram_write_bytes"] = total.write_bytes;
  answer["layers"] = std::move(layers);
  return made;
}

}  // namespace detent::app
