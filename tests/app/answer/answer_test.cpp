#include "app/answer/answer.hpp"

#include <gtest/gtest.h>

namespace detent::app {
namespace {

TEST(Answer, JsonHeaderNamesSchemaAndModel) {
  const Request request = {.model = "chain", .seeds = {.schedule = 4}};
  const Json header = json_header("run", request);
  EXPECT_EQ(header["schema"], "detent.run/1");
  EXPECT_EQ(header["model"], "chain");
  EXPECT_EQ(header["seed"], 4);
}

}  // namespace
}  // namespace detent::app
