#include "base/words/pattern.hpp"

namespace detent {

bool matches(std::string_view pattern, std::string_view name) {
  // The last * seen takes one letter more whenever what follows it does not fit: linear but for the last *.
  std::size_t at = 0, in = 0, star = std::string_view::npos, taken = 0;
  while (in < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      taken = in;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == name[in])) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

}  // namespace detent
