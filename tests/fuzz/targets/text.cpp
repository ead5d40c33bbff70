// Text that reaches terminals, pages and files: only characters that are seen, and JSON that says the same.
#include "reports/text/text.hpp"

#include <nlohmann/json.hpp>

#include "base/io.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

/// Written down anew: what must not be there as bytes.
void check_is_shown(std::string_view text, bool keeps_lines) {
  require(is_utf8(text), "what is shown is UTF-8");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_kept = keeps_lines && (byte == '\n' || byte == '\t');
    require((byte >= 0x20 && byte != 0x7F) || is_kept, "no control character is shown");
    require(byte != 0xC2 || static_cast<unsigned char>(text[i + 1]) >= 0xA0, "none of C1 either");
  }
  for (const char* hidden : {"\u200B", "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202E", "\u2066", "\u2069",
                             "\uFEFF", "\u00AD", "\u061C", "\U000E0041"}) {
    require(text.find(hidden) == std::string_view::npos, "nothing that turns or hides text is shown");
  }
}

}  // namespace

void text_target(std::string_view input) {
  check_is_shown(reports::printable_text(input), true);
  check_is_shown(reports::printable_line(input), false);
  check_is_shown(reports::short_name(input, 16), true);
  const std::string html = reports::escape_html(input);
  check_is_shown(html, true);
  require(html.find_first_of("<>\"'") == std::string::npos, "no markup is shown");
  require(reports::printable_text(reports::printable_text(input)) == reports::printable_text(input), "once is enough");
  const reports::Json value = {{"text", is_utf8(input) ? std::string(input) : ""}};
  check_is_shown(reports::file_json(value), true);
  require(reports::Json::parse(reports::file_json(value)) == value, "escaped JSON says the same");
  require(reports::Json::parse(reports::script_json(value)) == value, "and inside a page, too");
}

}  // namespace detent::fuzz
