// Names of a network as text inside C sources.
#include "models/emit_c/emit_c.hpp"

namespace detent::models {
namespace {

constexpr std::size_t kMaxCommentBytes = 80;

void append_octal(std::string& out, unsigned char byte) {
  out += '\\';
  out += static_cast<char>('0' + (byte >> 6U));
  out += static_cast<char>('0' + (byte >> 3U & 7U));
  out += static_cast<char>('0' + (byte & 7U));
}

}  // namespace

std::string c_escaped(std::string_view text) {
  std::string out;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\' || character == '?') {
      out += '\\';
      out += character;
    } else if (byte < 0x20 || byte >= 0x7f) {
      append_octal(out, byte);
    } else {
      out += character;
    }
  }
  return out;
}

std::string c_comment(std::string_view text) {
  std::string out;
  for (const char character : c_escaped(text)) {
    const bool is_pair = !out.empty() && ((out.back() == '*' && character == '/') ||
                                          (out.back() == '/' && (character == '*' || character == '/')));
    if (is_pair) out += ' ';
    out += character;
    if (out.size() < kMaxCommentBytes) continue;
    out += "...";
    break;
  }
  if (!out.empty() && (out.back() == '/' || out.back() == '*' || out.back() == '\\')) out += ' ';
  return out;
}

}  // namespace detent::models
