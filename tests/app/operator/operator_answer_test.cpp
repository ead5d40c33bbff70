#include "app/operator/operator_answer.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "base/io.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

std::string floats(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::vector<float> floats_of(const std::string& file) {
  const std::string bytes = read_regular_file(file, 1U << 20U);
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

class OperatorAnswer : public ::testing::Test {
 protected:
  OperatorAnswer() {
    wanted.name = "relu";
    wanted.dtype = "f32";
    wanted.shape = {"2,3"};
    wanted.output = directory.file("y.bin");
  }

  void input(const std::vector<float>& values) {
    wanted.inputs.push_back(directory.write("x" + std::to_string(wanted.inputs.size()) + ".bin", floats(values)));
  }
  std::vector<float> output() {
    const app::OperatorAnswer made = run_operator(wanted);
    EXPECT_EQ(made.status, DETENT_OPERATOR_SUCCESS);
    return floats_of(wanted.output);
  }
  std::string refusal() {
    const std::string text = refusal_of([&] { return run_operator(wanted); });
    EXPECT_FALSE(std::filesystem::exists(wanted.output));
    return text;
  }

  TemporaryDirectory directory;
  OperatorRequest wanted;
};

using Floats = std::vector<float>;

TEST_F(OperatorAnswer, StatusSizesAndBytes) {
  input({-1, 2, -3, 4, -5, 6});
  const app::OperatorAnswer made = run_operator(wanted);
  EXPECT_EQ(made.answer.json["schema"], "detent.op/1");
  EXPECT_EQ(made.answer.json["model"], "relu");
  EXPECT_EQ(made.answer.json["status"], Json::parse(R"({"name": "SUCCESS", "number": 0})"));
  EXPECT_EQ(made.answer.json["inputs"], Json::parse(R"([{"elements": 6}])"));
  EXPECT_EQ(made.answer.json["output"]["elements"], 6);
  EXPECT_EQ(floats_of(wanted.output), (Floats{0, 2, 0, 4, 0, 6}));
}

TEST_F(OperatorAnswer, GapsAreLeftOutOrZero) {
  wanted.in_strides = {"4,1"};
  input({1, 2, 3, 99, 4, 5, 6});
  EXPECT_EQ(output(), (Floats{1, 2, 3, 4, 5, 6}));
  wanted.out_strides = {"5,1"};
  EXPECT_EQ(output(), (Floats{1, 2, 3, 0, 0, 4, 5, 6}));
}

TEST_F(OperatorAnswer, RowsToTheirEndAreRowsToTheirEnd) {
  wanted.in_strides = {"4", "1"};
  wanted.out_strides = {"4", "1"};
  input({1, 2, 3, 99, 4, 5, 6, 99});
  EXPECT_EQ(output(), (Floats{1, 2, 3, 0, 4, 5, 6, 0}));
  wanted.in_place = true;
  EXPECT_EQ(output(), (Floats{1, 2, 3, 99, 4, 5, 6, 99}));
}

TEST_F(OperatorAnswer, TheFileOfAnInputIsItsMemory) {
  wanted.name = "add";
  wanted.in_strides = {"3,1", "4,1"};
  wanted.out_strides = {"4,1"};
  input({1, 1, 1, 2, 2, 2});
  input({1, 2, 3, 99, 4, 5, 6});
  wanted.output = wanted.inputs[1];
  EXPECT_EQ(output(), (Floats{2, 3, 4, 99, 6, 7, 8}));
  wanted.out_strides = {"3,1"};
  EXPECT_EQ(run_operator(wanted).status, DETENT_OPERATOR_BAD_TENSOR_STRIDES);
  EXPECT_EQ(floats_of(wanted.output), (Floats{2, 3, 4, 99, 6, 7, 8}));
}

TEST_F(OperatorAnswer, NegativeStridesBeginAtTheEnd) {
  wanted.in_strides = {"-3,1"};
  input({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(output(), (Floats{4, 5, 6, 1, 2, 3}));
  wanted.parts = 4;
  EXPECT_EQ(output(), (Floats{4, 5, 6, 1, 2, 3}));
}

TEST_F(OperatorAnswer, EachInputHasItsStrides) {
  wanted.name = "sub";
  wanted.in_strides = {"3,1", "0,1"};
  input({1, 2, 3, 4, 5, 6});
  input({1, 1, 2});
  EXPECT_EQ(output(), (Floats{0, 1, 1, 3, 4, 4}));
}

TEST_F(OperatorAnswer, ParametersAndEmptyShapes) {
  wanted.name = "clip";
  wanted.params = {-1, 1};
  wanted.shape = {};
  input({-7});
  EXPECT_EQ(output(), (Floats{-1}));
  wanted.shape = {"0,5"};
  wanted.inputs = {directory.write("none.bin", "")};
  EXPECT_EQ(output(), Floats{});
}

TEST_F(OperatorAnswer, RefusalsOfTheOperatorAreAnswers) {
  input({1, 2, 3, 4, 5, 6});
  wanted.out_strides = {"1,1"};
  app::OperatorAnswer made = run_operator(wanted);
  EXPECT_EQ(made.status, DETENT_OPERATOR_BAD_TENSOR_STRIDES);
  EXPECT_EQ(made.answer.json["status"], Json::parse(R"({"name": "BAD_TENSOR_STRIDES", "number": 12})"));
  EXPECT_FALSE(made.answer.json.contains("output"));
  EXPECT_FALSE(std::filesystem::exists(wanted.output));
  wanted.out_strides = {"1,2"};
  wanted.in_place = true;
  EXPECT_EQ(run_operator(wanted).status, DETENT_OPERATOR_BAD_TENSOR_STRIDES) << "the same memory, other strides";
  EXPECT_FALSE(std::filesystem::exists(wanted.output));
  wanted.in_dtypes = {"f16"};
  EXPECT_EQ(run_operator(wanted).status, DETENT_OPERATOR_BAD_TENSOR_DTYPE);
  wanted.in_dtypes = {};
  wanted.dtype = "i32";
  EXPECT_EQ(run_operator(wanted).status, DETENT_OPERATOR_BAD_TENSOR_DTYPE);
  wanted.device = "npu";
  EXPECT_EQ(run_operator(wanted).status, DETENT_OPERATOR_DEVICE_TYPE_NOT_SUPPORTED);
  wanted = {.name = "silu", .dtype = "f64", .shape = {"4"}, .in_shapes = {"5"}};
  EXPECT_EQ(run_operator(wanted).status, DETENT_OPERATOR_BAD_TENSOR_SHAPE);
}

TEST_F(OperatorAnswer, WithoutOutputTheDescriptorIsChecked) {
  wanted.output = "";
  wanted.shape = {"2", "3"};
  EXPECT_EQ(run_operator(wanted).status, DETENT_OPERATOR_SUCCESS);
  input({1});
  EXPECT_NE(refusal().find("--input: is given without --output"), std::string::npos) << refusal();
}

TEST_F(OperatorAnswer, WordsThatAreNone) {
  const auto refused = [&](auto& field, const auto& value, const std::string& text) {
    const auto before = field;
    field = value;
    EXPECT_NE(refusal().find(text), std::string::npos) << refusal();
    field = before;
  };
  using Words = std::vector<std::string>;
  EXPECT_NE(refusal().find("--input: 0 files for an operator of 1 input"), std::string::npos) << refusal();
  input({1, 2, 3, 4, 5, 6, 7});
  EXPECT_NE(refusal().find("has 28 bytes; the tensor has 24"), std::string::npos) << refusal();
  refused(wanted.name, "sigmoidal", "no such operator; choose silu, sigmoid");
  refused(wanted.dtype, "f8", "--dtype f8: no such type");
  refused(wanted.device, "tpu", "--device tpu: no such device");
  for (const char* const word : {"2,", ",2", "2,,3", "2x3", "1.5", "9223372036854775808"}) {
    refused(wanted.shape, Words{word}, "must be whole numbers with commas");
  }
  refused(wanted.shape, Words{"2,3", "2,3"}, "--shape: is one list");
  refused(wanted.in_strides, Words{"3"}, "1 stride for 2 dimensions");
  refused(wanted.out_strides, Words{"3,1,1"}, "3 strides for 2 dimensions");
  refused(wanted.in_strides, Words{"3,1", "3,1"}, "2 lists for 1 tensor");
  refused(wanted.in_dtypes, Words{"f32", "f32"}, "give one type");
  refused(wanted.out_strides, Words{"8589934592,1"}, "the output: is above 4 GiB");
}

TEST(ListsOfWords, AreListsWhereOneHasAComma) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(lists_of_words({}, 2), Words{});
  EXPECT_EQ(lists_of_words({"4"}, 1), Words{"4"});
  EXPECT_EQ(lists_of_words({"4", "1"}, 2), Words{"4,1"});
  EXPECT_EQ(lists_of_words({"4", "1"}, 1), (Words{"4", "1"}));
  EXPECT_EQ(lists_of_words({"4,1", "0,1"}, 2), (Words{"4,1", "0,1"}));
}

}  // namespace
}  // namespace detent::app
