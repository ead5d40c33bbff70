// detent npu: cycles, stalls and memory accesses of layers on a systolic array.
#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>
#include <utility>

#include "app/npu/layers.hpp"
#include "app/npu/network.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct NpuOptions {
  Common common;
  app::LayerRequest layer;
  std::string network, platform;  ///< a MODEL instead of layers, and the chip it goes to
  bool private_ports = false;
};

/// Exactly one of the options and MODEL says what is timed.
void require_one_layer(const NpuOptions& options) {
  const app::LayerRequest& layer = options.layer;
  const std::pair<const char*, const std::string*> ways[] = {
      {"--gemm", &layer.gemm},           {"--conv", &layer.conv},
      {"--depthwise", &layer.depthwise}, {"--elementwise", &layer.elementwise},
      {"--layers", &layer.layers},       {"MODEL", &options.network}};
  std::string given;
  for (const auto& [name, value] : ways) {
    if (value->empty()) continue;
    if (!given.empty())
      throw std::invalid_argument("npu: " + given + " and " + name +
                                  ": only one layer is timed; leave one of them out");
    given = name;
  }
  if (given.empty()) {
    throw std::invalid_argument(
        "npu: a layer is missing; give one of --gemm, --conv, --depthwise, --elementwise, --layers or MODEL");
  }
}

int npu_command(const NpuOptions& options) try {
  require_one_layer(options);
  app::require_options_of(options.layer, options.network, options.platform, options.private_ports);
  if (!options.network.empty()) {
    Common common = options.common;
    common.model = options.network;
    return show(common, app::map_model_onto_npu(common, options.platform));
  }
  app::LayerRequest layer = options.layer;
  layer.request = options.common;
  const app::Answer answer = app::time_layers(layer, progress_of(options.common, "layer"));
  return show(options.common, answer);
} catch (const app::WorkLimit& limit) {
  print_error(limit.what());
  return kUnknown;
}

void add_layer_options(CLI::App& command, NpuOptions& options) {
  CLI::App* const layer = &command;
  layer->add_option("--gemm", options.layer.gemm, "M,N,K: M x K inputs times K x N weights")->type_name("M,N,K");
  layer
      ->add_option("--conv", options.layer.conv,
                   "Input height and width (padding included), filter, channels, filters, stride")
      ->type_name("IH,IW,FH,FW,C,N,STRIDE");
  layer->add_option("--depthwise", options.layer.depthwise, "One filter per channel, channels one after the other")
      ->type_name("IH,IW,FH,FW,C,STRIDE");
  layer->add_option("--elementwise", options.layer.elementwise, "Results and operands per result, on the vector unit")
      ->type_name("COUNT,INPUTS");
  layer->add_option("--layers", options.layer.layers, "CSV: name,M,N,K or name,IH,IW,FH,FW,C,N,STRIDE per line")
      ->type_name("FILE");
  layer->add_option("MODEL", options.network, "Network whose ops are mapped onto the NPU of --platform");
}

}  // namespace

void add_npu(CLI::App& app, Action& action) {
  auto options = std::make_shared<NpuOptions>();
  CLI::App* command = app.add_subcommand("npu", "Cycles and memory accesses of a layer on a systolic array");
  add_common(*command, options->common, false);
  add_layer_options(*command, *options);
  command->add_option("--array", options->layer.array, "Rows and columns of the array")->type_name("R,C");
  command->add_option("--platform", options->platform, "With MODEL: chip whose NPU is taken. Default: am62a")
      ->type_name("PLATFORM");
  choose(command->add_option("--dataflow", options->layer.dataflow,
                             "What stays in the cells: outputs (os), weights (ws) or inputs (is)"),
         {"os", "ws", "is"})
      ->capture_default_str();
  command->add_option("--bandwidth", options->layer.bandwidth, "Words per cycle of the DRAM ports; default: no stalls")
      ->type_name("W | IF,W,OF");
  command->add_option("--buffers", options->layer.buffers, "Words of the operand memories, or bytes: 64KiB")
      ->type_name("IF,W,OF");
  command->add_option("--word-bytes", options->layer.word_bytes, "Bytes of a word, for --buffers with a unit")
      ->check(whole_number(1, 16))
      ->capture_default_str();
  command->add_option("--lanes", options->layer.lanes, "Element-wise results per cycle; 0 = columns of the array")
      ->check(whole_number(0, 1 << 20))
      ->capture_default_str();
  CLI::Option* own = command->add_flag("--private-ports", options->private_ports, "A port for each operand (default)");
  command->add_flag("--shared-port", options->layer.shared_port, "One port, the operands take turns")->excludes(own);
  command->callback([options, &action] { action = [options] { return npu_command(*options); }; });
}

}  // namespace detent::cli
