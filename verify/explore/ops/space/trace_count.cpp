#include "verify/explore/ops/space/trace_count.hpp"

#include <algorithm>

namespace detent::verify::explore {

std::string format_count(Count128 count) {
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(count % 10)));
    count /= 10;
  } while (count != 0);
  return {digits.rbegin(), digits.rend()};
}

}  // namespace detent::verify::explore
