// SystemC is found when the first simulation begins; where it is not, the error names the file and the remedy.
#include "sim/systemc/library.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace detent::sim::test {
namespace {

std::string error_of(const char* file) {
  try {
    load_sc_library(file);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(ScLibrary, EveryFunctionIsThere) {
  EXPECT_NE(sc_library().make_threads, nullptr);
  EXPECT_NE(sc_library().time_ps, nullptr);
  EXPECT_NE(sc_library().write_vcd, nullptr);
  EXPECT_NE(sc_library().observe, nullptr);
}

TEST(ScLibrary, AMissingFileIsNamedWithTheRemedy) {
  const std::string error = error_of("/nonexistent/detent_systemc.so");
  EXPECT_EQ(error.find("/nonexistent/detent_systemc.so: cannot be loaded"), 0U) << error;
  EXPECT_NE(error.find("cmake --install"), std::string::npos) << error;
}

TEST(ScLibrary, AnotherLibraryIsRefused) {
  const std::string error = error_of("libm.so.6");
  EXPECT_EQ(error.find("libm.so.6: has no detent_sc_library"), 0U) << error;
}

}  // namespace
}  // namespace detent::sim::test
