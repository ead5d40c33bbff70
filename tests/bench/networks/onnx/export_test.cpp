// What no network of the zoo shows. What they show is computed from the file: tests/bench/networks/onnx_test.py.
#include "bench/networks/onnx/export.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "bench/networks/onnx/protobuf.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/concat.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/split.hpp"
#include "models/core/weights.hpp"
#include "tests/support/error_text.hpp"

namespace detent::bench {
namespace {

template <typename Element>
std::string bytes_of(const std::vector<Element>& elements) {
  std::string bytes(elements.size() * sizeof(Element), '\0');
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

/// TensorProto. @param type  1 float, 7 int64
std::string constant(const std::string& name, const std::vector<std::int64_t>& dims, std::int64_t type,
                     const std::string& bytes) {
  ProtobufMessage message;
  for (const std::int64_t dim : dims) message.add_integer(1, dim);
  message.add_integer(2, type);
  message.add_bytes(8, name);
  message.add_bytes(9, bytes);
  return message.bytes();
}

std::string integers(const std::string& name, const std::vector<std::int64_t>& elements) {
  return constant(name, {static_cast<std::int64_t>(elements.size())}, 7, bytes_of(elements));
}

bool holds(const std::string& file, const std::string& part) { return file.find(part) != std::string::npos; }

TEST(OnnxExport, WeightsOfGroupsAreWithoutTheZerosBetweenThem) {
  models::Builder b("m");
  const auto stem = conv(b, "stem", b.input("x", {1, 3, 4, 4}), {.out_channels = 24});
  b.output(conv(b, "groups", stem, {.out_channels = 36, .kernel = 3, .groups = 4}));
  const models::Model model = b.finish();
  const models::WeightInit& init = model.tensors[model.ops.back().weights.front()].init;
  std::vector<float> logical;
  for (std::uint64_t i = 0; i < 36 * 6 * 9; ++i) {
    logical.push_back(models::weight_draw(model.weight_seed, init.stream, i) * init.scale);
  }
  EXPECT_TRUE(holds(export_onnx(model), constant("groups.weight", {36, 6, 3, 3}, 1, bytes_of(logical))));
}

TEST(OnnxExport, ASliceBeginsWhereItsOwnPartOfAConcatDoes) {
  models::Builder b("m");
  const auto x = conv(b, "stem", b.input("x", {1, 3, 4, 4}), {.out_channels = 16});
  const auto left = conv(b, "left", x, {.out_channels = 16});
  const auto right = conv(b, "right", x, {.out_channels = 40});
  const auto all = concat(b, "all", {left, right});
  b.output(conv(b, "head", channels(b, "tail", all, 32, 24), {.out_channels = 16}));
  const std::string file = export_onnx(b.finish());
  EXPECT_TRUE(holds(file, integers("tail.begins", {16})));
  EXPECT_TRUE(holds(file, integers("tail.ends", {40})));
  EXPECT_FALSE(holds(file, "Concat"));  // of all parts nobody reads the whole
}

TEST(OnnxExport, AViewAcrossPartsIsAConcatOfTheirSlices) {
  models::Builder b("m");
  const auto x = conv(b, "stem", b.input("x", {1, 3, 4, 4}), {.out_channels = 16});
  const auto left = conv(b, "left", x, {.out_channels = 32});
  const auto right = conv(b, "right", x, {.out_channels = 32});
  const auto all = concat(b, "all", {left, right});
  b.output(conv(b, "head", channels(b, "middle", all, 16, 32), {.out_channels = 16}));
  const std::string file = export_onnx(b.finish());
  EXPECT_TRUE(holds(file, "Concat"));
  EXPECT_TRUE(holds(file, integers("middle.begins", {16})));
  EXPECT_TRUE(holds(file, integers("middle.ends", {32})));
  EXPECT_TRUE(holds(file, integers("middle.begins.2", {0})));
  EXPECT_TRUE(holds(file, integers("middle.ends.2", {16})));
}

TEST(OnnxExport, BandsOfRowsAreRefused) {
  models::Builder b("m");
  b.output(conv(b, "conv", b.input("x", {1, 3, 16, 16}), {.out_channels = 16}));
  models::Model model = b.finish();
  ASSERT_EQ(models::split_rows(model, {.bands = 2, .min_flops = 1}), 1U);
  EXPECT_EQ(error_text([&] { return export_onnx(model); }),
            "m:op conv#0: a band of rows has no counterpart in ONNX here");
}

}  // namespace
}  // namespace detent::bench
