// Along a fold the demanded positions only grow (skewed) or only fall (row-major, loaded from the last row up), so the
// first line that leaves a contiguous part of the window is found by galloping.
#include "sim/npu/operand.hpp"

#include <algorithm>

#include "sim/npu/work_limit.hpp"

namespace detent::sim::npu {
namespace {

/// Elements up to which the layer's elements outside the input are noted one by one (1 GiB of notes).
constexpr std::uint64_t kMaxNotedElements = std::uint64_t{1} << 32;

}  // namespace

ReadOperand::ReadOperand(const Stream& stream, std::uint64_t buffer_words, std::uint64_t first_line)
    : stream_(stream), first_line_(first_line), buffer_words_(buffer_words), window_(stream.size(), buffer_words) {}

void ReadOperand::set_pixels(const Conv& conv, LaneIs lane_is) {
  pixels_.emplace(conv);
  lane_is_ = lane_is;
  has_twins_ = pixels_->has_twins();
  if (pixels_->has_outside()) note_elements_inside();
}

void ReadOperand::note_elements_inside() {
  if (stream_.size() > kMaxNotedElements)
    throw WorkLimit(
        "NPU: the last window reaches over the edge of a very large input; choose sizes that the stride "
        "divides, or leave out --bandwidth");
  const Stream& stream = stream_;
  inside_.emplace(stream.size());
  std::uint64_t inside_count = 0;
  const std::uint64_t lane_count = stream.size() / stream.rows();
  for (std::uint64_t lane = 0; lane < lane_count; ++lane)
    for (std::uint64_t row = 0; row < stream.rows(); ++row) {
      const bool is_inside = lane_is_ == LaneIs::kPixel ? pixels_->is_inside(lane, row) : pixels_->is_inside(row, lane);
      if (!is_inside) continue;
      inside_->set(stream.position(row, lane));
      ++inside_count;
    }
  inside_->finish();
  window_ = ReadWindow(inside_count, buffer_words_);
}

void ReadOperand::enter(const FoldPlace& place) { place_ = place; }

std::uint64_t ReadOperand::lines_begin() const {
  return stream_.is_skewed() ? first_line_ : first_line_ - place_.row_count;
}

std::uint64_t ReadOperand::lines_end() const {
  return stream_.is_skewed() ? first_line_ + stream_.rows() + stream_.width(place_.stack) - 1 : first_line_;
}

ReadOperand::Line ReadOperand::line_at(std::uint64_t line) const {
  const std::uint64_t width = stream_.width(place_.stack);
  if (!stream_.is_skewed()) return {place_.row_begin + (first_line_ - 1 - line), 0, width, false};
  const std::uint64_t diagonal = line - first_line_;
  const std::uint64_t first = diagonal >= stream_.rows() ? diagonal - stream_.rows() + 1 : 0;
  const std::uint64_t last = std::min(diagonal, width - 1);
  return {diagonal - first, first, last - first + 1, true};
}

std::uint64_t ReadOperand::raw_position(const Line& line) const {
  return stream_.position(line.row, place_.stack * stream_.lanes() + line.lane);
}

StreamRange ReadOperand::range(std::uint64_t line_number) const {
  const Line line = line_at(line_number);
  const std::uint64_t raw = raw_position(line);
  return {rank(raw), rank(raw + line.count)};
}

std::uint64_t ReadOperand::next_event(std::uint64_t line, std::uint64_t line_end) const {
  if (window_.holds_all()) return line_end;
  const std::uint64_t begin = std::max(line, lines_begin());
  const std::uint64_t end = std::min(line_end, lines_end());
  if (begin >= end) return line_end;
  const StreamRange hits = window_.hit_range(range(begin).begin);
  const auto is_hit = [&](std::uint64_t candidate) {
    const StreamRange words = range(candidate);
    return words.begin >= hits.begin && words.end <= hits.end;
  };
  if (hits.end == hits.begin || !is_hit(begin)) return begin;
  std::uint64_t known = begin;  // hits
  std::uint64_t step = 1;
  while (known + step < end && is_hit(known + step)) {
    known += step;
    step *= 2;
  }
  std::uint64_t miss = std::min(known + step, end);
  while (known + 1 < miss) {
    const std::uint64_t middle = known + (miss - known) / 2;
    (is_hit(middle) ? known : miss) = middle;
  }
  return miss == end ? line_end : miss;
}

ReadOperand::Element ReadOperand::element(const Line& line, std::uint64_t index) const {
  const std::uint64_t lane = place_.stack * stream_.lanes() + line.lane + index;
  const std::uint64_t row = line.is_diagonal ? line.row - index : line.row;
  return lane_is_ == LaneIs::kPixel ? Element{lane, row} : Element{row, lane};
}

std::uint64_t ReadOperand::position(const Element& element) const {
  return rank(lane_is_ == LaneIs::kPixel ? stream_.position(element.k, element.m)
                                         : stream_.position(element.m, element.k));
}

std::uint64_t ReadOperand::moves_needed(const Line& line, std::uint64_t index, std::uint64_t own) const {
  std::uint64_t moves = window_.moves_to(own);
  if (!has_twins_) return moves;
  const Element wanted = element(line, index);
  const bool is_held = pixels_->any_twin(wanted.m, wanted.k, [&](std::uint64_t m, std::uint64_t k) {
    return window_.hit_end(position({m, k})) > 0;
  });
  if (is_held) return 0;
  pixels_->any_twin(wanted.m, wanted.k, [&](std::uint64_t m, std::uint64_t k) {
    moves = std::min(moves, window_.moves_to(position({m, k})));
    return false;
  });
  return moves;
}

}  // namespace detent::sim::npu
