// Op tables: columns, times with units, predecessors by name, layers with barriers, and every refusal.
#include "models/files/op_table.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/temp_directory.hpp"
#include "models/files/graph_file.hpp"
#include "models/prepare/load.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs edges_of(const Model& model) {
  Pairs pairs;
  for (const Edge& edge : model.edges) pairs.emplace_back(edge.from, edge.to);
  return pairs;
}

Model table(const std::string& text) { return parse_op_table(text, "net.csv"); }

TEST(OpTable, NamesTimesClassesAndPredecessorsMakeAGraph) {
  const Model model = table(
      "# exported\r\nname, class, kernel, duration, predecessors\r\n\r\nload,,copy,1.5us,\n"
      "\"conv, \"\"first\"\"\",npu,conv2d,2us..3us,load\npool,cpu,,900 ns,\"conv, \"\"first\"\"\"\n"
      "last,cpu,,7,load pool\n");
  ASSERT_EQ(model.ops.size(), 4U);
  EXPECT_EQ(model.ops[1].name, "conv, \"first\"");
  EXPECT_EQ(model.ops[0].core_class, "cpu");
  EXPECT_EQ(model.ops[1].core_class, "npu");
  EXPECT_EQ(model.ops[0].time_ps->first, 1'500'000U);
  EXPECT_EQ(model.ops[2].time_ps->first, 900'000U);
  EXPECT_EQ(model.ops[3].time_ps->first, 7U);
  EXPECT_EQ(edges_of(model), (Pairs{{0, 1}, {1, 2}, {0, 3}, {2, 3}}));
}

TEST(OpTable, PredecessorsAreSeparatedByBlanksOrSemicolons) {
  const Model model = table("name,predecessors,duration_ns\na,,1\nb c,,0.5\nd,a;b c,2\ne,a d,3\nf,b c,4\n");
  EXPECT_EQ(edges_of(model), (Pairs{{0, 2}, {1, 2}, {0, 3}, {2, 3}, {1, 4}}));
  EXPECT_EQ(model.ops[1].time_ps, std::pair(std::uint64_t{500}, std::uint64_t{500}));
}

TEST(OpTable, LayersHaveABarrierAfterEach) {
  const Model model = table("name,layer,duration_us,predecessors\na,0,1,\nb,0,2,\nc,7,3,a\nd,3,4,\ne,3,5,b\n");
  EXPECT_EQ(edges_of(model), (Pairs{{0, 3}, {1, 3}, {0, 4}, {1, 4}, {3, 2}, {4, 2}}));
  EXPECT_EQ(model.ops[4].time_ps->second, 5'000'000U);
}

TEST(OpTable, ATableIsWrittenAsTheGraphThatItIs) {
  const Model model = table("name,class,duration\na,npu,1ns..2ns\nb,cpu,3ps\n");
  EXPECT_EQ(parse_graph(format_graph(model), "g.json"), model);
  EXPECT_EQ(model.ops[0].core_class, "npu");
  EXPECT_EQ(model.ops[0].time_ps, std::pair(std::uint64_t{1000}, std::uint64_t{2000}));
}

TEST(OpTable, AFileThatEndsInCsvIsAModel) {
  const TempDirectory directory;
  const std::string path = (directory.path() / "net.csv").string();
  std::ofstream(path) << "name,duration\na,1us\nb,2us\n";
  EXPECT_EQ(load_model(path).ops.size(), 2U);
  EXPECT_EQ(read_graph(path), load_model(path));
  EXPECT_EQ(op_table_lines("\n# n\nname,duration\na,1\n\nb,2"), (std::vector<std::uint32_t>{4, 6}));
}

TEST(OpTable, WhatIsNoTableIsRefusedWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "net.csv: is empty; the first line names the columns"},
      {"name,duration\n", "net.csv:1: has no op"},
      {"name,time\na,1\n", "net.csv:1: unknown column \"time\""},
      {"name,duratoin\na,1\n", "did you mean duration?"},
      {"name,elements,N,K\n", "sizes of layers are for detent npu --layers"},
      {"name,duration,duration_us\n", "column duration_us: another column says the same"},
      {"duration\n1\n", "net.csv:1: no column name"},
      {"name\na\n", "no column duration (or duration_ps"},
      {"name,duration\na,1,2\n", "net.csv:2: 3 cells under 2 columns"},
      {"name,duration\n,1\n", "name: "},
      {"name,duration\na,\n", "duration: is missing"},
      {"name,duration\na,soon\n", "duration: \"soon\" must be a time such as"},
      {"name,duration_us\na,5us\n", "duration: \"5us\" is no number; the heading says us"},
      {"name,duration\na,5us..2us\n", "the first time of 5us..2us is above the second"},
      {"name,duration\na,50d\n", "duration: \"50d\""},
      {"name,duration\na,4611686018427387904\nb,1\n", "net.csv:3: with this one the durations add up"},
      {"name,duration\na,1\na,1\n", "net.csv:3: op \"a\" stands there twice"},
      {"name,duration,predecessors\na,1,b\n", "net.csv:2: predecessors: there is no op \"b\""},
      {"name,duration,predecessors\nab,1,\nb,1,ab ab\n", "net.csv:3: predecessors: ab stands there twice"},
      {"name,duration,predecessors\na,1,a\n", "net.csv"},
      {"name,duration,predecessors\na,1,b\nb,1,a\n", "cycle"},
      {"name,duration,layer\na,1,\n", "layer: \"\" is no whole number"},
      {"name,duration,layer,predecessors\na,1,2,\nb,1,2,a\n", "a is in layer 2, not before layer 2"},
      {"name,duration,class\na,1,delay\n", "class: \"delay\" is that of transfer delays"},
      {"name,duration\n\"a,1\n", "net.csv:2: a quote that does not end on its line"},
      {"name,duration\n\"a\"b,1\n", "a quote ends, and no comma follows"},
      {"name,duration\n" + std::string(70, ','), "more than 64 cells"},
  };
  for (const auto& [text, what] : cases) {
    const std::string error = error_text([&] { return table(text); });
    EXPECT_NE(error.find(what), std::string::npos) << text << "\n" << error;
    EXPECT_TRUE(error.starts_with("net.csv")) << error;
  }
}

