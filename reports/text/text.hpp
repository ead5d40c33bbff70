// Text: untrusted names and integer picoseconds -> strings that are safe and readable where they are printed.
//
// Everything that a person reads and that came from outside passes one of printable_text, printable_line, short_name
// and escape_html; JSON passes file_json or script_json. Nothing else escapes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace detent::reports {

using Json = nlohmann::ordered_json;

/// Longest name, in bytes, that html, Perfetto and SARIF print; report.json keeps names whole.
inline constexpr std::size_t kMaxNameBytes = 200;

/// `text` as a terminal or a page may show it: valid UTF-8 in which every character is seen and none changes what
/// stands around it. Control characters and bytes that are not UTF-8 become "\x1b"; control characters of C1,
/// separators of lines and paragraphs, and what Unicode 15 calls Default_Ignorable_Code_Point (directions, zero width,
/// fillers, variation selectors, tags) become "\u{202e}". Tab and newline stay.
std::string printable_text(std::string_view text);
/// The same for what must stay on its line: tab and newline become "\x09" and "\x0a".
std::string printable_line(std::string_view text);
/// printable_text cut to `max_bytes` of `text` at a character, with an ellipsis where something was cut.
std::string short_name(std::string_view text, std::size_t max_bytes = kMaxNameBytes);
/// Text for element content and for double- or single-quoted attributes.
std::string escape_html(std::string_view text);
/// JSON for a <script> element: ASCII only, and < > & as \u escapes, so that nothing in it ends the element.
std::string script_json(const Json& value);
/// Text of a JSON document in which printable_text would replace a character -> the same document with that character
/// as \uXXXX. Bytes that are not UTF-8 stay.
std::string escape_json(std::string_view json);
/// Pretty JSON that ends with a newline, passed through escape_json; bad UTF-8 becomes U+FFFD, never thrown.
std::string file_json(const Json& value);

/// Four significant digits with the unit that suits: "41.25 ms", "900 ps". Rounds half up.
std::string format_duration(std::uint64_t ps);
/// The same rounded up: no less than `ps`, as an upper bound must be printed.
std::string format_duration_up(std::uint64_t ps);
/// All digits, in groups of three with U+2009: "41 250 000".
std::string format_integer(std::uint64_t value);
/// "73 %", rounded to the nearest; anything that is no number in [0, 10] prints as a dash.
std::string format_share(double share);
/// "1 run", "2 runs".
std::string count_of(std::uint64_t count, std::string_view noun);

}  // namespace detent::reports
