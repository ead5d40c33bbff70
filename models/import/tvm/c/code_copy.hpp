// CodeCopy: a copy of a C text from front to back, with parts left out or replaced.
#pragma once

#include <cstdint>
#include <string_view>

#include "models/import/tvm/c/scanned_text.hpp"
#include "models/import/tvm/c/text.hpp"

namespace detent::models::tvm {

class CodeCopy {
 public:
  /// Both must outlive it.
  CodeCopy(const CText& text, ScannedText& out) : text_(text), out_(out) {}

  /// What is before `end` and not copied yet. Nothing when all of it is.
  void keep_until(std::uint64_t end);
  /// Leave out [begin, end), which was not copied yet, and keep what is before it.
  void drop(std::uint64_t begin, std::uint64_t end);
  void replace(std::uint64_t begin, std::uint64_t end, std::string_view with);

 private:
  const CText& text_;
  ScannedText& out_;
  std::uint64_t kept_ = 0;  ///< end of what was copied, left out or replaced
};

}  // namespace detent::models::tvm
