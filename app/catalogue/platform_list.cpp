#include "app/catalogue/platform_list.hpp"

#include <fmt/format.h>

#include <string_view>
#include <variant>

#include "sim/platform/numbers.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kRow = "{:<16}{:<25}{:<9}{:<11}{:>4}{:>8}{:>7}";
constexpr std::string_view kTableHead =
    "| platform | cores | NPU | DRAM | seen | derived | memory |\n|---|---|---|---|---|---|---|\n";

constexpr std::string_view kIntroduction = R"(# Platforms

The chips that are built in. This file is what `detent list platforms --markdown` prints; the numbers stand in
`sim/platforms/*.toml`, and a file of your own (`--platform FILE.toml`) has the same format, which
`sim/platforms/quad_npu.toml` explains key by key.

Every number says where it comes from: **seen** in the source that is named, **derived** from such figures by the
arithmetic that is named, or from **memory**, which is a guess by someone who knows such chips: replace it by a
measurement of your board before you rely on it. Numbers that a file leaves out have the defaults of the format.

)";

constexpr std::string_view kFitted = R"(
## Memory contention against silicon

TI measured copies on AM62P, the sister chip of AM62A with the same DRAM (SPRADG0A, LMBench `bw_mem 8M`). What one core
reaches and what the DRAM serves are fitted on one and four cores; two cores are predicted by the closed queue of
`sim/cost/dram.hpp`. A pipe that is divided by the number of cores, min(n * one core, DRAM), stands beside it.

| loop | 1 core, MB/s copied | 4 cores | 2 cores measured | queue | divided pipe |
|---|---:|---:|---:|---:|---:|
| bcopy (the figures of `am62a`) | 1957 | 3606 | 3123 | 3037 (-2.8 %) | 3606 (+15.5 %) |
| cp | 1012 | 1874 | 1569 | 1574 (+0.4 %) | 1874 (+19.5 %) |

Tests simulate those loops: `Platform.TwoCopyingCoresOfAm62aAreAsMeasured` and its neighbour.
)";

std::string core_counts(const sim::Platform& platform) {
  std::string text;
  for (const sim::CoreClass& core : platform.classes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " + ", core.count, core.name);
  }
  return text;
}

std::string npu_text(const sim::Platform& platform) {
  for (const sim::CoreClass& core : platform.classes) {
    if (!core.npu) continue;
    return fmt::format("{}x{} {}", core.npu->array.rows, core.npu->array.cols, sim::dataflow_word(core.npu->dataflow));
  }
  return "-";
}

std::string dram_text(const sim::Platform& platform) {
  return fmt::format("{:.3g} GB/s {}", static_cast<double>(platform.dram_bytes_per_s) / 1e9,
                     sim::contention_word(platform.contention));
}

std::string text_of(const std::variant<std::uint64_t, double, std::string>& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

Json json_of(const std::variant<std::uint64_t, double, std::string>& value) {
  return std::visit([](const auto& number) { return Json(number); }, value);
}

std::string markdown_of(const sim::Platform& platform) {
  std::string text = fmt::format("\n## {}\n\n{}\n\n| number | value | source |\n|---|---:|---|\n", platform.name,
                                 platform.description);
  for (const sim::PlatformNumber& number : sim::platform_numbers(platform)) {
    if (number.source.empty()) continue;
    text += fmt::format("| {} | {} | {} |\n", number.key, text_of(number.value), number.source);
  }
  return text;
}

}  // namespace

std::vector<std::string> platform_table(const std::vector<sim::Platform>& platforms) {
  std::vector<std::string> lines{fmt::format(kRow, "name", "cores", "NPU", "DRAM", "seen", "derived", "guess")};
  for (const sim::Platform& platform : platforms) {
    const sim::ProvenanceCount count = sim::count_provenance(platform);
    const std::string dram = fmt::format("{:.3g} GB/s", static_cast<double>(platform.dram_bytes_per_s) / 1e9);
    lines.push_back(fmt::format(kRow, platform.name, core_counts(platform), npu_text(platform), dram, count.seen,
                                count.derived, count.memory));
  }
  return lines;
}

Json platform_json(const sim::Platform& platform) {
  const sim::ProvenanceCount count = sim::count_provenance(platform);
  Json row = {{"name", platform.name},
              {"description", platform.description},
              {"cores", Json::array()},
              {"npu", npu_text(platform)},
              {"dram_bytes_per_s", platform.dram_bytes_per_s},
              {"contention", sim::contention_word(platform.contention)},
              {"provenance", {{"seen", count.seen}, {"derived", count.derived}, {"memory", count.memory}}},
              {"numbers", Json::array()}};
  for (const sim::CoreClass& core : platform.classes) {
    row["cores"].push_back({{"class", core.name}, {"count", core.count}});
  }
  for (const sim::PlatformNumber& number : sim::platform_numbers(platform)) {
    row["numbers"].push_back({{"key", number.key},
                              {"value", json_of(number.value)},
                              {"source", number.source.empty() ? "default" : number.source}});
  }
  return row;
}

std::string platforms_markdown(const std::vector<sim::Platform>& platforms) {
  std::string text(kIntroduction);
  text += kTableHead;
  for (const sim::Platform& platform : platforms) {
    const sim::ProvenanceCount count = sim::count_provenance(platform);
    text += fmt::format("| [{0}](#{0}) | {1} | {2} | {3} | {4} | {5} | {6} |\n", platform.name, core_counts(platform),
                        npu_text(platform), dram_text(platform), count.seen, count.derived, count.memory);
  }
  text += kFitted;
  for (const sim::Platform& platform : platforms) text += markdown_of(platform);
  return text;
}

std::vector<sim::Platform> all_platforms() {
  std::vector<sim::Platform> platforms;
  for (const std::string& name : sim::platform_names()) platforms.push_back(sim::find_platform(name));
  return platforms;
}

}  // namespace detent::app