TEST(OpTable, LimitsEndWithAnError) {
  std::string text = "name,duration,layer\n";
  for (int i = 0; i < 6000; ++i) text += "a" + std::to_string(i) + ",1," + std::to_string(i / 3000) + "\n";
  EXPECT_NE(error_text([&] { return table(text); }).find("more than 8000000 edges"), std::string::npos);
  std::string classes = "name,duration,class\n";
  for (int i = 0; i < 20; ++i) classes += "a" + std::to_string(i) + ",1,c" + std::to_string(i) + "\n";
  EXPECT_NE(error_text([&] { return table(classes); }).find("classes of cores besides"), std::string::npos);
}

TEST(OpTable, RefusalsShow64BytesOfALongName) {
  const std::string name(100, 'x');
  const std::vector<std::string> texts = {
      name + ",duration\n",
      "name,duration\n" + name + ",1\n" + name + ",1\n",
      "name,duration\na," + name + "\n",
      "name,duration_us\na," + name + "\n",
      "name,duration,predecessors\na,1," + name + "\n",
      "name,duration,predecessors\n" + name + ",1,\nb,1," + name + ";" + name + "\n",
      "name,duration,layer\na,1," + name + "\n",
      "name,duration,layer,predecessors\n" + name + ",1,2,\nb,1,2," + name + "\n",
  };
  for (const std::string& text : texts) {
    const std::string error = error_text([&] { return table(text); });
    EXPECT_EQ(shown_length(error), 64U) << error;
  }
  const std::string zeros(100, '0');
  const std::string above = error_text([&] { return table("name,duration\na," + zeros + "2us..1us\n"); });
  EXPECT_EQ(shown_length(above, '0'), 64U) << above;
}

}  // namespace
}  // namespace detent::models
