// Text of faults: strict in both directions.
#include "harness/faults/faults.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <tuple>

#include <detent/limits.h>

#include "base/words/quantity.hpp"
#include "harness/faults/devices.hpp"

namespace detent::harness {
namespace {

struct TimeUnit {
  const char* name;
  std::uint64_t ps;
};
constexpr std::array<TimeUnit, 5> kTimeUnits = {
    {{"s", 1'000'000'000'000U}, {"ms", 1'000'000'000U}, {"us", 1'000'000U}, {"ns", 1'000U}, {"ps", 1U}}};

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw std::invalid_argument("'" + text + "': " + why);
}

template <typename Integer>
std::optional<Integer> read_whole(std::string_view text) {
  Integer number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::uint32_t read_op(const std::string& text, std::string_view op) {
  const auto number = read_whole<std::uint32_t>(op);
  if (!number || *number >= DETENT_MAX_OPS) refuse(text, "must begin with the id of an op, such as 3");
  return *number;
}

bool has_unit(const std::string& text) { return !text.empty() && text.back() == 's'; }

/// Keep `list` ascending. @param key  of which `list` has each value once
/// @param what  the item is, should `list` have it already
template <typename Item, typename Key>
void insert_once(std::vector<Item>& list, const Item& item, const std::string& text, Key key, const char* what = "op") {
  const auto place =
      std::lower_bound(list.begin(), list.end(), item, [&](const Item& a, const Item& b) { return key(a) < key(b); });
  if (place != list.end() && key(*place) == key(item)) {
    refuse(text, std::string("duplicate ") + what + "; name each " + what + " once");
  }
  list.insert(place, item);
}

/// A fault as text, "TARGET[,CALL[+]][=VALUE]", in its parts.
struct FaultText {
  std::string target{};
  Calls calls{};
  std::optional<std::string> value{};  ///< behind '='
};

Calls read_calls(const std::string& text, std::string_view calls) {
  const bool onward = calls.ends_with('+');
  const auto first = read_whole<std::uint32_t>(calls.substr(0, calls.size() - (onward ? 1 : 0)));
  if (!first || *first == 0) {
    refuse(text, "what stands after ',' must be a call, 1 or more, or 2+ for the second and every later one");
  }
  return {.first = *first, .onward = onward};
}

FaultText split_fault(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string place = text.substr(0, equals);
  const std::size_t comma = place.find(',');
  FaultText parts{.target = place.substr(0, comma)};
  if (comma != std::string::npos) parts.calls = read_calls(text, std::string_view(place).substr(comma + 1));
  if (equals != std::string::npos) parts.value = text.substr(equals + 1);
  return parts;
}

/// @return  1 where no code is given
std::int32_t read_code(const std::string& text, const std::optional<std::string>& value) {
  if (!value) return 1;
  const auto code = read_whole<std::int32_t>(*value);
  if (!code || *code == 0) refuse(text, "the number after '=' must be an error code; 0 means success");
  return *code;
}

std::uint64_t read_delay_ps(const std::string& text, const std::string& value, const char* hanging) {
  const std::uint64_t delay_ps = parse_time_ps(value);
  if (delay_ps == 0 || delay_ps == LateOp::kNever) {
    refuse(text, std::string("must be late by at least 1 ps; ") + hanging + " never ends");
  }
  return delay_ps;
}

void add_failing(Faults& faults, const std::string& text) {
  const FaultText parts = split_fault(text);
  const FailingOp failing{
      .op = read_op(text, parts.target), .calls = parts.calls, .code = read_code(text, parts.value)};
  const auto key = [](const FailingOp& f) { return std::tuple(f.op, f.calls.first); };
  insert_once(faults.failing_ops, failing, text, key);
}

void add_late_op(Faults& faults, const std::string& text, const LateOp& late) {
  insert_once(faults.late_ops, late, text, [](const LateOp& l) { return l.op; });
}

void add_late(Faults& faults, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) refuse(text, "must be OP=TIME, such as 3=2ms");
  const std::uint64_t delay_ps = read_delay_ps(text, text.substr(equals + 1), "--hang-op");
  add_late_op(faults, text, {read_op(text, std::string_view(text).substr(0, equals)), delay_ps});
}

void add_hanging(Faults& faults, const std::string& text) {
  add_late_op(faults, text, {read_op(text, text), LateOp::kNever});
}

std::string read_device(const std::string& text, const std::string& name) {
  if (!is_device_name(name)) {
    refuse(text, "must begin with the name of a class of cores, such as npu: letters, digits, '_' and '-'");
  }
  return name;
}

/// Of FailingDevice and LateDevice.
constexpr auto kKeyOfDevice = [](const auto& fault) { return std::tuple(fault.device, fault.calls.first); };

void add_failing_device(Faults& faults, const std::string& text) {
  const FaultText parts = split_fault(text);
  const FailingDevice failing{
      .device = read_device(text, parts.target), .calls = parts.calls, .code = read_code(text, parts.value)};
  insert_once(faults.failing_devices, failing, text, kKeyOfDevice, "call of a device");
}

void add_late_device(Faults& faults, const std::string& text) {
  const FaultText parts = split_fault(text);
  if (!parts.value) refuse(text, "must be CLASS=TIME or CLASS,CALL=TIME, such as npu,3=2ms");
  const LateDevice late{.device = read_device(text, parts.target),
                        .calls = parts.calls,
                        .delay_ps = read_delay_ps(text, *parts.value, "--hang-device")};
  insert_once(faults.late_devices, late, text, kKeyOfDevice, "call of a device");
}

void add_hanging_device(Faults& faults, const std::string& text) {
  const FaultText parts = split_fault(text);
  if (parts.value) refuse(text, "hangs for ever: leave '=' out; --late-device takes a time");
  const LateDevice hanging{.device = read_device(text, parts.target), .calls = parts.calls};
  insert_once(faults.late_devices, hanging, text, kKeyOfDevice, "call of a device");
}

void add_answered_twice(Faults& faults, const std::string& text) {
  insert_once(faults.answered_twice, read_op(text, text), text, [](OpId op) { return op; });
}

void add_cancel(Faults& faults, const std::string& text) {
  if (faults.cancel_at) refuse(text, "duplicate; a run can be cancelled only once");
  if (has_unit(text)) {
    faults.cancel_at = {.moment = CancelAt::Moment::kTime, .time_ps = parse_time_ps(text)};
    return;
  }
  const std::size_t colon = text.find(':');
  const std::string moment = colon == std::string::npos ? "begin" : text.substr(colon + 1);
  if (moment != "begin" && moment != "end") refuse(text, "must be OP, OP:begin, OP:end or a time such as 5us");
  faults.cancel_at = {.moment = moment == "begin" ? CancelAt::Moment::kOpBegin : CancelAt::Moment::kOpEnd,
                      .op = read_op(text, std::string_view(text).substr(0, colon))};
}

void add_deadline(Faults& faults, const std::string& text) {
  if (faults.op_deadline_ps != 0) refuse(text, "duplicate; one deadline holds for all ops");
  faults.op_deadline_ps = parse_time_ps(text);
  if (faults.op_deadline_ps == 0) refuse(text, "must be at least 1 ps");
}

void add_failing_start(Faults& faults, const std::string& text) {
  const auto slot = read_whole<std::uint32_t>(text);
  if (faults.failing_start != 0) refuse(text, "duplicate; the first start that fails ends the start of the context");
  if (!slot || *slot == 0 || *slot > DETENT_MAX_WORKERS) refuse(text, "must be a slot that is started, 1 or more");
  faults.failing_start = *slot;
}

std::string text_of(const Calls& calls) {
  if (calls.first == 0) return "";
  return "," + std::to_string(calls.first) + (calls.onward ? "+" : "");
}

/// @param target  an op or a device
std::string text_of_failing(const std::string& target, const Calls& calls, std::int32_t code) {
  return target + text_of(calls) + (code == 1 ? "" : "=" + std::to_string(code));
}

std::string text_of(const CancelAt& cancel) {
  switch (cancel.moment) {
    case CancelAt::Moment::kOpBegin:
      return std::to_string(cancel.op) + ":begin";
    case CancelAt::Moment::kOpEnd:
      return std::to_string(cancel.op) + ":end";
    case CancelAt::Moment::kTime:
      return format_time_ps(cancel.time_ps);
  }
  return "";
}

struct KeyRow {
  const char* key;
  void (*add)(Faults& faults, const std::string& text);
};
constexpr std::array<KeyRow, 10> kKeys = {{{"fail_op", add_failing},
                                           {"late_op", add_late},
                                           {"hang_op", add_hanging},
                                           {"fail_device", add_failing_device},
                                           {"late_device", add_late_device},
                                           {"hang_device", add_hanging_device},
                                           {"answer_twice", add_answered_twice},
                                           {"cancel_at", add_cancel},
                                           {"deadline_op", add_deadline},
                                           {"fail_start", add_failing_start}}};

void require_op(OpId op, const char* what, const detent_desc& desc) {
  if (op < desc.op_count) return;
  throw std::invalid_argument(std::string(what) + " op " + std::to_string(op) + ": the model has ops 0 to " +
                              std::to_string(desc.op_count - 1) + "; a network may have more after --split");
}

void require_deadline(const Faults& faults, const std::string& what) {
  if (faults.op_deadline_ps != 0) return;
  throw std::invalid_argument(what +
                              " hangs: without a deadline or a watchdog the run never ends; add --deadline-op TIME, or "
                              "watchdog to the [[fallbacks]] of --set");
}

bool are_ops_watched(const Faults& faults, const detent_desc& desc, const std::string& device) {
  if (faults.watchdogs_ps.empty()) return false;
  for (OpId op = 0; op < desc.op_count; ++op) {
    const bool is_of_device = device == desc.classes[desc.ops[op].core_class].name;
    if (is_of_device && faults.watchdog_of(op) == 0) return false;
  }
  return true;
}

/// Late ops or devices in the words of `key`: those that hang in one, the others in another.
template <typename Late, typename TargetOf>
void add_late_words(const std::vector<Late>& list, const char* late_key, const char* hang_key, TargetOf target_of,
                    std::vector<FaultWord>& words) {
  for (const Late& late : list) {
    if (late.delay_ps == LateOp::kNever) continue;
    words.push_back({late_key, target_of(late) + "=" + format_time_ps(late.delay_ps)});
  }
  for (const Late& late : list) {
    if (late.delay_ps == LateOp::kNever) words.push_back({hang_key, target_of(late)});
  }
}

}  // namespace

