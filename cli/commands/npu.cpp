// detent npu: cycles, stalls and memory accesses of layers on a systolic array.
#include <CLI/CLI.hpp>

#include "app/npu/npu_answer.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

int npu_command(Question<app::NpuRequest>& options) try {
  options.wanted.request = options.common;
  const app::Answer answer = app::answer_npu(options.wanted, progress_of(options.common, "layer"));
  return show(options.common, answer);
} catch (const app::WorkLimit& limit) {
  print_error(limit.what());
  return kUnknown;
}

void add_layer_options(CLI::App& command, app::NpuRequest& wanted) {
  command.add_option("--gemm", wanted.gemm, "M,N,K: M x K inputs times K x N weights")->type_name("M,N,K");
  command
      .add_option("--conv", wanted.conv, "Input height and width (padding included), filter, channels, filters, stride")
      ->type_name("IH,IW,FH,FW,C,N,STRIDE");
  command.add_option("--depthwise", wanted.depthwise, "One filter per channel, channels one after the other")
      ->type_name("IH,IW,FH,FW,C,STRIDE");
  command.add_option("--elementwise", wanted.elementwise, "Results and operands per result, on the vector unit")
      ->type_name("COUNT,INPUTS");
  command.add_option("--layers", wanted.layers, "CSV: name,M,N,K or name,IH,IW,FH,FW,C,N,STRIDE per line")
      ->type_name("FILE");
  command.add_option("MODEL", wanted.network, "Network whose ops are mapped onto the NPU of --platform");
}

}  // namespace

void add_npu(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("npu", "Cycles and memory accesses of a layer on a systolic array");
  auto& [common, wanted] = make_options(*command, action, npu_command);
  add_common(*command, common, false);
  add_layer_options(*command, wanted);
  command->add_option("--array", wanted.array, "Rows and columns of the array")->type_name("R,C");
  command->add_option("--platform", wanted.platform, "With MODEL: chip whose NPU is taken. Default: am62a")
      ->type_name("PLATFORM");
  choose(command->add_option("--dataflow", wanted.dataflow,
                             "What stays in the cells: outputs (os), weights (ws) or inputs (is)"),
         {"os", "ws", "is"})
      ->capture_default_str();
  command->add_option("--bandwidth", wanted.bandwidth, "Words per cycle of the DRAM ports; default: no stalls")
      ->type_name("W | IF,W,OF");
  command->add_option("--buffers", wanted.buffers, "Words of the operand memories, or bytes: 64KiB")
      ->type_name("IF,W,OF");
  command->add_option("--word-bytes", wanted.word_bytes, "Bytes of a word, for --buffers with a unit")
      ->check(whole_number(1, 16))
      ->capture_default_str();
  command->add_option("--lanes", wanted.lanes, "Element-wise results per cycle; 0 = columns of the array")
      ->check(whole_number(0, 1 << 20))
      ->capture_default_str();
  CLI::Option* own = command->add_flag("--private-ports", wanted.private_ports, "A port for each operand (default)");
  command->add_flag("--shared-port", wanted.shared_port, "One port, the operands take turns")->excludes(own);
}

}  // namespace detent::cli
