#include "app/partition/device_list.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "app/catalogue/platform_list.hpp"
#include "app/partition/devices.hpp"
#include "app/simulate/simulation.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "harness/device/device_module.hpp"
#include "models/core/dtypes.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kRow = "{:<17}{:<8}{:<5}{:>5}  {:>11}  {:>10}  {}";

/// Of NNAPI's kinds: CPU, GPU, accelerator.
const char* kind_of(const sim::CoreClass& cores) { return cores.npu ? "npu" : cores.gpu ? "gpu" : "cpu"; }

/// Memory that one of them has to itself.
std::uint64_t own_bytes(const sim::CoreClass& cores) {
  if (!cores.npu) return cores.l2_bytes;
  return cores.npu->input_buffer_bytes + cores.npu->weight_buffer_bytes + cores.npu->output_buffer_bytes;
}

void add_devices(const sim::Platform& platform, Json& list, Lines& lines) {
  const std::vector<PlacementDevice> devices = placement_devices(platform, "", {});
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const PlacementDevice& device = devices[i];
    const sim::CoreClass& cores = platform.classes[i];
    list.push_back({{"platform", platform.name},
                    {"name", device.name},
                    {"kind", kind_of(cores)},
                    {"count", cores.count},
                    {"kernels", device.kernels},
                    {"relative_time", device.performance},
                    {"own_bytes", own_bytes(cores)},
                    {"queue_depth", cores.queue_depth}});
    lines.push_back(fmt::format(kRow, platform.name, device.name, kind_of(cores), cores.count,
                                fmt::format("{:.4g}", device.performance), format_bytes(own_bytes(cores)),
                                fmt::format("{}", fmt::join(device.kernels, ", "))));
  }
}

}  // namespace

Answer list_devices(const Request& request, const std::string& platform) {
  Answer made{.json = json_header("list", request)};
  made.json.erase("model");
  made.lines = {fmt::format(kRow, "platform", "device", "kind", "count", "time, cpu=1", "own memory", "kernels")};
  Json list = Json::array();
  const std::vector<sim::Platform> platforms =
      platform.empty() ? all_platforms() : std::vector{choose_platform(platform, false)};
  for (const sim::Platform& one : platforms) add_devices(one, list, made.lines);
  made.json["devices"] = std::move(list);
  return made;
}

Answer list_device_module(const Request& request, const std::string& module) {
  const harness::DeviceModule opened(module);
  const detent_device_module& table = opened.table();
  Answer made{.json = json_header("list", request)};
  made.json.erase("model");
  Json performance = Json::array();
  Lines types;
  for (std::uint32_t i = 0; i < table.performance_count; ++i) {
    const detent_device_performance& one = table.performance[i];
    const std::string type(models::dtype_of(static_cast<detent_dtype>(one.dtype)).name);
    performance.push_back({{"type", type}, {"relative_time", one.time}, {"relative_power", one.power}});
    types.push_back(fmt::format("{:<8}{:>10.4g}{:>10.4g}", type, one.time, one.power));
  }
  const std::vector<std::string> kernels = opened.kernels();
  Json extensions = Json::array();
  Lines extension_lines;
  for (std::uint32_t i = 0; i < table.extension_count; ++i) {
    const detent_device_extension& one = table.extensions[i];
    const std::vector<std::string> own(one.kernels, one.kernels + one.kernel_count);
    extensions.push_back({{"name", one.name}, {"version", one.version}, {"kernels", own}});
    extension_lines.push_back(fmt::format("extension {} {}: {}", one.name, one.version, fmt::join(own, ", ")));
  }
  const bool can_prepare = table.prepare != nullptr;
  made.json["modules"] = {{{"module", module},
                           {"name", table.name},
                           {"release", table.release},
                           {"kind", detent_device_kind_name(table.kind)},
                           {"class", table.class_name},
                           {"slots", table.slots},
                           {"table_version", table.version},
                           {"kernels", kernels},
                           {"extensions", extensions},
                           {"prepares", can_prepare},
                           {"performance", performance}}};
  made.lines = {fmt::format("{} {}: {}, serves class {}, {} at once", table.name, table.release,
                            detent_device_kind_name(table.kind), table.class_name, counted(table.slots, "op")),
                fmt::format("kernels {}", fmt::join(kernels, ", "))};
  append(made.lines, extension_lines);
  if (can_prepare)
    made.lines.emplace_back("prepares networks: run, simulate and explore --prepared DIR keep the forms");
  if (!types.empty()) made.lines.push_back(fmt::format("{:<8}{:>10}{:>10}", "type", "time", "power"));
  append(made.lines, types);
  return made;
}

}  // namespace detent::app
