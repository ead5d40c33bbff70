// What readers and tables refuse, in whole sentences; what they accept, whole.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>

#include "base/io.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "tests/golden.hpp"
#include "tests/models/model_text.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models {
namespace {

TEST(Refusals, OpGraphs) {
  std::ifstream cases(std::string(DETENT_SOURCE_DIR) + "/tests/models/cases/graphs.txt");
  std::string line, text;
  while (std::getline(cases, line)) {
    text += line + "\n-> ";
    const std::string said = error_text([&] { return parse_graph(line, "g.json"); });
    text += said.empty() ? model_text(parse_graph(line, "g.json")) + format_graph(parse_graph(line, "g.json"))
                         : said + "\n";
  }
  std::string chain = R"({"schema": "detent.graph/1", "ops": [)", edges;
  for (int op = 0; op < 14; ++op) {
    chain += (op == 0 ? "" : ", ") + std::string("{\"id\": ") + std::to_string(op) + "}";
    edges += (op == 0 ? "" : ", ") + std::string("[") + std::to_string(op) + ", " + std::to_string((op + 1) % 14) + "]";
    if (op < 10) continue;
    const std::string cut = edges.substr(0, edges.rfind('[')) + "[" + std::to_string(op) + ", 0]";
    text += error_text([&] { return parse_graph(chain + "], \"edges\": [" + cut + "]}", "g.json"); }) + "\n";
  }
  expect_golden(text, "models/golden/graphs.txt");
}

Model small_model() {
  Model model;
  model.name = "m";
  model.regions = {{.name = "r", .size_bytes = 64}};
  for (int i = 0; i < 2; ++i) {
    Tensor& tensor = model.tensors.emplace_back();
    tensor.name = "t";
    tensor.dims = {16};
    tensor.size_bytes = tensor.block_bytes = 64;
    tensor.region = 0;
  }
  for (int i = 0; i < 2; ++i) {
    Op& op = model.ops.emplace_back();
    op.name = "o";
    op.kernel = "mix";
  }
  return model;
}

TEST(Refusals, TablesOfModels) {
  std::string text;
  const auto add = [&](const std::function<void(Model&)>& edit) {
    Model model = small_model();
    edit(model);
    text += error_text([&] { return encode_package(model); }) + "\n";
  };
  add([](Model&) {});
  add([](Model& m) { m.tensors[1].dims.assign(DETENT_MAX_RANK, 1); });
  add([](Model& m) { m.tensors[1].dims.assign(DETENT_MAX_RANK + 1, 1); });
  add([](Model& m) { m.tensors[1].alias_of = 1; });
  add([](Model& m) { m.tensors[1].alias_of = 2; });
  add([](Model& m) { m.tensors[0].region = kNone; });
  add([](Model& m) { m.tensors[0].region = 1; });
  add([](Model& m) { m.ops[0].inputs = {1, 0}; });
  add([](Model& m) { m.ops[0].inputs = {1, 2}; });
  add([](Model& m) { m.ops[1].outputs = {2}; });
  add([](Model& m) { m.ops[1].weights = {3}; });
  add([](Model& m) { m.ops[1].scratch = {0, kNone}; });
  add([](Model& m) { m.edges = {{.from = 1, .to = 0}}; });
  add([](Model& m) { m.edges = {{.from = 1, .to = 0}, {.from = 2, .to = 0}}; });
  add([](Model& m) { m.edges = {{.from = 1, .to = 3}}; });
  add([](Model& m) { m.inputs = {1}; });
  add([](Model& m) { m.inputs = {0, 2}; });
  add([](Model& m) { m.outputs = {2}; });
  add([](Model& m) { m.name = ""; });
  add([](Model& m) { m.tensors[1].name = std::string(4096, 'n'); });
  add([](Model& m) { m.ops[1].name = "a\nb"; });
  add([](Model& m) { m.ops[1].name = "\xc2\x9f"; });
  add([](Model& m) { m.ops[1].name = "\xc2\xa0"; });
  add([](Model& m) { m.ops[1].name = "\x7f"; });
  add([](Model& m) { m.ops[1].name = "\xff"; });
  add([](Model& m) { m.sources.assign(1024, {"a", ""}); });
  add([](Model& m) { m.sources.assign(1025, {"a", ""}); });
  for (const char* name : {"", "a", "a/b.c", "a//b", "/a", "a/", ".", "..", "a/..", "a/./b", "...", "-a", "a/-b", "a-b",
                           "a b", "a\\b", "_.9Z"})
    add([&](Model& m) { m.sources = {{"x", ""}, {name, ""}}; });
  add([](Model& m) { m.sources = {{std::string(255, 'a'), ""}}; });
  add([](Model& m) { m.sources = {{std::string(256, 'a'), ""}}; });
  for (const char* flag : {"", "-", "-O", "O2"}) add([&](Model& m) { m.compile_flags = {"-g", flag}; });
  expect_golden(text, "models/golden/model_tables.txt");
}

/// Unicode 15, table 3-7: well-formed sequences, counted.
TEST(Names, Utf8IsWellFormedOrNot) {
  std::size_t two = 0, three = 0, four = 0;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const char text[] = {static_cast<char>(a), static_cast<char>(b)};
      two += is_utf8({text, 2}) ? 1 : 0;
    }
  }
  EXPECT_EQ(two, 128U * 128 + (0x800 - 0x80));
  for (int lead = 0xe0; lead <= 0xef; ++lead) {
    for (int b = 0; b < 256; ++b) {
      for (int c = 0; c < 256; ++c) {
        const char text[] = {static_cast<char>(lead), static_cast<char>(b), static_cast<char>(c)};
        three += is_utf8({text, 3}) ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(three, 0x10000U - 0x800 - 0x800);
  const int ends[] = {0x7f, 0x80, 0xbf, 0xc0};
  for (int lead = 0xf0; lead <= 0xff; ++lead) {
    for (int b = 0; b < 256; ++b) {
      for (const int c : ends) {
        for (const int d : ends) {
          const char text[] = {static_cast<char>(lead), static_cast<char>(b), static_cast<char>(c),
                               static_cast<char>(d)};
          four += is_utf8({text, 4}) ? 1 : 0;
        }
      }
    }
  }
  EXPECT_EQ(four, 0x100000U / 0x1000 * 4);  // two of 64 third and fourth bytes each
  for (const char* cut : {"\xc3", "\xe2\x82", "\xf0\x9f\x98", "a\xf0\x9f\x98"}) EXPECT_FALSE(is_utf8(cut));
  EXPECT_TRUE(is_utf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z"));
}

}  // namespace
}  // namespace detent::models
