#include "app/partition/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "base/words/list.hpp"
#include "base/words/pattern.hpp"
#include "models/devices/assign_core_class.hpp"

namespace detent::app {
namespace {

/// Operations per second that the kernels of a class reach.
double rate(const sim::CoreClass& cores) {
  const double clock_hz = static_cast<double>(cores.clock_hz);
  if (!cores.npu) return cores.flops_per_cycle * clock_hz * cores.efficiency;
  return 2.0 * cores.npu->array.rows * cores.npu->array.cols * clock_hz;
}

PlacementDevice device_of(const sim::CoreClass& cores, double cpu_rate) {
  const bool is_accelerator = cores.name == "npu" || cores.is_accelerator();
  const double own = rate(cores);
  return {.name = cores.name,
          .kernels = is_accelerator ? models::accelerated_kernels() : std::vector<std::string>{"*"},
          .performance = own > 0 && cpu_rate > 0 ? cpu_rate / own : 1};
}

/// The device that an option names.
PlacementDevice& find(std::vector<PlacementDevice>& devices, const std::string& option, const std::string& name) {
  const auto found = std::ranges::find(devices, name, &PlacementDevice::name);
  if (found != devices.end()) return *found;
  std::string names;
  for (const PlacementDevice& device : devices) names += (names.empty() ? "" : ", ") + device.name;
  throw std::invalid_argument(fmt::format("{}: the platform has no class '{}'; it has {}", option, name, names));
}

void set_ability(const std::string& ability, std::vector<PlacementDevice>& devices) {
  const std::size_t equals = ability.find('=');
  const std::string option = "--can " + ability;
  if (equals == std::string::npos) {
    throw std::invalid_argument(option + ": write a class and its kernels, such as npu=conv2d_f32,gemm*");
  }
  PlacementDevice& device = find(devices, option, ability.substr(0, equals));
  device.kernels.clear();
  for (const std::string_view kernel : split_at_commas(std::string_view(ability).substr(equals + 1))) {
    device.kernels.emplace_back(kernel);
  }
  if (std::ranges::find(device.kernels, "") != device.kernels.end()) {
    throw std::invalid_argument(option + ": a kernel is missing; `detent list kernels` names them");
  }
}

}  // namespace

bool PlacementDevice::executes(const std::string& kernel) const {
  return std::ranges::any_of(kernels, [&](const std::string& pattern) { return matches(pattern, kernel); });
}

std::vector<PlacementDevice> placement_devices(const sim::Platform& platform, const std::string& names,
                                               const std::vector<std::string>& abilities) {
  std::vector<PlacementDevice> all;
  for (const sim::CoreClass& cores : platform.classes) all.push_back(device_of(cores, rate(platform.classes.front())));
  for (const std::string& ability : abilities) set_ability(ability, all);
  if (names.empty()) return all;
  const std::vector<std::string_view> wanted = split_at_commas(names);
  for (const std::string_view name : wanted) {
    find(all, "--devices " + names, std::string(name));
    if (std::ranges::count(wanted, name) > 1) {
      throw std::invalid_argument(fmt::format("--devices {}: names '{}' twice", names, name));
    }
  }
  std::erase_if(all, [&](const PlacementDevice& it) { return std::ranges::find(wanted, it.name) == wanted.end(); });
  return all;
}

}  // namespace detent::app