bool is_device_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && std::ranges::all_of(name, is_plain);
}

bool Faults::injects() const {
  Faults rest = *this;
  rest.op_deadline_ps = 0;
  return !rest.empty();
}

const std::vector<std::string>& fault_keys() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const KeyRow& row : kKeys) names.emplace_back(row.key);
    return names;
  }();
  return kNames;
}

std::vector<FaultWord> fault_words(const Faults& faults) {
  std::vector<FaultWord> words;
  for (const FailingOp& failing : faults.failing_ops) {
    words.push_back({"fail_op", text_of_failing(std::to_string(failing.op), failing.calls, failing.code)});
  }
  add_late_words(
      faults.late_ops, "late_op", "hang_op", [](const LateOp& l) { return std::to_string(l.op); }, words);
  for (const FailingDevice& failing : faults.failing_devices) {
    words.push_back({"fail_device", text_of_failing(failing.device, failing.calls, failing.code)});
  }
  const auto device_of = [](const LateDevice& late) { return late.device + text_of(late.calls); };
  add_late_words(faults.late_devices, "late_device", "hang_device", device_of, words);
  for (const OpId op : faults.answered_twice) words.push_back({"answer_twice", std::to_string(op)});
  if (faults.cancel_at) words.push_back({"cancel_at", text_of(*faults.cancel_at)});
  if (faults.op_deadline_ps != 0) words.push_back({"deadline_op", format_time_ps(faults.op_deadline_ps)});
  if (faults.failing_start != 0) words.push_back({"fail_start", std::to_string(faults.failing_start)});
  return words;
}

