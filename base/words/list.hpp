// Lists as people type them: "cpu,npu", "64,64,256".
#pragma once

#include <string_view>
#include <vector>

namespace detent {

/// What stands between the commas, empty words included: "" is one empty word, "a," two. The views are of `text`.
inline std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t comma = text.find(',');
    words.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace detent
