#include "app/manual/arrange.hpp"

#include <algorithm>
#include <cstddef>

namespace detent::app {
namespace {

bool takes_command(const ManualPage& page) {
  return std::ranges::any_of(page.options, [](const ManualOption& o) { return o.positional && o.name() == "COMMAND"; });
}

}  // namespace

std::vector<std::string> arrange_words(const std::vector<ManualPage>& pages, const std::vector<std::string>& words) {
  const ManualPage* const page = words.empty() ? nullptr : find_page(pages, words.front());
  if (page == nullptr || !takes_command(*page)) return words;
  std::vector<std::string> own = {words.front()}, inner;
  for (std::size_t at = 1; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word == "--") {
      inner.insert(inner.end(), words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
      break;
    }
    const std::size_t equals = word.find('=');
    const ManualOption* const option = page->find(word.substr(0, equals));
    if (option == nullptr) {
      inner.push_back(word);
      continue;
    }
    own.push_back(word);
    const bool takes_next = !option->is_flag() && equals == std::string::npos;
    if (takes_next && at + 1 < words.size()) own.push_back(words[++at]);
  }
  if (!inner.empty()) own.emplace_back("--");
  own.insert(own.end(), inner.begin(), inner.end());
  return own;
}

}  // namespace detent::app
