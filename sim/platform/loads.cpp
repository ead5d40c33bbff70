// [[load]] tables: work of higher priority that takes cores from the workers.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sim/platform/sections.hpp"

namespace detent::sim {
namespace {

constexpr std::int64_t kMaxLoadPs = 1'000'000'000'000'000;  // a quarter of an hour
constexpr std::size_t kMaxLoads = 1024;
constexpr double kRounding = 1e-9;  // ten times a tenth is all of a core

const CoreClass* load_class(const TomlReader& reader, const std::vector<CoreClass>& classes, const std::string& name) {
  const auto found =
      std::find_if(classes.begin(), classes.end(), [&](const CoreClass& core) { return core.name == name; });
  if (found == classes.end()) {
    reader.fail_at("class", "'load.class' is not a class of this platform; use one of its [[core]] tables");
  }
  if (found->is_accelerator()) {
    reader.fail_at("class", "'load.class' must not be an accelerator, which runs nothing else; name a CPU class");
  }
  return &*found;
}

Load read_load(const TomlReader& reader, const std::vector<CoreClass>& classes) {
  reader.allow_only({"name", "class", "core", "period_ps", "duration_ps", "offset_ps", "jitter_ps"});
  Load load;
  load.name = reader.word("name");
  load.core_class = reader.word("class");
  const CoreClass* core = load_class(reader, classes, load.core_class);
  load.core = static_cast<std::uint32_t>(reader.integer("core", 0, std::int64_t{core->count} - 1));
  load.period_ps = reader.integer("period_ps", 1, kMaxLoadPs);
  load.duration_ps = reader.integer("duration_ps", 1, kMaxLoadPs);
  load.offset_ps = reader.integer_or("offset_ps", 0, 0, static_cast<std::int64_t>(load.period_ps) - 1);
  load.jitter_ps = reader.integer_or("jitter_ps", 0, 0, kMaxLoadPs);
  if (load.period_ps <= load.duration_ps + load.jitter_ps) {
    reader.fail_at("period_ps", "'load.period_ps' must exceed duration_ps + jitter_ps; lengthen the period");
  }
  return load;
}

}  // namespace

std::vector<Load> read_loads(const TomlReader& top, const std::vector<CoreClass>& classes) {
  std::vector<Load> loads;
  std::map<std::pair<std::string, std::uint32_t>, double> utilisation;
  if (!top.has("load")) return loads;
  top.for_each_table("load", [&](const TomlReader& reader) {
    Load load = read_load(reader, classes);
    for (const Load& other : loads) {
      if (other.name == load.name) reader.fail_at("name", "duplicate load '" + load.name + "'; rename one");
    }
    double& used = utilisation[{load.core_class, load.core}];
    used += static_cast<double>(load.duration_ps) / static_cast<double>(load.period_ps);
    if (!(used < 1 - kRounding)) {
      reader.fail_at("duration_ps", "the loads of core " + load.core_class + std::to_string(load.core) +
                                        " leave no time for its worker; shorten them or move one");
    }
    if (loads.size() >= kMaxLoads) {
      reader.fail_at("name", "more than " + std::to_string(kMaxLoads) + " loads; merge some");
    }
    loads.push_back(std::move(load));
  });
  return loads;
}

}  // namespace detent::sim
