// What a value holds that nobody has filled in.
#pragma once

#include <gtest/gtest.h>

#include <type_traits>

namespace detent::test {

/// Each is 0, false, null or the first name of its enumeration.
template <typename... T>
void expect_zero(const T&... values) {
  int place = 0;
  const auto expect = [&](const auto& value) {
    EXPECT_TRUE(value == std::decay_t<decltype(value)>{}) << "value " << place;
    ++place;
  };
  (expect(values), ...);
}

/// It is what the header says, of the value's own type.
template <typename T, typename Wanted>
void expect_value(const T& value, const Wanted& wanted) {
  EXPECT_TRUE(value == static_cast<T>(wanted));
}

}  // namespace detent::test
