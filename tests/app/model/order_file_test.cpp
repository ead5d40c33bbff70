#include "app/model/order_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <stdexcept>

#include "app/model/loaded_model.hpp"
#include "tests/build.hpp"
#include "tests/support/error_text.hpp"

namespace detent::app {
namespace {

class OrderFile : public testing::Test {
 protected:
  OrderFile() {
    for (std::uint32_t i = 0; i < 3; ++i) {
      ops_[i].name = kNames[i];
      ops_[i].id = i;
    }
    desc_.ops = ops_.data();
    desc_.op_count = 3;
  }

  std::vector<std::uint32_t> read(const std::string& text) {
    const std::string path = std::string(kBuildFolder) + "/order_test.txt";
    std::ofstream(path) << text;
    return read_order(path, desc_);
  }

  static constexpr std::array<const char*, 3> kNames = {"stem", "left", "right"};
  std::array<detent_op, 3> ops_{};
  detent_desc desc_{};
};

TEST_F(OrderFile, ARefusalShows200BytesOfALongName) {
  try {
    static_cast<void>(read("0 " + std::string(300, 'x')));
    ADD_FAILURE() << "taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(shown_length(error.what()), 200U) << error.what();
    EXPECT_NE(std::string(error.what()).find(": entry 2 ('x"), std::string::npos) << error.what();
  }
}

TEST_F(OrderFile, TakesIdsNamesListsAndComments) {
  const std::vector<std::uint32_t> expected = {0, 2, 1};
  EXPECT_EQ(read("0 2 1"), expected);
  EXPECT_EQ(read("[0, 2, 1]\n"), expected);
  EXPECT_EQ(read("stem  # first\nright\n\nleft\n"), expected);
}

TEST_F(OrderFile, OrderMustBeAPermutation) {
  EXPECT_THROW(read("0 1"), std::invalid_argument);
  EXPECT_THROW(read("0 1 1"), std::invalid_argument);
  EXPECT_THROW(read("0 1 3"), std::invalid_argument);
  EXPECT_THROW(read("0 1 middle"), std::invalid_argument);
  EXPECT_THROW(read("0 1 -2"), std::invalid_argument);
  EXPECT_THROW(read(""), std::invalid_argument);
  EXPECT_THROW(read_order("/nonexistent/order", desc_), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app
