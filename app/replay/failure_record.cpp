// Failures of the explorers -> records for failure files.
#include "app/replay/failure_file.hpp"
#include "app/replay/failure_identity.hpp"
#include "app/version.hpp"
#include "base/ids.hpp"
#include "harness/run.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/verdict/names.hpp"

namespace detent::app {
namespace {

std::string name_of_tensor(const detent_desc& desc, TensorId tensor) {
  const char* const name = desc.tensors[tensor].name;
  return name != nullptr ? name : verify::tensor_name(desc, tensor);
}

}  // namespace

FailureRecord make_failure_record(const LoadedModel& loaded, const verify::explore::OpFailure& failure,
                                  const ReplayLine& line) {
  const detent_desc& desc = loaded.desc();
  const verify::Race& race = failure.pair.bytes;
  FailureRecord record{.program_version = kVersion,
                       .engine_hash = engine_hash(),
                       .model_hash = desc_hash(desc),
                       .law = "op_schedules",
                       .text = failure.shown};
  record.pair = RacingPair{
      failure.pair.op_a, failure.pair.op_b, verify::hazard_name(race.kind),      verify::region_name(desc, race.region),
      race.offset_bytes, race.size_bytes,   name_of_tensor(desc, race.tensor_a), name_of_tensor(desc, race.tensor_b)};
  record.schedule = failure.schedule;
  record.digest = harness::format_digest(failure.digest);
  record.serial_digest = harness::format_digest(failure.serial_digest);
  record.line = line;
  return record;
}

FailureRecord make_failure_record(const LoadedModel& loaded, const verify::explore::ThreadFailure& failure,
                                  const ReplayLine& line) {
  FailureRecord record{.program_version = kVersion,
                       .engine_hash = engine_hash(),
                       .model_hash = desc_hash(loaded.desc()),
                       .law = failure.law,
                       .text = failure.text};
  record.stops = failure.constraints;
  record.line = line;
  return record;
}

}  // namespace detent::app
