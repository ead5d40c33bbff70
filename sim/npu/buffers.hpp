// The double-buffered operand memories: which words are on the chip, and when the output buffer is full.
#pragma once

#include <cstdint>
#include <deque>

#include "sim/npu/stream.hpp"

namespace detent::sim::npu {

/// The active half of a read buffer: a window of whole sets that moves over a fetch stream and wraps around.
///
/// The stream is cut into sets of ceil(buffer / 100) words, the last one short or empty. A demand outside the window
/// moves it on by the sets that were prefetched, as often as needed.
class ReadWindow {
 public:
  /// @param stream_words  length of the fetch stream, > 0
  /// @param buffer_words  both halves, >= 2
  ReadWindow(std::uint64_t stream_words, std::uint64_t buffer_words);

  /// The whole stream stays on the chip: nothing is ever fetched twice.
  [[nodiscard]] bool holds_all() const { return active_sets_ == sets_; }
  /// End of the contiguous part of the window that `position` lies in; 0 when it lies in none.
  [[nodiscard]] std::uint64_t hit_end(std::uint64_t position) const;
  /// The contiguous part of the window around `position`; empty when it lies in none.
  [[nodiscard]] StreamRange hit_range(std::uint64_t position) const;
  /// How often the window must move until it covers `position`; 0 when it does.
  [[nodiscard]] std::uint64_t moves_to(std::uint64_t position) const;
  void move(std::uint64_t times);

  /// Words of one prefetch: half the buffer.
  [[nodiscard]] std::uint64_t prefetch_words() const { return prefetch_words_; }
  [[nodiscard]] std::uint64_t moves() const { return moves_; }
  /// Words fetched from DRAM so far, the first filling included.
  [[nodiscard]] std::uint64_t fetched_words() const;

 private:
  void update_ranges();

  std::uint64_t stream_words_, active_words_, prefetch_words_, set_words_;
  std::uint64_t sets_, active_sets_, prefetch_sets_;
  std::uint64_t first_set_ = 0;
  std::uint64_t moves_ = 0;
  StreamRange upper_{}, lower_{};  ///< the window up to the end of the stream, and its part after the wrap
};

/// The output buffer: every word takes a slot; when fewer than the active half are free, half of it drains in lines of
/// the port's width. A line that is not full counts as full unless it is the last one drained.
class WriteBuffer {
 public:
  /// @param buffer_words  both halves, >= 2
  /// @param port_words    width of the port, > 0
  WriteBuffer(std::uint64_t buffer_words, std::uint64_t port_words);

  /// Words that can still be written before something happens: a stall while it drains, the start of a drain else.
  [[nodiscard]] std::uint64_t until_event(bool is_draining) const;
  /// Take words.
  void store(std::uint64_t words);
  /// Remove half a buffer, or what is there. Returns the lines that go through the port, > 0.
  std::uint64_t drain();

 private:
  struct Lines {
    std::uint64_t fill, count;
  };
  std::uint64_t port_words_, active_words_, drain_lines_;
  std::int64_t free_;
  std::uint64_t open_fill_ = 0;  ///< words in the line that is being filled
  std::uint64_t line_count_ = 0;
  std::deque<Lines> lines_{};
};

}  // namespace detent::sim::npu
