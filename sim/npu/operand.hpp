// One operand of a running layer: which words each line of a fold demands, and where its window has to move for them.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/npu/buffers.hpp"
#include "sim/npu/stream.hpp"

namespace detent::sim::npu {

/// Which dimension of the operand matrix lies over the lanes of the array.
enum class LaneIs : std::uint8_t { kPixel, kWindow, kFilter };

/// The fold that runs: its place in the stream and the cycle of its first demand.
struct FoldPlace {
  std::uint64_t stack = 0;      ///< fold of the stream
  std::uint64_t row_begin = 0;  ///< row-major: first row of the stack that the array holds
  std::uint64_t row_count = 0;  ///< row-major: rows that it holds
};

class ReadOperand {
 public:
  /// @param first_line  line of a fold at which a skewed operand's first demand stands; row-major: rows of the array
  ReadOperand(const Stream& stream, std::uint64_t buffer_words, std::uint64_t first_line);
  /// The operand is the im2col matrix of `conv`: equal pixels have equal addresses, and those outside have none.
  void set_pixels(const Conv& conv, LaneIs lane_is);

  void enter(const FoldPlace& place);
  /// First line >= `line` of the fold at which the window may have to move; `line_end` if there is none before it.
  [[nodiscard]] std::uint64_t next_event(std::uint64_t line, std::uint64_t line_end) const;
  /// Demand a line: call fetch(times) at each move of the window.
  template <typename Fetch>
  void demand(std::uint64_t line, Fetch fetch);

  [[nodiscard]] const ReadWindow& window() const { return window_; }

 private:
  struct Line {
    std::uint64_t row = 0, lane = 0;  ///< of its first element, lane within the fold
    std::uint64_t count = 0;
    bool is_diagonal = false;  ///< rows decrease along the line
  };
  struct Element {
    std::uint64_t m, k;
  };
  [[nodiscard]] Line line_at(std::uint64_t line) const;
  [[nodiscard]] std::uint64_t lines_end() const;
  [[nodiscard]] std::uint64_t lines_begin() const;
  [[nodiscard]] std::uint64_t raw_position(const Line& line) const;
  [[nodiscard]] StreamRange range(std::uint64_t line) const;
  [[nodiscard]] std::uint64_t rank(std::uint64_t raw) const { return inside_ ? inside_->rank(raw) : raw; }
  [[nodiscard]] std::uint64_t position(const Element& element) const;
  [[nodiscard]] Element element(const Line& line, std::uint64_t index) const;
  [[nodiscard]] std::uint64_t moves_needed(const Line& line, std::uint64_t index, std::uint64_t position) const;
  void note_elements_inside();

  Stream stream_;
  std::uint64_t first_line_;
  std::optional<PixelMap> pixels_{};
  LaneIs lane_is_ = LaneIs::kFilter;
  bool has_twins_ = false;
  std::optional<InsideRank> inside_{};
  std::uint64_t buffer_words_;
  ReadWindow window_;
  FoldPlace place_{};
};

template <typename Fetch>
void ReadOperand::demand(std::uint64_t line_number, Fetch fetch) {
  if (line_number < lines_begin() || line_number >= lines_end()) return;
  const Line line = line_at(line_number);
  const std::uint64_t raw = raw_position(line);
  std::uint64_t position = rank(raw);
  for (std::uint64_t index = 0; index < line.count;) {
    if (inside_ && !inside_->test(raw + index)) {
      ++index;
      continue;
    }
    const std::uint64_t hit_end = window_.hit_end(position);
    if (hit_end > position) {
      const std::uint64_t words = inside_ ? 1 : hit_end - position;
      index += words;
      position += words;
      continue;
    }
    const std::uint64_t moves = moves_needed(line, index, position);
    if (moves > 0) {
      window_.move(moves);
      fetch(moves);
    }
    ++index;
    ++position;
  }
}

}  // namespace detent::sim::npu
