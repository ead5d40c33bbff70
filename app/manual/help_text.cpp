// A page as text for a terminal.
#include <algorithm>

#include "app/manual/page.hpp"
#include "reports/text/wrap.hpp"

namespace detent::app {
namespace {

constexpr std::size_t kTextColumn = 26;
constexpr const char* kExitCodes =
    "Exit codes: 0 holds or done, 1 a law is violated, 2 bad input, usage, or an answer that could not be written, 3 "
    "unknown (a limit was reached).";

std::string head_of(const ManualOption& option) {
  std::string head = "  ";
  if (option.positional) return head + option.name() + (option.takes_many ? "..." : "");
  for (auto name = option.names.rbegin(); name != option.names.rend(); ++name) {
    head += (name == option.names.rbegin() ? "" : ", ") + *name;
  }
  return head + (option.is_flag() ? "" : " " + option.value) + (option.repeats ? " ..." : "");
}

std::string text_of(const ManualOption& option) {
  std::string text = option.text;
  std::string notes;
  const auto note = [&notes](const std::string& word) { notes += (notes.empty() ? "" : "; ") + word; };
  if (option.required && !option.positional) note("required");
  if (!option.range.empty()) note(option.range);
  if (!option.fallback.empty()) note("default " + option.fallback);
  return notes.empty() ? text : text + " (" + notes + ")";
}

std::string row(const std::string& head, const std::string& text, std::size_t width) {
  const bool fits = reports::columns_of(head) + 2 <= kTextColumn;
  const std::string blanks(fits ? kTextColumn - reports::columns_of(head) : kTextColumn, ' ');
  if (fits) return reports::wrap_hanging(head + blanks + text, width, kTextColumn) + "\n";
  return head + "\n" + reports::wrap_hanging(blanks + text, width, kTextColumn) + "\n";
}

std::string options_text(const ManualPage& page, std::size_t width) {
  std::string out;
  std::string group;
  bool has_heading = false;
  for (const ManualOption& option : page.options) {
    if (option.positional) out += row(head_of(option), text_of(option), width);
  }
  if (!out.empty()) out = "\n" + out;
  for (const ManualOption& option : page.options) {
    if (option.positional) continue;
    if (!has_heading || option.group != group) {
      group = option.group;
      has_heading = true;
      out += "\n" + (group.empty() ? "Options" : group) + ":\n";
    }
    out += row(head_of(option), text_of(option), width);
  }
  return out;
}

std::string commands_text(const ManualPage& page, const std::vector<ManualPage>& pages, std::size_t width) {
  std::string out = "\nCommands:\n";
  const std::string before = page.name.empty() ? "" : page.name + " ";
  for (const std::string& name : page.commands) {
    const ManualPage* const below = find_page(pages, before + name);
    out += row("  " + name, below == nullptr ? "" : below->summary, width);
  }
  return out;
}

}  // namespace

std::string help_text(const ManualPage& page, const std::vector<ManualPage>& pages, std::size_t width) {
  std::string out = reports::wrap_hanging(page.summary, width, 0) + "\n\n";
  out += "Usage: " + reports::wrap_hanging(usage_line(page), width - 7, 9) + "\n";
  if (!page.details.empty()) {
    for (std::size_t begin = 0; begin <= page.details.size();) {
      const std::size_t end = std::min(page.details.find('\n', begin), page.details.size());
      out += "\n" + reports::wrap_hanging(page.details.substr(begin, end - begin), width, 0) + "\n";
      begin = end + 1;
    }
  }
  if (!page.commands.empty()) out += commands_text(page, pages, width);
  out += options_text(page, width);
  if (!page.examples.empty()) out += "\nExamples:\n";
  for (const std::string& example : page.examples) out += "  " + reports::wrap_hanging(example, width - 2, 6) + "\n";
  out += "\n" + reports::wrap_hanging(kExitCodes, width, 0) + "\n";
  if (page.name.empty()) out += "\ndetent help COMMAND tells the options of a command.\n";
  return out;
}

}  // namespace detent::app
