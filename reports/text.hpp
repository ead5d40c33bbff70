// Text: untrusted names and integer picoseconds -> strings that are safe and readable where they are printed.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace detent::reports {

using Json = nlohmann::ordered_json;

/// Longest name, in bytes, that html, Perfetto and SARIF print; report.json keeps names whole.
inline constexpr std::size_t kMaxNameBytes = 200;

/// `text` as valid UTF-8: bytes that are none, and control characters other than tab and newline, become U+FFFD.
std::string clean_utf8(std::string_view text);
/// clean_utf8 cut to `max_bytes` at a character, with an ellipsis where something was cut.
std::string short_name(std::string_view text, std::size_t max_bytes = kMaxNameBytes);
/// Text for element content and for double- or single-quoted attributes.
std::string escape_html(std::string_view text);
/// JSON for a <script> element: ASCII only, and < > & as \u escapes, so that nothing in it ends the element.
std::string script_json(const Json& value);
/// Pretty JSON that ends with a newline; bad UTF-8 is replaced, never thrown.
std::string file_json(const Json& value);

/// Four significant digits with the unit that suits: "41.25 ms", "900 ps". Rounds half up.
std::string format_duration(std::uint64_t ps);
/// All digits, in groups of three with U+2009: "41 250 000".
std::string format_integer(std::uint64_t value);
/// "12.5 MiB", "640 B".
std::string format_bytes(std::uint64_t bytes);
/// "73 %", rounded to the nearest; anything that is no number in [0, 10] prints as a dash.
std::string format_share(double share);
/// "1 run", "2 runs".
std::string count_of(std::uint64_t count, std::string_view noun);

}  // namespace detent::reports
