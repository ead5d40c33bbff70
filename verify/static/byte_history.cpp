// Ranges of bytes that have one history.
#include "verify/static/byte_history.hpp"

#include <algorithm>
#include <utility>

namespace detent::verify {

void ByteHistory::read(std::uint64_t begin, std::uint64_t end, std::uint32_t position,
                       std::vector<std::uint32_t>& before) {
  if (readers_.size() >= most_readers_) forget_old_readers();
  uses_.update(begin, end, [&](std::vector<Range>& known) {
    std::uint64_t at = begin;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i].begin > at) {
        known.insert(known.begin() + static_cast<std::ptrdiff_t>(i), Range{at, known[i].begin, {}});
      }
      at = known[i].end;
    }
    if (at < end) known.push_back({at, end, {}});
    for (Range& range : known) {
      if (range.entry.writer != DETENT_NONE) before.push_back(range.entry.writer);
      note_reader(range.entry, position);
    }
  });
}

void ByteHistory::write(std::uint64_t begin, std::uint64_t end, std::uint32_t position,
                        std::vector<std::uint32_t>& before) {
  uses_.update(begin, end, [&](std::vector<Range>& known) {
    for (const Range& range : known) {
      for (std::uint32_t at = range.entry.reader; at != DETENT_NONE; at = readers_[at].before) {
        before.push_back(readers_[at].position);
      }
      const bool is_unread = range.entry.reader == DETENT_NONE;
      if (is_unread && range.entry.writer != DETENT_NONE) before.push_back(range.entry.writer);
    }
    known.assign(1, {begin, end, {position, DETENT_NONE}});
  });
}

void ByteHistory::note_reader(Use& use, std::uint32_t position) {
  if (use.reader != DETENT_NONE && readers_[use.reader].position == position) return;
  readers_.push_back({position, std::exchange(use.reader, static_cast<std::uint32_t>(readers_.size()))});
}

/// Readers that several ranges share are theirs alone afterwards.
void ByteHistory::forget_old_readers() {
  std::vector<Reader> kept;
  std::vector<std::uint32_t> positions;
  uses_.for_each_entry([&](Use& use) {
    positions.clear();
    for (std::uint32_t at = use.reader; at != DETENT_NONE; at = readers_[at].before) {
      positions.push_back(readers_[at].position);
    }
    use.reader = DETENT_NONE;
    for (std::size_t i = positions.size(); i-- > 0;) {
      kept.push_back({positions[i], std::exchange(use.reader, static_cast<std::uint32_t>(kept.size()))});
    }
  });
  readers_ = std::move(kept);
  most_readers_ = std::max(kFewReaders, 2 * readers_.size());
}

}  // namespace detent::verify
