// Lines of text -> lines no longer than a screen is wide.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace detent::reports {

/// Characters that `text` takes on a screen: of UTF-8 one per code point.
std::size_t columns_of(std::string_view text);

/// The begin of `text` that takes at most so many columns, with "..." for the rest where there is one.
std::string first_columns(std::string_view text, std::size_t columns);

/// `line` broken at blanks so that no line has more than `width` columns; a word that is longer stands on a line of its
/// own. Lines after the first begin with blanks: below the last column of a table (after the last run of two blanks or
/// more in the left half), else two deeper than the first.
///
/// A number is never parted from the word behind it ("16.1 ms", "94 ops"), nor a sign, an "=", a "/" or an "x" from the
/// numbers on its two sides. A quoted replay line ('detent-replay/1 ...') is one word. Newlines in `line` stay.
std::string wrap(std::string_view line, std::size_t width);
/// The same with `hang` blanks before every line but the first.
std::string wrap_hanging(std::string_view line, std::size_t width, std::size_t hang);

}  // namespace detent::reports