std::string fault_option(const std::string& key) {
  std::string option = "--" + key;
  std::ranges::replace(option, '_', '-');
  return option;
}

std::string format_faults(const Faults& faults) {
  std::string text;
  for (const FaultWord& word : fault_words(faults)) {
    text += (text.empty() ? "" : " ") + fault_option(word.key) + " " + word.value;
  }
  return text;
}

void add_fault(Faults& faults, const FaultWord& word) {
  for (const KeyRow& row : kKeys) {
    if (word.key == row.key) return row.add(faults, word.value);
  }
  refuse(word.key, "is not a fault");
}

std::uint64_t parse_time_ps(const std::string& text) {
  if (const auto time_ps = read_time_ps(text)) return *time_ps;
  refuse(text, refuse_time(text));
}

std::string format_time_ps(std::uint64_t time_ps) {
  for (const TimeUnit& row : kTimeUnits) {
    if (time_ps != 0 && time_ps % row.ps == 0) return std::to_string(time_ps / row.ps) + row.name;
  }
  return "0ps";
}

void check_faults(const Faults& faults, const detent_desc& desc, bool simulated) {
  for (const FailingOp& failing : faults.failing_ops) require_op(failing.op, "fail", desc);
  for (const LateOp& late : faults.late_ops) {
    require_op(late.op, "late", desc);
    const bool ends = late.delay_ps != LateOp::kNever || faults.watchdog_of(late.op) != 0;
    if (!ends) require_deadline(faults, "op " + std::to_string(late.op));
  }
  for (const FailingDevice& failing : faults.failing_devices) require_device(desc, failing.device);
  for (const LateDevice& late : faults.late_devices) {
    require_device(desc, late.device);
    const bool ends = late.delay_ps != LateOp::kNever || are_ops_watched(faults, desc, late.device);
    if (!ends) require_deadline(faults, "device " + late.device);
  }
  for (const OpId op : faults.answered_twice) require_op(op, "answer twice", desc);
  if (!faults.cancel_at) return;
  if (faults.cancel_at->moment != CancelAt::Moment::kTime) {
    require_op(faults.cancel_at->op, "cancel at", desc);
  } else if (!simulated) {
    throw std::invalid_argument("cancel at " + format_time_ps(faults.cancel_at->time_ps) +
                                ": only simulated time has such moments; name an op, such as 3:begin or 3:end");
  }
}

}  // namespace detent::harness
