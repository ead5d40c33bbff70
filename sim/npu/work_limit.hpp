// WorkLimit: what is thrown where a layer would take too long to follow.
#pragma once

#include <stdexcept>

namespace detent::sim::npu {

/// The layer is valid, but too large to be followed fold by fold.
class WorkLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace detent::sim::npu
