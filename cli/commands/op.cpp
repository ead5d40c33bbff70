// detent op: one element-wise operator over raw data.
#include <CLI/CLI.hpp>

#include "app/operator/operator_answer.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

int op_command(Question<app::OperatorRequest>& options) {
  options.wanted.request = options.common;
  const app::OperatorAnswer made = app::run_operator(options.wanted);
  const int code = show(options.common, made.answer);
  return made.status == DETENT_OPERATOR_SUCCESS ? code : int{kBadInput};
}

constexpr std::uint32_t kMostParts = 1U << 20U;

}  // namespace

void add_op(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("op", "One element-wise operator over files of raw little-endian numbers");
  auto& [common, wanted] = make_options(*command, action, op_command);
  add_common(*command, common, false);
  command->add_option("NAME", wanted.name, "silu, add, ...: `detent list operators`")->required();
  command->add_option("--dtype", wanted.dtype, "f16, bf16, f32 or f64")->type_name("TYPE")->required();
  command->add_option("--shape", wanted.shape, "Dimensions; 0 and up to 8 of them")->type_name("D,D,...")->required();
  command
      ->add_option("--in-strides", wanted.in_strides,
                   "Elements from index to index, of any sign; 0 broadcasts. Given for each input or for all. Default: "
                   "row major")
      ->type_name("S,S,...");
  command->add_option("--out-strides", wanted.out_strides, "The same of the output, which may not overlap itself")
      ->type_name("S,S,...");
  command->add_option("--in-dtype", wanted.in_dtypes, "Type of the inputs, where it is not --dtype")->type_name("TYPE");
  command->add_option("--in-shape", wanted.in_shapes, "Dimensions of the inputs, where they are not --shape")
      ->type_name("D,D,...");
  command->add_option("--params", wanted.params, "Of leaky_relu: the slope; of clip: lower and upper limit")
      ->delimiter(',')
      ->type_name("X,X");
  command->add_option("--device", wanted.device, "cpu, gpu, npu or other")->type_name("KIND")->capture_default_str();
  command->add_option("--input", wanted.inputs, "File of an input; once for each")->type_name("FILE");
  add_file(*command, "--output", wanted.output, "File of the output; without it the descriptor is checked and no more");
  command->add_option("--parts", wanted.parts, "Calculate so many parts apart")->check(whole_number(1, kMostParts));
  command->add_flag("--in-place", wanted.in_place, "The output takes the memory of the first input");
}

}  // namespace detent::cli
