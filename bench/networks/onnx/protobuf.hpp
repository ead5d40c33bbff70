// Protocol buffers, the few ways of writing them that a file of ONNX needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace detent::bench {

/// One message: fields in the order in which they are added. Repeated fields are added once per element.
class ProtobufMessage {
 public:
  /// int32, int64, enum: wire type 0. A negative number takes ten bytes.
  void add_integer(std::uint32_t field, std::int64_t value);
  /// float: wire type 5.
  void add_float(std::uint32_t field, float value);
  /// string, bytes: wire type 2.
  void add_bytes(std::uint32_t field, std::string_view value);
  void add_message(std::uint32_t field, const ProtobufMessage& message) { add_bytes(field, message.bytes_); }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void append_varint(std::uint64_t value);

  std::string bytes_;
};

}  // namespace detent::bench
