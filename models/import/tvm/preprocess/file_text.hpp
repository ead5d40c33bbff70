// FileText: the text of one file with its lines joined, and the places within it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/preprocess/lines.hpp"
#include "models/import/tvm/preprocess/macros.hpp"
#include "models/import/tvm/preprocess/token.hpp"

namespace detent::models::tvm {

class FileText {
 public:
  /// @param name  of __FILE__   @param shown  in errors
  FileText(const std::string& text, std::string name, std::string shown);
  FileText(const FileText&) = delete;
  FileText& operator=(const FileText&) = delete;

  /// @throws InputError  NUL bytes, stray backslashes and carriage returns
  void check() const;
  [[nodiscard]] const CText& text() const { return text_; }
  [[nodiscard]] const std::string& joined() const { return joined_; }
  [[nodiscard]] std::uint64_t newlines(std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] std::uint64_t line_at(std::uint64_t at);
  [[nodiscard]] bool spans_lines(std::uint64_t begin, std::uint64_t end) const;
  /// What __FILE__ and __LINE__ are.
  [[nodiscard]] PpMacros::Place here(std::uint64_t at);
  /// #line N "file", which ends at `end`: what they say from the next line on. @throws PpFault
  void renumber(const std::vector<PpToken>& tokens, std::uint64_t end);
  [[nodiscard]] const std::string& shown() const { return shown_; }

  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;
  /// Run `step`; what it cannot do is told with the place `at`.
  template <typename Step>
  void checked(std::uint64_t at, const Step& step) const {
    try {
      step();
    } catch (const PpFault& fault) {
      fail(at, fault.what);
    }
  }

 private:
  JoinedText lines_;
  const std::string& joined_;
  std::string shown_, presumed_;  // of errors, of __FILE__
  std::int64_t moved_ = 0;        // what #line adds to the lines
  CText text_;
  std::uint64_t counted_ = 0, line_ = 1;
};

}  // namespace detent::models::tvm
