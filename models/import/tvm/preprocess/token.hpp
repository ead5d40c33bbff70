// Preprocessing tokens of C: words, numbers, quoted text and signs.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace detent::models::tvm {

struct PpToken {
  enum class Kind : std::uint8_t {
    kWord,
    kNumber,
    kQuoted,
    kSign,
    kEmpty  ///< stands for an empty argument beside ##
  } kind = Kind::kEmpty;
  std::string text;
  bool settled = false;  ///< a word that was looked at and is no macro of the text: the compiler may have one
  bool spaced = false;   ///< blanks or a comment stand before it
  std::shared_ptr<const std::set<std::string>> hidden;  ///< macros that are not expanded in it; null: none

  [[nodiscard]] bool is_sign(std::string_view sign) const { return kind == Kind::kSign && text == sign; }
  [[nodiscard]] bool is_word(std::string_view word) const { return kind == Kind::kWord && text == word; }
};

/// What cannot be preprocessed; the reader of the file adds the place.
struct PpFault {
  std::string what;
};

/// Behind the prefix of a string or character constant (L"x", u8"x"): is the word from `begin` to `end` one?
/// @throws PpFault  of a raw string
bool is_quote_prefix(std::string_view text, std::uint64_t begin, std::uint64_t end);

/// The token that begins at `at`, which is no blank and no comment; `at` moves behind it. @throws PpFault  quotes that
/// never end
PpToken take_token(std::string_view text, std::uint64_t& at);

/// All tokens of a line without comments. @throws PpFault
std::vector<PpToken> tokens_of(std::string_view line);

/// The text of tokens with one blank between those that must not touch.
std::string text_of(const std::vector<PpToken>& tokens);

}  // namespace detent::models::tvm
