#include "models/import/tvm/c/scanned_text.hpp"

#include <algorithm>

namespace detent::models::tvm {

void ScannedText::append(std::string_view part, std::uint64_t text_begin) {
  pieces_.push_back({code.size(), text_begin});
  code.append(part);
}

std::uint64_t ScannedText::original(std::uint64_t code_offset) const {
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), code_offset,
                                [](std::uint64_t offset, const Piece& piece) { return offset < piece.code_begin; });
  if (after == pieces_.begin()) return code_offset;
  --after;
  return after->text_begin + (code_offset - after->code_begin);
}

SourceRange ScannedText::original(std::uint64_t begin, std::uint64_t end) const {
  if (end <= begin) return {original(begin), original(begin)};
  return {original(begin), original(end - 1) + 1};
}

}  // namespace detent::models::tvm
