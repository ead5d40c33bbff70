#include "app/manual/page.hpp"

#include <algorithm>

namespace detent::app {

bool ManualOption::is_named(const std::string& word) const { return std::ranges::count(names, word) != 0; }

const ManualOption* ManualPage::find(const std::string& word) const {
  const auto found =
      std::ranges::find_if(options, [&](const ManualOption& o) { return !o.positional && o.is_named(word); });
  return found == options.end() ? nullptr : &*found;
}

const ManualPage* find_page(const std::vector<ManualPage>& pages, const std::string& name) {
  const auto found = std::ranges::find(pages, name, &ManualPage::name);
  return found == pages.end() ? nullptr : &*found;
}

std::string usage_line(const ManualPage& page) {
  std::string line = "detent" + (page.name.empty() ? "" : " " + page.name);
  if (!page.commands.empty()) return line + " COMMAND ...";
  for (const ManualOption& option : page.options) {
    if (!option.positional) continue;
    const std::string word = option.name() + (option.takes_many ? "..." : "");
    line += option.required ? " " + word : " [" + word + "]";
  }
  bool has_more = false;
  for (const ManualOption& option : page.options) {
    if (option.positional) continue;
    if (option.required) line += " " + option.name() + (option.is_flag() ? "" : " " + option.value);
    has_more = has_more || !option.required;
  }
  return line + (has_more ? " [options]" : "");
}

}  // namespace detent::app
