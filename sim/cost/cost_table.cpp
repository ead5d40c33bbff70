// CostTable <-> detent.costs/1 (TOML), strictly: unknown keys, negative or unsorted numbers name file and line.
#include "sim/cost/cost_table.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "base/toml.hpp"
#include "base/wanted_file.hpp"

namespace detent::sim {
namespace {

constexpr std::string_view kCostSchema = "detent.costs/1";
constexpr std::uint64_t kMaxCostFileBytes = std::uint64_t{1} << 28U;
constexpr std::int64_t kMaxMeasuredPs = 1'000'000'000'000'000'000;  // eleven days
constexpr std::int64_t kMaxMeasuredBytes = std::int64_t{1} << 50U;
constexpr std::size_t kMinQuantiles = 2;
constexpr std::size_t kMaxQuantiles = 65;

std::uint64_t read_count(const TomlReader& reader, std::string_view key, std::int64_t high) {
  return reader.integer(key, 0, high);
}

std::vector<std::uint64_t> read_quantiles(const TomlReader& reader, std::string_view key) {
  const toml::node& node = reader.need(key);
  if (!node.is_array()) reader.fail(&node, "'" + reader.full(key) + "' must be a list; write [1, 2, 3]");
  std::vector<std::uint64_t> values;
  for (const toml::node& entry : *node.as_array()) {
    const auto* value = entry.as_integer();
    if (value == nullptr || **value < 0 || **value > kMaxMeasuredPs) {
      reader.fail(&entry, "'" + reader.full(key) + "' has an entry that is not a time; use integers from 0 to " +
                              std::to_string(kMaxMeasuredPs));
    }
    values.push_back(static_cast<std::uint64_t>(**value));
  }
  return values;
}

void check_quantiles(const TomlReader& reader, const MeasuredTimes& times) {
  const std::vector<std::uint64_t>& values = times.quantiles_ps;
  const toml::node* node = reader.find("quantiles_ps");
  if (values.size() < kMinQuantiles || values.size() > kMaxQuantiles) {
    reader.fail(node, "'" + reader.full("quantiles_ps") + "' has " + std::to_string(values.size()) +
                          " entries; give 2 to 65, or leave it out");
  }
  if (!std::is_sorted(values.begin(), values.end())) {
    reader.fail(node, "'" + reader.full("quantiles_ps") + "' must be in ascending order; sort it");
  }
  if (values.front() != times.min_ps || values.back() != times.max_ps) {
    reader.fail(node, "'" + reader.full("quantiles_ps") + "' must begin with min_ps and end with max_ps; correct them");
  }
}

MeasuredTimes read_measured_times(const TomlReader& reader) {
  reader.allow_only({"min_ps", "median_ps", "p99_ps", "max_ps", "quantiles_ps"});
  MeasuredTimes times;
  times.min_ps = read_count(reader, "min_ps", kMaxMeasuredPs);
  times.median_ps = read_count(reader, "median_ps", kMaxMeasuredPs);
  times.p99_ps = read_count(reader, "p99_ps", kMaxMeasuredPs);
  times.max_ps = read_count(reader, "max_ps", kMaxMeasuredPs);
  if (times.min_ps > times.median_ps || times.median_ps > times.p99_ps || times.p99_ps > times.max_ps) {
    reader.fail(reader.find("min_ps"), "'" + reader.full("min_ps") +
                                           "', median_ps, p99_ps and max_ps are out of order; none may be below the "
                                           "one before");
  }
  if (reader.has("quantiles_ps")) {
    times.quantiles_ps = read_quantiles(reader, "quantiles_ps");
    check_quantiles(reader, times);
  }
  return times;
}

MeasuredOp read_measured_op(const TomlReader& reader) {
  reader.allow_only({"name", "kernel", "dram_bytes", "warm", "cold"});
  MeasuredOp op;
  op.name = reader.text("name");
  if (op.name.empty()) reader.fail(reader.find("name"), "'op.name' is empty; name an op of the model");
  op.kernel = reader.text("kernel");
  if (op.kernel.empty()) reader.fail(reader.find("kernel"), "'op.kernel' is empty; name the op's kernel");
  if (reader.has("dram_bytes")) op.dram_bytes = read_count(reader, "dram_bytes", kMaxMeasuredBytes);
  op.warm = read_measured_times(reader.table("warm"));
  op.cold = reader.has("cold") ? read_measured_times(reader.table("cold")) : op.warm;
  return op;
}

std::vector<MeasuredOp> read_measured_ops(const TomlReader& top) {
  std::vector<std::pair<MeasuredOp, const toml::table*>> ops;
  top.for_each_table("op",
                     [&](const TomlReader& reader) { ops.emplace_back(read_measured_op(reader), &reader.raw()); });
  std::stable_sort(ops.begin(), ops.end(), [](const auto& a, const auto& b) { return a.first.name < b.first.name; });
  std::vector<MeasuredOp> result;
  result.reserve(ops.size());
  for (auto& [op, place] : ops) {
    if (!result.empty() && result.back().name == op.name) top.fail(place, "duplicate op '" + op.name + "'; keep one");
    result.push_back(std::move(op));
  }
  return result;
}

/// As files spell it.
constexpr std::array<std::pair<std::string_view, CostTable::Measured>, 3> kMeasuredWords = {
    {{"here", CostTable::Measured::kHere},
     {"target", CostTable::Measured::kOnTarget},
     {"vendor", CostTable::Measured::kByVendor}}};

CostTable::Measured read_measured(const TomlReader& top) {
  if (!top.has("measured")) return CostTable::Measured::kUnsaid;
  const std::string word = top.text("measured");
  for (const auto& [known, measured] : kMeasuredWords) {
    if (known == word) return measured;
  }
  top.fail_at("measured", "'" + word + "' is not known; write here, target or vendor");
}

CostTable read_cost_table(const TomlReader& top) {
  top.allow_only({"schema", "model", "source", "measured", "use_cold", "op"});
  top.require_schema(kCostSchema);
  CostTable table;
  table.model = top.text("model");
  if (top.has("source")) table.source = top.text("source");
  table.measured = read_measured(top);
  table.use_cold = top.boolean_or("use_cold", false);
  table.ops = read_measured_ops(top);
  return table;
}

/// A TOML basic string.
std::string toml_string(const std::string& text) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      result += "\\u00";
      result += kHex[byte >> 4U];
      result += kHex[byte & 15U];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string format_measured_times(const MeasuredTimes& times) {
  std::string text = "{ min_ps = " + std::to_string(times.min_ps) + ", median_ps = " + std::to_string(times.median_ps) +
                     ", p99_ps = " + std::to_string(times.p99_ps) + ", max_ps = " + std::to_string(times.max_ps);
  if (!times.quantiles_ps.empty()) {
    text += ", quantiles_ps = [";
    for (std::size_t i = 0; i < times.quantiles_ps.size(); ++i) {
      text += (i == 0 ? "" : ", ") + std::to_string(times.quantiles_ps[i]);
    }
    text += "]";
  }
  return text + " }";
}

}  // namespace

const MeasuredOp* find_measured(const CostTable& table, const detent_desc& desc, OpId op) {
  const char* name = desc.ops[op].name;
  if (name == nullptr) return nullptr;
  const std::string_view wanted = name;
  const auto at = std::lower_bound(table.ops.begin(), table.ops.end(), wanted,
                                   [](const MeasuredOp& entry, std::string_view key) { return entry.name < key; });
  if (at == table.ops.end() || at->name != wanted) return nullptr;
  return at->kernel == desc.kernels[desc.ops[op].kernel] ? &*at : nullptr;
}

CostTable read_costs(const std::string& path) {
  static const WantedFile kTable = {"a table of op times",
                                    {FileKind::kCosts, FileKind::kToml, FileKind::kText},
                                    "give a file that detent calibrate MODEL -o FILE wrote"};
  return parse_costs(read_wanted_file(path, kMaxCostFileBytes, kTable), path);
}

CostTable parse_costs(std::string_view text, const std::string& file) {
  const toml::table table = parse_toml(text, file);
  return read_cost_table(TomlReader(table, file, ""));
}

std::string format_costs(const CostTable& table) {
  std::string text = "schema = " + toml_string(std::string(kCostSchema)) + "\nmodel = " + toml_string(table.model) +
                     "\nsource = " + toml_string(table.source) + "\n";
  for (const auto& [word, measured] : kMeasuredWords) {
    if (measured == table.measured) text += "measured = " + toml_string(std::string(word)) + "\n";
  }
  text += std::string("use_cold = ") + (table.use_cold ? "true" : "false") + "\n";
  for (const MeasuredOp& op : table.ops) {
    text += "\n[[op]]\nname = " + toml_string(op.name) + "\nkernel = " + toml_string(op.kernel) + "\n";
    if (op.dram_bytes != 0) text += "dram_bytes = " + std::to_string(op.dram_bytes) + "\n";
    text += "warm = " + format_measured_times(op.warm) + "\ncold = " + format_measured_times(op.cold) + "\n";
  }
  return text;
}

}  // namespace detent::sim
