#include "sim/platform_reader.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <stdexcept>

#include "runtime/limits.h"

namespace detent::sim {
namespace {

constexpr std::string_view kSchema = "detent.platform/1";
constexpr std::int64_t kMaxClockHz = 1'000'000'000'000;
constexpr std::int64_t kMaxBytesPerSecond = 1'000'000'000'000'000;
constexpr std::int64_t kMaxOverheadPs = 1'000'000'000'000;  // one second
constexpr double kMaxFlopsPerCycle = 1e9;

/// One table of the file with the place that errors name. Every key must be one of those asked for.
class Reader {
 public:
  Reader(const toml::table& table, std::string file, std::string path)
      : table_(table), file_(std::move(file)), path_(std::move(path)) {}

  [[noreturn]] void fail(const toml::node* node, const std::string& what) const {
    const auto line = (node != nullptr ? node->source() : table_.source()).begin.line;
    throw std::invalid_argument(file_ + ":" + std::to_string(line) + ": " + what);
  }

  void allow_only(std::initializer_list<std::string_view> keys) const {
    for (const auto& [key, node] : table_) {
      if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
      std::string known;
      for (const auto& name : keys) known += (known.empty() ? "" : ", ") + std::string(name);
      fail(&node, "unknown key '" + full(key.str()) + "'; keys here are " + known);
    }
  }

  [[nodiscard]] const toml::node* find(std::string_view key) const { return table_.get(key); }

  [[nodiscard]] const toml::node& need(std::string_view key) const {
    const toml::node* node = find(key);
    if (node == nullptr) fail(nullptr, "missing key '" + full(key) + "'; add it");
    return *node;
  }

  [[nodiscard]] std::string text(std::string_view key) const {
    const toml::node& node = need(key);
    if (!node.is_string()) fail(&node, "'" + full(key) + "' is no string; write it in quotes");
    return **node.as_string();
  }

  [[nodiscard]] std::uint64_t integer(std::string_view key, std::int64_t low, std::int64_t high) const {
    const toml::node& node = need(key);
    const auto* value = node.as_integer();
    if (value == nullptr || **value < low || **value > high) {
      fail(&node, "'" + full(key) + "' is impossible; give an integer from " + std::to_string(low) + " to " +
                      std::to_string(high));
    }
    return static_cast<std::uint64_t>(**value);
  }

  [[nodiscard]] double number(std::string_view key, double high) const {
    const toml::node& node = need(key);
    const double value = node.is_number() ? *node.value<double>() : std::nan("");
    if (!(value > 0 && value <= high)) {
      std::string limit = std::to_string(high);
      limit.erase(limit.find('.'));
      fail(&node, "'" + full(key) + "' is impossible; give a number above 0 and at most " + limit);
    }
    return value;
  }

  [[nodiscard]] Reader table(std::string_view key) const {
    const toml::node& node = need(key);
    if (!node.is_table()) fail(&node, "'" + full(key) + "' is no table; write [" + full(key) + "]");
    return {*node.as_table(), file_, full(key)};
  }

