// Protobuf wire format, as much of it as Perfetto's TrackEvent needs: varints, fixed64, bytes, nested messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace detent::reports {

/// Appends fields to one message. Field numbers are the caller's.
/// @see protobuf.dev, "Encoding": tag = field << 3 | wire type
class ProtobufWriter {
 public:
  void varint(std::uint32_t field, std::uint64_t value) {
    tag(field, 0);
    raw_varint(value);
  }
  void fixed64(std::uint32_t field, std::uint64_t value) {
    tag(field, 1);
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>((value >> (8 * i)) & 0xFFU));
  }
  void string(std::uint32_t field, std::string_view text) {
    tag(field, 2);
    raw_varint(text.size());
    bytes_.append(text);
  }
  void message(std::uint32_t field, const ProtobufWriter& nested) { string(field, nested.bytes_); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void tag(std::uint32_t field, std::uint32_t wire_type) { raw_varint((field << 3U) | wire_type); }
  void raw_varint(std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U) bytes_.push_back(static_cast<char>((value & 0x7FU) | 0x80U));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string bytes_;
};

}  // namespace detent::reports
