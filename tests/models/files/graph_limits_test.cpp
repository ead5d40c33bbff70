// Limits of graph files: what stands at a limit is read, one above it is refused with the limit.
#include <gtest/gtest.h>

#include <string>

#include "models/files/graph_file.hpp"
#include "models/files/graph_sources.hpp"
#include "models/files/op_table.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models::graph_limits {
namespace {

/// [text(0), text(1), ...]
template <typename Text>
std::string list_of(std::size_t count, const Text& text) {
  std::string list = "[";
  for (std::size_t i = 0; i < count; ++i) list += (i == 0 ? "" : ", ") + text(i);
  return list + "]";
}

/// Every value has a writer and every guard its decision.
std::string graph(std::size_t values, const std::string& last) {
  std::string text = R"({"schema": "detent.graph/2", "regions": [{"name": "r", "size": 4096}], "ops": [)";
  for (std::size_t i = 0; i < values; ++i) {
    const std::string number = std::to_string(i);
    text += R"({"id": )" + number + R"(, "writes": [{"region": "r", "offset": )" + std::to_string(16 * i) +
            R"(, "size": 8, "value": "v)" + number + R"("}]}, )";
  }
  return text + R"({"id": )" + std::to_string(values) + last + "}]}";
}

TEST(GraphLimits, SixteenGuardsOfAnOp) {
  const auto text = [](std::size_t guards) {
    return graph(
        17, R"(, "guard": )" + list_of(guards, [](std::size_t i) { return "\"v" + std::to_string(i) + "=then\""; }));
  };
  EXPECT_EQ(parse_graph(text(16), "g").ops.back().guards.size(), 16U);
  expect_error([&] { return parse_graph(text(17), "g"); }, {"17 guards; at most 16 are possible"});
}

TEST(GraphLimits, SixteenValuesOfARead) {
  const auto text = [](std::size_t values) {
    return graph(17, R"(, "reads": [{"region": "r", "offset": 0, "size": 8, "value": )" +
                         list_of(values, [](std::size_t i) { return "\"v" + std::to_string(i) + "\""; }) + "}]");
  };
  EXPECT_EQ(error_text([&] { return parse_graph(text(16), "g"); }).find("values; at most"), std::string::npos);
  expect_error([&] { return parse_graph(text(17), "g"); }, {"17 values; at most 16 are possible"});
  expect_error([&] { return parse_graph(text(0), "g"); }, {"an empty list; name a value, or leave \"value\" out"});
}

/// 2^62 ps in all: of one op and of several together.
TEST(GraphLimits, TimesOfAGraphTogether) {
  const std::uint64_t most = kMaxGraphTimePs;
  const auto text = [](std::uint64_t first, std::uint64_t second) {
    return R"({"schema": "detent.graph/1", "ops": [{"id": 0, "time_ps": )" + std::to_string(first) +
           R"(}, {"id": 1, "time_ps": )" + std::to_string(second) + "}]}";
  };
  EXPECT_EQ(parse_graph(text(most, 0), "g").ops[0].time_ps->second, most);
  EXPECT_EQ(parse_graph(text(most - 5, 5), "g").ops[1].time_ps->second, 5U);
  expect_error([&] { return parse_graph(text(most - 5, 6), "g"); }, {"times of the graph add up to more than"});
  expect_error([&] { return parse_graph(text(most + 1, 0), "g"); }, {"time_ps"});
}

TEST(GraphLimits, DemandsEndAtTwoToTheSixtyTwo) {
  const auto text = [](const std::string& deadline) {
    return R"({"schema": "detent.graph/1", "deadline": )" + deadline + R"(, "ops": [{"id": 0}]})";
  };
  EXPECT_EQ(parse_graph(text("\"4611686018427387904ps\""), "g").demands.deadline_ps, kMaxGraphTimePs);
  expect_error([&] { return parse_graph(text("\"4611686018427387905ps\""), "g"); },
               {"is above the most that a graph may state, 2^62 ps (53 days)"});
}

TEST(GraphLimits, NamesOfSources) {
  EXPECT_EQ(graph_source_fault(std::string(200, 'a')), nullptr);
  EXPECT_STREQ(graph_source_fault(std::string(201, 'a')), "the name of a source has at most 200 characters");
  EXPECT_NE(graph_source_fault(".hidden.c"), nullptr);
  EXPECT_NE(graph_source_fault("a/.hidden.c"), nullptr);
  EXPECT_EQ(graph_source_fault("a.b/c.d.c"), nullptr);
  EXPECT_NE(graph_source_fault("runtime/a.c"), nullptr);
  EXPECT_NE(graph_source_fault("detent_a.c"), nullptr);
  EXPECT_EQ(graph_source_fault("own/detent_a.c"), nullptr);
}

TEST(GraphLimits, NamesInMessagesOfATableEndAfter64Letters) {
  const auto refusal = [](std::size_t letters) {
    const std::string name(letters, 'x');
    return error_text([&] { return parse_op_table("name,duration\n" + name + ",1us\n" + name + ",1us\n", "t.csv"); });
  };
  EXPECT_EQ(shown_length(refusal(64)), 64U) << refusal(64);
  EXPECT_EQ(shown_length(refusal(65)), 64U);
}

}  // namespace
}  // namespace detent::models::graph_limits
