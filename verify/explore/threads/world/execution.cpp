#include "verify/explore/threads/world/execution.hpp"

#include <utility>

namespace detent::verify::explore {

void Execution::begin() {
  steps_ = 0;
  trail_ = 0;
  decisions_.truncate(0);
  end_ = End::kDone;
  law_.clear();
  text_.clear();
}

void Execution::fail(std::string law, std::string text) {
  if (has_failed()) return;
  law_ = std::move(law);
  text_ = std::move(text);
}

}  // namespace detent::verify::explore
