// A word -> as it is typed in a shell.
#pragma once

#include <string>

namespace detent {

/// As it is where a shell takes it for one word, else in single quotes.
std::string quote_word(const std::string& word);

}  // namespace detent
