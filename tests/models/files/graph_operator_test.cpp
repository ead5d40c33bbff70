// Operators in op graph files: descriptors, refusals with their places, text and back.
#include "models/files/graph_operator.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "models/files/graph_file.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models {
namespace {

constexpr const char* kOperands =
    R"("reads": [{"region": "x", "offset": 8, "size": 24}], "writes": [{"region": "y", "offset": 0, "size": 24}])";

std::string kernel_graph(const std::string& kernel, const std::string& operands = kOperands) {
  return R"({"schema": "detent.graph/1", "name": "g", "regions": [{"name": "x", "size": 64}, {"name": "y", "size": 64}],
    "ops": [{"id": 0, )" +
         kernel + ", " + operands + "}], \"edges\": []}";
}

Model parse_kernel(const std::string& text) { return parse_graph(text, "g.json"); }

std::string refusal(const std::string& kernel, const std::string& operands = kOperands) {
  return error_text([&] { parse_kernel(kernel_graph(kernel, operands)); });
}

detent_operator descriptor_of(const Op& op) {
  detent_operator descriptor = {};
  EXPECT_EQ(op.kernel, "elementwise");
  EXPECT_EQ(op.config.size(), sizeof descriptor);
  if (op.config.size() == sizeof descriptor) std::memcpy(&descriptor, op.config.data(), sizeof descriptor);
  return descriptor;
}

TEST(GraphOperator, RowMajorWithoutStrides) {
  const Model model = parse_kernel(kernel_graph(R"("kernel": "silu", "dtype": "f32", "shape": [2, 3])"));
  const detent_operator op = descriptor_of(model.ops[0]);
  EXPECT_EQ(op.struct_bytes, sizeof op);
  EXPECT_EQ(op.version, DETENT_OPERATOR_VERSION);
  EXPECT_EQ(op.elementwise, DETENT_EW_SILU);
  EXPECT_EQ(op.dtype, DETENT_F32);
  EXPECT_EQ(op.rank, 2U);
  EXPECT_EQ(op.input_count, 1U);
  EXPECT_EQ(op.dims[1], 3);
  EXPECT_EQ(op.strides[0][0], 3);
  EXPECT_EQ(op.strides[1][1], 1);
  const Tensor& tensor = model.tensors[model.ops[0].inputs[0]];
  EXPECT_EQ(tensor.dtype, DETENT_F32);
  EXPECT_EQ(tensor.align_bytes, 4U);
  EXPECT_EQ(model.tensors[model.ops[0].outputs[0]].dtype, DETENT_F32);
}

TEST(GraphOperator, StridesAndParameters) {
  const Model model =
      parse_kernel(kernel_graph(R"("kernel": "clip", "dtype": "f64", "shape": [3], "strides": [[1], [-1]],
                                     "params": [-0.5, 2])"));
  const detent_operator op = descriptor_of(model.ops[0]);
  EXPECT_EQ(op.strides[1][0], -1);
  EXPECT_EQ(op.params[0], -0.5);
  EXPECT_EQ(op.params[1], 2);
}

TEST(GraphOperator, OtherOpsOfTheSameBytesKeepBytes) {
  const std::string text = kernel_graph(R"("kernel": "silu", "dtype": "f32", "shape": [6])");
  std::string two = text;
  two.replace(two.find("], \"edges\""), 1, std::string(R"(, {"id": 1, )") + kOperands + "}]");
  const Model model = parse_kernel(two);
  EXPECT_EQ(model.ops[1].kernel, "mix");
  EXPECT_EQ(model.tensors[model.ops[1].inputs[0]].dtype, DETENT_U8);
  EXPECT_NE(model.ops[0].inputs, model.ops[1].inputs);
}

TEST(GraphOperator, TextAndBack) {
  for (const char* const kernel :
       {R"("kernel": "silu", "dtype": "f32", "shape": [2, 3])", R"("kernel": "exp", "dtype": "bf16", "shape": [12])",
        R"("kernel": "clip", "dtype": "f64", "shape": [3], "strides": [[1], [-1]], "params": [-0.1, 1e300])",
        R"("kernel": "clip", "dtype": "f64", "shape": [3], "params": [-0.0, 7])",
        R"("kernel": "leaky_relu", "dtype": "f16", "shape": [3, 4], "strides": [[1, 3], [4, 1]], "params": [0.01])"}) {
    const Model model = parse_kernel(kernel_graph(kernel));
    EXPECT_EQ(parse_kernel(format_graph(model)), model) << kernel;
  }
  Op op;
  op.kernel = "mix";
  EXPECT_EQ(operator_text(op), "");
  op.kernel = "elementwise";
  op.config.assign(sizeof(detent_operator), 0xff);
  EXPECT_EQ(operator_text(op), "") << "a package may hold anything";
}

TEST(GraphOperator, RefusalsNameTheirPlace) {
  const std::string rest = R"(, "dtype": "f32", "shape": [6])";
  const auto expect = [&](const std::string& kernel, const std::string& wanted) {
    const std::string text = refusal(kernel);
    EXPECT_NE(text.find(wanted), std::string::npos) << text;
  };
  expect(R"("kernel": "sil")" + rest, "ops[0].kernel: no operator of the name \"sil\"");
  expect(R"("kernel": "silu", "dtype": "i8", "shape": [6])", "ops[0].dtype: must be \"f16\", \"bf16\", \"f32\" or");
  expect(R"("kernel": "silu", "dtype": "f9", "shape": [6])", "ops[0].dtype: must be");
  expect(R"("kernel": "silu", "shape": [6])", "dtype");
  expect(R"("kernel": "silu", "dtype": "f32")", "shape");
  expect(R"("dtype": "f32")", "ops[0].dtype: unknown key");
  expect(R"("kernel": "silu", "dtype": "f32", "shape": [0])", "ops[0].shape[0]");
  expect(R"("kernel": "silu", "dtype": "f32", "shape": [1,1,1,1,1,1,1,1,1])", "at most 8 dimensions");
  expect(R"("kernel": "silu", "dtype": "f32", "shape": [1099511627776, 2])", "ops[0].shape: more elements than");
  expect(R"("kernel": "silu", "strides": [[1]])" + rest, "ops[0].strides: expected 2 lists");
  expect(R"("kernel": "silu", "strides": [[1], [1, 1]])" + rest, "ops[0].strides[1]: expected a stride for each of 1");
  expect(R"("kernel": "silu", "strides": [[1], [1099511627776]])" + rest, "input 0 reaches over more than 1 TiB");
  expect(R"("kernel": "silu", "params": [1])" + rest, "ops[0].params: \"silu\" takes 0");
  expect(R"("kernel": "clip")" + rest, "ops[0].kernel: \"clip\" takes 2 in \"params\"");
  expect(R"("kernel": "clip", "params": [2, 1])" + rest, "ops[0].params: the lower limit is above the upper");
  expect(R"("kernel": "silu", "dtype": "f32", "shape": [5])", "the output has 20 bytes, its range 24");
  expect(R"("kernel": "silu", "strides": [[1], [0]])" + rest, "input 0 has 4 bytes, its range 24");
  expect(R"("kernel": "add")" + rest, "takes 2 in \"reads\", one for each input, and one in \"writes\"");
  expect(R"("kernel": "silu", "dtype": "f32", "shape": [2, 3], "strides": [[5, 0], [3, 1]])", "strides of the output");
  const std::string odd = refusal(R"("kernel": "silu")" + rest,
                                  R"("reads": [{"region": "x", "offset": 2, "size": 24}],
                                     "writes": [{"region": "y", "offset": 0, "size": 24}])");
  EXPECT_NE(odd.find("input 0 begins at 2, which is no multiple of its 4 bytes"), std::string::npos) << odd;
}

// Known fault: an op that overwrites what it still reads was judged only between ops, and verified.
TEST(GraphOperator, AnOutputOverwritesNoInputButItself) {
  const auto refused = [](const std::string& shape, int offset, int size) {
    const std::string range = R"({"region": "x", "offset": )";
    return refusal(R"("kernel": "silu", "dtype": "f32", )" + shape,
                   R"("reads": [)" + range + std::to_string(offset) + R"(, "size": )" + std::to_string(size) +
                       R"(}], "writes": [)" + range + R"(0, "size": )" + std::to_string(size) + "}]");
  };
  EXPECT_NE(refused(R"("shape": [4, 4], "strides": [[4, 1], [1, 4]])", 0, 64).find("the output overwrites input 0"),
            std::string::npos);
  EXPECT_NE(refused(R"("shape": [8])", 4, 32).find("the output overwrites input 0"), std::string::npos);
  EXPECT_EQ(refused(R"("shape": [8])", 32, 32), "");
  EXPECT_EQ(refused(R"("shape": [4, 4], "strides": [[1, 4], [1, 4]])", 0, 64), "");
}

}  // namespace
}  // namespace detent::models
