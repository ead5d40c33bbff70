// FileConditions: #if and its like in one file, and whether all of it stands within the #ifndef of a guard.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/import/tvm/files/include_path.hpp"
#include "models/import/tvm/preprocess/file_text.hpp"
#include "models/import/tvm/preprocess/state.hpp"

namespace detent::models::tvm {

/// The word that a directive is about. @throws PpFault  it has none
std::string name_at(std::string_view rest, const std::string& directive);

class FileConditions {
 public:
  FileConditions(PpState& all, FileText& text, std::string name, const SourcePlace& place)
      : all_(all), text_(text), name_(std::move(name)), place_(place) {}

  /// Is the text here compiled?
  [[nodiscard]] bool live() const { return conditions_.empty() || conditions_.back().live; }
  /// A directive from `begin` to `end`. False: it is none of conditions. @throws PpFault, InputError
  bool follow(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end);
  /// Something other than a condition stands here: no guard begins behind it, and none ended before it.
  void note_other_text() { is_first_ = guard_ends_ = false; }
  /// At the end. @throws InputError  one is open
  void check_closed() const;
  /// The macro within whose #ifndef all of the file stands; "" none.
  [[nodiscard]] std::string guard() const { return is_guarded_ && guard_ends_ ? guard_ : ""; }

 private:
  struct Condition {
    bool outer = true, taken = false, live = false, had_else = false;
    std::uint64_t at = 0;
    bool is_guard = false;
  };
  void open(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end);
  bool decide(const std::string& name, std::string_view rest, std::uint64_t begin, std::uint64_t end);
  bool evaluate(std::string_view rest, std::uint64_t begin, std::uint64_t end);
  std::vector<PpToken> answered(const std::vector<PpToken>& raw, std::uint64_t begin);
  std::vector<PpToken> expanded(const std::vector<PpToken>& tokens, std::uint64_t begin);
  bool is_defined(const std::string& name, std::uint64_t at);
  void ask(const std::string& name, std::uint64_t at);
  [[nodiscard]] bool finds(std::vector<PpToken> operand, std::uint64_t begin);

  PpState& all_;
  FileText& text_;
  std::string name_;
  const SourcePlace& place_;
  std::vector<Condition> conditions_;
  std::string guard_;
  bool is_first_ = true, is_guarded_ = false, guard_ends_ = false;
};

}  // namespace detent::models::tvm
