// What the fuzz targets share. One source per reader: NAME.cpp defines NAME_target(input), which gives the bytes to the
// reader; a refusal is an answer, anything else that escapes, and every law that does not hold, is a finding.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

/// Every target: the one list for the fuzzer's main, the replay test and its corpora.
// clang-format off
#define DETENT_FUZZ_TARGETS(X) \
  X(answer) X(archive) X(bundle) X(c_numbers) X(c_scan) X(campaign) X(costs) X(explore_part) X(failure) X(graph) X(identity) X(jitter) \
  X(json) X(layers) X(lists) X(log) X(memory_problem) X(metadata) X(npy) X(order) X(package) X(params) X(plan_case) X(platform) \
  X(preprocess) X(replay) X(requirements) X(schedule) X(settings) X(task_set) X(text)
// clang-format on

namespace detent::fuzz {

/// A law that does not hold for this input. No reader throws it.
class LawBroken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool holds, const char* law) {
  if (!holds) throw LawBroken(law);
}

/// How readers are told to name the input in their messages.
inline const std::string kInputName = "input";
/// No message repeats an input of any size.
inline constexpr std::size_t kMaxMessageBytes = 8192;

/// Run `read`. @return  false: it refused the input, with a message that names it and is not longer than people read
template <typename Read>
bool accepts(const Read& read, std::string_view message_begin = kInputName) {
  try {
    read();
    return true;
  } catch (const std::invalid_argument& refusal) {
    const std::string_view message = refusal.what();
    require(message.starts_with(message_begin), "a refusal names its input");
    require(message.size() <= kMaxMessageBytes, "a refusal has bounded length");
    return false;
  }
}

#define DETENT_FUZZ_DECLARE(name) void name##_target(std::string_view input);
DETENT_FUZZ_TARGETS(DETENT_FUZZ_DECLARE)
#undef DETENT_FUZZ_DECLARE

}  // namespace detent::fuzz
