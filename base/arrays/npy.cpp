#include "base/arrays/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

#include "base/assert.hpp"
#include "base/input_error.hpp"

namespace detent {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

/// Reads the header's text, a dict of Python with three known keys.
class NpyHeader {
 public:
  NpyHeader(std::string_view text, std::size_t first_byte, const std::string& name)
      : text_(text), first_byte_(first_byte), name_(name) {}

  NpyArray read() {
    expect('{');
    while (!take('}')) {
      read_entry();
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (position_ != text_.size()) fail("text after the header's \"}\"; write it with numpy.save");
    if (seen_ != 7) fail("the header must name descr, fortran_order and shape; write it with numpy.save");
    return array_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(name_, fmt::format("byte {}", first_byte_ + position_), what);
  }
  void skip_blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
  }
  [[nodiscard]] bool take(char wanted) {
    skip_blanks();
    if (position_ == text_.size() || text_[position_] != wanted) return false;
    ++position_;
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) fail(fmt::format("\"{}\" is missing in the header; write it with numpy.save", wanted));
  }
  std::string read_string() {
    const char quote = take('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t end = text_.find(quote, position_);
    if (end == std::string_view::npos) fail("a string of the header has no end; write it with numpy.save");
    const std::string_view found = text_.substr(position_, end - position_);
    if (found.size() > 16) fail("a string of the header is too long; write it with numpy.save");
    position_ = end + 1;
    return std::string(found);
  }
  void mark(unsigned bit) {
    if ((seen_ & bit) != 0) fail("a key of the header is duplicate; write it with numpy.save");
    seen_ |= bit;
  }
  void read_entry() {
    const std::string key = read_string();
    expect(':');
    if (key == "descr") {
      mark(1);
      read_type();
    } else if (key == "fortran_order") {
      mark(2);
      read_order();
    } else if (key == "shape") {
      mark(4);
      read_shape();
    } else {
      fail("a key of the header is unknown; write it with numpy.save");
    }
  }
  void read_type() {
    skip_blanks();
    if (position_ < text_.size() && text_[position_] == '[') fail("records are not read; save one field of the array");
    array_.type = read_string();
    const std::string& type = array_.type;
    if (type.size() == 3 && type[0] == '>') fail("big-endian; save array.astype(array.dtype.newbyteorder('<'))");
    if (type == "<V2") array_.type = "|V2";  // bfloat16 as Python's ml_dtypes saves it
    if (array_.type == "|V2") return;
    const bool is_known = type.size() == 3 && (type[0] == '<' || type[0] == '|') &&
                          std::string_view("biuf").find(type[1]) != std::string_view::npos &&
                          std::string_view("1248").find(type[2]) != std::string_view::npos;
    if (!is_known) fail("elements must be numbers or truth values of 1, 2, 4 or 8 bytes; use array.astype");
  }
  void read_order() {
    skip_blanks();
    const std::string_view rest = text_.substr(position_);
    if (rest.starts_with("True")) fail("Fortran order; save numpy.ascontiguousarray(array)");
    if (!rest.starts_with("False")) fail("fortran_order must be False; write it with numpy.save");
    position_ += 5;
  }
  void read_shape() {
    expect('(');
    while (!take(')')) {
      if (array_.shape.size() == kMaxNpyRank) fail(fmt::format("at most {} dimensions are read", kMaxNpyRank));
      array_.shape.push_back(read_extent());
      if (take(',')) continue;
      if (array_.shape.size() == 1) fail("a shape of one dimension must end with a comma; write it with numpy.save");
      expect(')');
      break;
    }
  }
  std::uint64_t read_extent() {
    skip_blanks();
    const std::size_t begin = position_;
    std::uint64_t value = 0;
    while (position_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[position_])) != 0) {
      if (position_ - begin == 15) fail("a dimension is too large");
      value = value * 10 + static_cast<std::uint64_t>(text_[position_++] - '0');
    }
    if (position_ == begin) fail("a dimension must be a whole number, 0 or more");
    return value;
  }

  std::string_view text_;
  std::size_t first_byte_;
  const std::string& name_;
  std::size_t position_ = 0;
  unsigned seen_ = 0;
  NpyArray array_{};
};

/// Little-endian number of `count` bytes.
std::size_t number_at(std::string_view bytes, std::size_t position, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    value |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[position + i])) << (8 * i);
  }
  return value;
}

std::uint64_t element_bytes(const NpyArray& array) { return static_cast<std::uint64_t>(array.type[2] - '0'); }

/// Are the data all elements of the shape? Extents are below 10^15, so one product does not wrap beside the check.
bool fits_data(const NpyArray& array) {
  std::uint64_t bytes = element_bytes(array);
  for (const std::uint64_t extent : array.shape) {
    if (extent == 0) return array.data.empty();
  }
  for (const std::uint64_t extent : array.shape) {
    if (extent > array.data.size() / bytes) return false;
    bytes *= extent;
  }
  return bytes == array.data.size();
}

}  // namespace

bool is_npy(std::string_view bytes) { return bytes.starts_with(kMagic); }

NpyArray read_npy(std::string_view bytes, const std::string& name) {
  if (!is_npy(bytes)) throw InputError(name, "", "is no .npy file; write it with numpy.save");
  const std::size_t version = bytes.size() >= 8 ? number_at(bytes, 6, 1) : 0;
  if ((version != 1 && version != 2) || bytes[7] != 0) {
    throw InputError(name, "byte 6", "is not of version 1.0 or 2.0; write it with numpy.save");
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = 8 + length_bytes;
  if (bytes.size() < begin) throw InputError(name, "byte 8", "ends within its header; it was not written whole");
  const std::size_t length = number_at(bytes, 8, length_bytes);
  if (length > kMaxNpyHeaderBytes) {
    throw InputError(name, "byte 8", fmt::format("the header may have {} bytes at most", kMaxNpyHeaderBytes));
  }
  if (bytes.size() - begin < length) {
    throw InputError(name, "byte 8", "ends within its header; it was not written whole");
  }
  NpyArray array = NpyHeader(bytes.substr(begin, length), begin, name).read();
  array.data = bytes.substr(begin + length);
  if (!fits_data(array)) {
    throw InputError(
        name, "",
        fmt::format("has {} bytes of data, which are not {} elements of {} bytes; write it with numpy.save",
                    array.data.size(), array.shape.empty() ? "1" : fmt::format("{}", fmt::join(array.shape, "x")),
                    element_bytes(array)));
  }
  return array;
}

std::string format_npy(const NpyArray& array) {
  std::string shape = fmt::format("{}", fmt::join(array.shape, ", "));
  if (array.shape.size() == 1) shape += ",";
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", array.type, shape);
  constexpr std::size_t kBefore = 10;
  header.append(63 - (kBefore + header.size()) % 64, ' ');
  header += '\n';
  DETENT_ASSERT(header.size() <= UINT16_MAX);
  std::string file(kMagic);
  file += '\x01';
  file += '\0';
  file += static_cast<char>(header.size() & 0xffU);
  file += static_cast<char>(header.size() >> 8U);
  file += header;
  file += array.data;
  return file;
}

}  // namespace detent
