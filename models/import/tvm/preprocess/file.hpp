// One file of a preprocessed text, line by line: directives are followed, macros expanded, headers put in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/files/include_path.hpp"
#include "models/import/tvm/preprocess/lines.hpp"
#include "models/import/tvm/preprocess/macros.hpp"
#include "models/import/tvm/preprocess/preprocessed.hpp"

namespace detent::models::tvm {

/// What the files of one text share.
struct PpState {
  const IncludePath& path;
  const PreprocessOptions& options;
  PpMacros macros{};
  std::map<std::string, std::string> library{};  ///< macros of the C library's headers that were included
  std::set<std::string> once{};                  ///< files that are put in once only
  std::map<std::string, std::string> guards{};   ///< of files whose text stands within #ifndef
  std::uint32_t headers = 0, depth = 0;
  std::set<std::string> defined{};  ///< ever
  Preprocessed out{};
};

/// Is it a header of the C library or of TVM's runtime, which stays an #include line?
bool is_library_header(const std::string& name);
/// Without what would end a quoted name or a line.
std::string printable_name(std::string text);

/// One file, line by line.
class FileWalk final : PpFollowing {
 public:
  /// @param name  of #line   @param shown  in errors
  FileWalk(PpState& all, const std::string& text, std::string name, std::string shown, SourcePlace place);

  void run();
  /// The macro within whose #ifndef all of the file stands; "" none.
  [[nodiscard]] std::string guard() const { return is_guarded_ && guard_ends_ ? guard_ : ""; }

 private:
  struct Condition {
    bool outer = true, taken = false, live = false, had_else = false;
    std::uint64_t at = 0;
    bool is_guard = false;
  };

  [[nodiscard]] bool live() const { return conditions_.empty() || conditions_.back().live; }
  [[nodiscard]] std::uint64_t line_at(std::uint64_t at) {
    if (at < counted_) {
      line_ = 1;
      counted_ = 0;
    }
    line_ += static_cast<std::uint64_t>(std::count(joined_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                                   joined_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted_ = at;
    return line_;
  }
  /// Run `step`; what it cannot do is told with the place `at`.
  template <typename Step>
  void checked(std::uint64_t at, const Step& step) {
    try {
      step();
    } catch (const PpFault& fault) {
      fail(at, fault.what);
    }
  }
  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const {
    constexpr std::size_t kMost = 1000;  // names and texts of any size are repeated
    text_.fail(at, what.size() > kMost ? what.substr(0, kMost) + "..." : what);
  }
  void put(std::string_view text) {
    all_.out.text += text;
    if (all_.out.text.size() > all_.options.max_bytes) fail(pos_, "with its headers larger than 1 GiB");
  }
  void put_newlines(std::uint64_t begin, std::uint64_t end) {
    const std::string_view part = std::string_view(joined_).substr(begin, end - begin);
    put(std::string(static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n')), '\n'));
  }

  void code();
  void word();
  void skip_line();
  void directive();
  void dispatch(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end);
  bool condition(const std::string& name, std::string_view rest, std::uint64_t begin);
  bool decide(const std::string& name, std::string_view rest, std::uint64_t begin);
  bool evaluate(std::string_view rest, std::uint64_t begin);
  bool is_defined(const std::string& name, std::uint64_t at);
  void ask(const std::string& name, std::uint64_t at);
  void include(std::string_view rest, std::uint64_t begin, std::uint64_t end, const std::string& how);
  void include_text(const IncludedText& header, std::uint64_t begin, std::uint64_t end);
  void include_library(const std::string& name, std::uint64_t begin, std::uint64_t end);
  [[nodiscard]] bool finds(std::vector<PpToken> operand, std::uint64_t begin);
  void renumber(const std::string& rest, std::uint64_t begin);
  static std::string name_at(std::string_view rest, const std::string& directive);
  static bool keeps_pragma(std::string_view text);
  std::vector<PpToken> with_pragmas(std::vector<PpToken> tokens);
  std::uint64_t directive_text(std::uint64_t begin, std::string& line) const;
  /// What __FILE__ and __LINE__ are.
  [[nodiscard]] PpMacros::Place here(std::uint64_t at) {
    const auto line = static_cast<std::int64_t>(line_at(at) + lines_.joined_before(at)) + moved_;
    return {presumed_, static_cast<std::uint64_t>(std::max<std::int64_t>(line, 0))};
  }
  [[nodiscard]] bool spans_lines(std::uint64_t begin, std::uint64_t end) const {
    const std::string_view part = std::string_view(joined_).substr(begin, end - begin);
    return part.find('\n') != std::string_view::npos || lines_.joins(begin, end);
  }

  bool opens() override;
  PpToken next() override;

  PpState& all_;
  JoinedText lines_;
  const std::string& joined_;
  std::string name_, shown_, presumed_ = name_;  ///< of line marks, of errors, of __FILE__
  std::int64_t moved_ = 0;                       ///< what #line adds to the lines
  SourcePlace place_;
  CText text_;
  std::uint64_t pos_ = 0, counted_ = 0, line_ = 1;
  bool line_start_ = true;
  std::vector<Condition> conditions_;
  std::string guard_;
  bool is_first_ = true, is_guarded_ = false, guard_ends_ = false;
};

}  // namespace detent::models::tvm
