#include "models/files/graph_lines.hpp"

#include <gtest/gtest.h>

namespace detent::models {
namespace {

using Lines = std::vector<std::uint32_t>;

TEST(GraphLines, EachOpHasTheLineOnWhichItBegins) {
  const std::string text =
      "{\"schema\": \"detent.graph/2\",\n"
      " \"inputs\": [{\"id\": 0}],\n"
      " \"regions\": [{\"name\": \"ops\", \"size\": 4}],\n"
      " \"ops\": [\n"
      "  {\"id\": 1, \"reads\": [{\"region\": \"ops\", \"offset\": 0}]},\n"
      "  {\n   \"name\": \"a\\\" \\\\\",\n   \"id\":0}],\n"
      " \"edges\": [[0,\n1]]}";
  EXPECT_EQ(graph_op_lines(text, 2), (Lines{6, 5}));
}

TEST(GraphLines, OneLineIsTheFirst) {
  EXPECT_EQ(graph_op_lines(R"({"ops": [{"id": 0}, {"id": 1}]})", 2), (Lines{1, 1}));
}

TEST(GraphLines, OtherTextGivesSomeAnswer) {
  EXPECT_EQ(graph_op_lines("", 1), (Lines{0}));
  EXPECT_EQ(graph_op_lines("]]]}{\"ops\":[{\"id\":9}", 1), (Lines{0}));
  EXPECT_EQ(graph_op_lines("{\"ops\": [{\"id\": \"", 1), (Lines{0}));
  EXPECT_EQ(graph_op_lines("{\"ops\": [{\"id\": \"\\", 1), (Lines{0}));
}

}  // namespace
}  // namespace detent::models
