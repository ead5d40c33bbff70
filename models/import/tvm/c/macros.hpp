// #define lines -> the macros whose expansion is bounded, how many tokens a use of them is, and their integer values.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// What one use of a macro costs.
struct MacroUse {
  bool callable = false;           ///< takes arguments
  std::uint32_t tokens = 0;        ///< of its expansion, without arguments
  std::uint32_t max_repeats = 0;   ///< how often an argument may be repeated
  std::vector<std::string> words;  ///< of its body
  bool is_doubtful = false;        ///< defined where the compiler of the kernels may define something else
};

class MacroTable {
 public:
  /// @param max_tokens  of one expansion
  explicit MacroTable(std::uint32_t max_tokens) : max_tokens_(max_tokens) {}

  /// @param line  what follows "#define"
  /// @return  false: its expansion has no bound that can be told here (pasting, the name of a macro with arguments
  /// without them),
  ///          and the compiler must not see it
  bool define(std::string_view line, bool is_doubtful = false);
  /// No macro, or one that may be none to another compiler.
  [[nodiscard]] bool is_doubtful(std::string_view name) const;
  void make_doubtful(std::string_view name);
  /// The first of these names, or of those in the bodies of these macros, that is no macro or a doubtful one; "" none.
  [[nodiscard]] std::string unknown_in(std::vector<std::string_view> names) const;
  /// Null for what is no macro.
  [[nodiscard]] const MacroUse* find(std::string_view name) const;
  /// Those with an integer value, in the order of their definitions.
  [[nodiscard]] const std::vector<Macro>& values() const { return values_; }

 private:
  bool count_tokens(std::string_view params, std::string_view body, MacroUse& use,
                    std::vector<std::string_view>& words) const;

  std::uint32_t max_tokens_;
  std::map<std::string, MacroUse, std::less<>> macros_;
  std::set<std::string, std::less<>> expanded_words_;  ///< stand in the body of a macro
  std::vector<Macro> values_;
};

}  // namespace detent::models::tvm
