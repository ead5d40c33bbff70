// ScanDoubts: places of a C text that the compiler of the kernels may read otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/import/tvm/c/guard.hpp"
#include "models/import/tvm/c/macros.hpp"
#include "models/import/tvm/c/scanned_text.hpp"
#include "models/import/tvm/c/text.hpp"

namespace detent::models::tvm {

class ScanDoubts {
 public:
  /// All must outlive it. @param guard, macros  at the place that is scanned
  ScanDoubts(const CText& text, const LineTable& lines, const CompilerGuard& guard, const MacroTable& macros)
      : text_(text), lines_(lines), guard_(guard), macros_(macros) {}

  /// @param name  that is not in the code because of it; "" none
  void doubt(std::uint64_t begin, std::uint64_t end, const std::string& why, std::string_view name = {});
  /// What stands here may change the meaning of anything in the file.
  void doubt_all(std::uint64_t at, const std::string& why);
  /// A word that asks the compiler, or an attribute that begins with it.
  /// @throws InputError  a vector whose length is too much for the compiler, or is not told
  void doubt_word(std::string_view name, std::uint64_t begin);
  /// The body of a macro may come to stand anywhere.
  void doubt_macro(std::uint64_t begin, std::uint64_t end);
  /// A conditional group, and a name in its condition that the file does not define.
  void doubt_condition(std::uint64_t begin, std::uint64_t end, const std::string& asked);

  /// All of them, in the order in which they were found.
  [[nodiscard]] std::vector<Doubt> take() { return std::move(doubts_); }

 private:
  void attributes(std::uint64_t begin, std::uint64_t limit);
  void require_short_vector(std::uint64_t at, std::uint64_t begin) const;
  void assertion(std::uint64_t begin);

  const CText& text_;
  const LineTable& lines_;
  const CompilerGuard& guard_;
  const MacroTable& macros_;
  std::vector<Doubt> doubts_;
};

}  // namespace detent::models::tvm
