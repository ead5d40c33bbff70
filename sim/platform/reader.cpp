#include "sim/platform/reader.hpp"

#include <algorithm>
#include <string>

#include "base/toml.hpp"
#include "sim/platform/numbers.hpp"
#include "sim/platform/sections.hpp"

namespace detent::sim {
namespace {

constexpr std::string_view kPlatformSchema = "detent.platform/1";
constexpr std::int64_t kMaxBytesPerSecond = 1'000'000'000'000'000;
constexpr std::int64_t kMaxOverheadPs = 1'000'000'000'000;  // one second
constexpr std::int64_t kMinBurstBytes = 8;
constexpr std::int64_t kMaxBurstBytes = 65536;

Overheads read_overheads(const TomlReader& reader) {
  reader.allow_only(
      {"dispatch_ps", "queue_ps", "lock_ps", "wake_ps", "log_ps", "lock_contended_ps", "interrupt_ps", "migrate_ps"});
  Overheads result;
  result.dispatch_ps = reader.integer("dispatch_ps", 0, kMaxOverheadPs);
  result.queue_ps = reader.integer("queue_ps", 0, kMaxOverheadPs);
  result.lock_ps = reader.integer("lock_ps", 0, kMaxOverheadPs);
  result.wake_ps = reader.integer("wake_ps", 0, kMaxOverheadPs);
  result.log_ps = reader.integer("log_ps", 0, kMaxOverheadPs);
  result.lock_contended_ps = reader.integer_or("lock_contended_ps", result.lock_ps, 0, kMaxOverheadPs);
  if (result.lock_contended_ps < result.lock_ps) {
    reader.fail_at("lock_contended_ps", "'overheads.lock_contended_ps' is below lock_ps; give at least that");
  }
  result.interrupt_ps = reader.integer_or("interrupt_ps", 0, 0, kMaxOverheadPs);
  result.migrate_ps = reader.integer_or("migrate_ps", 0, 0, kMaxOverheadPs);
  return result;
}

Contention read_contention(const TomlReader& reader) {
  const std::string word = reader.text("contention");
  if (word == contention_word(Contention::kNone)) return Contention::kNone;
  if (word == contention_word(Contention::kQueue)) return Contention::kQueue;
  reader.fail_at("contention", "'memory.contention' is '" + word + "'; write none or queue");
}

void read_memory(const TomlReader& reader, Platform& platform) {
  reader.allow_only({"dram_bytes_per_s", "bytes", "burst_bytes", "contention"});
  platform.dram_bytes_per_s = reader.integer("dram_bytes_per_s", 1, kMaxBytesPerSecond);
  if (reader.has("bytes")) platform.memory_bytes = reader.integer("bytes", 1, INT64_MAX);
  platform.burst_bytes = static_cast<std::uint32_t>(
      reader.integer_or("burst_bytes", platform.burst_bytes, kMinBurstBytes, kMaxBurstBytes));
  if ((platform.burst_bytes & (platform.burst_bytes - 1)) != 0) {
    reader.fail_at("burst_bytes", "'memory.burst_bytes' must be a power of two; give 8, 16, ... 65536");
  }
  if (reader.has("contention")) platform.contention = read_contention(reader);
}

std::vector<Provenance> read_provenance(const TomlReader& reader, const Platform& platform) {
  const std::vector<PlatformNumber> numbers = platform_numbers(platform);
  for (const auto& [key, node] : reader.raw()) {
    const bool known = std::any_of(numbers.begin(), numbers.end(),
                                   [name = key.str()](const PlatformNumber& number) { return number.key == name; });
    if (!known) {
      reader.fail(&node, "provenance of '" + std::string(key.str()) +
                             "', which is not a number of this platform; correct its key");
    }
  }
  std::vector<Provenance> result;
  for (const PlatformNumber& number : numbers) {
    if (!reader.has(number.key)) continue;
    const std::string source = reader.text(number.key);
    const bool flagged = source.starts_with("seen") || source.starts_with("derived") || source.starts_with("memory");
    if (!flagged) reader.fail_at(number.key, "provenance must begin with seen, derived or memory; say which");
    result.push_back({number.key, source});
  }
  return result;
}

Platform read_platform_table(const TomlReader& top) {
  top.allow_only({"schema", "name", "description", "core", "memory", "overheads", "load", "provenance"});
  top.require_schema(kPlatformSchema);
  Platform platform;
  platform.name = top.word("name");
  if (top.has("description")) platform.description = top.text("description");
  platform.classes = read_classes(top);
  read_memory(top.table("memory"), platform);
  check_core_bandwidths(top, platform);
  platform.overheads = read_overheads(top.table("overheads"));
  platform.loads = read_loads(top, platform.classes);
  if (top.has("provenance")) platform.provenance = read_provenance(top.table("provenance"), platform);
  return platform;
}

}  // namespace

Platform parse_platform(std::string_view text, const std::string& file) {
  const toml::table table = parse_toml(text, file);
  return read_platform_table(TomlReader(table, file, ""));
}

}  // namespace detent::sim
