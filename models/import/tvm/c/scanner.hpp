// Scanner: one pass over a C text, token by token; see scan.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/import/tvm/c/code_copy.hpp"
#include "models/import/tvm/c/guard.hpp"
#include "models/import/tvm/c/limits.hpp"
#include "models/import/tvm/c/macros.hpp"
#include "models/import/tvm/c/scan_doubts.hpp"
#include "models/import/tvm/c/scanned_text.hpp"
#include "models/import/tvm/c/text.hpp"

namespace detent::models::tvm {

/// Longer initialisers are blanked: at file scope, and inside functions.
inline constexpr std::uint64_t kBlankFileScopeBytes = 512, kBlankLocalBytes = 8192;

class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file, const ScanLimits& limits)
      : view_(text), file_(file), limits_(limits) {}

  ScannedText run();

 private:
  /// A conditional group that is open.
  struct Condition {
    bool resolved = false;  ///< decided here; its directives are not passed on
    std::string brackets;   ///< open ones before the group
    std::uint64_t at = 0;
    std::string asks;  ///< a name that the file does not define
  };

  void step();
  void token();
  void word();
  void sign();
  void initialiser();
  void string_initialiser(std::uint64_t first);
  bool keeps_table(std::uint64_t first, std::uint64_t end);
  [[nodiscard]] bool assigns(std::uint64_t at) const;
  [[nodiscard]] bool of_unknown_extent(std::uint64_t equals) const;
  [[nodiscard]] bool counts_elements(std::uint64_t equals, std::uint64_t first, std::uint64_t end) const;

  void directive();
  void condition(const std::string& name, std::uint64_t begin, std::uint64_t end);
  void open_condition(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end);
  [[nodiscard]] bool is_refused(std::string_view condition) const;
  [[nodiscard]] std::string_view condition_text(const std::string& name, std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] std::string foreign_name(const std::string& directive, std::string_view condition) const;
  [[nodiscard]] bool gives_default(std::string_view name) const;
  [[nodiscard]] bool is_under_doubt() const;
  void define(std::uint64_t begin, std::uint64_t name_end, std::uint64_t end);
  void pragma(std::uint64_t begin, std::uint64_t name_end, std::uint64_t end);
  void skip_groups(bool all);
  void begin_at_elif(std::uint64_t end);

  std::string_view view_;
  const std::string& file_;
  const ScanLimits& limits_;
  CText text_{view_, file_};
  CompilerGuard guard_{text_, limits_};
  LineTable lines_{view_};
  MacroTable macros_{limits_.max_statement_tokens};
  ScanDoubts doubts_{text_, lines_, guard_, macros_};
  ScannedText out_;
  CodeCopy code_{text_, out_};
  std::uint64_t pos_ = 0;
  std::uint64_t table_bytes_ = 0;  ///< of initialisers that were kept
  bool line_start_ = true;
  std::vector<Condition> conditions_;
};

}  // namespace detent::models::tvm
