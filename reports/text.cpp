// Text: untrusted names and integer picoseconds -> strings that are safe and readable where they are printed.
#include "reports/text.hpp"

#include <array>

namespace detent::reports {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
constexpr std::string_view kThinSpace = "\xE2\x80\x89";

bool is_continuation(unsigned char c) { return (c & 0xC0U) == 0x80U; }

/// Bytes of the well-formed sequence at `i` (Unicode 15, table 3-7), 0 when there is none.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const auto at = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U; };
  const unsigned first = at(i);
  const unsigned second = at(i + 1);
  if (first < 0x80U) return 1;
  const auto tail = [&](std::size_t k) { return is_continuation(static_cast<unsigned char>(at(k))); };
  if (first >= 0xC2U && first <= 0xDFU) return tail(i + 1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    const bool overlong = first == 0xE0U && second < 0xA0U;
    const bool surrogate = first == 0xEDU && second > 0x9FU;
    return tail(i + 1) && tail(i + 2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const bool overlong = first == 0xF0U && second < 0x90U;
    const bool too_big = first == 0xF4U && second > 0x8FU;
    return tail(i + 1) && tail(i + 2) && tail(i + 3) && !overlong && !too_big ? 4 : 0;
  }
  return 0;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20U && c != '\n' && c != '\t') || byte == 0x7FU;
}

/// value / unit with four significant digits, rounded half up.
std::string scaled(std::uint64_t value, std::uint64_t unit, std::string_view name) {
  unsigned decimals = 3;
  if (value / unit >= 10) decimals = 2;
  if (value / unit >= 100) decimals = 1;
  if (value / unit >= 1000) decimals = 0;
  std::uint64_t power = 1;
  for (unsigned i = 0; i < decimals; ++i) power *= 10;
  const std::uint64_t step = unit / power;
  const std::uint64_t rounded = value / step + (value % step >= step - step / 2 ? 1 : 0);
  std::string text = std::to_string(rounded / power);
  if (decimals > 0) {
    const std::string fraction = std::to_string(rounded % power);
    text += "." + std::string(decimals - fraction.size(), '0') + fraction;
  }
  return text + " " + std::string(name);
}

}  // namespace

std::string clean_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length == 0 || (length == 1 && is_control(text[i]))) {
      out += kReplacement;
      ++i;
      continue;
    }
    out += text.substr(i, length);
    i += length;
  }
  return out;
}

std::string short_name(std::string_view text, std::size_t max_bytes) {
  const bool is_cut = text.size() > max_bytes;
  // Cut before cleaning: a name of a megabyte costs no more than a short one.
  std::size_t end = is_cut ? max_bytes : text.size();
  while (is_cut && end > 0 && is_continuation(static_cast<unsigned char>(text[end]))) --end;
  std::string out = clean_utf8(text.substr(0, end));
  if (is_cut) out += kEllipsis;
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : clean_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string script_json(const Json& value) {
  std::string out;
  for (const char c : value.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

std::string file_json(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string format_duration(std::uint64_t ps) {
  struct Unit {
    std::uint64_t ps;
    const char* name;
  };
  // A value that would round up to 1000 of a unit is printed in the next one.
  constexpr std::array<Unit, 4> kUnits = {
      {{1000000000000U, "s"}, {1000000000U, "ms"}, {1000000U, "\xC2\xB5s"}, {1000U, "ns"}}};
  for (const Unit& unit : kUnits) {
    if (ps >= unit.ps - unit.ps / 20000) return scaled(ps, unit.ps, unit.name);
  }
  return std::to_string(ps) + " ps";
}

std::string format_integer(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += kThinSpace;
    out += digits[i];
  }
  return out;
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> kNames = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  std::size_t unit = 0;
  std::uint64_t size = 1024;
  while (unit + 1 < kNames.size() && bytes / size >= 1024) {
    size *= 1024;
    ++unit;
  }
  // Tenths only below 100: the eye needs three digits at most.
  const std::uint64_t tenths = bytes / size * 10 + (bytes % size * 10 + size / 2) / size;
  const std::string whole = std::to_string(tenths / 10);
  const bool needs_tenth = tenths < 1000 && tenths % 10 != 0;
  return whole + (needs_tenth ? "." + std::to_string(tenths % 10) : "") + " " + kNames[unit];
}

std::string format_share(double share) {
  if (!(share >= 0.0 && share <= 10.0)) return "\xE2\x80\x93";
  return std::to_string(static_cast<int>(share * 100.0 + 0.5)) + " %";
}

std::string count_of(std::uint64_t count, std::string_view noun) {
  return format_integer(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace detent::reports
