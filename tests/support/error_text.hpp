// error_text: what an InputError says, or "" when none is thrown. For EXPECTs on places and phrases.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/input_error.hpp"

namespace detent {

template <typename F>
std::string error_text(F&& call) {
  try {
    (void)call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// How much of a long name of one letter a message shows: the longest row of it.
inline std::size_t shown_length(const std::string& text, char letter = 'x') {
  std::size_t longest = 0, row = 0;
  for (const char c : text) {
    row = c == letter ? row + 1 : 0;
    if (row > longest) longest = row;
  }
  return longest;
}

/// Expect an InputError whose text contains all of `parts`.
template <typename F>
void expect_error(F&& call, std::initializer_list<const char*> parts) {
  const std::string text = error_text(call);
  EXPECT_NE(text, "") << "nothing was refused";
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in: " << text;
}

}  // namespace detent
