// Numbers of workers that the environment gives, and what is wrong there.
#include "app/model/worker_count.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include <detent/detent.h>

namespace detent::app {
namespace {

/// A variable of the environment for a while; null: not set.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const old = std::getenv(name)) before_ = old, was_set_ = true;
    value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
  }
  ~Variable() { was_set_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool was_set_ = false;
};

std::string refusal(const char* own, const char* of_openmp) {
  const Variable first("TVMRT_NUM_WORKERS", own), second("OMP_NUM_THREADS", of_openmp);
  try {
    default_workers();
    return "";
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
}

std::uint32_t workers(const char* own, const char* of_openmp) {
  const Variable first("TVMRT_NUM_WORKERS", own), second("OMP_NUM_THREADS", of_openmp);
  return default_workers();
}

TEST(WorkerCount, OwnVariableComesBeforeOpenMPsAndBothBeforeTheCores) {
  EXPECT_EQ(workers("0", "7"), 0U);
  EXPECT_EQ(workers("5", nullptr), 5U);
  EXPECT_EQ(workers("", "7"), 7U);
  EXPECT_EQ(workers(nullptr, "4,2"), 4U);
  const std::uint32_t by_cores = workers(nullptr, nullptr);
  EXPECT_GE(by_cores, 1U);
  EXPECT_LE(by_cores, 3U);
  EXPECT_EQ(workers("", ""), by_cores);
}

TEST(WorkerCount, ValuesThatAreNoNumberInRangeAreErrors) {
  EXPECT_EQ(refusal("two", "4"),
            "environment: TVMRT_NUM_WORKERS=\"two\" is not a number of workers; use 0 to 64, or give --workers");
  EXPECT_EQ(refusal(nullptr, "dynamic"),
            "environment: OMP_NUM_THREADS=\"dynamic\" is not a number of workers; use 1 to 64, or give --workers");
  for (const char* const bad : {"65", "-1", "3x", " 3", "99999999999999999999", "4,2"}) {
    EXPECT_NE(refusal(bad, nullptr), "") << bad;
  }
  for (const char* const bad : {"0", "65", ",4", "x,4"}) EXPECT_NE(refusal(nullptr, bad), "") << bad;
  EXPECT_EQ(refusal("3", "dynamic"), "") << "it is not asked";
}

}  // namespace
}  // namespace detent::app
