// One file of a preprocessed text, line by line: directives are followed, macros expanded, headers put in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/files/include_path.hpp"
#include "models/import/tvm/preprocess/file_conditions.hpp"
#include "models/import/tvm/preprocess/file_text.hpp"
#include "models/import/tvm/preprocess/macros.hpp"
#include "models/import/tvm/preprocess/state.hpp"

namespace detent::models::tvm {

/// Is it a header of the C library or of TVM's runtime, which stays an #include line?
bool is_library_header(const std::string& name);
/// Without what would end a quoted name or a line.
std::string printable_name(std::string text);

/// One file, line by line.
class FileWalk final : PpFollowing {
 public:
  /// @param name  of #line   @param shown  in errors
  FileWalk(PpState& all, const std::string& text, const std::string& name, std::string shown, SourcePlace place);

  void run();
  /// The macro within whose #ifndef all of the file stands; "" none.
  [[nodiscard]] std::string guard() const { return conditions_.guard(); }

 private:
  void put(std::string_view text);
  void put_newlines(std::uint64_t begin, std::uint64_t end);

  void code();
  void word();
  void skip_line();
  void directive();
  void dispatch(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end);
  void include(std::string_view rest, std::uint64_t begin, std::uint64_t end, const std::string& how);
  void include_text(const IncludedText& header, std::uint64_t begin, std::uint64_t end);
  void include_library(const std::string& name, std::uint64_t begin, std::uint64_t end);
  std::vector<PpToken> with_pragmas(std::vector<PpToken> tokens);
  std::uint64_t directive_text(std::uint64_t begin, std::string& line) const;

  bool opens() override;
  PpToken next() override;

  PpState& all_;
  std::string name_;  // of line marks
  SourcePlace place_;
  FileText file_;
  const CText& text_;
  const std::string& joined_;
  FileConditions conditions_;
  std::uint64_t pos_ = 0;
  bool line_start_ = true;
};

}  // namespace detent::models::tvm
