// An integer that no double holds exactly, where a number is wanted: the nearest one is taken. It was read as whatever
// stood in memory, and could pass for one within its limits.
#include <gtest/gtest.h>

#include <stdexcept>

#include "app/settings/op_settings.hpp"
#include "base/toml.hpp"

namespace detent {
namespace {

TEST(Regress, AnIntegerThatNoDoubleHoldsIsTheNearestNumber) {
  const toml::table table = parse_toml("a = 4611686018427387905", "file");
  EXPECT_EQ(TomlReader(table, "file", "").number("a", 1e19), 4611686018427387904.0);
  EXPECT_THROW(static_cast<void>(TomlReader(table, "file", "").number("a", 1e6)), std::invalid_argument);
  const char* const fallback =
      "schema = \"detent.set/1\"\n[[fallbacks]]\nfrom = \"npu\"\nslower = 4611686018427387905\n";
  EXPECT_THROW(static_cast<void>(app::parse_op_settings(fallback, "file")), std::invalid_argument);
}

}  // namespace
}  // namespace detent
