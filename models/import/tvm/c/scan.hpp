// C text -> what the compiler is given: the same code without what it need not or must not see.
//
// Left out: every directive that is no condition, no macro and no pack pragma, the groups that only a C++ compiler
// reads, and the insides of long initialisers; where that may change what the rest means, a doubt says so. Offsets map
// back to the original text. The scan is also the guard in front of the compiler: whatever could exhaust its stack or
// its memory is refused here (B09, B15).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/import/tvm/c/ast.hpp"

namespace detent::models::tvm {

/// Caps on what the compiler is given; generated code stays far below all of them.
struct ScanLimits {
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
  std::uint32_t max_depth = 250;              ///< brackets of all kinds, open at one place
  std::uint32_t max_tokens = 8U << 20;        ///< of the file, macros expanded
  std::uint32_t max_statement_tokens = 8192;  ///< between two of ; { }, macros expanded
  std::uint32_t max_prefix_run = 64;          ///< prefix operators, pointers or unbraced statements in a row
  std::uint32_t max_casts = 600;              ///< of one statement
  std::uint32_t max_else_ifs = 500;           ///< of one function
  std::uint32_t max_type_names = 256;         ///< typedef, typeof and their like
  std::uint32_t max_condition_bytes = 1024;   ///< longer #if are taken as false
  /// Work that declaring the same names again and again costs the compiler: the sum of k for each k-th declaration.
  std::uint64_t max_redeclarations = 8'000'000;
};

/// Longer initialisers are blanked: at file scope, and inside functions.
inline constexpr std::uint64_t kBlankFileScopeBytes = 512, kBlankLocalBytes = 8192;

/// A place that the compiler of the kernels may read otherwise: it depends on what the file does not say.
struct Doubt {
  SourceRange range;  ///< of the original text
  std::string why;
  std::string name;  ///< that is not in the code because of it; "" none
};

class ScannedText {
 public:
  std::string code;           ///< for the compiler
  std::vector<Macro> macros;  ///< with an integer value
  std::vector<Doubt> doubts;

  /// Where `code_offset` stands in the original text; offsets past the end map to its end.
  [[nodiscard]] std::uint64_t original(std::uint64_t code_offset) const;
  /// [begin, end) of the code in the original text.
  [[nodiscard]] SourceRange original(std::uint64_t begin, std::uint64_t end) const;

 private:
  friend class Scanner;
  struct Piece {
    std::uint64_t code_begin, text_begin;
  };
  std::vector<Piece> pieces_;  ///< ascending; each runs to the next
};

/// @param file  named in errors
/// @throws InputError  as parse_c says
ScannedText scan_c(std::string_view text, const std::string& file, const ScanLimits& limits = {});

}  // namespace detent::models::tvm
