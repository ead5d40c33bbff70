#include "verify/flow/violation_teller.hpp"

#include <optional>

#include "verify/graph/byte_set.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/static/access_table.hpp"
#include "verify/verdict/findings.hpp"

namespace detent::verify {
namespace {

constexpr ByteRange kNoBytes{UINT64_MAX, UINT64_MAX};

void take_first(const std::optional<ByteRange>& bytes, ByteRange& first) {
  if (bytes && bytes->begin < first.begin) first = *bytes;
}

}  // namespace

std::vector<ValueViolation> ViolationTeller::tell(const std::vector<Found>& found) const {
  std::vector<ValueViolation> told;
  std::uint64_t scheduled_ops = 0;
  for (const Found& one : found) {
    told.push_back(violation_of(one));
    scheduled_ops += desc_.op_count;
    if (scheduled_ops <= kScheduledOps || told.size() == 1) told.back().schedule = schedule_of(one);
  }
  return told;
}

ValueViolation ViolationTeller::violation_of(const Found& found) const {
  ValueViolation violation;
  violation.fault = found.fault;
  violation.reader = found.reader;
  violation.writer = found.writer;
  violation.in_the_way = found.in_the_way;
  violation.value = wants_.names[found.name];
  violation.always = found.always;
  if (found.want != DETENT_NONE) add_bytes(found, violation);
  return violation;
}

ByteRange ViolationTeller::bytes_of_clash(const ByteSet& wanted, const Found& found) const {
  ByteRange first = kNoBytes;
  for (const Clash& clash : wants_.clashes) {
    if (clash.op != found.writer || (clash.name_a != found.name && clash.name_b != found.name)) continue;
    take_first(first_shared_bytes(wanted, clash.bytes), first);
  }
  return first;
}

ByteRange ViolationTeller::bytes_of_writer(const ByteSet& wanted, OpId op) const {
  ByteRange first = kNoBytes;
  for (const detent_slice* slice : {&desc_.ops[op].outputs, &desc_.ops[op].scratch}) {
    for (std::uint32_t k = 0; k < slice->count; ++k) {
      const detent_tensor& tensor = desc_.tensors[desc_.tensor_refs[slice->first + k]];
      ByteSet written = bytes_of(tensor);
      written.begin += kRegionSpacing * tensor.region;
      take_first(first_shared_bytes(wanted, written), first);
    }
  }
  return first;
}

void ViolationTeller::add_bytes(const Found& found, ValueViolation& violation) const {
  ByteRange first = kNoBytes;
  for (const ByteSet& bytes : wants_.all[found.want].bytes) {
    if (found.fault == FlowFault::kClash) {
      take_first(bytes_of_clash(bytes, found), first);
    } else if (found.in_the_way == DETENT_NONE) {
      take_first(ByteRange{bytes.begin, bytes.begin + bytes.block_bytes}, first);
    } else {
      take_first(bytes_of_writer(bytes, found.in_the_way), first);
    }
  }
  violation.region = static_cast<std::uint32_t>(first.begin / kRegionSpacing);
  violation.offset_bytes = first.begin % kRegionSpacing;
  violation.size_bytes = first.end - first.begin;
}

std::vector<std::uint32_t> ViolationTeller::schedule_of(const Found& found) const {
  std::vector<std::uint32_t> stops;
  const bool is_overwritten = found.fault == FlowFault::kOverwritten;
  const bool is_backwards = is_overwritten && standing_of(found) == Standing::kAfter;
  if (is_overwritten && found.writer != kApplication && !is_backwards) stops.push_back(found.writer);
  if (is_overwritten) stops.push_back(found.in_the_way);
  const bool reads = found.reader != kApplication && found.fault != FlowFault::kAbsent;
  if (reads && found.fault != FlowFault::kClash) stops.push_back(found.reader);
  std::vector<std::uint32_t> schedule = make_schedule_through(order_, stops);
  std::erase_if(schedule, [&](std::uint32_t op) { return (desc_.ops[op].flags & DETENT_OP_DELAY) != 0; });
  return schedule;
}

Standing ViolationTeller::standing_of(const Found& found) const {
  const Want& want = wants_.all[found.want];
  for (std::size_t k = 0; k < want.values.size(); ++k) {
    if (want.values[k].name == found.name && want.values[k].writer == found.writer) return standings_.of(found.want, k);
  }
  return Standing::kBefore;
}

}  // namespace detent::verify
