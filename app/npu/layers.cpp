#include "app/npu/layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "base/wanted_file.hpp"
#include "base/words/list.hpp"
#include "sim/npu/checked.hpp"
#include "sim/npu/timing.hpp"
#include "sim/npu/topology.hpp"

namespace detent::app {
namespace {

namespace npu = sim::npu;

using Counts = std::vector<std::uint64_t>;

[[noreturn]] void refuse_option(const char* option, const std::string& text, const std::string& remedy) {
  throw std::invalid_argument(fmt::format("{} {}: give {}", option, text, remedy));
}

/// Digits, then a unit of bytes if `word_bytes` is set; the result is in words.
std::optional<std::uint64_t> parse_number(std::string_view text, std::optional<std::uint32_t> word_bytes) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.empty()) return value;
  if (!word_bytes) return std::nullopt;
  for (const auto& [name, bytes] :
       {std::pair{"B", 1ULL}, {"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}})
    if (unit == name && value <= UINT64_MAX / bytes) return value * bytes / *word_bytes;
  return std::nullopt;
}

/// The numbers of "a,b,c". @throws std::invalid_argument naming the option
Counts parse_list(const char* option, const std::string& text, std::initializer_list<std::size_t> sizes,
                  const std::string& form, std::optional<std::uint32_t> word_bytes = std::nullopt) {
  Counts counts;
  for (const std::string_view word : split_at_commas(text)) {
    const auto count = parse_number(word, word_bytes);
    if (!count || *count == 0 || *count > (std::uint64_t{1} << 40)) refuse_option(option, text, form);
    counts.push_back(*count);
  }
  if (std::ranges::find(sizes, counts.size()) == sizes.end()) refuse_option(option, text, form);
  return counts;
}

npu::Layer gemm_layer(const LayerRequest& options) {
  const Counts n = parse_list("--gemm", options.gemm, {3}, "M,N,K, each at least 1: --gemm 64,64,256");
  npu::Layer layer;
  layer.gemm = {n[0], n[1], n[2]};
  layer.name = "gemm " + options.gemm;
  return layer;
}

npu::Layer conv_layer(const LayerRequest& options) {
  const Counts n = parse_list("--conv", options.conv, {7, 8},
                              "IH,IW,FH,FW,C,N,STRIDE (or ...,SH,SW), each at least 1: --conv 58,58,3,3,64,64,1");
  npu::Layer layer;
  layer.kind = npu::Layer::Kind::kConv;
  layer.conv = {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n.back()};
  layer.name = "conv " + options.conv;
  return layer;
}

npu::Layer depthwise_layer(const LayerRequest& options) {
  const Counts n = parse_list("--depthwise", options.depthwise, {6, 7},
                              "IH,IW,FH,FW,C,STRIDE (or ...,SH,SW), each at least 1: --depthwise 114,114,3,3,32,1");
  npu::Layer layer;
  layer.kind = npu::Layer::Kind::kConv;
  layer.conv = {n[0], n[1], n[2], n[3], 1, 1, n[5], n.back()};
  layer.groups = n[4];
  layer.name = "depthwise " + options.depthwise;
  return layer;
}

npu::Layer elementwise_layer(const LayerRequest& options) {
  const Counts n = parse_list("--elementwise", options.elementwise, {1, 2},
                              "COUNT or COUNT,INPUTS, each at least 1: --elementwise 100352,2");
  npu::Layer layer;
  layer.kind = npu::Layer::Kind::kElementwise;
  layer.elements = n[0];
  layer.input_count = n.size() == 2 ? n[1] : 2;
  layer.name = "elementwise " + options.elementwise;
  return layer;
}

void require_one_layer_option(const LayerRequest& options) {
  const std::size_t given = 5U - options.gemm.empty() - options.conv.empty() - options.depthwise.empty() -
                            options.elementwise.empty() - options.layers.empty();
  if (given > 1)
    throw std::invalid_argument(
        "npu: several layers; give only one of --gemm, --conv, --depthwise, --elementwise, --layers");
}

std::vector<npu::Layer> chosen_layers(const LayerRequest& options) {
  require_one_layer_option(options);
  if (!options.gemm.empty()) return {gemm_layer(options)};
  if (!options.conv.empty()) return {conv_layer(options)};
  if (!options.depthwise.empty()) return {depthwise_layer(options)};
  if (!options.elementwise.empty()) return {elementwise_layer(options)};
  if (options.layers.empty())
    throw std::invalid_argument("npu: no layer; give one of --gemm, --conv, --depthwise, --elementwise, --layers");
  constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 28;
  static const WantedFile kList = {"a list of layers",
                                   {FileKind::kCsv, FileKind::kText, FileKind::kBinary},
                                   "give a CSV file with one line per layer: name,M,N,K"};
  return npu::parse_layers(read_wanted_file(options.layers, kMaxFileBytes, kList), options.layers);
}

npu::Dataflow parse_dataflow(const std::string& name) {
  if (name == "os") return npu::Dataflow::kOutputStationary;
  if (name == "ws") return npu::Dataflow::kWeightStationary;
  if (name == "is") return npu::Dataflow::kInputStationary;
  refuse_option("--dataflow", name, "os, ws or is");
}

npu::Bandwidth parse_bandwidth(const LayerRequest& options) {
  if (options.bandwidth.empty()) {
    if (options.shared_port)
      throw std::invalid_argument("--shared-port: give --bandwidth, the words per cycle of the port");
    return {};
  }
  const Counts n = parse_list("--bandwidth", options.bandwidth, {1, 3},
                              "words per cycle, one number or input,weight,output, each at least 1: --bandwidth 16");
  if (options.shared_port && n.size() == 3)
    refuse_option("--bandwidth", options.bandwidth, "one number with --shared-port: the port is the same for all");
  return n.size() == 1 ? npu::Bandwidth{n[0], n[0], n[0]} : npu::Bandwidth{n[0], n[1], n[2]};
}

npu::TimingConfig parse_config(const LayerRequest& options) {
  npu::TimingConfig config;
  const Counts edges = parse_list("--array", options.array, {2}, "R,C, rows and columns from 1 to 4096: --array 32,32");
  if (edges[0] > npu::kMaxArrayEdge || edges[1] > npu::kMaxArrayEdge)
    refuse_option("--array", options.array, "rows and columns from 1 to 4096");
  config.array = {static_cast<std::uint32_t>(edges[0]), static_cast<std::uint32_t>(edges[1])};
  config.dataflow = parse_dataflow(options.dataflow);
  config.bandwidth = parse_bandwidth(options);
  config.shared_port = options.shared_port;
  config.vector_lanes = options.lanes;
  if (options.word_bytes == 0) refuse_option("--word-bytes", "0", "at least 1");
  if (!options.bandwidth.empty() && options.buffers.empty())
    throw std::invalid_argument(
        "--bandwidth: give --buffers too, input,weight,output in words: --buffers 64KiB,64KiB,64KiB");
  if (!options.buffers.empty()) {
    const std::string form =
        "input,weight,output in words, or bytes with a unit, at least 2 words each: --buffers 64KiB,64KiB,16KiB";
    const Counts n = parse_list("--buffers", options.buffers, {3}, form, options.word_bytes);
    if (std::ranges::any_of(n, [](std::uint64_t words) { return words < 2; }))
      refuse_option("--buffers", options.buffers, form);
    config.buffers = {n[0], n[1], n[2]};
  }
  return config;
}

struct LayerRow {
  npu::Layer layer;
  npu::LayerTiming timing;
};

void add_accesses(npu::Accesses& sum, const npu::Accesses& more) {
  sum.input_reads = npu::checked_sum(sum.input_reads, more.input_reads);
  sum.weight_reads = npu::checked_sum(sum.weight_reads, more.weight_reads);
  sum.output_writes = npu::checked_sum(sum.output_writes, more.output_writes);
}

/// All layers one after the other.
npu::LayerTiming total_of(const std::vector<LayerRow>& rows, const npu::TimingConfig& config) {
  if (rows.size() == 1) return rows[0].timing;
  npu::LayerTiming total;
  double mapped = 0;
  for (const LayerRow& row : rows) {
    const npu::LayerTiming& timing = row.timing;
    total.cycles = npu::checked_sum(total.cycles, timing.cycles);
    total.stall_cycles = npu::checked_sum(total.stall_cycles, timing.stall_cycles);
    total.compute_cycles = npu::checked_sum(total.compute_cycles, timing.compute_cycles);
    total.macs = npu::checked_sum(total.macs, timing.macs);
    const std::uint64_t folds = npu::checked_product(timing.mapping.folds, timing.groups);
    total.mapping.folds = npu::checked_sum(total.mapping.folds, folds);
    mapped += timing.mapping.mapping_efficiency * static_cast<double>(folds);
    add_accesses(total.sram, timing.sram);
    add_accesses(total.dram, timing.dram);
  }
  const double cells = static_cast<double>(config.array.rows) * static_cast<double>(config.array.cols);
  total.mapping.mapping_efficiency = mapped / static_cast<double>(std::max<std::uint64_t>(total.mapping.folds, 1));
  total.utilisation = static_cast<double>(total.macs) / (static_cast<double>(total.cycles) * cells);
  return total;
}

Json accesses_json(const npu::Accesses& accesses) {
  return {{"input_reads", accesses.input_reads},
          {"weight_reads", accesses.weight_reads},
          {"output_writes", accesses.output_writes}};
}

void add_timing(Json& answer, const npu::LayerTiming& timing) {
  answer["cycles"] = timing.cycles;
  answer["stall_cycles"] = timing.stall_cycles;
  answer["compute_cycles"] = timing.compute_cycles;
  answer["last_cycle"] = timing.cycles - 1;
  answer["utilisation"] = timing.utilisation;
  answer["mapping_efficiency"] = timing.mapping.mapping_efficiency;
  answer["folds"] = npu::checked_product(timing.mapping.folds, timing.groups);
  answer["macs"] = timing.macs;
  answer["sram"] = accesses_json(timing.sram);
  answer["dram"] = accesses_json(timing.dram);
}

Json answer_json(const LayerRequest& options, const npu::TimingConfig& config, const std::vector<LayerRow>& rows) {
  Json answer = json_header("npu", options.request);
  answer["model"] = options.layers.empty() ? rows[0].layer.name : options.layers;
  answer["array"] = {{"rows", config.array.rows}, {"cols", config.array.cols}};
  answer["dataflow"] = options.dataflow;
  if (!options.bandwidth.empty()) {
    answer["ports"] = config.shared_port ? "shared" : "private";
    const auto& [in, weight, out] = config.bandwidth;
    answer["bandwidth"] = {{"input", in}, {"weight", weight}, {"output", out}};
    answer["buffers"] = {
        {"input", config.buffers.input}, {"weight", config.buffers.weight}, {"output", config.buffers.output}};
  }
  add_timing(answer, total_of(rows, config));
  if (options.layers.empty()) return answer;
  Json layers = Json::array();
  for (const LayerRow& row : rows) {
    Json entry = {{"name", row.layer.name}};
    add_timing(entry, row.timing);
    layers.push_back(std::move(entry));
  }
  answer["layers"] = std::move(layers);
  return answer;
}

std::string row_line(const std::string& name, const npu::LayerTiming& timing) {
  const npu::Accesses& sram = timing.sram;
  return fmt::format("{:<18}{:>13}{:>13}{:>7.1f} %{:>7.1f} %{:>17}", name, timing.cycles, timing.stall_cycles,
                     100 * timing.utilisation, 100 * timing.mapping.mapping_efficiency,
                     sram.input_reads + sram.weight_reads + sram.output_writes);
}

/// A single layer has room for all of it.
Lines layer_lines(const LayerRow& row) {
  const npu::Accesses& sram = row.timing.sram;
  return {row.layer.name,
          fmt::format("  cycles       {}, {} of them stalls", row.timing.cycles, row.timing.stall_cycles),
          fmt::format("  array        {:.1f} % of all cell-cycles utilised, {:.1f} % of the cells mapped",
                      100 * row.timing.utilisation, 100 * row.timing.mapping.mapping_efficiency),
          fmt::format("  SRAM words   {} of inputs and {} of weights read, {} of outputs written", sram.input_reads,
                      sram.weight_reads, sram.output_writes)};
}

std::vector<LayerRow> time_all(const LayerRequest& options, const npu::TimingConfig& config,
                               const OnProgress& on_progress) {
  std::vector<LayerRow> rows;
  std::vector<npu::Layer> layers = chosen_layers(options);
  for (npu::Layer& layer : layers) {
    if (on_progress) on_progress(rows.size(), layers.size());
    npu::LayerTiming timing = npu::time_layer(layer, config);
    rows.push_back({std::move(layer), timing});
  }
  return rows;
}

}  // namespace

void require_options_of(const LayerRequest& layer, const std::string& network, const std::string& platform,
                        bool private_ports) {
  if (network.empty()) {
    if (platform.empty()) return;
    throw std::invalid_argument("--platform " + platform +
                                ": is of a MODEL; leave it out, and describe the array of a layer by --array R,C");
  }
  const LayerRequest untouched;
  const std::pair<const char*, bool> given[] = {{"--array", !layer.array.empty()},
                                                {"--dataflow", layer.dataflow != untouched.dataflow},
                                                {"--bandwidth", !layer.bandwidth.empty()},
                                                {"--buffers", !layer.buffers.empty()},
                                                {"--word-bytes", layer.word_bytes != untouched.word_bytes},
                                                {"--lanes", layer.lanes != untouched.lanes},
                                                {"--shared-port", layer.shared_port},
                                                {"--private-ports", private_ports}};
  for (const auto& [name, is_given] : given) {
    if (!is_given) continue;
    throw std::invalid_argument(fmt::format(
        "{}: is of single layers; {} goes onto the NPU of --platform: leave it out, or change [core.npu] of a platform "
        "file",
        name, network));
  }
}

Answer time_layers(const LayerRequest& options, const OnProgress& on_progress) try {
  if (options.array.empty())
    throw std::invalid_argument("npu: --array is missing; give rows and columns: --array 32,32");
  const npu::TimingConfig config = parse_config(options);
  const std::vector<LayerRow> rows = time_all(options, config, on_progress);
  Answer made{.json = answer_json(options, config, rows)};
  if (rows.size() == 1) {
    made.lines = layer_lines(rows.front());
    return made;
  }
  made.lines.push_back(fmt::format("{:<18}{:>13}{:>13}{:>9}{:>9}{:>17}", "layer", "cycles", "stall cycles", "utilised",
                                   "mapped", "SRAM accesses"));
  for (const LayerRow& row : rows) made.lines.push_back(row_line(row.layer.name, row.timing));
  made.lines.push_back(row_line("total", total_of(rows, config)));
  return made;
} catch (const std::overflow_error& error) {
  throw std::invalid_argument(error.what());
}

}  // namespace detent::app
