// Values and guards of detent.graph/2: what is read, what is refused, and both ways.
#include "models/files/graph_values.hpp"

#include <gtest/gtest.h>

#include "models/core/op_graph.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "tests/support/error_text.hpp"

namespace detent::models {
namespace {

Model parse_text(const std::string& text) { return parse_graph(text, "g.json"); }

std::string values_graph(const std::string& ops, const std::string& more = "") {
  return R"({"schema": "detent.graph/2", "regions": [{"name": "ws", "size": 64}], )" + more + "\"ops\": [" + ops + "]}";
}

std::string range(int offset, int size, const std::string& value) {
  return "{\"region\": \"ws\", \"offset\": " + std::to_string(offset) + ", \"size\": " + std::to_string(size) +
         ", \"value\": " + value + "}";
}

std::string op(int id, const std::string& reads, const std::string& writes, const std::string& more = "") {
  return "{\"id\": " + std::to_string(id) + ", " + more + "\"reads\": [" + reads + "], \"writes\": [" + writes + "]}";
}

void expect_values_refused(const std::string& text, std::initializer_list<const char*> parts) {
  expect_error([&] { return parse_text(text); }, parts);
}

const std::string kAll =
    values_graph(op(0, range(0, 8, "\"in\""), range(8, 8, "\"x\"") + ", " + range(24, 8, "\"x\"")) + "," +
                     op(1, range(8, 4, "[\"x\", \"in2\"]"), "", "\"guard\": [\"x=then\"], "),
                 "\"inputs\": [" + range(0, 8, "\"in\"") + ", " + range(8, 4, "\"in2\"") + "], \"outputs\": [" +
                     range(24, 8, "\"x\"") + "], ");

TEST(GraphValues, EveryFieldOfTheFormat) {
  const Model m = parse_text(kAll);
  EXPECT_EQ(m.value_names, (std::vector<std::string>{"in", "in2", "x"}));
  EXPECT_EQ(m.inputs.size(), 2U);
  ASSERT_EQ(m.outputs.size(), 1U);
  EXPECT_EQ(m.tensors[m.outputs[0]].name, "x in ws[24,32)");
  EXPECT_EQ(m.tensors[m.ops[1].inputs[0]].values, (std::vector<std::uint32_t>{2, 1}));
  ASSERT_EQ(m.decisions.size(), 1U);
  EXPECT_EQ(m.decisions[0].op, 0U) << "the op that writes the value";
  EXPECT_EQ(m.decisions[0].outcomes, std::vector<std::string>{"then"});
  EXPECT_EQ(m.ops[1].guards, (std::vector<Guard>{{0, 0}}));
}

TEST(GraphValues, TheTextAndTheGraphOfTheModelGiveItBack) {
  const Model m = parse_text(kAll);
  EXPECT_EQ(parse_text(format_graph(m)), m);
  EXPECT_EQ(format_graph(to_op_graph(m)), format_graph(parse_text(format_graph(to_op_graph(m)))));
}

TEST(GraphValues, APackageHoldsValuesButNoGuards) {
  const Model values = parse_text(values_graph(op(0, "", range(0, 8, "\"x\""))));
  EXPECT_EQ(decode_package(encode_package(values), "p"), values);
  expect_error([] { return encode_package(parse_text(kAll)); }, {"a package cannot hold guards"});
}

TEST(GraphValues, DecisionsAreValuesNamesOrNumbers) {
  EXPECT_EQ(parse_text(values_graph(op(0, "", "") + "," + op(1, "", "", "\"guard\": \"c0=a\", "))).decisions[0].op, 0U);
  EXPECT_EQ(parse_text(values_graph(op(0, "", "", "\"name\": \"if\", ") + "," + op(1, "", "", "\"guard\": \"if=a\", ")))
                .decisions[0]
                .op,
            0U);
  expect_values_refused(values_graph(op(0, "", "", "\"guard\": \"d=a\", ")),
                        {"ops[0].guard", "decision \"d\" is no value"});
  expect_values_refused(
      values_graph(op(0, "", range(0, 1, "\"d\"")) + "," + op(1, "", "", "\"name\": \"d\", \"guard\": \"d=a\", ")),
      {"ops[1].guard", "may be op 0 or op 1"});
}

TEST(GraphValues, BadGuardsAreRefused) {
  for (const char* guard : {"c0", "=a", "c0=", "c0=a=b"}) {
    expect_values_refused(values_graph(op(0, "", "", std::string("\"guard\": \"") + guard + "\", ")),
                          {"DECISION=OUTCOME"});
  }
  expect_values_refused(values_graph(op(0, "", "", "\"guard\": [\"c0=a\", \"c0=b\"], ")),
                        {"ops[0].guard[1]", "contradicts"});
  expect_values_refused(values_graph(op(0, "", "", "\"guard\": [\"c0=a\", \"c0=a\"], ")),
                        {"ops[0].guard[1]", "name it once"});
}

TEST(GraphValues, BadValuesAreRefused) {
  expect_values_refused(values_graph(op(0, range(0, 8, "\"x\""), "")),
                        {"ops[0].reads[0].value", "written by no op and is no input"});
  expect_values_refused(values_graph(op(0, "", ""), "\"outputs\": [" + range(0, 8, "\"x\"") + "], "),
                        {"outputs[0].value", "written by no op"});
  expect_values_refused(values_graph(op(0, "", range(0, 8, "\"x\"")) + "," + op(1, "", range(8, 8, "\"x\""))),
                        {"ops[1].writes[0].value", "already written by op 0"});
  expect_values_refused(values_graph(op(0, "", range(0, 8, "\"x\"")), "\"inputs\": [" + range(0, 8, "\"x\"") + "], "),
                        {"ops[0].writes[0].value", "already an input"});
  expect_values_refused(values_graph(op(0, "", range(0, 8, "\"x\"")) + "," + op(1, range(4, 8, "\"x\""), "")),
                        {"ops[1].reads[0].value", "lie outside what op 0 writes of it"});
  expect_values_refused(
      values_graph(op(0, "", ""), "\"inputs\": [" + range(0, 8, "\"x\"") + ", " + range(7, 8, "\"y\"") + "], "),
      {"inputs[1].value", "shares bytes with another input"});
  expect_values_refused(values_graph(op(0, "", range(0, 8, "[\"x\"]"))), {"ops[0].writes[0].value"});
  expect_values_refused(values_graph(op(0, range(0, 8, "[]"), "")), {"ops[0].reads[0].value", "an empty list"});
  expect_values_refused(values_graph(op(0, range(0, 8, "[\"x\", \"x\"]"), "")),
                        {"ops[0].reads[0].value[1]", "name it once"});
}

TEST(GraphValues, TheFirstFormatKnowsNoValues) {
  std::string text = values_graph(op(0, "", range(0, 8, "\"x\"")));
  text.replace(text.find("graph/2"), 7, "graph/1");
  expect_values_refused(text, {"ops[0].writes[0]", "value"});
}

}  // namespace
}  // namespace detent::models
