// Macros of C: definitions, and their expansion as C11 6.10.3 and its GNU extensions (named and empty variable
// arguments) say.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/import/tvm/preprocess/token.hpp"

namespace detent::models::tvm {

/// The text that follows a use of a macro: its arguments may stand there.
class PpFollowing {
 public:
  virtual ~PpFollowing() = default;
  /// Is '(' the next token?
  virtual bool opens() = 0;
  /// The next token. @throws PpFault  the text ends
  virtual PpToken next() = 0;
};

class PpMacros {
 public:
  /// @param line  what follows "#define", without comments. @throws PpFault  no definition
  void define(std::string_view line);
  /// @throws PpFault  it is one of the preprocessor's own
  void undefine(const std::string& name);
  [[nodiscard]] bool is_defined(const std::string& name) const { return macros_.contains(name); }

  /// Expand one token, and what its expansion is together with the text behind it.
  /// @param place  of __FILE__ and __LINE__. @throws PpFault
  struct Place {
    std::string file;
    std::uint64_t line = 0;
  };
  /// Was __LINE__ asked for in the last expansion? Where a use spans lines, each compiler gives another one.
  [[nodiscard]] bool gave_line() const { return gave_line_; }
  /// A header of the C library was included, whose macros are not known here.
  void see_library() { sees_library_ = true; }
  /// Before a list is expanded.
  void forget_line() { gave_line_ = false; }
  std::vector<PpToken> expand(PpToken token, PpFollowing& following, const Place& place);
  /// Expand a list of its own. @throws PpFault
  std::vector<PpToken> expand(const std::vector<PpToken>& tokens, const Place& place);

 private:
  struct Macro {
    bool callable = false, variadic = false;
    std::vector<std::string> params;
    std::vector<PpToken> body;
  };
  struct Arguments {
    std::vector<std::vector<PpToken>> values;
    bool lacks_rest = false;  ///< nothing stands for the variable ones, not even a comma
    const std::vector<PpToken>& operator[](std::size_t param) const { return values[param]; }
  };

  std::vector<PpToken> run(std::deque<PpToken> pending, PpFollowing* following, const Place& place);
  [[nodiscard]] bool is_predefined(const PpToken& token, const Place& place, std::vector<PpToken>& out);
  Arguments read_arguments(const std::string& name, const Macro& macro, std::deque<PpToken>& pending,
                           PpFollowing* following, PpToken& close);
  std::vector<PpToken> substitute(const Macro& macro, const Arguments& arguments, const Place& place);
  void spend(std::size_t tokens);
  using Hidden = std::shared_ptr<const std::set<std::string>>;
  Hidden united(const Hidden& a, const Hidden& b);
  Hidden common(const Hidden& a, const Hidden& b);
  void hide(std::vector<PpToken>& tokens, const Hidden& hidden);
  /// Operands of # and ## that the compiler would have expanded to something else. @throws PpFault
  void check_settled(const PpToken& token) const;
  [[nodiscard]] std::vector<PpToken> raw_operand(const Macro& macro, const Arguments& arguments, std::size_t& at) const;
  static void check_body(const std::string& name, const Macro& macro);
  static std::vector<std::string> parameters_of(const std::vector<PpToken>& tokens, std::size_t& at, bool& variadic);

  std::map<std::string, Macro, std::less<>> macros_;
  /// Sets are few and tokens many: each set is made once.
  std::map<std::set<std::string>, Hidden> sets_;
  std::map<std::pair<const void*, const void*>, Hidden> unions_, intersections_;
  std::map<std::string, Hidden, std::less<>> names_;
  std::uint64_t counter_ = 0;
  std::uint64_t tokens_left_ = std::uint64_t{2} << 20U;
  std::uint32_t depth_ = 0;
  bool gave_line_ = false, sees_library_ = false;
};

}  // namespace detent::models::tvm
