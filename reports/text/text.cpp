// Text: untrusted names and integer picoseconds -> strings that are safe and readable where they are printed.
#include "reports/text/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/units.hpp"

namespace detent::reports {
namespace {

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

struct CodePoints {
  char32_t first, last;
};

/// Above ASCII: C1, U+2028 and U+2029, interlinear annotations, and Default_Ignorable_Code_Point of Unicode 15
/// (DerivedCoreProperties.txt). Ascending.
constexpr std::array<CodePoints, 20> kNotShown = {
    {{0x80, 0x9F},     {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},     {0x115F, 0x1160},
     {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},
     {0x3164, 0x3164}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},
     {0xFFFE, 0xFFFF}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}, {0x10FFFE, 0x10FFFF}}};

bool is_seen(char32_t c) {
  if (c < 0x80) return c >= 0x20 && c != 0x7F;
  for (const CodePoints& range : kNotShown) {
    if (c <= range.last) return c < range.first;
  }
  return true;
}

/// The character of a well-formed sequence.
char32_t decode(std::string_view sequence) {
  constexpr std::array<unsigned, 5> kLeadBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t c = static_cast<unsigned char>(sequence[0]) & kLeadBits[sequence.size()];
  for (const char next : sequence.substr(1)) c = c << 6U | (static_cast<unsigned char>(next) & 0x3FU);
  return c;
}

/// At least `digits` hexadecimal digits.
std::string hex(char32_t value, int digits) {
  std::array<char, 12> text{};
  std::snprintf(text.data(), text.size(), "%0*x", digits, static_cast<unsigned>(value));
  return text.data();
}

std::string visible_byte(char c) { return "\\x" + hex(static_cast<unsigned char>(c), 2); }

std::string visible(char32_t c) { return c < 0x80 ? visible_byte(static_cast<char>(c)) : "\\u{" + hex(c, 0) + "}"; }

std::string printable(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length == 0) {
      out += visible_byte(text[i++]);
      continue;
    }
    const std::string_view sequence = text.substr(i, length);
    const char32_t c = decode(sequence);
    if (is_seen(c) || kept.find(text[i]) != std::string_view::npos) {
      out += sequence;
    } else {
      out += visible(c);
    }
    i += length;
  }
  return out;
}

/// As JSON writes it in a string: one or two units of UTF-16.
std::string json_escape(char32_t c) {
  if (c < 0x10000) return "\\u" + hex(c, 4);
  const char32_t above = c - 0x10000;
  return "\\u" + hex(0xD800 + (above >> 10U), 4) + "\\u" + hex(0xDC00 + (above & 0x3FFU), 4);
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

std::string printable_text(std::string_view text) { return printable(text, "\t\n"); }

std::string printable_line(std::string_view text) { return printable(text, ""); }

std::string short_name(std::string_view text, std::size_t max_bytes) {
  const bool is_cut = text.size() > max_bytes;
  // Cut before cleaning: a name of a megabyte costs no more than a short one.
  std::size_t end = is_cut ? max_bytes : text.size();
  while (is_cut && end > 0 && is_continuation(static_cast<unsigned char>(text[end]))) --end;
  std::string out = printable_text(text.substr(0, end));
  if (is_cut) out += kEllipsis;
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : printable_text(text)) {
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

std::string escape_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const std::size_t length = std::max<std::size_t>(sequence_length(json, i), 1);
    const std::string_view sequence = json.substr(i, length);
    const bool is_text = sequence_length(json, i) > 1 || sequence[0] == 0x7F;
    if (is_text && !is_seen(decode(sequence))) {
      out += json_escape(decode(sequence));
    } else {
      out += sequence;
    }
    i += length;
  }
  return out;
}

std::string file_json(const Json& value) {
  return escape_json(value.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

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

std::string format_duration_up(std::uint64_t ps) { return format_duration(round_up(ps, 4)); }

std::string format_integer(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += kThinSpace;
    out += digits[i];
  }
  return out;
}

std::string format_share(double share) {
  if (!(share >= 0.0 && share <= 10.0)) return "\xE2\x80\x93";
  return std::to_string(static_cast<int>(share * 100.0 + 0.5)) + " %";
}

std::string count_of(std::uint64_t count, std::string_view noun) {
  return format_integer(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace detent::reports
