// Schedules to text and back, and their replay.
#include "verify/explore/threads/search/choices.hpp"

#include <charconv>
#include <cstdio>
#include <stdexcept>

namespace detent::verify::explore {

namespace {

constexpr const char* kScheduleHead = "t1:";
constexpr std::uint32_t kMaxDecisions = 10'000'000;

[[noreturn]] void refuse_schedule(const std::string& what, std::size_t place) {
  throw std::invalid_argument("choice string: " + what + " at character " + std::to_string(place + 1) +
                              "; give the line as it was printed");
}

/// Reads numbers and marks from a string, from left to right.
class ScheduleReader {
 public:
  explicit ScheduleReader(const std::string& text) : text_(text) {}
  [[nodiscard]] bool at_end() const { return place_ == text_.size(); }
  [[nodiscard]] std::size_t place() const { return place_; }
  bool skip(char mark) {
    if (at_end() || text_[place_] != mark) return false;
    ++place_;
    return true;
  }
  template <typename T>
  T number(int base) {
    T value = 0;
    const char* const begin = text_.data() + place_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value, base);
    if (error != std::errc{}) refuse_schedule("a number expected", place_);
    place_ += static_cast<std::size_t>(end - begin);
    return value;
  }

 private:
  const std::string& text_;
  std::size_t place_ = 3;
};

void read_item(ScheduleReader& reader, std::vector<Decision>& decisions) {
  if (reader.skip('c')) {
    decisions.push_back({.value = reader.number<std::uint32_t>(10) & 0x7fffffffU, .is_choice = 1});
    return;
  }
  const std::size_t place = reader.place();
  const auto thread = reader.number<std::uint32_t>(10);
  if (!reader.skip('x')) refuse_schedule("'x' expected", reader.place());
  const auto count = reader.number<std::uint32_t>(10);
  if (thread >= kMaxThreads || count == 0 || count > kMaxDecisions - decisions.size()) {
    refuse_schedule("a number is out of range", place);
  }
  decisions.insert(decisions.end(), count, Decision{.value = thread & 0x7fffffffU, .is_choice = 0});
}

}  // namespace

std::string format_schedule(const ThreadSchedule& schedule) {
  std::string text = kScheduleHead;
  const std::vector<Decision>& decisions = schedule.decisions;
  for (std::size_t i = 0; i < decisions.size();) {
    if (i != 0) text += '.';
    if (decisions[i].is_choice != 0) {
      text += "c" + std::to_string(decisions[i++].value);
      continue;
    }
    std::size_t end = i;
    while (end < decisions.size() && decisions[end].is_choice == 0 && decisions[end].value == decisions[i].value) ++end;
    text += std::to_string(decisions[i].value) + "x" + std::to_string(end - i);
    i = end;
  }
  char hash[24];
  std::snprintf(hash, sizeof hash, "#%016llx", static_cast<unsigned long long>(schedule.trail));
  return text + hash;
}

ThreadSchedule parse_schedule(const std::string& text) {
  if (text.rfind(kScheduleHead, 0) != 0) refuse_schedule("\"t1:\" expected", 0);
  ThreadSchedule schedule;
  ScheduleReader reader(text);
  while (!reader.skip('#')) {
    read_item(reader, schedule.decisions);
    if (reader.skip('.')) continue;
    if (!reader.skip('#')) refuse_schedule("'.' or '#' expected", reader.place());
    break;
  }
  schedule.trail = reader.number<std::uint64_t>(16);
  if (!reader.at_end()) refuse_schedule("the end expected", reader.place());
  return schedule;
}

ThreadId GivenSchedule::pick(const Turns& turns, std::uint64_t enabled) {
  if (at_ < schedule_.decisions.size()) {
    const Decision decision = schedule_.decisions[at_++];
    if (decision.is_choice == 0 && (enabled >> decision.value & 1U) != 0) return decision.value;
    if (misfit_at_ == 0) misfit_at_ = at_;
    return kStop;
  }
  return (enabled >> turns.current() & 1U) != 0 ? turns.current() : static_cast<ThreadId>(__builtin_ctzll(enabled));
}

std::uint32_t GivenSchedule::choose(const Turns&, std::uint32_t count) {
  if (at_ == schedule_.decisions.size()) return 0;
  const Decision decision = schedule_.decisions[at_++];
  if (decision.is_choice != 0 && decision.value < count) return decision.value;
  if (misfit_at_ == 0) misfit_at_ = at_;
  return 0;
}

}  // namespace detent::verify::explore