  [[nodiscard]] std::string full(std::string_view key) const {
    return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
  }
  [[nodiscard]] const toml::table& raw() const { return table_; }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  const toml::table& table_;
  std::string file_;
  std::string path_;
};

bool is_word(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string read_word(const Reader& reader, std::string_view key) {
  const std::string word = reader.text(key);
  if (!is_word(word)) {
    reader.fail(reader.find(key), "'" + reader.full(key) + "' is no name; use a-z, 0-9 and _, at most 64");
  }
  return word;
}

CoreClass read_class(const Reader& reader) {
  reader.allow_only({"class", "count", "clock_hz", "flops_per_cycle", "efficiency"});
  CoreClass result;
  result.name = read_word(reader, "class");
  if (result.name == "delay") reader.fail(reader.find("class"), "class 'delay' stands for transfers; rename it");
  result.count = static_cast<std::uint32_t>(reader.integer("count", 1, DETENT_MAX_WORKERS));
  result.clock_hz = reader.integer("clock_hz", 1, kMaxClockHz);
  result.flops_per_cycle = reader.number("flops_per_cycle", kMaxFlopsPerCycle);
  if (reader.find("efficiency") != nullptr) result.efficiency = reader.number("efficiency", 1.0);
  return result;
}

std::vector<CoreClass> read_classes(const Reader& top) {
  const toml::node& node = top.need("core");
  if (!node.is_array_of_tables()) top.fail(&node, "'core' is no list of tables; write [[core]] once per class");
  std::vector<CoreClass> classes;
  std::uint32_t cores = 0;
  for (const auto& entry : *node.as_array()) {
    const Reader reader(*entry.as_table(), top.file(), "core");
    CoreClass next = read_class(reader);
    for (const auto& other : classes) {
      if (other.name == next.name)
        reader.fail(reader.find("class"), "class '" + next.name + "' is given twice; merge them");
    }
    cores += next.count;
    if (cores > DETENT_MAX_WORKERS) {
      reader.fail(reader.find("count"), "more than " + std::to_string(DETENT_MAX_WORKERS) + " cores; lower 'count'");
    }
    classes.push_back(std::move(next));
  }
  if (classes.empty() || classes[0].name != "cpu") top.fail(&node, "the first core class must be 'cpu'; reorder");
  return classes;
}

Overheads read_overheads(const Reader& reader) {
  reader.allow_only({"dispatch_ps", "queue_ps", "lock_ps", "wake_ps", "log_ps"});
  Overheads result;
  result.dispatch_ps = reader.integer("dispatch_ps", 0, kMaxOverheadPs);
  result.queue_ps = reader.integer("queue_ps", 0, kMaxOverheadPs);
  result.lock_ps = reader.integer("lock_ps", 0, kMaxOverheadPs);
  result.wake_ps = reader.integer("wake_ps", 0, kMaxOverheadPs);
  result.log_ps = reader.integer("log_ps", 0, kMaxOverheadPs);
  return result;
}

/// Keys of numbers that a provenance may speak of.
std::vector<std::string> number_keys(const Platform& platform) {
  std::vector<std::string> keys;
  for (const auto& core : platform.classes) {
    for (const char* key : {"count", "clock_hz", "flops_per_cycle", "efficiency"}) {
      keys.push_back(core.name + "." + key);
    }
  }
  for (const char* key : {"dram_bytes_per_s", "bytes"}) keys.push_back(std::string("memory.") + key);
  for (const char* key : {"dispatch_ps", "queue_ps", "lock_ps", "wake_ps", "log_ps"}) {
    keys.push_back(std::string("overheads.") + key);
  }
  return keys;
}

std::vector<Provenance> read_provenance(const Reader& reader, const Platform& platform) {
  const std::vector<std::string> known = number_keys(platform);
  for (const auto& [key, node] : reader.raw()) {
    if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
      reader.fail(&node, "provenance of '" + std::string(key.str()) + "', which is no number of this platform; fix it");
    }
  }
  std::vector<Provenance> result;
  for (const auto& key : known) {
    const toml::node* node = reader.find(key);
    if (node == nullptr) continue;
    const std::string source = reader.text(key);
    const bool flagged = source.starts_with("seen") || source.starts_with("derived") || source.starts_with("memory");
    if (!flagged) reader.fail(node, "provenance must begin with seen, derived or memory; say which");
    result.push_back({key, source});
  }
  return result;
}

Platform read_table(const Reader& top) {
  top.allow_only({"schema", "name", "description", "core", "memory", "overheads", "provenance"});
  if (top.text("schema") != kSchema) {
    top.fail(top.find("schema"), "unknown schema '" + top.text("schema") + "'; write \"" + std::string(kSchema) + "\"");
  }
  Platform platform;
  platform.name = read_word(top, "name");
  if (top.find("description") != nullptr) platform.description = top.text("description");
  platform.classes = read_classes(top);
  const Reader memory = top.table("memory");
  memory.allow_only({"dram_bytes_per_s", "bytes"});
  platform.dram_bytes_per_s = memory.integer("dram_bytes_per_s", 1, kMaxBytesPerSecond);
  if (memory.find("bytes") != nullptr) platform.memory_bytes = memory.integer("bytes", 1, INT64_MAX);
  platform.overheads = read_overheads(top.table("overheads"));
  if (top.find("provenance") != nullptr) platform.provenance = read_provenance(top.table("provenance"), platform);
  return platform;
}

}  // namespace

Platform parse_platform(std::string_view text, const std::string& file) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw std::invalid_argument(file + ":" + std::to_string(error.source().begin.line) + ": " +
                                std::string(error.description()) + "; fix the TOML syntax");
  }
  return read_table(Reader(table, file, ""));
}

}  // namespace detent::sim
