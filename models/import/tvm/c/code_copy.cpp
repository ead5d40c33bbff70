#include "models/import/tvm/c/code_copy.hpp"

namespace detent::models::tvm {

void CodeCopy::keep_until(std::uint64_t end) {
  if (end <= kept_) return;
  out_.append(text_.part(kept_, end), kept_);
  kept_ = end;
}

void CodeCopy::drop(std::uint64_t begin, std::uint64_t end) {
  keep_until(begin);
  kept_ = end;
}

void CodeCopy::replace(std::uint64_t begin, std::uint64_t end, std::string_view with) {
  keep_until(begin);
  out_.append(with, begin);
  kept_ = end;
}

}  // namespace detent::models::tvm
