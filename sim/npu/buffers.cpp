// Sets, windows and lines. A window that must move several times does so at once.
#include "sim/npu/buffers.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "sim/npu/checked.hpp"

namespace detent::sim::npu {
namespace {

std::uint64_t both_halves(std::uint64_t buffer_words) {
  DETENT_ASSERT(buffer_words >= 2);
  return buffer_words;
}

}  // namespace

ReadWindow::ReadWindow(std::uint64_t stream_words, std::uint64_t buffer_words)
    : stream_words_(stream_words),
      active_words_(divide_up(both_halves(buffer_words), 2)),
      prefetch_words_(buffer_words - active_words_),
      set_words_(divide_up(buffer_words, 100)),
      sets_(stream_words / set_words_ + 1),
      active_sets_(std::min(divide_up(active_words_, set_words_), sets_)),
      prefetch_sets_(std::min(divide_up(prefetch_words_, set_words_), sets_ - active_sets_)) {
  DETENT_ASSERT(stream_words > 0);
  update_ranges();
}

void ReadWindow::update_ranges() {
  const std::uint64_t end_set = first_set_ + active_sets_;
  upper_ = {first_set_ * set_words_, std::min(end_set * set_words_, stream_words_)};
  lower_ = end_set > sets_ ? StreamRange{0, (end_set - sets_) * set_words_} : StreamRange{};
}

StreamRange ReadWindow::hit_range(std::uint64_t position) const {
  if (position >= upper_.begin && position < upper_.end) return upper_;
  return position < lower_.end ? lower_ : StreamRange{};
}

std::uint64_t ReadWindow::hit_end(std::uint64_t position) const { return hit_range(position).end; }

std::uint64_t ReadWindow::moves_to(std::uint64_t position) const {
  const std::uint64_t set = position / set_words_;
  const std::uint64_t ahead = set >= first_set_ ? set - first_set_ : set + sets_ - first_set_;
  return ahead < active_sets_ ? 0 : divide_up(ahead - active_sets_ + 1, prefetch_sets_);
}

void ReadWindow::move(std::uint64_t times) {
  // times is at most sets_ / prefetch_sets_ + 1, so the product stays near the stream's length.
  first_set_ = (first_set_ + times * prefetch_sets_) % sets_;
  moves_ += times;
  update_ranges();
}

std::uint64_t ReadWindow::fetched_words() const {
  if (holds_all()) return stream_words_;
  return checked_sum(active_words_, checked_product(moves_, prefetch_words_));
}

WriteBuffer::WriteBuffer(std::uint64_t buffer_words, std::uint64_t port_words)
    : port_words_(port_words),
      active_words_(divide_up(both_halves(buffer_words), 2)),
      drain_lines_(divide_up(buffer_words - active_words_, port_words)),
      free_(static_cast<std::int64_t>(buffer_words)) {}

std::uint64_t WriteBuffer::until_event(bool is_draining) const {
  const std::int64_t words = is_draining ? free_ : free_ - static_cast<std::int64_t>(active_words_) + 1;
  return words > 0 ? static_cast<std::uint64_t>(words) : 1;
}

void WriteBuffer::store(std::uint64_t words) {
  free_ -= static_cast<std::int64_t>(words);
  const std::uint64_t full = (open_fill_ + words) / port_words_;
  open_fill_ = (open_fill_ + words) % port_words_;
  if (full == 0) return;
  line_count_ += full;
  if (!lines_.empty() && lines_.back().fill == port_words_)
    lines_.back().count += full;
  else
    lines_.push_back({port_words_, full});
}

std::uint64_t WriteBuffer::drain() {
  if (open_fill_ > 0) {
    lines_.push_back({open_fill_, 1});
    ++line_count_;
    open_fill_ = 0;
  }
  const std::uint64_t drained = std::min(drain_lines_, line_count_);
  std::uint64_t last_fill = port_words_;
  for (std::uint64_t left = drained; left > 0;) {
    Lines& front = lines_.front();
    const std::uint64_t taken = std::min(left, front.count);
    last_fill = front.fill;
    front.count -= taken;
    left -= taken;
    if (front.count == 0) lines_.pop_front();
  }
  line_count_ -= drained;
  free_ += static_cast<std::int64_t>(drained * port_words_ - (port_words_ - last_fill));
  return drained;
}

}  // namespace detent::sim::npu
