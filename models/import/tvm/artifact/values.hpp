// InitialiserReader: the text of a C initialiser as tokens, without a syntax tree; constants of 50 MB pass through it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

class InitialiserReader {
 public:
  struct Token {
    enum class Kind : std::uint8_t {
      kNumber,  ///< text: without sign
      kString,  ///< text: between the quotes, escapes as written
      kWord,    ///< identifier
      kSign,    ///< text: any other single character, "{", ",", "-", "."
      kEnd
    } kind = Kind::kEnd;
    std::string_view text;
    std::uint64_t at = 0;  ///< offset in the file
  };

  /// @param unit  must outlive the reader
  InitialiserReader(const CUnit& unit, const SourceRange& range);
  /// Comments and white space are skipped.
  Token next();
  /// The token that next() will give.
  [[nodiscard]] const Token& peek() const { return ahead_; }
  /// @throws InputError  unless the next token is this sign
  void expect(char sign);
  /// Take the next token if it is this sign.
  bool accept(char sign);
  /// [sign] integer [suffix], in parentheses or not.
  std::int64_t integer();
  /// Any number of adjacent string literals, decoded.
  std::string string();
  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;

 private:
  Token scan();

  const CUnit& unit_;
  std::string_view text_;  ///< of the file up to the end of the range
  std::uint64_t pos_;
  Token ahead_;
};

/// The bytes that a string literal's text stands for; line numbers in errors by the caller.
/// @return  false: an escape that C does not have
bool decode_literal(std::string_view text, std::string& bytes);

/// The numbers of an initialiser, flattened: C99 hexadecimal and decimal floats, integers, strings; names of members
/// are skipped. @param bytes  receives the values as little-endian elements of `type`
/// @throws InputError  anything else; values that are not in the order of their places: named elements out of order,
///         values behind a row with fewer than it holds. File and line
void read_initialiser(const CUnit& unit, const SourceRange& range, const CType& type, std::string& bytes);

}  // namespace detent::models::tvm
