#include "verify/flow/found_list.hpp"

#include <algorithm>

namespace detent::verify {

FoundList::FoundList(std::uint64_t max_listed) : max_listed_(std::max<std::uint64_t>(1, max_listed)) {}

void FoundList::count(std::uint64_t all, std::uint64_t always) {
  all_ += all;
  always_ += always;
}

void FoundList::keep(const Found& found) {
  kept_.push_back(found);
  if (kept_.size() >= 4 * max_listed_) prune();
}

void FoundList::add(const Found& found) {
  count(1, found.always ? 1 : 0);
  if (wants(found.reader)) keep(found);
}

const std::vector<Found>& FoundList::finish() {
  prune();
  return kept_;
}

void FoundList::prune() {
  std::ranges::sort(kept_, [](const Found& x, const Found& y) {
    return x.key() != y.key() ? x.key() < y.key() : x.always && !y.always;
  });
  const auto repeated = std::ranges::unique(kept_, [](const Found& x, const Found& y) { return x.key() == y.key(); });
  kept_.erase(repeated.begin(), repeated.end());
  if (kept_.size() <= max_listed_) return;
  kept_.resize(max_listed_);
  is_whole_ = false;
  last_reader_ = kept_.back().reader;
}

}  // namespace detent::verify
